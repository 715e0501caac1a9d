Seven switches in a ring deadlock under flow control. A watchdog over pauses ends that, in a simulation only if it is asked for.

  $ {
  >   echo "nodes: ["
  >   for i in 0 1 2 3 4 5 6; do echo "  {name: s$i}, {name: h$i, tier: host},"; done
  >   echo "]"
  >   echo "links:"
  >   for i in 0 1 2 3 4 5 6; do echo "  - {a: s$i, b: h$i}"; echo "  - {a: s$i, b: s$(((i + 1) % 7))}"; done
  > } > ring.topology
  $ {
  >   echo "start_us,source,destination,bytes"
  >   for i in 0 1 2 3 4 5 6; do echo "0,h$i,h$(((i + 3) % 7)),2000000"; done
  > } > flows.csv
  $ cat > ring.yaml <<'END'
  > title: a ring that deadlocks
  > fabric: {kind: file, path: ring.topology, rate: 1Gbps, delay: 2us}
  > scheme: detail
  > switch: {balance: ecmp}
  > host: {receive_window: 1MB}
  > workload: {kind: trace, path: flows.csv}
  > END
  $ heddle run ring.yaml -o r.db -q 2>&1 | grep -o 'error: run 1 failed: stuck\|7 flows are open'
  error: run 1 failed: stuck
  7 flows are open

With it, frames are dropped and sent again, or forwarded although the neighbour has no room.

  $ tell() { python3 -c 'import json, sys
  > o = next(json.loads(line) for line in sys.stdin if line[0] == "{")
  > print(o["flows"]["finished"], o["pauses"]["watchdog"], o["counters"]["drop_storm"] > 0, o["counters"]["drop_buffer"] > 0)'; }
  $ TIMES="detect: 20ms, restore: 40ms, poll: 10ms"
  $ heddle run ring.yaml -o r.db -q --json --set "switch.pfc_watchdog={action: drop, $TIMES}" 2>/dev/null | tell
  7 {'found': 7, 'ended': 7} True False
  $ heddle run ring.yaml -o r.db -q --json --set "switch.pfc_watchdog={action: forward, $TIMES}" 2>/dev/null | tell
  7 {'found': 7, 'ended': 7} False True

Times alone do nothing, which is said; with an action they must fit each other.

  $ heddle check ring.yaml --set switch.pfc_watchdog.detect=20ms 2>&1 | grep -o 'warning: switch.pfc_watchdog.*'
  warning: switch.pfc_watchdog.detect has no effect: only heddle switch has a watchdog unless switch.pfc_watchdog.action is drop or forward; leave it out
  $ heddle check ring.yaml --set switch.pfc_watchdog.action=drop --set switch.pfc_watchdog.detect=20ms 2>&1 | grep error
  --set switch.pfc_watchdog.detect:1:1: error: switch.pfc_watchdog.poll: 0.1s (default) is above detect, 20ms; write at most 20ms, or change detect
  $ heddle check ring.yaml --set switch.flowctl=none --set switch.pfc_watchdog.action=drop 2>&1 | grep -o 'error: .*'
  error: 'switch.pfc_watchdog.action' does not apply to switch.flowctl none; it belongs to pause|pfc
