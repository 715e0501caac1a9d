Claims that share keys are rows of one block. A row lies over the block, and each metric of a list is a claim of its own.

  $ cat > rows.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: [{kind: permutation, sizes: 100KB}]
  > sweep: {switch.balance: [ecmp, expeditus], run.seed: [1]}
  > expect:
  >   - {metric: [flows.finished, flows.started], every: true, value: [8, 8], rows: [
  >       {claim: all, each: switch.balance},
  >       {claim: none-lost, of: {switch.balance: ecmp}, metric: packets.dropped, value: [0, 0]}]}
  > EOF
  $ heddle run rows.yaml -o r.db --quiet; heddle run rows.yaml -o r.db --json | grep '"claim"' | python3 -c '
  > import sys, json
  > for line in sys.stdin:
  >     o = json.loads(line)
  >     print(o["entry"], o["claim"], o["metric"], o["where"], o["verdict"])'
  0 all flows.finished {'switch.balance': 'ecmp'} holds
  0 all flows.finished {'switch.balance': 'expeditus'} holds
  1 all flows.started {'switch.balance': 'ecmp'} holds
  1 all flows.started {'switch.balance': 'expeditus'} holds
  2 none-lost packets.dropped {} holds
  $ sed -i 's/value: \[0, 0\]/valeu: [0, 0]/' rows.yaml
  $ heddle check rows.yaml
  rows.yaml:7:79: error: unknown key 'valeu' in expect.2; did you mean 'value'?
  [2]

A key with dots is a path, in a profile and over a base: it changes one key of one workload.

  $ cat > small.yaml <<EOF
  > base: rows.yaml
  > workload.0.sizes: 30KB
  > profiles: {small: {workload.0.sizes: 3KB, run.seed: [5, 6]}}
  > EOF
  $ sed -i 's/valeu/value/' rows.yaml
  $ heddle check small.yaml | grep -E '^# small|sizes:'
  # small: 2 runs: switch.balance (2) x run.seed (1)
      sizes: 30KB
  $ heddle check small.yaml --profile small | grep -E '^# small|sizes:'
  # small: 4 runs: switch.balance (2) x run.seed (2)
      sizes: 3KB
  $ printf 'base: rows.yaml\nworkload.2.sizes: 3KB\n' > x.yaml
  $ heddle check x.yaml
  x.yaml:2:19: error: 'workload.2.sizes' leads nowhere at '2'; write the number of an item of the list, counted from 0
  [2]
