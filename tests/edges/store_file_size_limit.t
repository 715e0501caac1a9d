A user's shell limits the size of files (ulimit -f), and a store grows beyond it. The command says so, keeps what is
finished, and goes on where the limit is gone.

  $ cat > x.yaml <<'EOF'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
  > workload: [{kind: permutation, sizes: 20KB}]
  > sweep: {run.seed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}
  > EOF
  $ (ulimit -f 180; heddle run x.yaml -q 2> said); echo $?
  3
  $ sed -E 's/[0-9]+ of/N of/; s/ \(File too large\)//' said
  x.db: error: results store: disk I/O error; check the disk and the limits (ulimit -f), and run the same command again
  x.yaml: N of 12 runs are not done; what finished is in x.db, the same command goes on from there
  $ sqlite3 x.db "SELECT count(*) BETWEEN 1 AND 11 FROM runs WHERE status = 'done'"
  1
  $ heddle run x.yaml -q
  $ sqlite3 x.db "SELECT count(*) FROM runs WHERE status = 'done'"
  12
