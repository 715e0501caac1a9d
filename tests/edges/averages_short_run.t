A user sends 15 KB over idle links of 10 Gbps: the flows are over after 27 us, and each host received 60,000 bits in them.
Goodput, utilisation and mean queues must be those of the 27 us and not of the 100 us to which the engine rounds its end.

  $ cat > short.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: permutation, sizes: 15KB}
  > END
  $ heddle run short.yaml --json -q > run.json
  $ python3 - <<'END'
  > import json
  > r = json.load(open('run.json'))
  > us = r['fct_us']['all']['max']
  > print(us, 'us;', round(r['engine']['sim_s'] * 1e6), 'us simulated')
  > print('goodput right:', abs(r['goodput_gbps']['mean'] - 60 * 2 / us) < 1e-6)
  > print('utilisation', round(r['links']['host']['max'], 3), 'mean queue', r['queues_bytes']['mean'])
  > END
  26.9632 us; 100 us simulated
  goodput right: True
  utilisation 0.501 mean queue 372.0
