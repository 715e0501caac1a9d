Somebody ran DeTail with one class of flows: the thresholds kept room for eight, and every class was paused at a twelfth of the
queue. Now the schemes count the classes that the workload uses. The effective configuration and the identity hold the number.

  $ cat >x.yaml <<'END'
  > scheme: detail
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 1Gbps, delay: 6600ns}
  > workload:
  >   - {kind: incast, sizes: 200KB, receiver: host1.0}
  >   - {kind: permutation, sizes: 100KB, priority: 7}
  > measure: {pcap: [leaf1], snap: 96B}
  > END
  $ count() { heddle check x.yaml "$@" 2>/dev/null | grep -o 'pause_classes: .*'; }
  $ count; count --set workload.1.priority=0; count --set scheme=detail-fc; count --set scheme=detail-printed
  pause_classes: 2
  pause_classes: 1
  pause_classes: 1
  pause_classes: 8
  $ identity() { heddle check x.yaml "$@" 2>/dev/null | grep -o 'identity .*'; }
  $ [ "$(identity)" = "$(identity --set switch.pause_classes=2)" ] && echo the same run
  the same run
  $ [ "$(identity)" = "$(identity --set switch.pause_classes=3)" ] || echo another run
  another run

Room for fewer classes than are used loses frames, so it is refused.

  $ heddle run x.yaml -q --set switch.pause_classes=1
  --set switch.pause_classes:1:1: error: switch.pause_classes: room for 1 class, and the workload uses 2: frames would be lost despite flow control; write switch.pause_classes: 2
  [2]
  $ heddle run x.yaml -q --json --set switch.pause_classes=2 2>/dev/null | grep -o '"dropped": *[0-9]*' | head -1
  "dropped":0

A switch that is fed with the captures of the run has the thresholds of the run: it pauses at the same picosecond. With room for all
classes it would not.

  $ frames() { python3 $ROOT/tests/live/capture_file.py --sent $1; }
  $ heddle run x.yaml -q
  $ heddle replay x.yaml --node leaf1 --in all=x.captures/run1/leaf1.pcapng --out used >/dev/null
  $ diff <(frames x.captures/run1/leaf1.pcapng) <(frames used/leaf1.pcapng) >/dev/null && echo the same
  the same
  $ heddle replay x.yaml --set switch.pause_classes=8 --node leaf1 --in all=x.captures/run1/leaf1.pcapng --out all >/dev/null
  $ diff <(frames x.captures/run1/leaf1.pcapng) <(frames all/leaf1.pcapng) >/dev/null || echo other frames
  other frames
