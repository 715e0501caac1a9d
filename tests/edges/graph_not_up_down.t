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
  net.yaml: error: there is no up-down path from host h3 to host h1: a path goes up, then down, and l3 b l2 a l1 goes up again at l2; link b and a, or both to a switch above them, or write fabric.routing: shortest
  [2]
  $ sed -i 's/links: \[/&{a: a, b: b}, /' net.yaml
  $ heddle run x.yaml -q 2>/dev/null && heddle flows x.db | awk '{print $3, $4, $5}'
  from to bytes
  h1 h3 10000

Any graph runs with shortest paths. Where its links make a ring and switches pause each other, a warning names the ring.

  $ cat >ring.yaml <<END
  > nodes: [{name: l1}, {name: l2}, {name: l3}, {name: l4}, {name: h1}, {name: h2}, {name: h3}, {name: h4}]
  > links: [{a: l1, b: h1}, {a: l2, b: h2}, {a: l3, b: h3}, {a: l4, b: h4}, {a: l1, b: l2}, {a: l2, b: l3}, {a: l3, b: l4}, {a: l4, b: l1}]
  > END
  $ sed -i 's/links: \[{a: a, b: b}, /links: [/' net.yaml
  $ sed -i 's/path: net.yaml/&, routing: shortest/' x.yaml
  $ heddle run x.yaml -q 2>/dev/null && heddle flows x.db | awk '{print $3, $4, $5}'
  from to bytes
  h1 h3 10000
  $ heddle check x.yaml --set scheme=detail-fast 2>&1 | grep warning
  [1]
  $ heddle check x.yaml --set scheme=detail-fast --set fabric.path=ring.yaml 2>&1 | grep warning
  --set scheme:1:1: warning: switch.flowctl: pauses may go round and stop these links for ever: frames go from l2, l3, l4, l1, l2, and each queue may wait for the next; give the switches tiers and links that make up-down paths, or let them drop
