A user lets the only path fail and be repaired after 30 s, under retransmission timeouts of 1 s at most. The run must wait for
the repair, which is still due, and not fail as stuck after 10 s.

  $ cat > repair.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 1, rate: 10Gbps,
  >          failed: [{link: leaf0-spine0, at: 1us, repair_at: 30s}]}
  > host: {max_rto: 1s}
  > workload: {kind: long, src: 0, dst: 1, sizes: 150KB}
  > END
  $ heddle run repair.yaml --json -q 2> /dev/null | python3 -c "
  > import json, sys
  > r = json.load(sys.stdin)
  > print(r['flows']['finished'], 30e6 < r['fct_us']['all']['max'] < 31e6)"
  1 True
