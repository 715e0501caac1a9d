A node's name of 64 bytes was cut to 63 in results and captures. It is refused; 63 bytes are kept.

  $ n=a123456789b123456789c123456789d123456789e123456789f123456789abc
  $ cat >net.yaml <<END
  > nodes: [{name: ${n}d, tier: host}, {name: h, tier: host}, {name: s, tier: leaf}]
  > links: [{a: ${n}d, b: s}, {a: h, b: s}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: long, src: 0, dst: 1, sizes: 10KB}
  > measure: {pcap: [s]}
  > END
  $ heddle run x.yaml -q
  net.yaml:1:16: error: the name has 64 bytes; at most 63 are allowed, so shorten it
  [2]
  $ sed -i s/${n}d/$n/g net.yaml
  $ heddle run x.yaml -q && heddle flows x.db | awk 'NR > 1 {print $3}'
  a123456789b123456789c123456789d123456789e123456789f123456789abc
  $ heddle replay x.yaml --node s --in $n=x.captures/run1/s.pcapng --out again | sed 1d
  written: again/s.pcapng
