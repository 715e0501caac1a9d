#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run adds each entry before the older ones of its month; the first entry of a month makes the month's file.

usage: test_notebook.py BENCH
"""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[1])
import measure  # noqa: E402  the folder is known only now


class Notebook(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def add(self, section, month="2027-01"):
        with contextlib.redirect_stderr(io.StringIO()):
            measure.add_entry(section, month, self.folder)
        return (self.folder / f"{month}.md").read_text()

    def test_the_first_entry_of_a_month_makes_its_file(self):
        self.assertEqual(self.add("### one\n\na\n"), "# Notebook, 2027-01\n\n## Entries\n\n### one\n\na\n")

    def test_newer_entries_stand_before_older_ones(self):
        self.add("### one\n\na\n")
        text = self.add("### two\n\nb\n")
        self.assertEqual(text, "# Notebook, 2027-01\n\n## Entries\n\n### two\n\nb\n\n### one\n\na\n")

    def test_what_stands_before_the_entries_stays(self):
        page = self.folder / "2027-01.md"
        page.write_text("# Notebook\n\n### an idea\n\n## Entries\n\nWritten by hand.\n\n### one\n\na\n")
        self.assertEqual(self.add("### two\n\nb\n"),
                         "# Notebook\n\n### an idea\n\n## Entries\n\nWritten by hand.\n\n### two\n\nb\n\n### one\n\na\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
