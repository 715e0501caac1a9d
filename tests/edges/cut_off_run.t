A user runs with a failure that cuts off hosts for good. `run` must say so before it starts, and the message of the stuck run
must begin with it; it must not propose to end later, to offer less, or to take another window of arrivals.

  $ cat > cut.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 4, rate: 10Gbps, failed: [{link: leaf0-spine0, at: 1ms}]}
  > workload: {kind: poisson, sizes: 100KB, load: 0.5, load_at: tor-uplink, flows: 200, pairs: inter-rack}
  > END
  $ heddle run cut.yaml -q 2>&1 | sed 's/; stuck at .*/; stuck at .../'
  cut.yaml:1:90: warning: fabric.failed: host0.0 to host0.3 have no path to other racks from 1ms on; flows between them do not end: give repair_at, or fail other links
  cut.yaml: error: run 1 failed: host0.0 to host0.3 have no path to other racks from 1ms on; stuck at ...
  cut.yaml: 1 of 1 runs are not done; what finished is in cut.db, the same command goes on from there
