A user asked for a store in memory, as other programs on SQLite allow. It would end with the command, so nothing runs.

  $ cat > x.yaml <<'EOF'
  > fabric: {kind: star, hosts: 2}
  > workload: [{kind: permutation, sizes: 20KB}]
  > EOF
  $ heddle run x.yaml -o :memory:
  :memory:: error: SQLite takes this for no plain file name, and results would not be kept where it says; name a file with -o, such as ./results.db
  [2]
  $ heddle run x.yaml -o 'file:x.db?mode=memory'
  file:x.db?mode=memory: error: SQLite takes this for no plain file name, and results would not be kept where it says; name a file with -o, such as ./file:x.db?mode=memory
  [2]
  $ ls
  x.yaml

A file of such a name is named with its folder.

  $ heddle run x.yaml -q -o ./file:x.db
  $ ls
  file:x.db
  x.yaml
