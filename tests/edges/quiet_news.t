Without a table, too, an exit status of 1 has its reason.

  $ cat > x.yaml <<EOF
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > run: {seed: 3}
  > expect:
  >   - {claim: soon, metric: fct_us.all.mean, value: [0, 1]}
  >   - {claim: at all, metric: packets.dropped, value: [0, 0], every: true}
  > EOF
  $ heddle run x.yaml -q
  x.yaml: 1 of 2 outcomes of claims is other than expected; heddle report x.db --text shows them
  [1]
  $ heddle run x.yaml -q --json > /dev/null
  [1]
