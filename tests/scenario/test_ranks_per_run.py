#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One run over several ranks: the result and the store of one process, to the last bit, for each number of ranks and threads.

usage: test_ranks_per_run.py HEDDLE [--long] [CASE ...]
"""
import glob
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
LONG = "--long" in sys.argv and not sys.argv.remove("--long")
with open(HEDDLE, "rb") as program:
    SANITIZED = b"__asan_init" in program.read()  # AddressSanitizer writes all memory that is given, and has more of its own
BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/ranks")
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader", "--mca", "oob_tcp_if_include", "lo",
          *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_", "SLURM_"))}
# Open MPI keeps memory of its own until the end.
ENV["HEDDLE_CORES"] = "64"  # more threads than cores, on purpose
ENV["ASAN_OPTIONS"] = ENV.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
PATIENCE_S = 240  # for what takes seconds where no other test runs
# Ranks, and threads of each. Windows of the small fabrics are too small for threads; "far" has long ones.
SHAPES = [(2, 1), (4, 1)]
FAR_SHAPES = [(1, 2), (2, 1), (2, 2), (4, 1), (4, 2)]

TREE = "fabric: {kind: fat-tree, k: 4, rate: 1Gbps, delay: 6600ns}\n"
FAR = "fabric: {kind: clos, pods: 8, tors: 2, aggs: 2, cores: 2, hosts: 1, rate: 40Gbps, delay: 100us}\n"
CLOS = "fabric: {kind: leaf-spine, leaves: 4, spines: 2, hosts: 4}\n"
SOME = "workload: {kind: poisson, sizes: 30KB, load: 0.5, load_at: tor-uplink, pairs: inter-rack, flows: %d}\n"
CASES = {
    "schemes": TREE + SOME % 60 + """
measure: {queues: 100us, links: 100us, from: 100us}
sweep: {scheme: [ecmp, expeditus, clairvoyant, dctcp, expresspass, spraypass, detail-fc, detail%s]}
""" % (", hull, dx, expresspass-2017, expresspass-naive, spraypass-1, detail-baseline, detail-priority-pfc" if LONG else ""),
    "balancers": CLOS + SOME % 150 + """
sweep: {switch.balance: [ecmp, expeditus, clairvoyant, conga-flow, spray, alb], host.transport: [newreno, cubic]}
""",
    "failures": """
fabric: {kind: fat-tree, k: 4, failed: [{link: agg0.0-core0.0, at: 200us, repair_at: 600us, detect: 50us},
                                        {link: tor1.0-agg1.1, at: 300us, repair_at: 900us, detect: 20us}]}
""" + SOME % 150 + """
sweep: {switch.balance: [ecmp, spray, expeditus, clairvoyant]}
""",
    "pauses": TREE + SOME % 150 + """
scheme: detail
measure: {pauses: 100us, flow: [3, 17]}
switch: {pause_storm: 40us}
""",
    # Seven switches in a ring of several ranks, each host with a flow to the third next: pauses that wait for each other.
    "ring": """
scheme: detail-fc
fabric: {kind: file, path: ring.yaml, rate: 1Gbps}
workload: {kind: trace, path: ring.csv}
host: {receive_window: 1MB}
switch: {pause_storm: 20ms}
run: {until: 100ms}
""",
    "timelines": TREE + SOME % 60 + """
measure: {flow: [3, 17]}
sweep: {scheme: [dctcp, spraypass]}
""",
    # A window of 100 us holds 5,200 frames, enough for eight threads.
    "far": FAR + SOME % 60 + """
measure: {queues: 100us, links: 100us, from: 100us}
sweep: {scheme: [ecmp, expeditus, dctcp, expresspass, spraypass%s]}
""" % (", hull, dx" if LONG else ""),
    "far_pauses": FAR + SOME % 60 + """
switch: {islip: {ingress: 20MB}}
sweep: {scheme: [detail%s]}
""" % (", detail-fc, detail-priority-pfc" if LONG else ""),
    # What is measured of all flows at once, in the run and in the rows of the store.
    "rates": CLOS + """
workload:
 - {kind: long, pairs: inter-rack, stop: 3ms}
 - {kind: poisson, sizes: 200KB, load: 0.3, load_at: tor-uplink, pairs: inter-rack, flows: 60}
measure: {goodput: 100us, jain: [100us, 300us], convergence: {interval: 100us}, from: 200us}
sweep: {scheme: [ecmp, expresspass]}
""",
    # Flows that others start, at hosts of several ranks; and flows that are stopped.
    "queries": TREE + """
workload:
  - {kind: web-partition, responses: [4KB, 8KB], schedule: [{for: 10ms, rate: 1000/s}], fanout: [3, 5], queries: 12}
  - {kind: web-sequential, responses: [4KB], schedule: [{for: 10ms, rate: 1000/s}], length: 3, queries: 6}
  - {kind: incast, sizes: 10KB, request: 100B, receiver: each, senders: 4, rounds: 2}
sweep: {scheme: [ecmp, detail]}
""",
    # Computations, messages that wait for what their host received or had acknowledged, and what is worked out of all of them.
    "jobs": CLOS + """
workload:
  - {kind: training, pipeline: 2, data: 4, layers: 4, micro_batches: 3, forward: 20us, activation: 20KB, gradients: 800KB, weights: 400KB, iterations: 2}
  - {kind: collective, op: all-to-all, size: 160KB, window: 2, iterations: 2}
sweep: {host.transport: [newreno, expresspass]}
""",
    # The end of the run depends on flows that end without their last byte; a link loses frames.
    "stopped": CLOS.replace("}", ", failed: [{link: leaf0-spine1, at: 50us, loss: 1%}]}") + """
workload:
  - {kind: long, pairs: inter-rack, stop: 500us}
  - {kind: permutation, sizes: 50KB}
sweep: {workload.0.stop: [100us, 500us]}
""",
}
RING = {
    "ring.yaml": "nodes: [" + ", ".join(f"{{name: s{i}}}, {{name: h{i}}}" for i in range(7)) + "]\nlinks:\n" +
                 "".join(f"  - {{a: s{i}, b: h{i}}}\n  - {{a: s{i}, b: s{(i + 1) % 7}}}\n" for i in range(7)),
    "ring.csv": "start_us,src,dst,bytes\n" + "".join(f"0,h{i},h{(i + 3) % 7},2000000\n" for i in range(7)),
}
ENDLESS = """
fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
workload: {kind: long, src: 0, dst: 2}
sweep: {run.until: [%s]}
"""
# Nothing leaves leaf 0 from 50 us on, and no route learns of it.
STUCK = CLOS.replace("}", ", failed: [{link: leaf0-spine0, at: 50us, detect: 1000s}, {link: leaf0-spine1, at: 50us, detect: 1000s}]}") + """
workload: {kind: permutation, sizes: 1MB}
"""
# Hardly a packet-hop is foreseen, but links' loads are noted each 100 ns for 1000 s.
SLOW = """
fabric: {kind: leaf-spine, leaves: 16, spines: 16, hosts: 2}
switch: {balance: clairvoyant, clairvoyant: {epoch: 100ns}}
host: {transport: udp}
workload: {kind: long, src: 0, dst: 2, rate: 1Mbps, within: 100us}
run: {until: 1000s}
sweep: {run.seed: [1, 2]}
expect:
  - {claim: none-drops, metric: packets.dropped, every: true, value: [0, 0]}
"""


def result(line):
    """The --json object without what depends on the machine and on how the run was divided."""
    run = json.loads(line)
    run.pop("memory", None)
    for key in ("wall_s", "hops_per_s", "rss_bytes", "threads", "ranks"):
        run.get("engine", {}).pop(key, None)
    return run


class RanksPerRun(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="heddle-mpi-")
        self.addCleanup(made.cleanup)
        self.place = made.name

    def write(self, text):
        with open(self.place + "/one.yaml", "w", encoding="utf-8") as file:
            file.write("title: one run over several ranks\n" + text)

    def words(self, ranks, *more, launched=None):
        words = [HEDDLE, "run", "one.yaml", *more]
        return words if ranks == 1 else [*MPIRUN, "-n", str(launched or ranks), *words, "--ranks-per-run", str(ranks)]

    def ran(self, words):
        return subprocess.run(words, cwd=self.place, env=ENV, capture_output=True, text=True, timeout=PATIENCE_S, check=False)

    def rows(self, store):
        """All rows of the store but the rows that tell times of the clock."""
        with sqlite3.connect(f"file:{self.place}/{store}?mode=ro", uri=True) as db:
            tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table' order by name")]
            rows = {name: sorted(db.execute(f"select * from {name}"), key=repr) for name in tables if name not in ("runs", "experiments")}
            rows["runs"] = db.execute("select id, number, identity, status, failure from runs order by id").fetchall()
        return rows

    def one(self, ranks, threads):
        store = f"{ranks}-{threads}.db"
        done = self.ran(self.words(ranks, "--json", "-o", store, "--threads", str(threads)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(all(json.loads(line)["engine"]["threads"] == ranks * threads for line in done.stdout.splitlines()))
        return [result(line) for line in done.stdout.splitlines()], self.rows(store)

    def same(self, name):
        self.write(CASES[name].replace("flows: ", "flows: 1") if LONG else CASES[name])
        for other, text in RING.items() if name == "ring" else ():
            with open(f"{self.place}/{other}", "w", encoding="utf-8") as file:
                file.write(text)
        alone, rows = self.one(1, 1)
        self.assertEqual(len(rows["pause_rings"]), 7 if name == "ring" else 0)
        self.assertTrue(alone and all(run["engine"]["digest"] for run in alone))
        for ranks, threads in FAR_SHAPES if name.startswith("far") else SHAPES:
            with self.subTest(ranks=ranks, threads=threads):
                lines, stored = self.one(ranks, threads)
                self.assertEqual(lines, alone)
                for table in rows:
                    self.assertEqual(stored[table], rows[table], table)

    def test_more_ranks_than_send_each_other_notes(self):
        """Up to 16 ranks end a window by a note from each to each, more by a reduction of the library."""
        self.write("fabric: {kind: leaf-spine, leaves: 17, spines: 1, hosts: 1}\n" + SOME % 20)
        alone, rows = self.one(1, 1)
        lines, stored = self.one(17, 1)
        self.assertEqual(lines, alone)
        self.assertEqual(stored, rows)

    # ---- several groups of ranks, a run each ----

    def test_groups_leave_what_a_single_process_leaves(self):
        self.write(CLOS + SOME % 100 + "sweep: {switch.balance: [ecmp, expeditus, spray], run.seed: [1, 2]}\n")
        alone, rows = self.one(1, 1)
        self.assertEqual(len(alone), 6)
        done = self.ran(self.words(2, "--json", "-o", "groups.db", launched=4))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([result(line) for line in done.stdout.splitlines()], alone)
        self.assertEqual({json.loads(line)["engine"]["threads"] for line in done.stdout.splitlines()}, {2})
        self.assertEqual(self.rows("groups.db"), rows)

    def test_groups_run_side_by_side(self):
        """The leader gives the other group its next run while its own group is in a run that does not end."""
        ranks, members = self.started(["1ms", "900s", "1000s"], ["done", "running", "running"], launched=4)
        self.assertEqual(len(members), 4)
        os.kill(members[3], signal.SIGKILL)
        self.ended_well(ranks, members)

    # ---- what heddle check expects, and what takes place ----

    if not SANITIZED:
        def test_a_rank_has_the_memory_of_its_part(self):
            """Resident memory, on average over the ranks, against that of one process and against what check foresees: a
            bound, at most twice what is used. It is the leader's; the leader collects the results, so the others have less."""
            self.write("fabric: {kind: fat-tree, k: 48}\nworkload: {kind: permutation, sizes: 1MB}\nrun: {until: 50us}\n")
            used, foreseen = {}, {}
            for ranks in (1, 4):
                check = self.ran([HEDDLE, "check", "one.yaml", "--json", *(["--ranks-per-run", str(ranks)] if ranks > 1 else [])])
                foreseen[ranks] = json.loads(check.stdout)["run"]["memory_bytes"]
                done = self.ran(self.words(ranks, "--json", "-o", f"{ranks}.db"))
                self.assertEqual(done.returncode, 0, done.stderr)
                used[ranks] = json.loads(done.stdout)["engine"]["rss_bytes"] / ranks
            self.assertLess(used[4], 0.6 * used[1])
            self.assertLess(used[1], foreseen[1])
            self.assertLess(foreseen[1], 2 * used[1])
            self.assertLess(used[4], foreseen[4])
            self.assertLess(foreseen[4], 2 * used[4])

    def sent(self, ranks):
        """What check expects the ranks to send over a whole run, and what they sent."""
        expected = self.ran([HEDDLE, "check", "one.yaml", "--ranks-per-run", str(ranks), "--json"])
        self.assertEqual(expected.returncode, 0, expected.stderr)
        done = self.ran(self.words(ranks, "--json", "-o", f"sent{ranks}.db"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(expected.stdout)["run"]["ranks"]["expected"], json.loads(done.stdout.splitlines()[0])["engine"]["ranks"]

    def test_what_check_expects_is_sent(self):
        """Open-loop traffic keeps all windows busy. Messages of four ranks are a bound: frames come in bursts."""
        self.write("fabric: {kind: fat-tree, k: 4}\n" + SOME % 1500)
        for ranks, least_messages in ((2, 0.9), (4, 0.6)):
            with self.subTest(ranks=ranks):
                expected, sent = self.sent(ranks)
                for key, least, most in (("frames", 0.95, 1.05), ("bytes", 0.95, 1.05), ("windows", 0.9, 1.15),
                                         ("messages", least_messages, 1.15)):
                    self.assertGreater(sent[key], least * expected[key], key)
                    self.assertLess(sent[key], most * expected[key], key)
                self.assertGreater(sent["computing_s"], 1.2 * sent["busiest_s"])
                self.assertLessEqual(sent["computing_s"], ranks * sent["busiest_s"])
        alone = self.ran(self.words(1, "--json", "-o", "alone.db"))
        self.assertEqual(set(json.loads(alone.stdout.splitlines()[0])["engine"]["ranks"].values()), {0})

    def test_the_model_of_many_ranks(self):
        """bench/ranks predicts from what it measures: the frames between four ranks are as many as it expects."""
        self.write("fabric: {kind: fat-tree, k: 4}\n" + SOME % 300)
        done = self.ran([BENCH, "one.yaml", "--heddle", HEDDLE, "--rounds", "1", "--ranks", "4,8,1024"])
        self.assertEqual(done.returncode, 0, done.stderr)
        four = next(line for line in done.stdout.splitlines() if line.startswith("| 4 |")).split(" | ")
        model, measured = (float(cell.removesuffix(" MB")) for cell in four[5].split(" / "))
        self.assertTrue(0.9 * measured <= model <= 1.1 * measured, done.stdout)
        *predicted, impossible = done.stdout.splitlines()[-3:]
        speed_ups = [float(line.split(" | ")[-1].removesuffix(" |")) for line in predicted]
        self.assertIn("| 1024 | the fabric has fewer pods, or racks, than the run shall have ranks", impossible)
        self.assertTrue(0 < speed_ups[0] < 4 and 0 < speed_ups[1] < 8, done.stdout)

    def test_threads_that_do_not_pay_are_left_out(self):
        self.write(CLOS + SOME % 20)
        done = self.ran(self.words(2, "--threads", "2", "--json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("one.yaml: note: run 1 took 2 of 4 threads on its ranks: what all hosts can send in a window is ", done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[0])["engine"]["threads"], 2)
        self.assertIn("--threads 2 takes 1\n", self.ran([HEDDLE, "check", "one.yaml", "--ranks-per-run", "2", "--threads", "2"]).stdout)

    # ---- refusals ----

    def refused(self, done, text):
        """One line, exit status 2, nothing written."""
        self.assertEqual(done.returncode, 2, done.stderr)
        said = [line for line in done.stderr.splitlines() if "error: " in line]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(text, said[0])
        self.assertEqual([name for name in os.listdir(self.place) if ".db" in name], [])

    def test_refusals(self):
        self.write(CLOS + SOME % 20)
        self.refused(self.ran([HEDDLE, "run", "one.yaml", "--ranks-per-run", "2"]), "needs as many ranks, or a multiple, and there is 1: mpirun -n 2")
        self.refused(self.ran(self.words(2, launched=3)), "needs as many ranks, or a multiple, and there are 3: mpirun -n 2")
        self.refused(self.ran(self.words(2, "-j", "2")), "--ranks-per-run and --jobs exclude each other")
        self.refused(self.ran(self.words(5)), "has fewer pods, or racks")

    def test_a_run_that_is_stuck_fails(self):
        self.write(STUCK)
        done = self.ran(self.words(2))
        self.assertEqual(done.returncode, 3, done.stderr)
        alone = self.ran([HEDDLE, "run", "one.yaml", "-o", "alone.db"])
        line = [one for one in alone.stderr.splitlines() if "stuck at" in one][0]
        self.assertIn("; flow", line)
        self.assertIn(line, done.stderr)

    def test_a_rank_that_cannot_write_its_capture_fails_the_run(self):
        """The folder of captures is a file: a rank that opens none must not wait for ranks that failed."""
        self.write(CLOS + SOME % 20 + "measure: {pcap: [leaf3]}\n")
        with open(self.place + "/one.captures", "w", encoding="utf-8"):
            pass
        done = self.ran(self.words(2))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("run 1 failed: ", done.stderr)

    def test_captures(self):
        self.write(CLOS + SOME % 20 + "measure: {pcap: [leaf0, leaf3]}\n")
        for ranks in (1, 2):
            done = self.ran(self.words(ranks, "-o", f"{ranks}.db"))
            self.assertEqual(done.returncode, 0, done.stderr)
        names = sorted(os.listdir(self.place + "/1.captures/run1"))
        self.assertEqual(len(names), 2)
        self.assertEqual(names, sorted(os.listdir(self.place + "/2.captures/run1")))
        for name in names:
            with open(f"{self.place}/1.captures/run1/{name}", "rb") as one, open(f"{self.place}/2.captures/run1/{name}", "rb") as two:
                self.assertEqual(one.read(), two.read())

    # ---- the end before the end ----

    def started(self, until=("1ms", "1000s"), statuses=("done", "running"), launched=2):
        """Ranks, two for a run, that have finished one run and are in others, which no test waits for."""
        self.write(ENDLESS % ", ".join(until))
        ranks = subprocess.Popen(self.words(2, launched=launched), cwd=self.place, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(ranks.kill)
        if not self.waited(lambda: ranks.poll() is not None or self.statuses() == list(statuses)) or ranks.poll() is not None:
            ranks.kill()
            self.fail(ranks.communicate()[1])
        with open(f"/proc/{ranks.pid}/task/{ranks.pid}/children", encoding="utf-8") as file:
            return ranks, [int(one) for one in file.read().split()]

    def waited(self, condition):
        end = time.monotonic() + PATIENCE_S / 2
        while time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.05)
        return False

    def statuses(self):
        try:
            with sqlite3.connect(f"file:{self.place}/one.db?mode=ro", uri=True) as db:
                return [status for (status,) in db.execute("select status from runs where started is not null order by id")]
        except sqlite3.OperationalError:
            return []

    def ended_well(self, ranks, members):
        start = time.monotonic()
        _, said = ranks.communicate(timeout=PATIENCE_S)
        if os.getloadavg()[0] < 4 * os.cpu_count():
            self.assertLess(time.monotonic() - start, 10)
        self.assertNotEqual(ranks.returncode, 0)
        self.assertTrue(self.waited(lambda: not any(os.path.exists(f"/proc/{one}") for one in members)))
        self.assertEqual(self.statuses()[0], "done")
        again = self.ran(self.words(2, "-q", "--set", "run.until=[1ms, 2ms]"))
        self.assertEqual(again.returncode, 0, again.stderr)
        return said

    def test_a_killed_rank_ends_the_job(self):
        ranks, members = self.started()
        self.assertEqual(len(members), 2)
        os.kill(members[1], signal.SIGKILL)
        said = self.ended_well(ranks, members)
        self.assertIn("exited on signal 9", said)

    def test_ctrl_c(self):
        """mpirun kills its ranks some 20 ms after it has asked them to end, in which the leader may not come to say what is
        missing; so it may take three times."""
        left = "one.yaml: 1 of 2 runs are not done; what finished is in one.db, the same command goes on from there"
        for _ in range(3):
            ranks, members = self.started()
            ranks.send_signal(signal.SIGINT)
            said = self.ended_well(ranks, members)
            if left in said:
                return
            for file in glob.glob(f"{self.place}/one.db*"):
                os.remove(file)
        if os.getloadavg()[0] < 2 * os.cpu_count():
            self.fail(said)

    def test_a_budget_ends_the_run_under_way(self):
        """The leader concludes in place of the run; the launcher ends the other rank."""
        self.write(SLOW)
        start = time.monotonic()
        done = self.ran(self.words(2, "--budget", "6s"))
        if os.getloadavg()[0] < 4 * os.cpu_count():
            self.assertLess(time.monotonic() - start, 16)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("one.yaml: the budget of 6.0 s is over\n", done.stderr)
        self.assertIn("one.yaml: 2 of 2 runs are not done; what finished is in one.db", done.stderr)
        self.assertIn("0 of 2 runs are done; missing:\n  run.seed: 1 (all), 2 (all)\n", done.stdout)
        with sqlite3.connect(f"file:{self.place}/one.db?mode=ro", uri=True) as db:
            rows = db.execute("select status, failure is null, started is null, finished is null from runs order by id").fetchall()
            self.assertEqual(rows, [("running", 1, 0, 0), ("running", 1, 1, 1)])
            self.assertEqual(db.execute("select verdict, missing from claims").fetchall(), [("not decided", 2)])

    if LONG:
        def test_a_budget_ends_the_runs_of_all_groups(self):
            self.write(SLOW)
            start = time.monotonic()
            done = self.ran(self.words(2, "--budget", "6s", launched=4))
            if os.getloadavg()[0] < 4 * os.cpu_count():
                self.assertLess(time.monotonic() - start, 16)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("one.yaml: the budget of 6.0 s is over\n", done.stderr)
            self.assertIn("0 of 2 runs are done; missing:\n  run.seed: 1 (all), 2 (all)\n", done.stdout)
            with sqlite3.connect(f"file:{self.place}/one.db?mode=ro", uri=True) as db:
                self.assertEqual(db.execute("select started is null, finished is null from runs order by id").fetchall(), [(0, 0), (0, 0)])

    def test_a_budget_goes_on(self):
        """A command without time for any run leaves rows, a second one does them: as without a budget."""
        self.write(CASES["timelines"])
        cut = self.ran(self.words(2, "-q", "-o", "cut.db", "--budget", "1ms"))
        self.assertEqual(cut.returncode, 3, cut.stderr)
        self.assertIn("one.yaml: 2 of 2 runs are not done", cut.stderr)
        for words in (["-o", "cut.db", "--budget", "1h"], ["-o", "plain.db"]):
            done = self.ran(self.words(2, "-q", *words))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.rows("cut.db"), self.rows("plain.db"))


for case in CASES:
    setattr(RanksPerRun, "test_" + case, lambda self, name=case: self.same(name))

if __name__ == "__main__":
    unittest.main(verbosity=2)
