# SPDX-License-Identifier: Apache-2.0
"""The cases of bench/peers/ns2: fabrics, flows and figures of ExpressPass's Figures 3, 6, 7, 9 and 10.

A figure is computed from a Series, the payload that each flow's receiver got in each interval. Both simulators give one, so
both figures come from the same lines.
"""
import random
import re
from dataclasses import dataclass
from pathlib import Path

FIGURES = Path(__file__).resolve().parent.parent.parent / "experiments" / "expresspass"
SEGMENT, FRAME, CREDIT = 1460, 1538, 84  # payload of a full frame, its bytes on the wire, those of a credit
BPS = 10**10
MS = 1e-3


@dataclass(frozen=True)
class Graph:
    """A fabric by its links. `heddle` is the block of the same fabric in an experiment."""
    heddle: dict
    hosts: tuple  # names
    edges: tuple  # (name, name, bps, delay in seconds)

    def number(self, name):
        return self.names().index(name)

    def names(self):
        """Returns the names of all nodes, hosts first."""
        others = {end: None for edge in self.edges for end in edge[:2] if end not in self.hosts}
        return [*self.hosts, *others]

    def last_link(self, host):
        """Returns (switch, bps, delay) of the only link of a host."""
        (a, b, bps, delay), = (edge for edge in self.edges if host in edge[:2])
        return (b if a == host else a), bps, delay


@dataclass(frozen=True)
class Flow:
    src: str
    dst: str
    start: float  # seconds
    bytes: int = 0  # 0: without an end


@dataclass
class Series:
    """Payload bytes: `of[i][k]` is what the receiver of flow i got in interval k, from k times `period` on."""
    period: float
    of: list
    wall_s: float = 0

    def rates(self, begin, end):
        """Returns each flow's payload rate between two times, in bits per second."""
        first, last = round(begin / self.period), round(end / self.period)
        return [8 * sum(bytes_[first:last]) / (end - begin) for bytes_ in self.of]


@dataclass(frozen=True)
class Figure:
    name: str
    paper: str
    value: object  # Series -> number
    unit: str = ""
    digits: int = 3


@dataclass(frozen=True)
class Case:
    name: str
    graph: Graph
    flows: object  # random.Random -> [Flow]
    until: float
    period: float
    figures: tuple
    seeds: int = 5


# ---- fabrics ----

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}


def seconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(ns|us|ms)", text).groups()
    return round(float(number) * UNITS[unit], 12)


def file_graph(name, delay=""):
    """Reads a fabric file of experiments/expresspass; with `delay` all links have that one."""
    text = (FIGURES / name).read_text(encoding="utf-8")
    hosts = tuple(n for n in re.findall(r"^  - \{name: (\S+)\}$", text, re.M) if not n.startswith("leaf"))
    links = re.findall(r"^  - \{a: (\S+), b: (\S+), rate: (\d+)Gbps, delay: (\S+)\}$", text, re.M)
    edges = tuple((a, b, int(rate) * 10**9, seconds(delay or own)) for a, b, rate, own in links)
    block = {"kind": "file", "path": str(FIGURES / name)}
    if delay:
        block["links"] = [{"match": "*-*", "delay": delay}]
    return Graph(block, hosts, edges)


def dumbbell(pairs, bps=BPS, delay="16.6us"):
    block = {"kind": "dumbbell", "pairs": pairs, "rate": f"{bps}bps", "delay": delay}
    hosts = tuple(f"host{0 if i < pairs else 1}.{i % pairs}" for i in range(2 * pairs))
    edges = [(host, f"leaf{0 if i < pairs else 1}", bps, seconds(delay)) for i, host in enumerate(hosts)]
    return Graph(block, hosts, (*edges, ("leaf0", "leaf1", bps, seconds(delay))))


# ---- flows ----

def soon(rng, within=100e-6):
    return rng.randrange(round(within * 1e9)) / 1e9


def parking_lot(n):
    def flows(rng):
        return [Flow("e0", f"e{n}", soon(rng))] + [Flow(f"s{i}", f"r{i + 1}", soon(rng)) for i in range(6)]
    return flows


def shared_link(n):
    def flows(rng):
        return [Flow("z", "y", soon(rng))] + [Flow(f"a{i}", f"b{i}", soon(rng)) for i in range(n - 1)]
    return flows


def pairs(n, within):
    return lambda rng: [Flow(f"host0.{i}", f"host1.{i}", soon(rng, within)) for i in range(n)]


def joining(rng):
    return [Flow("host0.0", "host1.0", soon(rng)), Flow("host0.1", "host1.1", JOIN)]


STEP = 100 * MS
STEPS = [1, 2, 3, 4, 5, 4, 3, 2, 1]  # flows in each step of Figure 10


def join_leave(rng):
    """Five flows whose sizes let them leave as Figure 10 has it, if all have fair shares: ns-2's agent cannot be stopped."""
    def size(i):
        return round(sum(STEP * data_bps(BPS) / 8 / n for n in STEPS if n > i))
    return [Flow(f"host0.{i}", f"host1.{i}", i * STEP + (soon(rng) if i else 0), size(i)) for i in range(5)]


# ---- figures ----

JOIN = 10 * MS  # the second flow of Figure 7
RTT = 100e-6


def data_bps(bps):
    """Returns the most payload that a link carries beside the credits for it."""
    return bps * SEGMENT / (FRAME + CREDIT)


def jain(values):
    return sum(values)**2 / (len(values) * sum(v * v for v in values)) if any(values) else 0.0


def least_link(n):
    def value(series):
        rates = series.rates(20 * MS, 100 * MS)
        return 100 * min(rates[0] + rates[i + 1] for i in range(n)) / data_bps(BPS)
    return value


def share_of_first(series):
    return series.rates(20 * MS, 100 * MS)[0] / data_bps(BPS)


def fair_intervals(series, band=0.1):
    """Returns for each interval from the join on whether both flows are within the band around their mean."""
    first = round(JOIN / series.period)
    return [sum(pair) > 0 and abs(pair[0] - pair[1]) <= band * sum(pair) for pair in list(zip(*series.of))[first:]]


def first_run(length):
    """Returns the RTT since the join in which the first `length` fair intervals in a row begin."""
    def value(series):
        fair = fair_intervals(series)
        for k in range(len(fair) - length + 1):
            if all(fair[k:k + length]):
                return k + 1
        return len(fair)
    return value


def jain_of_intervals(begin, end, interval):
    def value(series):
        n = round((end - begin) / interval)
        return sum(jain(series.rates(begin + k * interval, begin + (k + 1) * interval)) for k in range(n)) / n
    return value


def utilisation(begin, end):
    return lambda series: 100 * sum(series.rates(begin, end)) / data_bps(BPS)


def last_interval(bytes_):
    return max(k for k, b in enumerate(bytes_) if b)


def jain_of_step(series, step):
    """Returns Jain's index of the flows of a step of Figure 10, over 10 ms each, from 20 ms after its first to its last."""
    rates = [series.rates(step * STEP + t * 10 * MS, step * STEP + (t + 1) * 10 * MS)[:STEPS[step]] for t in range(3, 9)]
    return sum(map(jain, rates)) / len(rates)


def jain_of_steps(*steps):
    return lambda series: sum(jain_of_step(series, step) for step in steps) / len(steps)


def leaves_at(flow):
    return lambda series: (last_interval(series.of[flow]) + 1) * series.period / MS


# ---- cases ----

def f3(n, paper, delay=""):
    name = f"F3, N = {n}" + (", 4 us links" if delay else "")
    return Case(name, file_graph("f3-fabric.yml", delay), parking_lot(n), 100 * MS, 20 * MS, (
        Figure("least used link", paper, least_link(n), " %", 1), Figure("share of the long flow", "", share_of_first)))


def f6(n, paper, delay=""):
    name = f"F6, N = {n}" + (", 4 us links" if delay else "")
    return Case(name, file_graph("f6-fabric.yml", delay), shared_link(n), 100 * MS, 20 * MS,
                (Figure("share of flow 0", paper, share_of_first),))


def f7(gbps):
    return Case(f"F7, {gbps} Gbps", dumbbell(2, gbps * 10**9), joining, 20 * MS, RTT, (
        Figure("first fair RTT", "3", first_run(1), " RTT", 1), Figure("first of three in a row", "", first_run(3), " RTT", 1)), 15)


def f9(n):
    begin, end = 100 * MS, 300 * MS
    return Case(f"F9, {n} flows", dumbbell(n), pairs(n, 50 * MS), end, 100 * MS, (
        Figure("Jain, 100 ms", "fair", jain_of_intervals(begin, end, 100 * MS)),
        Figure("utilisation", "high", utilisation(begin, end), " %", 1)))


F10 = Case("F10", dumbbell(5), join_leave, 950 * MS, 1 * MS, (
    Figure("Jain, flows join", "fair", jain_of_steps(1, 2, 3, 4)), Figure("Jain, flows leave", "fair", jain_of_steps(5, 6, 7)),
    Figure("the fifth flow ends", "500 ms", leaves_at(4), " ms", 1), Figure("the first flow ends", "900 ms", leaves_at(0), " ms", 1)))

CASES = [
    *(f3(n, paper, delay) for delay in ("", "4us") for n, paper in ((2, "96.7"), (4, ""), (6, "92.2"))),
    *(f6(n, paper, delay) for delay in ("", "4us") for n, paper in ((2, "1/2"), (3, "1/3"), (4, "1/4"), (8, "to 1/2"), (16, "to 1/2"))),
    f7(10), f7(100),
    f9(16), f9(64), f9(128),
    F10,
]
NAMES_2016 = ["F3, N = 2", "F3, N = 6", "F3, N = 2, 4 us links", "F3, N = 6, 4 us links", "F6, N = 2", "F6, N = 3", "F6, N = 4",
              "F6, N = 8", "F6, N = 16", "F7, 10 Gbps", "F7, 100 Gbps", "F9, 16 flows", "F9, 64 flows", "F9, 128 flows"]
CASES_2016 = [case for name in NAMES_2016 for case in CASES if case.name == name]
SPEED_CASES = [
    Case("one flow", dumbbell(1), pairs(1, RTT), 300 * MS, 300 * MS, (), 9),
    Case("dumbbell, 16 flows", dumbbell(16), pairs(16, RTT), 300 * MS, 300 * MS, (), 9),
]


def seeded(case, seed):
    return case.flows(random.Random(f"{case.name} {seed}"))
