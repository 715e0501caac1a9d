A first timeout of 10 ms under a round trip of 40 ms: the user asks for it, nothing is lost, and every SYN, SYN-ACK and
first segment is sent again. Each such timeout counts as spurious.

  $ cat >far.yaml <<EOF
  > fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 10ms}
  > host: {newreno: {initial_rto: 10ms}}
  > workload: {kind: permutation, sizes: 1MB}
  > EOF
  $ heddle run far.yaml --json -o far.db 2>warnings | python3 -c '
  > import json, sys
  > o = json.loads(sys.stdin.readline())
  > print(o["packets"]["dropped"], "lost")
  > for k, v in o["counters"].items():
  >     if k.startswith("timeouts_"): print(k, v)'
  0 lost
  timeouts_syn 4
  timeouts_synack 4
  timeouts_data 6
  timeouts_spurious 14

The warning names the key, and its remedy works.

  $ cat warnings
  far.yaml:2:31: warning: host.newreno.initial_rto: 10ms, but the base round trip of the farthest hosts is 40ms: first frames are sent again without need; write auto
  $ heddle check far.yaml --set host.newreno.initial_rto=auto 2>&1 | grep warning
  [1]

Given apart, syn_rto times the handshake and initial_rto the data: each has a warning of its own, and a remedy.

  $ cat >apart.yaml <<EOF
  > fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 10ms}
  > host: {newreno: {syn_rto: 10ms}}
  > workload: {kind: permutation, sizes: 1MB}
  > EOF
  $ ask() {
  >     rm -f apart.db; heddle run apart.yaml --json -o apart.db "$@" 2>warnings | python3 -c '
  > import json, sys
  > o = json.loads(sys.stdin.readline())
  > for k, v in o["counters"].items():
  >     if k.startswith("timeouts_"): print(k, v)'
  >     cat warnings
  > }
  $ ask
  timeouts_syn 4
  timeouts_synack 4
  timeouts_data 0
  timeouts_spurious 8
  apart.yaml:2:27: warning: host.newreno.syn_rto: 10ms, but the base round trip of the farthest hosts is 40ms: handshakes are sent again without need; write at least 40.1ms
  $ ask --set host.newreno.syn_rto=50ms
  timeouts_syn 0
  timeouts_synack 0
  timeouts_data 0
  timeouts_spurious 0
  $ ask --set host.newreno.syn_rto=50ms --set host.newreno.initial_rto=10ms
  timeouts_syn 0
  timeouts_synack 0
  timeouts_data 0
  timeouts_spurious 0
  $ ask --set host.newreno.syn_rto=50ms --set host.newreno.initial_rto=10ms --set host.newreno.handshake_sample=false
  timeouts_syn 0
  timeouts_synack 0
  timeouts_data 6
  timeouts_spurious 6
  --set host.newreno.initial_rto:1:1: warning: host.newreno.initial_rto: 10ms, but the base round trip of the farthest hosts is 40ms: first data is sent again without need; write auto
