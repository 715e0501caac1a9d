A user adds a title, a table and containers to an experiment that has run. None of these blocks is a setting of its runs: the
store's run is the one that is asked for, and the effective configuration does not name them.

  $ cat > plain.yaml <<'END'
  > fabric: {kind: star, hosts: 4, rate: 10Gbps}
  > workload: {kind: permutation, sizes: 15KB}
  > END
  $ (cat plain.yaml; echo 'title: all of it'; echo 'table: {columns: [fct_us.all.p99]}'; echo 'lab: {hosts: [{match: "host0.*", image: none}]}') > more.yaml
  $ heddle run plain.yaml -q -o x.db > /dev/null; heddle run more.yaml -q -o x.db > /dev/null
  $ sqlite3 x.db 'SELECT count(DISTINCT identity) FROM runs'
  1
  $ heddle check more.yaml 2> /dev/null | grep -c -e '^title' -e '^table' -e '^lab'
  0
  [1]

None of them can be swept.

  $ for block in title table.baseline lab.tool schemes figure.0.width; do heddle check plain.yaml --set "sweep.$block=[a, b]" 2>&1 > /dev/null | grep -c 'cannot be swept'; done
  1
  1
  1
  1
  1
