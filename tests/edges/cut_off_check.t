A user has one spine and lets the link of leaf0 to it fail at 1 ms. `check` must say which hosts lose their last path, when, and
for how long.

  $ cat > cut.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 4, rate: 10Gbps, failed: [{link: leaf0-spine0, at: 1ms}]}
  > workload: {kind: poisson, sizes: 100KB, load: 0.5, load_at: tor-uplink, flows: 200, pairs: inter-rack}
  > END
  $ heddle check cut.yaml 2>&1 > /dev/null
  cut.yaml:1:90: warning: fabric.failed: host0.0 to host0.3 have no path to other racks from 1ms on; flows between them do not end: give repair_at, or fail other links
  $ heddle check cut.yaml --set 'fabric.failed.0.repair_at=5ms' 2>&1 > /dev/null
  cut.yaml:1:90: warning: fabric.failed: host0.0 to host0.3 have no path to other racks from 1ms to 5ms; flows between them wait till then
