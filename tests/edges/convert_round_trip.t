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
  $ for format in topology graphml containerlab; do
  >   heddle convert clos.yaml --to $format -o net --force
  >   digests own.yaml --set fabric.format=$format >after && cmp before after
  > done
  clos.yaml: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random
  net: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: topology, path: net}
  clos.yaml: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random
  net: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: graphml, path: net}
  clos.yaml: note: failures are no part of a topology; keep fabric.failed and fabric.fail_random
  net: 8 hosts, 12 switches, 24 links; fabric: {kind: file, format: containerlab, path: net}

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
  heddle: error: --to dot: write topology, graphml or containerlab
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
  --set fabric.format:1:1: error: fabric.format: 'yang' is unknown; write one of: topology, graphml, containerlab
  [2]
