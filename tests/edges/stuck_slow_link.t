A user has links of 1 Kbps, over which a full frame takes 12 s. The run must not fail as stuck after 10 s.

  $ cat > slow.yaml <<'END'
  > fabric: {kind: star, hosts: 2, rate: 1Kbps}
  > host: {transport: udp}
  > workload: {kind: long, src: 0, dst: 1, sizes: 3KB}
  > END
  $ heddle run slow.yaml --json -q | python3 -c "
  > import json, sys
  > r = json.load(sys.stdin)
  > print(r['flows']['finished'], round(r['fct_us']['all']['max'] / 1e6), 's')"
  1 38 s
