A user lets the link of one host fail for 3 ms, beside another failure that cuts off nobody. `check` must name the host alone.

  $ cat > host.yaml <<'END'
  > fabric:
  >   kind: leaf-spine
  >   leaves: 3
  >   spines: 2
  >   hosts: 2
  >   rate: 10Gbps
  >   failed:
  >     - {link: leaf1-spine0, at: 1ms}
  >     - {link: leaf1-host1.1, at: 2ms, repair_at: 5ms}
  > workload: {kind: permutation, sizes: 1MB}
  > END
  $ heddle check host.yaml 2>&1 > /dev/null
  host.yaml:8:14: warning: fabric.failed: host1.1 has no path to any host from 2ms to 5ms; flows between them wait till then
