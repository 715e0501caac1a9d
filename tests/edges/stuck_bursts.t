A user sends bursts of 20 KB that follow each other after 16 s (UDP, 10 Kbps). Nothing arrives for 16 s at a time, as the
workload says: the run must not fail as stuck after 10 s.

  $ cat > burst.yaml <<'END'
  > fabric: {kind: star, hosts: 2, rate: 10Gbps}
  > host: {transport: udp}
  > workload: {kind: long, src: 0, dst: 1, sizes: 40KB, rate: 10Kbps, burst: 20KB}
  > END
  $ heddle run burst.yaml --json -q | python3 -c "
  > import json, sys
  > r = json.load(sys.stdin)
  > print(r['flows']['finished'], r['flows']['bytes'], round(r['averages']['to_us'] / 1e6), 's')"
  1 40000 16 s
