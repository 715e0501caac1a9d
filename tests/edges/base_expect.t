The claims and figures of a base are about the base: a file has them only if it asks. What was measured for them is not inherited.

  $ cat > figure.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: [{kind: permutation, sizes: 100KB}]
  > sweep: {switch.balance: [ecmp, expeditus], run.seed: [1]}
  > figure: {x: switch.balance, y: {metric: flows.finished}}
  > expect: {claim: all-end, metric: flows.finished, each: switch.balance, every: true, value: [9, 9], known: {holds: false}}
  > EOF
  $ heddle run figure.yaml -o f.db --quiet; heddle run figure.yaml -o f.db --json | grep -c '"claim"'
  2
  $ echo 'base: figure.yaml' > x.yaml
  $ heddle run x.yaml -o x.db --json | grep -c '"claim"'
  0
  [1]
  $ heddle report x.db --figures out
  x.db: error: 'x' says no figure; give its file a `figure` block and name it with --experiment FILE.yaml
  [2]
  $ echo 'base: {file: figure.yaml, expect: true}' > y.yaml
  $ heddle run y.yaml -o y.db --json > y.json; echo $?; grep -oE '"(verdict|recorded)":[^,]*' y.json
  1
  "verdict":"does not hold"
  "recorded":null
  "verdict":"does not hold"
  "recorded":null
