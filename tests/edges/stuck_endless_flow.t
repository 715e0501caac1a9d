A user watches an endless flow whose link fails for good. The run must fail as stuck, and its message must not say that so
much of 18446744073709551615 bytes has arrived.

  $ cat > endless.yaml <<'END'
  > fabric: {kind: star, hosts: 3, rate: 10Gbps, failed: [{link: leaf0-host0.1, at: 1ms}]}
  > host: {min_rto: 10ms, max_rto: 100ms}
  > workload: {kind: long, src: 0, dst: 1}
  > run: {until: 100s}
  > END
  $ heddle run endless.yaml -q 2>&1 | grep -o 'flow 0 .*, cwnd' | sed 's/[0-9][0-9]* B of/N B of/; s/acked [0-9]* sent [0-9]*/acked N sent N/'
  flow 0 host0.0 > host0.1: N B of an endless flow, sender loss: acked N sent N of an endless flow, cwnd
