A user lets a link fail in the middle of a run and asks what happened before, during and after. Each phase has the flows that
start in it and averages over its time; together they have all flows.

  $ cat > midway.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, failed: {link: leaf0-spine0, at: 40%, repair_at: 70%}}
  > workload:
  >   - {name: web, kind: poisson, sizes: 60KB, load: 0.4, load_at: tor-uplink, pairs: inter-rack, flows: 200}
  >   - {kind: permutation, sizes: 20KB}
  > measure: {phases: {before: [0us, failed.0.at], during: [failed.0.at, failed.0.repair_at], after: [failed.0.repair_at, 100%]}}
  > END
  $ cat > look.py <<'END'
  > import json, sys
  > r = json.load(sys.stdin)
  > p = r["phases"]
  > print([p[n]["fct_us"]["all"]["n"] for n in p], r["fct_us"]["all"]["n"], r["fct_us"]["web"]["all"]["n"])
  > print(p["before"]["to_us"] == p["during"]["from_us"], p["during"]["to_us"] == p["after"]["from_us"])
  > print(p["during"]["links"]["uplink"]["max"] > p["before"]["links"]["uplink"]["max"])
  > END
  $ heddle run midway.yaml --json -q | python3 look.py
  [88, 60, 60] 208 200
  True True
  True

Without phases the results have an empty object, and a metric of a phase that is not there is an error.

  $ heddle run midway.yaml --set 'measure.phases=null' --json -q -o none.db | python3 -c "import json, sys; print(json.load(sys.stdin)['phases'])"
  {}
  $ cat midway.yaml - > claim.yaml <<'END'
  > expect: {claim: a, metric: phases.meanwhile.fct_us.all.mean, value: [0, 1]}
  > END
  $ heddle check claim.yaml 2>&1 > /dev/null | cut -c1-129
  claim.yaml:6:28: error: there is no number 'phases.meanwhile.fct_us.all.mean' in a result; at 'meanwhile' known are: before, duri

Numbers of the time of a phase beside those of the whole run: what phases count adds up, and the largest of the run is in one of them.

  $ cat > divided.py <<'END'
  > import json, sys
  > r = json.load(sys.stdin)
  > p = list(r["phases"].values())
  > for key in "retransmitted", "dropped", "marked":
  >     print(key, sum(x["packets"][key] for x in p) == r["packets"][key] > 0)
  > print(sum(x["counters"]["timeouts_data"] for x in p) == r["counters"]["timeouts_data"] > 0)
  > print(sum(x["counters"]["drop_link_down"] for x in p) == r["counters"]["drop_link_down"] > p[1]["counters"]["drop_link_down"] > 0)
  > for key in "queues_bytes", "buffers_bytes":
  >     most = [x[key]["max"] for x in p]
  >     print(key, max(most) == r[key]["max"], len(set(most)) > 1)
  > END
  $ heddle run midway.yaml --set 'switch={buffer: 30KB, ecn_threshold: 15KB}' --set 'host.transport=dctcp' --set 'measure.phases.rest=[100%, 1s]' --set fabric.failed.0.detect=100us --json -q -o divided.db 2> /dev/null | python3 divided.py
  retransmitted True
  dropped True
  marked True
  True
  True
  queues_bytes True True
  buffers_bytes True True

Intervals of fairness and of imbalance count in the phase in which they lie: with edges on their grid they are those of the run.

  $ cat > shared.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 4, hosts: 4, failed: {link: leaf0-spine0, at: 2ms}}
  > workload: {kind: long, pairs: inter-rack}
  > run: {until: 4ms}
  > measure: {jain: [100us, 500us], imbalance: 200us, phases: {sound: [0us, 2ms], broken: [2ms, 4ms], odd: [150us, 950us]}}
  > END
  $ cat > intervals.py <<'END'
  > import json, sys
  > r = json.load(sys.stdin)
  > p = r["phases"]
  > print([(p[n]["fairness"]["intervals"], p[n]["fairness"]["1"]["intervals"], p[n]["imbalance"]["tor"]["n"]) for n in p])
  > print(r["fairness"]["intervals"], r["fairness"]["1"]["intervals"], r["imbalance"]["tor"]["n"])
  > parts = [p["sound"]["fairness"], p["broken"]["fairness"]]
  > print(min(f["jain_min"] for f in parts) == r["fairness"]["jain_min"])
  > print(abs(sum(f["jain_mean"] for f in parts) / 2 - r["fairness"]["jain_mean"]) < 1e-6)
  > print(p["sound"]["imbalance"]["tor"]["mean"] < p["broken"]["imbalance"]["tor"]["mean"])
  > END
  $ heddle run shared.yaml --json -q -o shared.db | python3 intervals.py
  [(20, 4, 20), (20, 4, 20), (7, 0, 6)]
  40 8 40
  True
  True
  True

So do credits and pauses. Phases that cover the run have all that happens before the last flow ends; credits go to waste after it too.

  $ cat > covered.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: incast, senders: 6, total: 1200KB, request: 1KB, rounds: 4}
  > measure: {phases: {early: [0us, 2200us], late: [2200us, 1s]}}
  > END
  $ cat > cover.py <<'END'
  > import json, sys
  > r = json.load(sys.stdin)
  > p = list(r["phases"].values())
  > part, keys = sys.argv[1], sys.argv[2:]
  > for key in keys:
  >     print(key, sum(x[part][key] for x in p) == r[part][key], all(x[part][key] for x in p))
  > END
  $ heddle run covered.yaml --set scheme=expresspass-2017 --json -q -o credits.db > credits.json
  $ python3 cover.py credits sent used dropped < credits.json
  sent True True
  used True True
  dropped True True
  $ python3 -c 'import json; r = json.load(open("credits.json")); print(0 < r["phases"]["late"]["credits"]["wasted"] < r["credits"]["wasted"])'
  True

Credits are counted up to the edge: the first phase has those of a run that ends there.

  $ heddle run covered.yaml --set scheme=expresspass-2017 --set run.until=2200us --json -q -o ended.db > ended.json 2> /dev/null
  $ cat > edge.py <<'END'
  > import json
  > phase, run = json.load(open("credits.json"))["phases"]["early"], json.load(open("ended.json"))
  > print([phase["credits"][k] == run["credits"][k] for k in ("sent", "used", "wasted", "dropped")], run["flows"]["unfinished"])
  > END
  $ python3 edge.py
  [True, True, True, True] 3

  $ heddle run covered.yaml --set scheme=detail-fast --json -q -o pauses.db | python3 cover.py pauses sent stops paused_us
  sent True True
  stops True True
  paused_us True True

A metric without a form for phases says why, and what to take.

  $ for m in packets.reordered fairness.interval_us engine.wall_s queues_bytes.max; do heddle run midway.yaml -q -o m.db --columns phases.during.$m 2>&1; done
  --columns: error: 'packets.reordered' has no form for phases: it is known when a run or a flow ends; so there is no number 'phases.during.packets.reordered'. Take 'packets.reordered', which is of the whole run, or a metric of phases (docs/results.md lists them)
  --columns: error: 'fairness.interval_us' has no form for phases: the length of intervals is the same in all phases; so there is no number 'phases.during.fairness.interval_us'. Take 'fairness.interval_us', which is of the whole run, or a metric of phases (docs/results.md lists them)
  --columns: error: 'engine.wall_s' has no form for phases: it is of the program; so there is no number 'phases.during.engine.wall_s'. Take 'engine.wall_s', which is of the whole run, or a metric of phases (docs/results.md lists them)

Without phases the message says what names them.

  $ heddle run midway.yaml -q -o m.db --set measure.phases=null --columns phases.during.fct_us.all.p99
  --columns: error: there is no number 'phases.during.fct_us.all.p99' in a result: this experiment has no phases, which measure.phases names
  [2]

Edges that cannot be.

  $ phases() { heddle check midway.yaml --set "measure.phases=$1" 2>&1 > /dev/null | cut -d: -f4-; }
  $ phases '{a: [2ms, 1ms]}'
   error: measure.phases.0.to: the phase 'a' ends when it begins, or before; let it end later
  $ phases '{a: [0us, failed.3.at]}'
   error: measure.phases.0.to: fabric.failed has no item 3; it has 1
  $ phases '{mice: [0us, 1ms]}'
   error: measure.phases.0.name: 'mice' is the name of a class of flows in results; take another name
  $ phases '{a: [0us, soon]}'
   error: measure.phases.0.to: 'soon' is not a time; write one such as 20us; or write a share of the arrivals (50%), failed.0.at or failed.0.repair_at
  $ heddle check midway.yaml --set 'workload={kind: permutation, sizes: 20KB}' --set 'fabric.failed=null' --set 'measure.phases={a: [0us, 50%]}' 2>&1 > /dev/null | cut -d: -f4-
   error: measure.phases.0.to: 50% is a share of the open-loop arrivals, and this workload has none; write a time
  $ heddle check midway.yaml --set 'workload={kind: permutation, sizes: 20KB}' 2>&1 > /dev/null
  midway.yaml:1:93: error: fabric.failed.0.at: 40% is a share of the open-loop arrivals, and this workload has none; write a time
  [2]
  $ heddle check midway.yaml --set workload.1.name=web 2>&1 > /dev/null | cut -d: -f4-
   error: workload.1.name: 'web' stands twice; give each its own name
