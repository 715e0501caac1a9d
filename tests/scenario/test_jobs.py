#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs behave as their formulas say: times of rings, incasts and servers with rails, what uplinks carry, and bounds that nothing beats.

usage: test_jobs.py HEDDLE
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HEDDLE = os.path.realpath(sys.argv[1])
RATE = 100e9
PAYLOAD, WIRE = 1472, 1538  # bytes of a full packet of UDP, and on the wire
HOP_US = 0.5  # of propagation


class Jobs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def run_of(self, fabric, workload, more="", *words):
        """Runs an experiment of one run; returns its result and its store."""
        file, store = os.path.join(self.folder.name, "x.yaml"), os.path.join(self.folder.name, "x.db")
        if os.path.exists(store):
            os.remove(store)
        with open(file, "w", encoding="ascii") as out:
            out.write(f"title: a job\nfabric: {fabric}\nworkload: {workload}\n{more}\n")
        said = subprocess.run([HEDDLE, "run", file, "-q", "--json", "-o", store, *words], capture_output=True,
                              text=True, check=False, timeout=200)
        self.assertEqual(said.returncode, 0, said.stderr)
        return json.loads(said.stdout.splitlines()[0]), store

    def job(self, *what):
        return self.run_of(*what)[0]["jobs"][0]

    def message_us(self, packets, links):
        """Returns how long a message of full packets takes over so many links, when it has them for itself: test 1 of the formulas."""
        return (packets - 1 + links) * WIRE * 8 / RATE * 1e6 + links * HOP_US


STAR = "{kind: star, hosts: 8, rate: 100Gbps, delay: 500ns}"
SPINES = "{kind: leaf-spine, leaves: 4, spines: 4, hosts: 4, rate: 100Gbps, delay: 500ns}"
UDP = "host: {transport: udp}"


class Rings(Jobs):
    def ring(self, fabric, packets, more=UDP, op="all-reduce", n=8):
        return self.job(fabric, f"{{kind: collective, op: {op}, algorithm: ring, size: {packets * PAYLOAD * n}B, ranks: {n}, iterations: 2, placement: packed}}", more)

    def test_a_ring_takes_its_steps_one_after_the_other(self):
        for packets in 1, 10, 1000:
            got = self.ring(STAR, packets)
            self.assertAlmostEqual(got["jct_us"]["max"], 14 * self.message_us(packets, 2), places=5)
            self.assertEqual(got["jct_us"]["max"], got["ideal_us"])
        self.assertAlmostEqual(self.ring(STAR, 100, op="reduce-scatter")["jct_us"]["max"], 7 * self.message_us(100, 2), places=5)

    def test_a_ring_over_the_spines_differs_by_the_hops_only(self):
        """Of eight ranks in two racks, the slowest step is one over the spine in each of the 14 steps."""
        got = self.ring(SPINES, 100)
        self.assertAlmostEqual(got["jct_us"]["max"], 14 * self.message_us(100, 4), delta=14 * 2 * (HOP_US + WIRE * 8 / RATE * 1e6))
        self.assertGreater(got["jct_us"]["max"], 14 * self.message_us(100, 2))

    def test_the_bus_bandwidth_comes_to_that_of_the_payload(self):
        most = PAYLOAD / WIRE * RATE / 1e9
        got = [self.ring(STAR, packets)["busbw_gbps"] for packets in (10, 100, 1000, 10000)]
        self.assertEqual(got, sorted(got))
        self.assertLess(got[-1], most)
        self.assertGreater(got[-1], 0.998 * most)

    def test_dctcp_is_within_twelve_percent_of_the_payload_s_time(self):
        got = self.job(STAR, "{kind: collective, op: all-reduce, algorithm: ring, size: 64MB, ranks: 8, iterations: 2}", "scheme: dctcp")
        self.assertGreater(got["jct_us"]["mean"], 8960)
        self.assertLess(got["jct_us"]["mean"], 1.12 * 8960)

    def test_one_digest_for_threads(self):
        """A ring, two trees in chunks, and a training step, over spines."""
        for workload in ("{kind: collective, op: all-reduce, algorithm: ring, size: 4MB, placement: random}",
                         "{kind: collective, op: all-reduce, algorithm: double-binary-tree, chunk: 100KB, size: 4MB, placement: random}",
                         "{kind: training, pipeline: 2, layers: 4, micro_batches: 2, buckets: 2, forward: 20us, activation: 200KB, gradients: 8MB, weights: 4MB}"):
            for scheme in "dctcp", "spraypass":
                digests = {self.run_of(SPINES, workload, f"scheme: {scheme}", "--threads", str(n))[0]["engine"]["digest"] for n in (1, 2)}
                self.assertEqual(len(digests), 1, f"{scheme} {workload}")


class Incasts(Jobs):
    def test_the_last_byte_comes_when_the_link_has_carried_all(self):
        for scheme in "detail-fast", "dctcp":
            got, _ = self.run_of(STAR, "{kind: incast, sizes: 10MB, receiver: 0}", f"scheme: {scheme}\nhost: {{nic: pull}}")
            least = 7 * 10e6 * 8 / RATE * 1538 / 1460 * 1e6
            self.assertGreaterEqual(got["fct_us"]["all"]["max"], least * 0.9999, scheme)
            self.assertLess(got["fct_us"]["all"]["max"], 1.02 * least, scheme)


class Rails(Jobs):
    def sent_by_hosts(self, store):
        with sqlite3.connect(store) as db:
            return dict(db.execute("SELECT node, sent_bytes FROM ports WHERE node < 16"))

    def test_a_nic_carries_its_share_over_its_rail(self):
        """16 ranks in servers of 4: each of 4 rails has a ring of 4, so that 2 x 3/4 of a quarter of the buffer cross each NIC."""
        size = 1472 * 1600
        got, store = self.run_of(SPINES, f"{{kind: collective, op: all-reduce, algorithm: hierarchical, group: 4, scale_up: 2400Gbps, size: {size}B, "
                                         "placement: round-robin}", UDP)
        self.assertEqual({round(sent * PAYLOAD / WIRE) for sent in self.sent_by_hosts(store).values()}, {2 * size // 4 * 3 // 4})
        scale_up = 2 * 3 / 4 * size * 8 / 2400e9 * 1e6
        self.assertAlmostEqual(got["jobs"][0]["jct_us"]["max"], scale_up + 6 * self.message_us(size // 16 // PAYLOAD, 2), places=4)

    def test_what_stays_on_a_rail_crosses_one_switch(self):
        def crosses_spines(placement):
            _, store = self.run_of(SPINES, "{kind: collective, op: all-reduce, algorithm: hierarchical, group: 4, scale_up: 2400Gbps, size: 1MB, "
                                           f"placement: {placement}}}", "scheme: dctcp")
            with sqlite3.connect(store) as db:
                return db.execute("SELECT sum(sent_bytes) FROM ports WHERE node >= 20").fetchone()[0]  # of spines
        self.assertEqual(crosses_spines("round-robin"), 0)
        self.assertGreater(crosses_spines("packed"), 16 * 1e6 / 4)


class Uplinks(Jobs):
    def shares(self, scheme, seed):
        """Returns the payload that each uplink of the leaves carried, over the mean, under an all-to-all."""
        _, store = self.run_of("{kind: leaf-spine, leaves: 2, spines: 16, hosts: 16, rate: 100Gbps, delay: 500ns}",
                               "{kind: permutation, sizes: 4MB, pairs: inter-rack}", f"scheme: {scheme}\nrun: {{seed: {seed}}}")
        with sqlite3.connect(store) as db:
            sent = [row[0] for row in db.execute("SELECT sent_bytes FROM ports WHERE node IN (32, 33) AND neighbour > 33")]
        self.assertEqual(len(sent), 32)
        return [x * len(sent) / sum(sent) for x in sent]

    def test_hashing_leaves_a_third_idle_and_spraying_none(self):
        """Of 16 flows over 16 uplinks a share of (15/16)^16 = 0.356 of the uplinks gets none; ACKs of others pass them."""
        idle = [sum(x < 0.3 for x in self.shares("ecmp", seed)) / 32 for seed in range(1, 7)]
        self.assertAlmostEqual(sum(idle) / len(idle), 0.356, delta=0.08)
        for x in self.shares("spraypass", 1):
            self.assertAlmostEqual(x, 1, delta=0.03)


class Bounds(Jobs):
    def test_nothing_beats_the_ideal(self):
        for scheme in "ecmp", "dctcp", "spraypass", "expresspass-2017", "detail-fast":
            for workload in ("op: all-reduce, algorithm: ring", "op: all-reduce, algorithm: bidirectional-ring", "op: all-reduce, algorithm: halving-doubling",
                             "op: all-reduce, algorithm: double-binary-tree, chunk: 50KB", "op: all-to-all", "op: broadcast, algorithm: ring, chunk: 50KB",
                             "op: all-reduce, algorithm: hierarchical, group: 4"):
                got = self.job(SPINES, f"{{kind: collective, {workload}, size: 1600KB, iterations: 2, placement: packed}}", f"scheme: {scheme}")
                self.assertGreaterEqual(got["jct_us"]["p50"], got["ideal_us"], f"{scheme} {workload}")
                self.assertLess(got["busbw_gbps"], PAYLOAD / WIRE * RATE / 1e9, f"{scheme} {workload}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
