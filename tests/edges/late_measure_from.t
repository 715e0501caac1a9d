A user lets measurements begin at 3 s, in runs that end after 1 ms by run.until, or with their last flow before. Nothing is
measured, which must be a warning.

  $ cat > from.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: permutation, sizes: 15KB}
  > measure: {from: 3s}
  > END
  $ heddle check from.yaml --set run.until=1ms 2>&1 > /dev/null
  from.yaml:3:17: warning: measure.from: nothing is measured from 3s on, since the run has ended at 1ms; measure earlier, or end later (run.until)
  $ heddle run from.yaml -q 2>&1
  from.yaml: warning: measure.from: nothing is measured from 3s on, in 1 of 1 run; run 1 measures until 26.96us
