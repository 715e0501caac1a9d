Somebody swept responses of 8000 B and 8192 B: both are "8 KB" to a reader. Every result names them apart, a multiple of 1000
with KB and any other size with KiB: the object, tables, the CSV file, the page, and the values of an axis.

  $ cat >x.yaml <<'END'
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
  > workload: {kind: query, schedule: {for: 1ms, rate: 4000/s}, responses: [8000B, 8192B, 1MiB], queries: 30}
  > measure: {classes: [8000B, 8KiB]}
  > sweep: {switch.buffer: [128KB, 131072B], run.seed: [1, 2]}
  > expect:
  >   - {claim: A, metric: queries.8KiB.n, of: {}, each: switch.buffer, value: [1, null]}
  >   - {claim: B, metric: queries.8KB.n, of: {switch.buffer: 128KiB}, value: [1, null]}
  > END
  $ heddle run x.yaml -q --json 2>/dev/null >lines; grep -o '"\(8000B\|8192B\|8KB\|8KiB\|1MiB\|1048576B\)": *{' lines | sort -u
  "1MiB":{
  "8KB":{
  "8KiB":{
  $ grep -o '"[a-z]*_\?8[A-Za-z]*\(_to_8KiB\)\?": *{' lines | sort -u
  "8KB":{
  "8KB_to_8KiB":{
  "8KiB":{
  "from_8KiB":{
  "under_8KB":{
  $ heddle report x.db --text | grep -e 'switch.buffer:' -e claims -e 'KiB.*of'
    switch.buffer: 128KB, 128KiB
  claims: 3 hold
  $ heddle export x.db --csv csv >/dev/null; head -1 csv/runs.csv | tr ',' '\n' | grep -e '^fct_us.*8K.*p99' -e '^queries.[0-9].*p99'
  fct_us.under_8KB.p99
  fct_us.under_8KB.p999
  fct_us.8KB_to_8KiB.p99
  fct_us.8KB_to_8KiB.p999
  fct_us.from_8KiB.p99
  fct_us.from_8KiB.p999
  queries.8KB.p99
  queries.8KB.p999
  queries.8KiB.p99
  queries.8KiB.p999
  queries.1MiB.p99
  queries.1MiB.p999
  $ cut -d, -f4 csv/claims.csv
  metric
  queries.8KiB.n
  queries.8KiB.n
  queries.8KB.n
  $ heddle report x.db >/dev/null; grep -o '"fct_us.[0-9a-zA-Z_]*8K[0-9a-zA-Z_]*.p99"' x.html | sort -u
  "fct_us.8KB_to_8KiB.p99"
  "fct_us.from_8KiB.p99"
  "fct_us.under_8KB.p99"

The names of an older heddle, and the wrong unit, are answered with the right name.

  $ sed 's/queries.8KiB.n/queries.8192B.n/' x.yaml >old.yaml; heddle check old.yaml 2>&1 | grep -o "did you mean.*"
  did you mean 'queries.8KiB.n'?
  $ sed 's/queries.8KB.n/queries.8000B.n/' x.yaml >old.yaml; heddle check old.yaml 2>&1 | grep -o "did you mean.*"
  did you mean 'queries.8KB.n'?
  $ sed 's/8000B, 8192B, 1MiB/8KiB/' x.yaml >one.yaml; heddle check one.yaml 2>&1 | grep -o "at '8KB'.*"
  at '8KB' known are: started, finished, unfinished, all, 8KiB, over_10ms, by_priority, fifths, sets, timeouts; did you mean 'queries.8KiB.n'?
