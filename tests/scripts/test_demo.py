#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./demo with a stub in place of the program: the commands that it runs, its last lines and its exit status.

usage: test_demo.py TREE
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TREE = sys.argv[1]
# The stub records its arguments. `run` prints a line, waits if asked to, and returns STATUS; `report` makes a page.
HEDDLE = """#!/usr/bin/env bash
echo "$@" >>asked
[[ $1 == run ]] || exit "${REPORT:-0}"
trap 'exit 3' TERM
if [[ -n ${WAIT:-} ]]; then touch waiting; for _ in {1..600}; do sleep 0.1; done; fi
echo results
exit "${STATUS:-0}"
"""


class Demo(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="heddle-demo-")
        self.addCleanup(made.cleanup)
        self.tree = made.name
        for name, text in {"scripts/install-deps": "#!/bin/sh\n", "scripts/build": "#!/bin/sh\n", "build/heddle": HEDDLE}.items():
            path = os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o755)
        shutil.copy(TREE + "/demo", self.tree)

    def demo(self, *words, **environment):
        return subprocess.run([self.tree + "/demo", *words], capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})

    def asked(self):
        with open(self.tree + "/asked", encoding="utf-8") as file:
            return file.read().splitlines()

    def test_the_last_lines_explain_the_claim_and_say_what_to_type_next(self):
        done = self.demo("--profile", "small")
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:2], ["results", ""])
        self.assertTrue(lines[2].startswith("What was asked: "))
        self.assertEqual(lines[5], "")
        self.assertIn("xdg-open demo.html", lines[6])
        self.assertIn("scripts/reproduce --headline", lines[7])
        self.assertEqual(len(lines), 10)
        self.assertTrue(self.asked()[0].startswith("run experiments/demo.yaml --jobs "))
        self.assertTrue(self.asked()[0].endswith(" -o demo.db --profile small"))
        self.assertEqual(self.asked()[1], "report demo.db")

    def test_what_they_name_exists(self):
        experiment, guide = (line.split()[-1] for line in self.demo().stdout.splitlines()[-2:])
        self.assertTrue(os.path.isfile(os.path.join(TREE, experiment)), experiment)
        self.assertTrue(os.path.isfile(os.path.join(TREE, guide)), guide)

    def test_a_page_of_the_user_is_not_replaced(self):
        done = self.demo(REPORT="2")
        self.assertIn("build/heddle report demo.db -o OTHER.html", done.stdout.splitlines()[6])

    def test_the_status_is_that_of_the_run(self):
        self.assertEqual(self.demo(STATUS="1").returncode, 1)
        self.assertEqual(len(self.demo(STATUS="1").stdout.splitlines()), 10)
        done = self.demo(STATUS="3")
        self.assertEqual((done.returncode, done.stdout), (3, "results\n"))

    def test_output_for_programs_has_no_such_lines(self):
        for words in (["--json"], ["-q"], ["--quiet"], ["-o", "mine.db"], ["--out=mine.db"]):
            with self.subTest(words):
                self.assertEqual(self.demo(*words).stdout, "results\n")

    def test_build_runs_nothing(self):
        self.assertEqual(self.demo("--build").stdout, "")
        self.assertFalse(os.path.exists(self.tree + "/asked"))

    def test_a_signal_reaches_the_run(self):
        demo = subprocess.Popen([self.tree + "/demo"], stdout=subprocess.PIPE, text=True, env={**os.environ, "WAIT": "1"})
        deadline = time.monotonic() + 30
        while not os.path.exists(self.tree + "/waiting") and time.monotonic() < deadline:
            time.sleep(0.05)
        demo.send_signal(signal.SIGTERM)
        self.assertEqual(demo.wait(30), 3)
        demo.stdout.close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
