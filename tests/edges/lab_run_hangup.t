The terminal of `lab run` is closed. The run ends, and its lab with it.

  $ . "$ROOT/tests/edges/labs.sh"
  $ cat >run.yaml <<'END'
  > title: one flow of minutes
  > fabric: {kind: star, hosts: 2, rate: 10Mbps}
  > host: {transport: cubic}
  > workload: {kind: incast, senders: 1, receiver: 0, sizes: 100MB}
  > END
  $ heddle lab run run.yaml -o run.db --name $LAB -q 2>said & run=$!
  $ until heddle lab status --name $LAB >/dev/null 2>&1; do sleep 0.05; done
  $ kill -HUP $run; wait $run; echo "exit $?"
  exit 3
  $ left
  0 namespaces, 0 processes, 0 folders
