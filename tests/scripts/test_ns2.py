#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/peers/ns2: scenarios, figures, tables, and what it says without an ns. A program of ours stands in for ns.

usage: test_ns2.py TREE [HEDDLE]; with HEDDLE, the built program, also what the script reads from its store
"""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TREE = Path(sys.argv.pop(1)).resolve()
HEDDLE = sys.argv.pop(1) if sys.argv[1:2] and not sys.argv[1].startswith("-") else ""
SCRIPT = TREE / "bench" / "peers" / "ns2"


def load():
    """Returns the script as a module."""
    loader = importlib.machinery.SourceFileLoader("ns2", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ns2", loader))
    sys.modules["ns2"] = module
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


NS2 = load()
CASES = sys.modules["ns2_cases"]
# Prints as many samples as its scenario asks for; the receiver of flow i gets i + 1 full frames in each interval.
FAKE_NS = """#!/usr/bin/env python3
import sys
lines = [line.split() for line in open(sys.argv[2])]
n_flows = sum(words[0] == "watch" for words in lines)
start, period, until = next([float(x) for x in words[1:]] for words in lines if words[0] == "sample")
for k in range(round((until - start) / period) + 1):
    print("at", k * period, *(1538 * k * (i + 1) for i in range(n_flows)))
print("wall 0.25")
"""
# Answers as heddle does, with a store in which the receivers got what the other program gives them.
FAKE_HEDDLE = """#!/usr/bin/env python3
import json, sqlite3, sys
experiment, store = json.load(open(sys.argv[2])), sys.argv[sys.argv.index("-o") + 1]
period, until = (int(text[:-2]) for text in (experiment["measure"]["goodput"], experiment["run"]["until"]))
with sqlite3.connect(store) as db:
    db.execute("CREATE TABLE nodes (run, node, name)")
    db.execute("CREATE TABLE ports (run, port, node)")
    db.execute("CREATE TABLE samples (run, at_ps, port, kind, value)")
    for i, entry in enumerate(experiment["workload"]):
        db.execute("INSERT INTO nodes VALUES (1, ?, ?)", (i, entry["dst"]))
        db.execute("INSERT INTO ports VALUES (1, ?, ?)", (100 + i, i))
        for k in range(1, until // period + 1):
            bps = 8 * 1460 * (i + 1) / (period / 1e9)
            db.execute("INSERT INTO samples VALUES (1, ?, ?, 'goodput', ?)", (k * period * 1000, 100 + i, bps))
print(json.dumps({"run": 1, "packets": {"dropped": DROPPED}, "engine": {"wall_s": 0.125}}))
"""


def series(period, *of):
    return CASES.Series(period, [list(bytes_) for bytes_ in of])


def case_named(name):
    return next(case for case in CASES.CASES if case.name == name)


def figure(case, name):
    return next(f for f in case_named(case).figures if f.name == name)


class Figures(unittest.TestCase):
    def test_data_rate_is_what_credits_leave(self):
        self.assertAlmostEqual(CASES.data_bps(10**10), 10**10 * 1460 / 1622)

    def test_least_link_is_that_of_the_long_flow_and_the_slowest_other(self):
        full = CASES.data_bps(10**10) * 0.02 / 8  # of an interval of 20 ms
        lot = series(0.02, [9] + 4 * [full / 4], *([9] + 4 * [share * full] for share in (.75, .5, .7, .1, .1, .1)))
        self.assertAlmostEqual(figure("F3, N = 2", "least used link").value(lot), 75)
        self.assertAlmostEqual(figure("F3, N = 2", "share of the long flow").value(lot), 0.25)

    def test_fair_is_within_ten_percent_of_the_mean_after_the_join(self):
        before = 100 * [7]  # 10 ms of the first flow alone
        joins = series(1e-4, before + [100, 80, 56, 70, 55, 54, 50], 100 * [0] + [0, 60, 44, 40, 45, 46, 50])
        self.assertEqual(figure("F7, 10 Gbps", "first fair RTT").value(joins), 5)
        self.assertEqual(figure("F7, 10 Gbps", "first of three in a row").value(joins), 5)
        late = series(1e-4, before + [50, 90, 50, 50, 50], 100 * [0] + [50, 10, 50, 50, 50])
        self.assertEqual(figure("F7, 10 Gbps", "first fair RTT").value(late), 1)
        self.assertEqual(figure("F7, 10 Gbps", "first of three in a row").value(late), 3)

    def test_an_interval_without_any_data_is_not_fair(self):
        nothing = series(1e-4, 103 * [0], 103 * [0])
        self.assertEqual(figure("F7, 10 Gbps", "first fair RTT").value(nothing), 3)

    def test_jain(self):
        self.assertEqual(CASES.jain([5, 5, 5, 5]), 1)
        self.assertEqual(CASES.jain([5, 0, 0, 0]), 0.25)
        self.assertEqual(CASES.jain([0, 0]), 0)

    def test_figure_10_judges_the_flows_of_each_step(self):
        fair = [[0] * 950 for _ in range(5)]
        for step, n in enumerate(CASES.STEPS):
            for flow in range(n):
                fair[flow][100 * step:100 * step + 100] = 100 * [60 // n]
        of = series(1e-3, *fair)
        self.assertEqual(figure("F10", "Jain, flows join").value(of), 1)
        self.assertEqual(figure("F10", "Jain, flows leave").value(of), 1)
        self.assertEqual(figure("F10", "the fifth flow ends").value(of), 500)
        fair[1][100:200] = 100 * [0]  # the second flow gets nothing while the first and it are there
        self.assertEqual(figure("F10", "Jain, flows join").value(series(1e-3, *fair)), (0.5 + 3) / 4)

    def test_sizes_of_figure_10_end_with_their_steps(self):
        flows = CASES.seeded(CASES.F10, 1)
        rate = CASES.data_bps(10**10) / 8
        self.assertEqual(flows[4].bytes, round(0.1 * rate / 5))
        self.assertAlmostEqual(sum(f.bytes for f in flows) / (0.9 * rate), 1, 6)


class Scenarios(unittest.TestCase):
    def test_both_programs_get_the_links_of_the_experiment(self):
        graph = case_named("F3, N = 2").graph
        self.assertEqual((len(graph.hosts), len(graph.edges)), (21, 27))
        self.assertIn(("e0", "leaf0", 10**10, 24.9e-6), graph.edges)
        self.assertTrue(all(delay == 4e-6 for _, _, _, delay in case_named("F3, N = 2, 4 us links").graph.edges))

    def test_lines_for_ns2(self):
        lines = NS2.scenario(case_named("F7, 10 Gbps"), 3, NS2.RELEASED).splitlines()
        self.assertIn("set Queue/XPassDropTail credit_limit_ 672", lines)
        self.assertIn("set Agent/XPass max_jitter_ 0.1", lines)
        self.assertIn("nodes 6", lines)
        self.assertIn("link 4 5 10000000000 1.66e-05", lines)
        self.assertIn("flow 1 3 0.010000000 1000000000000", lines)
        self.assertIn("watch 5 3 1.78304e-05", lines)
        self.assertEqual(lines[-2:], ["shake 111", "sample 0 0.000100000 0.020000000"])

    def test_starts_are_the_same_and_differ_by_seed(self):
        case = case_named("F9, 16 flows")
        flows = CASES.seeded(case, 1)
        entries = NS2.experiment(case, flows, 1)["workload"]
        self.assertEqual([e["start"] for e in entries], [f"{round(f.start * 1e9)}ns" for f in flows])
        self.assertNotEqual(flows, CASES.seeded(case, 2))

    def test_a_queue_of_hosts_alone(self):
        lines = NS2.scenario(case_named("F6, N = 2"), 1, NS2.ABLATIONS[-1]).splitlines()
        self.assertEqual(sum(line.startswith("credit-limit ") for line in lines), 32)
        self.assertTrue(all(line.endswith(" 92") for line in lines if line.startswith("credit-limit ")))

    def test_each_setting_of_heddle_has_its_counterpart(self):
        for setting in NS2.settings_2017() + NS2.FIXED:
            self.assertTrue(setting.variables or setting.what == "greatest w", setting)


class Output(unittest.TestCase):
    def test_counts_become_payload(self):
        case = case_named("F9, 16 flows")
        text = "".join(f"at {k} {1538 * k} {3076 * k}\n" for k in range(4)) + "wall 1.5\n"
        got = NS2.ns2_series(case, text)
        self.assertEqual((got.of, got.wall_s), ([[1460] * 3, [2920] * 3], 1.5))

    def test_a_run_that_stopped_early_is_refused(self):
        with self.assertRaisesRegex(NS2.Failure, "printed 1 samples, not 4: F9, 16 flows"):
            NS2.ns2_series(case_named("F9, 16 flows"), "at 0 0 0\nwall 1\n")

    def test_a_difference_counts_above_five_percent_and_two_errors(self):
        case = case_named("F6, N = 2")
        def row(ours, theirs):
            return NS2.Row(case, case.figures[0], ours, theirs)
        self.assertTrue(row([1.1, 1.11], [1, 1.01]).is_apart())
        self.assertFalse(row([1.04, 1.04], [1, 1]).is_apart())
        self.assertFalse(row([1, 1.4], [1, 1.1]).is_apart())

    def test_cells(self):
        row = NS2.Row(case_named("F6, N = 2"), case_named("F6, N = 2").figures[0], [.5, .6], [.5, .5])
        self.assertEqual(NS2.row_cells(row), ["F6, N = 2", "share of flow 0", "1/2", "0.500", "0.550 [0.500-0.600]", "+10.0 % ± 10.0"])

    def test_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text("a\n<!-- ns2: begin -->\nold\n<!-- ns2: end -->\nb\n", encoding="utf-8")
            NS2.page_write(page, {"ns2": "new"})
            self.assertEqual(page.read_text(encoding="utf-8"), "a\n<!-- ns2: begin -->\nnew\n<!-- ns2: end -->\nb\n")
            with self.assertRaisesRegex(NS2.Failure, "no marks '<!-- other: begin -->'"):
                NS2.page_write(page, {"other": ""})

    def test_the_page_has_the_marks_and_the_settings(self):
        text = (TREE / "docs" / "peers.md").read_text(encoding="utf-8")
        for name in ("ns2-settings", "ns2", "ns2-2016", "ns2-speed"):
            self.assertIn(f"<!-- {name}: begin -->\n", text)
        self.assertIn(f"<!-- ns2-settings: begin -->\n{NS2.settings_table()}\n<!-- ns2-settings: end -->", text)


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def run_script(self, *options):
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([sys.executable, SCRIPT, *options], capture_output=True, text=True, check=False, env=environment)

    def test_without_an_ns_it_says_so(self):
        done = self.run_script("--ns", str(self.folder / "ns"))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, f"bench/peers/ns2: skipped: there is no ns-2 at '{self.folder}/ns': build it (docs/peers.md) and name it with --ns PATH\n")

    def test_an_unknown_case_names_those_there_are(self):
        done = self.run_script("--only", "F99")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no case has 'F99' in its name; there are: F3, N = 2; ", done.stderr)

    def test_equal_programs_do_not_differ(self):
        ns, heddle = self.program("ns", FAKE_NS), self.program("heddle", FAKE_HEDDLE.replace("DROPPED", "0"))
        done = self.run_script("--ns", ns, "--heddle", heddle, "--only", "F6, N = 2", "--seeds", "2", "--ablations")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| F6, N = 2 | share of flow 0 | 1/2 | 0.000 | 0.000 | +0.0 % ± 0.0 |", done.stdout)
        self.assertIn("No figure is apart", done.stdout)

    @unittest.skipUnless(HEDDLE, "without the built program")
    def test_two_flows_share_a_link_in_heddle(self):
        options = ("--ns", self.program("ns", FAKE_NS), "--heddle", HEDDLE, "--only", "F6, N = 2", "--seeds", "1")
        done = self.run_script(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        shares = [float(line.split(" | ")[4]) for line in done.stdout.splitlines() if line.startswith("| F6")]
        self.assertEqual(len(shares), 2)
        for share in shares:  # half of what data can have
            self.assertAlmostEqual(share, 0.5, delta=0.05)

    def test_data_that_were_dropped_end_it(self):
        ns, heddle = self.program("ns", FAKE_NS), self.program("heddle", FAKE_HEDDLE.replace("DROPPED", "3"))
        done = self.run_script("--ns", ns, "--heddle", heddle, "--only", "F10", "--seeds", "1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("heddle: F10, seed 1: 3 data frames were dropped", done.stderr)

    def test_an_ns_that_fails_is_named(self):
        ns = self.program("ns", "#!/bin/sh\necho this ns has no algorithm1_ in Agent/XPass >&2\nexit 2\n")
        heddle = self.program("heddle", FAKE_HEDDLE.replace("DROPPED", "0"))
        done = self.run_script("--ns", ns, "--heddle", heddle, "--only", "F6, N = 2", "--seeds", "1", "--rule", "2016")
        self.assertEqual(done.returncode, 2)
        self.assertIn("exit status 2\nthis ns has no algorithm1_", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
