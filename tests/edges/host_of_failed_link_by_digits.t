A user cut the link of the sender, host "0", and saw no effect: the flow ran from the host whose number is 0.
It runs from the host named 0, and its first frame waits for the repair after 5 ms.

  $ cat >net.yaml <<END
  > nodes: [{name: "2", tier: host}, {name: "1", tier: host}, {name: "0", tier: host}, {name: s, tier: leaf}]
  > links: [{a: "0", b: s}, {a: "1", b: s}, {a: "2", b: s}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: long, src: "0", dst: "1", sizes: 10KB}
  > END
  $ sed -i 's/delay: 1us/delay: 1us, failed: [{link: 0-s, repair_at: 5ms}]/' x.yaml
  $ heddle run x.yaml -q --json | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["fct_us"]["all"]["min"] > 5000)'
  x.yaml:1:80: warning: fabric.failed: 0 has no path to any host from 0s to 5ms; flows between them wait till then
  True
