#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every code in the tree resolves: a reader who meets one finds what it means.

usage: test_codes.py PROJECT

* AM-n, SC-n, CMB-n, X-n and the set-ups EXP-SIM, EXP-TB, DT-SIM: by an anchor of docs/choices.md, <a id="am-36"></a>.
* EXP-n, XP-n, SP-n, DT-n: by the first cell of a row of docs/mechanisms.md ("DT-1, DT-2", "DT-13 to DT-18", "EXP-19..22").
* In README.md and the pages of docs/ that users read, a code is a link to docs/choices.md or not there. The glossary explains codes.
* Claims and figures (EXP-F14.1, XP-D.2, DT-H.1, SP-T3): an entry of experiments/*.yaml states the claim, or one of the figure; or a
  page of claims (docs/papers/) names it.

No file names the list that these codes once came from; docs/choices.md stands for it. Its tables have short cells.
Records, pictures, third-party files, the fuzzers' corpora and the tests of scripts, whose claims are made up, are not read.
"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

PROJECT = pathlib.Path(sys.argv[1])
CELL_MAX = 120
UNREAD = (".svg", ".png", ".woff2", ".record.json", ".pcapng", ".pcap")
APART = ("third_party/", "tests/fuzz/corpus/", "tests/scripts/")
# Pages that scripts/claims writes from their own sources.
CLAIM_PAGES = ("docs/papers/",)

PAPER = "EXP|XP|SP|DT"
NUMBERED = re.compile(rf"(?<![A-Za-z0-9])(?:AM|SC|CMB|X|{PAPER})-\d+")
SET_UP = re.compile(r"(?<![A-Za-z0-9])(?:EXP|DT)-(?:SIM|TB)\b")
CLAIM = re.compile(rf"(?<![A-Za-z0-9])(?:{PAPER})-(?:F\d+[a-z]?|T\d+|D|H)(?:\.\d+)?(?![A-Za-z0-9])")
FORMER_LIST = re.compile(r"(?<![A-Z_])CLAIM[S](?![A-Z_])")
RANGE = re.compile(r"([A-Z]+)-(\d+)(?: to [A-Z]+-|\.\.)(\d+)")


def codes_of(text):
    """Returns the codes in a text, claims last; a claim of a paper about a choice (XP-AM-22) counts as the choice."""
    return NUMBERED.findall(text) + SET_UP.findall(text) + CLAIM.findall(text)


def anchors(text):
    return {name.upper() for name in re.findall(r'<a id="([a-z0-9-]+)">', text)}


def rows(text):
    """Returns the papers' mechanisms that the first cells of tables name, ranges written out."""
    found = set()
    for line in text.splitlines():
        if not line.startswith("|"):
            continue
        cell = line.split("|")[1]
        found.update(NUMBERED.findall(cell))
        for family, first, last in RANGE.findall(cell):
            found.update(f"{family}-{n}" for n in range(int(first), int(last) + 1))
    return {code for code in found if re.match(PAPER, code)}


def figure_of(claim):
    return claim.split(".")[0]


def claims_of(text):
    """Returns the claims in a text, and the figures that they belong to."""
    found = set(CLAIM.findall(text))
    return found | {figure_of(claim) for claim in found}


def unresolved(name, text, known):
    """Returns a line FILE:LINE: CODE for each code of a file that is not known."""
    return [f"{name}:{n}: {code} is explained nowhere" for n, line in enumerate(text.splitlines(), 1)
            for code in codes_of(line) if code not in known]


def former(name, text):
    return [f"{name}:{n}: name docs/choices.md or the paper" for n, line in enumerate(text.splitlines(), 1) if FORMER_LIST.search(line)]


def wide_cells(name, text):
    return [f"{name}:{n}: a cell of {len(cell.strip())} characters, more than {CELL_MAX}" for n, line in enumerate(text.splitlines(), 1)
            if line.startswith("|") for cell in line.strip("|\n").split("|") if len(cell.strip()) > CELL_MAX]


# ---- the tree ----

def listed():
    """Returns the paths of the project's files, of a checkout the files that git tracks."""
    if (PROJECT / ".git").exists():
        paths = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout.split("\0")
    else:
        paths = [os.path.relpath(os.path.join(folder, file), PROJECT) for folder, _, files in os.walk(PROJECT) for file in files]
        paths = [path for path in paths if not path.startswith(("build", ".git"))]
    return [path for path in paths if path and not path.endswith(UNREAD) and not path.startswith(APART)]


def bare(text):
    """Returns the numbered codes of a document that are no links to docs/choices.md."""
    return NUMBERED.findall(re.sub(r"\[[A-Z]+-\d+\]\([a-z/]*choices\.md#[a-z]+-\d+\)", "", text))


def read():
    """Returns the text of each file that has one."""
    texts = {}
    for path in listed():
        try:
            texts[path] = (PROJECT / path).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
    return texts


def known(texts):
    """Returns all codes that resolve."""
    found = anchors(texts["docs/choices.md"]) | rows(texts["docs/mechanisms.md"])
    for path, text in texts.items():
        if path.startswith("experiments/"):
            for claim in re.findall(r"claim: *\"?([^,}\"]+)", text):
                found |= claims_of(claim)
        if path.startswith(CLAIM_PAGES):
            found |= claims_of(text)
    return found


class Rules(unittest.TestCase):
    def test_a_code_that_nothing_explains_is_found_with_its_line(self):
        self.assertEqual(unresolved("a.c", "one\n/* AM-36, AM-99 (X-1) */\n", {"AM-36"}),
                         ["a.c:2: AM-99 is explained nowhere", "a.c:2: X-1 is explained nowhere"])

    def test_kinds_of_codes(self):
        self.assertEqual(codes_of("XP-AM-22, DT-13 of EXP-SIM; SP-F10.1, XP-D.2, EXP-41-priority, EXP-F17a.1, XP-H"),
                         ["AM-22", "DT-13", "EXP-41", "EXP-SIM", "SP-F10.1", "XP-D.2", "EXP-F17a.1", "XP-H"])

    def test_no_codes(self):
        self.assertEqual(codes_of("UTF-8 SHA-256 X-Content-Type AM-n EXP-n MAX-3 DT-FOO"), [])

    def test_rows_and_ranges(self):
        self.assertEqual(rows("| DT-1, AM-5 | x | DT-9 |\n| EXP-19..21 | |\n| SP-3 to SP-5 | |\nDT-7\n"),
                         {"DT-1", "EXP-19", "EXP-20", "EXP-21", "SP-3", "SP-4", "SP-5"})

    def test_a_code_is_a_link_or_bare(self):
        self.assertEqual(bare("[AM-36](choices.md#am-36), [X-4](docs/choices.md#x-4), AM-5, claim EXP-F14.1, [XP-7](mechanisms.md)"), ["AM-5", "XP-7"])

    def test_anchors(self):
        self.assertEqual(anchors('### <a id="am-36"></a>AM-36: drops\n'), {"AM-36"})

    def test_a_claim_resolves_its_figure(self):
        self.assertEqual(claims_of("XP-F8.1"), {"XP-F8.1", "XP-F8"})

    def test_the_former_list(self):
        self.assertEqual(former("a.c", "HEDDLE_CLAIM" "S_H\n(CLAIM" "S AM-2)\n"), ["a.c:2: name docs/choices.md or the paper"])

    def test_wide_cells(self):
        self.assertEqual(wide_cells("a.md", f"| a | {'b' * 121} |\n"), ["a.md:1: a cell of 121 characters, more than 120"])


class Tree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.texts = read()

    def fails_with(self, lines):
        if lines:
            self.fail("\n" + "\n".join(lines))

    def test_every_code_resolves(self):
        resolved = known(self.texts)
        self.fails_with([line for path, text in self.texts.items() for line in unresolved(path, text, resolved)])

    def test_pages_for_users_link_their_codes(self):
        explains = {"docs/choices.md", "docs/mechanisms.md", "docs/glossary.md"}
        pages = [path for path in self.texts if path == "README.md" or re.fullmatch(r"docs/[\w-]+\.md", path) and path not in explains]
        self.assertIn("docs/keys.md", pages)
        self.fails_with([f"{path}: {code} is no link to docs/choices.md" for path in pages for code in bare(self.texts[path])])

    def test_no_file_names_the_former_list(self):
        self.fails_with([line for path, text in self.texts.items() for line in former(path, text)])

    def test_choices_have_short_cells(self):
        self.fails_with(wide_cells("docs/choices.md", self.texts["docs/choices.md"]))

    def test_each_choice_stands_once(self):
        names = re.findall(r'<a id="([^"]+)">', self.texts["docs/choices.md"])
        self.fails_with([f"docs/choices.md: {name} stands twice" for name in sorted(set(names)) if names.count(name) > 1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
