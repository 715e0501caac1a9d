Expeditus puts its response on the SYN-ACK (carry: handshake). A capture of each kind of switch is replayed and the switch
sends the same frames at the same picosecond.

  $ frames() { python3 $ROOT/tests/live/capture_file.py --sent $1; }
  $ cat >x.yaml <<'EOF'
  > fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 2}
  > switch: {balance: expeditus, expeditus: {carry: handshake}}
  > workload: {kind: poisson, sizes: 30KB, load: 0.4, load_at: tor-uplink, pairs: inter-rack, flows: 60}
  > measure: {pcap: [tor0.0, agg0.0, core0.0], snap: 128B}
  > EOF
  $ heddle run x.yaml -q
  $ for switch in tor0.0 agg0.0 core0.0; do
  >   heddle replay x.yaml --node $switch --in all=x.captures/run1/$switch.pcapng --out again >/dev/null
  >   diff <(frames x.captures/run1/$switch.pcapng) <(frames again/$switch.pcapng) && echo "$switch: the same"
  > done
  tor0.0: the same
  agg0.0: the same
  core0.0: the same

With a response of its own the replay of that capture is another: the switch answers the request at once.

  $ heddle replay x.yaml --set switch.expeditus.carry=response --node tor0.0 --in all=x.captures/run1/tor0.0.pcapng --out other >/dev/null
  $ frames x.captures/run1/tor0.0.pcapng >first
  $ frames other/tor0.0.pcapng >second
  $ cmp -s first second || echo not the same
  not the same

A transport without a SYN selects no path, and the keys of a selection have no effect.

  $ heddle check x.yaml --set host.transport=udp --set switch.expeditus.request_path=least-loaded 2>&1 | grep warning
  --set switch.expeditus.request_path:1:1: warning: switch.expeditus.request_path has no effect: no flow selects a path: carry is handshake, and no transport in use has a SYN; leave it out
  x.yaml:2:49: warning: switch.expeditus.carry: handshake: no flow begins with a SYN, so all go by ECMP; leave it out, or take a transport of TCP
  $ heddle check x.yaml --set switch.expeditus.carry=syn 2>&1
  --set switch.expeditus.carry:1:1: error: switch.expeditus.carry: 'syn' is unknown; write one of: response, handshake
  [2]
  $ heddle check x.yaml --set switch.balance=clairvoyant --set switch.clairvoyant='{levels: none, trigger: syn}' --set host.transport=udp 2>&1 |
  >   grep "warning: switch.clairvoyant\|levels:\|trigger:"
  --set switch.clairvoyant:1:25: warning: switch.clairvoyant.trigger: syn: no flow begins with a SYN, so all go by ECMP; leave it out, or take a transport of TCP
      levels: none
      trigger: syn
