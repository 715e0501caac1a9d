Pauses cannot last over links that are too long, and a low threshold can be over the high one: such lines said "use a
shorter one" and "lower it". They name the key and a value now, which is enough by itself.

  $ cat >long.yaml <<EOF
  > scheme: detail
  > fabric: {kind: star, hosts: 4, rate: 100Gbps, delay: 10ms}
  > switch: {pause_classes: 2}
  > workload: {kind: permutation, sizes: 100KB}
  > EOF
  $ heddle check long.yaml
  long.yaml:2:54: error: fabric.delay: the longest pause, 335 us at 100000 Mbps, is too short for a link of 10000 us; write fabric.delay: 82692ns and switch.islip.ingress: 8390KB
  [2]
  $ heddle check long.yaml --set fabric.delay=82692ns --set switch.islip.ingress=8390KB 2>&1 >printed | grep -e error -e lost
  [1]

  $ says() { heddle check long.yaml --set fabric.delay=1us --set fabric.rate=1Gbps "$@" 2>&1 >printed | grep -e error -e lost; }
  $ says --set switch.release_below=100KB
  --set switch.release_below:1:1: error: switch.release_below: the low threshold, 100000 B, is over the high one, 60484 B; write switch.release_below: 60484B, or switch.islip.ingress: 211KB, or switch.pause_classes: 1
  $ says --set switch.release_below=60484B
  [1]
