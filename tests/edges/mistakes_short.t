A key without its block, a list of names that does not fit, a store in place of an experiment, half a byte.

  $ cat > x.yaml <<EOF
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: permutation, sizes: 100KB}
  > EOF
  $ heddle run x.yaml -q
  $ heddle run x.yaml --set load=0.5
  --set load:1:1: error: unknown key 'load'; did you mean 'workload.0.load'?
  [2]
  $ heddle run x.yaml --set balance=ecmp
  --set balance:1:1: error: unknown key 'balance'; did you mean 'switch.balance'?
  [2]
  $ heddle run x.yaml --set rate=1Gbps
  --set rate:1:1: error: unknown key 'rate'; did you mean 'base'?
  [2]
  $ heddle run x.yaml --set switch.hsah=symmetric 2>&1 | sed "s/balance, .*, crossbar/.../; s/([0-9]* more)/(N more)/"
  --set switch.hsah:1:1: error: unknown key 'hsah' in switch; known are: ..., ... (N more)
  $ heddle plot x.db nosuch
  METRIC: error: there is no number 'nosuch.n' in a result; at 'nosuch' known are: run, settings, flows, averages, fct_us, slowdown, handshake_us, data_us, unwindowed, open_flows, goodput_mbps, trend, phases, queries, jobs, job, packets, credits, queues_bytes, buffers_bytes, pauses, memory, counters, ... (8 more)
  [2]
  $ heddle run x.db
  x.db: error: this is a results store, not an experiment file; heddle report reads it
  [2]
  $ heddle check x.yaml --run 9
  heddle: error: --run 9: there is 1 run
  [2]
  $ printf 'start_us,source,destination,bytes\n0,0,1,1500.0\n1,0,1,1.5\n' > t.csv
  $ heddle check x.yaml --set 'workload={kind: trace, path: t.csv}'
  t.csv:3:7: error: '1.5' is no number of whole bytes; round it
  [2]

A store of somebody else that may not be read.

  $ d=$(mktemp -d -p /tmp); chmod 755 "$d"; cp x.db "$d/secret.db"; chmod 000 "$d/secret.db"
  $ setpriv --reuid=65534 --clear-groups "$(command -v heddle)" report "$d/secret.db" --text 2>&1 | sed "s#$d#D#"
  D/secret.db: error: cannot read it: Permission denied
  $ rm -r "$d"

A topology is no experiment, and the line says how one names it.

  $ printf 'nodes: [a, b]\nlinks: [[a, b]]\n' > net.yaml
  $ heddle check net.yaml
  net.yaml:1:1: error: 'nodes' is no key of an experiment, but of a topology; an experiment names it with fabric: {kind: file, path: FILE}
  [2]
