The disk that results take is foreseen.

  $ cat > x.yaml <<EOF
  > title: Samples
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: {kind: poisson, sizes: web-search, load: 0.3, load_at: tor-uplink, pairs: inter-rack, flows: 400}
  > measure: {queues: 100us, links: 1ms}
  > sweep: {run.seed: [1, 2, 3]}
  > EOF
  $ heddle check x.yaml | grep -o '^# store: about [0-9]*.B for all 3 runs'
  # store: about 13MB for all 3 runs
  $ heddle run x.yaml -q 2>/dev/null; [ $? -le 1 ]

What is foreseen is within 30 % of what the store takes, of samples, of flows alone, of queries and of jobs.

  $ within() { heddle check "$@" --json 2>/dev/null | python3 -c "import json, os, sys; ratio = (json.load(sys.stdin)['store_bytes'] + 122000) / os.path.getsize('$store'); print('within 30 %' if 0.7 < ratio < 1.3 else ratio)"; }
  $ store=x.db; within x.yaml
  within 30 %
  $ store=first.db; heddle run $ROOT/experiments/first.yaml -q -o first.db 2>/dev/null; within $ROOT/experiments/first.yaml
  within 30 %
  $ store=f3.db; set -- $ROOT/experiments/detail/f3-rto.yaml --profile small; heddle run "$@" -q -o f3.db 2>/dev/null; within "$@"
  within 30 %
  $ cat > job.yaml <<EOF
  > fabric: {kind: star, hosts: 16, rate: 100Gbps, delay: 500ns}
  > scheme: dctcp
  > workload: {kind: training, pipeline: 16, layers: 16, micro_batches: 64, forward: 50us, activation: 10KB}
  > sweep: {run.seed: [1, 2, 3, 4]}
  > EOF
  $ store=job.db; heddle run job.yaml -q 2>/dev/null; within job.yaml
  within 30 %
