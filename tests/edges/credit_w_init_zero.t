Somebody sets SprayPass's first aggressiveness to 0. Without a first rate no credit would ever leave, so that is an error;
with one the rate stays until the second period without congestion.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB, pairs: inter-rack}
  > scheme: spraypass-printed
  > host: {spraypass: {w_init: 0}}
  > EOF
  $ heddle check x.yaml
  x.yaml:4:28: error: host.spraypass.initial_rate: 0 (default) is no more than w_init, 0; write more than 0, or change w_init
  [2]
  $ heddle run x.yaml -q --set host.spraypass.initial_rate=6.25%
  $ sqlite3 x.db "SELECT result ->> '$.flows.finished' FROM runs"
  8
  $ heddle check x.yaml --set host.spraypass.w_init=0.5%
  --set host.spraypass.w_init:1:1: error: host.spraypass.w_init: 0.5% is below w_min, 1% (default); write 0 or at least 1%, or change w_min
  [2]
