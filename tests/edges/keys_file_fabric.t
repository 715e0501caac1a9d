The links between the switches of a file fabric have the experiment's rate, also where hosts have a rate of their own: nobody is told that the
rate has no effect, and the run with another rate is another run.

  $ cat > two.yaml <<EOF
  > nodes: [{name: s, tier: leaf}, {name: t, tier: leaf}, {name: u, tier: agg}, {name: a, tier: host}, {name: b, tier: host}]
  > links: [{a: a, b: s}, {a: s, b: u}, {a: u, b: t}, {a: t, b: b}]
  > EOF
  $ cat > x.yaml <<EOF
  > fabric: {kind: file, path: two.yaml, rate: 1Gbps, host_rate: 10Gbps}
  > workload: {kind: permutation, sizes: 100KB}
  > EOF
  $ digest() { heddle run x.yaml -o $RANDOM.db --json "$@" | grep -o '"digest": *"[0-9a-f]*"'; }
  $ digest > one
  $ digest --set fabric.rate=2Gbps > other
  $ cmp -s one other || echo differ
  differ
