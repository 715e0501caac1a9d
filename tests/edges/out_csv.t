Results of a run go to out.csv, and those of a lab to out.json. A results store is neither, so the names are refused and nothing is run.

  $ cat > x.yaml <<'EOF'
  > title: an incast
  > fabric: {kind: star, hosts: 3}
  > workload: {kind: incast, sizes: 1KB}
  > EOF
  $ heddle run x.yaml -o out.csv
  heddle: error: --out out.csv: a results store is a SQLite database; write --out out.db, then heddle export writes tables
  [2]
  $ heddle lab run x.yaml -o out.json
  heddle: error: --out out.json: a results store is a SQLite database; write --out out.db, and --json prints JSON
  [2]
  $ ls
  x.yaml
