# SPDX-License-Identifier: Apache-2.0
"""Experiment files, their stores and their records: what scripts/record, scripts/reproduce and scripts/claims share.

A record holds the outcomes of all claims of one experiment file under one profile, one a line, as `heddle run --json` printed
them: experiments/PAPER/records/FILE[@PROFILE].json. The outcomes of experiments/live on real frames (`heddle lab run`) are in
FILE[@PROFILE].live.json.
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
KEPT = ("claim", "entry", "where", "of", "against", "than", "metric", "form", "low", "high", "every", "roughly", "paper",
        "measured", "standard_error", "interval", "n_seeds", "unsettled", "growth_range", "verdict")


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
    return {e["claim"] for entries in lists for e in (entries if isinstance(entries, list) else [entries])}


def shown(file):
    """Returns the path relative to the tree; as it is if it lies elsewhere."""
    try:
        return str(file.relative_to(ROOT))
    except ValueError:
        return str(file)


def stem(file, profile, live):
    return file.stem + ("@" + profile if profile else "") + (".live" if live else "")


def record_path(file, profile, live=False):
    return file.parent / "records" / f"{stem(file, profile, live)}.json"


def store_path(stores, file, profile, live=False):
    """Returns the path of a file's store below the folder `stores`."""
    return pathlib.Path(stores) / file.parent.name / f"{stem(file, profile, live)}.db"


def result_version():
    text = (ROOT / "src/study/experiment/experiment.h").read_text()
    return int(re.search(r"define RESULT_VERSION (\d+)", text).group(1))


def profile_options(profile):
    return ["--profile", profile] if profile else []


class Outcome:
    """The result of `heddle run --json`: exit status, runs, claims and standard error."""

    def __init__(self, done):
        self.status, self.errors = done.returncode, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.claims = [line for line in lines if "claim" in line]
        self.runs = [line for line in lines if "settings" in line and "claim" not in line]

    def packet_hops(self):
        return sum(run["engine"]["packet_hops"] for run in self.runs)

    def seconds(self):
        """Returns the sum of the runs' simulated times; runs on real frames took that long."""
        return sum(run["engine"]["sim_s"] for run in self.runs)


def run(heddle, file, profile, store, jobs=1, judge=False, live=False):
    """Runs `heddle run`, or `heddle lab run` in a lab of its own, and returns the Outcome."""
    world = ["lab", "run", "--name", f"r{os.getpid()}"] if live else ["run", "--jobs", str(jobs)]
    command = [str(heddle), *world, str(file), *profile_options(profile), "-o", str(store), "--json"]
    if judge:
        command.append("--judge")
    return Outcome(subprocess.run(command, capture_output=True, text=True, check=False))


def short(number):
    """Returns a number rounded to six digits, which are more than any outcome is exact to."""
    return float(f"{number:.6g}") if isinstance(number, float) else number


def record_write(file, profile, outcome, live=False):
    """Writes the record; returns whether the file changed."""
    head = {"file": shown(file), "profile": profile, "result_version": result_version(), "runs": len(outcome.runs)}
    head.update({"seconds": round(outcome.seconds())} if live else {"packet_hops": outcome.packet_hops()})
    lines = []
    for claim in outcome.claims:
        kept = {key: claim[key] for key in KEPT}
        for key in ("measured", "standard_error"):
            kept[key] = short(kept[key])
        for key in ("interval", "growth_range"):
            kept[key] = [short(x) for x in kept[key]] if kept[key] else None
        lines.append(json.dumps(kept, ensure_ascii=False))
    text = json.dumps(head)[:-1] + ', "outcomes": [\n' + ",\n".join(lines) + "\n]}\n"
    path = record_path(file, profile, live)
    if path.is_file() and path.read_text() == text:
        return False
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return True


def record_read(file, profile, live=False):
    """Returns the record, or None if there is none."""
    path = record_path(file, profile, live)
    return json.loads(path.read_text()) if path.is_file() else None
