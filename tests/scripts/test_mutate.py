#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/mutate: what it changes, and which tests it takes to run a line.

usage: test_mutate.py SCRIPTS
"""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the script
loader = importlib.machinery.SourceFileLoader("mutate", os.path.join(sys.argv[1], "mutate"))
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)

PROGRAM = """void _exit(int status);
static int half(int x) {
    if (x % 2)
        return -1;
    return x /
           2;
}
int main(int n, char **words) {
    (void)words;
    if (n > 1) _exit(half(n));
    return half(4);
}
"""


class Mutations(unittest.TestCase):
    def of(self, line):
        return {what: new for what, new in mutate.mutations_of(line, mutate.code_of([line])[0])}

    def test_operators_constants_conditions_values_and_calls(self):
        self.assertEqual(self.of("    if (a < 3) return true;"), {
            "< to <=": "    if (a <= 3) return true;",
            "3 to 4": "    if (a < 4) return true;",
            "return false": "    if (a < 3) return false;",
            "condition negated": "    if (!(a < 3)) return true;"})
        self.assertEqual(self.of("    port_open(p);"), {"call left out": "    ;"})

    def test_comments_and_texts_stay(self):
        self.assertEqual(self.of('    x = "1 + 1"; // 2 - 2'), {})
        self.assertEqual(mutate.code_of(["a /* 1", "2 */ b"]), ["a     ", "     b"])
        self.assertEqual(mutate.code_of(["#define A \\", "  1", "c"])[2], "c")


class Again(unittest.TestCase):
    def test_survivors_of_an_earlier_call(self):
        log = ("    7 killed              3 s  src/a.c:9: 1 to 2: x = 2;\n"
               "   12 survived           62 s  src/b/c.h:34: call left out: ;\n"
               "   13 does not compile    1 s  src/b/c.h:35: call left out: ;\n"
               "survived: src/b/c.h:34: call left out: ;\n")
        self.assertEqual(mutate.survivors_of(log), {(12, "src/b/c.h:34")})


class WhichTestsRunALine(unittest.TestCase):
    def test_counters_of_a_program(self):
        """One run with an odd number of words, which ends by _exit: the counters are there all the same."""
        with tempfile.TemporaryDirectory() as place:
            root = Path(place)
            (root / "src").mkdir()
            (root / "src/half.c").write_text(PROGRAM, encoding="ascii")
            (root / "dump.c").write_text(mutate.DUMP_C, encoding="ascii")
            subprocess.run(["gcc", "-c", "dump.c"], cwd=root, check=True)
            subprocess.run(["gcc", "--coverage", "-c", "src/half.c", "-o", "half.o"], cwd=root, check=True)
            subprocess.run(["gcc", "--coverage", "half.o", "-Wl,--wrap=_exit", "dump.o", "-lgcov", "-o", "half"], cwd=root, check=True)
            counters = root / "counters"
            wrapper = root / "wrapper"
            counters.mkdir()
            wrapper.write_text(mutate.WRAPPER.format(folder=counters), encoding="ascii")
            wrapper.chmod(0o755)
            self.assertEqual(subprocess.run([wrapper, root / "half", "a", "b"], check=False).returncode, 255)
            folder = next(counters.iterdir())
            self.assertEqual((folder / "command").read_text(encoding="ascii").split("\n")[1:3], ["a", "b"])
            functions, lines = mutate.lines_run(folder)
            self.assertEqual(functions["src/half.c"], {(2, 7), (8, 12)})
            self.assertEqual({n for n, was_run in lines["src/half.c"].items() if was_run}, {2, 3, 4, 8, 10})

    def test_who_is_ended_ends_its_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            test = f"trap 'kill $!; touch {folder}/ended; exit 1' TERM; touch {folder}/runs; sleep 60 & wait"
            parent = os.fork()
            if parent == 0:
                mutate.signal.signal(mutate.signal.SIGTERM, lambda *_: sys.exit(143))
                try:
                    mutate.succeeds(["sh", "-c", test])
                except SystemExit as end:
                    os._exit(end.code)
                os._exit(0)
            while not Path(folder, "runs").exists():
                time.sleep(0.01)
            os.kill(parent, mutate.signal.SIGTERM)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(parent, 0)[1]), 143)
            self.assertTrue(Path(folder, "ended").exists())

    def test_a_line_and_the_tests_that_run_it(self):
        lines = mutate.Lines({"tests": ["even", "odd"], "functions": {"src/half.c": [[2, 7]]},
                              "lines": {"src/half.c": {"2": ["even", "odd"], "3": ["even", "odd"], "4": ["odd"], "5": ["even"]}}})
        self.assertTrue(lines.is_run_by("odd", "src/half.c", 4))
        self.assertFalse(lines.is_run_by("even", "src/half.c", 4))
        self.assertFalse(lines.is_run_by("odd", "src/half.c", 6))  # belongs to the line before it
        self.assertTrue(lines.is_run_by("odd", "src/half.c", 9))  # in no function: a table, a struct
        self.assertTrue(lines.is_run_by("new", "src/half.c", 4))  # a test that did not run
        self.assertTrue(lines.is_run_by("odd", "src/other.c", 4))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
