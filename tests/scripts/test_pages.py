#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Documents can be read: links lead somewhere, images are there, cells of tables are short, and the README is.

usage: test_pages.py ROOT
"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv[1])
CELL = 120  # characters of a table's cell, at most; of a link its text counts


def documents():
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def text_of(page):
    """Returns a document without its blocks of code, which show tables and links as examples."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)


def links(text):
    return [t for t in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)) if not re.match(r"[a-z]+:", t)]


def anchors(page):
    """Returns the anchors of a document: of its headings, and the anchors that it names."""
    heads = re.findall(r"^#+ (.+)$", text_of(page), re.M)
    named = set(re.findall(r'<a id="([^"]+)">', text_of(page)))
    return named | {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head).replace("`", "").lower()).replace(" ", "-") for head in heads}


def dead(page):
    """Returns the relative links of a document that lead to no file or heading."""
    found = []
    for target in links(text_of(page)):
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path)):
            found.append(target)
    return found


def long_cells(page):
    rows = [line for line in text_of(page).splitlines() if line.startswith("|")]
    cells = [cell.strip() for row in rows for cell in re.split(r"(?<!\\)\|", row)]
    return [cell for cell in cells if len(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell)) > CELL]


def lines_of_task(page):
    """Returns the number of lines of a page, with those of its listings, without blank ones and the marks around listings."""
    return sum(not re.match(r"$|```|<!--", line) for line in page.read_text().splitlines())


class Documents(unittest.TestCase):
    def test_a_how_to_has_about_twenty_lines(self):
        pages = sorted((ROOT / "docs/howto").glob("*.md"))
        self.assertGreater(len(pages), 8)
        self.assertEqual({page.name: lines_of_task(page) for page in pages if lines_of_task(page) > 22}, {})

    def test_links_lead_somewhere(self):
        self.assertEqual({str(p.relative_to(ROOT)): dead(p) for p in documents() if dead(p)}, {})

    def test_images_are_there(self):
        for page in documents():
            for image in re.findall(r"!\[[^]]*\]\(([^)\s]+)\)", text_of(page)):
                self.assertTrue((page.parent / image).is_file(), f"{page}: {image}")
                if page.parent.name == "papers":
                    self.assertTrue(image.endswith(".svg"), f"{page}: {image}")

    def test_cells_are_short(self):
        self.assertEqual({str(p.relative_to(ROOT)): long_cells(p) for p in documents() if long_cells(p)}, {})

    def test_the_contents_of_the_guide_list_every_part(self):
        guide = text_of(ROOT / "docs/guide.md")
        contents, _, parts = guide.partition("\n## ")
        heads = re.findall(r"^##+ (.+)$", "## " + parts, re.M)
        self.assertGreater(len(heads), 25)
        listed = set(re.findall(r"\]\(#([^)]+)\)", contents))
        self.assertEqual([h for h in heads if re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") not in listed], [])

    def test_the_readme_is_read_in_a_minute(self):
        readme = (ROOT / "README.md").read_text()
        self.assertLess(len(readme.splitlines()), 120)
        listings = re.findall(r"^```\n(\$ .*?)^```$", readme, re.M | re.S)
        self.assertTrue(listings)
        self.assertEqual([line for listing in listings for line in listing.splitlines() if len(line) > 100], [])

    def test_every_paper_has_its_page(self):
        names = {p.stem for p in (ROOT / "docs/papers").glob("*.md")}
        self.assertLessEqual({"README", "checks", "expeditus", "expresspass", "spraypass", "detail"}, names)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
