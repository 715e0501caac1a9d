#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site's pages have the words, lists, tables, listings and headings that GitHub shows: python3 same_contents.py FOLDER

Python's Markdown takes a list without a blank line before it for text, and reads nesting otherwise than GitHub; scripts/site changes
the documents for it. FOLDER is that of scripts/site. Compares numbers of elements and all words with those of cmark-gfm.
"""
import collections
import html as entities
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


def words(html):
    """Returns how often each word of the text stands there; the marks of headings' own links are none."""
    html = re.sub(r"<!--.*?-->|<a class=\"headerlink\".*?</a>|</?(?:span|code|em|strong|a)\b[^>]*>", "", html, flags=re.S)
    return collections.Counter(re.sub(r"[“”‘’\"'`]", "", entities.unescape(re.sub(r"<[^>]*>", " ", html))).split())


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
        github = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        here = built(folder, site["page_of"](page))
        wanted, found = counts(github), counts(here)
        differ = {kind: (wanted[kind], found[kind]) for kind in KINDS if wanted[kind] != found[kind]}
        if differ:
            faults += 1
            print(f"{page.relative_to(ROOT)}: GitHub's and the site's numbers of elements differ: {differ}")
        lost, more = words(github) - words(here), words(here) - words(github)
        if lost or more:
            faults += 1
            print(f"{page.relative_to(ROOT)}: words of GitHub's alone: {dict(lost)}; of the site's alone: {dict(more)}"[:1000])
    print(f"{len(pages)} documents, {faults} with other contents")
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
