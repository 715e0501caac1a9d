# SPDX-License-Identifier: Apache-2.0
"""Runs heddle's experiments and reads their results.

    import heddle

    results = heddle.run("experiments/demo.yaml", set={"sweep.run.seed": [1, 2, 3]}, store="demo.db")
    results.runs      one row a run: its settings and every number of its result, by path ("fct_us.mice.p95")
    results.flows     one row a flow, with the settings of its run, its class and whether it counts in the results
    results.samples   one row a sample of a queue, a link, a host's goodput or a port's pauses
    results.claims    one row an outcome of an expectation

    results = heddle.read("demo.db")           # a store that `heddle run` wrote

Each of these is a pandas DataFrame if pandas is installed, else a list of dicts. `results.table("ports")` reads any other table of
docs/store.md in the same way. Times are in microseconds, sizes in bytes. The program computes all results; this module only
reads them.

run() takes the program from its argument `program`, else from $HEDDLE, else from PATH.
"""

import decimal
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile

try:
    import pandas
except ImportError:
    pandas = None

__all__ = ["Error", "Results", "read", "run"]

_APPLICATION_ID = 0x6864646C  # "hddl"


class Error(Exception):
    """The program refused the experiment, a run failed, or a store cannot be read. The text is the program's message."""


# ---- running ----

def _program(given):
    program = given or os.environ.get("HEDDLE") or shutil.which("heddle")
    if not program:
        raise Error("heddle is not on the PATH: install it, or give program= or $HEDDLE")
    return str(program)


def _value(value):
    """Returns the value as YAML; plain text needs no quotes, and JSON is YAML."""
    return value if isinstance(value, str) else json.dumps(value)


def run(file, *, set=None, profile=None, jobs=None, threads=None, store=None, program=None):
    """Runs an experiment file and returns its Results.

    `set` is a dict of keys and values for --set: {"run.seed": 3, "fabric.rate": "25Gbps"}. Without `store` the results go to a
    file in a temporary folder, which is removed with the Results. Runs that are finished in the store are not repeated. Raises
    Error if the program refuses the file or a run fails. Outcomes that differ from the recorded ones are no error; they make
    `results.as_recorded` false.
    """
    folder = None if store else tempfile.TemporaryDirectory(prefix="heddle-")
    path = pathlib.Path(store) if store else pathlib.Path(folder.name) / (pathlib.Path(file).stem + ".db")
    command = [_program(program), "run", str(file), "--quiet", "-o", str(path)]
    for option, value in (("--profile", profile), ("--jobs", jobs), ("--threads", threads)):
        command += [option, str(value)] if value is not None else []
    for key, value in (set or {}).items():
        command += ["--set", f"{key}={_value(value)}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        if folder:
            folder.cleanup()
        raise Error(done.stderr.strip() or f"{command[0]} ended with exit status {done.returncode}")
    return Results(path, as_recorded=done.returncode == 0, folder=folder)


# ---- reading ----

def read(store):
    """Returns the Results of a store that `heddle run` wrote."""
    return Results(store)


def _flat(value, path=""):
    """Yields (path, value) of the numbers and texts in nested objects; it leaves out lists."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(item, f"{path}.{key}" if path else key)
    elif not isinstance(value, list):
        yield path, value


def _microseconds(row):
    """Returns the row with its picoseconds as microseconds: fct_ps becomes fct_us."""
    return {(name[:-3] + "_us" if name.endswith("_ps") else name): (value / 1e6 if name.endswith("_ps") and value is not None else value)
            for name, value in row.items()}


# ---- flows ----

_UNITS_PS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}
_MICE_BELOW_BYTES, _ELEPHANT_ABOVE_BYTES = 100_000, 1_000_000


def _measured(config):
    """Yields (key, [values]) of the block `measure` in an effective configuration, as the program writes it."""
    block = re.search(r"^measure:\n((?:[ #].*\n?)*)", config or "", re.MULTILINE)
    for key, value, items in re.findall(r"^  (\w+):[ ]?(.*)\n((?:    - .*\n)*)", block[1] if block else "", re.MULTILINE):
        yield key, re.findall(r"- (\S+)", items) or [value.split()[0] if value.split() else ""]


def _picoseconds(text, none):
    number = re.fullmatch(r"([0-9.eE+-]+)(ps|ns|us|ms|s)", text)
    return int(decimal.Decimal(number[1]) * _UNITS_PS[number[2]]) if number else none


def _billionths(text):
    return int(decimal.Decimal(text.rstrip("%")) * (10**7 if text.endswith("%") else 10**9))


def _counting(config, starts):
    """Returns for each flow whether it counts: measure.from, until and starts, over arrivals in the order of time and number.
    `starts` has the instants in picoseconds; None: the flow never started."""
    measure = dict(_measured(config))
    first = _picoseconds(measure.get("from", [""])[0], 0)
    until = _picoseconds(measure.get("until", [""])[0], None)
    low, high = map(_billionths, measure["starts"]) if len(measure.get("starts", [])) == 2 else (0, 10**9)
    order = sorted((at, flow) for flow, at in enumerate(starts) if at is not None)
    counts = [False] * len(starts)
    for place, (at, flow) in enumerate(order):
        counts[flow] = at >= first and (until is None or at < until) and low * len(order) <= place * 10**9 < high * len(order)
    return counts


def _class(size):
    if size is None:
        return "endless"
    return "mice" if size < _MICE_BELOW_BYTES else "elephant" if size > _ELEPHANT_ABOVE_BYTES else "medium"


# ---- packed flows: the form is written down in docs/store.md (flow_blocks) ----

_FLOW_COLUMNS = (
    "flow", "entry", "src", "dst", "start_ps", "bytes", "finished_ps", "fct_ps", "bound_ps", "received_bytes", "sent_packets",
    "retransmitted", "timeouts", "reordered", "max_reorder", "marked", "credits_sent", "credits_used", "credits_wasted",
    "unfilled_bytes", "first_data_ps", "stop_ps")
_GUESSED = {"flow": lambda row, place: place, "finished_ps": lambda row, _: (row["start_ps"] or 0) + (row["fct_ps"] or 0),
            "received_bytes": lambda row, _: row["bytes"] or 0, "first_data_ps": lambda row, _: row["start_ps"] or 0}


def _column(packed, at, n):
    """Reads a column of a block from `at` on. Returns its distances, None where there is no value, and where the next begins."""
    nulls, at = packed[at], at + 1
    if nulls == 1:
        return [None] * n, at
    width, least, at = packed[at], int.from_bytes(packed[at + 1:at + 9], "little", signed=True), at + 9
    absent, at = (packed[at:at + (n + 7) // 8], at + (n + 7) // 8) if nulls else (bytes((n + 7) // 8), at)
    end = at + n * width
    return [None if absent[i // 8] >> i % 8 & 1 else least + int.from_bytes(packed[at + i * width:at + (i + 1) * width], "little")
            for i in range(n)], end


def _unpacked(names, n, packed):
    """Yields the rows of a block of `n` flows as dicts; `names` are the columns of the table `flows` behind `run`."""
    if packed[0] != 1:
        raise Error(f"its flows are packed in form {packed[0]}, which this module does not know")
    at, columns = 1, []
    for _ in names:
        column, at = _column(packed, at, n)
        columns.append(column)
    for place, values in enumerate(zip(*columns)):
        row = dict(zip(names, values))
        for name, guess in _GUESSED.items():
            if row[name] is not None:
                row[name] += guess(row, place)
        yield row


def _table(rows):
    return rows if pandas is None else pandas.DataFrame(rows)


class Results:
    """The latest runs of each experiment in a store, with their flows, samples and outcomes of claims.

    `experiment` selects one if a store holds several: the stem of its file, "demo" or "demo@small".
    """

    def __init__(self, store, as_recorded=None, folder=None, experiment=None):
        self.store, self.as_recorded, self._folder = pathlib.Path(store), as_recorded, folder
        if not self.store.is_file():
            raise Error(f"{store}: there is no such store")
        for part in ("-journal", "-wal", "-shm"):  # SQLite opens these too, and would wait for the writer of a FIFO
            beside = pathlib.Path(f"{store}{part}")
            if beside.exists() and not beside.is_file():
                raise Error(f"{beside}: this stands beside a results store and is no plain file; remove it")
        self._db = sqlite3.connect(f"{self.store.absolute().as_uri()}?mode=ro", uri=True)
        self._db.row_factory = sqlite3.Row
        try:
            self._check()
            self._runs = [dict(row) for row in self._db.execute(
                "SELECT runs.id, experiments.name AS experiment, number, settings, status, result, config FROM runs "
                "JOIN experiments ON experiments.id = runs.experiment "
                "WHERE number IS NOT NULL AND (?1 IS NULL OR experiments.name = ?1) ORDER BY experiments.id, number", (experiment,))]
            self._settings = {row["id"]: {"experiment": row["experiment"], "run": row["number"], **json.loads(row["settings"])}
                              for row in self._runs}
        except (sqlite3.Error, ValueError, TypeError) as error:
            self._db.close()
            raise Error(f"{store}: not a store of heddle: {error}") from error
        except Error:
            self._db.close()
            raise

    def _check(self):
        """Refuses a database that is no store, or whose schema holds programs: a view of a stranger may answer without end."""
        if self._db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
            raise Error(f"{self.store}: not a store of heddle")
        self._db.execute("PRAGMA trusted_schema=OFF")
        for sql, in self._db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"):
            if not re.match(r"CREATE (TABLE|INDEX|UNIQUE INDEX) ", str(sql)):
                raise Error(f"{self.store}: not a store as heddle writes it: its schema has {str(sql)[:60]!r}")
        for name in (row[0] for row in self._db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()):
            if any(row["hidden"] for row in self._db.execute("SELECT hidden FROM pragma_table_xinfo(?)", (name,))):
                raise Error(f"{self.store}: not a store as heddle writes it: its table {name!r} has computed columns")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes the store; removes it if run() made it in a temporary folder."""
        self._db.close()
        if self._folder:
            self._folder.cleanup()

    @property
    def runs(self):
        """One row a run: experiment, run, status, the swept settings, and every number of its result by path. An unfinished run
        has only its settings."""
        return _table([{**self._settings[row["id"]], "status": row["status"],
                        **{path: value for path, value in _flat(json.loads(row["result"] or "{}"))
                           if not path.startswith("settings.") and path != "run"}} for row in self._runs])

    def table(self, name):
        """Returns the rows of a table of docs/store.md that belongs to runs, each with the settings of its run and names of nodes."""
        columns = {row["name"] for row in self._db.execute("SELECT name FROM pragma_table_info(?)", (name,))}
        if "run" not in columns:
            known = [row[0] for row in self._db.execute(
                "SELECT name FROM sqlite_master m WHERE type = 'table' AND name != 'flow_blocks' AND EXISTS "
                "(SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'run') ORDER BY name")]
            raise Error(f"{self.store}: no table '{name}' of runs; there are: {', '.join(known)}")
        rows = []
        for run, settings in self._settings.items():
            names = dict(tuple(row) for row in self._db.execute("SELECT node, name FROM nodes WHERE run = ?", (run,)))
            own_rows = self._db.execute(f'SELECT * FROM "{name}" WHERE run = ?', (run,)).fetchall()
            if name == "flows" and not own_rows:
                own_rows = self._packed_flows(run)
            if name == "flows":
                own_rows = self._told(run, own_rows)
            for row in own_rows:
                own = _microseconds({key: row[key] for key in row.keys() if key != "run"})
                own.update((key, names.get(own[key], own[key])) for key in ("src", "dst", "node", "neighbour", "client", "server")
                           if key in own)
                rows.append({**settings, **own})
        return _table(rows)

    def _packed_flows(self, run):
        """Returns the flows of a run that are packed, as dicts; none if the store has no packed flows."""
        if not self._db.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'flow_blocks'").fetchone():
            return []
        blocks = self._db.execute("SELECT flows, packed FROM flow_blocks WHERE run = ? ORDER BY first", (run,))
        return [row for n, packed in blocks for row in _unpacked(_FLOW_COLUMNS, n, packed)]

    def _told(self, run, flows):
        """Returns flows of a run as dicts with `class` and `counts`, as `heddle flows --csv` has them: "yes" or "no"."""
        config = next(row["config"] for row in self._runs if row["id"] == run)
        counts = _counting(config, [flow["start_ps"] for flow in flows])
        return [{**{key: flow[key] for key in flow.keys()}, "class": _class(flow["bytes"]), "counts": "yes" if counted else "no"}
                for flow, counted in zip(flows, counts)]

    @property
    def flows(self):
        """One row a flow: src, dst, start_us, bytes, fct_us, retransmitted, timeouts, ... (docs/store.md), and, by the names of
        `heddle flows --csv`, its `class` (mice, medium, elephant, endless) and whether it `counts` in the results (yes, no)."""
        return self.table("flows")

    @property
    def samples(self):
        """One row a sample: at_us, port, kind (queue, link, goodput, pause), value."""
        return self.table("samples")

    @property
    def claims(self):
        """One row an outcome of a claim: claim, place, metric, measured, interval_low, interval_high, low, high, verdict, recorded."""
        rows = self._db.execute("SELECT experiments.name AS experiment_name, claims.* FROM claims "
                                "JOIN experiments ON experiments.id = claims.experiment ORDER BY claims.rowid")
        wanted = {settings["experiment"] for settings in self._settings.values()}
        result = []
        for row in rows:
            own = {key: row[key] for key in row.keys() if key not in ("experiment", "experiment_name")}
            own.update((key, json.loads(own[key])) for key in ("place", "subject", "against", "than") if own.get(key))
            if row["experiment_name"] in wanted:
                result.append({"experiment": row["experiment_name"], **own})
        return _table(result)
