A user lets a link fail at 5 s and be repaired at 6 s, in runs that end after 1 ms by run.until, or with their last flow after
62 us. Neither happens, which must be a warning with its number.

  $ cat > failures.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 10Gbps,
  >          failed: [{link: leaf0-spine0, at: 5s, repair_at: 6s}, {link: leaf1-spine0, at: 1us}]}
  > workload: {kind: permutation, sizes: 15KB}
  > END
  $ heddle check failures.yaml --set run.until=1ms 2>&1 > /dev/null
  failures.yaml:2:44: warning: fabric.failed.0.at: 2 of 3 failures and repairs come at 5s or later, when the run has ended at 1ms; end later (run.until), or let them come earlier
  $ heddle run failures.yaml -q 2>&1 | sed 's/until [0-9.]*us/until .../'
  failures.yaml: warning: fabric.failed.0.at: 2 of 3 failures and repairs come at 5s or later, in 1 of 1 run; run 1 measures until ...
