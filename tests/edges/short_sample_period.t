A user writes a period of 1 ps for a measurement: nothing on a link happens in so short a time, and the run would stand still at
each. Such periods must be refused; short ones that are allowed must show in the time that `check` foresees.

  $ cat > period.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 8, spines: 8, hosts: 16, rate: 10Gbps}
  > host: {transport: udp}
  > workload: {kind: long, src: 0, dst: 100, rate: 1Mbps}
  > run: {until: 1s}
  > END
  $ for key in queues links pauses goodput imbalance jain convergence.interval; do heddle check period.yaml --set measure.$key=1ps; done 2>&1 |
  >   sed 's/^[^:]*: *//; s/^.*error: //'
  measure.queues: '1ps' is out of range; write 1ns to 1000s
  measure.links: '1ps' is out of range; write 1ns to 1000s
  measure.pauses: '1ps' is out of range; write 1ns to 1000s
  measure.goodput: '1ps' is out of range; write 1ns to 1000s
  measure.imbalance: '1ps' is out of range; write 1ns to 1000s
  measure.jain.0: '1ps' is out of range; write 1ns to 1000s
  measure.convergence.interval: '1ps' is out of range; write 1ns to 1000s
  $ heddle check period.yaml --set measure.queues=1us | grep -o 'packet-hops, .* for this run'
  packet-hops, 3.5 s for this run
  $ heddle check period.yaml --set measure.queues=1ns | grep -o 'packet-hops, .* for this run'
  packet-hops, 57:52 min for this run
