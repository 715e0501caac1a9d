A store from elsewhere holds programs: views, triggers, expressions. Every command that opens it refuses it with one line, at once;
before, a view answered until the temporary folder was full, and a trigger made the next run hang.

  $ cat >x.yaml <<END
  > fabric: {kind: star, hosts: 2}
  > workload: {kind: permutation, sizes: 20KB}
  > END
  $ heddle run x.yaml -q
  $ python3 - <<'END'
  > import shutil, sqlite3
  > endless = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
  > changes = {
  >     "view": [f"ALTER TABLE experiments RENAME TO old",
  >              f"CREATE VIEW experiments AS {endless} SELECT i AS id, 'x' AS name, '' AS title, '' AS file, '' AS created FROM n"],
  >     "trigger": [f"CREATE TRIGGER t AFTER UPDATE ON runs BEGIN INSERT INTO samples SELECT 1, i, 0, 'queue', 0 FROM ({endless} SELECT i FROM n); END"],
  >     "insert": [f"CREATE TRIGGER t BEFORE INSERT ON experiments BEGIN INSERT INTO samples SELECT 1, i, 0, 'queue', 0 FROM ({endless} SELECT i FROM n); END"],
  >     "generated": ["ALTER TABLE runs ADD COLUMN more AS (hex(zeroblob(900000000)))"],
  >     "default": ["ALTER TABLE samples ADD COLUMN more TEXT DEFAULT 'x'"],
  >     "index": ["CREATE INDEX i ON runs(length(hex(settings)))"],
  >     "partial": ["CREATE INDEX i ON runs(number) WHERE number > 0"],
  >     "virtual": ["CREATE VIRTUAL TABLE v USING fts5(x)"],
  >     "check": ["CREATE TABLE other(x CHECK(x > 0))"],
  >     "hidden": ["CREATE TABLE other(x)", "PRAGMA writable_schema=ON",
  >                "UPDATE sqlite_schema SET sql='CREATE VIEW other AS SELECT 1 AS x', rootpage=0 WHERE name='other'"]}
  > for name, sql in changes.items():
  >     shutil.copy("x.db", name + ".db")
  >     with sqlite3.connect(name + ".db", isolation_level=None) as db:
  >         for one in sql:
  >             db.execute(one)
  > END
  $ for name in view trigger insert generated default index partial virtual check hidden; do
  >   cp $name.db before
  >   timeout 20 heddle report $name.db --text; echo "exit $?"
  >   for command in "report $name.db -o page.html" "export $name.db --csv out" "plot $name.db fct_us.all.mean" "diff x.db $name.db" \
  >       "flows $name.db" "flow $name.db 0" "run x.yaml -q -o $name.db" "run x.yaml -q -o $name.db --set run.seed=9"; do
  >     timeout 20 heddle $command >said 2>&1; echo "$? $(wc -l <said)"
  >   done | sort | uniq -c
  >   cmp $name.db before
  > done
  view.db: error: this is no store as heddle writes it: its schema has "CREATE VIEW experiments AS WITH RECURSIVE n(i) AS (SELECT 0 "; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  trigger.db: error: this is no store as heddle writes it: its schema has "CREATE TRIGGER t AFTER UPDATE ON runs BEGIN INSERT INTO samp"; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  insert.db: error: this is no store as heddle writes it: its schema has "CREATE TRIGGER t BEFORE INSERT ON experiments BEGIN INSERT I"; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  generated.db: error: this is no store as heddle writes it: its schema has "AS (hex(zeroblob(900000000))), UNIQUE(experiment, identity, "; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  default.db: error: this is no store as heddle writes it: its schema has "DEFAULT 'x')"; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  index.db: error: this is no store as heddle writes it: its schema has "(hex(settings)))"; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  partial.db: error: this is no store as heddle writes it: its schema has "WHERE number > 0"; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  virtual.db: error: this is no store as heddle writes it: its schema has "CREATE VIRTUAL TABLE v USING fts5(x)"; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  check.db: error: this is no store as heddle writes it: its schema has "CHECK(x > 0))"; trust no result in it, or remove that first (sqlite3)
  exit 2
        8 2 1
  hidden.db: error: results store: malformed database schema (other)
  exit 2
        8 2 1
What a user may add stays readable: a plain table, a plain index, and SQLite's own statistics.

  $ python3 -c 'import sqlite3
  > store = sqlite3.connect("x.db")
  > store.executescript("CREATE TABLE notes(run INTEGER, text TEXT); CREATE INDEX flows_src ON flows(src, dst); ANALYZE")'
  $ heddle flows x.db | wc -l
  3
  $ heddle run x.yaml -q; heddle export x.db --csv out >/dev/null; ls out/flows.csv
  out/flows.csv
