# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/papers: one for each paper, README.md with all totals, checks.md with the checks that are ours."""

import csv
import itertools
import json
import re

import outcomes
import papers
import records
import yaml
from outcomes import clip, folded, listed, measured, settled, span, tally

STALE = "†"
STALE_SAID = f"{STALE} marks results of an earlier result version, some of them of other set-ups; they are being renewed."
UNDRAWN = "plot not drawn yet"
GROUPED_FROM = 7  # outcomes of one claim of `expect` from which a row is a group
HOPS_A_SECOND = {"detail": 2.5e6, "expresspass": 5e6, "spraypass": 5e6}
NOT, OPEN = "does not depend on", "not decided whether it depends on"
COUNTED = {"holds": "hold", outcomes.INFERRED: "hold, set inferred", "roughly": "roughly hold", outcomes.IN_PART: "hold in part",
           "does not hold": "do not hold", "not decided": "not decided", "not run": "not run"}
BEGIN, END = "<!-- totals: scripts/claims writes these lines -->\n", "<!-- end of totals -->\n"


def row(cells):
    return "| " + " | ".join(clip(c).replace("|", "\\|") if "](" not in str(c) else str(c) for c in cells) + " |\n"


def table(head, rows):
    return row(head) + "|" + "---|" * len(head) + "\n" + "".join(row(r) for r in rows) + "\n"


def anchor(text):
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def up(path):
    """Returns a link target from docs/papers to a path of the tree."""
    return "../../" + str(path.relative_to(records.ROOT))


def mark(files):
    return f" {STALE}" if any(f.stale for f in files) else ""


def duration(seconds):
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


# A figure in the first table

def number_of(found):
    """Returns the range of (file, outcome) pairs of the first table."""
    if not found:
        return "-"
    file, first = found[0]
    alike = [o for f, o in found if o["form"] == first["form"]]
    return span(alike, file.names.units) + mark([f for f, _ in found])


def printed_cell(figure):
    if figure.paper.block.get("printed") == "same":
        return "same"
    found = figure.key_outcomes(printed=True)
    if found:
        return number_of(found)
    only = [outcomes.reading(o) for _, o in figure.key_outcomes()] if "key" in figure.block else []
    return "same" if only and all(only) else "-"


def turned(figure, claim, alternatives, sign):
    return [a.short() for a in alternatives if a.turns(claim) == sign]


def breaks(figure, alternatives):
    """Returns what makes the verdict of the first table's claim worse or better."""
    claim = figure.block["key"]["claim"]
    tried = [a for a in alternatives if claim in a.moves]
    worse, better = (turned(figure, claim, tried, sign) for sign in (1, -1))
    if not tried or figure.verdict(claim) == "not run":
        return "nothing else run" if not tried else "-"
    if better and figure.verdict(claim) not in ("holds", outcomes.INFERRED, "roughly"):
        return "holds with " + listed(better, 90)
    return listed(worse, 110) if worse else f"none of {len(tried)} tried"


def overview_row(figure):
    link = f"[{figure.name}](#{anchor(heading(figure))})"
    if "key" not in figure.block:
        return [link, figure.block["measure"], figure.block["number"], figure.block["elsewhere"], "-", "not run", "-", "0 of 1"]
    claim, found = figure.block["key"]["claim"], figure.key_outcomes()
    verdict = folded([o for _, o in found], figure.paper.asks(claim))
    good = sum(figure.verdict(c) in ("holds", outcomes.INFERRED, "roughly") for c in figure.claims)
    return [link, figure.block["measure"], figure.block["number"], number_of(found), printed_cell(figure), verdict,
            breaks(figure, figure.alternatives()), f"{good} of {len(figure.claims)}"]


def live_row(figure):
    claim = figure.block["key"]["claim"]
    found = [(figure.live, o) for o in figure.live.outcomes if o["claim"] == claim]
    good = [c for c in figure.claims if folded(live_outcomes(figure, c)) in ("holds", outcomes.INFERRED, "roughly")]
    run = [c for c in figure.claims if live_outcomes(figure, c)]
    return [f"[{figure.name}, real frames](#{anchor(heading(figure))})", figure.block["measure"], figure.block["number"], number_of(found), "-",
            folded([o for _, o in found]), "-", f"{len(good)} of {len(run)}"]


def overview(paper):
    rows = []
    for figure in paper.figures:
        rows.append(overview_row(figure))
        rows += [live_row(figure)] if figure.live and not figure.block.get("live_only") else []
    return table(["figure", "what", "the paper", "ours", "as printed", "verdict", "what breaks it", "claims that hold"], rows)


# A figure's section

def heading(figure):
    return f"{figure.name}: {figure.title}"


def claims_table(figure):
    rows = []
    for claim, block in figure.claims.items():
        verdict = block.get("none") and f"not run: {block['none']}" or figure.verdict(claim)
        rows.append([claim, block["says"], verdict])
    return table(["claim", "the paper says", "verdict"], rows)


def verdict_line(figure):
    """Returns the verdicts of a figure's claims in a sentence, from the best to the worst."""
    words = []
    for verdict in outcomes.VERDICTS:
        for claim in (c for c in figure.claims if figure.verdict(c) == verdict):
            own = [o for _, o in figure.own(claim)]
            words.append(f"{claim}: {tally(own) if len(own) > 1 else verdict}")
    return f"**Verdict.** {'; '.join(words)}.{counted(figure)}\n\n"


def counted(figure):
    """Returns a sentence with how many outcomes of the figure's files the verdicts count; "" if it is all that a run prints."""
    own = sum(len(figure.own(claim)) for claim in figure.claims)
    printed = sum(len(file.outcomes) for file in figure.sources)
    return f" These are {own:,} of the {printed:,} outcomes that the files below print: the claims above, the primary set alone." if 0 < own < printed else ""


def plot_names(file):
    """Returns (name of a plot, what it shows besides the figure) for each figure of a file; a live file has both worlds."""
    if not file.live:
        return [(name, "") for name in file.figures()]
    return [pair for name in file.figures() for pair in ((f"{name}.live", ", on real frames"), (name, ", simulated, same file"))]


def plots(figure):
    lines = []
    for file in dict.fromkeys([*figure.files, *([figure.live] if figure.live else [])]):
        for name, world in plot_names(file):
            svg = f"plots/{file.path.parent.name}/{name}.svg"
            drawn = f"![{heading(figure)}{world}]({svg})" if (papers.PAGES / svg).is_file() else f"`{name}`: {UNDRAWN}."
            lines.append(drawn + "\n\n")
    return "".join(lines)


def change_words(alternative):
    if alternative.changes:
        return ", ".join(f"`{key}` from {old} to {new}" for key, old, new in alternative.changes)
    return f"the set, from the primary one to {alternative.words}"


def moves_words(moves):
    """Returns the verdicts of claims before and after, such as "EXP-F14.1 holds → does not hold"."""
    kinds = {}
    for claim, sides in moves.items():
        kinds.setdefault(sides, []).append(claim)
    return "; ".join(f"{', '.join(claims)} {then}" + (f" → {now}" if now != then else " with both") for (then, now), claims in kinds.items())


def dependence(alternative):
    """Returns whether the figure depends on a change: only verdicts that both sides decide tell."""
    sides = list(alternative.moves.values())
    if any(then != now and outcomes.DECIDED.count(then) and outcomes.DECIDED.count(now) for then, now in sides):
        return "depends on"
    return NOT if any(then == now and then in outcomes.DECIDED for then, now in sides) else OPEN


def dependencies(alternatives):
    """Returns a line for each change that turns a verdict, then the changes that turn none and the changes that are not decided."""
    lines, others = [], {NOT: [], OPEN: []}
    for a in alternatives:
        source, kind = f"[{a.file.stem}]({up(records.record_path(a.file.path))}){mark([a.file])}", dependence(a)
        if kind in others:
            others[kind].append(f"{change_words(a)} ({', '.join(a.moves)}; {source})")
        else:
            lines.append(f"* {kind}: {change_words(a)}: {moves_words(a.moves)} ({source})\n")
    return "".join(lines) + "".join(f"* {kind}: {'; '.join(changes)}\n" for kind, changes in others.items() if changes)


def cost(file):
    if not file.record:
        return "not run yet"
    if file.live:
        return f"{duration(file.record['seconds'])} of real time, as root"
    speed = HOPS_A_SECOND.get(file.path.parent.name, 8e6)
    return f"about {duration(file.record['packet_hops'] / speed)} on one core"


def run_line(file):
    """Returns the line of a file: how to run it, what that takes, and its record."""
    command = "heddle lab run" if file.live else "heddle run"
    kept = records.record_path(file.path)
    record = f"; [record]({up(kept)})" if kept.is_file() else ""
    return f"* `{command} experiments/{file.path.relative_to(records.EXPERIMENTS)}`: {cost(file)}{record}{mark([file])}\n"


def runs(figure):
    """Returns how to run the figure's own files, then the records of the others that have outcomes of it; a figure without files of
    its own is made of the others."""
    own = dict.fromkeys([*figure.files, *([figure.live] if figure.live else [])])
    others = [f for f in figure.sources if f not in own]
    if not own:
        return "".join(map(run_line, others))
    links = [f"[{f.stem}]({up(records.record_path(f.path))})" if f.record else f.stem for f in others]
    return "".join(map(run_line, own)) + (f"* outcomes also from {', '.join(links)}\n" if links else "")


def asked(figure):
    lines = []
    for ask in figure.block.get("asks", []):
        file = figure.paper.file(ask["file"])
        found = [o for o in file.outcomes if o["claim"] == ask["claim"] and not file.is_printed(o)]
        if found:
            lines.append(f"* {ask['question']} {ask['claim']}: {tally(found)} "
                         f"([{file.stem}]({up(records.record_path(file.path))})){mark([file])}\n")
    return "".join(lines)


def printed_twins(figure):
    """Returns {text without the reading: outcome} of the printed set, over the figure's files."""
    return {(f, outcomes.without_reading(o)): o for f in figure.sources for o in f.outcomes
            if outcomes.reading(o) == "-printed" and f.is_printed(o) and not figure.paper.changes(o)}


def places(figure, file, found):
    """Returns where outcomes were measured; the file's name leads if it is not the figure's own."""
    lead = f"{file.stem}: " if file not in figure.files[:1] and len(figure.sources) > 1 else ""
    seen = [file.names.place(o, figure.paper.primary) for o in found]
    if len(found) == 1:
        return lead + seen[0] if seen[0] else lead.rstrip(": ") or "-"
    return f"{lead}{len(found)} places: {outcomes.shortened(seen, 80)}"


def entry_rows(figure, file, entry, twins):
    """Returns the rows of the outcomes of one claim of `expect`: one for each, or for many one for each verdict."""
    if len(entry) < GROUPED_FROM:
        groups = [[o] for o in entry]
    else:
        groups = [list(g) for _, g in itertools.groupby(sorted(entry, key=settled), key=settled)]
    rows = []
    for group in groups:
        first, units = group[0], file.names.units
        value = measured(first, units) if len(group) == 1 else span(group, units)
        cells = [first["claim"], file.names.subject(first), places(figure, file, group), outcomes.claimed(first, units),
                 value, settled(first) + mark([file])]
        printed = [twins[k] for k in ((file, outcomes.without_reading(o)) for o in group) if k in twins]
        if twins:
            cells.append(f"{span(printed, units)}: {tally(printed)}" if printed else "-")
        rows.append(cells)
    return rows


def outcome_table(figure):
    twins = {} if figure.block.get("live_only") else printed_twins(figure)
    rows = []
    for claim in figure.claims:
        own = figure.own(claim)
        for (file, _, _), entry in itertools.groupby(own, key=lambda pair: (pair[0], pair[1]["entry"], pair[0].names.subject(pair[1]))):
            rows += entry_rows(figure, file, [o for _, o in entry], twins)
    if not rows:
        return ""
    head = ["claim", "metric and what is compared", "where", "claimed", "measured", "verdict"]
    return table(head + (["as printed"] if twins else []), rows)


def live_outcomes(figure, claim):
    return [o for o in figure.live.outcomes if o["claim"] == claim] if figure.live else []


def live_table(figure):
    """Returns the outcomes on real frames beside the simulation of the same file."""
    if not figure.live:
        return ""
    simulated = figure.paper.file("live/" + figure.block["live"])
    twins = {records.statement(o): o for o in simulated.outcomes}
    rows, names = [], figure.live.names
    for claim in figure.claims:
        for o in live_outcomes(figure, claim):
            twin = twins.get(records.statement(o))
            beside = f"{measured(twin, names.units)}: {settled(twin)}" if twin else "not run"
            rows.append([claim, names.subject(o), names.place(o) or "-", outcomes.claimed(o, names.units),
                         f"{measured(o, names.units)}{mark([figure.live])}: {settled(o)}", beside,
                         outcomes.difference(o, twin, names.units)])
    head = ["claim", "metric and what is compared", "where", "claimed", "real frames", "simulated, same file", "difference"]
    return "On real frames ([how they are run](real-frames.md)), beside the simulation of the same flows:\n\n" + table(head, rows) if rows else "On real frames: not run.\n\n"


def section(figure):
    alternatives = figure.alternatives()
    parts = [f"## {heading(figure)}\n\n", figure.block["about"].strip() + "\n\n", claims_table(figure), plots(figure), verdict_line(figure)]
    for title, lines in (("", dependencies(alternatives)), ("Explanations, as questions to an experiment:\n\n", asked(figure)),
                         ("Run it, and the records:\n\n", runs(figure))):
        parts.append(title + lines + "\n" if lines else "")
    parts.append("" if figure.block.get("live_only") else outcome_table(figure))
    parts.append(live_table(figure))
    return "".join(parts)


READING = """\
"Ours" is the range over the places (loads, sizes, rates) that the claim asks about, under the primary set; "as printed" the same under the paper's own
listing, and "-" if that was not run. "In part" means that some outcomes hold and others do not; each section has them all. "What breaks it" names the changes of a
key that were run and gave another verdict. Verdicts are those of [results.md](../results.md#outcomes-of-expectations); measured
values have the half-width of their 95 % interval. {stale}
"""


def written_by(source):
    return f"<!-- scripts/claims writes this page from {source} and the records. -->\n"


def paper_page(paper):
    block = paper.block
    parts = [written_by(f"docs/papers/{paper.name}.yaml"), f"# {paper.block['name']}, claim by claim\n\n",
             f"{block['authors']}: \"{block['title']}\". {block['about'].strip()}\n\n", overview(paper), READING.format(stale=STALE_SAID),
             f"\n{block['sets_say'].strip()}\n\n"]
    return "".join(parts) + "".join(section(figure) for figure in paper.figures).rstrip("\n") + "\n"


# The page of all papers

def totals_row(paper):
    totals = paper.totals()
    return [f"[{paper.block['name']}]({paper.name}.md){mark(paper.files)}", sum(totals.values()), *(totals[v] for v in COUNTED)]


def open_rows(every):
    """Returns a row for each headline that does not hold yet: its verdict, and what turns it."""
    rows = []
    for paper in every:
        for claim in paper.block["headlines"]:
            figure = paper.claims()[claim]
            verdict = figure.verdict(claim)
            if verdict in ("holds", outcomes.INFERRED, "roughly"):
                continue
            tried = [a for a in figure.alternatives() if claim in a.moves]
            found = [a.short() for a in tried if a.turns(claim)]
            link = f"[{figure.name}]({paper.name}.md#{anchor(heading(figure))})"
            rows.append([paper.block["name"], link, claim, clip(figure.claims[claim]["says"], 100), verdict, listed(found, 100) or ("none that was tried" if tried else "nothing else run")])
    return rows


def readme(every, shelf):
    stale = [f for f in shelf.files.values() if f.stale]
    rows = open_rows(every)
    note = f"{STALE_SAID} They are {len(stale)} of {sum(bool(f.record) for f in shelf.files.values())} records.\n\n"
    parts = [written_by("docs/papers/*.yaml"), "# The papers, claim by claim\n\n",
             "For readers who want to know whether a paper's numbers come out. A page for each paper has its figures, what came of them "
             "here, and what that depends on. [checks.md](checks.md) has our own checks.\n\n",
             table(["paper", "claims", *COUNTED.values()], [totals_row(p) for p in every]),
             "A claim counts as \"hold in part\" if some of its outcomes hold and others do not, and as \"set inferred\" if a choice that the paper "
             "leaves open was inferred from the claim itself.\n\n", note if stale else "",
             "## Open headlines\n\n"]
    head = ["paper", "figure", "claim", "the paper says", "verdict", "depends on"]
    return "".join(parts) + (table(head, rows) if rows else "None.\n").rstrip("\n") + "\n"


# Our own checks

def own_checks(every, shelf):
    """Returns {claim: [(file, its outcomes)]} of claims that are in no figure of a paper; a file without a record has none."""
    of_papers = {claim for paper in every for claim in paper.claims()}
    found = {}
    for path in records.experiment_files([]):
        for live in (False, True):
            file = shelf.file(path, live)
            stated = {o["claim"] for o in file.outcomes} | (set() if live or file.record else records.claims_stated(path))
            for claim in stated - of_papers:
                if "{" not in claim:
                    found.setdefault(claim, []).append((file, [o for o in file.outcomes if o["claim"] == claim]))
    return dict(sorted(found.items()))


def check_row(claim, found, says):
    """Returns the row of a check over all its files: what it asks, its verdicts, and where it does not hold."""
    outcomes_ = [o for _, own in found for o in own]
    wrong = [f.stem for f, own in found if not all(o["verdict"] in ("holds", "roughly") for o in own)]
    return [claim, says, len(found), (tally(outcomes_) if outcomes_ else "not run") + mark([f for f, _ in found]), listed(wrong) or "-"]


def check_file_rows(claim, found):
    return [[claim, f"[{f.stem}]({up(records.record_path(f.path))})" if f.record else f.stem, "real frames" if f.live else "simulated",
             (tally(own) if own else "not run") + mark([f])] for f, own in found]


def checks_page(every, shelf):
    words = yaml.safe_load((papers.PAGES / "checks.yaml").read_text())
    checks = own_checks(every, shelf)
    rows = [check_row(claim, found, words.get(claim) or found[0][0].experiment.get("title", "")) for claim, found in checks.items()]
    by_file = [cells for claim, found in checks.items() for cells in check_file_rows(claim, found)]
    parts = [written_by("docs/papers/checks.yaml"), "# Our own checks\n\n",
             "Claims without a number of a paper: properties that every run has to have, parts of a paper's claim that the paper does not set "
             f"apart, and what we ask of our own choices and extensions. All outcomes count, under every set. {STALE_SAID}\n\n",
             table(["check", "what it asks", "files", "outcomes", "does not hold, or is not decided, in"], rows),
             "## By file\n\n", table(["check", "file", "world", "outcomes"], by_file)]
    return "".join(parts).rstrip("\n") + "\n"


# The project's README

def totals_lines(every):
    lines = []
    for paper in every:
        totals = paper.totals()
        words = ", ".join(f"{n} {COUNTED[v]}" for v, n in totals.items() if n)
        stale = sum(f.stale for f in paper.files)
        old = f" ({stale} of {sum(bool(f.record) for f in paper.files)} records are of an earlier version)" if stale else ""
        lines.append(f"* [{paper.block['name']}](docs/papers/{paper.name}.md): {sum(totals.values())} claims: {words}{old}\n")
    return "".join(lines)


def between(text, begin, end, name, lines):
    """Returns the text with these lines between the lines `begin` and `end`."""
    before, found_begin, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise SystemExit(f"{name}: the lines {begin.strip()} and {end.strip()} are missing; what the records say stands between them")
    return before + begin + lines + end + after


def with_totals(text, every):
    return between(text, BEGIN, END, "README.md", totals_lines(every))


# What the extensions of Expeditus gain

GAIN_BEGIN, GAIN_END = "<!-- gains: scripts/claims writes these lines -->\n", "<!-- end of gains -->\n"
GAIN_CLAIMS = ["extension-core-loads", "extension-request-path", "extension-both"]
GAIN_METRICS = {"goodput_mbps.all.mean": "goodput", "fct_us.all.mean": "mean FCT", "fct_us.mice.p95": "mice, 95th",
                "handshake_us.mice.mean": "mice, handshake", "imbalance.tor.mean": "imbalance, ToRs", "imbalance.agg.mean": "imbalance, aggs"}


def gain_cell(outcome):
    """Returns a change with half the width of its interval; "open" if the seeds do not decide it, "" if no claim asks."""
    if outcome is None:
        return ""
    if outcome["verdict"] == "not decided":
        return "open"
    low, high = outcome["interval"]
    return f"{100 * outcome['measured']:+.1f} ±{50 * (high - low):.1f} %"


def gain_rows(path, shelf):
    """Returns the rows of a file's table: its points, and for each metric the three claims. Points that are all open are left out."""
    cells, file = {}, shelf.file(path)
    for o in file.outcomes:
        if o["claim"] in GAIN_CLAIMS:
            cells.setdefault((json.dumps(o["where"]), o["metric"]), {})[o["claim"]] = o
    figure = path.stem.removeprefix("extension-").upper().replace("A", "a").replace("B", "b") + (" †" if file.stale else "")
    rows = []
    for (where, metric), found in cells.items():
        row = [gain_cell(found.get(c)) for c in GAIN_CLAIMS]
        point = ", ".join(f"{key.rsplit('.', 1)[-1]} {value}" for key, value in json.loads(where).items())
        if any(cell not in ("", "open") for cell in row):
            rows.append([figure, point, GAIN_METRICS.get(metric, metric), *row])
    return rows, len(cells)


def gains(shelf):
    rows, n = [], 0
    for path in sorted((records.EXPERIMENTS / "expeditus").glob("extension-f*.yaml")):
        own, of = gain_rows(path, shelf)
        rows, n = rows + own, n + of
    said = f"{n - len(rows)} of {n} rows are left out: the seeds decide nothing in them. {STALE_SAID}\n\n"
    return "\n" + said + table(["figure", "point", "metric", "`core_loads`", "`request_path`", "both"], rows)


# The atlas: what came out of the experiments that ask a user's question

ATLAS_BEGIN, ATLAS_END = "<!-- atlas: scripts/claims writes these lines -->\n", "<!-- end of atlas -->\n"


ATLAS_EQUAL = 1.01  # schemes within 1 % of the best are as good


def atlas_rows(file):
    return [[file.names.subject(o), file.names.place(o) or "-", outcomes.claimed(o, file.names.units), measured(o, file.names.units), settled(o)]
            for o in file.outcomes]


def atlas_curves(file):
    """Returns ({situation: {scheme: (mean, low, high)}}, unit) of a file's figure, whose values are kept in FILE.curves.csv; times in ms."""
    kept, figure = file.path.with_suffix(".curves.csv"), file.experiment["figure"]
    situations, series, unit = {}, None, ""
    if not kept.is_file():
        return {}, ""
    for row in csv.DictReader(kept.open()):
        series, unit = row["series"] or series, row["unit"] or unit
        by = 1000 if unit == "us" else 1
        point = tuple(float(row[k] or row["y"]) / by for k in ("y", "low", "high"))
        by_scheme = figure["x"] == "scheme"
        situations.setdefault("" if by_scheme else row["category"], {})[row["category"] if by_scheme else series] = point
    return situations, "ms" if unit == "us" else unit


def atlas_value(point, unit):
    """Returns a mean with half the width of its interval."""
    y, low, high = point
    return f"{y:.3g}" + (f" ±{(high - low) / 2:.2g}" if high > low else "") + (f" {unit}" if unit else "")


def atlas_label(file):
    y = file.experiment["figure"]["y"]
    return f"{y['label']}, mean"


def atlas_table(file):
    """Returns the figure of a file as a table: a row for each scheme, a column for each situation."""
    situations, unit = atlas_curves(file)
    if not situations:
        return ""
    key = file.experiment["figure"]["x"].rsplit(".", 1)[-1]
    head = [atlas_label(file), *(f"{key} {name}" if name else "" for name in situations)]
    schemes = dict.fromkeys(scheme for own in situations.values() for scheme in own)
    return table(head, [[f"`{scheme}`", *(atlas_value(own[scheme], unit) if scheme in own else "-" for own in situations.values())] for scheme in schemes])


def times_of(point, best):
    ratio = point[0] / best[0]
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def atlas_first(file):
    """Returns rows of the first table: which schemes are best, as far as their intervals tell, or within 1 % of it, and what the others cost."""
    situations, _ = atlas_curves(file)
    rows, key = [], file.experiment["figure"]["x"].rsplit(".", 1)[-1]
    for name, own in situations.items():
        best = min(own.values())
        leaders = [scheme for scheme, point in own.items() if point[1] <= max(best[2], ATLAS_EQUAL * best[0])]
        others = sorted((point, scheme) for scheme, point in own.items() if scheme not in leaders)
        where = f"[{file.path.stem.replace('-', ' ')}](#{anchor(file.experiment['title'])})" + (f", {key} {name}" if name else "")
        rows.append([where, ", ".join(f"`{scheme}`" for scheme in leaders), ", ".join(f"{scheme} {times_of(point, best)}" for point, scheme in others) or "-"])
    return rows


def atlas(shelf):
    files = [shelf.file(path) for path in sorted((records.EXPERIMENTS / "ai").glob("*.yaml"))]
    parts = ["\n", table(["situation", "least time", "the others, times that"], [row for file in files for row in atlas_first(file)])]
    for file in files:
        svg = f"papers/plots/ai/{file.path.stem}.svg"
        plot = f"![{file.experiment['title']}]({svg})\n\n" if (papers.PAGES.parent / svg).is_file() else ""
        parts += [f"## {file.experiment['title']}\n\n", run_line(file).replace("../../experiments", "../experiments"), "\n", plot, atlas_table(file),
                  table(["what is measured", "where", "claimed", "measured", "verdict"], atlas_rows(file)) if file.outcomes else "Not run in full yet.\n\n"]
    return "".join(parts)


def all_texts(every, shelf):
    """Returns {page: text} of all pages and of the project's README."""
    texts = {papers.PAGES / f"{paper.name}.md": paper_page(paper) for paper in every}
    texts[papers.PAGES / "checks.md"] = checks_page(every, shelf)
    texts[papers.PAGES / "README.md"] = readme(every, shelf)
    top = records.ROOT / "README.md"
    texts[top] = with_totals(top.read_text(), every)
    for name, begin, end, lines in (("docs/expeditus-extensions.md", GAIN_BEGIN, GAIN_END, gains), ("docs/atlas.md", ATLAS_BEGIN, ATLAS_END, atlas)):
        page = records.ROOT / name
        if page.exists(): # not where tests make pages of their own
            texts[page] = between(page.read_text(), begin, end, name, lines(shelf))
    return texts
