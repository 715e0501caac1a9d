With --set of a key that changes what is asked nothing is compared, and a note says so. Seeds, and keys that change nothing that is asked, do not: with other seeds the verdicts are compared.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: incast, sizes: 20KB}
  > sweep: {run.seed: [1, 2]}
  > expect:
  >   - {claim: lossy, metric: packets.dropped, every: true, value: [1, null]}
  > EOF
  $ heddle run x.yaml -q --record
  x.yaml: 1 of 1 outcomes of claims is other than expected; heddle report x.db --text shows them
  [1]
  $ heddle run x.yaml --set switch.buffer=3KB --set title=another | grep -E '^  lossy|^record'
  --set switch.buffer:1:1: warning: switch.buffer: 3KB at 10Gbps, but newreno needs 13240B to keep a link busy after a loss, with the base round trip of the farthest hosts, 10.6us; write at least 13300B
  x.db also holds other runs of this experiment: 2 without --set; `heddle report x.db --variants` shows all
  x.record.json: note: nothing is compared: --set switch.buffer=3KB changes what is asked
    lossy: holds; packets.dropped: 23 (95 % interval 23 to 23, 2 seeds), claimed at least 1
  $ heddle run x.yaml -q --set switch.buffer=3KB
  --set switch.buffer:1:1: warning: switch.buffer: 3KB at 10Gbps, but newreno needs 13240B to keep a link busy after a loss, with the base round trip of the farthest hosts, 10.6us; write at least 13300B
  x.db also holds other runs of this experiment: 2 without --set; `heddle report x.db --variants` shows all
  x.record.json: note: nothing is compared: --set switch.buffer=3KB changes what is asked
  $ heddle run x.yaml -q -o same.db --set 'run.seed=[1, 2]' --threads 2
  x.yaml: note: run 1 took 1 of 2 threads: what all hosts can send in a window is 0 frames, too few to share
  $ heddle run x.yaml -o other.db --set 'run.seed=[2, 3]' | grep -E '^  lossy|^record'
    lossy: does not hold, as recorded; packets.dropped: 0 (95 % interval 0 to 0, 2 seeds), claimed at
  record: x.record.json (1 of 2 digests equal)
  $ heddle run x.yaml -q -o title.db --set title=another
  $ heddle run x.yaml -q -o other.db --set 'run.seed=[2, 3]' --record
  error: --record writes x.record.json, the record of the file as it is; leave --set out
  [2]
