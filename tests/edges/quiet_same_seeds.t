All seeds of a run with -q gave the same run, so its spread means nothing. The warning stays.

  $ cat > x.yaml <<'EOF'
  > title: nothing is drawn
  > fabric: {kind: star, hosts: 3}
  > workload: {kind: long, src: 0, dst: 1, stop: 100us}
  > run: {until: 200us}
  > sweep: {run.seed: [1, 2]}
  > EOF
  $ heddle run x.yaml -q 2>&1 | grep -o 'warning: in 1 of 1 combinations all seeds gave the same run'
  warning: in 1 of 1 combinations all seeds gave the same run
