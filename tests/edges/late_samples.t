A user takes samples of queues every 2 ms and Jain's index of intervals of 5 ms, in runs that end after 1 ms by run.until, or with
their last flow before. There is no sample and no interval, which must be a warning.

  $ cat > samples.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: permutation, sizes: 15KB}
  > measure: {queues: 2ms, jain: 5ms}
  > END
  $ heddle check samples.yaml --set run.until=1ms 2>&1 > /dev/null
  samples.yaml:3:19: warning: measure.queues: 0 samples, since 2ms is longer than the run, which ends at 1ms; take a shorter one
  samples.yaml:3:30: warning: measure.jain.0: 0 intervals, since 5ms is longer than the run, which ends at 1ms; take a shorter one
  $ heddle run samples.yaml -q 2>&1
  samples.yaml: warning: measure.queues: 0 samples of 2ms, nor of 1 other period, in 1 of 1 run; run 1 measures until 26.96us
