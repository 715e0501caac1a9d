Somebody guesses. A list where one value is meant, a family in the singular or the plural, a family that is no family: the message names
what is meant, and its remedy works.

  $ cat > x.yaml <<'EOF'
  > fabric: {kind: star, hosts: 3}
  > workload: {kind: permutation, sizes: 10KB}
  > EOF
  $ heddle check x.yaml --set 'switch.buffer=[300KB, 600KB]'
  --set switch.buffer:1:1: error: switch.buffer is one value, not a list; sweep: {switch.buffer: [...]} in the file makes a run of each
  [2]
  $ echo 'sweep: {switch.buffer: [300KB, 600KB]}' >> x.yaml; heddle check x.yaml | head -1
  # x: 2 runs: switch.buffer (2)
  $ heddle check x.yaml --set 'switch.buffer=[300KB, 400KB, 500KB]' | head -1
  # x: 3 runs: switch.buffer (3)

  $ heddle list transport | head -1
  transports (host.transport: NAME): transports of flows
  $ heddle list balances | head -1
  balance (switch.balance: NAME): choice among equal-cost next hops
  $ for family in $(heddle list | grep -o '^[a-z]* (' | tr -d ' ('); do heddle list ${family%s} | cmp - <(heddle list $family); done
  $ heddle list metrics
  heddle: error: there is no family 'metrics'; heddle docs results lists the metrics
  [2]
  $ heddle list metric
  heddle: error: there is no family 'metric'; heddle docs results lists the metrics
  [2]

Where requests ask for flows, a table has times of two beginnings: its note says which is which.

  $ cat > y.yaml <<'EOF'
  > fabric: {kind: star, hosts: 5}
  > workload: {kind: incast, sizes: 10KB, senders: 4, receiver: 0, rounds: 2, request: 300B}
  > EOF
  $ heddle run y.yaml | tr '\n' ' ' | tr -s ' ' | grep -o 'Times are [^.]*\.'
  Times are flow completion times, from the start of the flow, and query completion times, from the first request.

What a column of a table means, is asked with the option that chooses columns.

  $ printf 'title: a\nfabric: {kind: star, hosts: 2}\nworkload: {kind: permutation, sizes: 1KB}\n' > columns.yaml
  $ heddle run columns.yaml --columns help | sed -n '1,3p; /last completion/,/fullest/p' | head -12; ls columns.db 2>&1
  Columns that tables choose by the results, and the metrics they show. A word in capitals stands for
  names of the results, such as the sizes of queries. --columns METRIC,... takes these and any other
  number of a result; heddle docs results explains all.
    last completion: fct_us.all.max
        us, better is less; largest FCT: where all flows start together, the time until the last one
        is done
    goodput mean: goodput_mbps.all.mean
        Mbit/s, better is more; payload bits of a flow divided by its FCT; of a flow without an end by
        the time it had
    Jain of flows: goodput_mbps.all.jain
        number, better is more; Jain's index of the goodputs of the class if its flows are all equally
        large, or all without an end; else null. Read it beside a mean, which unequal sharing flatters
  ls: cannot access 'columns.db': No such file or directory
  [2]
  $ heddle docs columns | grep -c '^| .* | `'
  48

Keys of other programs: the one that is meant stands in the message.

  $ for set in workload.0.file=flows.csv fabric.bandwidth=10Gbps fabric.latency=2us switch.queue_size=1MB host.cc=dctcp topology=x workload.0.distribution=x; do
  >   heddle check x.yaml --set "$set" 2>&1 > /dev/null | cut -d' ' -f2-; done
  workload.0.file:1:1: error: unknown key 'file' in workload.0; did you mean 'path'?
  fabric.bandwidth:1:1: error: unknown key 'bandwidth' in fabric; did you mean 'rate'?
  fabric.latency:1:1: error: unknown key 'latency' in fabric; did you mean 'delay'?
  switch.queue_size:1:1: error: unknown key 'queue_size' in switch; did you mean 'buffer'?
  host.cc:1:1: error: unknown key 'cc' in host; did you mean 'transport'?
  topology:1:1: error: unknown key 'topology'; did you mean 'fabric'?
  workload.0.distribution:1:1: error: unknown key 'distribution' in workload.0; did you mean 'sizes'?

A network with one switch has no range of them.

  $ heddle check x.yaml --set 'fabric.links=[{match: h0-leaf0, rate: 1Gbps}]' 2>&1 > /dev/null | grep -o 'nodes are .*'
  nodes are host0.0 to host0.2, leaf0

The beginning of a name, a file in the place of a command, a run that is not there.

  $ heddle check x.yaml --set scheme=conga
  --set scheme:1:1: error: unknown scheme 'conga'; did you mean 'conga-flow'?
  [2]
  $ heddle check x.yaml --set scheme=quic
  --set scheme:1:1: error: unknown scheme 'quic'; see `heddle list schemes`
  [2]
  $ heddle x.yaml
  heddle: error: 'x.yaml' is no command; heddle run x.yaml carries out an experiment file
  [2]
  $ heddle run x.yaml -q -o x.db; heddle flows x.db --run 99
  heddle: error: x.db: there is no run 99; it has 2 runs
  [2]
  $ heddle plot x.db fct.mice.p95 by switch.buffer 2>&1 | grep -o 'did you mean .*'
  did you mean 'fct_us.mice.p95'?
