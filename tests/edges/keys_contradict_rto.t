Somebody sets a least retransmission timeout above the largest one: no run could obey both, so the file is refused with both places.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > host: {min_rto: 1s, max_rto: 1ms}
  > EOF
  $ heddle check x.yaml
  x.yaml:3:17: error: host.newreno.min_rto: 1s is above max_rto, 1ms at x.yaml:3:30; write at most 1ms, or change max_rto
  [2]
  $ heddle run x.yaml
  x.yaml:3:17: error: host.newreno.min_rto: 1s is above max_rto, 1ms at x.yaml:3:30; write at most 1ms, or change max_rto
  [2]
