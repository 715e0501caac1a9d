Outcomes stand in one place: a `known` beside a record is refused, with both places. Without a record `known` counts as it did.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: incast, sizes: 20KB}
  > expect:
  >   - {claim: lossy, metric: packets.dropped, every: true, value: [1, null]}
  > EOF
  $ sed 's/null\]}/null], known: {holds: false}}/' x.yaml > known.yaml
  $ heddle run known.yaml -q
  $ heddle run known.yaml -q --record
  known.yaml:5:83: error: known: outcomes are recorded here and in known.record.json; remove one of the two
  [2]
  $ heddle run x.yaml -q --record
  x.yaml: 1 of 1 outcomes of claims is other than expected; heddle report x.db --text shows them
  [1]
  $ cp x.record.json known.record.json
  $ heddle run known.yaml -q
  known.yaml:5:83: error: known: outcomes are recorded here and in known.record.json; remove one of the two
  [2]
  $ heddle check known.yaml > printed
  known.yaml:5:83: error: known: outcomes are recorded here and in known.record.json; remove one of the two
  [2]
