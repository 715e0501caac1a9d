#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The man pages that the program makes pass all checkers and hold everything that --help says.

usage: test_man.py HEDDLE    (exit status 77 where man or mandoc is missing)
"""
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HEDDLE = os.path.realpath(sys.argv[1])
COMMANDS = []
GROUPS = ["lab"]  # each has a page that names those of its actions


def ran(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


def help_of(*words):
    return ran(HEDDLE, *words, "--help").stdout


@functools.cache
def source(*words):
    made = ran(HEDDLE, "docs", "man", *words)
    assert made.returncode == 0, made.stderr
    return made.stdout


@functools.cache
def shown(page):
    """Returns the rendered page on one line, with single blanks."""
    text = ran("man", "-l", "-", input=page, env={**os.environ, "LC_ALL": "C.UTF-8", "MANPAGER": "cat"}).stdout
    return " ".join(re.sub(r".\x08", "", text).split())


class Pages(unittest.TestCase):
    def setUp(self):
        self.pages = {(): source(), **{(name,): source(name) for name in COMMANDS + GROUPS}}

    def test_mandoc_has_nothing_to_say(self):
        for words, page in self.pages.items():
            with self.subTest(words):
                self.assertEqual(ran("mandoc", "-Tlint", "-Wall", input=page).stdout, "")

    def test_groff_has_no_warning(self):
        for words, page in self.pages.items():
            with self.subTest(words):
                warned = ran("man", "--warnings=w", "-l", "-", input=page, env={**os.environ, "LC_ALL": "C.UTF-8"})
                self.assertEqual((warned.returncode, warned.stderr), (0, ""))

    def test_the_name_section_can_be_indexed(self):
        with tempfile.TemporaryDirectory() as folder:
            for words, page in self.pages.items():
                name, file = "-".join(("heddle", *words)), os.path.join(folder, "page.1")
                with open(file, "w", encoding="utf-8") as out:
                    out.write(page)
                with self.subTest(words):
                    self.assertIn(f'page.1: "{name} - ', ran("lexgrog", file).stdout)

    def test_every_option_of_the_help_has_its_entry(self):
        for name in COMMANDS:
            options = re.findall(r"^  (?:-\w, |    )(--[a-z]+(?:-[a-z]+)*)", help_of(name), re.M)
            self.assertIn("--help", options)
            text = shown(self.pages[(name,)])
            entries = text[text.index(" OPTIONS "):text.index(" EXIT STATUS ")]
            for option in options:
                with self.subTest(name + " " + option):
                    self.assertRegex(entries, rf"(^|\s){option}\s")

    def test_every_example_of_the_help_is_there_to_copy(self):
        for name in COMMANDS:
            for line in re.findall(r"^  (heddle .*)$", help_of(name), re.M):
                with self.subTest(line):
                    self.assertIn(line, shown(self.pages[(name,)]))

    def test_the_first_page_names_all_others(self):
        text = shown(self.pages[()])
        for name in COMMANDS + GROUPS:
            self.assertEqual(text.count(f"heddle-{name}(1)"), 2, name)  # once among the commands, once at the end

    def test_the_first_page_says_what_each_command_is_for(self):
        text = shown(self.pages[()])
        commands = text[text.index(" COMMANDS "):text.index(" EXIT STATUS ") if " EXIT STATUS " in text else None]
        purposes = re.findall(r"^  heddle .*?  +(\S.*)$", help_of(), re.M)
        self.assertGreaterEqual(len(purposes), 10)
        for purpose in purposes:
            with self.subTest(purpose):
                self.assertIn(purpose, commands)

    def test_pages_that_are_named_exist(self):
        for words, page in self.pages.items():
            for name in re.findall(r"heddle-([\w-]+)\(1\)", shown(page)):
                with self.subTest(f"{words} names {name}"):
                    self.assertIn(name, COMMANDS + GROUPS)

    def test_the_page_of_a_group_names_its_actions_with_their_purposes(self):
        actions = re.findall(r"^  heddle lab (\w+).*?  +(\S.*)$", help_of("lab"), re.M)
        self.assertGreater(len(actions), 5)
        for action, purpose in actions:
            self.assertIn(f"heddle-lab-{action}(1) {purpose}", shown(self.pages[("lab",)]))
        self.assertIn("heddle lab ACTION", shown(self.pages[("lab",)]))

    def test_date_and_version_stand_below(self):
        version = ran(HEDDLE, "--version").stdout.strip()
        for words, page in self.pages.items():
            with self.subTest(words):
                self.assertRegex(shown(page), rf"{re.escape(version)} \d{{4}}-\d\d-\d\d HEDDLE")

    def test_there_is_no_page_of_what_is_no_command(self):
        refused = ran(HEDDLE, "docs", "man", "rum")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))


if __name__ == "__main__":
    missing = [tool for tool in ("man", "mandoc", "lexgrog") if not shutil.which(tool)]
    if missing:
        print("skipped: not installed:", *missing)
        sys.exit(77)
    COMMANDS += [n.replace(" ", "-") for n in re.findall(r"^  heddle (lab \w+|\w+)", help_of(), re.M)]
    assert len(COMMANDS) >= 10
    unittest.main(argv=sys.argv[:1])
