A run with -q sprays packets under a transport that takes reordered ones for lost. The warning stays, and --json does not mix with it.

  $ cat > x.yaml <<'EOF'
  > title: NewReno over sprayed packets
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
  > switch: {balance: spray}
  > workload: {kind: permutation, sizes: 1KB, pairs: inter-rack}
  > EOF
  $ heddle run x.yaml -q 2>&1 | grep -o 'warning: switch.balance: spray reorders packets'
  warning: switch.balance: spray reorders packets
  $ heddle run x.yaml -q --json 2>/dev/null | grep -c '^{"run":1,'
  1
  $ heddle run x.yaml -q --json 2>&1 >/dev/null | grep -c 'warning: switch.balance'
  1
