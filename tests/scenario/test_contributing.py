#!/usr/bin/env python3
"""Keeps CONTRIBUTING.md true: does what "Add a load balancer" says, in a copy of the tree.

usage: test_contributing.py TREE

Takes the marked blocks out of TREE/CONTRIBUTING.md (a comment before a block says where it goes: `file: PATH`, or
`after: LINE-START in PATH`), builds the copy, and runs the new balancer's test, the test of all balancers, the formatter,
the layer checker and the experiment. Exit status 77: skipped, with the reason.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
COPIED = ["src", "tests", "third_party", "bench", "scripts", "meson.build", "meson_options.txt", ".clang-format"]
NEEDED = ["meson", "ninja", "gcc"]
# Speed of the build matters here, not of the program.
OPTIONS = ["-Dbuildtype=plain", "-Doptimization=0", "-Db_lto=false"]

BLOCK = re.compile(r"<!-- (file|after): (.*?) -->\n```\w+\n(.*?)```\n", re.S)


class Failure(Exception):
    """What the document says does not work."""


def run(command, folder, expected=0):
    """Runs a command in a folder; its standard output."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != expected:
        raise Failure(f"{' '.join(command)}: exit status {done.returncode}, expected {expected}\n"
                      f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def put_after(path, line_start, text):
    """Inserts text after the first line that begins so."""
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    for i, line in enumerate(lines):
        if line.startswith(line_start):
            lines.insert(i + 1, text)
            break
    else:
        raise Failure(f"{path} has no line that begins with '{line_start}'")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


def apply_blocks(document, tree):
    """Puts the marked blocks into the tree; the paths of the new files."""
    with open(document, encoding="utf-8") as file:
        blocks = BLOCK.findall(file.read())
    created = []
    for kind, where, text in blocks:
        if kind == "file":
            path = os.path.join(tree, where)
            if os.path.exists(path):
                raise Failure(f"{where} exists already: the example of CONTRIBUTING.md must be a new mechanism")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            created.append(where)
        else:
            line_start, _, path = where.rpartition(" in ")
            put_after(os.path.join(tree, path), line_start, text)
    if len(created) != 3 or len(blocks) != 6:
        raise Failure(f"CONTRIBUTING.md has {len(created)} new files and {len(blocks)} marked blocks, not 3 and 6")
    return created


def check_experiment(tree, experiment):
    """Every claim of the experiment holds, and the mechanism was at work."""
    store = os.path.join(tree, "results.db")
    out = run(["build/heddle", "run", experiment, "--json", "--quiet", "-o", store], tree)
    lines = [json.loads(line) for line in out.splitlines()]
    runs = [line for line in lines if "run" in line]
    claims = [line for line in lines if "claim" in line]
    if len(runs) != 6 or len(claims) != 3 or not all(claim["met"] for claim in claims):
        raise Failure(f"{experiment}: {len(runs)} runs, claims {claims}")
    for line in runs:
        turns = line["counters"].get("round_robin_turns", 0)
        if (turns > 0) != (line["settings"]["switch.balance"] == "round-robin"):
            raise Failure(f"{experiment}: round_robin_turns is {turns} in {line['settings']}")


def follow(source, tree):
    """All steps of the document."""
    for name in COPIED:
        path = os.path.join(source, name)
        if os.path.isdir(path):
            shutil.copytree(path, os.path.join(tree, name), ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, os.path.join(tree, name))
    created = apply_blocks(os.path.join(source, "CONTRIBUTING.md"), tree)
    run(["scripts/layers"], tree)
    if shutil.which("clang-format"):
        run(["clang-format", "--dry-run", "-Werror", *(name for name in created if name.endswith(".c"))], tree)
    run(["meson", "setup", "build", *OPTIONS], tree)
    tests = ["tests/test_mech_balance_round_robin", "tests/test_mech_balance_ecmp"]
    run(["ninja", "-C", "build", "heddle", *tests], tree)
    for test in tests:
        run([f"build/{test}"], tree)
    if "burst" not in run(["build/heddle", "show", "round-robin"], tree):
        raise Failure("heddle show round-robin does not name its parameter")
    check_experiment(tree, next(name for name in created if name.endswith(".yaml")))


def main():
    missing = [tool for tool in NEEDED if not shutil.which(tool)]
    if missing:
        print(f"skipped: needs {', '.join(missing)}")
        return SKIP
    with tempfile.TemporaryDirectory(prefix="heddle-contributing-") as tree:
        try:
            follow(os.path.abspath(sys.argv[1]), tree)
        except Failure as failure:
            print(failure)
            return 1
    print("CONTRIBUTING.md, 'Add a load balancer': works as written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
