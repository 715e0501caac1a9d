Two ToRs share their hosts, as in dual ToR: each host has a NIC on both, and flows spread over them.

  $ cat >net.yaml <<END
  > nodes: [{name: a, tier: host}, {name: b, tier: host}, {name: t0, tier: leaf}, {name: t1, tier: leaf}]
  > links: [{a: a, b: t0}, {a: a, b: t1}, {a: b, b: t0}, {a: b, b: t1}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: long, src: a, dst: b, sizes: 1MB}
  > END
  $ heddle fabric x.yaml
  file: 2 hosts, 2 switches, 4 links
  
  node  role   address          mac                ports
  a     host   10.0.0.1         02:00:00:00:00:00  t0
               10.0.1.1         02:00:00:00:00:01  t1
  b     host   10.0.0.2         02:00:00:00:01:00  t0
               10.0.1.2         02:00:00:00:01:01  t1
  t0    leaf   10.255.0.1       -                  2 down, 0 up
  t1    leaf   10.255.0.2       -                  2 down, 0 up
  
  link  rate       delay
  a-t0  10Gbps     1us
  a-t1  10Gbps     1us
  b-t0  10Gbps     1us
  b-t1  10Gbps     1us
  $ heddle fabric x.yaml --json | jq -c '.nodes[0]'
  {"name":"a","role":"host","address":"10.0.0.1","down":0,"up":2,"mac":"02:00:00:00:00:00","leaf":"t0","nics":[{"address":"10.0.0.1","mac":"02:00:00:00:00:00","leaf":"t0"},{"address":"10.0.1.1","mac":"02:00:00:00:00:01","leaf":"t1"}]}
  $ heddle check x.yaml | grep bonding
    bonding: hash

On real frames a host has one link; each command says so, and does nothing else.

  $ heddle switch x.yaml --node t0 --port a=tap:none
  x.yaml:1:16: error: host a has 2 links, but a host on real frames has one; leave each host one link, or simulate the fabric with heddle run
  [2]
  $ heddle nic x.yaml --host a --tap none --link none
  x.yaml:1:16: error: host a has 2 links, but a host on real frames has one; leave each host one link, or simulate the fabric with heddle run
  [2]

A failure of one of the links moves the flow to the other one; a host is cut off only when both are dead.

  $ heddle run x.yaml --set 'fabric.failed=[{link: a-t0, at: 100us, detect: 100us}, {link: b-t0, at: 100us, detect: 100us}]' --json -o x.db | jq .flows.finished
  1
  $ heddle check x.yaml --set 'fabric.failed=[{link: a-t0, at: 100us}, {link: b-t1, at: 100us}]' >/dev/null
  --set fabric.failed:1:9: warning: fabric.failed: a to b have no path to any host from 100us on; flows between them do not end: give repair_at, or fail other links
