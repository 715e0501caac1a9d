Requests that tell the flow's size: 8 flows of 69 segments use as many credits as before and waste two each at most. A switch that is replayed from
its capture sends the same frames.

  $ cat > x.yaml <<END
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > scheme: spraypass-sized
  > workload: {kind: permutation, sizes: 100KB, pairs: inter-rack}
  > measure: {pcap: [leaf1]}
  > END
  $ heddle run x.yaml -q
  $ heddle run x.yaml -q --set scheme=spraypass --set measure.pcap=[] -o without.db
  $ credits() { sqlite3 $1 "SELECT result ->> '$.credits.used', result ->> '$.credits.wasted' FROM runs"; }
  $ credits x.db; credits without.db
  552|16
  552|69
  $ heddle replay x.yaml --node leaf1 --in all=x.captures/run1/leaf1.pcapng --out out | grep written
  written: out/leaf1.pcapng
  $ frames() { python3 $ROOT/tests/live/capture_file.py --sent $1; }
  $ diff <(frames x.captures/run1/leaf1.pcapng) <(frames out/leaf1.pcapng) && echo the same
  the same

The default is what was before: a run that says so is the same run.

  $ identity() { heddle check x.yaml --set scheme=spraypass "$@" | grep -o 'identity .*'; }
  $ identity > a; identity --set host.spraypass.credit_end=last-data | diff - a && echo the same
  the same
  $ identity --set host.spraypass.credit_end=size | diff -q - a
  Files - and a differ
  [1]
  $ heddle check x.yaml --set scheme=spraypass --set host.credit_spare=3 2>&1 | grep warning
  --set host.credit_spare:1:1: warning: host.credit_spare has no effect: credits go on until the last data (credit_end); leave it out
  $ heddle check x.yaml --set host.credit_end=never
  --set host.credit_end:1:1: error: host.credit_end: 'never' is unknown; write one of: last-data, size
  [2]
