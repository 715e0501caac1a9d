# bytes
# Expeditus' own simulator (2016-SoCC-Expeditus, scratch/FatTree.cc, cdftype 1): thousands of bytes, straight lines between points.
# It cuts each draw to whole KB, which takes half a KB from the mean of 1,141 KB.
6000      0
6000      0.15
13000     0.2
19000     0.3
33000     0.4
53000     0.53
133000    0.6
667000    0.7
1333000   0.8
3333000   0.9
6667000   0.97
20000000  1
