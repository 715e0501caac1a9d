Somebody exchanges the bounds of ExpressPass' aggressiveness: the file is refused with both places.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > host: {transport: expresspass, expresspass: {feedback: printed, w_min: 50%, w_max: 1%}}
  > EOF
  $ heddle check x.yaml
  x.yaml:3:72: error: host.expresspass.w_min: 50% is above w_max, 1% at x.yaml:3:84; write at most 1%, or change w_max
  [2]
