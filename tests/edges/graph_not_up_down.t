A user described a chain of three racks, joined by two switches. A frame of the outer racks would go up, down, and up again.
heddle refuses the graph and says what it needs; with that it runs.

  $ cat >net.yaml <<END
  > nodes: [{name: l1}, {name: l2}, {name: l3}, {name: a}, {name: b}, {name: h1}, {name: h2}, {name: h3}]
  > links: [{a: l1, b: h1}, {a: l2, b: h2}, {a: l3, b: h3}, {a: l1, b: a}, {a: a, b: l2}, {a: l2, b: b}, {a: b, b: l3}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: long, src: h1, dst: h3, sizes: 10KB}
  > END
  $ heddle run x.yaml
  net.yaml: error: there is no up-down path from host h3 to host h1: a path goes up, then down, and l3 b l2 a l1 goes up again at l2; link b and a, or both to a switch above them
  [2]
  $ sed -i 's/links: \[/&{a: a, b: b}, /' net.yaml
  $ heddle run x.yaml -q 2>/dev/null && heddle flows x.db | awk '{print $3, $4, $5}'
  from to bytes
  h1 h3 10000
