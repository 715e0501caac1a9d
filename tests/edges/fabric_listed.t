A user wants to know names, addresses and rates of a network before a run, with what fails in it, and a script wants the same.

  $ cat > small.yaml <<'END'
  > fabric:
  >   kind: leaf-spine
  >   leaves: 2
  >   spines: 1
  >   hosts: 2
  >   uplink_rate: 40Gbps
  >   links: [{match: leaf1-spine0, loss: 0.1%}]
  >   failed:
  >     - {link: leaf0-spine0, at: 1ms, repair_at: 5ms, detect: 100us}
  >     - {link: host1.0-leaf1, at: 2ms, rate: 1Gbps}
  > END
  $ heddle fabric small.yaml
  leaf-spine: 4 hosts, 3 switches, 6 links
  
  node     role   address          mac                ports
  host0.0  host   10.0.0.1         02:00:00:00:00:00  leaf0
  host0.1  host   10.0.0.2         02:00:00:00:01:00  leaf0
  host1.0  host   10.0.1.1         02:00:00:00:02:00  leaf1
  host1.1  host   10.0.1.2         02:00:00:00:03:00  leaf1
  leaf0    leaf   10.255.0.1       -                  2 down, 1 up
  leaf1    leaf   10.255.0.2       -                  2 down, 1 up
  spine0   spine  10.255.0.3       -                  2 down, 0 up
  
  link           rate       delay
  host0.0-leaf0  10Gbps     2us
  host0.1-leaf0  10Gbps     2us
  host1.0-leaf1  10Gbps     2us  1Gbps from 2ms
  host1.1-leaf1  10Gbps     2us
  leaf0-spine0   40Gbps     2us  fails at 1ms  is back at 5ms
  leaf1-spine0   40Gbps     2us  loses 0.1%
  $ heddle fabric small.yaml --json | python3 -c '
  > import json, sys
  > f = json.load(sys.stdin)
  > print(f["kind"], *f["nodes"][3].items())
  > print(*f["nodes"][4].items())
  > for link in f["links"]: print(*link.values())'
  leaf-spine ('name', 'host1.1') ('role', 'host') ('address', '10.0.1.2') ('down', 0) ('up', 1) ('mac', '02:00:00:00:03:00') ('leaf', 'leaf1')
  ('name', 'leaf0') ('role', 'leaf') ('address', '10.255.0.1') ('down', 2) ('up', 1)
  host0.0-leaf0 host0.0 leaf0 10000000000 2.0 0.0 []
  host0.1-leaf0 host0.1 leaf0 10000000000 2.0 0.0 []
  host1.0-leaf1 host1.0 leaf1 10000000000 2.0 0.0 [{'at_us': 2000.0, 'rate_bps': 1000000000}]
  host1.1-leaf1 host1.1 leaf1 10000000000 2.0 0.0 []
  leaf0-spine0 leaf0 spine0 40000000000 2.0 0.0 [{'at_us': 1000.0, 'up': False}, {'at_us': 5000.0, 'up': True}]
  leaf1-spine0 leaf1 spine0 40000000000 2.0 0.001 []

A link that fails at a share of the arrivals is listed with the time of it, as a run has it.

  $ cat > shares.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, failed: {link: leaf0-spine0, at: 50%, repair_at: 100%}}
  > workload: {kind: poisson, sizes: 20KB, load: 0.2, load_at: tor-uplink, pairs: inter-rack, flows: 100}
  > END
  $ heddle fabric shares.yaml | grep fails | tr -s ' '
  leaf0-spine0 10Gbps 2us fails at 779.1us is back at 1.589ms
  $ heddle run shares.yaml -q --json --set 'measure={phases: {down: [failed.0.at, failed.0.repair_at]}}' | grep -o '"down":{"from_us":[0-9]*'
  "down":{"from_us":779
  $ heddle fabric shares.yaml --set workload=null
  shares.yaml:1:16: error: there is no workload; give workload: [{kind: ...}]
  [2]

A node of a file has the role that it was given, or that its links show. A link of a lab without a rate never is the limit.

  $ cat > net.yaml <<'END'
  > nodes: [{name: sw1}, {name: web1}, {name: web2}]
  > links: [{a: web1, b: sw1}, {a: web2, b: sw1, delay: 3us}]
  > END
  $ echo 'fabric: {kind: file, path: net.yaml, rate: none}' > own.yaml
  $ heddle fabric own.yaml
  file: 2 hosts, 1 switches, 2 links
  
  node  role   address          mac                ports
  web1  host   10.0.0.1         02:00:00:00:00:00  sw1
  web2  host   10.0.0.2         02:00:00:00:01:00  sw1
  sw1   leaf   10.255.0.1       -                  2 down, 0 up
  
  link      rate       delay
  web1-sw1  100Gbps    0s
  web2-sw1  100Gbps    3us
  $ heddle fabric own.yaml --run 2
  heddle: error: --run 2: there is 1 run
  [2]

`heddle show` is for what heddle itself has, but one may try it here, or for a command.

  $ heddle show fabric own.yaml | head -1
  file: 2 hosts, 1 switches, 2 links
  $ heddle show fabric
  heddle: error: FILE.yaml is missing; write heddle fabric FILE.yaml
  [2]
  $ heddle show run
  heddle: error: there is no mechanism 'run'; it is a command: heddle run --help
  [2]
