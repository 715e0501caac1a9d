A user stops an endless flow of 4 Gbps after 30 us. The goodput of its receiver must be that of the 30 us (3.9 Gbps, since the
first datagrams are on their way), not of the 100 us to which the engine rounds its end.

  $ cat > stop.yaml <<'END'
  > fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 100ns}
  > host: {transport: udp}
  > workload: {kind: long, src: 0, dst: 1, rate: 4Gbps, stop: 30us}
  > END
  $ heddle run stop.yaml --json -q | python3 -c "
  > import json, sys
  > r = json.load(sys.stdin)
  > print(round(r['goodput_gbps']['mean'], 1), round(r['links']['host']['max'], 1))"
  3.9 0.4
