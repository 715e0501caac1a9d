A training step: ranks compute, pass activations from stage to stage, and share gradients. Alone on a star, with one frame a
message, its time is known: (m + p - 1) passes of a stage one after the other, forward and back (the bubble of 1F1B, (p - 1) /
m), and on the longest chain 16 messages of 1.246 us.

  $ cat > x.yaml <<EOF
  > fabric: {kind: star, hosts: 4, rate: 100Gbps, delay: 500ns}
  > host: {transport: udp}
  > workload: {kind: training, name: gpt, pipeline: 4, layers: 8, micro_batches: 8, forward: 50us, activation: 1472B, iterations: 2}
  > EOF
  $ cat > show.py <<EOF
  > import json, sys
  > for job in json.loads(sys.stdin.readline())["jobs"]:
  >     print(job["name"], job["op"], "%.3f" % job["jct_us"]["mean"], job["jct_us"]["max"] == job["ideal_us"], job["busbw_gbps"])
  >     print("%.3f" % job["exposed_us"])
  > EOF
  $ heddle run x.yaml --json -q | python3 show.py
  gpt training 3319.937 True None
  919.937
  $ python3 -c 'print("%.3f" % ((8 + 4 - 1) * 300 + 16 * (1 + 2 * 1538 * 8 / 100e3)), 8 * 300)'
  3319.937 2400

A tensor group inside of a server takes its ideal time and sends nothing; a model brings its sizes.

  $ heddle run x.yaml --force --set workload.0='{kind: training, tensor: 4, layers: 2, forward: 50us, activation: 1MB, scale_up: 1Tbps}' --json -q | python3 show.py
  x.db also holds other runs of this experiment: 1 without --set; `heddle report x.db --variants` shows all
  job0 training 396.000 True None
  0.000
  $ cat > gpt.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 8, spines: 2, hosts: 2, rate: 400Gbps, delay: 500ns}
  > host: {transport: udp}
  > workload: {kind: training, model: gpt-13b, gradients: 64MB, weights: 32MB, placement: round-robin}
  > EOF
  $ heddle run gpt.yaml --json -q | python3 show.py
  job0 training 151820.862 False None
  127.443

Threads change nothing, and the table has what a step is about.

  $ COLUMNS=100 heddle run x.yaml --force 2>/dev/null | head -7
  x
  
  job completion times
                                     gpt
              gpt JCT  gpt JCT  slowdown      gpt
    run.seed     mean      max      mean  exposed  dropped
    1         3.32 ms  3.32 ms      1.00   920 us        0
  $ heddle run x.yaml --threads 2 --force --set host.transport=dctcp --json -q 2>/dev/null | grep -o '"digest": *"[0-9a-f]*"' > two
  $ heddle run x.yaml --force --threads 1 --set host.transport=dctcp --json -q 2>/dev/null | grep -o '"digest": *"[0-9a-f]*"' | diff - two

What does not fit is said.

  $ heddle check x.yaml --set workload.0.tensor=3
  x.yaml:3:18: error: ranks: 4, but tensor x pipeline x data = 3 x 4 x 1; write ranks: 12
  [2]
  $ heddle check x.yaml --set workload.0.layers=7
  x.yaml:3:18: error: layers: 7 cannot be cut into 4 stages (pipeline); write a multiple
  [2]
  $ heddle check x.yaml --set workload.0.gradients=1MB
  x.yaml:3:18: error: gradients: there are no data-parallel ranks, so it would do nothing; leave it out
  [2]
  $ heddle check x.yaml --set workload.0.model=gpt-4
  --set workload.0.model:1:1: error: workload.0.model: 'gpt-4' is unknown; write one of: gpt-13b, gpt-22b, mixtral-8x7b
  [2]
