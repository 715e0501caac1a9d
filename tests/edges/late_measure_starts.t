A user measures the last tenth of four arrivals, in which none lies; and of a trace the later half, whose flows start after
run.until. No flow is measured, which must be a warning with the number of flows that there are.

  $ cat > starts.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: permutation, sizes: 15KB}
  > measure: {starts: [90%, 100%]}
  > END
  $ heddle check starts.yaml 2>&1 > /dev/null
  starts.yaml:3:20: warning: measure.starts: none of the 4 flows that start in the run is in that part of the arrivals; take another part
  $ printf '0us,0,1,10000\n5us,1,2,10000\n2s,2,3,10000\n3s,3,0,10000\n' > late.csv
  $ cat > late.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: trace, path: late.csv}
  > run: {until: 1ms}
  > measure: {starts: [50%, 100%]}
  > END
  $ heddle check late.yaml 2>&1 > /dev/null | grep measure.starts
  late.yaml:4:20: warning: measure.starts: none of the 2 flows that start in the run is in that part of the arrivals; take another part
  $ heddle run late.yaml -q 2>&1 | grep 'leaves out'
  late.yaml: warning: measure.starts leaves out all 2 flows, in 1 of 1 run; run 1 measures until 1ms
