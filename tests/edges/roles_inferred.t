A user's file names no tiers. A server with two links became a switch and a transit router with one link a host, without a word.
`run` and `check` print one line with the roles, by name, for all runs of a sweep together; with tiers there is none.

  $ cat >net.yaml <<END
  > nodes: [{name: s1}, {name: s2}, {name: db}, {name: web1}, {name: web2}, {name: web3}, {name: wan}]
  > links: [{a: s1, b: web1}, {a: s1, b: web2}, {a: s2, b: web3}, {a: s1, b: db}, {a: s2, b: db}, {a: s2, b: wan}]
  > END
  $ cat >x.yaml <<END
  > fabric: {kind: file, path: net.yaml, rate: 10Gbps, delay: 1us}
  > workload: {kind: long, src: web1, dst: web3, sizes: 10KB}
  > sweep: {fabric.rate: [10Gbps, 25Gbps]}
  > END
  $ heddle check x.yaml >/dev/null
  net.yaml: note: roles inferred from links: hosts wan, web1 to web3; leaves s1, s2; aggs db; write tier: host, leaf, agg or core beside a name to change one
  $ heddle run x.yaml >/dev/null
  net.yaml: note: roles inferred from links: hosts wan, web1 to web3; leaves s1, s2; aggs db; write tier: host, leaf, agg or core beside a name to change one
  $ sed -i 's/name: s\([12]\)/name: s\1, tier: leaf/g; s/name: db/name: db, tier: agg/' net.yaml
  $ heddle check x.yaml >/dev/null
  net.yaml: note: roles inferred from links: hosts wan, web1 to web3; write tier: host, leaf, agg or core beside a name to change one
  $ sed -i 's/name: w\([^}]*\)/name: w\1, tier: host/g' net.yaml
  $ heddle check x.yaml >/dev/null
