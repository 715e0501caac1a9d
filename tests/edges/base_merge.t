A file that differs from a figure's in two lines names that file as its base and says the two lines. Blocks merge, lists are replaced,
profiles come along, and the values keep the place that they came from.

  $ mkdir paper
  $ cat > paper/figure.yaml <<EOF
  > title: A figure of a paper
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > host: {jitter: 1us, min_rto: 2ms, newreno: {dupack_threshold: 4}}
  > workload: [{kind: permutation, sizes: 100KB}]
  > sweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}
  > profiles: {small: {sweep: {run.seed: [1]}}}
  > EOF
  $ cat > sensitivity.yaml <<EOF
  > title: The same without the least timeout of 2 ms
  > base: paper/figure.yaml
  > host: {min_rto: 200us}
  > sweep: {switch.balance: [ecmp]}
  > EOF
  $ heddle check sensitivity.yaml | grep -E '^# The|jitter|min_rto'
  # The same without the least timeout of 2 ms: 2 runs: switch.balance (1) x run.seed (2)
    jitter: 1us
      min_rto: 200us
  $ heddle check sensitivity.yaml --profile small | grep '^# The'
  # The same without the least timeout of 2 ms: 1 run: switch.balance (1) x run.seed (1)
  $ heddle docs profiles -- check sensitivity.yaml
  small
  $ heddle run sensitivity.yaml --profile small -o s.db --quiet && heddle export s.db --csv csv >/dev/null && cut -d, -f1-3 csv/experiments.csv
  experiment,title,file
  sensitivity@small,The same without the least timeout of 2 ms,sensitivity.yaml

A key of the base without an effect here is not a mistake of this file; one of its own is.

  $ cat > wide.yaml <<EOF
  > base: paper/figure.yaml
  > host: {transport: dctcp, hull: {min_rto: 1ms}}
  > EOF
  $ heddle run wide.yaml -o w.db --quiet
  wide.yaml:2:42: warning: host.hull.min_rto has no effect: no run has transport=hull; leave it out
  paper/figure.yaml:5:32: warning: switch.balance: spray reorders packets, and dctcp takes reordered packets for lost: it sends it again and slows down; write host.dctcp.dupack_threshold: 100, or take a transport that tolerates it

An error names the file that has the value: the base here, the file itself there.

  $ sed -i 's/1us/1parsec/' paper/figure.yaml
  $ heddle check sensitivity.yaml
  paper/figure.yaml:3:16: error: host.jitter: 'parsec' is no unit of a time; write ps, ns, us, ms or s, such as 20us (a base of sensitivity.yaml)
  [2]
  $ sed -i 's/200us/200parsec/' sensitivity.yaml
  $ heddle check sensitivity.yaml
  paper/figure.yaml:3:16: error: host.jitter: 'parsec' is no unit of a time; write ps, ns, us, ms or s, such as 20us (a base of sensitivity.yaml)
  [2]
