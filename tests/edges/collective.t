An operation between ranks is a job: its iterations have a completion time, an ideal, and bandwidths. With nothing in the way
and a transport that sends at the rate of the link, a ring of full frames takes its ideal to the picosecond: 2 (n - 1) messages
in a row.

  $ cat > x.yaml <<EOF
  > fabric: {kind: star, hosts: 8, rate: 100Gbps, delay: 500ns}
  > host: {transport: udp}
  > workload: {kind: collective, op: all-reduce, algorithm: ring, size: 58880KB, ranks: 8, iterations: 2}
  > EOF
  $ heddle run x.yaml --json -q | python3 -c '
  > import json, sys
  > for job in json.loads(sys.stdin.readline())["jobs"]:
  >     print(job["name"], job["op"], job["ranks"], job["iterations"], job["jct_us"]["n"], job["slowest_rank"])
  >     print(job["jct_us"]["mean"] == job["jct_us"]["max"] == job["ideal_us"])
  >     print(round(job["algbw_gbps"], 2), round(job["busbw_gbps"] / job["algbw_gbps"], 2))'
  job0 all-reduce 8 2 2 1
  True
  54.59 1.75

The table shows what a job is about. Threads change nothing.

  $ COLUMNS=100 heddle run x.yaml --set workload.0.name=ring --set run.seed=2 2>/dev/null | head -8
  x
  
  job completion times
                 ring               ring
                  JCT     ring  slowdown       ring
    run.seed     mean  JCT max      mean      busbw  dropped
    2         8.63 ms  8.63 ms      1.00  95.5 Gbps        0
  
  $ heddle run x.yaml --threads 2 --set host.transport=dctcp --json -q 2>/dev/null | grep -o '"digest": *"[0-9a-f]*"' > two
  $ heddle run x.yaml --force --threads 1 --set host.transport=dctcp --json -q 2>/dev/null | grep -o '"digest": *"[0-9a-f]*"' | diff - two

Claims name jobs; a job that is not there is named, too.

  $ cat >> x.yaml <<EOF
  > expect: {claim: near its ideal, metric: job.job0.slowdown.max, value: [1, 1.01]}
  > EOF
  $ heddle run x.yaml 2>/dev/null | grep ideal
    near its ideal: not decided (one seed); job.job0.slowdown.max: 1 (one seed), claimed 1 to 1.01
  $ heddle check x.yaml --set expect.metric=job.job1.slowdown.max
  --set expect.metric:1:1: error: there is no number 'job.job1.slowdown.max' in a result; at 'job1' known are: job0; did you mean 'job.job0.slowdown.max'?
  [2]
  $ heddle check x.yaml --set workload.0.size=64000001B
  x.yaml:3:18: error: size: 64000001 bytes cannot be cut into 8 equal parts (ranks x channels); write size: 64000008B
  [2]
  $ heddle check x.yaml --set workload.0.ranks=9
  x.yaml:3:18: error: ranks: 9, but the fabric has 8 hosts; write at most 8
  [2]

A skewed all-to-all: its ideal is at least the time of the link of the most popular rank, and it is never faster. Without skew it is what
it was, to the bit.

  $ cat > skew.yaml <<EOF
  > fabric: {kind: star, hosts: 8, rate: 100Gbps, delay: 500ns}
  > scheme: dctcp
  > workload: {kind: collective, op: all-to-all, size: 8MB, ranks: 8, window: 2, iterations: 2}
  > EOF
  $ heddle run skew.yaml -q -o plain.db --json | grep -o '"digest": *"[0-9a-f]*"' > plain
  $ heddle run skew.yaml -q -o zero.db --set workload.0.skew=0 --json | grep -o '"digest": *"[0-9a-f]*"' | diff plain -
  $ cat > look.py <<EOF
  > import json, sqlite3, subprocess
  > for skew in ("0.5", "1", "2"):
  >     out = subprocess.run(["heddle", "run", "skew.yaml", "-q", "-o", f"skew{skew}.db", "--set", f"workload.0.skew={skew}", "--json"],
  >                          capture_output=True, text=True, check=True).stdout
  >     job = json.loads(out.splitlines()[0])["jobs"][0]
  >     db = sqlite3.connect(f"skew{skew}.db")
  >     flows, sent = db.execute("SELECT count(*), sum(bytes) FROM flows").fetchone()
  >     weights = [(k + 1) ** -float(skew) for k in range(8)]
  >     most = 7 * 8e6 * weights[0] / sum(weights) * 8 / 100e9 * 1e6  # us on the link of the most popular rank
  >     print(skew, flows, sent == 2 * 7 * 8000000, 1 < job["ideal_us"] / most < 1.08, job["jct_us"]["mean"] >= job["ideal_us"])
  > EOF
  $ python3 look.py
  0.5 112 True True True
  1 112 True True True
  2 112 True True True
  $ heddle check skew.yaml --set workload.0.op=all-gather --set workload.0.window=0 --set workload.0.skew=1
  skew.yaml:3:18: error: skew: with all-gather all shares are alike, so it would do nothing; leave it out
  [2]
