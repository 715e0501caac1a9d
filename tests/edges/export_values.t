Every cell of an export is a value of the store: a table whose numbers are empty, or in the wrong column, would be no export.

  $ cat >x.yaml <<END
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
  > workload: {kind: permutation, sizes: 50KB, pairs: inter-rack}
  > sweep: {switch.balance: [ecmp, spray], run.seed: [1, 2, 3]}
  > expect:
  >   - {claim: A, metric: fct_us.all.mean, of: {switch.balance: spray}, against: {switch.balance: ecmp}, change: [-0.9, 0.9], inferred: true}
  >   - {claim: B, metric: packets.dropped, each: switch.balance, every: true, value: [0, 0], paper: ours}
  >   - {claim: C, metric: goodput_mbps.all.mean, of: {switch.balance: ecmp}, value: [1, null], roughly: more}
  > END
  $ heddle run x.yaml -q
  x.yaml:3:32: warning: switch.balance: spray reorders packets, and newreno takes reordered packets for lost: it sends it again and slows down; write host.newreno.dupack_threshold: 100, or take a transport that tolerates it
  $ heddle export x.db --csv out >/dev/null
  $ cat >compare.py <<'END'
  > import csv, json, sqlite3
  > store = sqlite3.connect("x.db")
  > store.row_factory = sqlite3.Row
  > def rows(name):
  >     with open(f"out/{name}.csv", newline="") as file:
  >         return list(csv.DictReader(file))
  > def at(value, path):
  >     for part in path.split("."):
  >         if not isinstance(value, dict) or part not in value:
  >             return None
  >         value = value[part]
  >     return value
  > def is_same(cell, value):
  >     if value is None or isinstance(value, list):
  >         return cell == ""
  >     if isinstance(value, bool):
  >         return cell == str(value).lower()
  >     if isinstance(value, (int, float)):
  >         return cell != "" and abs(float(cell) - value) <= 1e-8 * abs(value)
  >     return cell == value
  > cells = numbers = 0
  > for row, run in zip(rows("runs"), store.execute("SELECT * FROM runs ORDER BY number"), strict=True):
  >     result, settings = json.loads(run["result"]), json.loads(run["settings"])
  >     for column, cell in row.items():
  >         own = {"experiment": "x", "run": run["number"]}.get(column, run[column] if column in run.keys() else None)
  >         value = own if own is not None or column in run.keys() else settings[column] if column in settings else at(result, column)
  >         assert is_same(cell, value), (column, cell, value)
  >         cells, numbers = cells + 1, numbers + isinstance(value, (int, float))
  > print("runs:", cells > 2000 and numbers > 1000)
  > flags = {"met", "expected", "as_recorded", "every"}
  > told = set()
  > for row, claim in zip(rows("claims"), store.execute("SELECT * FROM claims ORDER BY rowid"), strict=True):
  >     for column, cell in row.items():
  >         value = "x" if column == "experiment" else claim[column]
  >         if column in ("place", "subject", "against", "than"):
  >             assert (json.loads(cell) if cell else None) == (json.loads(value) if value else None), (column, cell, value)
  >         else:
  >             assert is_same(cell, bool(value) if column in flags else value), (column, cell, value)
  >         told |= {column} if cell else set()
  > print("claims:", len(row), "columns, without a value:", sorted(set(row) - told))
  > for name in ("flows", "nodes", "ports", "links", "experiments"):
  >     order = {"flows": "run, flow", "nodes": "run, node", "ports": "run, port", "links": "run, tier", "experiments": "id"}[name]
  >     for row, own in zip(rows(name), store.execute(f"SELECT * FROM {name} ORDER BY {order}"), strict=True):
  >         for column, cell in row.items():
  >             if column in own.keys() and column not in ("experiment", "run", "src", "dst", "node", "neighbour"):
  >                 assert is_same(cell, own[column]), (name, column, cell, own[column])
  >     print(name, len(rows(name)), "rows")
  > END
  $ python3 compare.py
  runs: True
  claims: 27 columns, without a value: ['note', 'recorded', 'than']
  flows 24 rows
  nodes 48 rows
  ports 96 rows
  links 12 rows
  experiments 1 rows

Flows have their class, and whether they count, as `heddle flows` says.

  $ cat >y.yaml <<END
  > fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
  > workload: {kind: poisson, sizes: web-search, load: 0.3, load_at: host, flows: 40}
  > measure: {starts: [25%, 75%]}
  > END
  $ heddle run y.yaml -q 2>/dev/null
  $ heddle export y.db --csv words >/dev/null; heddle flows y.db --csv >listed.csv
  $ python3 - <<END
  > import csv
  > exported, listed = ([(r["flow"], r["class"], r["counts"]) for r in csv.DictReader(open(f))] for f in ("words/flows.csv", "listed.csv"))
  > print(exported == listed, len(exported), len({c for _, c, _ in exported}) > 1, sum(c == "yes" for _, _, c in exported))
  > END
  True 40 True 20
