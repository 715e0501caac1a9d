#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The line of progress on a terminal: finished runs count, and what is done of a run.

usage: test_progress_line.py HEDDLE
"""
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE = os.path.abspath(sys.argv.pop(1))
RUNS = 4
EXPERIMENT = """fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4, rate: 10Gbps}
workload: {kind: permutation, sizes: 800MB}
sweep: {run.seed: [1, 2, 3, 4]}
"""
LINE = re.compile(r"(\d+) of 4 runs done, 1 running: [^\r]*about ([\d.]+) s left")


def lines_of(folder):
    """Runs the experiment on a terminal of its own; returns (runs done, seconds left) of each line that has a time."""
    with open(f"{folder}/x.yaml", "w", encoding="utf-8") as out:
        out.write(EXPERIMENT)
    ours, theirs = pty.openpty()
    with subprocess.Popen([HEDDLE, "run", "x.yaml", "--jobs", "1"], cwd=folder, stderr=theirs, stdout=subprocess.DEVNULL) as run:
        os.close(theirs)
        text = b""
        while True:
            try:
                text += os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
        os.close(ours)
        assert run.wait() == 0
    return [(int(done), float(left)) for done, left in LINE.findall(text.decode())]


class ProgressLine(unittest.TestCase):
    def test_equal_runs(self):
        with tempfile.TemporaryDirectory(prefix="heddle-progress-") as folder:
            lines = lines_of(folder)
        self.assertTrue(any(done == 0 for done, _ in lines), "a time is known while the first run goes on")
        least = [min(left for done, left in lines if done == n) for n in range(RUNS)]
        # the times left at the ends of equal runs are 3, 2, 1 and 0 quarters of the whole, whatever the machine's speed
        self.assertGreater(least[0], 1.3 * least[2])
        self.assertGreater(least[1], least[3])
        self.assertLess(least[3], least[0] / 2)


if __name__ == "__main__":
    unittest.main()
