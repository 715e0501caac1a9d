A host's NIC with room for five frames beside the one on the wire. A window of ten segments does not fit: with `drop` four of
the first ten are dropped at the host, repaired, and counted with a cause of their own wherever drops are counted.

  $ cat >nic.yaml <<EOF
  > fabric: {kind: star, hosts: 3, rate: 1Gbps}
  > host: {nic: fifo, nic_queue: 5 frames, nic_full: drop}
  > workload: {kind: permutation, sizes: 200KB}
  > measure: {flow: [0]}
  > EOF
  $ ask() {
  >     rm -f nic.db; heddle run nic.yaml -q --json -o nic.db "$@" | python3 -c '
  > import json, sys
  > o = json.loads(sys.stdin.readline())
  > p, c = o["packets"], o["counters"]
  > print({k: v for k, v in c.items() if k.startswith("drop_") and v}, p["dropped"], p["sent"] - p["delivered"] - p["in_flight"])'
  > }
  $ ask --set host.nic_full=block
  {} 0 0
  $ ask
  {'drop_nic': 63} 63 63
  $ heddle flow nic.db 0 | grep -c dropped
  21
  $ heddle flow nic.db 0 | grep -m4 dropped
          10.880 us  dropped    host0.0        data 8760 +1460 B                to leaf0
          10.880 us  dropped    host0.0        data 10220 +1460 B               to leaf0
          10.880 us  dropped    host0.0        data 11680 +1460 B               to leaf0
          10.880 us  dropped    host0.0        data 13140 +1460 B               to leaf0
  $ heddle export nic.db --csv out >/dev/null; cut -d, -f3,12 out/ports.csv
  port,dropped
  0,21
  1,21
  2,21
  3,0
  4,0
  5,0
  $ python3 -c '
  > import csv
  > print({k: v for k, v in next(csv.DictReader(open("out/runs.csv"))).items() if "drop_nic" in k})'
  {'counters.drop_nic': '63'}
  $ heddle report nic.db --text | grep -A2 dropped
    run.seed     mean     99th  completion      mean  flows  dropped
    1         10.5 ms  10.5 ms     10.5 ms  153 Mbps      1       63
  

The same holds for a queue in bytes, for classes and for delayed frames, and two threads change nothing.

  $ ask --set host.nic_queue=9108B
  {'drop_nic': 63} 63 63
  $ ask --set switch.classes=2 --set switch.schedule=strict --set workload.0.priority=1
  {'drop_nic': 63} 63 63
  $ ask --set host.jitter=2us
  {'drop_nic': 42} 42 42
  $ ask --set host.nic_queue=9108B --set host.jitter=2us --set host.processing_delay=1us
  {'drop_nic': 30} 30 30
  $ cat >fabric.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 8, delay: 20us}
  > host: {nic: fifo, nic_queue: 5 frames, nic_full: drop}
  > workload: {kind: poisson, sizes: 200KB, load: 0.8, load_at: tor-uplink, pairs: inter-rack, stop: 3ms}
  > EOF
  $ for n in 1 2; do
  >     rm -f nic.db; HEDDLE_CORES=2 heddle run fabric.yaml -q --json -o nic.db --threads $n | python3 -c '
  > import json, sys
  > o = json.loads(sys.stdin.readline()); print(o["engine"]["digest"], o["engine"]["threads"], o["counters"]["drop_nic"])'
  > done
  734ef7cb2a890b40 1 371
  734ef7cb2a890b40 2 371

Where a full NIC must hold its transports, `drop` is refused.

  $ heddle check nic.yaml --set switch.crossbar=islip --set switch.flowctl=pfc
  nic.yaml:2:50: error: host.nic_full: under flow control a full NIC stops its transports (switch.flowctl); leave out one of them
  [2]
  $ heddle check nic.yaml --set host.transport=expresspass --set host.nic_queue=152KB
  nic.yaml:2:50: error: host.nic_full: credits and their data leave when the NIC has room; write block
  [2]
  $ heddle check nic.yaml --set host.transport=udp
  nic.yaml:3:11: error: workload.0.rate: at line rate a NIC that drops (host.nic_full) would never stop these flows; give rate: 1Gbps, say, or host.nic_full: block
  [2]
  $ sed -i 's/, nic_queue: 5 frames//' nic.yaml; heddle check nic.yaml --set host.nic=pull
  nic.yaml:2:19: error: 'host.nic_full' does not apply to host.nic pull; it belongs to fifo
  [2]
  $ heddle check nic.yaml --set host.nic_full=block --set switch.crossbar=islip --set switch.flowctl=pfc | grep -c nic_full
  1
