#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/curves.py keeps the data and plots of figures.

usage: test_curves.py SCRIPTS HEDDLE
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, sys.argv[1])
import curves  # noqa: E402

HEDDLE = sys.argv[2]
EXPERIMENT = """title: Two balancers
fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}
workload: [{kind: permutation, sizes: 200KB}]
measure: {goodput: 20us}
sweep: {switch.balance: [ecmp, expeditus], run.seed: [1, 2]}
figure:
  - {name: bars, kind: bars, x: metric, series: switch.balance, reference: {value: 300, label: paper},
     y: [{metric: fct_us.all.mean, label: mean}, {metric: fct_us.all.max, label: longest}]}
  - {name: hosts, kind: time, series: host, panels: switch.balance, y: {metric: goodput.host}}
  - {name: numbers, kind: table, x: metric, series: switch.balance, y: [{metric: fct_us.all.mean, label: mean}, {metric: fct_us.all.max, label: longest}]}
"""
HEAD = "curve,x,y,low,high,category,n,figure,panel,series,unit\n"


def row(curve, x, y, figure="f", series="s", low="", high=""):
    return f"{curve},{x},{y},{low},{high},,1,{figure},,{series},us\n"


class Kept(unittest.TestCase):
    """Data and plots of a real store, in a tree of their own."""

    def setUp(self):
        if not shutil.which("gnuplot"):
            self.skipTest("gnuplot is not installed")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.file, self.store = self.root / "experiments/p/e.yaml", self.root / "e.db"
        self.file.parent.mkdir(parents=True)
        self.file.write_text(EXPERIMENT)
        for name, value in (("records.ROOT", self.root), ("records.EXPERIMENTS", self.root / "experiments"), ("PLOTS", self.root / "plots")):
            patch = mock.patch(f"curves.{name}", value)
            patch.start()
            self.addCleanup(patch.stop)
        subprocess.run([HEDDLE, "run", self.file, "--quiet", "-o", self.store], check=True)

    def write(self):
        self.assertEqual(curves.write(HEDDLE, self.file, self.store), [])
        return curves.data_path(self.file).read_text()

    def compare(self):
        return curves.compare(HEDDLE, self.file, self.store)

    def test_data_and_plots(self):
        text = self.write()
        self.assertTrue(text.startswith(HEAD))
        self.assertEqual(curves.names_kept(self.file), ["bars", "hosts", "numbers"])
        kept = curves.data_read(text)
        self.assertIn(("hosts", "expeditus", "host0.0"), kept)
        self.assertEqual([p[4] for p in kept["numbers", "", "ecmp (us)"]], ["mean", "longest"])
        self.assertEqual(kept["numbers", "", "ecmp (us)"][0][1], kept["bars", "", "ecmp"][0][1])
        self.assertEqual(sorted(p.name for p in curves.PLOTS.rglob("*.svg")), ["bars.svg", "hosts.svg"])
        self.assertIn(">paper</text>", (curves.PLOTS / "p/bars.svg").read_text())

    def test_writing_again_changes_nothing(self):
        first = self.write()
        self.assertEqual(self.write(), first)
        self.assertEqual(self.compare(), [])

    def test_a_number_that_differs(self):
        text = self.write()
        mean = curves.data_read(text)["bars", "", "ecmp"][0][1]
        curves.data_path(self.file).write_text(text.replace(f",{mean},", f",{float(mean) * 1.001:.6g},", 1))
        found = self.compare()
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], "bars, ecmp: 1 of 2 points differ, the first at mean: .* kept, .* in the store")

    def test_a_plot_or_the_data_that_are_missing(self):
        self.write()
        (curves.PLOTS / "p/bars.svg").unlink()
        self.assertEqual(self.compare(), ["plots/p/bars.svg: missing"])
        curves.data_path(self.file).unlink()
        self.assertIn("bars, ecmp: not kept", self.compare())

    def test_a_figure_that_is_no_more(self):
        self.write()
        self.file.write_text(EXPERIMENT.replace("name: hosts", "name: others"))
        self.assertIn("hosts, ecmp, host0.0: no longer a curve of the store", self.compare())
        self.write()
        self.assertEqual(sorted(p.name for p in curves.PLOTS.rglob("*.svg")), ["bars.svg", "others.svg"])

    def test_fewer_points_of_many_curves(self):
        with mock.patch("curves.POINTS_OF_FIGURE", 60):
            points = [len(p) for key, p in curves.data_read(self.write()).items() if key[0] == "hosts"]
        self.assertEqual(len(points), 8)
        self.assertLessEqual(max(points), curves.FEWEST_POINTS + 1)

    def test_a_store_that_cannot_be_drawn(self):
        self.store.write_text("no store")
        with self.assertRaisesRegex(curves.CannotDraw, "e.db: error: "):
            self.write()

    def test_plots_of_no_figure_and_of_two(self):
        self.write()
        self.assertEqual(curves.kept_faults(), [])
        (curves.PLOTS / "p/old.svg").write_text("<svg/>")
        self.assertEqual(curves.kept_faults(), ["plots/p/old.svg: no file's data have this figure"])
        (curves.PLOTS / "p/old.svg").unlink()
        other = self.file.with_name("f.yaml")
        other.write_text(EXPERIMENT)
        curves.data_path(other).write_text(curves.data_path(self.file).read_text())
        self.assertIn("plots/p/bars.svg: a figure of experiments/p/e.yaml and experiments/p/f.yaml; give one of them another name",
                      curves.kept_faults())

    def test_files_that_are_too_large(self):
        with mock.patch("curves.DATA_BYTES", 100), mock.patch("curves.PLOT_BYTES", 1000):
            lines = curves.write(HEDDLE, self.file, self.store)
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[0], "^experiments/p/e.curves.csv has . KB, more than 0$")


class Compared(unittest.TestCase):
    def test_five_digits(self):
        self.assertEqual(curves.differences(HEAD + row(0, 1, 100000), HEAD + row(0, 1, 100001)), [])
        self.assertEqual(curves.differences(HEAD + row(0, 1, 100000), HEAD + row(0, 1, 100003)),
                         ["f, s: 1 of 1 points differ, the first at 1: 100000 kept, 100003 in the store"])

    def test_intervals_and_missing_numbers(self):
        self.assertEqual(len(curves.differences(HEAD + row(0, 1, 2, low=1, high=3), HEAD + row(0, 1, 2, low=1, high=4))), 1)
        self.assertEqual(len(curves.differences(HEAD + row(0, 1, ""), HEAD + row(0, 1, 2))), 1)
        self.assertEqual(curves.differences(HEAD + row(0, 1, ""), HEAD + row(0, 1, "")), [])

    def test_curves_and_points_that_are_missing(self):
        self.assertEqual(curves.differences(HEAD + row(0, 1, 2), HEAD + row(0, 1, 2) + row(0, 2, 2)),
                         ["f, s: 1 points are kept, 2 in the store"])
        self.assertEqual(curves.differences(HEAD + row(0, 1, 2, series="old"), HEAD + row(0, 1, 2, series="new")),
                         ["f, old: no longer a curve of the store", "f, new: not kept"])


class Plot(unittest.TestCase):
    def test_less_text(self):
        svg = ("<svg><defs></defs>\n<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\">\n</g>\n"
               "<g id=\"gnuplot_plot_1a\" ><title>gnuplot_plot_1a</title>\n<path stroke='rgb( 34, 34,  34)' d='M1.25,2.00 L3.14,4.99  '/></g>\n"
               "</g>\n</svg>\n")
        small = curves.plot_small(svg)
        self.assertIn("<path stroke='#222222' d='M1.2,2 L3.1,5'/>", small)
        self.assertEqual(small.count("<g"), 2)
        self.assertNotIn("<title>", small)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
