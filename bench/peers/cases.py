# SPDX-License-Identifier: Apache-2.0
"""The cases of bench/peers/compare: fabrics as graphs, which all programs read, and flows."""
from dataclasses import dataclass

# DCTCP's web search (bytes, cumulative share), as in heddle's size table web-search.
WEB_SEARCH = [(0, 0), (10000, .15), (20000, .2), (30000, .3), (50000, .4), (80000, .53), (200000, .6), (1000000, .7),
              (2000000, .8), (5000000, .9), (10000000, .97), (30000000, 1)]


# ---- fabrics: the same graph for both programs ----

@dataclass(frozen=True)
class Fabric:
    heddle: dict  # heddle's `fabric` block
    hosts: int
    edges: tuple  # (a, b, bps, delay_ns, frames, loss)
    frames: int  # full frames that fit a switch port behind the one in transmission


def star(hosts, bps=10**10, delay_ns=1000, frames=100, loss=0.0):
    edges = tuple((h, hosts, bps, delay_ns, frames, loss if h == hosts - 1 else 0) for h in range(hosts))
    block = {"kind": "star", "hosts": hosts, "rate": f"{bps}bps", "delay": f"{delay_ns}ns"}
    if loss:
        block["links"] = [{"match": f"host0.{hosts - 1}-*", "loss": f"{100 * loss:g}%"}]
    return Fabric(block, hosts, edges, frames)


def dumbbell(pairs, host_bps, bps, delay_ns, frames):
    left, right = 2 * pairs, 2 * pairs + 1
    edges = [(h, left if h < pairs else right, host_bps, 1000, frames, 0) for h in range(2 * pairs)]
    edges.append((left, right, bps, delay_ns, frames, 0))
    block = {"kind": "dumbbell", "pairs": pairs, "host_rate": f"{host_bps}bps", "host_link_delay": "1us",
             "links": [{"match": "leaf0-leaf1", "rate": f"{bps}bps", "delay": f"{delay_ns}ns"}]}
    return Fabric(block, 2 * pairs, tuple(edges), frames)


def fat_tree(k, bps=10**10, delay_ns=1000, frames=100):
    half, hosts, edge = k // 2, k**3 // 4, k * k // 2
    first_edge, first_agg, first_core = hosts, hosts + edge, hosts + 2 * edge
    links = [(h, first_edge + h // half) for h in range(hosts)]
    links += [(first_edge + e, first_agg + e // half * half + a) for e in range(edge) for a in range(half)]
    links += [(first_agg + a, first_core + a % half * half + c) for a in range(edge) for c in range(half)]
    edges = tuple((a, b, bps, delay_ns, frames, 0) for a, b in links)
    return Fabric({"kind": "fat-tree", "k": k, "rate": f"{bps}bps", "delay": f"{delay_ns}ns"}, hosts, edges, frames)


# ---- flows: (start_ns, source, destination, bytes) ----

def web_search_size(rng):
    u = rng.random()
    for (x0, y0), (x1, y1) in zip(WEB_SEARCH, WEB_SEARCH[1:]):
        if u <= y1:
            return max(1, round(x0 + (x1 - x0) * (u - y0) / (y1 - y0)))
    raise AssertionError("the table ends at 1")


WEB_SEARCH_MEAN = sum((y1 - y0) * (x0 + x1) / 2 for (x0, y0), (x1, y1) in zip(WEB_SEARCH, WEB_SEARCH[1:]))


def alone(size, n=1):
    return lambda rng, hosts: [(i * 500_000_000, 0, 1, size) for i in range(n)]


def incast(senders, size, rounds):
    def flows(rng, hosts):
        return [(r * 200_000_000 + rng.randrange(10_000), s, hosts - 1, size) for r in range(rounds) for s in range(senders)]
    return flows


def permutation(size):
    def flows(rng, hosts):
        order = list(range(hosts))
        while any(i == d for i, d in enumerate(order)):
            rng.shuffle(order)
        return [(rng.randrange(10_000), i, d, size) for i, d in enumerate(order)]
    return flows


def pairs_of(size, within_ns):
    return lambda rng, hosts: [(rng.randrange(within_ns), i, hosts // 2 + i, size) for i in range(hosts // 2)]


def web_search(load, n, bps=10**10):
    def flows(rng, hosts):
        rate_per_ns = load * hosts * bps / 8 / WEB_SEARCH_MEAN / 1e9
        at, result = 0.0, []
        for _ in range(n):
            at += rng.expovariate(rate_per_ns)
            source = rng.randrange(hosts)
            destination = (source + 1 + rng.randrange(hosts - 1)) % hosts
            result.append((int(at), source, destination, web_search_size(rng)))
        return result
    return flows


@dataclass(frozen=True)
class Case:
    name: str
    fabric: Fabric
    flows: object
    draws: int


CASES = [
    Case("one flow, 10 KB", star(2), alone(10_000), 1),
    Case("one flow, 100 KB", star(2), alone(100_000), 1),
    Case("one flow, 1 MB", star(2), alone(10**6), 1),
    Case("one flow, 10 MB", star(2), alone(10**7), 1),
    Case("incast, 8 x 100 KB", star(9), incast(8, 100_000, 10), 160),
    Case("incast, 16 x 1 MB", star(17), incast(16, 10**6, 2), 24),
    Case("incast, 3 x 10 MB", star(4), incast(3, 10**7, 1), 32),
    Case("permutation k=4, 1 MB", fat_tree(4), permutation(10**6), 40),
    Case("permutation k=4, 10 MB", fat_tree(4), permutation(10**7), 48),
    Case("dumbbell, 8 x 10 MB", dumbbell(8, 4 * 10**10, 10**10, 30_000, 100), pairs_of(10**7, 10**6), 4),
    Case("web search, load 0.3", fat_tree(4), web_search(0.3, 60), 16),
    Case("web search, load 0.6", fat_tree(4), web_search(0.6, 60), 16),
    Case("loss 0.1 %, 1 MB", star(2, delay_ns=10_000, loss=0.001), alone(10**6, 40), 16),
    Case("loss 1 %, 1 MB", star(2, delay_ns=10_000, loss=0.01), alone(10**6, 40), 16),
]
