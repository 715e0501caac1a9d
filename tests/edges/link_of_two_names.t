A fabric has the switches a, a-b, b-c and c, so that a-b-c is the name of two links, and a user let that link fail.
Whatever names links refuses such a name and says which links it may be, with a name of its own for each.

  $ cat >net.yaml <<END
  > nodes: [{name: a, tier: leaf}, {name: a-b, tier: leaf}, {name: b-c, tier: agg}, {name: c, tier: agg}, {name: h, tier: host}, {name: i, tier: host}]
  > links: [{a: a, b: h}, {a: a-b, b: i}, {a: a, b: b-c}, {a: a-b, b: c}, {a: a, b: c}, {a: a-b, b: b-c}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: long, src: h, dst: i, sizes: 10KB}
  > END
  $ heddle run x.yaml -q --set 'fabric.failed=[{link: a-b-c}]'
  --set fabric.failed:1:9: error: a-b-c is the link of a and b-c and that of a-b and c; write b-c-a or c-a-b
  [2]
  $ heddle run x.yaml -q --set 'fabric.links=[{match: a-b-c, rate: 1Gbps}]'
  --set fabric.links:1:10: error: a-b-c is the link of a and b-c and that of a-b and c; write b-c-a or c-a-b
  [2]
  $ heddle run x.yaml -q --set 'measure.watch=[a-b-c]'
  --set measure.watch:1:2: error: a-b-c is the link of a and b-c and that of a-b and c; write b-c-a or c-a-b
  [2]
  $ heddle run x.yaml -q --set 'fabric.failed=[{link: b-c-a}]' && echo done
  done
