# SPDX-License-Identifier: Apache-2.0
"""Rewrites the `known:` parts of an experiment file in place; every other character stays as it is.

An entry of `expect` whose outcomes all hold, or hold roughly, needs no `known`. Any other entry gets one item for each outcome
that does not hold: its combination of swept values, the verdict, and a narrow range around the measured value. Notes stay with
their combination.

A profile without an `expect` of its own shares that of the file; items of such entries carry `profile: NAME` (or full). Items of
a file that also runs on real frames carry `world: live` or `world: simulated`. A live run does not repeat to the digit, so its
range is the 95 % interval; a single seed has no interval, and its item holds the verdict alone.
"""

import decimal
import math
import re

import yaml

WORDS = {"holds": "true", "roughly": "roughly", "does not hold": "false", "not decided": "undecided",
         "not measurable": "unmeasured"}
GOOD = ("holds", "roughly")
ORDER = {"full": 0, None: 2}  # order of items: full run, profiles, then items for every profile; the first match counts


def child(node, key):
    """Returns the (key, value) nodes of `key` in a mapping, or None."""
    if not isinstance(node, yaml.MappingNode):
        return None
    for pair in node.value:
        if pair[0].value == key:
            return pair
    return None


def value_of(node, *path):
    for key in path:
        pair = child(node, key)
        if pair is None:
            return None
        node = pair[1]
    return node


def plain(node):
    """Returns a node as Python data, with scalars as text."""
    if isinstance(node, yaml.MappingNode):
        return {k.value: plain(v) for k, v in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(v) for v in node.value]
    return node.value


def scalar(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.12g}"
    text = str(value)
    return text if re.fullmatch(r"[\w.+/*<>=%-]+", text) and text[0] not in "*%-" else '"' + text.replace('"', '\\"') + '"'


def settings(values):
    return "{" + ", ".join(f"{k}: {scalar(v)}" for k, v in values.items()) + "}"


def band(measured, form):
    """Returns [low, high], two units of the fourth digit to each side of the measured value; a change gets 0.1 % at least."""
    if measured == 0 and form != "change":
        return "[0, 0]"
    value = decimal.Decimal(repr(measured)) * (100 if form == "change" else 1)
    digit = math.floor(math.log10(abs(value))) - 3 if value else -1
    unit = decimal.Decimal(1).scaleb(max(digit, -1) if form == "change" else digit)
    middle = (value / unit).to_integral_value()
    mark = "%" if form == "change" else ""
    return "[" + ", ".join(f"{(middle + side) * unit:f}{mark}" for side in (-2, 2)) + "]"


def same_settings(item, where):
    """Returns whether the `where` of an item (texts) names the swept values `where` of an outcome."""
    return set(item) == set(where) and all(equal(item[k], where[k]) for k in item)


def covers(item, where):
    return all(k in where and equal(v, where[k]) for k, v in item.items())


def equal(text, value):
    try:
        number = float(text[:-1]) / 100 if text.endswith("%") else float(text)
        return math.isclose(number, float(value))
    except (TypeError, ValueError):
        return text == scalar(value).strip('"')


def interval(claim):
    """Returns the 95 % interval, rounded outwards to four digits; None for a single seed."""
    if not claim.get("interval"):
        return None
    factor, mark = (100, "%") if claim["form"] == "change" else (1, "")
    bounds = []
    for value, rounding in zip(claim["interval"], (decimal.ROUND_FLOOR, decimal.ROUND_CEILING)):
        exact = decimal.Decimal(repr(value)) * factor
        digit = math.floor(math.log10(abs(exact))) - 3 if exact else -1
        bounds.append(f"{exact.quantize(decimal.Decimal(1).scaleb(digit), rounding):f}{mark}")
    return "[" + ", ".join(bounds) + "]"


def measured_text(claim, world):
    if claim["measured"] is None:
        return None
    return interval(claim) if world == "live" else band(claim["measured"], claim["form"])


def item_text(claim, profile, note, world=None):
    parts = [f"world: {world}"] if world else []
    parts += [f"profile: {profile}"] if profile else []
    if claim["where"]:
        parts.append(f"where: {settings(claim['where'])}")
    parts.append(f"holds: {WORDS[claim['verdict']]}")
    if measured_text(claim, world):
        parts.append(f"measured: {measured_text(claim, world)}")
    if note:
        parts.append(f"note: {note}")
    return "{" + ", ".join(parts) + "}"


def profile_of(item):
    return plain(value_of(item, "profile")) if child(item, "profile") else None


def world_of(item):
    return plain(value_of(item, "world")) if child(item, "world") else None


def is_pointer(note):
    return note is None or re.fullmatch(r"docs/claims-\w+\.md", note)


class Entry:
    """One entry of `expect` in the text of an experiment file."""

    def __init__(self, text, node):
        self.text, self.node = text, node
        pair = child(node, "known")
        self.pair = pair
        known = pair[1] if pair else None
        self.items = [] if known is None else known.value if isinstance(known, yaml.SequenceNode) else [known]

    def source(self, node):
        return self.text[node.start_mark.index:node.end_mark.index].rstrip()

    def note_of(self, claim, profile, world):
        for item in self.items:
            where = plain(value_of(item, "where")) if child(item, "where") else {}
            note = value_of(item, "note")
            same = profile_of(item) == profile and world_of(item) == world
            if note is not None and same and same_settings(where, claim["where"]):
                return None if is_pointer(note.value) else self.source(note)
        return None

    def kept(self, profile, shared, world):
        """Returns the items of other profiles and of the other world, which this recording leaves as they are."""
        gone = () if not shared else (None, "full") if profile == "full" else (profile,)
        return [i for i in self.items if (shared and profile_of(i) not in gone) or world_of(i) not in (None, world)]

    def is_recorded_otherwise(self, claim, kept):
        """Returns whether an item for all profiles covers this outcome, so that a good outcome needs an item of its own."""
        for item in kept:
            where = plain(value_of(item, "where")) if child(item, "where") else {}
            if not child(item, "profile") and not child(item, "world") and covers(where, claim["where"]):
                return True
        return False

    def known(self, claims, profile, shared, world=None):
        """Returns the texts of all items of the entry: kept ones, and new ones for `claims`."""
        kept = self.kept(profile, shared, world)
        own = profile if shared else None
        wanted = [c for c in claims if c["verdict"] not in GOOD or self.is_recorded_otherwise(c, kept)]
        made = [(own, world, item_text(c, own, self.note_of(c, own, world), world)) for c in wanted]
        others = [(profile_of(i), world_of(i), self.source(i)) for i in kept]
        return [text for _, _, text in sorted(made + others, key=lambda item: (ORDER.get(item[0], 1), item[1] or ""))]

    def edit(self, items):
        """Returns (start, stop, text), the replacement that puts the items into the file; None if nothing changes."""
        node, pair = self.node, self.pair
        indent = node.start_mark.column + (1 if node.flow_style else 0)
        others = [p for p in node.value if p is not pair]
        text = ("known: [" + (",\n" + " " * (indent + 8)).join(items) + "]") if items else ""
        if pair is None:
            if not items:
                return None
            end = self.end_of(others[-1][1])
            return (end, end, self.joint(indent) + text)
        before = [p for p in node.value if p[0].start_mark.index < pair[0].start_mark.index]
        start, stop = self.end_of(before[-1][1]), self.end_of(pair[1])
        if "#" in self.text[start:pair[0].start_mark.index]:
            return (pair[0].start_mark.index, stop, text)
        return (start, stop, self.joint(indent) + text if items else "")

    def joint(self, indent):
        return ("," if self.node.flow_style else "") + "\n" + " " * indent

    def end_of(self, node):
        """Returns where the text of a node ends. A block node of PyYAML ends only where the next token begins, after comments."""
        end = node.end_mark.index
        while not isinstance(node, yaml.ScalarNode) and not node.flow_style and node.value:
            node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
            end = node.end_mark.index
        return node.start_mark.index + len(self.text[node.start_mark.index:end].rstrip())


def entries_of(root, profile):
    """Returns the nodes of the entries that apply under a profile, and whether several profiles share them."""
    own = value_of(root, "profiles", profile, "expect") if profile else None
    node = own if own is not None else value_of(root, "expect")
    nodes = [] if node is None else node.value if isinstance(node, yaml.SequenceNode) else [node]
    others = value_of(root, "profiles")
    sharing = others is not None and any(child(body, "expect") is None for _, body in others.value)
    return nodes, own is None and (profile is not None or sharing)


def rewrite(text, profile, claims, world=None):
    """Returns the text of the file with new `known` parts; `claims` are the outcomes that `heddle run --json` printed."""
    nodes, shared = entries_of(yaml.compose(text), profile)
    name = (profile or "full") if shared else None
    edits = []
    for place, node in enumerate(nodes):
        entry = Entry(text, node)
        of_entry = [c for c in claims if c["entry"] == place]
        if of_entry:
            edits.append(entry.edit(entry.known(of_entry, name, shared, world)))
    for start, stop, new in sorted((e for e in edits if e), reverse=True):
        text = text[:start] + new + text[stop:]
    return text
