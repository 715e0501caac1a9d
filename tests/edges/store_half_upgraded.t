A run was killed while an earlier heddle gave a store its new columns, and some of them were there already. The store is
made whole by the next run, and what it held is kept.

  $ cat > x.yaml <<'EOF'
  > fabric: {kind: star, hosts: 2}
  > workload: [{kind: permutation, sizes: 20KB}]
  > EOF
  $ heddle run x.yaml -q
  $ sqlite3 x.db "SELECT json_extract(result, '$.engine.digest') FROM runs" > undisturbed
  $ sqlite3 x.db "ALTER TABLE flows DROP COLUMN stop_ps; ALTER TABLE claims DROP COLUMN paper"
  $ heddle run x.yaml -q --set run.seed=2 2> notes
  $ sqlite3 x.db "SELECT json_extract(result, '$.engine.digest') FROM runs" | head -1 | diff - undisturbed
  $ sqlite3 x.db "SELECT status, count(*) FROM runs GROUP BY status; SELECT count(*) FROM flows WHERE stop_ps IS NULL"
  done|2
  4

The first layout had other columns of timelines, which nothing added.

  $ sqlite3 x.db "ALTER TABLE timelines RENAME COLUMN frame TO is_ack; ALTER TABLE timelines DROP COLUMN credit"
  $ heddle run x.yaml -q --set measure.flow=[0] 2> notes
  $ sqlite3 x.db "SELECT count(*) > 0 FROM timelines WHERE frame = 'data' AND kind = 'delivered'"
  1
