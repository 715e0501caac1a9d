A fabric file names its hosts "2", "1" and "0", in this order; a workload names them in quotes.
Names in quotes are names: the flow runs from 0 to 1. A bare 0 could be both, so the error names both.

  $ cat >net.yaml <<END
  > nodes: [{name: "2", tier: host}, {name: "1", tier: host}, {name: "0", tier: host}, {name: s, tier: leaf}]
  > links: [{a: "0", b: s}, {a: "1", b: s}, {a: "2", b: s}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: long, src: "0", dst: "1", sizes: 10KB}
  > END
  $ heddle run x.yaml -q
  $ heddle flows x.db | awk 'NR > 1 {print $3, $4}'
  0 1
  $ heddle run x.yaml -q --set workload.0.src=0 -o y.db
  --set workload.0.src:1:1: error: workload.0.src: 0 is the name of a host and the number of host 2; write the name in quotes, "0" or "2"
  [2]
  $ heddle run x.yaml -q --set workload.0.dst=1 -o z.db && heddle flows z.db | awk 'NR > 1 {print $3, $4}'
  0 1
