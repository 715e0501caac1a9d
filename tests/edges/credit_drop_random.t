Sixteen flows fill a credit queue, which drops at random. The run is the same with two threads, and a switch that is
replayed from its capture drops the same credits.

  $ cat > x.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 16, uplink_rate: 10Gbps, delay: 20us}
  > scheme: expresspass
  > workload: {kind: long, src: 0, dst: 16, flows: 16, within: 100us, sizes: 100KB}
  > measure: {pcap: [leaf1], snap: 96B}
  > EOF
  $ heddle run x.yaml -q
  $ heddle run x.yaml -q --threads 2 --set measure.pcap=[] -o two.db
  x.yaml:4:32: warning: measure.snap has no effect: nothing is captured (measure.pcap); leave it out
  $ digest() { sqlite3 $1 "SELECT result ->> '$.engine.digest' FROM runs"; }
  $ [ "$(digest x.db)" = "$(digest two.db)" ] && echo the same
  the same
  $ heddle run x.yaml -q --set switch.credit_drop=tail --set measure.pcap=[] -o tail.db
  x.yaml:4:32: warning: measure.snap has no effect: nothing is captured (measure.pcap); leave it out
  $ [ "$(digest x.db)" = "$(digest tail.db)" ] || echo another
  another
  $ sqlite3 x.db "SELECT result ->> '$.credits.dropped' > 500, result ->> '$.packets.dropped' FROM runs"
  1|0
  $ heddle replay x.yaml --node leaf1 --in all=x.captures/run1/leaf1.pcapng --out out | grep queue
  dropped 3304: the queue of credits was full
  $ frames() { python3 $ROOT/tests/live/capture_file.py --sent $1; }
  $ diff <(frames x.captures/run1/leaf1.pcapng) <(frames out/leaf1.pcapng) && echo the same
  the same
  $ heddle check x.yaml --set switch.credit_drop=head
  --set switch.credit_drop:1:1: error: switch.credit_drop: 'head' is unknown; write one of: tail, random
  [2]
