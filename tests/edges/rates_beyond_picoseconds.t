Links of 100 Tbps: 84 B take 7 ps and not 6.72, so every figure is more than 1 % off. Such a rate is refused, wherever it
stands; a rate at which rounding to picoseconds adds 0.1 to 1 % gets a warning with the mean error.

  $ cat >star.yaml <<EOF
  > fabric: {kind: star, hosts: 2, rate: 100Tbps}
  > workload: {kind: permutation, sizes: 1MB}
  > EOF
  $ heddle run star.yaml -o star.db
  star.yaml:1:38: error: fabric.rate: at 100Tbps frames of 64 to 1518 B take 1.2 % longer than they should on average, since times are whole picoseconds; write 8Tbps, or at most 4Tbps
  [2]
  $ ls star.db 2>&1 | grep -o 'No such file'
  No such file
  $ says() { heddle check "$@" 2>&1 | grep -o '\(warning\|error\): [a-z0-9., -]*[0-9a-z]: at [0-9.A-Za-z]* .* take [0-9.]* %'; }
  $ says star.yaml --set fabric.rate=20Tbps
  warning: fabric.rate: at 20Tbps frames of 64 to 1518 B take 0.2 %

Both values of the remedy are without a warning; so is what networks have.

  $ for rate in 8Tbps 4Tbps 3.2Tbps 1.6Tbps 800Gbps; do says star.yaml --set fabric.rate=$rate; done
  [1]

One link, and a link that loses a part of its rate:

  $ cat >links.yaml <<EOF
  > fabric:
  >   kind: star
  >   hosts: 2
  >   rate: 8Tbps
  >   links: [{match: "host0.1-*", rate: 80Tbps}]
  >   failed: [{link: host0.1-leaf0, at: 1us, rate: 79.9Tbps}]
  > workload: {kind: permutation, sizes: 1MB}
  > EOF
  $ says links.yaml
  error: fabric.failed.0.rate: at 79.9Tbps frames of 64 to 1518 B take 1 %
  $ says links.yaml --set 'fabric.failed=[]'
  warning: fabric.links.0.rate: at 80Tbps frames of 64 to 1518 B take 0.9 %

A rate that stands in the file of a fabric is named with its link; no file can name more than 10 Tbps.

  $ cat >net.yaml <<EOF
  > nodes: [{name: s1}, {name: a}, {name: b}]
  > links: [{a: s1, b: a, rate: 10Gbps}, {a: s1, b: b, rate: 10Tbps}]
  > EOF
  $ cat >file.yaml <<EOF
  > fabric: {kind: file, path: net.yaml}
  > workload: {kind: permutation, sizes: 1MB}
  > EOF
  $ says file.yaml
  warning: fabric.path, link b-s1: at 10Tbps frames of 64 to 1518 B take 0.1 %
