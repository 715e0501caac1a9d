Somebody sets a second threshold below the first: of load balancing, or of pauses. The error names both places, and its remedy works.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > switch: {balance: alb, alb: {threshold_1: 64KB, threshold_2: 16KB}}
  > EOF
  $ heddle check x.yaml
  x.yaml:3:43: error: switch.alb.threshold_1: 64KB is above threshold_2, 16KB at x.yaml:3:62; write at most 16KB, or change threshold_2
  [2]
  $ heddle check x.yaml --set switch.alb.threshold_1=16KB >/dev/null 2>&1
  $ cat > y.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > switch: {crossbar: islip, flowctl: pfc, pause_above: 30KB, release_below: 40KB}
  > EOF
  $ heddle check y.yaml
  y.yaml:3:75: error: switch.release_below: 40KB is above pause_above, 30KB at y.yaml:3:54; write at most 30KB, or change pause_above
  [2]
  $ heddle check y.yaml --set switch.release_below=30KB >/dev/null
