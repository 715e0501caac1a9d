#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""heddle under mpirun: the runs of a sweep shared by ranks, on this machine alone and through shared memory alone.

usage: test_mpi.py HEDDLE [CASE ...]
"""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

HEDDLE = os.path.abspath(sys.argv.pop(1))
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader", "--mca", "oob_tcp_if_include", "lo",
          *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_", "SLURM_"))}
# Open MPI keeps memory of its own until the end.
ENV["ASAN_OPTIONS"] = ENV.get("ASAN_OPTIONS", "") + ":detect_leaks=0"

SWEEP = """
title: a sweep for ranks
fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}
workload: {kind: poisson, sizes: 20KB, load: 0.5, load_at: tor-uplink, pairs: inter-rack, flows: 200}
sweep: {switch.balance: [ecmp, expeditus], run.seed: [1, 2, 3]}
expect:
  - {claim: all-finish, metric: flows.unfinished, of: {switch.balance: ecmp}, every: true, value: [0, 0]}
"""
# Three short runs, then three that no test waits for.
ENDLESS = """
title: short runs and endless ones
fabric: {kind: star, hosts: 3}
workload: {kind: long, src: 0, dst: 2, within: 100us}
sweep: {run.until: [1ms, 1000s], run.seed: [1, 2, 3]}
"""
# Hardly a packet-hop is foreseen, but links' loads are noted each 100 ns for 1000 s.
SLOW = """
fabric: {kind: leaf-spine, leaves: 16, spines: 16, hosts: 2}
switch: {balance: clairvoyant, clairvoyant: {epoch: 100ns}}
host: {transport: udp}
workload: {kind: long, src: 0, dst: 2, rate: 1Mbps, within: 100us}
run: {until: 1000s}
sweep: {run.seed: [1, 2]}
"""
PATIENCE_S = 240  # for what takes a second where no other test runs
MEASURED_BY_CLOCK = {"wall_s", "hops_per_s", "rss_bytes"}


def without_clock(line):
    line.get("engine", {}).update({key: None for key in MEASURED_BY_CLOCK})
    return line


class Ranks(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="heddle-mpi-")
        self.addCleanup(made.cleanup)
        self.place = made.name
        self.write("sweep.yaml", SWEEP)

    def write(self, name, text):
        with open(os.path.join(self.place, name), "w", encoding="utf-8") as file:
            file.write(text)

    def ran(self, words, env=None):
        return subprocess.run(words, cwd=self.place, env=env or ENV, capture_output=True, text=True, timeout=PATIENCE_S, check=False)

    def on_ranks(self, n, *words):
        return self.ran([*MPIRUN, "-n", str(n), HEDDLE, *words])

    def stored(self, store, query):
        with sqlite3.connect(f"file:{self.place}/{store}?mode=ro", uri=True) as db:
            return db.execute(query).fetchall()

    def rows_of(self, store):
        """All that the store holds but times of the clock."""
        rows = {}
        for (table,) in self.stored(store, "select name from sqlite_master where type = 'table' order by name"):
            if table not in ("runs", "experiments"):
                # Rows of runs are numbered in the order in which runs began: by the identity of the run instead.
                rows[table] = sorted(self.stored(store, f"select * from {table}"))
        rows["runs"] = self.stored(store, "select id, number, identity, status, failure from runs order by id")
        return rows

    def test_ranks_leave_what_a_single_process_leaves(self):
        alone = self.ran([HEDDLE, "run", "sweep.yaml", "--json", "-o", "alone.db"])
        self.assertEqual(alone.returncode, 0, alone.stderr)
        lines = [without_clock(json.loads(line)) for line in alone.stdout.splitlines()]
        self.assertEqual(len(lines), 7)
        for n, more in ((2, []), (4, ["-j", "2"])):
            with self.subTest(ranks=n):
                done = self.on_ranks(n, "run", "sweep.yaml", "--json", "-o", f"ranks{n}.db", *more)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual([without_clock(json.loads(line)) for line in done.stdout.splitlines()], lines)
                self.assertEqual(self.rows_of(f"ranks{n}.db"), self.rows_of("alone.db"))

    def test_others_take_part(self):
        """Three runs under way on three ranks: each rank is the parent of one."""
        self.write("long.yaml", ENDLESS)
        ranks = self.started(3)
        self.assertTrue(self.waited(lambda: len(self.processes_below(ranks.pid)) >= 6))  # three ranks, a run each
        parents = {parent for _, parent in self.processes_below(ranks.pid)}
        self.assertGreaterEqual(len(parents), 4)  # mpirun and three ranks
        ranks.send_signal(signal.SIGINT)
        ranks.communicate(timeout=PATIENCE_S)

    def test_an_unmet_expectation_is_the_exit_status(self):
        self.write("sweep.yaml", SWEEP.replace("value: [0, 0]", "value: [1, 2]"))
        done = self.on_ranks(2, "run", "sweep.yaml", "-q")
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_the_same_command_goes_on(self):
        first = self.ran([HEDDLE, "run", "sweep.yaml", "-q", "--set", "run.seed=[1, 2]"])
        self.assertEqual(first.returncode, 0, first.stderr)
        done = self.on_ranks(2, "run", "sweep.yaml", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.stored("sweep.db", "select count(*), count(distinct identity) from runs where status = 'done'"), [(6, 6)])

    def test_a_budget_ends_runs_on_all_ranks(self):
        """Runs that take far longer than foreseen, one on each of two ranks; the other rank's run ends too."""
        self.write("slow.yaml", SLOW)
        done = self.on_ranks(2, "run", "slow.yaml", "--budget", "4s")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("slow.yaml: the budget of 4.0 s is over\n", done.stderr)
        self.assertIn("slow.yaml: 2 of 2 runs are not done", done.stderr)
        rows = "select status, failure is null, started is null, finished is null from runs"
        self.assertEqual(self.stored("slow.db", rows), [("running", 1, 0, 0), ("running", 1, 0, 0)])

    def test_runs_that_do_not_answer_are_killed_on_all_ranks(self):
        """Stopped processes hear nothing; they are killed five seconds after the budget."""
        self.write("slow.yaml", SLOW)
        ranks = subprocess.Popen([*MPIRUN, "-n", "2", HEDDLE, "run", "slow.yaml", "-q", "--budget", "8s"], cwd=self.place, env=ENV,
                                 stderr=subprocess.PIPE, text=True)
        self.addCleanup(ranks.kill)
        self.assertTrue(self.waited(lambda: len(self.processes_below(ranks.pid)) >= 4))  # two ranks, a run each
        runs = [one for one, parent in self.processes_below(ranks.pid) if parent != ranks.pid]
        for run in runs:
            os.kill(run, signal.SIGSTOP)
        _, said = ranks.communicate(timeout=PATIENCE_S)
        self.assertEqual(ranks.returncode, 3, said)
        self.assertIn("slow.yaml: the budget of 8.0 s is over\n", said)
        self.assertFalse(any(os.path.exists(f"/proc/{run}") for run in runs))

    def test_a_budget_goes_on_with_ranks(self):
        """A command without time for any run leaves rows, a second one does them: as a single process without a budget."""
        cut = self.on_ranks(2, "run", "sweep.yaml", "-q", "--budget", "1ms", "-o", "cut.db")
        self.assertEqual(cut.returncode, 3, cut.stderr)
        self.assertIn("sweep.yaml: 6 of 6 runs are not done", cut.stderr)
        self.assertEqual(self.on_ranks(2, "run", "sweep.yaml", "-q", "--budget", "1h", "-o", "cut.db").returncode, 0)
        self.assertEqual(self.ran([HEDDLE, "run", "sweep.yaml", "-q", "-o", "alone.db"]).returncode, 0)
        self.assertEqual(self.rows_of("cut.db"), self.rows_of("alone.db"))

    # ---- refusals: one line, exit status 2, nothing written ----

    def refused(self, done, text):
        self.assertEqual(done.returncode, 2, done.stderr)
        said = [line for line in done.stderr.splitlines() if "error: " in line]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(text, said[0])
        self.assertFalse(os.path.exists(self.place + "/sweep.db"))

    def test_lonely_singletons(self):
        for rank in range(2):
            done = self.ran([HEDDLE, "run", "sweep.yaml"], {**ENV, "PMI_SIZE": "2", "PMI_RANK": str(rank)})
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1 - rank, done.stderr)
        done = self.ran([HEDDLE, "run", "sweep.yaml"], {**ENV, "SLURM_STEP_NUM_TASKS": "8", "SLURM_PROCID": "0"})
        self.refused(done, "srun started 8 processes that Open MPI cannot connect")

    def test_ranks_that_read_different_files(self):
        os.mkdir(self.place + "/other")
        self.write("other/sweep.yaml", SWEEP.replace("load: 0.5", "load: 0.6"))
        run = ["-n", "1", HEDDLE, "run", "sweep.yaml"]
        done = self.ran([*MPIRUN, *run, ":", "-wdir", self.place + "/other", *run])
        self.refused(done, "rank 1 on")
        self.assertIn("reads another experiment", done.stderr)

    def test_a_rank_without_the_file(self):
        os.mkdir(self.place + "/other")
        run = ["-n", "1", HEDDLE, "run", "sweep.yaml"]
        self.refused(self.ran([*MPIRUN, *run, ":", "-wdir", self.place + "/other", *run]), "rank 1 on")
        self.refused(self.ran([*MPIRUN, "-n", "2", HEDDLE, "run", "nowhere.yaml"]), "nowhere.yaml")

    def test_ranks_of_different_builds(self):
        """The copy differs in its last byte, which no loader reads."""
        os.mkdir(self.place + "/build")
        copy = shutil.copy(HEDDLE, self.place + "/build/heddle")
        os.symlink(os.path.join(os.path.dirname(HEDDLE), "heddle-mpi.so"), self.place + "/build/heddle-mpi.so")
        with open(copy, "ab") as file:
            file.write(b"\0")
        run = ["run", "sweep.yaml"]
        self.refused(self.ran([*MPIRUN, "-n", "1", HEDDLE, *run, ":", "-n", "1", copy, *run]), "runs another build of heddle")

    def test_a_program_without_its_module(self):
        os.mkdir(self.place + "/build")
        copy = shutil.copy(HEDDLE, self.place + "/build/heddle")
        done = self.ran([copy, "run", "sweep.yaml"], {**ENV, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"})
        self.refused(done, "Open MPI cannot be used")

    # ---- the end before the end ----

    def started(self, n):
        self.write("long.yaml", ENDLESS)
        process = subprocess.Popen([*MPIRUN, "-n", str(n), HEDDLE, "run", "long.yaml", "-o", "long.db"], cwd=self.place, env=ENV,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        if not self.waited(lambda: self.done_and_running() == (3, 3) and self.processes_below(process.pid)):
            process.kill()
            self.fail(process.communicate()[1])
        return process

    def waited(self, condition):
        end = time.monotonic() + PATIENCE_S / 2
        while time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.1)
        return False

    def done_and_running(self):
        try:
            count = dict(self.stored("long.db", "select status, count(*) from runs where started is not null group by status"))
        except sqlite3.OperationalError:
            return None
        return count.get("done"), count.get("running")

    def processes_below(self, root):
        """(process, parent) of all that descend from a process."""
        parent = {}
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                    parent[int(entry)] = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
        below, found = {root}, []
        while True:
            more = [(one, up) for one, up in parent.items() if up in below and one not in below]
            if not more:
                return sorted(found)
            found += more
            below |= {one for one, _ in more}

    def ended_well(self, ranks, below):
        """The ranks end soon, say what is missing, keep what is done, and leave no process."""
        start = time.monotonic()
        _, said = ranks.communicate(timeout=PATIENCE_S)
        if os.getloadavg()[0] < 4 * os.cpu_count():
            self.assertLess(time.monotonic() - start, 10)
        self.assertNotEqual(ranks.returncode, 0)
        self.assertIn("long.yaml: 3 of 6 runs are not done; what finished is in long.db, the same command goes on from there", said)
        self.assertEqual(self.done_and_running()[0], 3)
        self.assertTrue(self.waited(lambda: not any(os.path.exists(f"/proc/{one}") for one, _ in below)))
        again = self.ran([HEDDLE, "run", "long.yaml", "-q", "--set", "run.until=1ms"])
        self.assertEqual(again.returncode, 0, again.stderr)
        return said

    def test_a_killed_rank_ends_all(self):
        ranks = self.started(3)
        below = self.processes_below(ranks.pid)
        rank = [one for one, parent in below if parent == ranks.pid][1]
        os.kill(rank, signal.SIGKILL)
        self.assertIn("exited on signal 9", self.ended_well(ranks, below))

    def test_ctrl_c(self):
        ranks = self.started(3)
        below = self.processes_below(ranks.pid)
        ranks.send_signal(signal.SIGINT)
        self.ended_well(ranks, below)


if __name__ == "__main__":
    unittest.main(verbosity=2)
