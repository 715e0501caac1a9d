A fabric that was written in any format and read back is the same: each run has the digest that it had before.

  $ cat >clos.yaml <<'Y'
  > fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 2, core_rate: 25Gbps, delay: 1500ns,
  >   links: [{match: "tor0.0-agg0.1", rate: 1Gbps, loss: 0.1%}], failed: [{link: agg1.0-core0.1, at: 100us}]}
  > workload: {kind: permutation, sizes: 50KB}
  > Y
  $ cat >own.yaml <<'Y'
  > fabric: {kind: file, path: net, failed: [{link: agg1.0-core0.1, at: 100us}]}
  > workload: {kind: permutation, sizes: 50KB}
  > Y
  $ digests() { heddle run "$@" --json --set 'sweep={scheme: [ecmp, expeditus, detail, expresspass]}' 2>/dev/null |
  >   sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p'; }
  $ digests clos.yaml >before && wc -l <before
  4
  $ for format in topology graphml containerlab hpcc; do
  >   heddle convert clos.yaml --to $format -o net --force
  >   digests own.yaml --set fabric.format=$format >after && cmp before after
  > done
  clos.yaml: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random
  net: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: topology, path: net}
  clos.yaml: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random
  net: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: graphml, path: net}
  clos.yaml: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random
  net: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: containerlab, path: net}
  clos.yaml: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random
  net: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: hpcc, path: net}

The .topo files of htsim hold fat-trees alone, by their sizes.

  $ heddle convert clos.yaml --to htsim
  clos.yaml: error: htsim has fat-trees alone, and here link tor0.0-agg0.1 is not where, or what, it would be in one; write --to hpcc or graphml
  [2]
  $ cat >tree.yaml <<'Y'
  > fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 2, core_rate: 20Gbps, delay: 1500ns}
  > workload: {kind: permutation, sizes: 50KB}
  > Y
  $ heddle convert tree.yaml --to htsim -o net --force
  net: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: htsim, path: net}
  $ digests tree.yaml >before && digests own.yaml --set fabric.format=htsim --set 'fabric.failed=[]' >after && cmp before after

A number is the name of a node in a file of HPCC; its programs stop reading before the names that we add.

  $ heddle convert tree.yaml --to hpcc | sed -n '1,3p;$p'
  20 12 24
  8 9 10 11 12 13 14 15 16 17 18 19
  0 8 10Gbps 1.5us 0
  # heddle: node 19 core1.1 core
  $ printf '3 1 2\n2\n0 2 10000000000 0.001ms 0\n1 2 10Gbps 1us 1e-9\nAll of them at 10G.\n' >star.txt
  $ heddle convert star.txt --to topology
  nodes:
    - {name: "0", tier: host}
    - {name: "1", tier: host}
    - {name: "2", tier: leaf}
  links:
    - {a: "0", b: "2", rate: 10Gbps, delay: 1us}
    - {a: "1", b: "2", rate: 10Gbps, delay: 1us, loss: 0.0000001%}

A file in one format becomes one in another. Its text tells its format, or --from does.

  $ heddle convert clos.yaml --to topology -o a.yaml 2>note && heddle convert clos.yaml --to graphml 2>note >a.graphml
  a.yaml: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: topology, path: a.yaml}
  $ heddle convert a.graphml --to topology | cmp - a.yaml
  $ heddle convert a.graphml --to containerlab -o "a'b.yml" && heddle convert "a'b.yml" --to topology --from containerlab | cmp - a.yaml
  a'b.yml: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: containerlab, path: a'b.yml}
  $ heddle convert a.yaml --to graphml --from graphml
  a.yaml:1:1: error: this looks like topology, not like graphml; write format: topology beside the path
  [2]
  $ heddle convert a.yaml --to dot
  heddle: error: --to dot: write topology, graphml, containerlab, hpcc, htsim, hpcc-flows, cm or goal
  [2]

What a file leaves open is the experiment's.

  $ printf '%s\n' 'nodes: [{name: a}, {name: b}, {name: s}]' 'links: [{a: a, b: s}, {a: b, b: s, rate: 1Gbps}]' >c.yaml
  $ heddle convert c.yaml --to topology --set fabric.rate=40Gbps
  nodes:
    - {name: a, tier: host}
    - {name: b, tier: host}
    - {name: s, tier: leaf}
  links:
    - {a: a, b: s, rate: 40Gbps, delay: 2us}
    - {a: b, b: s, rate: 1Gbps, delay: 2us}

Nothing is replaced, and errors are those of reading.

  $ heddle convert c.yaml --to topology -o a.graphml
  a.graphml: error: this file is there already; name another, or replace it with --force
  [2]
  $ heddle convert c.yaml --to topology -o c.yaml --force
  c.yaml: error: this is c.yaml, which is read; name another file for a topology
  [2]
  $ heddle convert none.yaml --to topology
  none.yaml: error: cannot read it: No such file or directory; name an experiment file
  [2]
  $ heddle convert clos.yaml --to topology --run 2
  heddle: error: --run 2: there is 1 run
  [2]
  $ sed 's/10Gbps/10/' a.graphml >b.graphml; heddle convert b.graphml --to topology
  b.graphml:28:65: error: rate: '10' has no unit; write bps, Kbps, Mbps, Gbps or Tbps, such as 10Gbps
  [2]
  $ heddle check own.yaml --set fabric.format=yang
  --set fabric.format:1:1: error: fabric.format: 'yang' is unknown; write one of: topology, graphml, containerlab, hpcc, htsim
  [2]
