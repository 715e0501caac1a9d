#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./demo with a stand-in for the program: the commands that it runs, its last lines and its exit status.

usage: test_demo.py TREE
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TREE = sys.argv[1]
# The stand-in records its arguments. `run` prints a line, waits if asked to, and returns STATUS; `report` makes a page.
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
        self.assertIn("export PATH=", "\n".join(lines))
        self.assertIn("xdg-open demo.html", lines[-5])
        self.assertIn("heddle init && heddle run leaf-spine.yaml", lines[-4])
        self.assertIn("scripts/reproduce --headline", lines[-3])
        self.assertTrue(self.asked()[0].startswith("run experiments/demo.yaml --jobs "))
        self.assertTrue(self.asked()[0].endswith(" -o demo.db --profile small"))
        self.assertEqual(self.asked()[1], "report demo.db")

    def test_what_they_name_exists(self):
        """The experiment's record is of this version, so that a newcomer's first own command ends with 0."""
        experiment, guide = (line.split()[-1] for line in self.demo().stdout.splitlines()[-2:])
        self.assertTrue(os.path.isfile(os.path.join(TREE, experiment)), experiment)
        with open(os.path.join(TREE, experiment.replace(".yaml", ".record.json")), encoding="utf-8") as file:
            recorded = json.load(file)["full"]["result_version"]
        with open(os.path.join(TREE, "src/study/experiment/experiment.h"), encoding="utf-8") as file:
            self.assertEqual(recorded, int(re.search(r"#define RESULT_VERSION (\d+)", file.read()).group(1)))
        self.assertTrue(os.path.isfile(os.path.join(TREE, guide)), guide)

    def typed(self, output, command, cwd):
        """Types the lines of the output that set up the shell, then a command; returns what is printed."""
        lines = [line for line in output.splitlines() if line.startswith(("cd ", "export PATH="))]
        done = subprocess.run(["bash", "-c", "\n".join([*lines, command])], cwd=cwd, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    def test_the_line_puts_heddle_on_the_path(self):
        program, place = os.path.realpath(self.tree + "/build/heddle"), os.path.realpath(self.tree)
        for words in ([], ["--build"]):
            with self.subTest(words):
                here = subprocess.run([self.tree + "/demo", *words], cwd=self.tree, capture_output=True, text=True, check=False)
                self.assertNotIn("\ncd ", here.stdout)
                self.assertEqual(os.path.realpath(self.typed(here.stdout, "command -v heddle", self.tree)), program)
                away = subprocess.run([self.tree + "/demo", *words], cwd="/", capture_output=True, text=True, check=False)
                self.assertEqual(os.path.realpath(self.typed(away.stdout, "command -v heddle", "/")), program)
                self.assertEqual(os.path.realpath(self.typed(away.stdout, "pwd", "/")), place)

    def test_a_page_of_the_user_is_not_replaced(self):
        done = self.demo(REPORT="2")
        self.assertIn("heddle report demo.db -o OTHER.html", done.stdout.splitlines()[-5])

    def test_the_status_is_that_of_the_run(self):
        self.assertEqual(self.demo(STATUS="1").returncode, 1)
        self.assertIn("read on:", self.demo(STATUS="1").stdout)
        done = self.demo(STATUS="3")
        self.assertEqual((done.returncode, done.stdout), (3, "results\n"))

    def test_output_for_programs_has_no_such_lines(self):
        for words in (["--json"], ["-q"], ["--quiet"], ["-o", "mine.db"], ["--out=mine.db"]):
            with self.subTest(words):
                self.assertEqual(self.demo(*words).stdout, "results\n")

    def test_what_the_build_prints_is_in_a_log(self):
        with open(self.tree + "/scripts/build", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nfor i in $(seq 40); do echo compiling $i; done\necho broken >&2\nexit ${BUILD:-0}\n")
        done = self.demo()
        self.assertNotIn("compiling", done.stdout + done.stderr)
        self.assertIn("building (", done.stderr)
        failed = self.demo(BUILD="1")
        self.assertEqual((failed.returncode, failed.stdout), (2, ""))
        lines = failed.stderr.splitlines()
        self.assertEqual((lines[1], lines[-2]), ("compiling 12", "broken"))
        self.assertTrue(lines[-1].endswith("/build/demo.log"), lines[-1])
        with open(self.tree + "/build/demo.log", encoding="utf-8") as file:
            self.assertIn("compiling 1\n", file.read())

    def test_build_runs_nothing(self):
        self.assertNotIn("results", self.demo("--build").stdout)
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
