Queries that stop before they start are never sent, and a link is not repaired before it fails: both are refused with both places.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: query, schedule: {for: 1ms, rate: 100/s}, responses: 1KB, start: 2ms, stop: 1ms}
  > EOF
  $ heddle check x.yaml
  x.yaml:2:94: error: workload.0.stop: 1ms is not above start, 2ms at x.yaml:2:83; write more than 2ms, or change start
  [2]
  $ cat > y.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, failed: {link: leaf0-spine0, at: 2ms, repair_at: 1ms}}
  > workload: {kind: permutation, sizes: 100KB}
  > EOF
  $ heddle check y.yaml
  y.yaml:1:109: error: fabric.failed.0.repair_at: 1ms is not above at, 2ms at y.yaml:1:93; write more than 2ms, or change at
  [2]
