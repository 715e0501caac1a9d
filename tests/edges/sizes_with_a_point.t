A user wrote flow sizes of 1.5MB and was told that there is no such file. The point makes it no file; a wrong unit neither.

  $ cat >x.yaml <<END
  > fabric: {kind: star, hosts: 2}
  > workload: {kind: permutation, sizes: 1.5MB}
  > END
  $ heddle run x.yaml -q && heddle flows x.db | awk '{print $5}'
  bytes
  1500000
  1500000
  $ heddle check x.yaml --set workload.0.sizes=1.5XB >/dev/null
  --set workload.0.sizes:1:1: error: workload.0.sizes: sizes: 'XB' is no unit of a size; write B, KB, MB, GB, TB (thousands) or KiB, MiB, GiB (1024), such as 250KB
  [2]
