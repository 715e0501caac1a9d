Rounds of an incast start by the clock, ten times as fast as the receiver's link can carry them: 800 flows are open at once, where the file
says eight. The run says so with the numbers.

  $ cat > x.yaml <<'EOF'
  > title: rounds of eight senders
  > fabric: {kind: star, hosts: 9}
  > workload: {kind: incast, sizes: 200KB, receiver: 0, rounds: 100, gap: 100us}
  > EOF
  $ heddle run x.yaml -q 2>&1 | grep 'run 1'
  x.yaml: warning: run 1: workload.0: 99 of 100 rounds began while flows of earlier rounds were open, up to 800 flows at once of 8 in a round; raise gap, or give request: then each round waits for the one before

With requests each round waits for the one before, and nothing is said.

  $ heddle run x.yaml -q --set workload.request=1KB -o y.db
