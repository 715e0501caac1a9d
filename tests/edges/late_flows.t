A user gives a trace in which two of four flows start after run.until. They are neither finished nor unfinished: the run must
name their number, beside the unfinished ones.

  $ printf '0us,0,1,10000\n5us,1,2,10000\n2s,2,3,10000\n3s,3,0,10000\n' > late.csv
  $ cat > late.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: trace, path: late.csv}
  > run: {until: 1ms}
  > END
  $ heddle check late.yaml 2>&1 > /dev/null
  late.yaml:3:14: warning: run.until: 2 of 4 flows start at 2s or later, when the run has ended at 1ms: they are not in it; end later, or start them earlier
  $ heddle run late.yaml --json -q -o late.db 2> warnings | python3 -c "import json, sys; print(json.load(sys.stdin)['flows'])"
  {'started': 2, 'finished': 2, 'unfinished': 0, 'not_started': 2, 'bytes': 20000}
  $ grep 'had not started' warnings
  late.yaml: warning: flows had not started in 1 of 1 run: 2 when run 1 ended; end later (run.until)
  $ sqlite3 late.db "SELECT json_extract(result, '$.flows.not_started') FROM runs"
  2
  $ heddle report late.db --text | grep 'had not started'
    missing from 1: 2 flows had not started
