A receiver's first credits are lost: 128 flows meet at one link, and most of the credits that receivers time are dropped.
The first round trip is that of the first data, not the age of a lost credit, which was up to 80 ms. So all flows begin to
share at once.

  $ cat > x.yaml <<EOF
  > fabric: {kind: dumbbell, pairs: 128, rate: 10Gbps, delay: 16.6us}
  > scheme: expresspass-printed
  > workload: {kind: long, src: 0, dst: 128, flows: 128, within: 1ms}
  > measure: {from: 10ms, jain: 10ms}
  > run: {until: 30ms}
  > EOF
  $ heddle run x.yaml -q
  $ sqlite3 x.db "SELECT result ->> '$.fairness.jain_mean' > 0.7 FROM runs"
  1
