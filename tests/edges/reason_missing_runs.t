An expectation waits for runs that the store does not hold. The reason is the same in all places.

  $ cat > x.yaml <<'EOF'
  > title: an incast with two buffers
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: incast, sizes: 20KB}
  > sweep: {run.seed: [1, 2]}
  > expect: [{claim: drops, metric: packets.dropped, value: [0, 0]}]
  > EOF
  $ heddle run x.yaml --judge 2>/dev/null | grep '^  drops'
    drops: not decided (2 of 2 runs are missing); packets.dropped: nothing, claimed 0 to 0
  $ heddle run x.yaml --judge --json 2>/dev/null | grep -o '"reason":.*'
  "reason":"2 of 2 runs are missing","recorded":null,"as_recorded":false}
