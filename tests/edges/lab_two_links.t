A lab of a fabric whose hosts have two links is refused in one line, and nothing is made.

  $ . "$ROOT/tests/edges/labs.sh"
  $ cat >net.yaml <<END
  > nodes: [{name: a, tier: host}, {name: b, tier: host}, {name: t0, tier: leaf}, {name: t1, tier: leaf}]
  > links: [{a: a, b: t0}, {a: a, b: t1}, {a: b, b: t0}, {a: b, b: t1}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 100Mbps, delay: 1us}
  > END
  $ heddle lab up x.yaml --name $LAB
  x.yaml:1:16: error: host a has 2 links, but a host on real frames has one; leave each host one link, or simulate the fabric with heddle run
  [2]
  $ left
  0 namespaces, 0 processes, 0 folders
