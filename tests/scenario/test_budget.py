#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""heddle run --budget: a sweep cut to a time, most telling runs first, and the same command goes on.

usage: test_budget.py HEDDLE [CASE ...]
"""
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

HEDDLE = os.path.abspath(sys.argv.pop(1))
PATIENCE_S = 240  # for what takes seconds where no other test runs

# Runs of some milliseconds.
SWEEP = """
title: a sweep for a budget
fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
workload: {kind: poisson, sizes: 20KB, load: 0.5, load_at: tor-uplink, pairs: inter-rack, flows: 500}
sweep: {switch.balance: [ecmp, expeditus], workload.0.load: [0.2, 0.3, 0.5], run.seed: [1, 2, 3, 4]}
expect:
  - {claim: all-finish, metric: flows.unfinished, of: {switch.balance: ecmp}, each: workload.0.load, every: true, value: [0, 0]}
"""
RUNS = 24
# A flow at 10 Gbps for 1 ms, 2 ms and 1000 s, which are minutes of the clock.
STEPS = """
title: short runs and endless ones
fabric: {kind: star, hosts: 3}
workload: {kind: long, src: 0, dst: 2, within: 100us}
sweep: {run.until: [1ms, 2ms, 1000s], run.seed: [1, 2]}
expect:
  - {claim: quiet, metric: packets.dropped, of: {run.until: 1ms}, every: true, value: [0, 0]}
  - {claim: quiet-long, metric: packets.dropped, of: {run.until: 1000s}, every: true, value: [0, 0]}
"""
# Hardly a packet-hop is foreseen, but links' loads are noted each 100 ns for 1000 s.
SLOW = """
title: runs that take far longer than foreseen
fabric: {kind: leaf-spine, leaves: 16, spines: 16, hosts: 2}
switch: {balance: clairvoyant, clairvoyant: {epoch: 100ns}}
host: {transport: udp}
workload: {kind: long, src: 0, dst: 2, rate: 1Mbps, within: 100us}
run: {until: 1000s}
sweep: {run.seed: [1, 2]}
"""
# The folder of a run's captures is made when the run starts.
ORDER = """
title: three ends and middles
fabric: {kind: star, hosts: 3}
workload: {kind: long, src: 0, dst: 2, within: 100us}
sweep: {run.until: [1ms, 2ms, 3ms], run.seed: [1, 2]}
measure: {pcap: [leaf0]}
"""
MEASURED_BY_CLOCK = {"wall_s", "hops_per_s", "rss_bytes"}


def without_clock(line):
    line.get("engine", {}).update({key: None for key in MEASURED_BY_CLOCK})
    return line


class Budget(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="heddle-budget-")
        self.addCleanup(made.cleanup)
        self.place = made.name
        self.write("sweep.yaml", SWEEP)
        self.write("steps.yaml", STEPS)

    def write(self, name, text):
        with open(os.path.join(self.place, name), "w", encoding="utf-8") as file:
            file.write(text)

    def ran(self, *words):
        return subprocess.run([HEDDLE, "run", *words], cwd=self.place, capture_output=True, text=True, timeout=PATIENCE_S, check=False)

    def stored(self, store, query):
        with contextlib.closing(sqlite3.connect(f"file:{self.place}/{store}?mode=ro", uri=True)) as db:
            return db.execute(query).fetchall()

    def rows_of(self, store):
        """All that the store holds but times of the clock; rows of sroomys in the order of their values."""
        rows = {table: sorted(self.stored(store, f"select * from {table}"))
                for (table,) in self.stored(store, "select name from sqlite_master where type = 'table'") if table not in ("runs", "experiments")}
        rows["runs"] = self.stored(store, "select id, number, settings, identity, status, failure, config from runs order by id")
        rows["digests"] = self.stored(store, "select id, json_extract(result, '$.engine.digest') from runs order by id")
        return rows

    def done(self, store):
        return self.stored(store, "select count(*) from runs where status = 'done'")[0][0]

    # ---- all fits ----

    def test_where_all_fits_it_is_as_without(self):
        plain = self.ran("sweep.yaml", "-o", "plain.db", "--json")
        roomy = self.ran("sweep.yaml", "-o", "roomy.db", "--json", "--budget", "2h", "-j", "2")
        self.assertEqual((plain.returncode, roomy.returncode), (0, 0), roomy.stderr)
        self.assertEqual([without_clock(json.loads(line)) for line in roomy.stdout.splitlines()],
                         [without_clock(json.loads(line)) for line in plain.stdout.splitlines()])
        self.assertEqual(self.rows_of("roomy.db"), self.rows_of("plain.db"))
        self.assertEqual(roomy.stderr, plain.stderr)

    # ---- the same command goes on ----

    def test_the_same_command_goes_on_to_the_same_store(self):
        """First with no time for any run, then with a third of what all took, as often as it needs."""
        start = time.monotonic()
        self.assertEqual(self.ran("sweep.yaml", "-o", "plain.db", "-q").returncode, 0)
        third = f"{max(100, int((time.monotonic() - start) / 3 * 1000))}ms"
        done, budget, end = 0, "1ms", time.monotonic() + PATIENCE_S / 4
        while done < RUNS and time.monotonic() < end:
            said = self.ran("sweep.yaml", "-o", "cut.db", "-q", "--budget", budget)
            self.assertEqual(self.stored("cut.db", "select count(*) from runs"), [(RUNS,)])
            self.assertGreaterEqual(self.done("cut.db"), done)
            done = self.done("cut.db")
            self.assertEqual(said.returncode, 3 if done < RUNS else 0, said.stderr)
            if budget == "1ms":
                self.assertEqual(done, 0)
                self.assertIn(f"sweep.yaml: {RUNS} of {RUNS} runs are not done; what finished is in cut.db, the same command goes on", said.stderr)
            budget = third
        if done < RUNS:  # the machine is too busy for so little time
            self.assertEqual(self.ran("sweep.yaml", "-o", "cut.db", "-q", "--budget", "1h").returncode, 0)
        self.assertEqual(self.rows_of("cut.db"), self.rows_of("plain.db"))
        self.assertEqual(self.ran("sweep.yaml", "-o", "cut.db", "-q", "--budget", "1ms").returncode, 0)  # nothing is left to do

    # ---- what does not fit ----

    def short_runs(self, *more):
        """The runs of an hour do not start. The others do, first seeds first."""
        said = self.ran("steps.yaml", "-o", "steps.db", "--budget", "20s", *more)
        self.assertEqual(said.returncode, 3, said.stderr)
        return said

    def test_runs_that_do_not_fit_are_missing(self):
        said = self.short_runs()
        self.assertIn("steps.yaml: no run that is left fits in the ", said.stderr)
        self.assertIn("; give a longer budget\n", said.stderr)
        self.assertIn("steps.yaml: 2 of 6 runs are not done; what finished is in steps.db, the same command goes on from there\n", said.stderr)
        self.assertIn("4 of 6 runs are done; missing:\n  run.until: 1000s (all)\n  run.seed: 1 (1 of 3), 2 (1 of 3)\n", said.stdout)
        self.assertIn("not decided (2 of 2 runs are missing)", said.stdout)
        self.assertEqual(self.stored("steps.db", "select number, status, started is null, finished is null from runs order by number"),
                         [(1, "done", 0, 0), (2, "done", 0, 0), (3, "done", 0, 0), (4, "done", 0, 0), (5, "running", 1, 1), (6, "running", 1, 1)])
        self.assertEqual(self.stored("steps.db", "select claim, verdict, as_recorded, missing from claims order by claim"),
                         [("quiet", "holds", 1, 0), ("quiet-long", "not decided", 0, 2)])
        text = subprocess.run([HEDDLE, "report", "steps.db", "--text"], cwd=self.place, capture_output=True, text=True, check=True).stdout
        self.assertIn("steps: 4 runs done, 2 not finished\n", text)
        self.assertIn("  4 of 6 runs are done; missing:\n    run.until: 1000s (all)\n", text)
        self.assertIn("not decided (2 of 2 runs are missing)", " ".join(text.split()))
        self.assertIn("1 holds, 1 is not decided; runs are missing for 1", text)

    def test_json_has_the_runs_that_are_there(self):
        lines = [json.loads(line) for line in self.short_runs("--json").stdout.splitlines()]
        self.assertEqual([line["run"] for line in lines if "run" in line], [1, 2, 3, 4])
        claims = {line["claim"]: line for line in lines if "claim" in line}
        self.assertEqual([claims["quiet-long"][key] for key in ("measured", "verdict", "runs", "missing", "as_recorded")], [None, "not decided", 2, 2, False])
        self.assertEqual([claims["quiet"][key] for key in ("verdict", "runs", "missing", "as_recorded")], ["holds", 2, 0, True])

    def test_ends_before_middles_before_seeds(self):
        self.write("order.yaml", ORDER)
        self.assertEqual(self.ran("order.yaml", "-q", "--budget", "1min").returncode, 0)
        folders = [(os.stat(f"{self.place}/order.captures/run{run}").st_ctime_ns, run) for run in range(1, 7)]
        self.assertEqual([run for _, run in sorted(folders)], [1, 5, 3, 2, 6, 4])

    # ---- a run that overruns what was foreseen ----

    def test_a_run_under_way_is_ended_with_the_budget(self):
        """The first run is ended; the second one, which will take as long, does not start."""
        self.write("slow.yaml", SLOW)
        start = time.monotonic()
        said = self.ran("slow.yaml", "--budget", "2s")
        took = time.monotonic() - start
        self.assertEqual(said.returncode, 3, said.stderr)
        self.assertGreaterEqual(took, 1.9)
        if os.getloadavg()[0] < 4 * os.cpu_count():
            self.assertLess(took, 12)
        self.assertIn("slow.yaml: the budget of 2.0 s is over\n", said.stderr)
        self.assertIn("2 of 2 runs are not done", said.stderr)
        rows = self.stored("slow.db", "select status, result is null, failure is null, started is null, finished is null from runs order by number")
        self.assertEqual(rows, [("running", 1, 1, 0, 0), ("running", 1, 1, 1, 1)])

    def test_a_run_that_does_not_answer_is_killed(self):
        """A stopped process hears nothing; it is killed five seconds after the budget."""
        self.write("slow.yaml", SLOW)
        start = time.monotonic()
        heddle = subprocess.Popen([HEDDLE, "run", "slow.yaml", "-q", "--budget", "4s"], cwd=self.place, stderr=subprocess.PIPE, text=True)
        self.addCleanup(heddle.kill)
        run = self.child_of(heddle.pid)
        os.kill(run, signal.SIGSTOP)
        _, said = heddle.communicate(timeout=PATIENCE_S)
        took = time.monotonic() - start
        self.assertEqual(heddle.returncode, 3, said)
        self.assertGreaterEqual(took, 8.9)
        if os.getloadavg()[0] < 4 * os.cpu_count():
            self.assertLess(took, 14)
        self.assertFalse(os.path.exists(f"/proc/{run}"))
        self.assertEqual(self.stored("slow.db", "select status, failure is null, started is null, finished is null from runs order by number"),
                         [("running", 1, 0, 0), ("running", 1, 1, 1)])

    def child_of(self, pid):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
                children = file.read().split()
            if children:
                return int(children[0])
            time.sleep(0.02)
        return self.fail("no run has started")

    # ---- refusals: one line, exit status 2, nothing written ----

    def refused(self, text, *words):
        said = self.ran("sweep.yaml", *words)
        self.assertEqual(said.returncode, 2, said.stderr)
        self.assertEqual(len(said.stderr.splitlines()), 1, said.stderr)
        self.assertIn(text, said.stderr)
        self.assertFalse(os.path.exists(self.place + "/sweep.db"))

    def test_refusals(self):
        self.refused("--budget and --judge exclude each other", "--budget", "2h", "--judge")
        for wrong in ("2", "0", "0s", "-5s", "soon", "2 hours"):
            self.refused(f"--budget {wrong}: write a time above 0, such as 90s, 90min or 2h", "--budget=" + wrong)


if __name__ == "__main__":
    unittest.main(verbosity=2)
