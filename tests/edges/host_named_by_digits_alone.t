Hosts named 10 and 20, as a topology of another tool names them: a bare 20 is no number of a host, so the name wins.

  $ cat >net.yaml <<END
  > nodes: [{name: 10, tier: host}, {name: 20, tier: host}, {name: s, tier: leaf}]
  > links: [{a: 10, b: s}, {a: 20, b: s}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: incast, receiver: 20, sizes: 10KB}
  > END
  $ heddle run x.yaml -q && heddle flows x.db | awk 'NR > 1 {print $3, $4}'
  10 20
