DeTail's Figure 3, all-to-all: every host asks all others at once, here twice. Switches are lossless, so whatever is sent again is sent for
nothing: much under a timeout of 1 ms, nothing under 10 ms.

  $ cat >all.yaml <<EOF
  > scheme: detail
  > fabric: {kind: star, hosts: 24, rate: 1Gbps, delay: 6600ns}
  > host: {newreno: {initial_rto: 0s}}
  > workload: {kind: incast, total: 1MB, request: 1460B, receiver: all, rounds: 2}
  > EOF
  $ ask() {
  >     rm -f all.db; heddle run all.yaml -q --json -o all.db "$@" | python3 -c '
  > import json, sys
  > o = json.loads(sys.stdin.readline())
  > p = o["packets"]
  > print("flows", o["flows"]["finished"], "rounds", o["queries"]["sets"]["all"]["n"], "dropped", p["dropped"], "sent again", p["retransmitted"],
  >       "spurious", o["counters"]["timeouts_spurious"], "99th", o["queries"]["sets"]["all"]["p99"])'
  > }
  $ ask --set host.newreno.min_rto=1ms
  flows 2208 rounds 48 dropped 0 sent again 3455 spurious 248 99th 14304.002
  $ ask --set host.newreno.min_rto=10ms
  flows 2208 rounds 48 dropped 0 sent again 0 spurious 0 99th 10891.888
  $ ask --set host.newreno.min_rto=10ms --set workload.0.receiver=each
  flows 2231 rounds 48 dropped 0 sent again 0 spurious 0 99th 8562.064

By the clock all hosts begin a round together; rounds that a link cannot carry in the gap overlap.

  $ heddle check all.yaml --set workload.0.request=none --set workload.0.gap=8ms 2>&1 | grep overlap
  --set workload.0.gap:1:1: warning: workload.0.gap: rounds overlap: 23 senders fill 1Gbps for 8.43ms, and the next round begins after 8ms; raise it above 8.43ms, or give request: then each round waits for the one before
  $ heddle check all.yaml --set workload.0.request=none --set workload.0.gap=10ms 2>&1 | grep overlap
  [1]
  $ heddle check all.yaml --set workload.0.request=none --set workload.0.receiver=each
  all.yaml:4:18: error: receiver: each needs rounds that follow each other; give request: 1460B, or receiver: all
  [2]
