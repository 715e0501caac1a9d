`heddle check` foresees that rounds overlap, where the bytes of a round take the receiver's link longer than the gap between two rounds.

  $ cat > x.yaml <<'EOF'
  > title: rounds of eight senders
  > fabric: {kind: star, hosts: 9}
  > workload: {kind: incast, sizes: 200KB, receiver: 0, rounds: 100, gap: 100us}
  > EOF
  $ heddle check x.yaml 2>&1 >/dev/null
  x.yaml:3:71: warning: workload.0.gap: rounds overlap: 8 senders fill 10Gbps for 1.35ms, and the next round begins after 100us; raise it above 1.35ms, or give request: then each round waits for the one before
  $ heddle check x.yaml --set workload.gap=1400us 2>&1 >/dev/null
