A user took a table of flow sizes from ns-2: three columns, sizes in packets. Its sizes were read as bytes, 1460 times too small.
The file must say which they are; its packets have 1460 B.

  $ printf '1 1 0\n1 1 1\n' >sizes.cdf
  $ cat >x.yaml <<END
  > fabric: {kind: star, hosts: 2}
  > workload: {kind: permutation, sizes: sizes.cdf}
  > END
  $ heddle run x.yaml -q
  sizes.cdf:1:1: error: three columns, as in tables of ns-2, which count packets; write '# packets' (of 1460 B) or '# bytes' above the first point
  [2]
  $ sed -i '1i # packets' sizes.cdf
  $ heddle run x.yaml -q && heddle flows x.db | awk '{print $5}'
  bytes
  1460
  1460
