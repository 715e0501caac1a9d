#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No page of the documents needs to be scrolled sideways in a window of 1400 pixels.

usage: test_width.py ROOT

It renders each page with cmark-gfm, lays all of them out in headless Chromium as GitHub does (16 px text, tables and code that
scroll if they are too wide), and asks the browser which tables and blocks of code are wider than the page. The notebook is left
out: it keeps what it says. A made-up page shows that too wide ones are found. Exit status 77: skipped, with the reason.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WINDOW, MARGIN = 1400, 32
STYLE = f"""
section {{ width: {WINDOW - 2 * MARGIN}px; font: 16px/1.5 "Noto Sans", Helvetica, Arial, sans-serif; overflow-wrap: break-word }}
table {{ display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse }}
td, th {{ padding: 6px 13px; border: 1px solid }}
code {{ font: 85% monospace; padding: 0.2em 0.4em; white-space: break-spaces }}
pre {{ padding: 16px; overflow: auto; font: 85%/1.45 monospace }}
pre code {{ padding: 0; font-size: 100%; white-space: pre }}
img {{ max-width: 100% }}
"""
MEASURE = """
const found = [];
for (const section of document.querySelectorAll('section'))
    for (const part of section.querySelectorAll('table, pre'))
        if (part.scrollWidth > part.clientWidth)
            found.push([section.id, part.tagName.toLowerCase(), part.scrollWidth, part.innerText.trim().slice(0, 80)]);
document.body.innerHTML = '<pre id="found"></pre>';
document.getElementById('found').textContent = JSON.stringify(found);
"""
WIDE = {"a wide table": "| a | b |\n|---|---|\n| " + "x" * 100 + " | " + "y" * 100 + " |\n",
        "a long line of code": "```\n" + "z" * 200 + "\n```\n"}
NARROW = {"fits": "| a | b |\n|---|---|\n| " + "word " * 200 + "| " + "y" * 60 + " |\n\n```\n" + "z" * 120 + "\n```\n"}


def rendered(text):
    command = ["cmark-gfm", "-e", "table", "--unsafe"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def too_wide(pages, folder):
    """Returns [page, tag, width in pixels, beginning of its text] of each table and block of code that is too wide."""
    sections = "".join(f'<section id="{html.escape(name)}">{rendered(text)}</section>' for name, text in pages.items())
    sections = re.sub(r"<img [^>]*>", "", sections)  # images shrink to the page
    file = pathlib.Path(folder) / "pages.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><body>{sections}<script>{MEASURE}</script>",
                    encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
               f"--window-size={WINDOW},900", "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    if not match:
        sys.exit(f"chromium: exit status {done.returncode}\n{done.stderr[-2000:]}")
    return json.loads(html.unescape(match.group(1)))


def documents(root):
    files = sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])
    return {str(f.relative_to(root)): f.read_text(encoding="utf-8") for f in files if f.parent.name != "notebook"}


def main():
    missing = [tool for tool in ("chromium", "cmark-gfm") if not shutil.which(tool)]
    if missing:
        print(f"skipped: needs {', '.join(missing)}; scripts/install-deps all")
        return 77
    pages = documents(pathlib.Path(sys.argv[1]))
    with tempfile.TemporaryDirectory(prefix="heddle-width-", ignore_cleanup_errors=True) as folder:
        found = too_wide({**pages, **WIDE, **NARROW}, folder)
    unseen = set(WIDE) - {page for page, *_ in found}
    faults = [fault for fault in found if fault[0] not in WIDE]
    for name in sorted(unseen):
        print(f"{name} was not found: the test sees nothing")
    for page, tag, width, text in faults:
        print(f"{page}: a {'table' if tag == 'table' else 'block of code'} is {width} px wide, begins with: {text!r}")
    print(f"{len(pages)} pages, {len(faults)} too wide parts at {WINDOW} px")
    return 1 if faults or unseen else 0


if __name__ == "__main__":
    sys.exit(main())
