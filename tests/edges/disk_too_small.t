Results that will not fit on the disk of their store are refused in one line, before a run begins; of a store that has some of them, the
rest counts.

  $ mkdir small; if ! mount -t tmpfs -o size=1200k none small 2>/dev/null; then echo "no file system can be mounted here"; exit 80; fi
  $ trap 'umount small' EXIT
  $ cat > x.yaml <<EOF
  > title: Samples
  > fabric: {kind: star, hosts: 4}
  > workload: {kind: permutation, sizes: 1MB}
  > measure: {queues: 1us}
  > sweep: {run.seed: [1, 2, 3, 4, 5, 6]}
  > EOF
  $ heddle check x.yaml | grep '^# store'
  # store: about 1692KB for all 6 runs, 261600B for this one
  $ heddle run x.yaml -q -o small/x.db; ls small
  small/x.db: error: disk: the results will take about 1.6 MB, but 1.2 MB are free there; name a file elsewhere with -o, take fewer runs, flows or samples (measure.max_samples), or go on with --force

  $ heddle run x.yaml -q -o small/x.db --set sweep.run.seed='[1, 2]'; ls small
  x.db
  $ heddle run x.yaml -q -o small/x.db 2>said; echo $?; sed 's/but [0-9]* kB/but SOME kB/' said
  2
  small/x.db: error: disk: the results will take about 1.0 MB, but SOME kB are free there; name a file elsewhere with -o, take fewer runs, flows or samples (measure.max_samples), or go on with --force
  $ heddle run x.yaml -q -o small/x.db --set sweep.run.seed='[1, 2]'
  $ heddle report small/x.db --text | grep done
    x: 2 runs done

Whoever knows better goes on; then the disk is full.

  $ heddle run x.yaml -q -o small/x.db --force 2>&1 | grep -o 'database or disk is full' | uniq
  database or disk is full
