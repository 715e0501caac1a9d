A run has the same identity in a file with a base as in one that is written out, so the store of the one has the results of the other.

  $ cat > figure.yaml <<EOF
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
  > host: {jitter: 1us}
  > workload: [{kind: permutation, sizes: 100KB}]
  > sweep: {run.seed: [1, 2]}
  > EOF
  $ cat > based.yaml <<EOF
  > base: figure.yaml
  > host: {jitter: null, min_rto: 200us}
  > EOF
  $ sed 's/jitter: 1us/min_rto: 200us/' figure.yaml > written.yaml
  $ heddle check based.yaml | sed -n 2p > a; heddle check written.yaml | sed -n 2p | diff - a && echo same
  same
  $ cp written.yaml x.yaml; heddle run x.yaml -o s.db --quiet; sqlite3 s.db 'SELECT count(*), max(started) FROM runs' > first
  $ cp based.yaml x.yaml; heddle run x.yaml -o s.db --quiet; sqlite3 s.db 'SELECT count(*), max(started) FROM runs' | diff first - && cut -d'|' -f1 first
  2

The page's "Repeat it" names the file and the values of the run.

  $ heddle check based.yaml --run 2 | grep -o 'identity .*' > a2; heddle check based.yaml --set run.seed=2 | grep -o 'identity .*' | diff - a2 && echo same
  same

What check prints is the run written out.

  $ heddle check based.yaml > printed.yaml; heddle check printed.yaml | sed -n 2p | diff - a && grep -c base: printed.yaml
  0
  [1]
