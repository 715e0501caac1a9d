#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The n-th allocation of a command fails. The command ends with exit code 3 and says that memory ran out, or it ends as ever
with the same output; and afterwards heddle run ends as if nothing had happened.

usage: test_memory_faults.py HEDDLE FAILING_MEMORY.so [POINTS]    (POINTS of each command; 40 by default)
"""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HEDDLE, FAILING = (os.path.realpath(word) for word in sys.argv[1:3])
POINTS = int(sys.argv[3]) if len(sys.argv) > 3 else 40
EXPERIMENT = """\
title: Two hosts
fabric: {kind: star, hosts: 2}
workload: [{kind: permutation, sizes: 20KB}]
expect: [{claim: C, metric: flows.finished, every: true, value: [2, 2]}]
"""
OUTCOME = """\
SELECT e.name, e.title, e.file, r.number, r.status, r.settings, json_extract(r.result, '$.engine.digest'), r.config IS NULL,
  (SELECT count(*) FROM flows f WHERE f.run = r.id), (SELECT sets FROM options o WHERE o.run = r.id),
  (SELECT claim || metric || form || place || verdict FROM claims c WHERE c.experiment = e.id)
FROM runs r JOIN experiments e ON e.id = r.experiment"""
VARIES = {"wall_s", "hops_per_s", "rss_bytes"}


def comparable(text):
    """Returns the output without what no two runs have in common."""
    def clean(line):
        try:
            value = json.loads(line)
        except ValueError:
            return line
        if "engine" in value:
            value["engine"] = {k: v for k, v in value["engine"].items() if k not in VARIES}
        value.pop("memory", None)
        return json.dumps(value, sort_keys=True)
    return [clean(line) for line in text.splitlines()]


class MemoryFaults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("x.yaml", EXPERIMENT)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(text)

    def run_it(self, words, **environment):
        return subprocess.run([HEDDLE, *words], capture_output=True, text=True, check=False, cwd=self.folder, errors="replace",
                              env={**os.environ, **environment})

    def counts(self, words):
        """Returns the result of an undisturbed command, and how many allocations it and its children made."""
        done = self.run_it(words, LD_PRELOAD=FAILING, FAILING_COUNTS="counts")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, "counts"), "rb") as counts:
            data = counts.read()
        os.remove(os.path.join(self.folder, "counts"))
        return done, [int.from_bytes(data[i:i + 8], sys.byteorder) for i in (0, 8)]

    def outcome(self):
        with sqlite3.connect(os.path.join(self.folder, "x.db")) as db:
            return db.execute(OUTCOME).fetchall()

    def clear(self, keep):
        for name in os.listdir(self.folder):
            path = os.path.join(self.folder, name)
            if name not in keep:
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def check(self, words, in_child=False, writes_store=False):
        """Lets POINTS allocations fail, at equal distances."""
        keep = {"x.yaml"} if writes_store else {"x.yaml", "x.db"}
        good, n = self.counts(words)
        outcome = self.outcome()
        ended = {0: 0, 3: 0}
        for at in range(1, n[in_child] + 1, max(1, n[in_child] // POINTS)):
            self.clear(keep)
            done = self.run_it(words, LD_PRELOAD=FAILING, FAILING_AT=str(at), **({"FAILING_CHILD": "1"} if in_child else {}))
            with self.subTest(command=words, allocation=at):
                self.assertIn(done.returncode, (0, 3), done.stderr)
                if done.returncode == 0:
                    self.assertEqual(comparable(done.stdout), comparable(good.stdout))
                else:
                    self.assertIn("memory ran out", done.stderr)
                    self.assertLessEqual(len(done.stderr.splitlines()), 2)
                if writes_store:
                    self.assertEqual(self.run_it(["run", "x.yaml", "-q"]).returncode, 0)
                self.assertEqual(self.outcome(), outcome)
            ended[done.returncode] = ended.get(done.returncode, 0) + 1
        print(" ".join(words), "(a run's process)" if in_child else "", f"{n[in_child]} allocations;",
              ", ".join(f"exit {code}: {n}" for code, n in ended.items()), flush=True)

    def test_run(self):
        self.check(["run", "x.yaml", "-q", "--json"], writes_store=True)

    def test_a_run_of_a_child(self):
        self.check(["run", "x.yaml", "-q", "--json"], in_child=True, writes_store=True)

    def test_commands_that_read(self):
        self.assertEqual(self.run_it(["run", "x.yaml", "-q"]).returncode, 0)
        for words in (["check", "x.yaml"], ["report", "x.db", "--text"], ["report", "x.db", "-o", "x.html"],
                      ["export", "x.db", "--csv", "out"], ["flows", "x.db"]):
            self.check(words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
