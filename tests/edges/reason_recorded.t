"recorded" stands only where the file records something. Here it records that one of two claims does not hold, and the other is what is claimed.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: incast, sizes: 20KB}
  > expect:
  >   - {claim: plain, metric: packets.dropped, every: true, value: [1, null]}
  >   - {claim: known, metric: packets.dropped, every: true, value: [1, null], known: {holds: false}}
  >   - {claim: worse, metric: packets.dropped, every: true, value: [0, 0], known: {holds: false}}
  > EOF
  $ heddle run x.yaml | grep -E '^  (plain|known|worse)'
    plain: DOES NOT HOLD; packets.dropped: 0 (one seed), claimed at least 1
    known: does not hold, as recorded; packets.dropped: 0 (one seed), claimed at least 1
    worse: HOLDS, recorded: does not hold; packets.dropped: 0 (one seed), claimed 0 to 0
  $ heddle run x.yaml --json | grep -Eo '"(claim|recorded)":("[^"]*"|null)'
  "claim":"plain"
  "recorded":null
  "claim":"known"
  "recorded":"does not hold"
  "claim":"worse"
  "recorded":"does not hold"
  $ heddle report x.db --text | tail -n 4
  claims: 1 holds, 2 do not hold; 1 other than recorded
    plain: does not hold; packets.dropped: 0 (one seed), claimed at least 1
    known: does not hold, as recorded; packets.dropped: 0 (one seed), claimed at least 1
    worse: holds, recorded: does not hold; packets.dropped: 0 (one seed), claimed 0 to 0
