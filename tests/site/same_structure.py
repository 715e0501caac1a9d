#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site's pages have the lists, tables, listings and headings that GitHub shows: python3 same_structure.py FOLDER

Python's Markdown takes a list without a blank line before it for text, and reads nesting otherwise than GitHub; scripts/site changes
the documents for it. FOLDER is that of scripts/site. Compares numbers of elements with those of cmark-gfm.
"""
import pathlib
import re
import runpy
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ("h2", "h3", "li", "ul", "ol", "table", "tr", "pre", "img")
site = runpy.run_path(str(ROOT / "scripts/site"))


def counts(html):
    return {kind: len(re.findall(rf"<{kind}[ >]", html)) for kind in KINDS}


def built(folder, place):
    name = place.with_suffix("")
    name = name.parent if name.name in ("README", "index") else name
    html = (folder / "site" / name / "index.html").read_text(encoding="utf-8")
    return re.search(r'<article class="md-content__inner md-typeset">(.*)</article>', html, re.S).group(1)


def main():
    folder, faults = pathlib.Path(sys.argv[1]), 0
    pages = [p for p in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")] if site["page_of"](p)]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        command = ["cmark-gfm", "-e", "table", "--unsafe"]
        wanted = counts(subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout)
        found = counts(built(folder, site["page_of"](page)))
        differ = {kind: (wanted[kind], found[kind]) for kind in KINDS if wanted[kind] != found[kind]}
        if differ:
            faults += 1
            print(f"{page.relative_to(ROOT)}: GitHub's and the site's numbers of elements differ: {differ}")
    print(f"{len(pages)} documents, {faults} of another structure")
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
