#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/pair: two equal programs give a ratio, programs with other results an error.

usage: test_pair.py HEDDLE TREE
"""
import os
import subprocess
import sys
import tempfile
import unittest

HEDDLE, TREE = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
SMALL = [TREE + "/bench/fattree.yaml", "--set", "fabric.k=4", "--set", "workload.0.offset=8", "--set",
         "workload.0.sizes=20KB", "--set", "switch.balance=ecmp"]


def pair(base, other, *words):
    return subprocess.run([TREE + "/bench/pair", base, other, *words], capture_output=True, text=True, check=False)


class Pair(unittest.TestCase):
    def test_equal_programs(self):
        done = pair(HEDDLE, HEDDLE, "--rounds", "2", *SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"ratio +[\d.]+ \(median\), [\d.]+ to [\d.]+ \(quartiles\), 2 rounds, equal digests")

    def test_another_result(self):
        with tempfile.TemporaryDirectory() as folder:
            other = folder + "/other"
            with open(other, "w", encoding="ascii") as file:
                file.write(f'#!/bin/sh\nexec {HEDDLE} "$@" --set run.seed=2\n')
            os.chmod(other, 0o755)
            done = pair(HEDDLE, other, "--rounds", "2", *SMALL)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the digests differ", done.stderr)

    def test_a_run_that_fails(self):
        done = pair(HEDDLE, HEDDLE, TREE + "/no.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no.yaml", done.stderr)


if __name__ == "__main__":
    if len(os.sched_getaffinity(0)) < 2:
        print("skipped: one core only")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
