The terminal of `heddle run` is closed. The run is interrupted as by Ctrl-C, and says how to go on; under nohup it goes on.

  $ cat >slow.yaml <<'END'
  > title: a run of minutes
  > fabric: {kind: star, hosts: 3}
  > workload: {kind: long, src: 0, dst: 2, within: 100us}
  > run: {until: 1000s}
  > END
  $ status() { sqlite3 -readonly slow.db 'SELECT status, failure FROM runs' 2>/dev/null; }
  $ begun() { for i in $(seq 400); do [ "$(status)" = "running|" ] && return; sleep 0.05; done; }
  $ heddle run slow.yaml -q 2>said & run=$!; begun; kill -HUP $run; wait $run; echo "exit $?"
  exit 3
  $ grep -o 'the same command goes on from there' said; status
  the same command goes on from there
  failed|interrupted
  $ nohup heddle run slow.yaml -q >said 2>&1 & run=$!; begun; kill -HUP $run; sleep 0.5; kill -0 $run && echo it goes on
  it goes on
  $ kill $run; wait $run; echo "exit $?"
  exit 3
