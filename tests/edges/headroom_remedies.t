DeTail over links of 25 and 100 Gbps: eight classes have no headroom. The error looks at all links at once, names keys and
values, and `detail-fast` first; each of them is enough, and no line sends the user to another one.

  $ cat >fast.yaml <<EOF
  > scheme: detail
  > fabric: {kind: leaf-spine, leaves: 5, spines: 4, hosts: 16, host_rate: 25Gbps, uplink_rate: 100Gbps, delay: 1us}
  > switch: {pause_classes: 8}
  > workload: {kind: permutation, sizes: 100KB}
  > EOF
  $ heddle check fast.yaml
  fast.yaml:3:25: error: switch.pause_classes: 131072 B of ingress queue have no headroom for 8 classes at 100000 Mbps, where 54890 B may still arrive per class; write scheme: detail-fast, or switch.islip.ingress: 866KB, or switch.pause_classes: 1
  [2]
  $ says() { heddle check fast.yaml "$@" 2>&1 >printed | grep -e error -e 'frames may be lost'; grep -c '^# foreseen' printed; }
  $ says --set scheme=detail-fast
  1
  $ says --set switch.islip.ingress=866KB
  1
  $ says --set switch.pause_classes=1
  1

Without a number the thresholds are for the classes that the workload uses, here one; two more do not fit.

  $ says --set switch.pause_classes=used
  1
  $ says --set switch.pause_classes=used --set workload.0.priority=3
  1
  $ heddle check fast.yaml --set switch.pause_classes=used --set 'workload=[{kind: query, schedule: {for: 1ms, rate: 1000/s}, responses: 2KiB, queries: 9, priorities: [0, 3, 7]}]' 2>&1 | grep -o 'error.*'
  error: switch.flowctl: 131072 B of ingress queue have no headroom for 3 classes at 100000 Mbps, where 54890 B may still arrive per class; write scheme: detail-fast, or switch.islip.ingress: 325KB

The old advice, carried out, is answered with what is enough for every link.

  $ heddle check fast.yaml --set switch.islip.ingress=270KB 2>&1 | grep -o 'write .*'
  write switch.islip.ingress: 866KB, or switch.pause_classes: 2
  $ heddle check fast.yaml --set switch.pause_classes=3 2>&1 | grep -o 'write .*'
  write scheme: detail-fast, or switch.islip.ingress: 325KB, or switch.pause_classes: 1
