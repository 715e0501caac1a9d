A run with -q offers more than a tier can carry. The warning stays.

  $ cat > x.yaml <<'EOF'
  > title: twice the uplink
  > fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 4}
  > workload: {kind: poisson, sizes: 1KB, load: 60%, load_at: host, pairs: inter-rack, flows: 20}
  > EOF
  $ heddle run x.yaml -q 2>&1 | grep -o 'warning: workload: overload'
  warning: workload: overload
