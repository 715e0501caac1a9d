One flow at 100 Gbps over a round trip of 400 us: the default receive window of 2 MB lets it carry 40 Gbps. `check` and
`run` say so before the run, and name the keys with values that are enough.

  $ cat >wide.yaml <<EOF
  > fabric: {kind: star, hosts: 2, rate: 100Gbps, delay: 100us}
  > workload: {kind: permutation, sizes: 250MB}
  > EOF
  $ heddle check wide.yaml 2>&1 | grep -o 'warning: .*'
  warning: host.newreno.receive_window: 2MB, but 4751KB fill the base round trip of the farthest hosts, 400.3us at 100Gbps: a flow carries 39970Mbps of payload at most; write at least 4760KB
  warning: switch.buffer: 2250KB at 100Gbps, but newreno needs 5003KB to keep a link busy after a loss, with the base round trip of the farthest hosts, 400.3us; write at least 5010KB
  $ gbps() {
  >     heddle run wide.yaml --json -o wide.db "$@" 2>warnings | python3 -c '
  > import json, sys
  > print(round(250e6 * 8 / json.loads(sys.stdin.readline())["fct_us"]["all"]["mean"] / 1000), "Gbps")'
  >     grep -c 'base round trip' warnings
  > }
  $ gbps
  38 Gbps
  2

With the values that the warnings name the flow fills the link after its slow start, and there is no warning.

  $ gbps --set host.newreno.receive_window=4760KB --set switch.buffer=5010KB
  78 Gbps
  0
  [1]
