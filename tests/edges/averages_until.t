A user gives run.until: 1s to a run whose flows are over after 27 us. Averages over time must end with the last flow: with
and without run.until they are the same.

  $ cat > short.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: permutation, sizes: 15KB}
  > END
  $ heddle run short.yaml --json -q > a.json
  $ heddle run short.yaml --json -q --set run.until=1s -o b.db > b.json
  $ python3 - <<'END'
  > import json
  > a, b = json.load(open('a.json')), json.load(open('b.json'))
  > for key in 'goodput_gbps', 'links', 'queues_bytes': print(key, 'the same:', a[key] == b[key])
  > print(b['engine']['sim_s'], 's simulated')
  > END
  goodput_gbps the same: True
  links the same: True
  queues_bytes the same: True
  1.0 s simulated
