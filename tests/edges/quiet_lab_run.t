`heddle lab run -q` has a key without effect on real frames: the kernel's TCP takes no receive window from the file. The warning stays.
(--judge starts no lab, so the command needs no namespaces; the store has no result, hence status 3.)

  $ cat > x.yaml <<'EOF'
  > title: a window that the kernel does not take
  > fabric: {kind: star, hosts: 3, rate: 10Mbps}
  > host: {receive_window: 1MB}
  > workload: {kind: incast, sizes: 1KB}
  > EOF
  $ heddle lab run x.yaml -q --judge 2>&1 | grep -o 'warning: host.receive_window has no effect'
  warning: host.receive_window has no effect
