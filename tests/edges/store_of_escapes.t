A store from elsewhere has names that would control a terminal: nothing that heddle prints of it does.

  $ cat >x.yaml <<END
  > title: a store from elsewhere
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
  > workload: {kind: permutation, sizes: 50KB, pairs: inter-rack}
  > measure: {queues: 10us, imbalance: 10us}
  > END
  $ heddle run x.yaml -q
  $ python3 -c 'import sqlite3
  > store = sqlite3.connect("x.db")
  > store.execute("UPDATE nodes SET name = char(27) || ? || name", ("[31m",))
  > store.execute("UPDATE experiments SET title = char(155) || char(7) || title")
  > store.commit()'
  $ for command in "flows x.db" "flows x.db --csv" "flow x.db 0" "report x.db --text" "diff x.db x.db" "report x.db -o x.html"; do
  >   heddle $command >said 2>&1; LC_ALL=C grep -l $'[\x01-\x08\x0e-\x1f\x7f]' said
  > done
  [1]
  $ heddle flows x.db --csv | cut -d , -f 3 | grep -o '.31mhost[01]' | sort -u
  [31mhost0
  [31mhost1
