#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows the guides of docs/guides in a copy of the tree, so that they stay correct.

usage: test_contributing.py TREE

It puts the marked blocks of the guides into the copy; the comment before a block says where: `file: PATH`, or
`after: LINE-START in PATH`. It builds the copy once, with the blocks of all guides. Then it does what a contributor does: it
runs the formatter, the layer checker and scripts/spdx, the tests that walk all rows, scripts/docs-keys, and for each guide its
tests, its experiment in full and in its small profile as ./check runs it, and a check of its further promises. Exit status 77:
skipped, with the reason.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Callable, NamedTuple

SKIP = 77
COPIED = ["src", "tests", "third_party", "bench", "scripts", "share", "docs", "experiments", "debian", "meson.build",
          "meson_options.txt", ".clang-format", "CHANGELOG.md", "CITATION.cff", "LICENSE",
          "README.md"]
NEEDED = ["meson", "ninja", "gcc"]
# These options make the build fast, not the program.
OPTIONS = ["-Dbuildtype=plain", "-Doptimization=0", "-Db_lto=false"]

BLOCK = re.compile(r"<!-- (file|after): (.*?) -->\n```\w+\n(.*?)```\n", re.S)


class Failure(Exception):
    """The document and the tree disagree."""


def run(command, folder, expected=0):
    """Runs a command in a folder; returns its standard output."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != expected:
        raise Failure(f"{' '.join(command)}: exit status {done.returncode}, expected {expected}\n"
                      f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def put_after(path, line_start, text):
    """Inserts text after the first line that begins with `line_start`, leaving out indentation."""
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    for i, line in enumerate(lines):
        if line.lstrip().startswith(line_start):
            lines.insert(i + 1, text)
            break
    else:
        raise Failure(f"{path} has no line that begins with '{line_start}'")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


def blocks_of(page):
    """Returns the marked blocks of a page as (kind, place, text)."""
    with open(page, encoding="utf-8") as file:
        return BLOCK.findall(file.read())


def check_guides(folder):
    """Raises Failure unless the pages with marked blocks are the pages that this test follows."""
    marked = {name for name in os.listdir(folder) if name.endswith(".md") and blocks_of(os.path.join(folder, name))}
    known = {guide.page for guide in GUIDES}
    if marked != known:
        raise Failure(f"docs/guides: pages with marked blocks {sorted(marked)}, this test follows {sorted(known)}")


def apply_blocks(folder, guide, tree):
    """Puts the marked blocks of a guide into the tree; returns the paths of new files and of all changed C files."""
    blocks = blocks_of(os.path.join(folder, guide.page))
    created, touched = [], set()
    for kind, where, text in blocks:
        if kind == "file":
            path = os.path.join(tree, where)
            if os.path.exists(path):
                raise Failure(f"{where} exists already: the example of {guide.page} must be a new one")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            created.append(where)
            touched.add(where)
        else:
            line_start, _, path = where.rpartition(" in ")
            put_after(os.path.join(tree, path), line_start, text)
            touched.add(path)
    if (len(created), len(blocks)) != (guide.n_files, guide.n_blocks):
        raise Failure(f"{guide.page}: {len(created)} new files and {len(blocks)} marked blocks, not {guide.n_files} and "
                      f"{guide.n_blocks}")
    return created, [path for path in touched if path.endswith(".c")]


def run_experiment(tree, experiment, n_runs, n_claims):
    """Runs the experiment, whose claims must all hold; returns the lines of its runs."""
    store = os.path.join(tree, "results.db")
    out = run(["build/heddle", "run", experiment, "--json", "--quiet", "-o", store], tree)
    lines = [json.loads(line) for line in out.splitlines()]
    runs = [line for line in lines if "run" in line]
    claims = [line for line in lines if "claim" in line]
    if len(runs) != n_runs or len(claims) != n_claims or not all(claim["met"] for claim in claims):
        raise Failure(f"{experiment}: {len(runs)} runs, claims {claims}")
    return runs


def row_check(name, word, n_runs, n_claims, counter=None, key=None):
    """Returns a check: `heddle show` of the row prints the word, and the counter is above 0 only in runs with the row."""
    def check(tree, experiment):
        if word not in run(["build/heddle", "show", name], tree):
            raise Failure(f"heddle show {name} does not name {word}")
        for line in run_experiment(tree, experiment, n_runs, n_claims):
            moved = line["counters"].get(counter, 0) if counter else 0
            if counter and (moved > 0) != (line["settings"][key] == name):
                raise Failure(f"{experiment}: {counter} is {moved} in {line['settings']}")
    return check


def check_metric(tree, experiment):
    """Checks that the metric is in every result and in the documents, and that a misspelt name is refused."""
    for line in run_experiment(tree, experiment, 2, 2):
        packets = line["packets"]
        if packets["dropped_share"] != packets["dropped"] / packets["sent"]:
            raise Failure(f"{experiment}: packets are {packets}")
    if "\n| `packets.dropped_share` | share | less | " not in run(["build/heddle", "docs", "results"], tree):
        raise Failure("heddle docs results has no line for packets.dropped_share")
    with open(os.path.join(tree, experiment), encoding="utf-8") as file:
        wrong = file.read().replace("metric: packets.dropped_share", "metric: packets.droped_share")
    with open(os.path.join(tree, "wrong.yaml"), "w", encoding="utf-8") as file:
        file.write(wrong)
    done = subprocess.run(["build/heddle", "check", "wrong.yaml"], cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode != 2 or "did you mean 'packets.dropped_share'?" not in done.stderr:
        raise Failure(f"heddle check wrong.yaml: exit status {done.returncode}, {done.stderr}")
    run(["build/heddle", "export", "results.db", "--csv", "csv"], tree)
    with open(os.path.join(tree, "csv", "metrics.csv"), encoding="utf-8") as file:
        if "\npackets.dropped_share,share,less,share of packets dropped," not in file.read():
            raise Failure("metrics.csv has no line for packets.dropped_share")


def check_key(tree, experiment):
    """Checks that the key is in the documents, and is reported as without effect with a single class."""
    run_experiment(tree, experiment, 2, 2)
    if "\n| `switch.low_limit` | size, " not in run(["build/heddle", "docs", "keys"], tree):
        raise Failure("heddle docs keys has no line for switch.low_limit")
    done = subprocess.run(["build/heddle", "check", "experiments/demo.yaml", "--set", "switch.low_limit=30KB"], cwd=tree,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0 or "switch.low_limit has no effect: ports have one class" not in done.stderr:
        raise Failure(f"heddle check: exit status {done.returncode}, {done.stderr}")


class Guide(NamedTuple):
    """A page of docs/guides that the test follows."""
    page: str
    n_files: int
    n_blocks: int
    tests: list  # programs in build/tests
    check: Callable  # function of the tree and the path of the guide's experiment


GUIDES = [
    Guide("add-a-load-balancer.md", 3, 6, ["test_mech_balance_round_robin", "test_mech_balance_ecmp"],
          row_check("round-robin", "burst", 6, 3, "round_robin_turns", "switch.balance")),
    Guide("add-a-transport.md", 3, 6, ["test_mech_vegas", "test_mech_transports"],
          row_check("vegas", "alpha", 6, 2, "vegas_decreases", "host.transport")),
    Guide("add-a-workload.md", 3, 6, ["test_workload_broadcast"], row_check("broadcast", "workload.#.every", 4, 4)),
    Guide("add-a-topology.md", 3, 6, ["test_fabric_ring"], row_check("ring", "fabric.switches", 2, 1)),
    Guide("add-a-part-of-a-port.md", 3, 6, ["test_mech_schedule_turns", "test_node_port_classes"],
          row_check("turns", "in turn", 2, 2)),
    Guide("add-a-key.md", 1, 7, ["test_node_port_classes"], check_key),
    Guide("add-a-metric.md", 1, 5, ["test_study_metrics"], check_metric),
]
# Tests that walk the tables, so they cover the rows of the guides.
FOR_ALL = ["test_study_catalogue", "test_study_config", "test_study_every_kind", "test_fabric_every_kind",
           "test_sim_world_threads", "test_sim_ahead", "test_scenario_bounds_world", "test_scenario_path_symmetry"]


def follow(source, tree):
    """Follows all guides."""
    for name in COPIED:
        path = os.path.join(source, name)
        if os.path.isdir(path):
            shutil.copytree(path, os.path.join(tree, name), ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, os.path.join(tree, name))
    folder = os.path.join(source, "docs", "guides")
    check_guides(folder)
    created, touched = {}, []
    for guide in GUIDES:
        created[guide.page], more = apply_blocks(folder, guide, tree)
        touched += more
    run(["scripts/layers"], tree)
    if shutil.which("clang-format"):
        run(["clang-format", "--dry-run", "-Werror", *touched], tree)
    run(["meson", "setup", "build", *OPTIONS], tree)
    run(["ninja", "-C", "build", "heddle", *(f"tests/{test}" for guide in GUIDES for test in guide.tests),
         *(f"tests/{test}" for test in FOR_ALL)], tree)
    for guide in GUIDES:
        for test in guide.tests:
            run([f"build/tests/{test}"], tree)
        guide.check(tree, next(name for name in created[guide.page] if name.endswith(".yaml")))
    for test in FOR_ALL:
        run([f"build/tests/{test}"], tree)
    new = [path for paths in created.values() for path in paths]
    run(["scripts/spdx", "--write", *new], tree)
    run(["scripts/spdx", "--check", *new], tree)
    run(["scripts/docs-keys", "build/heddle"], tree)
    for experiment in (path for path in new if path.endswith(".yaml")):
        run(["scripts/small-experiments", "--only", experiment, "build/heddle"], tree)


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
    for guide in GUIDES:
        print(f"docs/guides/{guide.page}: works as written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
