#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every test that docs/robustness.md names beside a promise exists.

usage: test_promises.py ROOT BUILD    BUILD: a build folder; its tests are those of meson

A cell names tests (`edge_out_pdf`), ends of names after one (`edge_lab_record_missing`, `_cut`), many at once (edges `short_*`: tests
edge_short_*) or a suite (suite `golden`).
"""
import fnmatch
import json
import pathlib
import re
import sys
import unittest

ROOT, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
ROWS = 60  # there are more; a page that cannot be read has none


def named(cell):
    """Yields what a cell names: (kind, pattern of names)."""
    whole = ""
    for word, name in re.findall(r"(?:(suite|edges) )?`([^`]+)`", cell):
        if word == "suite":
            yield "suite", name
        elif name.startswith("_"):
            yield "end", (whole, name)
        else:
            whole = f"edge_{name}" if word == "edges" else name
            yield "test", whole


def cells(text):
    """Yields the last cell of each row of the tables, without their heads."""
    for line in text.splitlines():
        parts = [part.strip() for part in line.strip("|").split(" | ")]
        if line.startswith("| ") and parts[-1] not in ("tests |", "tests"):
            yield parts[-1]


def is_there(kind, name, tests, suites):
    if kind == "suite":
        return name in suites
    if kind == "end":  # one word or more of the name before is another
        words = name[0].split("_")
        return any("_".join(words[:n]) + name[1] in tests for n in range(1, len(words)))
    return bool(fnmatch.filter(tests, name))


class Promises(unittest.TestCase):
    def setUp(self):
        said = json.loads((BUILD / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
        self.tests = {test["name"] for test in said}
        for rows in ROOT.glob("tests/*/meson.build"):  # also tests that this machine cannot run, such as with MPI
            self.tests.update(re.findall(r"^ *test\('(\w+)'", rows.read_text(encoding="utf-8"), re.M))
        self.suites = {suite.rpartition(":")[2] for test in said for suite in test["suite"]}

    def test_a_name_that_is_no_test_is_seen(self):
        there = lambda cell: [is_there(*x, {"edge_a_b", "edge_a_c", "unit_d"}, {"unit"}) for x in named(cell)]
        self.assertEqual(there("`edge_a_b`, `_c`, `_d`, edges `a_*`, `e_*`; suite `unit`, `unit_d`, suite `golden`"),
                         [True, True, False, True, False, True, True, False])

    def test_every_test_that_is_named_exists(self):
        rows = list(cells((ROOT / "docs/robustness.md").read_text(encoding="utf-8")))
        self.assertGreater(len(rows), ROWS)
        self.assertEqual([row for row in rows if not list(named(row))], [], "rows without a test")
        self.assertEqual([x for row in rows for x in named(row) if not is_there(*x, self.tests, self.suites)], [], "no such tests")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
