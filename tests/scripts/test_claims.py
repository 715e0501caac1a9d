#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/claims makes rows from records.

usage: test_claims.py SCRIPTS
"""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[1])
import records  # noqa: E402



def script(name):
    loader = importlib.machinery.SourceFileLoader(name, f"{sys.argv[1]}/{name}")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


claims, record_script = script("claims"), script("record")


def outcome(**changes):
    made = {"claim": "C", "entry": 0, "where": {}, "of": {"s": "a", "load": 0.5}, "against": {"s": "b", "load": 0.5},
            "than": None, "metric": "m.mean", "form": "change", "low": -0.5, "high": -0.2, "every": False, "roughly": None, "inferred": None,
            "paper": "it says", "measured": -0.3, "standard_error": 0.01, "interval": [-0.34, -0.26], "n_seeds": 5,
            "unsettled": 0, "growth_range": None,
            "verdict": "holds"}
    made.update(changes)
    return made


def record(outcomes, version=None):
    return {"file": "experiments/p/f.yaml", "profile": None, "result_version": version or records.result_version(), "outcomes": outcomes}


def made(text):
    """Returns the section "full" of a record, read from text."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "x.yaml"
        records.record_path(file).write_text(text)
        return records.record_read(file, None)


class Row(unittest.TestCase):
    def test_a_decided_outcome(self):
        found = (record([]), [outcome()])
        self.assertEqual(claims.row("C", "f", "", "", found),
                         "| C | [f](../experiments/p/f.record.json), full | it says | -50.0 % to -20.0 % | `m.mean`, a, 0.5 against b: -30.0 ±4.0 %; 5 seeds "
                         "| holds |  |\n")

    def test_claims_of_one_entry_against_several(self):
        found = (record([]), [outcome(), outcome(against={"s": "c", "load": 0.5})])
        self.assertIn("`m.mean`, a, 0.5 against b: -30.0 ±4.0 %; `m.mean`, a, 0.5 against c: -30.0 ±4.0 %; 5 seeds",
                      claims.row("C", "f", "", "", found))

    def test_places_and_several_verdicts(self):
        found = (record([]), [outcome(where={"load": 0.3}), outcome(where={"load": 0.6}, verdict="not decided", n_seeds=3)])
        row = claims.row("C", "f", "said", "why", found)
        self.assertIn("-30.0 ±4.0 % (load 0.3), -30.0 ±4.0 % (load 0.6); 3 to 5 seeds", row)
        self.assertIn("| holds 1 of 2: load 0.3; not decided 1 of 2: load 0.6 | why |", row)

    def test_many_places(self):
        places = [outcome(where={"scheme": "a", "fabric.hosts": n}, measured=-n / 100) for n in range(20, 28)]
        row = claims.row("C", "f", "said", "", (record([]), places))
        self.assertIn("a, 0.5 against b: -27.0 % to -20.0 % in 8 combinations; 5 seeds", row)
        places[7].update(verdict="does not hold")
        row = claims.row("C", "f", "said", "", (record([]), places))
        self.assertIn("holds: -26.0 % to -20.0 % in 7 combinations; does not hold: -27.0 ±1.0 % (a, hosts 27); 5 seeds", row)

    def test_one_seed_an_older_version_and_a_wide_range(self):
        one = outcome(interval=None, standard_error=None, n_seeds=1, verdict="not decided", roughly="about", high=None)
        row = claims.row("C", "f", "said", "", (record([], 2), [one]))
        self.assertIn("f.record.json), full, results of version 2", row)
        self.assertIn("at least -50.0 % (wider than the paper: about)", row)
        self.assertIn("-30.0 %; 1 seed |", row)

    def test_forms_and_what_is_compared(self):
        made = outcome(form="difference", than={"load": 0.1}, measured=3, interval=[2, 4], low=0, high=0, every=True)
        row = claims.row("C", "f", "said", "", (record([]), [made]))
        self.assertIn("difference of `m.mean`, a, 0.5 against b less the same at 0.1: 3 ±1", row)
        self.assertIn("| 0, each run |", row)

    def test_not_settled(self):
        found = (record([]), [outcome(verdict="not decided", growth_range=[-0.5, 0.1]), outcome(verdict="not decided")])
        self.assertIn("| not decided (not settled) 1 of 2; not decided 1 of 2 |", claims.row("C", "f", "said", "", found))

    def test_nothing(self):
        self.assertEqual(claims.row("C", "f", "said", "", None), "| C | f | said | | | not run |  |\n")


class LiveRow(unittest.TestCase):
    def test_both_worlds_and_their_difference(self):
        live, simulated = outcome(standard_error=0.03), outcome(measured=-0.35, standard_error=0.04, verdict="not decided")
        row = claims.live_row("C", "f", "", "", (record([]), [live]), (record([]), [simulated]))
        self.assertIn("[f](../experiments/p/f.record.json), full, 5 seeds | it says | -50.0 % to -20.0 % | -30.0 ±4.0 %: holds | ", row)
        self.assertIn(": not decided | +5.0 ±9.8 points |", row)

    def test_not_run(self):
        self.assertIn("| not run |", claims.live_row("C", "f", "said", "", None, (record([]), [outcome()])))
        self.assertIn("| not run | - |", claims.live_row("C", "f", "", "", (record([]), [outcome()]), None))


FULL = """{"full": {
"result_version": 4, "identity": "ab", "runs": 2, "packet_hops": 7,
"claims": [
{"claim": "P-F1.1", "metric": "m.mean", "form": "value", "of": {}, "low": 1.0, "paper": "it says", "outcomes": [
  {"where": {"load": 0.3}, "verdict": "holds", "measured": 2.0, "n_seeds": 1},
  {"where": {"load": 0.5}, "verdict": "not decided", "measured": 2.5, "n_seeds": 1}]},
{"claim": "a check", "metric": "m.mean", "form": "value", "of": {}, "every": true, "outcomes": [
  {"where": {}, "verdict": "holds", "measured": null, "n_seeds": 1}]}],
"digests": [
{"settings": {"load": 0.3}, "digests": {"1": "aa", "2": "bb"}}]},
"small": {
"result_version": 4, "identity": "cd", "runs": 1, "packet_hops": 3,
"digests": [
{"settings": {"load": 0.3}, "digests": {"1": "cc"}}]}}
"""


class Records(unittest.TestCase):
    def test_sections(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.yaml"
            file.write_text("expect: [{claim: C}]\nprofiles: {small: {expect: {claim: D}}}\n")
            self.assertIsNone(records.record_read(file, None))
            records.record_path(file).write_text(FULL)
            full, small = records.record_read(file, None), records.record_read(file, "small")
            self.assertEqual([(o["entry"], o["claim"], o["low"], o["high"], o["every"], o["interval"]) for o in full["outcomes"]],
                             [(0, "P-F1.1", 1.0, None, False, None)] * 2 + [(1, "a check", None, None, True, None)])
            self.assertEqual((small["outcomes"], list(records.digests(small).values())), ([], ["cc"]))
            self.assertEqual(list(records.digests(full).values()), ["aa", "bb"])
            self.assertIsNone(records.record_read(file, None, live=True))
            self.assertEqual(records.claims_stated(file), {"C", "D"})
            self.assertTrue(records.has_profile(file, "small") and not records.has_profile(file, "full"))

    def test_rows_state_claims_too(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.yaml"
            file.write_text("expect: [{claim: C, rows: [{of: {}}, {claim: D}]}, {rows: [{claim: E}]}]\n")
            self.assertEqual(records.claims_stated(file), {"C", "D", "E"})

    def test_a_file_with_a_base(self):
        with tempfile.TemporaryDirectory() as folder:
            base, file = pathlib.Path(folder) / "base.yaml", pathlib.Path(folder) / "in" / "x.yaml"
            file.parent.mkdir()
            base.write_text("run: {seed: 1, until: 1ms}\nsweep: {scheme: [a], run.seed: [1, 2]}\nexpect: [{claim: C}]\n"
                            "figure: {x: scheme}\nprofiles: {small: {expect: {claim: 'D-{scheme}'}}, other: null}\n")
            file.write_text("base: ../base.yaml\nrun: {until: 2ms}\nsweep: {scheme: null}\nprofiles: {other: {run: {seed: 3}}}\n")
            self.assertEqual(records.experiment(file), {"run": {"seed": 1, "until": "2ms"}, "sweep": {"run.seed": [1, 2]},
                                                        "profiles": {"small": {}, "other": {"run": {"seed": 3}}}})
            self.assertTrue(records.has_profile(file, "small"))
            self.assertEqual(records.claims_stated(file), set())
            (file.parent / "y.yaml").write_text("base: {file: ../base.yaml, expect: true}\n")
            self.assertEqual(records.claims_stated(file.parent / "y.yaml"), {"C", "D-{scheme}"})
            self.assertTrue(records.states(file.parent / "y.yaml", "D-expresspass"))
            self.assertFalse(records.states(file.parent / "y.yaml", "C-expresspass"))

    def test_what_moved(self):
        old, new = (made(FULL) for _ in range(2))
        new["outcomes"][0]["measured"], new["outcomes"][1]["verdict"] = 2.1, "holds"
        new["digests"] = [{"settings": {"load": 0.3}, "digests": {"1": "aa", "2": "ee"}}]
        self.assertEqual(record_script.moved(old, new), ["  P-F1.1 0.5: not decided -> holds (2.5)",
                                                         "  1 figure and 1 digest moved under the same verdict"])
        self.assertEqual(record_script.moved(old, old), [])
        self.assertEqual(record_script.moved(None, new), [])
        new["outcomes"].pop()
        self.assertIn("  a check : holds -> no longer claimed", record_script.moved(old, new))

    def test_a_claim_from_which_a_choice_was_inferred(self):
        for verdict, said in (("holds", "holds, set inferred"), ("roughly", "holds, set inferred"), ("does not hold", "does not hold")):
            self.assertEqual(claims.judged(outcome(verdict=verdict, inferred="the jitter")), said)

    def test_numbered_claims(self):
        for claim in ("EXP-F14.1", "XP-H.3", "EXP-T1.2", "SP-F10.1", "EXP-F17a.1"):
            self.assertTrue(claims.numbered(claim), claim)
        for claim in ("XP-F7.1-stable", "AM-2", "DT-23", "a check"):
            self.assertFalse(claims.numbered(claim), claim)

    def test_files_by_name(self):
        names = [f.name for f in records.experiment_files(["expeditus/f13"])]
        self.assertEqual(names, ["f13-stress.yaml"])
        self.assertGreater(len(records.experiment_files([])), 40)
        self.assertTrue(all(f.parent.name == "detail" for f in records.experiment_files(["detail"])))
        with self.assertRaises(SystemExit):
            records.experiment_files(["f99"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
