#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version is in project() of meson.build, and with its date in the changelog; no other file repeats it.

usage: test_version.py TREE
"""
import datetime
import os
import re
import sys
import unittest

TREE = sys.argv[1]
# Folders that are not part of the tree, or that others wrote.
APART = re.compile(r"^(build[^/]*|\.git|third_party|node_modules|__pycache__)$")
# What runs leave behind, such as demo.html of ./demo, tells the version that wrote it. The tree's own pages lie in folders.
LEFT_BEHIND = re.compile(r"\.db$|\.svg$|^[^/]*\.html$")
HISTORY = {"CHANGELOG.md", "meson.build"}


def read(name):
    with open(os.path.join(TREE, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def files():
    for folder, subfolders, names in os.walk(TREE):
        subfolders[:] = [name for name in subfolders if not APART.match(name)]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), TREE)
            if not LEFT_BEHIND.search(path):
                yield path


class Version(unittest.TestCase):
    version = re.search(r"^  version: '(.*)'", read("meson.build"), re.M).group(1)

    def test_it_has_three_numbers(self):
        self.assertRegex(self.version, r"^\d+\.\d+\.\d+$")

    def test_the_changelog_begins_with_it(self):
        releases = re.findall(r"^## \[(\d[^]]*)\] - (\S+)$", read("CHANGELOG.md"), re.M)
        self.assertEqual(releases[0][0], self.version)
        dates = [datetime.date.fromisoformat(date) for _, date in releases]
        self.assertEqual(dates, sorted(dates, reverse=True))

    def test_nothing_else_repeats_it(self):
        # Names such as host0.1.0 and quantities such as 10.1.0 are no versions.
        pattern = re.compile(r"(?<![\w.])" + re.escape(self.version) + r"(?![\w.])")
        repeated = [f"{path}: {line.strip()}" for path in files() if path not in HISTORY
                    for line in read(path).splitlines() if pattern.search(line)]
        self.assertEqual(repeated, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
