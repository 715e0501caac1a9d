#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every key of experiment files acts: a second value gives other results.

keys_table.py has the rows. A key without a row is one that an experiment of experiments/ sweeps: two of its runs that differ
in nothing else must give other results.

usage: test_keys_act.py HEDDLE [KEY ...]
"""
import concurrent.futures
import contextlib
import glob
import hashlib
import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

import keys_table

HEDDLE = os.path.abspath(sys.argv[1])
EXPERIMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "experiments")
PATIENCE_S = 240
CLOCK = {"wall_s", "hops_per_s", "rss_bytes"}
OTHER_TABLES = {"runs", "experiments", "options", "figures"}


def schema_keys():
    """What the schema says of each key, by its path, with * for the number of an item."""
    said = subprocess.run([HEDDLE, "docs", "schema"], capture_output=True, text=True, check=True).stdout
    return {path: said for path, said in json.loads(said)["$defs"].items() if path != "file"}


def is_block(said):
    """Whether the key is the block of a mechanism, whose own keys are all here."""
    return bool(said.get("properties")) and all("$ref" in item for item in said["properties"].values())


def pattern(path):
    return ".".join("*" if part.isdigit() else part for part in path.split("."))


def without_clock(line):
    line.pop("memory", None)
    line.get("engine", {}).update({key: None for key in CLOCK})
    return line


class Place:
    """A folder with the files of all bases, where experiments are run."""

    def __init__(self, folder):
        self.folder = folder
        for name, text in keys_table.FILES.items():
            self.write(name, text)
        for name, text in keys_table.BASES.items():
            self.write(name + "-base.yaml", text)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def stored(self, stem):
        """The rows of all tables of results, and the captures."""
        kept = []
        with contextlib.closing(sqlite3.connect(os.path.join(self.folder, stem + ".db"))) as db:
            tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
            for name in sorted(set(tables) - OTHER_TABLES):
                kept.append((name, sorted(map(repr, db.execute(f"select * from {name}")))))
        for where, _, names in sorted(os.walk(os.path.join(self.folder, stem + ".captures"))):
            for name in sorted(names):
                with open(os.path.join(where, name), "rb") as file:
                    kept.append((name, hashlib.sha256(file.read()).hexdigest()))
        return kept

    @staticmethod
    def stem(base, settings):
        return hashlib.sha256(repr((base, settings)).encode()).hexdigest()[:16]

    def run(self, base, settings):
        """What a run leaves: its digests, its results, its warnings."""
        stem = self.stem(base, settings)
        words = [HEDDLE, "run", base + "-base.yaml", "--json", "-o", stem + ".db"]
        for setting in settings:
            words += ["--set", setting]
        said = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if said.returncode not in (0, 1):
            return {"failed": f"{' '.join(words[2:])}: exit {said.returncode}: {said.stderr.strip()}"}
        lines = [without_clock(json.loads(line)) for line in said.stdout.splitlines()]
        return {"digest": [line["engine"]["digest"] for line in lines if "engine" in line],
                "result": (lines, self.stored(stem)),
                "plain": [line for line in lines if "engine" in line],
                "warnings": [line for line in said.stderr.splitlines() if "has no effect" in line]}

    def draw(self, base, settings):
        """What `heddle report --figures` writes of a run."""
        ran = self.run(base, settings)
        stem = self.stem(base, settings)
        if "failed" in ran:
            return ran
        said = subprocess.run([HEDDLE, "report", stem + ".db", "--figures", stem], cwd=self.folder, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)
        if said.returncode != 0:
            return {"failed": f"report {base} {settings}: exit {said.returncode}: {said.stderr.strip()}"}
        drawn = []
        for name in sorted(os.listdir(os.path.join(self.folder, stem))):
            if not name.endswith((".svg", ".pdf", ".png")):
                with open(os.path.join(self.folder, stem, name), encoding="utf-8") as file:
                    drawn.append((name, file.read().replace(stem, "")))
        return ran | {"figure": drawn}


def measured(path):
    """What must differ: a figure, a result or the digest."""
    if path.split(".")[0] == "figure":
        return "figure"
    return "result" if path.startswith((*keys_table.MEASURING, "expect")) or path in keys_table.NAMING else "digest"


def swept_in(path):
    """The keys that an experiment sweeps."""
    with open(path, encoding="utf-8") as file:
        swept = re.findall(r"^sweep:(.*(?:\n[ #].*)*)", file.read(), re.M)
    return {pattern(key) for text in swept for key in re.findall(r"([\w.-]+):", text)}


def without_key(settings, key):
    return sorted((path, str(value)) for path, value in settings.items() if pattern(path) != key)


def sweep_faults(key):
    """What is wrong with a key that has no row: an experiment must sweep it, and two runs must differ by it alone."""
    paths = [path for path in sorted(glob.glob(os.path.join(EXPERIMENTS, "*.yaml"))) if key in swept_in(path)]
    if not paths:
        return [f"{key}: the key has no row in keys_table.py, and no experiment sweeps it"]
    with tempfile.TemporaryDirectory(prefix="heddle-keys-") as folder:
        said = subprocess.run([HEDDLE, "run", paths[0], "--profile", "small", "--json", "-o", "swept.db"], cwd=folder,
                              capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if said.returncode != 0:
        return [f"{key}: {paths[0]}: exit {said.returncode}: {said.stderr.strip()}"]
    lines = [line for line in map(json.loads, said.stdout.splitlines()) if "engine" in line]
    acts = any(without_key(one["settings"], key) == without_key(other["settings"], key) and
               one["engine"]["digest"] != other["engine"]["digest"] for one, other in itertools.combinations(lines, 2))
    return [] if acts else [f"{key}: its values in {os.path.basename(paths[0])} change nothing (the digest is the same)"]


def table_faults(schema, act):
    """Keys that have no row and no experiment, rows that have no key, keys in two rows."""
    rows = [pattern(path) for path, *_ in act] + list(keys_table.EXEMPT)
    known = set(schema)
    return ([fault for key in sorted(known - set(rows)) if not is_block(schema[key]) for fault in sweep_faults(key)] +
            [f"{key}: there is no such key" for key in sorted(set(rows) - known)] +
            [f"{key}: {rows.count(key)} rows" for key in sorted(set(rows)) if rows.count(key) > 1])


def act_faults(path, one, other):
    """What is wrong with a key that must act."""
    for run in (one, other):
        if "failed" in run:
            return [f"{path}: {run['failed']}"]
        if any(f" {path} has no effect" in line for line in run["warnings"]):
            return [f"{path}: it acts, and a warning says that it has no effect"]
    what = measured(path)
    faults = [f"{path}: its second value changes nothing (the {what} is the same)"] if one[what] == other[what] else []
    if what != "digest" and one["digest"] != other["digest"]:
        faults.append(f"{path}: the digest differs, so the key changes the simulation")
    return faults


def quiet_faults(path, settings, one, other):
    """What is wrong with a key that has no effect beside other settings."""
    for run in (one, other):
        if "failed" in run:
            return [f"{path}: {run['failed']}"]
    faults = [] if one["digest"] == other["digest"] and one["plain"] == other["plain"] else [f"{path}: it acts with {settings}"]
    if not any(f"{path} has no effect" in line for line in other["warnings"]):
        faults.append(f"{path}: with {settings} it has no effect, and nobody says so")
    return faults


def jobs_of(row):
    """Both runs of a row."""
    path, base, value, *settings = row
    return (base, tuple(settings)), (base, (*settings, f"{path}={value}"))


def faults(place, act, only):
    rows = [(row, False) for row in act] + [(row, True) for row in keys_table.QUIET]
    rows = [(row, quiet) for row, quiet in rows if not only or pattern(row[0]) in only or row[0] in only]
    draws = {job for row, _ in rows if measured(row[0]) == "figure" for job in jobs_of(row)}
    jobs = list(dict.fromkeys(job for row, _ in rows for job in jobs_of(row)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ran = dict(zip(jobs, pool.map(lambda job: (place.draw if job in draws else place.run)(*job), jobs)))
    for row, quiet in rows:
        one, other = (ran[job] for job in jobs_of(row))
        yield from quiet_faults(row[0], row[3:], one, other) if quiet else act_faults(row[0], one, other)


def main():
    schema = schema_keys()
    act = keys_table.ACT + keys_table.tcp_rows(schema)
    found = table_faults(schema, act)
    with tempfile.TemporaryDirectory(prefix="heddle-keys-") as folder:
        found += faults(Place(folder), act, set(sys.argv[2:]))
    for fault in found:
        print(fault)
    print(f"{len(act)} keys act, {len(keys_table.QUIET)} rows of keys without effect, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
