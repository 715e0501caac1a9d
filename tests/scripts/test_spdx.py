#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/spdx on made-up files: the files that it finds, and the place where it writes.

usage: test_spdx.py SCRIPTS
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = sys.argv[1]
LINE = "SPDX-License-Identifier: Apache-2.0"


class Spdx(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="heddle-spdx-")
        self.addCleanup(made.cleanup)
        self.tree = made.name
        os.mkdir(self.tree + "/scripts")
        shutil.copy(SCRIPTS + "/spdx", self.tree + "/scripts")

    def file(self, path, text):
        os.makedirs(os.path.dirname(os.path.join(self.tree, path)), exist_ok=True)
        with open(os.path.join(self.tree, path), "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def spdx(self, how, *paths):
        return subprocess.run([self.tree + "/scripts/spdx", how, *paths], capture_output=True, text=True, check=False)

    def after_write(self, path, text):
        """Returns the file after --write, which --check then accepts and a second --write leaves unchanged."""
        self.file(path, text)
        self.assertEqual(self.spdx("--write", path).returncode, 0)
        with open(os.path.join(self.tree, path), encoding="utf-8") as file:
            found = file.read()
        self.assertEqual(self.spdx("--check", path).returncode, 0)
        self.spdx("--write", path)
        with open(os.path.join(self.tree, path), encoding="utf-8") as file:
            self.assertEqual(file.read(), found)
        return found

    def test_each_kind_has_its_comment(self):
        for path, before, line in [("src/a.c", "int a;\n", f"/* {LINE} */\n"), ("src/a.h", "", f"/* {LINE} */\n"),
                                   ("src/web/a.js", '"use strict";\n', f"// {LINE}\n"), ("web/a.css", "a {}\n", f"/* {LINE} */\n"),
                                   ("bench/a.cc", "int a;\n", f"// {LINE}\n"), ("scripts/a.py", "a = 1\n", f"# {LINE}\n"),
                                   ("src/meson.build", "a = 1\n", f"# {LINE}\n")]:
            with self.subTest(path):
                self.assertEqual(self.after_write(path, before), line + before)

    def test_bpf_programs_may_be_taken_under_the_gpl_too(self):
        either = f"/* {LINE} OR GPL-2.0-only */\n"
        self.assertEqual(self.after_write("share/bpf/a.bpf.c", "int a;\n"), either + "int a;\n")

    def test_scripts_keep_their_first_line(self):
        for first in ("#!/usr/bin/env bash\n", "#!/bin/sh\n", "#!/usr/bin/env python3\n", "#!/usr/bin/make -f\n"):
            with self.subTest(first):
                self.assertEqual(self.after_write("scripts/tool", first + "true\n"), first + f"# {LINE}\ntrue\n")

    def test_what_carries_none_stays(self):
        for path in ("third_party/x/a.js", "experiments/a.yaml", "docs/a.py", "README.md", "scripts/a.json", "src/page.html",
                     "bench/guard.record", "tests/fuzz/corpus/a.c"):
            with self.subTest(path):
                self.assertEqual(self.after_write(path, "text\n"), "text\n")

    def test_check_names_each_file(self):
        self.file("src/a.c", "int a;\n")
        self.file("src/b.c", f"/* {LINE} */\nint b;\n")
        self.file("src/c.c", f"int c;\n/* {LINE} */\n")
        done = self.spdx("--check", "src/a.c", "src/b.c", "src/c.c")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([line.split(":")[0] for line in done.stdout.splitlines()], ["src/a.c", "src/c.c"])

    def test_without_files_all_that_git_tracks(self):
        self.file("src/a.c", "int a;\n")
        self.file("src/b.c", "int b;\n")
        subprocess.run(["git", "init", "-q"], cwd=self.tree, check=True)
        subprocess.run(["git", "add", "src/a.c"], cwd=self.tree, check=True)
        self.assertEqual([line.split(":")[0] for line in self.spdx("--check").stdout.splitlines()], ["src/a.c"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
