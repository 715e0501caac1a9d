A user has links of 20 s delay, so a round trip takes 80 s, under retransmission timeouts of 1 s at most. Nothing can arrive
in the first 160 s: the run must not fail as stuck after 10 s.

  $ cat > far.yaml <<'END'
  > fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 20s}
  > host: {min_rto: 100ms, max_rto: 1s}
  > workload: {kind: long, src: 0, dst: 1, sizes: 15KB}
  > END
  $ heddle run far.yaml --json -q 2> /dev/null | python3 -c "
  > import json, sys
  > r = json.load(sys.stdin)
  > print(r['flows']['finished'], round(r['fct_us']['all']['max'] / 1e6), 's')"
  1 520 s
