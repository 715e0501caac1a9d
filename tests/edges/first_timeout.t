Two hosts are 40 ms apart, and nothing is lost. The first timeout follows the round trip of the two hosts, so a flow of
1 MB takes six round trips and no frame is sent again.

  $ cat >far.yaml <<EOF
  > fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 10ms}
  > workload: {kind: permutation, sizes: 1MB}
  > EOF
  $ ask() {
  >     rm -f far.db; heddle run far.yaml -q --json -o far.db "$@" | python3 -c '
  > import json, sys
  > o = json.loads(sys.stdin.readline())
  > print(round(o["fct_us"]["all"]["mean"] / 1000), "ms")
  > for k, v in o["counters"].items():
  >     if k.startswith("timeouts_"): print(k, v)'
  > }
  $ ask
  300 ms
  timeouts_syn 0
  timeouts_synack 0
  timeouts_data 0
  timeouts_spurious 0
  $ heddle check far.yaml | grep -E ' (min|initial|syn)_rto:'
      min_rto: 10ms
      initial_rto: auto
      syn_rto: initial_rto
  $ heddle check far.yaml >printed.yaml && heddle check printed.yaml 2>notes | grep ' initial_rto:'
      initial_rto: auto
  $ heddle show newreno | grep -o '^ *initial_rto  *[a-z]*' | tr -s ' '
   initial_rto auto

ExpressPass asks for credits once, not again and again until the first credit is there.

  $ ask --set scheme=expresspass | grep -v ms
  timeouts_syn 0
  timeouts_synack 0
  timeouts_data 0
  timeouts_spurious 0
