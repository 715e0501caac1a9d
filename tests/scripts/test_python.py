#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python/heddle.py runs experiments and reads their stores, with pandas or without.

usage: test_python.py PROGRAM PYTHON_DIR [--pandas]      --pandas: requires pandas, and runs the example with its plots
"""
import contextlib
import csv
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

PROGRAM, MODULE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
WITH_PANDAS = "--pandas" in sys.argv
sys.path.insert(0, MODULE)
if not WITH_PANDAS:
    sys.modules["pandas"] = None  # makes the import fail, as without pandas
import heddle  # noqa: E402

EXPERIMENT = """
title: Four flows
fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 10Gbps, delay: 1us}
workload: [{kind: permutation, sizes: 100KB}]
measure: {queues: 20us}
sweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}
expect: [{claim: none-lost, metric: packets.dropped, each: switch.balance, every: true, value: [0, 0]}]
"""


def rows(table):
    return table.to_dict("records") if WITH_PANDAS else table


class Module(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name) / "four.yaml"
        self.file.write_text(EXPERIMENT)

    def run_it(self, **options):
        results = heddle.run(self.file, program=PROGRAM, **options)
        self.addCleanup(results.close)
        return results

    def test_runs_have_settings_and_numbers_by_path(self):
        runs = rows(self.run_it().runs)
        self.assertEqual([(r["switch.balance"], r["run.seed"]) for r in runs], [("ecmp", 1), ("ecmp", 2), ("spray", 1), ("spray", 2)])
        printed = subprocess.run([PROGRAM, "run", self.file, "--json", "--quiet", "-o", f"{self.folder.name}/again.db"],
                                 capture_output=True, text=True, check=True).stdout
        first = json.loads(printed.splitlines()[0])
        self.assertEqual(runs[0]["fct_us.all.mean"], first["fct_us"]["all"]["mean"])
        self.assertEqual(runs[0]["engine.digest"], first["engine"]["digest"])

    def test_flows_have_times_in_microseconds_and_nodes_by_name(self):
        results = self.run_it()
        flows = rows(results.flows)
        self.assertEqual(len(flows), 16)
        mean = sum(f["fct_us"] for f in flows[:4]) / 4
        self.assertAlmostEqual(mean, rows(results.runs)[0]["fct_us.all.mean"], places=3)
        self.assertTrue(flows[0]["src"].startswith("host") and flows[0]["switch.balance"] == "ecmp")

    def test_flows_have_class_and_counts_of_the_program(self):
        text = EXPERIMENT.replace("[{kind: permutation, sizes: 100KB}]", "{kind: poisson, sizes: web-search, load: 0.3, load_at: host, flows: 40}")
        for measure in ("", "from: 20ms, ", "starts: [20%, 0.75], ", "from: 5ms, until: 30.5ms, starts: [0.1, 90%], "):
            with self.subTest(measure):
                self.file.write_text(text.replace("measure: {", "measure: {" + measure))
                store = pathlib.Path(self.folder.name) / "classes.db"
                store.unlink(missing_ok=True)
                flows = rows(self.run_it(store=store).flows)
                for run in (1, 4):
                    printed = subprocess.run([PROGRAM, "flows", store, "--run", str(run), "--csv"], capture_output=True, text=True, check=True)
                    told = [(int(f["flow"]), f["class"], f["counts"]) for f in csv.DictReader(printed.stdout.splitlines())]
                    self.assertEqual([(f["flow"], f["class"], f["counts"]) for f in flows if f["run"] == run], told)
                    self.assertEqual(len({c for _, _, c in told}), 2 if measure else 1)
                    self.assertGreater(len({c for _, c, _ in told}), 1)

    def test_percentiles_over_the_flows_that_count_are_the_results(self):
        self.file.write_text(EXPERIMENT.replace("[{kind: permutation, sizes: 100KB}]", "{kind: poisson, sizes: web-search, load: 0.3, load_at: host, flows: 40}")
                             .replace("measure: {", "measure: {starts: [20%, 80%], "))
        results = self.run_it()
        times = sorted(f["fct_us"] for f in rows(results.flows) if f["run"] == 1 and f["class"] == "mice" and f["counts"] == "yes")
        self.assertEqual(times[-(-95 * len(times) // 100) - 1], rows(results.runs)[0]["fct_us.mice.p95"])

    def test_samples_and_other_tables(self):
        results = self.run_it()
        self.assertEqual({s["kind"] for s in rows(results.samples)}, {"queue"})
        self.assertEqual({p["link_tier"] for p in rows(results.table("ports"))}, {"host", "uplink"})
        with self.assertRaisesRegex(heddle.Error, "no table 'prots' of runs; there are: .*ports"):
            results.table("prots")

    def test_claims(self):
        results = self.run_it()
        self.assertTrue(results.as_recorded)
        self.assertEqual([(c["claim"], c["place"], c["verdict"]) for c in rows(results.claims)],
                         [("none-lost", {"switch.balance": "ecmp"}, "holds"), ("none-lost", {"switch.balance": "spray"}, "holds")])

    def test_set_and_a_store_that_stays(self):
        store = pathlib.Path(self.folder.name) / "kept.db"
        self.run_it(set={"sweep.run.seed": [7], "switch.buffer": "150KB"}, store=store).close()
        self.assertEqual([r["run.seed"] for r in rows(heddle.read(store).runs)], [7, 7])

    def test_errors_are_the_programs_own(self):
        self.file.write_text(EXPERIMENT.replace("spines", "spine"))
        with self.assertRaisesRegex(heddle.Error, "four.yaml:3:.*did you mean 'spines'"):
            self.run_it()
        with self.assertRaisesRegex(heddle.Error, "there is no such store"):
            heddle.read("nowhere.db")
        (pathlib.Path(self.folder.name) / "text.db").write_text("no database")
        with self.assertRaisesRegex(heddle.Error, "not a store of heddle"):
            heddle.read(pathlib.Path(self.folder.name) / "text.db")

    def test_a_name_with_characters_of_uris(self):
        for name in ("p%41.db", "what?.db", "sharp#1.db", "two words.db", "a%3Fmode=rwc.db"):
            store = pathlib.Path(self.folder.name) / name
            self.run_it(store=store).close()
            (store.parent / "pA.db").write_text("another file, which %41 would name")
            self.assertEqual(len(rows(heddle.read(store).runs)), 4, name)

    def test_a_store_of_a_stranger_is_refused(self):
        store = pathlib.Path(self.folder.name) / "foreign.db"
        endless = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
        for sql, says in (
                (f"CREATE VIEW more AS {endless} SELECT i AS run FROM n", "its schema has 'CREATE VIEW more AS"),
                ("CREATE TRIGGER t AFTER UPDATE ON runs BEGIN SELECT 1; END", "its schema has 'CREATE TRIGGER"),
                ("ALTER TABLE runs ADD COLUMN more AS (hex(zeroblob(9)))", "'runs' has computed columns"),
                ("UPDATE runs SET settings = '[1, 2'", "not a store of heddle"),
                ("UPDATE runs SET settings = '7'", "not a store of heddle"),
                ("PRAGMA application_id = 7", "not a store of heddle")):
            store.unlink(missing_ok=True)
            self.run_it(store=store).close()
            with contextlib.closing(sqlite3.connect(store)) as db:
                db.execute(sql)
                db.commit()
            with self.assertRaisesRegex(heddle.Error, says):
                heddle.read(store)

    def test_what_blocks_beside_a_store_is_refused(self):
        """SQLite would open a journal that nobody writes to, and wait for ever."""
        store = pathlib.Path(self.folder.name) / "four.db"
        self.run_it(store=store).close()
        reading = f"import sys; sys.path.insert(0, {str(pathlib.Path(heddle.__file__).parent)!r}); import heddle; heddle.read({str(store)!r})"
        for part in ("-journal", "-wal"):
            beside = pathlib.Path(f"{store}{part}")
            os.mkfifo(beside)
            said = subprocess.run([sys.executable, "-c", reading], capture_output=True, text=True, check=False, timeout=30)
            self.assertRegex(said.stderr, f"four.db{part}: this stands beside a results store and is no plain file")
            beside.unlink()
        os.mkfifo(store.with_name("pipe.db"))
        with self.assertRaisesRegex(heddle.Error, "there is no such store"):
            heddle.read(store.with_name("pipe.db"))


class Example(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_it_draws_three_plots(self):
        example = pathlib.Path(MODULE) / "examples/three_plots.py"
        subprocess.run([sys.executable, example, "--profile", "small", "--out", self.folder.name], check=True, capture_output=True,
                       env={**os.environ, "HEDDLE": PROGRAM})
        drawn = sorted(p.name for p in pathlib.Path(self.folder.name).glob("*.svg"))
        self.assertEqual(drawn, ["distribution.svg", "mean-by-load.svg", "queues.svg"])


if not WITH_PANDAS:
    del Example  # needs pandas and matplotlib

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
