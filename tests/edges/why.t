Why a job took so long: the critical path of its slowest iteration, summed over the phases of the job, and the messages on it
that lost most. Here a slow host holds up a ring.

  $ cat > ring.yaml <<EOF
  > fabric: {kind: star, hosts: 4, rate: 100Gbps, delay: 500ns, links: [{match: "host0.2-*", rate: 25Gbps}]}
  > scheme: dctcp
  > workload: {kind: collective, name: ring, size: 4MB, iterations: 2}
  > EOF
  $ heddle run ring.yaml -q
  $ heddle why ring.db --messages 3
  ring: all-reduce on 4 ranks, run 1
    iteration 2 of 2, the slowest, took 4.528ms; ideal 2.023ms, 2.24 times that
    its critical path begins 454us after the first rank: this rank had more to wait for before
  
    critical path    messages computations       time      ideal       lost
    all-reduce              6            0    4.074ms    1.271ms    2.804ms
  
    messages on it that lost most (of 6 that lost)
     begins at  phase      from         to                 size      took     ideal   times     flow
       540.5us  all-reduce host0.1      host0.2             1MB   1.739ms   338.2us    5.14       21
        2.79ms  all-reduce host0.1      host0.2             1MB   1.738ms   338.2us    5.14       25
         454us  all-reduce host0.0      host0.1             1MB   86.55us   85.39us    1.01        9

A step of training computes, too. All steps of the path follow each other, from the first computation to the last end.

  $ cat > step.yaml <<EOF
  > fabric: {kind: star, hosts: 4, rate: 100Gbps, delay: 500ns}
  > scheme: dctcp
  > workload:
  >   - {kind: training, name: gpt, pipeline: 2, layers: 2, micro_batches: 2, forward: 50us, activation: 100KB, gradients: 8MB, update: 9us}
  > EOF
  $ heddle run step.yaml -q
  $ heddle why step.db gpt --messages 2
  gpt: training on 4 ranks, run 1
    iteration 1 of 1 took 841.2us; ideal 817.3us, 1.03 times that
  
    critical path    messages computations       time      ideal       lost
    forward                 0            3      150us      150us         0s
    stages                  2            0    23.95us    18.99us     4.96us
    backward                0            3      300us      300us         0s
    gradients               2            0    358.2us    339.3us    18.93us
    update                  0            1        9us        9us         0s
    in all                  4            7    841.2us    817.3us    23.89us
  
    messages on it that lost most (of 4 that lost)
     begins at  phase      from         to                 size      took     ideal   times     flow
       473.9us  gradients  host0.0      host0.1             2MB   181.8us   169.7us    1.07        2
       655.7us  gradients  host0.1      host0.0             2MB   176.5us   169.7us    1.04        7
  $ heddle why step.db --csv > path.csv
  $ python3 - <<EOF
  > import csv
  > steps = list(csv.DictReader(open("path.csv")))
  > print(len(steps), all(a["end_us"] == b["start_us"] for a, b in zip(steps, steps[1:])), steps[0]["phase"], steps[-1]["phase"])
  > print(sum(float(p["end_us"]) - float(p["start_us"]) for p in steps) - (float(steps[-1]["end_us"]) - float(steps[0]["start_us"])) < 1e-6)
  > EOF
  11 True forward update
  True
  $ sqlite3 step.db 'SELECT job, iteration, end_ps > ideal_ps, exposed_ps > 0, last_rank < 4 FROM job_iterations'
  0|0|1|1|1

What is not there is said.

  $ heddle why step.db llama
  heddle: error: step.db: run 1 has no job 'llama'; its first is 'gpt'
  [2]
  $ cat > flows.yaml <<EOF
  > fabric: {kind: star, hosts: 4, rate: 100Gbps, delay: 500ns}
  > workload: {kind: permutation, sizes: 1MB}
  > EOF
  $ heddle run flows.yaml -q
  $ heddle why flows.db
  heddle: error: flows.db: run 1 has no jobs; they are workloads of the kinds collective and training
  [2]
  $ heddle why flows.db --run 7
  heddle: error: flows.db: there is no run 7; it has 1 run
  [2]
