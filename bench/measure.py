# SPDX-License-Identifier: Apache-2.0
"""Measures heddle, and ns-3 if it is installed, and adds a dated section to the notebook of the month. bench/run runs it."""
import argparse
import sys
import time
from collections import defaultdict

import chain
import rows
import work

NOTEBOOK = work.ROOT / "docs" / "notebook"
HEADS = ["row", "heddle, median", "best", "beside", "ratio", "floor", "aim", "met"]


def arguments():
    groups = [f"{name}: {group.doc}" for name, group in rows.GROUPS.items()]
    groups += [f"{name}: {doc}" for name, (doc, *_) in rows.PROGRAMS.items()]
    groups.append(f"fabric: {rows.FABRIC_DOC}")
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__,
                                     epilog="Groups of rows: " + "; ".join(groups) + ".")
    parser.add_argument("--quick", action="store_true", help="small fabrics, two rounds, a minute; adds nothing")
    parser.add_argument("--peer", action="store_true", help="install ns-3 (libns3-dev) if it is missing")
    parser.add_argument("--rows", default="all", metavar="GROUP,...", help="only these groups of rows")
    parser.add_argument("--rounds", type=int, help="repetitions of everything, interleaved (5; quick: 2)")
    parser.add_argument("--core", type=int, help="the core that one-thread rows are pinned to (the last)")
    parser.add_argument("--no-append", action="store_true", help="only print")
    options = parser.parse_args()
    known = [*rows.GROUPS, *rows.PROGRAMS, "fabric"]
    always = [name for name in known if name not in rows.GROUPS or not rows.GROUPS[name].long]
    options.groups = always if options.rows == "all" else options.rows.split(",")
    for name in options.groups:
        if name not in known:
            parser.error(f"no group of rows '{name}'; there are {', '.join(known)}")
    options.rounds = options.rounds or (2 if options.quick else 5)
    if options.core is None:
        options.core = max(work.os.sched_getaffinity(0))
    return options


def say(text):
    print(text, file=sys.stderr, flush=True)


def wanted_cells(options, without_peer):
    cells = {}
    for name in options.groups:
        if name in rows.GROUPS:
            cells.update((cell.name, cell) for cell in rows.GROUPS[name].cells(options.quick))
    return [cell for cell in cells.values() if not (cell.peer and without_peer)]


def check_digests(cells, samples):
    """Raises Failure unless all repetitions of the same work have one digest, whatever their number of threads."""
    digest = {}
    for cell in cells:
        for sample in samples[cell.name]:
            if cell.work and digest.setdefault(cell.work, sample.digest) != sample.digest:
                raise work.Failure(f"{cell.name}: digest {sample.digest}, "
                                   f"another run of the same work had {digest[cell.work]}")


def measure(cells, options):
    samples = defaultdict(list)
    for turn in range(options.rounds):
        for cell in cells:
            for _ in range(cell.repeats):
                sample = work.run_cell(cell, options.core)
                samples[cell.name].append(sample)
            say(f"round {turn + 1}/{options.rounds}  {cell.name:<40} {sample.hops_per_s / 1e6:8.3f} M hops/s")
    check_digests(cells, samples)
    return dict(samples)


def result_rows(options, samples):
    result = []
    for name in options.groups:
        if name in rows.GROUPS:
            result += rows.GROUPS[name].rows(samples, options.quick)
        elif name in rows.PROGRAMS:
            _, program, rounds, quick_rounds, rows_of = rows.PROGRAMS[name]
            result += rows_of(work.run_program(program, quick_rounds if options.quick else rounds, options.core))
        else:
            why = chain.why_not()
            if why:
                say(f"fabric: not measured: {why}")
            else:
                result += rows.fabric_rows(chain.measure(options.rounds, say))
    return result


def table(result):
    cells = [HEADS] + [[r.name, r.heddle, r.best, r.peer, r.ratio, r.floor, r.aim, r.met] for r in result]
    width = [max(len(line[i]) for line in cells) for i in range(len(HEADS))]
    lines = ["| " + " | ".join(text.ljust(w) for text, w in zip(line, width)) + " |" for line in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (w + 2) for w in width) + "|", *lines[1:]])


def add_entry(section, month, notebook=NOTEBOOK):
    """Inserts the section before the older entries of the month, such as "2026-11"; the first of a month makes its file."""
    page = notebook / f"{month}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else f"# Notebook, {month}\n\n## Entries\n"
    after = text.index("\n## Entries\n") + len("\n## Entries\n")
    first = text.find("\n### ", after) + 1
    before, older = (text[:first], "\n" + text[first:]) if first else (text + "\n", "")
    page.write_text(before + section + older, encoding="utf-8")
    say(f"added to docs/notebook/{page.name}")


def main():
    options = arguments()
    machine = work.machine_line()
    without_peer = work.build_peer() if "peer" in options.groups else "not asked for"
    if "peer" in options.groups and without_peer:
        say(f"ns-3: {without_peer}; recorded figures are shown instead")
    started = time.strftime("%Y-%m-%d %H:%M")
    result = result_rows(options, measure(wanted_cells(options, without_peer), options))
    heading = f"### {started}, {work.commit_line()}{' (quick)' if options.quick else ''}"
    section = f"{heading}\n\n{machine}; {options.rounds} rounds\n\n{table(result)}\n"
    print(section)
    if not options.quick and not options.no_append:
        add_entry(section, started[:7])


if __name__ == "__main__":
    try:
        main()
    except work.Failure as failure:
        sys.exit(f"bench/run: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
