#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every set of packages that a script or a page names is one that scripts/install-deps knows.

usage: test_install_deps.py TREE
"""
import os
import re
import subprocess
import sys
import unittest

TREE = sys.argv.pop(1)
PROGRAM = os.path.join(TREE, "scripts/install-deps")
# The folders of tests and builds have texts about the script, not uses of it.
PLACES = ["check", "demo", "README.md", "CONTRIBUTING.md", "scripts", "docs", "bench"]


def listed(*sets):
    return subprocess.run([PROGRAM, "--list", *sets], capture_output=True, text=True, check=False)


def uses():
    """Yields (file, set) of each use of the script, as a command of its own: `scripts/install-deps check package`."""
    for place in PLACES:
        place = os.path.join(TREE, place)
        files = [place] if os.path.isfile(place) else [os.path.join(d, f) for d, _, names in os.walk(place) for f in names]
        for file in files:
            with open(file, encoding="utf-8", errors="replace") as text:
                for words in re.findall(r"scripts/install-deps((?: [a-z]+)+)", text.read()):
                    for name in words.split():
                        yield os.path.relpath(file, TREE), name


class Sets(unittest.TestCase):
    def test_each_use_names_known_sets(self):
        found = list(uses())
        self.assertIn(("check", "long"), found)
        self.assertIn(("demo", "build"), found)
        for file, name in found:
            with self.subTest(file=file, set=name):
                self.assertEqual(listed(name).returncode, 0)

    def test_another_name_is_refused_with_those_there_are(self):
        for words in ([], ["everything"], ["build", "everything"]):
            done = listed(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("all|bench|build|check|long|package", done.stderr)

    def test_larger_sets_have_the_packages_of_smaller_ones(self):
        of = {name: set(listed(name).stdout.split()) for name in ("build", "check", "all", "long", "package", "bench")}
        for smaller, larger in (("build", "bench"), ("build", "package"), ("package", "check"), ("check", "all"), ("all", "long")):
            self.assertLess(of[smaller], of[larger])


if __name__ == "__main__":
    unittest.main(verbosity=2)
