# SPDX-License-Identifier: Apache-2.0
"""The papers' claims: the templates docs/papers/PAPER.yaml, the figures that they list, and the outcomes under each figure.

A template has

    title, authors, name
    primary     the values of keys that the paper leaves open and that some file sweeps: {KEY: value}. Outcomes of a figure's own
                files at other values are no outcomes of the figure; the page says what depends on them.
    printed     "same" if the primary set is the paper as printed; otherwise schemes with a suffix (-printed) are
    sets        {FILE: words} for files that are another set as a whole
    up_to, most claims that hold if they hold at one place, or at most places
    headlines   claims that docs/papers/README.md lists until they hold
    figures     in the order of the page; each has
      figure, title, about
      claims    {CLAIM: what the paper says}; or {says, none} for a claim that no file states, with the reason
      files     experiment files whose plots and outcomes these are; `also` names files with outcomes alone
      live      a file of experiments/live; `live_only` if there is no other
      key       {claim, ...}: the outcomes whose number stands in the first table, by any of their fields or settings;
                `measure` says what it is, `number` is the paper's
      asks      explanations, as questions: [{question, claim, file}]
"""

import re

import outcomes
import records
import yaml

PAGES = records.ROOT / "docs/papers"
PAPERS = ("expeditus", "expresspass", "spraypass", "detail")


def numbered(claim):
    """Returns whether a claim has a number of the paper's list, such as EXP-F14.1; others are checks of ours."""
    return re.fullmatch(r"[A-Z]+-[A-Z]+[0-9]*[a-z]?\.[0-9]+[a-z]?", claim)


class File:
    """An experiment file with the outcomes of its full run."""

    def __init__(self, path, live, alike):
        self.path, self.live = path, live
        self.experiment = records.experiment(path) if path.is_file() else {}
        self.names = outcomes.Names(self.experiment, alike)
        self.sweep = self.experiment.get("sweep") or {}
        self.record = records.record_read(path, None, live)
        self.outcomes = [o for o in self.record["outcomes"] if self.has_scheme(o)] if self.record else []

    def has_scheme(self, outcome):
        """Returns whether the file still has the schemes of an outcome; an old record may have others."""
        schemes = self.sweep.get("scheme")
        named = [s["scheme"] for s in (outcome["of"], outcome["where"], outcome["against"] or {}) if "scheme" in s]
        return not schemes or all(s in schemes for s in named)

    @property
    def stem(self):
        return self.path.stem

    @property
    def stale(self):
        return bool(self.record) and self.record["result_version"] != records.result_version()

    def figures(self):
        """Returns the names of the file's figures, which are those of their plots."""
        found = self.experiment.get("figure") or []
        return [f.get("name", self.stem) for f in (found if isinstance(found, list) else [found]) if f.get("kind") != "table"]

    def is_printed(self, outcome):
        """Returns whether an outcome is one of another reading, in a file that has the primary reading too."""
        suffix = outcomes.reading(outcome)
        if not suffix:
            return False
        schemes = [outcomes.plain(s) for s in self.sweep.get("scheme") or []]
        return any(s + suffix in schemes for s in schemes)


class Shelf:
    """The experiment files that were read, each once."""

    def __init__(self):
        self.files, self.alike = {}, {}

    def file(self, path, live=False):
        if (path, live) not in self.files:
            self.files[path, live] = File(path, live, self.names(path.parent))
        return self.files[path, live]

    def names(self, folder):
        """Returns the names that the figures of a folder's files give to schemes."""
        if folder not in self.alike:
            found = {}
            for path in sorted(folder.glob("*.yaml")):
                for key, names in outcomes.Names(records.experiment(path)).names.items():
                    if key in outcomes.NAMED_ALONE:
                        found.setdefault(key, {}).update(names)
            self.alike[folder] = found
        return self.alike[folder]

    def folder(self, paper):
        return [self.file(p) for p in sorted((records.EXPERIMENTS / paper).glob("*.yaml"))]


class Alternative:
    """Another set than the primary one: what it changes, the file that has it, and the verdicts of claims before and after."""

    def __init__(self, file, changes, words, moves):
        self.file, self.changes, self.words, self.moves = file, changes, words, moves

    def short(self):
        """Returns the set in a few words, such as "initial_window = 10"."""
        return ", ".join(f"{key.rsplit('.', 1)[-1]} = {new}" for key, _, new in self.changes) or self.words

    def turns(self, claim):
        then, now = self.moves.get(claim, (None, None))
        return outcomes.worse(now, then)


class Figure:
    """A figure or headline of a paper, with the outcomes of its claims."""

    def __init__(self, paper, block):
        self.paper, self.block = paper, block
        self.name, self.title = block["figure"], block["title"]
        self.claims = {c: v if isinstance(v, dict) else {"says": v} for c, v in block["claims"].items()}
        self.files = [paper.file(name) for name in block.get("files", [])]
        self.sources = self.files + [paper.file(name) for name in block.get("also", [])]
        self.live = paper.file("live/" + block["live"], live=True) if "live" in block else None
        if block.get("live_only"):
            self.files, self.sources = [self.live], [self.live]

    def own(self, claim, printed=False):
        """Returns (file, outcome) for each outcome of the claim in the figure's files, under the primary set or as printed."""
        return [(f, o) for f in self.sources for o in f.outcomes
                if o["claim"] == claim and f.is_printed(o) == printed and not self.paper.changes(o)]

    def verdict(self, claim):
        if claim in self.claims and "none" in self.claims[claim]:
            return "not run"
        return outcomes.folded([o for _, o in self.own(claim)], self.paper.asks(claim))

    def matches(self, outcome):
        settings = {**outcome["of"], **outcome["where"]}
        key = self.block["key"]
        return all(outcomes.plain(outcome[k] if k in outcome else settings.get(k)) == outcomes.plain(v) for k, v in key.items())

    def key_outcomes(self, printed=False):
        """Returns (file, outcome) for the outcomes whose number stands in the paper's first table."""
        found = self.own(self.block["key"]["claim"], printed)
        if not printed:
            return [(f, o) for f, o in found if self.matches(o)]
        twins = {outcomes.without_reading(o) for _, o in self.key_outcomes()}
        return [(f, o) for f, o in found if outcomes.reading(o) == "-printed" and outcomes.without_reading(o) in twins]

    def alternatives(self):
        """Returns the other sets under which some claim of the figure was run."""
        found = []
        for file in [*self.sources, *(f for f in self.paper.files if f not in self.sources)]:
            mine = [o for o in file.outcomes if o["claim"] in self.claims]
            found += self.readings(file, mine) if mine else []
            found += self.changed_sets(file, [o for o in mine if not file.is_printed(o)]) if mine else []
        return [a for a in found if a.moves]

    def readings(self, file, mine):
        """Returns the other readings of a file; a reading that the figure's own files have is taken from them alone."""
        then = [o for o in mine if not file.is_printed(o) and not self.paper.changes(o)]
        found = []
        for suffix in outcomes.READINGS:
            now = [o for o in mine if file.is_printed(o) and outcomes.reading(o) == suffix and not self.paper.changes(o)]
            elsewhere = file not in self.sources and any(outcomes.reading(o) == suffix for f in self.sources for o in f.outcomes)
            if now and not elsewhere:
                found.append(Alternative(file, [], outcomes.READINGS[suffix], self.moves(then, now)))
        return found

    def changed_sets(self, file, mine):
        """Returns a set for each change of one swept key; or the file as a whole if it sweeps none and is not the figure's."""
        groups = {}
        for outcome in mine:
            groups.setdefault(tuple(self.paper.changes(outcome)), []).append(outcome)
        base = min(groups, key=len, default=())
        if base == () and len(groups) == 1:
            if file in self.sources:
                return []
            then = [o for claim in self.claims for _, o in self.own(claim)]
            words = self.paper.block.get("sets", {}).get(file.stem) or file.experiment.get("title", file.stem)
            return [Alternative(file, [], words, self.moves(then, groups[()]))]
        found = []
        for changes, now in groups.items():
            fresh = [c for c in changes if c not in base]
            if fresh and len({self.paper.swept_key(file, key) for key, _, _ in fresh}) == 1:
                found.append(Alternative(file, fresh, "", self.moves(groups[base], now)))
        return found

    def moves(self, then, now):
        """Returns {claim: (verdict before, verdict after)} for claims that have outcomes on both sides."""
        sides = [{c: [o for o in side if o["claim"] == c] for c in self.claims} for side in (then, now)]
        return {c: tuple(outcomes.folded(side[c], self.paper.asks(c)) for side in sides) for c in self.claims if sides[0][c] and sides[1][c]}


class Paper:
    """A template, and the files of its folder."""

    def __init__(self, name, shelf):
        self.name, self.shelf = name, shelf
        self.block = yaml.safe_load((PAGES / f"{name}.yaml").read_text())
        self.primary = {k: outcomes.plain(v) for k, v in self.block.get("primary", {}).items()}
        self.files = shelf.folder(name)
        self.figures = [Figure(self, block) for block in self.block["figures"]]

    def file(self, name, live=False):
        folder = records.EXPERIMENTS if "/" in name else records.EXPERIMENTS / self.name
        return self.shelf.file(folder / f"{name}.yaml", live)

    def asks(self, claim):
        return next((word for word, key in (("one", "up_to"), ("most", "most")) if claim in self.block.get(key, [])), "all")

    def changes(self, outcome):
        """Returns [(key, primary value, value)] for the swept keys in which an outcome differs from the primary set."""
        flat = outcomes.flattened({**outcome["of"], **outcome["where"]})
        return [(k, self.primary[k], v) for k, v in flat.items() if k in self.primary and v != self.primary[k]]

    @staticmethod
    def swept_key(file, key):
        return next((swept for swept in file.sweep if key == swept or key.startswith(swept + ".")), key)

    def claims(self):
        """Returns {claim: figure} for all claims of the page."""
        return {claim: figure for figure in self.figures for claim in figure.claims}

    def totals(self):
        """Returns {verdict: number of claims}."""
        found = [figure.verdict(claim) for claim, figure in self.claims().items()]
        return {v: found.count(v) + (found.count("not measurable") if v == "not decided" else 0)
                for v in outcomes.VERDICTS if v != "not measurable"}
