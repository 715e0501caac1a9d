An outcome, or a digest, that differs from the record: the first run is named, and the exit status is 1.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: incast, sizes: 20KB}
  > sweep: {run.seed: [1, 2]}
  > expect:
  >   - {claim: none-lost, metric: packets.dropped, every: true, value: [0, 0]}
  >   - {claim: all-done, metric: flows.finished, every: true, value: [3, 3]}
  > EOF
  $ heddle run x.yaml -q --record
  $ sed -i 's/"holds", "measured": 0.0/"does not hold", "measured": 7.0/; s/"2": "..../"2": "0000/' x.record.json
  $ heddle run x.yaml | grep -E '^  (none-lost|all-done)|^record'
  x.record.json: warning: 1 of 2 runs have another digest than recorded; the first is run 2 (run.seed 2)
    none-lost: HOLDS, recorded: does not hold; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds),
    all-done: holds, as recorded; flows.finished: 3 (95 % interval 3 to 3, 2 seeds), claimed 3 to 3
  record: x.record.json (1 of 2 digests equal)
  $ heddle run x.yaml -q
  x.record.json: warning: 1 of 2 runs have another digest than recorded; the first is run 2 (run.seed 2)
  [1]
A figure alone:

  $ heddle run x.yaml -q --record
  x.record.json: warning: 1 of 2 runs have another digest than recorded; the first is run 2 (run.seed 2)
  [1]
  $ heddle run x.yaml -q
  $ sed -i 's/"measured": 3.0/"measured": 3.1/' x.record.json
  $ heddle run x.yaml | grep -E '^  (none-lost|all-done)|^record'
    none-lost: holds, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed 0 to 0
    all-done: HOLDS, recorded with another value; flows.finished: 3 (95 % interval 3 to 3, 2 seeds),
  record: x.record.json (2 of 2 digests equal)
  $ heddle run x.yaml -q
  [1]
A claim that is not in the record, in place of one that is:

  $ sed -i 's/claim: all-done/claim: done/' x.yaml
  $ heddle run x.yaml -q
  x.record.json: warning: 1 recorded outcome is of claims that the file does not make now
  [1]
  $ heddle run x.yaml | grep -E '^  (none-lost|done)'
  x.record.json: warning: 1 recorded outcome is of claims that the file does not make now
    none-lost: holds, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed 0 to 0
    done: HOLDS; flows.finished: 3 (95 % interval 3 to 3, 2 seeds), claimed 3 to 3
