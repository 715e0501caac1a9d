# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/peers.md, which bench/peers/compare and bench/peers/ns2 write between marks."""


class Failure(Exception):
    """The comparison cannot be made."""


def markdown(head, lines):
    return "\n".join(["| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *lines]])


def page_write(page, tables):
    """Writes the tables into the page between the marks of their names."""
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        marks = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        if not all(mark in text for mark in marks):
            raise Failure(f"{page.name} has no marks '{marks[0].strip()}' and '{marks[1]}'")
        text = text[:text.index(marks[0])] + marks[0] + table + "\n" + text[text.index(marks[1]):]
    page.write_text(text, encoding="utf-8")
