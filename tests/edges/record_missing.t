Without a record an expectation has to hold: one that does not hold, or is not decided, ends with 1.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: incast, sizes: 20KB}
  > expect:
  >   - {claim: none-lost, metric: packets.dropped, every: true, value: [0, 0]}
  > profiles: {small: {workload: {kind: incast, sizes: 1KB}}}
  > EOF
  $ heddle run x.yaml -q
  $ sed 's/every: true, //' x.yaml > undecided.yaml
  $ heddle run undecided.yaml | grep none-lost
    none-lost: not decided (one seed); packets.dropped: 0 (one seed), claimed 0 to 0
  $ heddle run undecided.yaml -q
  undecided.yaml: 1 of 1 outcomes of claims is other than expected; heddle report undecided.db --text shows them
  [1]
  $ sed 's/value: .0, 0./value: [1, null]/' x.yaml > fails.yaml
  $ heddle run fails.yaml -q
  fails.yaml: 1 of 1 outcomes of claims is other than expected; heddle report fails.db --text shows them
  [1]
Nor does a record help that has no section for these runs:

  $ heddle run undecided.yaml -q --record
  undecided.yaml: 1 of 1 outcomes of claims is other than expected; heddle report undecided.db --text shows them
  [1]
  $ heddle run undecided.yaml -q
  $ heddle run undecided.yaml -q --profile small
  undecided.yaml: 1 of 1 outcomes of claims is other than expected; heddle report undecided.db --text shows them
  [1]
What is no record is refused:

  $ echo '{' > undecided.record.json
  $ heddle run undecided.yaml -q
  undecided.record.json:2: error: is no record: string or '}' expected near end of file; remove it, and write it anew with heddle run --record
  [2]
  $ heddle check undecided.yaml > printed
  undecided.record.json:2: error: is no record: string or '}' expected near end of file; remove it, and write it anew with heddle run --record
  [2]
