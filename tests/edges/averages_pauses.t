A user runs an incast without loss for 1.2 ms under run.until: 50ms. The mean ingress queue must be that of the incast, the
same as without run.until.

  $ cat > pauses.yaml <<'END'
  > fabric: {kind: star, hosts: 9, rate: 10Gbps}
  > scheme: detail
  > switch: {pause_classes: 2}
  > workload: {kind: incast, sizes: 200KB, receiver: 0}
  > END
  $ heddle run pauses.yaml --json -q > a.json 2> /dev/null
  $ heddle run pauses.yaml --json -q --set run.until=50ms -o b.db > b.json 2> /dev/null
  $ python3 - <<'END'
  > import json
  > a, b = json.load(open('a.json')), json.load(open('b.json'))
  > print(a['pauses'] == b['pauses'], a['pauses']['ingress_bytes_mean'] > 1000, a['pauses']['paused_us'] > 100)
  > END
  True True True
