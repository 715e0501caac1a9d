A host whose name has `=` and `:` in it is named by `replay --in` and by `switch --port`, whose values end at an equals sign.

  $ cat >net.yaml <<END
  > nodes: [{name: "a=b:c", tier: host}, {name: h, tier: host}, {name: s, tier: leaf}]
  > links: [{a: "a=b:c", b: s}, {a: h, b: s}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: long, src: 0, dst: 1, sizes: 10KB}
  > measure: {pcap: [s]}
  > END
  $ heddle run x.yaml -q
  $ heddle replay x.yaml --node s --in a=b:c=x.captures/run1/s.pcapng --out again | sed 1d
  written: again/s.pcapng
  $ cp x.captures/run1/s.pcapng c=d.pcapng
  $ heddle replay x.yaml --node s --in h=c=d.pcapng --out other | sed 1d
  written: other/s.pcapng
  $ heddle replay x.yaml --node s --in b=c=d.pcapng --out none
  error: s has no port 'b'; its ports are a=b:c, h
  [2]
  $ heddle switch x.yaml --node s --port a=b=no-such-interface
  heddle: error: --port a: no switch of this process has such a port; ports are named by their neighbour
  [2]
  $ heddle switch x.yaml --node s --port a=b:c=no-such-interface --socket $PWD/s.sock 2>&1 | grep -o no-such-interface | head -1
  no-such-interface
