#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/memory: its rows are experiments, a row has what was foreseen and used, a name without rows is an error.

usage: test_memory.py HEDDLE TREE
"""
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import unittest

HEDDLE, TREE = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
PROGRAM = TREE + "/bench/memory"
sys.dont_write_bytecode = True


def memory(*words, heddle=HEDDLE):
    return subprocess.run([PROGRAM, "--heddle", heddle, *words], capture_output=True, text=True, check=False)


class Memory(unittest.TestCase):
    def test_rows_are_experiments(self):
        loader = importlib.machinery.SourceFileLoader("memory", PROGRAM)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("memory", loader))
        loader.exec_module(module)
        rows = list(module.rows())
        self.assertEqual(len({title for title, *_ in rows}), len(rows), "names are unique")
        for _, name, words in rows:
            self.assertGreater(module.foreseen(HEDDLE, name, words), 1000000)

    def test_foreseen_and_used(self):
        done = memory("--rows", "k = 24")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = re.findall(r"^\| permutation, k = 24.* \| ([\d.]+) MB \| ([\d.]+) MB \| ([\d.]+) \|$", done.stdout, re.M)
        self.assertEqual(len(rows), 1, done.stdout)
        expected, peak, ratio = map(float, rows[0])
        self.assertAlmostEqual(expected / peak, ratio, delta=0.02)
        self.assertTrue(1 <= ratio <= 2, "the forecast is a bound from above, and at most twice what is used")

    def test_no_such_row(self):
        done = memory("--rows", "k = 7")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no row's name contains 'k = 7'", done.stderr)

    def test_a_program_that_fails(self):
        done = memory("--rows", "k = 8, 1MB", heddle="/bin/false")
        self.assertEqual(done.returncode, 1)
        self.assertIn("bench/memory:", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
