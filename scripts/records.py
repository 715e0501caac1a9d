# SPDX-License-Identifier: Apache-2.0
"""Experiment files, their stores and their records: what scripts/record, scripts/reproduce and scripts/claims share.

The record of experiments/PAPER/FILE.yaml is FILE.record.json beside it; `heddle run --record` writes it, and
src/study/claims/record.h describes it. Its section "full" has the outcomes of all claims and the digest of every run, that of a
profile the digests, and "full live" the outcomes on real frames (`heddle lab run --record`).
"""

import json
import os
import pathlib
import re
import subprocess

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPERIMENTS = ROOT / "experiments"
LIVE = EXPERIMENTS / "live"
# What records leave out of a claim and of an outcome.
ABSENT = {"against": None, "than": None, "best": None, "low": None, "high": None, "every": False, "roughly": None, "inferred": None, "paper": None,
          "measured": None, "standard_error": None, "interval": None, "unsettled": 0, "growth_range": None}


def experiment_files(wanted):
    """Returns the experiment files that `wanted` names: paths, papers (folders), figures (f13) or stems of files; all if empty."""
    every = sorted(EXPERIMENTS.rglob("*.yaml"))
    if not wanted:
        return every
    found = []
    for name in wanted:
        path = pathlib.Path(name)
        if path.is_file():
            chosen = [path.resolve()]
        else:
            paper, _, figure = name.rpartition("/")
            chosen = [f for f in every if matches(f, paper, figure.lower())]
        if not chosen:
            raise SystemExit(f"no experiment is named '{name}'; give a file, a paper ({', '.join(papers())}) or a figure (f13)")
        found += [f for f in chosen if f not in found]
    return found


def live_files(wanted):
    """Returns the experiment files that `wanted` names and that also run on real frames."""
    every = sorted(LIVE.glob("*.yaml"))
    return [f for f in experiment_files(wanted) if f in every] if wanted else every


def papers():
    return sorted(p.name for p in EXPERIMENTS.iterdir() if p.is_dir())


def matches(file, paper, name):
    if paper and file.parent.name != paper:
        return False
    stem = file.stem.lower()
    return name in (stem, stem.split("-")[0]) or (not paper and file.parent.name == name)


def laid_over(base, over):
    """Returns `base` changed by `over`: maps merge, null removes a key, other values replace."""
    merged = dict(base)
    for key, value in over.items():
        if value is None:
            merged.pop(key, None)
        else:
            both = isinstance(value, dict) and isinstance(base.get(key), dict)
            merged[key] = laid_over(base[key], value) if both else value
    return merged


def experiment(file):
    """Returns the keys of an experiment file, laid over its bases as src/study/experiment/base_file.h says; paths stay as written."""
    own = yaml.safe_load(file.read_text()) or {}
    base = own.pop("base", None)
    if base is None:
        return own
    wish = base if isinstance(base, dict) else {"file": base}
    below = experiment(file.parent / wish["file"])
    for block in (below, *(below.get("profiles") or {}).values()):
        for key in ("expect", "figure"):
            if block and not wish.get(key):
                block.pop(key, None)
    return laid_over(below, own)


def has_profile(file, profile):
    return profile in (experiment(file).get("profiles") or {})


def states(file, claim):
    """Returns whether a file, or a profile of it, states a claim of this name; {KEY} in a stated name stands for any value."""
    patterns = (".+".join(map(re.escape, re.split(r"\{[^{}]*\}", name))) for name in claims_stated(file))
    return any(re.fullmatch(pattern, claim) for pattern in patterns)


def claims_stated(file):
    """Returns the names of all claims that a file states, its profiles included."""
    whole = experiment(file)
    blocks = [whole, *(whole.get("profiles") or {}).values()]
    lists = [block.get("expect") or [] for block in blocks if block]
    stated = [e for entries in lists for e in (entries if isinstance(entries, list) else [entries])]
    return {row.get("claim", e.get("claim")) for e in stated for row in e.get("rows") or [{}]}


def shown(file):
    """Returns the path relative to the tree; as it is if it lies elsewhere."""
    try:
        return str(file.relative_to(ROOT))
    except ValueError:
        return str(file)


def stem(file, profile, live):
    return file.stem + ("@" + profile if profile else "") + (".live" if live else "")


def record_path(file):
    return file.parent / f"{file.stem}.record.json"


def store_path(stores, file, profile, live=False):
    """Returns the path of a file's store below the folder `stores`."""
    return pathlib.Path(stores) / file.parent.name / f"{stem(file, profile, live)}.db"


def result_version():
    text = (ROOT / "src/study/experiment/experiment.h").read_text()
    return int(re.search(r"define RESULT_VERSION (\d+)", text).group(1))


def profile_options(profile):
    return ["--profile", profile] if profile else []


def run(heddle, file, profile, store, jobs=1, judge=False, live=False):
    """Runs `heddle run`, or `heddle lab run` in a lab of its own, with --record. Returns its exit status and standard error."""
    world = ["lab", "run", "--name", f"r{os.getpid()}"] if live else ["run", "--jobs", str(jobs)]
    command = [str(heddle), *world, str(file), *profile_options(profile), "-o", str(store), "--record", "--quiet"]
    if judge:
        command.append("--judge")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def section_name(profile, live=False):
    return (profile or "full") + (" live" if live else "")


def record_read(file, profile, live=False):
    """Returns a section of the record with its outcomes as a list, or None if there is none.

    Each outcome has the keys of its claim too, and `entry`, the place of the claim in the record.
    """
    path = record_path(file)
    section = json.loads(path.read_text()).get(section_name(profile, live)) if path.is_file() else None
    if section is None:
        return None
    outcomes = [{**ABSENT, **claim, **outcome, "entry": entry} for entry, claim in enumerate(section.get("claims", []))
                for outcome in claim["outcomes"]]
    return {**section, "file": shown(file), "profile": profile, "outcomes": outcomes}


def statement(outcome):
    """Returns a text that is equal for outcomes of the same claim at the same place."""
    keys = ("claim", "metric", "form", "of", "against", "than", "low", "high", "every", "roughly", "inferred", "where")
    # `best` of an outcome is where its figure is, that of a claim the keys; it is no part of the place.
    return json.dumps([outcome[k] for k in keys], sort_keys=True)


def digests(section):
    """Returns {swept values and seed, as text: digest} of a section; empty without one."""
    lines = section.get("digests", []) if section else []
    return {json.dumps([line["settings"], seed], sort_keys=True): digest for line in lines for seed, digest in line["digests"].items()}
