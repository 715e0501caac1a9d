A store from elsewhere holds what no run stores: values of another kind, files beside it that are none, a table without end. One line
names the store and what is wrong.

  $ cat >x.yaml <<END
  > title: damaged
  > fabric: {kind: star, hosts: 2}
  > workload: {kind: permutation, sizes: 20KB}
  > END
  $ heddle run x.yaml -q
  $ with() { cp x.db y.db; python3 -c 'import sqlite3, sys
  > store = sqlite3.connect("y.db"); store.execute(sys.argv[1]); store.commit()' "$1"; timeout 20 heddle ${2-report y.db --text} >said 2>&1; echo "exit $?"; head -n 3 said | cut -c 1-150; }
  $ with 'UPDATE runs SET number = 5000000000'
  exit 2
  y.db: error: this store is damaged: a value of number is no such number; run the experiment again into another file
  $ with 'UPDATE runs SET number = -1'
  exit 2
  y.db: error: this store is damaged: a value of number is no such number; run the experiment again into another file
  $ with "UPDATE runs SET number = 'x'"
  exit 2
  y.db: error: this store is damaged: a value of number is no such number; run the experiment again into another file
  $ with "UPDATE runs SET settings = x'00ff'"
  exit 2
  y.db: error: this store is damaged: a value of settings is no text; run the experiment again into another file
  $ with 'UPDATE runs SET result = zeroblob(70000000)'
  exit 2
  y.db: error: results store: string or blob too big
  $ with 'UPDATE experiments SET name = 7.5'
  exit 0
  damaged
    7.5: 1 runs done
    run.seed: 1
  $ with "UPDATE experiments SET title = x'1b5b'"
  exit 2
  y.db: error: this store is damaged: a value of title is no text; run the experiment again into another file
  $ with "UPDATE flows SET src = 'x'" 'flows y.db'
  exit 2
  y.db: error: this store is damaged: a value of flows.src is no number; run the experiment again into another file
      flow class    from           to                   bytes      start us        end us       fct us slowdown       Mbps   retx   rtos counts  path
  $ with 'UPDATE nodes SET name = NULL' 'flows y.db'
  exit 2
  y.db: error: this store is damaged: a value of nodes.name is no text; run the experiment again into another file
  $ with "INSERT INTO claims(experiment, claim, measured) VALUES (1, 'c', 'much')"
  exit 2
  y.db: error: this store is damaged: a value of measured is no such number; run the experiment again into another file
  $ with "INSERT INTO claims(experiment, claim, n_seeds) VALUES (1, 'c', -3)"
  exit 2
  y.db: error: this store is damaged: a value of n_seeds is no such number; run the experiment again into another file
Files beside it that would block whoever opens them:

  $ for part in journal wal shm; do
  >   mkfifo x.db-$part; timeout 20 heddle report x.db --text; echo "exit $?"; timeout 20 heddle run x.yaml -q; echo "exit $?"; rm x.db-$part
  > done
  x.db-journal: error: this stands beside a results store and is no plain file; remove it
  exit 2
  x.db-journal: error: this stands beside a results store and is no plain file; remove it
  exit 2
  x.db-wal: error: this stands beside a results store and is no plain file; remove it
  exit 2
  x.db-wal: error: this stands beside a results store and is no plain file; remove it
  exit 2
  x.db-shm: error: this stands beside a results store and is no plain file; remove it
  exit 2
  x.db-shm: error: this stands beside a results store and is no plain file; remove it
  exit 2
Pages that point to each other, so that 200^5 experiments seem to be there; before, the report did not end:

  $ python3 - <<'END'
  > import sqlite3
  > db = sqlite3.connect("x.db")
  > root, = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'experiments'").fetchone()
  > size, = db.execute("PRAGMA page_size").fetchone()
  > db.close()
  > data = bytearray(open("x.db", "rb").read())
  > def add(page):
  >     data.extend(page)
  >     return len(data) // size
  > def of_children(child, cells=200):
  >     page = bytearray(size)
  >     page[0], page[3:5], page[5:7], page[8:12] = 5, cells.to_bytes(2, "big"), (size - 5 * cells).to_bytes(2, "big"), child.to_bytes(4, "big")
  >     for i in range(cells):
  >         at = size - 5 * (i + 1)
  >         page[at:at + 5] = child.to_bytes(4, "big") + bytes([i % 100])
  >         page[12 + 2 * i:14 + 2 * i] = at.to_bytes(2, "big")
  >     return bytes(page)
  > child = add(data[(root - 1) * size:root * size])
  > for _ in range(4):
  >     child = add(of_children(child))
  > data[(root - 1) * size:root * size] = of_children(child)
  > data[28:32] = (len(data) // size).to_bytes(4, "big")
  > open("endless.db", "wb").write(data)
  > END
  $ for command in "report endless.db --text" "flows endless.db" "export endless.db --csv out" "diff x.db endless.db"; do
  >   timeout 120 heddle $command; echo "exit $?"
  > done
  endless.db: error: results store: it is damaged, and a table of it has no end; run the experiment again into another file
  exit 2
  endless.db: error: results store: it is damaged, and a table of it has no end; run the experiment again into another file
  exit 2
  endless.db: error: results store: it is damaged, and a table of it has no end; run the experiment again into another file
  exit 2
  endless.db: error: results store: it is damaged, and a table of it has no end; run the experiment again into another file
  exit 2
