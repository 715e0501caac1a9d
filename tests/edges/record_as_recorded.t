A run is compared with the record beside its file: each claim says "as recorded", each digest is compared, and the exit status is 0. A claim that does not hold stays so.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: incast, sizes: 20KB}
  > sweep: {run.seed: [1, 2]}
  > expect:
  >   - {claim: lossy, metric: packets.dropped, every: true, value: [1, null]}
  >   - {claim: none-lost, metric: packets.dropped, every: true, value: [0, 0]}
  > profiles: {small: {workload: {kind: incast, sizes: 1KB}}}
  > EOF
  $ heddle run x.yaml -q
  x.yaml: 1 of 2 outcomes of claims is other than expected; heddle report x.db --text shows them
  [1]
  $ heddle run x.yaml -q --record
  x.yaml: 1 of 2 outcomes of claims is other than expected; heddle report x.db --text shows them
  [1]
  $ heddle run x.yaml | grep -E '^  (lossy|none-lost)|^record'
    lossy: does not hold, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed at
    none-lost: holds, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed 0 to 0
  record: x.record.json (2 of 2 digests equal)
  $ heddle run x.yaml -q
  $ heddle run x.yaml --json | grep -Eo '"(claim|recorded|as_recorded)":[^,}]*'
  "claim":"lossy"
  "recorded":"does not hold"
  "as_recorded":true
  "claim":"none-lost"
  "recorded":"holds"
  "as_recorded":true
  $ heddle report x.db --text | tail -n 3
    lossy: does not hold, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed at
      least 1
    none-lost: holds, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed 0 to 0
A profile is compared by digests alone, so its section has no claims.

  $ heddle run x.yaml -q --profile small --record
  x.yaml: 1 of 2 outcomes of claims is other than expected; heddle report x.db --text shows them
  [1]
  $ heddle run x.yaml --profile small | grep -E '^  (lossy|none-lost)|^record'
    lossy: does not hold, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed at
    none-lost: holds, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed 0 to 0
  record: x.record.json (2 of 2 digests equal)
  $ sed 's/"identity": "[0-9a-f]*"/"identity": "..."/; s/"result_version": [0-9]*/"result_version": N/; s/"[0-9a-f]\{16\}"/"..."/g' x.record.json
  {"full": {
  "result_version": N, "identity": "...", "runs": 2, "packet_hops": 360,
  "claims": [
  {"claim": "lossy", "metric": "packets.dropped", "form": "value", "of": {}, "low": 1.0, "every": true, "outcomes": [
    {"where": {}, "verdict": "does not hold", "measured": 0.0, "standard_error": 0.0, "interval": [0.0, 0.0], "n_seeds": 2}]},
  {"claim": "none-lost", "metric": "packets.dropped", "form": "value", "of": {}, "low": 0.0, "high": 0.0, "every": true, "outcomes": [
    {"where": {}, "verdict": "holds", "measured": 0.0, "standard_error": 0.0, "interval": [0.0, 0.0], "n_seeds": 2}]}],
  "digests": [
  {"settings": {}, "digests": {"1": "...", "2": "..."}}]},
  "small": {
  "result_version": N, "identity": "...", "runs": 2, "packet_hops": 48,
  "digests": [
  {"settings": {}, "digests": {"1": "...", "2": "..."}}]}}
Recording once more changes nothing.

  $ cp x.record.json before
  $ heddle run x.yaml -q --record && heddle run x.yaml -q --record --profile small && cmp before x.record.json
  $ heddle check x.yaml --json | grep -o '"record":"[a-z ]*"'
  "record":"whole"
