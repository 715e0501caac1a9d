A run with -q has a key without any effect. The option drops the table and the progress, so the warning stays.

  $ cat > x.yaml <<'EOF'
  > title: all tiers have a rate of their own
  > fabric: {kind: star, hosts: 3, rate: 40Gbps, host_rate: 10Gbps}
  > workload: {kind: incast, sizes: 1KB}
  > EOF
  $ heddle run x.yaml -q
  x.yaml:2:38: warning: fabric.rate has no effect: host_rate is given; leave it out

Without the key there is nothing to say.

  $ sed -i 's/rate: 40Gbps, //' x.yaml
  $ heddle run x.yaml -q -o y.db
