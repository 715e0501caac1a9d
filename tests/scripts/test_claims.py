#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/claims makes pages from records.

usage: test_claims.py SCRIPTS
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[1])
import outcomes  # noqa: E402
import pages  # noqa: E402
import papers  # noqa: E402
import records  # noqa: E402



def script(name):
    loader = importlib.machinery.SourceFileLoader(name, f"{sys.argv[1]}/{name}")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


claims, record_script = script("claims"), script("record")


def outcome(**changes):
    made = {"claim": "C", "entry": 0, "where": {}, "of": {"switch.balance": "a", "load": 0.5}, "against": {"switch.balance": "b", "load": 0.5},
            "than": None, "metric": "m.mean", "form": "change", "low": -0.5, "high": -0.2, "every": False, "roughly": None, "inferred": None,
            "paper": "it says", "measured": -0.3, "standard_error": 0.01, "interval": [-0.34, -0.26], "n_seeds": 5,
            "unsettled": 0, "growth_range": None,
            "verdict": "holds"}
    made.update(changes)
    return made


def verdicts(*words):
    return [outcome(verdict=w) for w in words]


class Numbers(unittest.TestCase):
    def test_a_change_with_its_interval(self):
        self.assertEqual(outcomes.measured(outcome(), {}), "-30 ±4 %")
        self.assertEqual(outcomes.claimed(outcome(), {}), "-50 to -20 %")
        self.assertEqual(outcomes.claimed(outcome(low=None, every=True, roughly="about"), {}), "at most -20 %, each run (about)")
        self.assertEqual(outcomes.measured(outcome(measured=None, interval=None), {}), "nothing")

    def test_an_interval_ends_where_the_figure_does(self):
        value = {"form": "value", "metric": "fct_us.mice.p95"}
        self.assertEqual(outcomes.measured(outcome(measured=1330, interval=[-4370, 7030], **value), {}), "1.33 (0 to 7.03) ms")
        self.assertEqual(outcomes.measured(outcome(measured=-0.9, interval=[-1.2, -0.6]), {}), "-90 (-100 to -60) %")
        self.assertEqual(outcomes.measured(outcome(measured=-0.9, interval=[-1.2, -0.6], than={"scheme": "a"}), {}), "-90 ±30 %")
        self.assertEqual(outcomes.measured(outcome(measured=1, interval=[-4, 6], form="difference"), {}), "1 ±5")
        dust = {"form": "value", "metric": "goodput_gbps.mean", "measured": 6.79, "interval": [6.79 - 3e-15, 6.79 + 3e-15]}
        self.assertEqual(outcomes.measured(outcome(**dust), {}), "6.79 Gbps")

    def test_units_by_metric_and_by_the_figures(self):
        time = {"form": "value", "metric": "fct_us.mice.p95", "interval": None}
        for value, said in ((12.5, "12.5 µs"), (1250, "1.25 ms"), (2200000, "2.20 s"), (0.5, "0.5 µs")):
            self.assertEqual(outcomes.measured(outcome(measured=value, **time), {}), said)
        link = {"form": "value", "metric": "links.watch.data_min", "interval": None}
        self.assertEqual(outcomes.measured(outcome(measured=0.9, **link), {}), "90 % of the link")
        names = outcomes.Names({"figure": {"y": {"metric": "links.watch.data_min", "unit": "%", "scale": 1.0546}}})
        self.assertEqual(outcomes.measured(outcome(measured=0.9, **link), names.units), "94.9 %")
        self.assertEqual(outcomes.measured(outcome(measured=3, form="ratio", interval=None), {}), "3×")
        self.assertEqual(outcomes.measured(outcome(measured=0.1, form="value", metric="convergence_us.first.never", interval=None), {}), "0.1")

    def test_units_are_those_of_the_results(self):
        for metric, unit in (("fct_us.mice.p95", "us"), ("fct_us.under_100KB.mean", "us"), ("queries.8KiB.p99", "us"),
                             ("queries.timeouts.share.0", "share"), ("queries.over_10ms", "share"), ("queries.sets.all.p99", "us"),
                             ("fct_us.all.n", "count"), ("convergence_us.first.never", "count"), ("phases.a.fct_us.all.mean", "us")):
            self.assertEqual(outcomes.unit_of(metric), unit, metric)
        share = {"form": "value", "metric": "queries.timeouts.share.0", "interval": None}
        self.assertEqual(outcomes.measured(outcome(measured=0.833, **share), {}), "0.833")

    def test_the_range_of_several(self):
        self.assertEqual(outcomes.span([outcome(measured=m) for m in (-0.1, -0.35, 0.02)], {}), "-35 to +2 %")
        self.assertEqual(outcomes.span([], {}), "-")

    def test_live_less_simulated(self):
        live, twin = outcome(standard_error=0.03), outcome(measured=-0.35, standard_error=0.04)
        self.assertEqual(outcomes.difference(live, twin, {}), "+5.00 ±9.8 points")
        self.assertEqual(outcomes.difference(live, None, {}), "-")

    def test_cells_are_cut_at_a_word(self):
        self.assertLessEqual(len(outcomes.clip("word " * 60)), outcomes.CELL)
        self.assertEqual(outcomes.clip("a  b"), "a b")
        self.assertEqual(outcomes.listed(["aa", "bb", "aa", "cc"], 12), "aa; bb; cc")
        self.assertEqual(outcomes.listed(["aaaa", "bbbb", "cccc"], 14), "aaaa; 2 more")


class Places(unittest.TestCase):
    names = outcomes.Names({"figure": {"x": "fabric.hosts", "x_label": "servers", "names": {"switch.balance": {"a": "Alpha"}, "rate": {"4us": "1 ms"}}}})

    def test_swept_values_by_their_names(self):
        where = {"switch.balance": "a", "fabric.hosts": 8, "workload.0.load": 0.3, "k.deep": False}
        self.assertEqual(self.names.place(outcome(where=where)), "Alpha, servers 8, load 0.3, deep false")
        self.assertEqual(self.names.place(outcome(where=where), {"k.deep": "false"}), "Alpha, servers 8, load 0.3")

    def test_the_best_of_several(self):
        self.assertEqual(self.names.place(outcome(where={"switch.balance": "a"}, best={"workload.0.load": 0.2})), "Alpha, best at load 0.2")

    def test_schedules_in_words(self):
        for text, said in (("[{for: 12500us, rate: 10000/s}, {for: 37500us, rate: 0/s}]", "12.5 ms burst"), ("[{for: 1s, rate: 2500/s}]", "2500/s"),
                           ("[{for: 5ms, rate: 10000/s}, {for: 45ms, rate: 500/s}]", "5 ms burst, then 500/s")):
            self.assertEqual(self.names.place(outcome(where={"workload.0.schedule": text})), said)

    def test_what_is_compared(self):
        made = outcome(form="difference", than={"load": 0.1})
        self.assertEqual(self.names.subject(made), "difference of `m.mean`, Alpha, load 0.5 against b less the same at load 0.1")
        self.assertEqual(self.names.subject(outcome(form="share", than={"load": 0.1})),
                         "share: `m.mean`, Alpha, load 0.5 against b over that of load 0.1")


class Verdicts(unittest.TestCase):
    def test_folded(self):
        for words, asks, said in (
                (["holds", "holds"], "all", "holds"), (["holds", "roughly"], "all", "roughly"), (["holds", "does not hold"], "all", "in part"),
                (["does not hold", "not decided"], "all", "does not hold"), (["holds", "not decided"], "all", "not decided"),
                (["does not hold", "holds"], "one", "holds"), (["does not hold", "not decided"], "one", "not decided"),
                (["does not hold", "does not hold"], "one", "does not hold"), (["holds", "holds", "does not hold"], "most", "holds"),
                (["holds", "does not hold"], "most", "in part"), (["not measurable"], "all", "not measurable"), ([], "all", "not run")):
            self.assertEqual(outcomes.folded(verdicts(*words), asks), said, (words, asks))

    def test_a_claim_from_which_a_choice_was_inferred(self):
        for verdict, said in (("holds", "holds, set inferred"), ("roughly", "holds, set inferred"), ("does not hold", "does not hold")):
            self.assertEqual(outcomes.judged(outcome(verdict=verdict, inferred="the jitter")), said)
        self.assertEqual(outcomes.folded([outcome(), outcome(inferred="the jitter")]), "holds, set inferred")

    def test_worse_and_better(self):
        self.assertEqual([outcomes.worse(now, "holds") for now in ("roughly", "in part", "not decided")], [0, 1, 0])
        self.assertEqual(outcomes.worse("holds", "does not hold"), -1)

    def test_in_words(self):
        self.assertEqual(outcomes.tally(verdicts("holds", "not decided", "holds")), "holds 2 of 3, not decided 1")
        self.assertEqual(outcomes.tally(verdicts("holds", "holds")), "holds (2 of 2)")
        self.assertEqual(outcomes.settled(outcome(growth_range=[0, 1])), "holds, not settled")

    def test_twins_of_another_reading(self):
        ours, printed = outcome(of={"scheme": "x"}, against=None), outcome(of={"scheme": "x-printed"}, against=None)
        self.assertEqual(outcomes.without_reading(ours), outcomes.without_reading(printed))
        self.assertNotEqual(outcomes.without_reading(ours), outcomes.without_reading({**printed, "where": {"load": 1}}))
        self.assertEqual((outcomes.reading(ours), outcomes.reading(printed)), ("", "-printed"))


TEMPLATE = """
name: P
title: "P: a paper"
authors: A
about: It does.
sets_say: The set.
primary: {host.nic: fifo}
headlines: [P-F1.1]
figures:
  - figure: Figure 1
    title: time
    about: A set-up.
    claims: {P-F1.1: "it is 30 % faster", P-F1.2: {says: obvious, none: "by construction"}}
    files: [f1]
    key: {claim: P-F1.1}
    measure: mean
    number: -30 %
    asks: [{question: "Is it the host?", claim: host, file: f1}]
"""
EXPERIMENT = "sweep: {scheme: [x, x-printed], load: [0.1, 0.2]}\nfigure: {x: load}\nexpect: [{claim: P-F1.1}, {claim: host}]\n"
SENSITIVE = "sweep: {scheme: [x], host.nic: [fifo, pull]}\nexpect: [{claim: P-F1.1}]\n"


def claim(name, scheme, *found):
    """Returns a claim of a record; each of `found` is (where, verdict, measured)."""
    return {"claim": name, "metric": "m.mean", "form": "change", "of": {"scheme": scheme}, "low": -0.4, "high": -0.2, "paper": "it says",
            "outcomes": [{"where": w, "verdict": v, "measured": m, "standard_error": 0.01, "interval": [m - 0.02, m + 0.02], "n_seeds": 4}
                         for w, v, m in found]}


class Tree(unittest.TestCase):
    """A tree with one paper, one figure and a sensitivity file."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.set(records, ROOT=self.root, EXPERIMENTS=self.root / "experiments", result_version=lambda: 5)
        self.set(papers, PAGES=self.root / "docs/papers", PAPERS=("p",))
        (self.root / "experiments/p").mkdir(parents=True)
        (self.root / "docs/papers").mkdir(parents=True)
        (self.root / "docs/results.md").write_text("## Outcomes of expectations\n")
        (self.root / "docs/papers/p.yaml").write_text(TEMPLATE)
        (self.root / "docs/papers/checks.yaml").write_text("host: is it the host?\n")
        (self.root / "README.md").write_text("# P\n" + pages.BEGIN + pages.END + "end\n")
        self.write("f1", EXPERIMENT, [
            claim("P-F1.1", "x", ({"load": 0.1}, "holds", -0.3), ({"load": 0.2}, "does not hold", -0.1)),
            claim("P-F1.1", "x-printed", ({"load": 0.1}, "does not hold", -0.05), ({"load": 0.2}, "does not hold", -0.02)),
            claim("host", "x", ({}, "not decided", -0.2))])
        self.write("sensitivity-nic", SENSITIVE, [claim("P-F1.1", "x", ({"host.nic": "fifo"}, "does not hold", -0.1), ({"host.nic": "pull"}, "holds", -0.3))])

    def set(self, module, **values):
        for name, value in values.items():
            self.addCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, value)

    def write(self, stem, experiment, stated, version=5):
        file = self.root / f"experiments/p/{stem}.yaml"
        file.write_text(experiment)
        section = {"result_version": version, "identity": "ab", "runs": 2, "packet_hops": 16000000000, "claims": stated, "digests": []}
        records.record_path(file).write_text(records.json.dumps({"full": section}))

    def texts(self):
        shelf = papers.Shelf()
        every = [papers.Paper("p", shelf)]
        return every, shelf, pages.all_texts(every, shelf)

    def page(self):
        return self.texts()[2][self.root / "docs/papers/p.md"]

    def check(self, strict=False):
        """Returns the exit status of --check and what it printed, after the pages were written."""
        every, shelf, texts = self.texts()
        for page, text in texts.items():
            page.write_text(text)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = claims.check(*self.texts(), strict)
        return status, printed.getvalue()


class Pages(Tree):
    def test_the_first_table(self):
        self.assertIn("| [Figure 1](#figure-1-time) | mean | -30 % | -30 to -10 % | -5 to -2 % | in part | holds with nic = pull | 0 of 2 |", self.page())

    def test_a_section(self):
        page = self.page()
        for line in ("| P-F1.1 | it is 30 % faster | in part |", "| P-F1.2 | obvious | not run: by construction |", "`f1`: plot not drawn yet.",
                     "**Verdict.** P-F1.1: holds 1 of 2, does not hold 1; P-F1.2: not run. These are 2 of the 5 outcomes that the files below print: the claims above, the primary set alone.",
                     "* depends on: `host.nic` from fifo to pull: P-F1.1 does not hold → holds",
                     "* depends on: the set, from the primary one to the paper as printed: P-F1.1 in part → does not hold",
                     "* Is it the host? host: not decided", "* `heddle run experiments/p/f1.yaml`: about 33 min on one core; [record]",
                     "| P-F1.1 | `m.mean`, x | load 0.1 | -40 to -20 % | -30 ±2 % | holds | -5 %: does not hold |"):
            self.assertIn(line, page)
        self.assertNotIn(pages.STALE + "\n", page)

    def test_a_reading_that_only_another_file_has(self):
        self.write("sensitivity-literal", "sweep: {scheme: [x, x-literal, x-printed]}\nexpect: [{claim: P-F1.1}]\n",
                   [claim("P-F1.1", "x", ({}, "holds", -0.3)), claim("P-F1.1", "x-literal", ({}, "does not hold", -0.1)),
                    claim("P-F1.1", "x-printed", ({}, "does not hold", -0.1))])
        page = self.page()
        self.assertIn("from the primary one to the listing to the letter: P-F1.1 holds → does not hold ([sensitivity-literal]", page)
        self.assertEqual(page.count("to the paper as printed:"), 1)

    def test_a_plot_is_linked_where_it_is(self):
        (self.root / "docs/papers/plots/p").mkdir(parents=True)
        (self.root / "docs/papers/plots/p/f1.svg").write_text("<svg/>")
        self.assertIn("![Figure 1: time](plots/p/f1.svg)", self.page())

    def test_outcomes_on_real_frames(self):
        (self.root / "experiments/live").mkdir()
        (self.root / "docs/papers/p.yaml").write_text(TEMPLATE.replace("    files: [f1]", "    files: [f1]\n    live: f1"))
        (self.root / "experiments/live/f1.yaml").write_text(EXPERIMENT)
        both = {world: {"result_version": 5, "identity": "ab", "runs": 1, "packet_hops": 8, "seconds": 600, "digests": [],
                        "claims": [claim("P-F1.1", "x", ({"load": 0.1}, verdict, value))]}
                for world, verdict, value in (("full", "holds", -0.3), ("full live", "not decided", -0.25))}
        (self.root / "experiments/live/f1.record.json").write_text(records.json.dumps(both))
        page = self.page()
        self.assertIn("| [Figure 1, real frames](#figure-1-time) | mean | -30 % | -25 % | - | not decided | - | 0 of 1 |", page)
        self.assertIn("| load 0.1 | -40 to -20 % | -25 ±2 %: not decided | -30 ±2 %: holds | +5.00 ±2.8 points |", page)
        self.assertIn("`heddle lab run experiments/live/f1.yaml`: 10 min of real time, as root; [record]", page)
        self.assertIn("`f1.live`: plot not drawn yet.", page)

    def test_many_outcomes_are_grouped_by_verdict(self):
        places = [({"load": n}, "holds", -0.2 - n / 100) for n in range(9)] + [({"load": 9}, "not decided", -0.3)]
        self.write("f1", EXPERIMENT, [claim("P-F1.1", "x", *places)])
        self.assertIn("| 9 places: load 0; 1; 2; 3; 4; 5; 6; 7; 8 | -40 to -20 % | -28 to -20 % | holds |", self.page())
        self.assertIn("| load 9 | -40 to -20 % | -30 ±2 % | not decided |", self.page())

    def test_an_old_record_is_marked(self):
        self.write("f1", EXPERIMENT, [claim("P-F1.1", "x", ({"load": 0.1}, "holds", -0.3))], version=4)
        self.assertIn(f"-30 ±2 % | holds {pages.STALE} |", self.page())

    def test_without_a_record(self):
        for record in (self.root / "experiments/p").glob("*.json"):
            record.unlink()
        self.assertIn("| mean | -30 % | - | - | not run | nothing else run | 0 of 2 |", self.page())
        self.assertIn("`heddle run experiments/p/f1.yaml`: not run yet\n", self.page())

    def test_totals_and_checks(self):
        texts = self.texts()[2]
        self.assertIn("| [P](p.md) | 2 | 0 | 0 | 0 | 1 | 0 | 0 | 1 |", texts[self.root / "docs/papers/README.md"])
        self.assertIn("| P | [Figure 1](p.md#figure-1-time) | P-F1.1 | it is 30 % faster | in part | the paper as printed; nic = pull |",
                      texts[self.root / "docs/papers/README.md"])
        self.assertIn("| host | is it the host? | 1 | not decided | f1 |", texts[self.root / "docs/papers/checks.md"])
        self.assertEqual(texts[self.root / "README.md"],
                         "# P\n" + pages.BEGIN + "* [P](docs/papers/p.md): 2 claims: 1 hold in part, 1 not run\n" + pages.END + "end\n")


class Check(Tree):
    def test_pages_that_are_right(self):
        self.assertEqual(self.check(), (0, "note: plots not drawn yet: 1\n"))
        self.assertEqual(self.check(strict=True)[0], 1)

    def test_a_page_that_was_changed(self):
        self.check()
        (self.root / "docs/papers/p.md").write_text("other")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(claims.check(*self.texts(), False), 1)
        self.assertIn("docs/papers/p.md: is not what scripts/claims writes; run it", printed.getvalue())

    def test_a_numbered_claim_without_a_section(self):
        (self.root / "experiments/p/new.yaml").write_text("expect: [{claim: P-F9.1}, {claim: ours}]\n")
        status, printed = self.check()
        self.assertEqual(status, 1)
        self.assertIn("experiments/p/new.yaml: P-F9.1 has no section on a page; add it to a figure of docs/papers/p.yaml", printed)
        self.assertNotIn("ours", printed)

    def test_an_explanation_that_nothing_could_refute(self):
        for wrong in ("claim: host, file: f2", "claim: other, file: f1", "claim: host"):
            (self.root / "docs/papers/p.yaml").write_text(TEMPLATE.replace("claim: host, file: f1", wrong))
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                shelf = papers.Shelf()
                self.assertEqual(claims.check([papers.Paper("p", shelf)], shelf, {}, False), 1)
            self.assertIn('Figure 1: "Is it the host?" names no file and claim that could refute it', printed.getvalue())

    def test_a_dead_link(self):
        page = self.root / "docs/papers/p.md"
        text = "# Head: one\n[a](#head-one) [b](#head-two) [c](gone.md) [d](https://a.b/c) [e](../results.md#outcomes-of-expectations)\n"
        self.assertEqual([line.split(": ")[1] for line in claims.dead_links(page, text, {page: text})],
                         ["link to #head-two, a heading that is not there", "link to gone.md, which is not there"])

    def test_an_old_record_is_reported(self):
        self.write("f1", EXPERIMENT, [], version=4)
        status, printed = self.check()
        self.assertEqual(status, 0)
        self.assertIn("note: records of another result version than 5: 1, the first experiments/p/f1.yaml", printed)


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


def made(text):
    """Returns the section "full" of a record, read from text."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "x.yaml"
        records.record_path(file).write_text(text)
        return records.record_read(file, None)


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

    def test_numbered_claims(self):
        for claim in ("EXP-F14.1", "XP-H.3", "EXP-T1.2", "SP-F10.1", "EXP-F17a.1"):
            self.assertTrue(papers.numbered(claim), claim)
        for claim in ("XP-F7.1-stable", "AM-2", "DT-23", "a check"):
            self.assertFalse(papers.numbered(claim), claim)

    def test_files_by_name(self):
        names = [f.name for f in records.experiment_files(["expeditus/f13"])]
        self.assertEqual(names, ["f13-stress.yaml"])
        self.assertGreater(len(records.experiment_files([])), 40)
        self.assertTrue(all(f.parent.name == "detail" for f in records.experiment_files(["detail"])))
        with self.assertRaises(SystemExit):
            records.experiment_files(["f99"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
