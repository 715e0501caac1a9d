# SPDX-License-Identifier: Apache-2.0
"""The rows of the benchmark: their groups and targets, the cells (runs) that they need, and their figures from samples.

A figure is the median of its repetitions. The cost of Expeditus is the median over ratios of neighbouring runs, so that a slow
minute of the machine affects both sides. Rows of `threads` and `jobs` compare the best runs, since one disturbed core delays a
whole parallel run.
"""
import shutil
from dataclasses import dataclass, replace
from statistics import median

import work
from work import Cell

# Packet-hops per second of ns-3.37 (Debian 12), NewReno, per-flow ECMP, 1 MB flows, on one core of a two-core Xeon virtual
# machine. Shown if ns-3 is not installed.
RECORDED_PEER = {4: 0.23e6, 8: 0.18e6}


@dataclass
class Row:
    name: str
    heddle: str
    best: str = ""
    peer: str = ""
    ratio: str = ""
    floor: str = ""
    aim: str = ""
    met: str = ""


def verdict(value, floor=None, aim=None, at_most=False):
    """Returns 'aim' or 'floor', whichever the value reaches, else 'no'; '' for a row without a target."""
    reaches = (lambda bound: value <= bound) if at_most else (lambda bound: value >= bound)
    if aim is not None and reaches(aim):
        return "aim" if floor is not None else "yes"
    if floor is not None and reaches(floor):
        return "floor" if aim is not None else "yes"
    return "" if floor is None and aim is None else "**no**"


# ---- cells ----

def permutation(k, size, balance, threads=1, pinned=True, ranks=1):
    repeats = {(4, "1MB"): 5, (8, "1MB"): 3, (4, "10MB"): 2}.get((k, size), 1)
    settings = (f"fabric.k={k}", f"workload.0.offset={k**3 // 8}", f"workload.0.sizes={size}",
                f"switch.balance={balance}")
    extra = (f", {threads} threads" if threads > 1 else "") + (f", {ranks} ranks" if ranks > 1 else "") + ("" if pinned else ", unpinned")
    return Cell(f"k={k}, {size}, {balance}{extra}", "fattree.yaml", settings, threads=threads, ranks=ranks, pinned=pinned,
                work=" ".join(settings), repeats=repeats)


TRANSPORTS = ("dctcp", "hull", "dx", "expresspass", "spraypass")


def transport(name):
    """Returns the cell of the permutation at k = 8 with another transport, on the symmetric paths that credits need."""
    settings = ("fabric.k=8", "workload.0.offset=64", "workload.0.sizes=1MB", f"host={{transport: {name}}}",
                "switch.ecmp.hash=symmetric")
    return Cell(f"k=8, 1MB, {name}", "fattree.yaml", settings, work=" ".join(settings), repeats=3)


def web_search(balance, quick):
    flows = 640 if quick else 6400
    settings = (f"switch.balance={balance}", f"workload.0.flows={flows}")
    return Cell(f"web search, load 0.6, {balance}", "websearch.yaml", settings, work="web " + " ".join(settings))


DETAIL_WANTED = {"detail-baseline": None, "detail-fc": 4e6, "detail": 4e6}


def crossbar(scheme, quick):
    settings = (f"scheme={scheme}", f"workload.0.queries={3000 if quick else 30000}")
    return Cell(f"crossbar, {scheme}", "detail.yaml", settings, work="crossbar " + " ".join(settings))


F11_WANTED = {"dctcp": (None, None), "expresspass": (5e6, 8e6)}


def f11(scheme, quick):
    settings = (f"scheme={scheme}", f"workload.0.flows={500 if quick else 5000}")
    return Cell(f"XP-F11 web search, {scheme}", "f11.yaml", settings, work="f11 " + " ".join(settings))


SHUFFLE_SECONDS = 90


def shuffle(scheme, quick):
    settings = (f"scheme={scheme}",) + (("fabric.hosts=10", "workload.0.tasks=4") if quick else ())
    return Cell(f"XP-F8 shuffle, {scheme}", "shuffle.yaml", settings, work="shuffle " + " ".join(settings))


STEP_SECONDS = {1000: 180, 4096: 60}  # by payload, with two threads
EXCHANGE_SECONDS, EXCHANGE_BYTES = 600, 8 << 30


def step(payload, threads, quick):
    settings = (f"host.dctcp.mss={payload}B",) + (("workload.0.ranks=32", "workload.0.layers=4", "workload.0.gradients=256MB", "workload.0.weights=128MB") if quick else ())
    return Cell(f"GPT-13B step, payload {payload}, {threads} thread{'s' * (threads > 1)}", "step.yaml", settings, threads=threads, pinned=threads == 1,
                work="step " + " ".join(settings))


def exchange(quick):
    settings = ("workload.0.ranks=256", "workload.0.size=16777216B") if quick else ()
    return Cell("all-to-all of 2,048 hosts, two threads", "exchange.yaml", settings, threads=2, pinned=False, work="exchange")


def two_jobs(jobs, quick):
    settings = ("fabric.k=8", "workload.0.offset=64", "workload.0.sizes=4MB") if quick else ()
    return Cell(f"four runs, {jobs} jobs", "jobs.yaml", settings, jobs=jobs, pinned=False, work="jobs")


def peer(k):
    return Cell(f"ns-3, k={k}, 1MB", peer=(f"--k={k}", "--bytes=1000000"))


def sizes(quick):
    """Returns (k, flow size) of the one-core rows."""
    small = [(4, "1MB"), (8, "1MB")]
    return small if quick else small + [(16, "1MB"), (24, "1MB"), (4, "10MB"), (8, "10MB")]


# ---- reading samples ----

def mega(value):
    return f"{value / 1e6:.{2 if value >= 1e6 else 3}f} M/s"


def speeds(samples, cell):
    return [s.hops_per_s for s in samples[cell.name]]


def paired(samples, one, other):
    """Returns the median over rounds of the ratio one / other."""
    return median(a / b for a, b in zip(speeds(samples, one), speeds(samples, other)))


def peer_speed(samples):
    """Returns the packet-hops per second of ns-3 in this benchmark; None if it did not run."""
    return median(speeds(samples, peer(8))) if peer(8).name in samples else None


ENGINE_WANTED = {(8, "1MB"): (12e6, 20e6), (16, "1MB"): (10e6, 16e6)}


def engine_rows(samples, quick):
    for k, size in sizes(quick):
        cell = permutation(k, size, "ecmp")
        floor, aim = ENGINE_WANTED.get((k, size), (None, None))
        middle = median(speeds(samples, cell))
        yield Row(cell.name, mega(middle), mega(max(speeds(samples, cell))), floor=mega(floor) if floor else "",
                  aim=mega(aim) if aim else "", met=verdict(middle, floor, aim))


def growth_rows(samples, quick):
    first_k = lambda k: permutation(k, "1MB", "ecmp")
    for small, large, most in [(4, 8, None)] if quick else [(4, 24, 2.0), (8, 24, 1.7)]:
        growth = median(speeds(samples, first_k(small))) / median(speeds(samples, first_k(large)))
        yield Row(f"cost of a hop, k={large} over k={small}", f"{growth:.2f} x", floor=f"<= {most} x" if most else "",
                  met=verdict(growth, most, at_most=True))


FLAT_WANTED = {32: 2 / 3, 64: 1 / 2}  # share of the speed at k = 8
FLAT_THREADS = 1.6  # two threads over one, at those sizes


def flat_sizes(quick):
    return {16: None} if quick else FLAT_WANTED


SMALL_RUNS = 5  # runs of k = 8 before each run of a large fabric, and after it: each takes a tenth of a second


def flat_group(k):
    """Returns the cells of one size: k = 8, one thread, k = 8 again, two threads."""
    small = permutation(8, "1MB", "ecmp")
    one, two = (permutation(k, "1MB", "ecmp", threads=t, pinned=t == 1) for t in (1, 2))
    before, after = (replace(small, name=f"{small.name}, {when} k={k}", repeats=SMALL_RUNS)
                     for when in ("before", "after"))
    return before, one, after, two


def flat_cells(quick):
    return [cell for k in flat_sizes(quick) for cell in flat_group(k)]


def shares(samples, group):
    """Returns the speed of one thread over the median of k = 8 around it, round by round."""
    before, one, after, _ = (speeds(samples, cell) for cell in group)
    around = [median(before[i * SMALL_RUNS:(i + 1) * SMALL_RUNS] + after[i * SMALL_RUNS:(i + 1) * SMALL_RUNS])
              for i in range(len(one))]
    return [large / small for large, small in zip(one, around)]


def flat_rows(samples, quick):
    for k, least in flat_sizes(quick).items():
        before, one, after, two = group = flat_group(k)
        share, middle = median(shares(samples, group)), median(speeds(samples, one))
        small = median(speeds(samples, before) + speeds(samples, after))
        yield Row(f"k={k} over k=8", mega(middle), mega(max(speeds(samples, one))), peer="k=8 " + mega(small),
                  ratio=f"{share:.3f} x", floor=f"{least:.3f} x" if least else "", met=verdict(share, least))
        ratio = paired(samples, two, one)
        yield Row(f"k={k}, two threads over one", mega(median(speeds(samples, two))), mega(max(speeds(samples, two))),
                  peer="one " + mega(middle), ratio=f"{ratio:.2f} x", floor=f"{FLAT_THREADS} x" if least else "",
                  met=verdict(ratio, FLAT_THREADS if least else None))


def cost_row(samples, name, ecmp, expeditus):
    cost = 1 - paired(samples, expeditus, ecmp)
    return Row(name, mega(median(speeds(samples, expeditus))), mega(max(speeds(samples, expeditus))),
               peer="ecmp " + mega(median(speeds(samples, ecmp))), ratio=f"costs {cost:.1%}", floor="<= 15%",
               met=verdict(cost, 0.15, at_most=True))


def expeditus_rows(samples, quick):
    for k, size in sizes(quick):
        expeditus = permutation(k, size, "expeditus")
        yield cost_row(samples, expeditus.name, permutation(k, size, "ecmp"), expeditus)


def transport_rows(samples, quick):
    del quick
    tcp = transport("newreno")
    for name in TRANSPORTS:
        cell = transport(name)
        cost = 1 - paired(samples, cell, tcp)
        wanted = (5e6, 8e6) if name in ("expresspass", "spraypass") else (None, None)
        middle = median(speeds(samples, cell))
        yield Row(cell.name, mega(middle), mega(max(speeds(samples, cell))),
                  peer="newreno " + mega(median(speeds(samples, tcp))), ratio=f"costs {cost:.1%}",
                  floor=mega(wanted[0]) if wanted[0] else "", aim=mega(wanted[1]) if wanted[1] else "",
                  met=verdict(middle, *wanted))


def wanted_row(samples, cell, floor, aim=None):
    """Returns the row of a cell with targets for its speed. If ns-3 ran too, the row also has the speed "there": scaled to the
    undisturbed core on which ns-3 reached RECORDED_PEER."""
    middle = median(speeds(samples, cell))
    row = Row(cell.name, mega(middle), mega(max(speeds(samples, cell))), floor=mega(floor) if floor else "",
              aim=mega(aim) if aim else "", met=verdict(middle, floor, aim))
    theirs = peer_speed(samples)
    if theirs:
        there = middle / theirs * RECORDED_PEER[8]
        row.peer, row.ratio = f"ns-3, k=8 {mega(theirs)}", f"{middle / theirs:.0f} x, {mega(there)} there"
        row.met += f", {verdict(there, floor, aim)} there" if floor else ""
    return row


def crossbar_rows(samples, quick):
    for scheme, floor in DETAIL_WANTED.items():
        yield wanted_row(samples, crossbar(scheme, quick), floor)


def f11_rows(samples, quick):
    for scheme, wanted in F11_WANTED.items():
        yield wanted_row(samples, f11(scheme, quick), *wanted)


def shuffle_rows(samples, quick):
    """Returns the rows of wall times in seconds, "here" and "there" as in wanted_row."""
    for scheme in ("dctcp", "expresspass"):
        took = [s.hops / s.hops_per_s for s in samples[shuffle(scheme, quick).name]]
        most = None if quick else SHUFFLE_SECONDS
        row = Row(f"XP-F8 shuffle, {scheme}", f"{median(took):.1f} s", f"{min(took):.1f} s",
                  floor=f"<= {most} s" if most else "", met=verdict(median(took), most, at_most=True))
        theirs = peer_speed(samples)
        if theirs:
            there = median(took) * theirs / RECORDED_PEER[8]
            row.peer, row.ratio = f"ns-3, k=8 {mega(theirs)}", f"{there:.0f} s there"
            row.met += f", {verdict(there, most, at_most=True)} there" if most else ""
        yield row


def step_rows(samples, quick):
    """Returns the rows of whole training steps and an exchange, by wall time; the digests of one and two threads are compared as those of one work."""
    for cell, most in [*((step(payload, 2, quick), most) for payload, most in STEP_SECONDS.items()), (step(1000, 1, quick), None),
                       (exchange(quick), EXCHANGE_SECONDS)]:
        took, hops = [s.elapsed_s for s in samples[cell.name]], samples[cell.name][0].hops
        most = None if quick else most
        yield Row(cell.name, f"{median(took):.0f} s", f"{min(took):.0f} s", peer=f"{hops / 1e9:.2f} G packet-hops", ratio=mega(median(speeds(samples, cell))),
                  floor=f"<= {most} s" if most else "", met=verdict(median(took), most, at_most=True))
    rss = max(s.rss_bytes for s in samples[exchange(quick).name])
    yield Row("all-to-all of 2,048 hosts, peak memory", f"{rss / 1e9:.2f} GB", floor="<= 8 GiB", met=verdict(rss, None if quick else EXCHANGE_BYTES, at_most=True))


def web_rows(samples, quick):
    ecmp, expeditus = web_search("ecmp", quick), web_search("expeditus", quick)
    yield Row(ecmp.name, mega(median(speeds(samples, ecmp))), mega(max(speeds(samples, ecmp))))
    yield cost_row(samples, expeditus.name, ecmp, expeditus)


def thread_sizes(quick):
    return [(16, None)] if quick else [(16, 1.3), (24, 1.55)]


def thread_rows(samples, quick):
    for k, least in thread_sizes(quick):
        one, two = (permutation(k, "1MB", "ecmp", threads=t, pinned=False) for t in (1, 2))
        ratio = max(speeds(samples, two)) / max(speeds(samples, one))
        yield Row(f"k={k}, 1MB, two threads over one", mega(median(speeds(samples, two))),
                  mega(max(speeds(samples, two))), peer="one " + mega(max(speeds(samples, one))), ratio=f"{ratio:.2f} x",
                  floor=f"{least} x" if least else "", met=verdict(ratio, least))


RANKS_WANTED = 1.5  # two ranks over one process


def ranks_cells(quick):
    k = 8 if quick else 24
    return [permutation(k, "1MB", "ecmp"), permutation(k, "1MB", "ecmp", pinned=False, ranks=2)] if shutil.which("mpirun") else []


def ranks_rows(samples, quick):
    for one, two in [ranks_cells(quick)] if ranks_cells(quick) else []:
        ratio, least = paired(samples, two, one), None if quick else RANKS_WANTED
        yield Row(f"{one.name}, two ranks over one", mega(median(speeds(samples, two))), mega(max(speeds(samples, two))),
                  peer="one " + mega(median(speeds(samples, one))), ratio=f"{ratio:.2f} x",
                  floor=f"{least} x" if least else "", met=verdict(ratio, least))


SLOWER_MOST = 1.2  # what --threads may cost where it does not help


def overload(threads):
    return Cell(f"48 hosts, overload, {threads} threads", "overload.yaml", threads=threads, pinned=False, work="overload")


def small_pairs(quick):
    """Returns pairs of cells, without and with --threads 2, where two threads have little to do or no core each."""
    one, shared = (permutation(8, "1MB", "ecmp", threads=t) for t in (1, 2))
    two = permutation(8, "1MB", "ecmp", threads=2, pinned=False)
    jobs = two_jobs(2, quick)
    return {"k=8": (one, two), "k=8 on one core": (one, shared), "48 hosts at overload": (overload(1), overload(2)),
            "four runs, two at a time": (jobs, replace(jobs, name=jobs.name + ", 2 threads", threads=2))}


def small_rows(samples, quick):
    for name, (one, two) in small_pairs(quick).items():
        took = [[s.elapsed_s for s in samples[cell.name]] if cell.jobs > 1 else [s.hops / s.hops_per_s for s in samples[cell.name]]
                for cell in (one, two)]
        ratio, most = median(b / a for a, b in zip(*took)), None if quick else SLOWER_MOST
        yield Row(f"{name}, --threads 2", f"{median(took[1]):.2f} s", f"{min(took[1]):.2f} s", peer=f"without {median(took[0]):.2f} s",
                  ratio=f"takes {ratio:.2f} x", floor=f"<= {most} x" if most else "", met=verdict(ratio, most, at_most=True))


def job_rows(samples, quick):
    one, two = ([s.elapsed_s for s in samples[two_jobs(jobs, quick).name]] for jobs in (1, 2))
    ratio = min(one) / min(two)
    least = None if quick else 1.8
    yield Row("four runs, two jobs over one", f"{median(two):.2f} s", f"{min(two):.2f} s", peer=f"one {min(one):.2f} s",
              ratio=f"{ratio:.2f} x", floor=f"{least} x" if least else "", met=verdict(ratio, least))


def memory_k(quick):
    return 8 if quick else 16


def memory_rows(samples, quick):
    cell = permutation(memory_k(quick), "1MB", "ecmp")
    rss = max(s.rss_bytes for s in samples[cell.name])
    memory = samples[cell.name][0].runs[0]["memory"]
    each = "/".join(str(memory["bytes_per_" + what]) for what in ("host", "port", "flow", "packet"))
    most = None if quick else 100e6
    yield Row(f"memory, k={memory_k(quick)}, 1MB, ecmp", f"{rss / 1e6:.0f} MB", peer=f"host/port/flow/packet {each} B",
              floor="<= 100 MB" if most else "", met=verdict(rss, most, at_most=True))


def peer_sizes(quick):
    return [8] if quick else [4, 8]


def peer_rows(samples, quick):
    for k in peer_sizes(quick):
        ours = permutation(k, "1MB", "ecmp")
        measured = peer(k).name in samples
        theirs = median(speeds(samples, peer(k))) if measured else RECORDED_PEER[k]
        ratio = median(speeds(samples, ours)) / theirs
        least = 60 if k == 8 else None
        note = ", recorded"
        if measured:
            note = f", {samples[peer(k).name][0].hops / samples[ours.name][0].hops:.2f} x our hops"
        yield Row(f"k={k}, 1MB, beside ns-3", mega(median(speeds(samples, ours))), mega(max(speeds(samples, ours))),
                  peer=f"{mega(theirs)}{note}", ratio=f"{ratio:.0f} x", floor=f"{least} x" if least else "",
                  met=verdict(ratio, least))
        if measured and k == 8:
            yield Row("k=8, 1MB, where ns-3 reaches 0.18 M/s", mega(ratio * RECORDED_PEER[k]),
                      peer=f"ns-3 here {mega(theirs)}", ratio=f"this machine {theirs / RECORDED_PEER[k]:.2f} x")


def line_rows(lines):
    """Returns the rows of bench_lines: the machine's cost of memory, which no row of heddle can undercut."""
    for size, ns in lines.items():
        yield Row(f"a line of {size} MB at random", f"{ns['many_ns']:.1f} ns", f"{ns['many_best_ns']:.1f} ns",
                  peer=f"{ns['one_ns']:.0f} ns one after another")


def forward_rows(forward):
    paper = {"ecmp": "275 ns", "dre": "151 ns", "expeditus": "473 ns without DRE"}
    yield Row("forwarding, ecmp", f"{forward['ecmp_ns']:.1f} ns", f"{forward['best']['ecmp_ns']:.1f} ns",
              peer=f"paper {paper['ecmp']}", ratio=f"{275 / forward['ecmp_ns']:.0f} x")
    yield Row("forwarding, DRE adds", f"{forward['dre_ns']:.1f} ns", peer=f"paper {paper['dre']}")
    yield Row("forwarding, expeditus with DRE", f"{forward['expeditus_ns']:.1f} ns",
              f"{forward['best']['expeditus_ns']:.1f} ns", peer=f"paper {paper['expeditus']}",
              ratio=f"{(473 + 151) / forward['expeditus_ns']:.0f} x")
    yield Row("forwarding, expeditus adds to ecmp", f"{forward['adds_ns']:.1f} ns", peer="paper 349 ns", aim="<= 30 ns",
              met=verdict(forward["adds_ns"], aim=30, at_most=True))


LIVE_WANTED = {"ecmp": 60, "expeditus": 90, "cioq": 200}


def live_rows(live):
    """Returns the rows of bench_live: frames in memory through a whole switch, beside the same switch fed with descriptors."""
    for scheme, most in LIVE_WANTED.items():
        alone = live[f"{scheme}_descriptor"]["median_ns"]
        for size, text in (("full", "1514 B"), ("min", "60 B")):
            ns = live[f"{scheme}_{size}"]
            yield Row(f"live in memory, {scheme}, {text}", f"{ns['median_ns']:.1f} ns", f"{ns['best_ns']:.1f} ns",
                      peer=f"descriptors {alone:.1f} ns", ratio=f"mean {ns['mean_ns']:.1f} ns", aim=f"<= {most} ns",
                      met=verdict(ns["median_ns"], aim=most, at_most=True))
    for name, text in (("station", "two switches of a station, ecmp, 1514 B"), ("ring", "into a ring port and out, 1514 B"),
                       ("refill", "headers into cells (part of the rows above)")):
        ns = live[name]
        yield Row(f"live in memory, {text}", f"{ns['median_ns']:.1f} ns", f"{ns['best_ns']:.1f} ns",
                  ratio=f"mean {ns['mean_ns']:.1f} ns")


FABRIC_GBPS = 2.5
FABRIC_SHARE = 0.70


def gbps(value):
    return f"{value / 1e9:.2f} Gb/s"


def fabric_rows(found):
    """Returns the rows of bench/chain.py: TCP over the lab and over kernel bridges, with ratios of neighbouring runs."""
    for flows, least in (1, None), (max(flows for _, flows in found), FABRIC_GBPS * 1e9):
        lab, chain = found["lab", flows], found["chain", flows]
        share = median(a / b for a, b in zip(lab, chain))
        middle, text = median(lab), "one flow" if flows == 1 else f"{flows} flows in total"
        met = [verdict(share, FABRIC_SHARE)] + ([verdict(middle, least)] if least else [])
        yield Row(f"lab of 12 switches, {text}", gbps(middle), gbps(max(lab)), peer=f"bridges {gbps(median(chain))}",
                  ratio=f"{share:.0%} of bridges",
                  floor=f">= {FABRIC_SHARE:.0%}" + (f", {FABRIC_GBPS} Gb/s" if least else ""), met=", ".join(met))


# ---- groups ----

@dataclass
class Group:
    doc: str
    cells: object  # function: quick -> cells
    rows: object  # function: samples, quick -> rows
    long: bool = False  # takes minutes a round, so it runs only when --rows names it


GROUPS = {
    "engine": Group("packet-hops per second on one core, ECMP",
                    lambda quick: [permutation(k, s, "ecmp") for k, s in sizes(quick)], engine_rows),
    "growth": Group("how the cost of a hop grows with the fabric",
                    lambda quick: [permutation(k, "1MB", "ecmp") for k in ((4, 8) if quick else (4, 8, 24))],
                    growth_rows),
    "flat": Group("the same for large fabrics, with one thread and two; minutes a round", flat_cells, flat_rows, True),
    "expeditus": Group("what Expeditus costs, one flow per host",
                       lambda quick: [permutation(k, s, b) for k, s in sizes(quick) for b in ("ecmp", "expeditus")],
                       expeditus_rows),
    "web": Group("what Expeditus costs, web search at load 0.6",
                 lambda quick: [web_search(b, quick) for b in ("ecmp", "expeditus")], web_rows),
    "transports": Group("what other transports cost, beside NewReno",
                        lambda quick: [transport(name) for name in ("newreno", *TRANSPORTS)], transport_rows),
    "crossbar": Group("switches with crossbars, at the top rate of DeTail's Figure 8",
                      lambda quick: [crossbar(scheme, quick) for scheme in DETAIL_WANTED], crossbar_rows),
    "f11": Group("ExpressPass's Figure 11, web search, 5,000 flows",
                 lambda quick: [f11(scheme, quick) for scheme in F11_WANTED], f11_rows),
    "shuffle": Group("ExpressPass's Figure 8, minutes a round",
                     lambda quick: [shuffle(scheme, quick) for scheme in ("dctcp", "expresspass")], shuffle_rows, True),
    "steps": Group("a training step on 128 GPUs and an all-to-all of 2,048 hosts, minutes a round",
                   lambda quick: [step(1000, 2, quick), step(4096, 2, quick), step(1000, 1, quick), exchange(quick)], step_rows, True),
    "threads": Group("two threads against one",
                     lambda quick: [permutation(k, "1MB", "ecmp", threads=t, pinned=False)
                                    for k, _ in thread_sizes(quick) for t in (1, 2)], thread_rows),
    "ranks": Group("two ranks of Open MPI against one process", ranks_cells, ranks_rows),
    "small": Group("what --threads 2 costs where it cannot help",
                   lambda quick: [cell for pair in small_pairs(quick).values() for cell in pair], small_rows),
    "jobs": Group("two jobs against one", lambda quick: [two_jobs(j, quick) for j in (1, 2)], job_rows),
    "memory": Group("peak memory", lambda quick: [permutation(memory_k(quick), "1MB", "ecmp")], memory_rows),
    "peer": Group("beside ns-3 of Debian, the same work",
                  lambda quick: [c for k in peer_sizes(quick) for c in (permutation(k, "1MB", "ecmp"), peer(k))],
                  peer_rows),
}
# Benchmarks that are programs of their own: what they measure, the program, its rounds, those of --quick, and its rows.
PROGRAMS = {
    "lines": ("ns per cache line at random, which large fabrics wait for", work.LINES, 11, 3, line_rows),
    "forward": ("ns per packet of the forwarding decision", work.FORWARD, 101, 21, forward_rows),
    "live": ("ns per packet of real frames through a switch in memory", work.LIVE, 51, 5, live_rows),
}
FABRIC_DOC = "real TCP over a lab without rates, beside a chain of kernel bridges (root, iperf3)"
