A user writes a schedule of query rates whose phases last 1 ps. The run must end: a query arrives after some thousand million
phases.

  $ cat > phases.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: query, responses: [2KB], queries: 100, schedule: [{for: 1ps, rate: 1000/s}, {for: 1ps, rate: 0/s}]}
  > END
  $ timeout 20 heddle run phases.yaml --json -q | python3 -c "import json, sys; print(json.load(sys.stdin)['queries']['finished'])"
  100
