Arrivals of kind poisson end at `stop`, or after `flows`, whichever comes first. All of them are flows of the run, which ends with the
last of them.

  $ cat >stop.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: poisson, sizes: 50KB, load: 0.6, load_at: tor-uplink, pairs: inter-rack, stop: 5ms}
  > EOF
  $ ask() {
  >     rm -f stop.db; heddle run stop.yaml -q --json -o stop.db "$@" | python3 -c '
  > import json, sys
  > f = json.loads(sys.stdin.readline())["flows"]
  > print(*(f"{k} {f[k]}" for k in ("started", "finished", "unfinished", "not_started")))'
  > }
  $ ask
  started 322 finished 322 unfinished 0 not_started 0
  $ ask --set workload.0.start=4ms
  started 63 finished 63 unfinished 0 not_started 0
  $ ask --set workload.0.flows=7
  started 7 finished 7 unfinished 0 not_started 0
  $ ask --set workload.0.flows=100000
  started 322 finished 322 unfinished 0 not_started 0
  $ heddle flows stop.db --csv >flows.csv; python3 -c '
  > import csv
  > rows = list(csv.DictReader(open("flows.csv")))
  > key = next(k for k in rows[0] if k.startswith("start"))
  > print(len(rows), max(float(r[key]) for r in rows))'
  322 4979.507404

`until` of the run ends it as always: what has started and is not there yet is unfinished, what would start later has not started.

  $ ask --set run.until=4ms 2>/dev/null
  started 260 finished 248 unfinished 12 not_started 0
  $ ask --set run.until=4ms --set workload.0.flows=700 2>warnings; cat warnings
  started 260 finished 248 unfinished 12 not_started 62
  --set run.until:1:1: warning: run.until: 62 of 322 flows start at 4.003ms or later, when the run has ended at 4ms: they are not in it; end later, or start them earlier
  stop.yaml: warning: flows are missing from the completion times of 1 of 1 run: 12 of 260 flows had not finished when run 1 ended; end later (run.until), or offer less
  stop.yaml: warning: flows had not started in 1 of 1 run: 62 when run 1 ended; end later (run.until)

What is foreseen knows the stop, and one of the three must be there.

  $ heddle check stop.yaml 2>&1 | grep -E "foreseen|load"
  workload:
      load: 60%
      load_at: tor-uplink
      load_bytes: payload
    imbalance_min_load: 5%
  # workload.0: 60000.0 flows/s, mean size 50KB, 100.0 % of flows cross the named tier, load 0.633 in wire bytes
  # foreseen: 92,736 packet-hops, 0.0 s for this run (assumes 8 million packet-hops a second)
  $ heddle check stop.yaml --set workload.0.stop=50ms 2>&1 | grep -E "foreseen"
  # foreseen: 848 k packet-hops, 0.1 s for this run (assumes 8 million packet-hops a second)
  $ heddle check stop.yaml --set workload.0.stop=none
  stop.yaml:2:11: error: workload.0.flows: these arrivals never end; give flows: N or stop here, or run.until
  [2]
  $ heddle check stop.yaml --set workload.0.start=5ms
  stop.yaml:2:97: error: workload.0.stop: 5ms is not above start, 5ms at --set workload.0.start:1:1; write more than 5ms, or change start
  [2]
  $ heddle check stop.yaml --set workload.0.stop=900s --set run.until=3s | grep flows: | tail -1
  # flows: 179461, the last starts at 3s
