A script passed an empty variable as the name of the store. Nothing runs, since nothing would be kept.

  $ cat > x.yaml <<'EOF'
  > fabric: {kind: star, hosts: 2}
  > workload: [{kind: permutation, sizes: 20KB}]
  > EOF
  $ heddle run x.yaml -o ''
  heddle: error: -o is given an empty name; name a file
  [2]
  $ heddle run x.yaml --out=
  heddle: error: --out is given an empty name; name a file
  [2]
  $ heddle lab run x.yaml -o ''
  heddle: error: -o is given an empty name; name a file
  [2]
  $ ls
  x.yaml

Every other command that reads or writes files says the same.

  $ heddle run x.yaml -q
  $ heddle report x.db -o ''
  heddle: error: -o is given an empty name; name a file
  [2]
  $ heddle report x.db --figures ''
  heddle: error: --figures is given an empty name; name a folder
  [2]
  $ heddle export x.db --csv ''
  heddle: error: --csv is given an empty name; name a folder
  [2]
  $ heddle report x.db --experiment ''
  heddle: error: --experiment is given an empty name; name a file
  [2]
  $ heddle flows ''
  heddle: error: RESULTS.db is given an empty name; name a file
  [2]
