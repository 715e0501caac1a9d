A figure that no file asked for: heddle plot draws a metric against a swept key, or the distribution of a summary.

  $ command -v gnuplot >/dev/null || exit 80
  $ cat > f.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > workload: [{kind: poisson, sizes: web-search, load: 0.3, load_at: host, flows: 100}]
  > measure: {queues: 200us}
  > sweep: {switch.balance: [ecmp, expeditus], workload.0.load: [0.2, 0.4], run.seed: [1, 2]}
  > EOF
  $ heddle run f.yaml -o f.db --quiet 2>/dev/null
  $ heddle plot f.db slowdown.all.mean by load --figures a/b
  a/b/slowdown.all.mean-by-load.svg
  a/b/slowdown.all.mean-by-load.pdf
  a/b/slowdown.all.mean-by-load.png
  a/b/slowdown.all.mean-by-load.gp
  a/b/slowdown.all.mean-by-load.csv
  $ cut -d, -f1,2,6-10 a/b/slowdown.all.mean-by-load.csv
  curve,x,n,panel,series,category,unit
  0,0.2,2,,ecmp,,
  0,0.4,2,,ecmp,,
  1,0.2,2,,expeditus,,
  1,0.4,2,,expeditus,,
  $ heddle plot f.db fct_us.all.mean by balance --panels load --set unit=ms --set share_y=true --name bars | grep png
  ./bars.png
  $ cut -d, -f1,2,6-10 bars.csv
  curve,x,n,panel,series,category,unit
  0,0,2,load 0.2,,ecmp,ms
  0,1,2,load 0.2,,expeditus,ms
  1,0,2,load 0.4,,ecmp,ms
  1,1,2,load 0.4,,expeditus,ms
  $ heddle plot f.db slowdown.all --kind ccdf --of load=0.4 --of switch.balance=ecmp --set band=range | grep png
  ./slowdown.all-load-0.4-switch.balance-ecmp.png
  $ heddle plot f.db queue.max --of load=0.4 | grep png
  ./queue.max-load-0.4.png

What cannot be drawn is refused with the remedy.

  $ heddle plot f.db slowdown.all.mean
  error: slowdown.all.mean is one number of a run; write slowdown.all.mean by KEY, swept are: switch.balance, workload.0.load, run.seed
  [2]
  $ heddle plot f.db slowdown.all.mean by
  heddle: error: 'by' names no key; write heddle plot f.db slowdown.all.mean by KEY
  [2]
  $ heddle plot f.db slowdown.all.mean by lod
  error: 'lod' is not swept, so no runs differ in it; did you mean 'load'?
  [2]
  $ heddle plot f.db slowdown.all.maen by load
  METRIC: error: there is no number 'slowdown.all.maen' in a result; at 'maen' known are: n, mean, p50, p95, p99, p999, max; did you mean 'slowdown.all.mean'?
  [2]
  $ heddle plot f.db slowdown.all.mean by load --of load=0.3
  --of:1:1: error: '0.3' is no value that workload.0.load is swept over
  [2]
  $ heddle plot f.db slowdown.all.mean by load --of load
  error: --of load: write --of KEY=VALUE
  [2]
  $ heddle plot f.db slowdown.all.mean by load --set lgo=y
  --set: error: unknown key 'lgo' in figure; did you mean 'log'?
  [2]
  $ heddle plot f.db slowdown.all.mean by load --set log=z
  --set:1:1: error: figure.log: 'z' is unknown; write one of: none, x, y, xy
  [2]
  $ heddle plot f.db slowdown.all.mean by load --set 'y_range=[0'
  --set:2:1: error: not YAML: did not find expected ',' or ']' while parsing a flow sequence; check indentation, colons and brackets here
  [2]
  $ heddle plot f.db link.max
  f.db: error: link.max has nothing to draw: none of its finished runs has samples of link.max; run it again with `measure` of them
  [2]

Of a store with several experiments, each that has the metric and the key is drawn; the others are named.

  $ sed 's/, workload.0.load: .*, run/, run/' f.yaml > one.yaml
  $ heddle run one.yaml -o f.db --quiet 2>/dev/null
  $ heddle plot f.db slowdown.all.mean by load --figures two | grep svg
  f.db: left out: 'one': 'load' is not swept, so no runs differ in it; swept are: switch.balance, run.seed
  two/f-slowdown.all.mean-by-load.svg
  $ heddle plot f.db slowdown.all.mean by balance --of load=0.2 --figures two | grep svg
  f.db: left out: 'one': 'load' is not swept, so no runs differ in it; sweep it or name another
  two/f-slowdown.all.mean-by-balance-load-0.2.svg
  $ heddle plot f.db slowdown.all.mean by lod
  f.db: error: 'f': 'lod' is not swept, so no runs differ in it; did you mean 'load'?
  [2]
