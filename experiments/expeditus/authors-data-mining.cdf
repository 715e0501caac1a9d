# bytes
# Expeditus' own simulator (2016-SoCC-Expeditus, scratch/FatTree.cc, cdftype 2): thousands of bytes, straight lines between points;
# mean 5,117 KB.
1000       0
1000       0.5
2000       0.6
3000       0.7
7000       0.8
267000     0.9
2107000    0.95
66667000   0.99
666667000  1
