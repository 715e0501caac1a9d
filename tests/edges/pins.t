Flows are pinned to NICs: by number, by the switch behind a NIC, or the channels of a job in turn.

  $ cat >x.yaml <<EOF
  > fabric: {kind: dual-tor, racks: 2, spines: 2, hosts: 2, dual_plane: true}
  > workload: {kind: long, src: host0.0, dst: host2.0, sizes: 1MB}
  > EOF
  $ nics() { heddle run x.yaml "$@" --quiet -o p.db 2>/dev/null; heddle export p.db --csv p --force >/dev/null; tr -d '\r' <p/ports.csv | awk -F, 'NR > 1 && $4 < 4 && $8 > 500000 {print "NIC " $3 % 2 ": " int($8 / 1e6) " MB"}' | sort | uniq -c; rm p.db; }
  $ nics --set workload.0.nic=0
        1 NIC 0: 1 MB
  $ nics --set workload.0.nic=1
        1 NIC 1: 1 MB
  $ nics --set workload.0.nic=leaf3
        1 NIC 1: 1 MB

While a link of the pinned pair is dead the flow is on the other plane.

  $ nics --set workload.0.nic=1 --set 'fabric.failed=[{link: host2.0-leaf3, at: 200us, detect: 100us}]'
        1 NIC 0: 0 MB

Two channels of a ring take a plane each.

  $ nics --set 'workload={kind: collective, op: all-reduce, size: 2MB, channels: 2, nic: channels}'
        4 NIC 0: 1 MB
        4 NIC 1: 1 MB

What cannot be is refused.

  $ heddle check x.yaml --set workload.0.nic=2
  --set workload.0.nic:1:1: error: workload.0.nic: host0.0 has no NIC 2; its NICs are 0 to 1
  [2]
  $ heddle check x.yaml --set workload.0.nic=12345678901
  --set workload.0.nic:1:1: error: workload.0.nic: host0.0 has no NIC 4294967295; its NICs are 0 to 1
  [2]
  $ heddle check x.yaml --set workload.0.nic=leaf9
  --set workload.0.nic:1:1: error: workload.0.nic: no host has a link to 'leaf9'; write the number of a NIC, channels, or a switch such as leaf0
  [2]
  $ heddle check x.yaml --set workload.0.nic=channels
  --set workload.0.nic:1:1: error: workload.0.nic: long has no channels; write the number of a NIC, or a switch
  [2]
  $ heddle check x.yaml --set fabric.racks=3 --set workload.0.nic=leaf5
  --set workload.0.nic:1:1: error: workload.0.nic: neither host0.0 nor host2.0 has a link to leaf5; give their flows an entry of their own
  [2]
  $ sed 's/sizes: 1MB/sizes: 1MB, nic: 7/' x.yaml >y.yaml
  $ heddle check y.yaml
  y.yaml:2:69: error: workload.0.nic: host0.0 has no NIC 7; its NICs are 0 to 1
  [2]
  $ heddle check x.yaml --set 'fabric={kind: rails, servers: 2, gpus: 2, spines: 2}' --set 'workload={kind: long, src: host0.0, dst: host1.0, sizes: 1MB, nic: 0}'
  --set workload:1:59: error: workload.0.nic: these NICs of host0.0 and host1.0 have no path to each other; pin to others, or leave nic out
  [2]
