# SPDX-License-Identifier: Apache-2.0
"""Words and numbers of outcomes, as the pages of docs/papers show them: units, ranges, places, verdicts."""

import functools
import json
import math
import pathlib
import re

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
CELL = 120  # characters of a cell, at most
LABEL = 24  # characters of an axis' label that names a swept value
NORMAL_95 = 1.96  # standard errors to either side
DUST = 1e-9  # of a figure: an interval that is narrower is rounding
# Suffixes of schemes that name a reading of the paper, not another scheme, and what they are.
READINGS = {"-printed": "the paper as printed", "-literal": "the listing to the letter"}
INFERRED, IN_PART = "holds, set inferred", "in part"
DECIDED = ("holds", INFERRED, "roughly", IN_PART, "does not hold")  # from best to worst
VERDICTS = (*DECIDED, "not decided", "not measurable", "not run")
NAMED_ALONE = ("scheme", "switch.balance", "host.transport")
TIMES = ((1e6, 1e-6, "s"), (1e3, 1e-3, "ms"), (0, 1, "µs"))


def clip(text, room=CELL):
    """Returns the text, cut at a word if it is longer than a cell."""
    text = " ".join(str(text).split())
    return text if len(text) <= room else text[:room - 2].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def listed(names, room=CELL):
    """Returns the names with commas; as many as there is room for, and how many are left out."""
    names = list(dict.fromkeys(names))
    for kept in range(len(names), 0, -1):
        text = "; ".join(names[:kept]) + (f"; {len(names) - kept} more" if kept < len(names) else "")
        if len(text) <= room:
            return text
    return clip(names[0], room) if names else ""


def shortened(places, room):
    """Returns places as `listed` does, without what all begin with: "flows 1, 2, 4; 3 more"."""
    words = [place.split(" ") for place in places]
    same = 0
    while all(len(w) > same + 1 and w[same] == words[0][same] for w in words):
        same += 1
    head = " ".join(words[0][:same])
    return (head + " " if head else "") + listed([" ".join(w[same:]) for w in words], room)


# Numbers

def digits(value):
    size = abs(value)
    if size >= 100 or value == int(value) and size < 1e15:
        return f"{value:,.0f}"
    if size >= 1:
        return f"{value:.1f}" if size >= 10 else f"{value:.2f}"
    return f"{value:.3g}" if size >= 1e-4 else f"{value:.6f}".rstrip("0")


def half_width(value):
    return f"{value:.2g}" if 1e-4 <= value < 10 else digits(value)


@functools.cache
def metric_rows():
    """Returns [(pattern of a metric's path, unit)] of docs/results.md, rows with the fewest placeholders (CAPITALS) first."""
    rows = re.findall(r"^\| `([\w.+]+)` \| ([^|]*) \|", (ROOT / "docs/results.md").read_text(encoding="utf-8"), re.M)
    rows.sort(key=lambda row: sum(part.isupper() for part in row[0].split(".")))
    return [(re.compile(r"\.".join("[^.]+" if part.isupper() else re.escape(part) for part in path.split("."))), unit.strip())
            for path, unit in rows]


def unit_of(metric):
    """Returns the unit of a metric as docs/results.md has it; "count" for the `n` of a summary, None for no metric."""
    unit = next((unit for pattern, unit in metric_rows() if pattern.fullmatch(metric)), None)
    return "count" if unit and metric.endswith(".n") else unit


def is_time(metric):
    return unit_of(metric) == "us"


def scale(outcome, units, size):
    """Returns (factor, unit) for numbers of about `size`. `units` has {metric: (factor, unit)} of the file's figures."""
    metric = outcome["metric"].removeprefix("unwindowed.")
    if outcome["form"] in ("change", "share"):
        return 100, "%"
    if outcome["form"] == "ratio":
        return 1, "×"
    if metric in units:
        return units[metric]
    if is_time(metric):
        return next((factor, unit) for least, factor, unit in TIMES if abs(size) >= least)
    if metric.startswith("links."):
        return 100, "% of the link"
    return 1, next((unit for part, unit in (("_gbps", "Gbps"), ("bytes", "B")) if part in metric), "")


def spelled(value, unit):
    return f"{value} {unit}".rstrip().replace(" ×", "×")


def number(outcome, value):
    """Returns a scaled number as text; a change has its sign."""
    text = f"{value:+.1f}".removesuffix(".0") if outcome["form"] == "change" else digits(value)
    return "0" if text in ("+0", "-0") else text


def values(outcome, units, numbers):
    """Returns the numbers as texts of one unit, and the unit."""
    factor, unit = scale(outcome, units, max((abs(n) for n in numbers), default=0))
    return [number(outcome, n * factor) for n in numbers], unit


def least(outcome):
    """Returns the least that the figure of an outcome can be; None if it may be anything."""
    if outcome.get("than") or outcome["metric"] == "open_flows.growth":
        return None
    return {"change": -1, "value": 0, "ratio": 0}.get(outcome["form"])


def interval(outcome, units):
    """Returns the half-width of the 95 % interval, " ±2.7"; its ends, " (0 to 7.03)", if it would reach below what the figure can be;
    "" without an interval, and for one that is rounding alone."""
    if not outcome["interval"]:
        return ""
    (low, high), floor = outcome["interval"], least(outcome)
    half, factor = (high - low) / 2, scale(outcome, units, outcome["measured"])[0]
    if half <= DUST * max(abs(low), abs(high)):
        return ""
    if floor is not None and low < floor:
        return f" ({number(outcome, floor * factor)} to {number(outcome, high * factor)})"
    return f" ±{half_width(half * factor)}"


def measured(outcome, units):
    """Returns the value with its 95 % interval, such as "-32.8 ±2.7 %"."""
    value = outcome["measured"]
    if value is None:
        return "nothing"
    (text,), unit = values(outcome, units, [value])
    return spelled(text + interval(outcome, units), unit)


def span(outcomes, units):
    """Returns the least and the greatest value of outcomes of one form, such as "-37.1 to -13.7 %"."""
    numbers = [o["measured"] for o in outcomes if o["measured"] is not None]
    if not numbers:
        return "nothing" if outcomes else "-"
    (low, high), unit = values(outcomes[0], units, [min(numbers), max(numbers)])
    return spelled(low if low == high else f"{low} to {high}", unit)


def claimed(outcome, units):
    """Returns the claimed range, such as "-50 to -20 %" or "at most 10 %, each run"."""
    bounds = [b for b in (outcome["low"], outcome["high"]) if b is not None]
    texts, unit = values(outcome, units, bounds)
    if len(set(texts)) == 2:
        text = f"{texts[0]} to {texts[1]}"
    elif not texts or outcome["low"] == outcome["high"]:
        text = texts[0] if texts else "any"
    else:
        text = ("at least " if outcome["high"] is None else "at most ") + texts[0]
    words = [spelled(text, unit) if texts else text]
    words += ["each run"] if outcome["every"] else []
    return clip(", ".join(words) + (f" ({outcome['roughly']})" if outcome["roughly"] else ""))


# Swept values and what is compared

def phases(text):
    return re.findall(r"for: ([0-9.]+)(us|ms|s), rate: ([0-9.]+)/s", text)


def schedule(text):
    """Returns a schedule of queries in words, such as "12.5 ms burst"; None for other values."""
    found = phases(text)
    if not found:
        return None
    if len(found) == 1:
        return f"{found[0][2]}/s"
    length, unit, _ = found[0]
    ms = float(length) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]
    return f"{ms:g} ms burst" + ("" if float(found[1][2]) == 0 else f", then {found[1][2]}/s")


def plain(value):
    """Returns a swept value as a file has it: 1.0 is 1."""
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def flattened(settings):
    """Returns settings with maps as keys of their own: {host.newreno: "{sack: true}"} becomes {host.newreno.sack: "true"}."""
    flat = {}
    for key, value in settings.items():
        text = plain(value)
        inner = yaml.safe_load(text) if text.startswith("{") else None
        flat.update({f"{key}.{k}": plain(v) for k, v in inner.items()} if isinstance(inner, dict) else {key: text})
    return flat


class Names:
    """The names that the figures of an experiment file give to swept values and metrics, and their units."""

    def __init__(self, experiment, alike=None):
        """Reads the names; `alike` has names of the folder's other files, for schemes that this file does not name."""
        figures = experiment.get("figure") or []
        self.names, self.labels, self.units = {k: dict(v) for k, v in (alike or {}).items()}, {}, {}
        for figure in figures if isinstance(figures, list) else [figures]:
            for key, names in (figure.get("names") or {}).items():
                self.names.setdefault(key, {}).update({plain(k): str(v) for k, v in names.items()})
            if "x" in figure and "x_label" in figure:
                self.labels[figure["x"]] = figure["x_label"]
            y = figure.get("y") or []
            for line in y if isinstance(y, list) else [y]:
                self.add_unit(line)

    def add_unit(self, line):
        unit, by = line.get("unit", ""), line.get("scale", 1)
        if line.keys() & {"against", "per", "offset"}:
            return
        if unit == "%" and line["metric"].startswith("links."):
            self.units[line["metric"]] = (100 * by, "%")
        elif "scale" in line and unit != "%":
            self.units[line["metric"]] = (by, unit)

    def value(self, key, value):
        text = plain(value)
        return schedule(text) or self.names.get(key, {}).get(text) or text

    def setting(self, key, value):
        """Returns one swept value, such as "load 0.3"; a scheme and a named value stand alone."""
        text = self.value(key, value)
        alone = key in NAMED_ALONE or schedule(plain(value)) or (text != plain(value) and not re.fullmatch(r"[0-9.]+", text))
        label = self.labels.get(key, "")
        return text if alone else f"{label if 0 < len(label) <= LABEL else key.rsplit('.', 1)[-1]} {text}"

    def place(self, outcome, primary=None):
        """Returns where an outcome was measured, such as "DeTail, load 0.3", without settings that are those of the primary set."""
        flat = flattened(outcome["where"]).items()
        words = [self.setting(k, v) for k, v in flat if v != (primary or {}).get(k)]
        if isinstance(outcome.get("best"), dict):
            words.append("best at " + self.words(outcome["best"]))
        return ", ".join(words)

    def words(self, settings, left_out=()):
        return ", ".join(self.setting(k, v) for k, v in settings.items() if k not in left_out)

    def subject(self, outcome):
        """Returns the metric and the schemes that are compared, such as "`metric`, Expeditus against ECMP"."""
        of, against, than = outcome["of"], outcome["against"] or {}, outcome["than"]
        same = [k for k in of if against.get(k) == of[k]]
        compared = self.words(of)
        if outcome["against"]:
            compared += (" " if compared else "") + "against " + self.words(against, same)
        if than:
            compared += (" over that of " if outcome["form"] == "share" else " less the same at ") + self.words(than)
        form = {"difference": "difference of ", "share": "share: "}.get(outcome["form"], "")
        return clip(f"{form}`{outcome['metric']}`" + (f", {compared}" if compared else ""))


# Verdicts

def judged(outcome):
    """Returns the verdict; "holds, set inferred" for a claim that holds, or roughly, and from which a choice was inferred."""
    good = outcome["verdict"] in ("holds", "roughly")
    return INFERRED if good and outcome.get("inferred") else outcome["verdict"]


def settled(outcome):
    """Returns the verdict, with a remark if some runs had not settled (growth_range in docs/results.md)."""
    return judged(outcome) + (", not settled" if outcome.get("growth_range") else "")


def folded(outcomes, asks="all"):
    """Returns the verdict on a claim from its outcomes; `asks` says what the paper asks for: "all", "most" or "one" of them."""
    found = [judged(o) for o in outcomes]
    good = [v for v in found if v in ("holds", INFERRED, "roughly")]
    if not found:
        return "not run"
    if asks == "one" and good or asks == "most" and 2 * len(good) > len(found) or len(good) == len(found):
        return max(good, key=DECIDED.index)
    if "does not hold" in found and asks != "one" or found.count("does not hold") == len(found):
        return IN_PART if good else "does not hold"
    return next(v for v in ("not decided", "not measurable", "does not hold") if v in found)


def tally(outcomes):
    """Returns the verdicts of outcomes in words, such as "3 of 5 hold, 2 not decided"."""
    found = [judged(o) for o in outcomes]
    kinds = [v for v in VERDICTS if v in found]
    if len(kinds) == 1:
        return kinds[0] if len(found) == 1 else f"{kinds[0]} ({len(found)} of {len(found)})"
    return ", ".join(f"{kind} {found.count(kind)}" + (f" of {len(found)}" if i == 0 else "") for i, kind in enumerate(kinds))


def worse(now, then):
    """Returns 1 if a decided verdict is worse than another, -1 if it is better, 0 if they are alike or one is not decided."""
    if now not in DECIDED or then not in DECIDED:
        return 0
    good = [0 if v in ("holds", INFERRED, "roughly") else DECIDED.index(v) for v in (now, then)]
    return (good[0] > good[1]) - (good[0] < good[1])


# Twins: the same claim under another reading, and on real frames

def reading(outcome):
    """Returns the suffix of the reading that an outcome's schemes have, or ""."""
    schemes = [plain((settings or {}).get("scheme", "")) for settings in (outcome["of"], outcome["where"], outcome["against"])]
    return next((suffix for scheme in schemes for suffix in READINGS if scheme.endswith(suffix)), "")


def stripped(settings):
    scheme = re.sub("(" + "|".join(READINGS) + ")$", "", plain((settings or {}).get("scheme", "")))
    return {**settings, "scheme": scheme} if scheme else settings


def without_reading(outcome):
    """Returns a text that is equal for outcomes that differ only by their reading of the paper."""
    sides = {k: stripped(outcome[k]) for k in ("of", "against", "than", "where")}
    return json.dumps([outcome["claim"], outcome["metric"], outcome["form"], sides], sort_keys=True)


def difference(live, simulated, units):
    """Returns live minus simulated, with its 95 % interval if both sides have a standard error over seeds."""
    if not simulated or live["measured"] is None or simulated["measured"] is None:
        return "-"
    factor, unit = scale(live, units, max(abs(live["measured"]), abs(simulated["measured"])))
    less = (live["measured"] - simulated["measured"]) * factor
    text = ("+" if less > 0 else "") + digits(less)
    if live["standard_error"] is not None and simulated["standard_error"] is not None:
        text += f" ±{half_width(NORMAL_95 * math.hypot(live['standard_error'], simulated['standard_error']) * factor)}"
    return spelled(text, "points" if unit == "%" else unit)
