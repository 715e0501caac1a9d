A user lets two short flows run beside background traffic that goes on. Fairness and imbalance must not count intervals after
the last flow for which the run waits, in the time to which the engine rounds its end.

  $ cat > intervals.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 10Gbps}
  > workload:
  >   - {kind: long, src: 0, dst: 2, sizes: 30KB}
  >   - {kind: background, sizes: 100MB, clients: [host0.1], servers: [host1.1], stop: 1s}
  > measure: {jain: 10us, imbalance: 10us}
  > END
  $ heddle run intervals.yaml --json -q -o intervals.db > run.json
  $ python3 - <<'END'
  > import json
  > r = json.load(open('run.json'))
  > print(r['fairness']['intervals'] <= r['fct_us']['all']['max'] / 10 < 10)
  > END
  True
  $ sqlite3 intervals.db "SELECT max(at_ps) / 1e6 <= json_extract(result, '$.fct_us.all.max') FROM imbalance, runs"
  1
