A user named a device or a folder as the store. The command says so before anything runs, and does not blame the disk.

  $ cat > x.yaml <<'EOF'
  > fabric: {kind: star, hosts: 2}
  > workload: [{kind: permutation, sizes: 20KB}]
  > EOF
  $ heddle run x.yaml -o /dev/null
  /dev/null: error: this is no plain file and cannot hold a results store; name a file with -o
  [2]
  $ heddle run x.yaml -o .
  .: error: this is a folder and cannot hold a results store; name a file with -o
  [2]
  $ mkfifo pipe
  $ timeout 10 heddle run x.yaml -o pipe
  pipe: error: this is no plain file and cannot hold a results store; name a file with -o
  [2]
