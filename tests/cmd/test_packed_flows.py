#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command, and the Python module, reads packed flows (docs/store.md, flow_blocks) as it reads rows of `flows`.

usage: test_packed_flows.py HEDDLE PYTHON_DIR [large]      large: only a run of so many flows that the program packs them itself

A store is copied and the flows of the copy are packed here, by docs/store.md, so that this test knows the form of its own.
"""
import contextlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HEDDLE, MODULE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LARGE = "large" in sys.argv
sys.path.insert(0, MODULE)
sys.modules["pandas"] = None  # rows are lists of dicts
import heddle  # noqa: E402

BLOCK = 4096
# Flows of many kinds: some end, some are cut off or endless or have a stop, some never start; timelines, queues and a job.
EXPERIMENT = """
title: Flows of many kinds
fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 8, rate: 10Gbps, delay: 1us}
switch: {buffer: 60KB}
workload:
  - {kind: poisson, sizes: web-search, load: 0.6, load_at: host, pairs: any, flows: 300}
  - {kind: long, src: host0.0, dst: host1.0, stop: 4ms}
  - {kind: long, src: host0.1, dst: host1.1, start: 2ms}
  - {kind: long, src: host0.2, dst: host1.2, start: 900ms}
  - {kind: collective, name: exchange, op: all-to-all, size: 1600KB, ranks: 16}
  - {kind: query, schedule: {for: 9ms, rate: 500/s}, responses: [2KiB, 32KiB]}
run: {until: 10ms}
measure: {queues: 100us, goodput: 500us, flow: [3, 17], classes: [20KB, 200KB]}
sweep: {host.transport: [newreno, cubic]}
figure: {kind: cdf, series: host.transport, y: {metric: fct_us.all, label: FCT, unit: us}}
"""
COMMANDS = ("flows X", "flows X --run 2 --slowest 7", "flows X --csv", "flow X --run 1 3", "flow X --run 2 17",
            "why X", "report X --text", "report X -o page.html --force", "report X --figures plots --force", "export X --csv tables")


def distances(column, rows, place_of):
    """Returns the distances of a column from their guesses, None where there is no value."""
    guess = {"flow": lambda row, place: place, "finished_ps": lambda row, _: (row["start_ps"] or 0) + (row["fct_ps"] or 0),
             "received_bytes": lambda row, _: row["bytes"] or 0, "first_data_ps": lambda row, _: row["start_ps"] or 0}
    return [None if row[column] is None else row[column] - guess.get(column, lambda *_: 0)(row, place_of(row)) for row in rows]


def packed_column(values):
    known = [v for v in values if v is not None]
    if not known:
        return bytes([1])
    least, width = min(known), ((max(known) - min(known)).bit_length() + 7) // 8
    bits = b""
    if len(known) < len(values):
        bits = sum(1 << i for i, v in enumerate(values) if v is None).to_bytes((len(values) + 7) // 8, "little")
    return (bytes([2 if bits else 0, width]) + least.to_bytes(8, "little", signed=True) + bits +
            b"".join((0 if v is None else v - least).to_bytes(width, "little") for v in values))


def pack(store, block=BLOCK):
    """Packs the flows of all runs of a store, and returns how many there were."""
    with contextlib.closing(sqlite3.connect(store)) as db, db:
        db.row_factory = sqlite3.Row
        db.execute("CREATE TABLE flow_blocks(run INTEGER, first INTEGER, flows INTEGER, packed BLOB, PRIMARY KEY(run, first))")
        rows = db.execute("SELECT * FROM flows ORDER BY run, flow").fetchall()
        for run in {row["run"] for row in rows}:
            own = [row for row in rows if row["run"] == run]
            for first in range(0, len(own), block):
                part = own[first:first + block]
                columns = [name for name in part[0].keys() if name != "run"]
                blob = b"\x01" + b"".join(packed_column(distances(c, part, lambda row, f=first: row["flow"] - f)) for c in columns)
                db.execute("INSERT INTO flow_blocks VALUES(?, ?, ?, ?)", (run, first, len(part), blob))
        db.execute("DELETE FROM flows")
        db.execute("PRAGMA user_version=3")
        return len(rows)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def heddle(self, line, code=0, cwd=None):
        done = subprocess.run([HEDDLE, *line.split()], cwd=cwd or self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, f"{line}: {done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def run_it(self, text, store):
        (self.folder / "x.yaml").write_text(text)
        self.heddle(f"run x.yaml --quiet -o {store}")
        return self.folder / store

    def numbers(self, store, sql):
        with contextlib.closing(sqlite3.connect(store)) as db:
            return db.execute(sql).fetchone()


@unittest.skipIf(LARGE, "only the large run")
class Packed(Folder):
    def stores(self, block=BLOCK):
        """Returns two folders with the store x.db, one of which has packed flows."""
        self.run_it(EXPERIMENT, "x.db")
        for name in ("rows", "packed"):
            (self.folder / name).mkdir()
            shutil.copy(self.folder / "x.db", self.folder / name)
        self.assertGreater(pack(self.folder / "packed" / "x.db", block), 600)
        return self.folder / "rows", self.folder / "packed"

    def test_every_command_says_the_same(self):
        rows, packed = self.stores(block=100)
        for line in COMMANDS:
            with self.subTest(line):
                self.assertEqual(self.heddle(line.replace("X", "x.db"), cwd=rows), self.heddle(line.replace("X", "x.db"), cwd=packed))
        files = sorted(f.relative_to(rows) for f in rows.rglob("*") if f.is_file() and f.name != "x.db")
        self.assertEqual(files, sorted(f.relative_to(packed) for f in packed.rglob("*") if f.is_file() and f.name != "x.db"))
        self.assertGreater(len(files), 10)
        for file in files:
            if file.suffix != ".pdf":  # gnuplot writes the time of day into it
                self.assertEqual((rows / file).read_bytes(), (packed / file).read_bytes(), file)

    def test_stores_of_both_forms_are_compared(self):
        rows, packed = self.stores()
        self.assertIn("2 runs the same, 0 different", self.heddle(f"diff {rows}/x.db {packed}/x.db"))

    def test_the_module_reads_the_same(self):
        rows, packed = self.stores(block=64)
        with heddle.Results(rows / "x.db") as a, heddle.Results(packed / "x.db") as b:
            self.assertGreater(len(a.flows), 600)
            self.assertEqual(a.flows, b.flows)
            with self.assertRaisesRegex(heddle.Error, "there are: .*flows, imbalance"):
                b.table("nothing")

    def test_reading_changes_nothing_and_leaves_no_file(self):
        _, packed = self.stores()
        before = (packed / "x.db").read_bytes()
        self.heddle("flows x.db", cwd=packed)
        self.assertEqual((packed / "x.db").read_bytes(), before)
        self.assertEqual([f.name for f in packed.iterdir()], ["x.db"])

    def test_a_run_that_is_made_again_has_rows_again(self):
        _, packed = self.stores()
        shutil.copy(self.folder / "x.yaml", packed)
        with contextlib.closing(sqlite3.connect(packed / "x.db")) as db, db:
            db.execute("UPDATE runs SET status='failed' WHERE number=1")
        self.heddle("run x.yaml --quiet", cwd=packed)
        self.assertEqual(self.numbers(packed / "x.db", "SELECT count(DISTINCT run) FROM flow_blocks"), (1,))
        self.assertEqual(self.numbers(packed / "x.db", "SELECT count(DISTINCT run) FROM flows"), (1,))
        for run in 1, 2:  # a store may hold both forms
            self.assertEqual(self.heddle(f"flows x.db --run {run} --csv"), self.heddle(f"flows x.db --run {run} --csv", cwd=packed))

    def test_a_damaged_block_is_refused_in_a_line(self):
        _, packed = self.stores()
        whole = (packed / "x.db").read_bytes()
        for damage in ("x''", "NULL", "7", "zeroblob(3)", "zeroblob(100000)", "substr(packed, 1, length(packed) - 1)", "packed || x'00'",
                       "x'02' || substr(packed, 2)", "x'0103' || substr(packed, 3)", "x'010009' || substr(packed, 4)"):
            with self.subTest(damage):
                (packed / "x.db").write_bytes(whole)
                with contextlib.closing(sqlite3.connect(packed / "x.db")) as db, db:
                    db.execute(f"UPDATE flow_blocks SET packed={damage}")
                for line in "flows x.db", "export x.db --csv tables --force":
                    self.assertIn("a block of its flows is damaged; run the experiment again into another file",
                                  self.heddle(line, code=2, cwd=packed))
        for damage in "flows=0", "flows=5000", "flows=NULL", "flows=flows-1", "flows=-1":
            with self.subTest(damage):
                (packed / "x.db").write_bytes(whole)
                with contextlib.closing(sqlite3.connect(packed / "x.db")) as db, db:
                    db.execute(f"UPDATE flow_blocks SET {damage}")
                self.assertIn("a block of its flows is damaged", self.heddle("flows x.db", code=2, cwd=packed))


@unittest.skipUnless(LARGE, "minutes")
class Large(Folder):
    def test_the_flows_of_a_large_run_are_packed(self):
        text = ("fabric: {kind: leaf-spine, leaves: 16, spines: 8, hosts: 32, rate: 100Gbps, delay: 500ns}\nhost: {nic: pull}\n"
                "workload: {kind: collective, op: all-to-all, size: 524288B, ranks: 512, window: 8}\n")
        store = self.run_it(text, "x.db")
        self.assertEqual(self.numbers(store, "SELECT count(*) FROM flows"), (0,))
        self.assertEqual(self.numbers(store, "SELECT sum(flows) FROM flow_blocks"), (512 * 511,))
        self.assertEqual(self.numbers(store, "PRAGMA user_version"), (3,))
        self.assertLess(os.path.getsize(store) / (512 * 511), 30)
        foreseen = [line for line in self.heddle("check x.yaml").splitlines() if line.startswith("# store")]
        self.assertEqual(len(foreseen), 1)
        with heddle.Results(store) as results:
            flows, run = results.flows, results.runs[0]
        self.assertEqual(len(flows), 512 * 511)
        self.assertAlmostEqual(sum(f["fct_us"] for f in flows) / len(flows), run["fct_us.all.mean"], places=3)
        self.assertEqual(len({(f["src"], f["dst"]) for f in flows}), 512 * 511)
        listed = self.heddle("flows x.db --csv").splitlines()
        self.assertEqual(len(listed), 512 * 511 + 1)
        for place in 0, 4095, 4096, 200000, 512 * 511 - 1:
            number, _, src, dst, size, *_ = listed[1 + place].split(",")
            flow = flows[place]
            self.assertEqual((int(number), src, dst, int(size)), (flow["flow"], flow["src"], flow["dst"], flow["bytes"]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
