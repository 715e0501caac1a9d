Runs deserve the same warning with other figures. Each place in the file has one line before the runs, and each kind has one line
after them, whatever the number of runs.

  $ cat > x.yaml <<'EOF'
  > fabric: {kind: star, hosts: 9, rate: 10Gbps}
  > workload:
  >   - {kind: incast, sizes: 200KB, receiver: 0, rounds: 3, gap: 100us}
  >   - {kind: incast, sizes: 200KB, receiver: 1, rounds: 3, gap: 100us}
  > sweep: {fabric.rate: [10Gbps, 20Gbps], run.seed: [1, 2, 3]}
  > EOF
  $ heddle run x.yaml -q
  x.yaml:3:63: warning: workload.0.gap: rounds overlap: 8 senders fill 10Gbps for 1.35ms, and the next round begins after 100us; raise it above 1.35ms, or give request: then each round waits for the one before (and 1 more like it, of other runs)
  x.yaml:4:63: warning: workload.1.gap: rounds overlap: 8 senders fill 10Gbps for 1.35ms, and the next round begins after 100us; raise it above 1.35ms, or give request: then each round waits for the one before (and 1 more like it, of other runs)
  x.yaml: warning: 6 runs, as run 1: workload.0: 2 of 3 rounds began while flows of earlier rounds were open, up to 24 flows at once of 8 in a round; raise gap, or give request: then each round waits for the one before
