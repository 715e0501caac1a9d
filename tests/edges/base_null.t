A base sets a key, and sweeps one, that a file does not want: null takes them out. A null that removes nothing is a misspelt key,
and a value for a key that the base sweeps would have no effect: both are refused.

  $ cat > figure.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > host: {jitter: 1us}
  > workload: [{kind: permutation, sizes: 100KB}]
  > sweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}
  > EOF
  $ cat > x.yaml <<EOF
  > base: figure.yaml
  > host: {jitter: null}
  > switch: {balance: expeditus}
  > sweep: {switch.balance: null}
  > EOF
  $ heddle check x.yaml | grep -E '^# x|jitter|balance:'
  # x: 2 runs: run.seed (2)
    jitter: 0s
    balance: expeditus
    imbalance: 10ms
  $ sed -i '/^sweep/d' x.yaml && heddle check x.yaml
  x.yaml:3:19: error: figure.yaml:4 sweeps switch.balance, so this value has no effect; remove the axis: sweep: {switch.balance: null}
  [2]
  $ echo 'sweep: {switch.balanse: null}' > more && sed -i '/^switch/d' x.yaml && cat more >> x.yaml && heddle check x.yaml
  x.yaml:3:9: error: 'switch.balanse: null' removes nothing: figure.yaml gives no such key; did you mean 'switch.balance'?
  [2]
