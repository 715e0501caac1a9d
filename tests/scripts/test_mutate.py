#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/mutate: what it changes, and which tests it takes to run a line.

usage: test_mutate.py SCRIPTS [draw]    draw: a draw from its begin to its end, which takes a while
"""
import importlib.machinery
import importlib.util
import os
import re
import shutil
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


# A project of one room, with a test that takes long and one that sees half of the mutations.
ROOM = {
    "meson.build": """project('demo', 'c')
demo = library('demo', 'src/demo/half.c')
quick = executable('test_demo_half', 'tests/test_half.c', link_with: demo)
slow = executable('test_demo_slow', 'tests/test_slow.c', link_with: demo)
test('demo_half', quick)
test('demo_slow', slow)
""",
    "src/demo/half.c": """int half(int x);
int half(int x) {
    if (x < 10) return x / 2;
    return x - 5;
}
""",
    "tests/test_half.c": """int half(int x);
int main(void) {
    return half(4) != 2 || half(8) != 4;
}
""",
    "tests/test_slow.c": """#include <unistd.h>
int half(int x);
int main(void) {
    sleep(4);
    return half(12) != 7;
}
""",
}


class Draw(unittest.TestCase):
    """A draw with --log is interrupted, by a signal and by its minutes, and goes on to the same end."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = Path(cls.folder.name)
        for name, text in ROOM.items():
            (cls.root / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.root / name).write_text(text, encoding="ascii")
        (cls.root / "scripts").mkdir()
        shutil.copy(os.path.join(sys.argv[1], "mutate"), cls.root / "scripts/mutate")
        for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
            subprocess.run(["git", *words], cwd=cls.root, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, *words):
        return subprocess.Popen([sys.executable, self.root / "scripts/mutate", "--quick", "--seed", "7", *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run_it(self, *words):
        with self.start(*words) as draw:
            said = draw.communicate(timeout=300)
        return draw.returncode, said[0], said[1]

    @staticmethod
    def verdicts(text):
        return [re.sub(r" +\d+ s  ", " ", line) for line in text.split("\n") if re.match(r" *\d+ (killed|survived|does not compile|same code) ", line)]

    def test_it_goes_on_where_it_was_interrupted(self):
        code, whole, _ = self.run_it("--count", "4", "--least", "90")
        head, tree = whole.split("\n")[0], subprocess.run("git ls-tree -r HEAD src tests | sha256sum", shell=True, cwd=self.root,
                                                          capture_output=True, text=True, check=True).stdout.split()[0]
        self.assertEqual(head, f"draw: seed 7 (00000007) of tree {tree}; quick")
        self.assertEqual((code, len(self.verdicts(whole)) >= 4), (1, True), whole)
        self.assertRegex(whole, r"(?m)^seed 7: [1-3] of 4 killed")
        self.assertRegex(whole, r"(?m)^ +quick +demo_half$")
        self.assertRegex(whole, r"(?m)^ +slow +demo_slow$")

        log = self.root.parent / f"{self.root.name}.log"
        self.addCleanup(log.unlink)
        words = ("--count", "4", "--least", "90", "--log", str(log))
        with self.start(*words) as draw:
            for line in draw.stdout:
                if re.match(r" +\d+ ", line):
                    draw.send_signal(mutate.signal.SIGTERM)
                    break
            draw.communicate(timeout=300)
        self.assertEqual(draw.returncode, 143)
        first = log.read_text(encoding="utf-8")
        self.assertNotIn("seed 7:", first)
        log.write_text(first + "    2 surv", encoding="utf-8")  # the machine stopped while it wrote

        code, said, _ = self.run_it(*words, "--minutes", "0")
        self.assertEqual(code, 3, said)
        self.assertIn("killed so far; the same command goes on", said)
        code, said, _ = self.run_it(*words)
        self.assertEqual(code, 1)
        self.assertNotIn(" slow ", said)  # as the log has it
        there = log.read_text(encoding="utf-8")
        self.assertTrue(there.startswith(first))
        self.assertEqual(self.verdicts(there), self.verdicts(whole))
        self.assertEqual(there.split("seed 7: ")[1], whole.split("seed 7: ")[1])

        for more, says in (((), "has ended"), (("--seed", "8"), "is the log of another draw"), (("--near", str(self.root / "src")), "another draw")):
            code, _, why = self.run_it(*words, *more)
            self.assertEqual((code, log.read_text(encoding="utf-8")), (1, there))
            self.assertIn(says, why)

    def test_a_tree_with_changes_says_so(self):
        half, before = self.root / "src/demo/half.c", mutate.ROOT
        mutate.ROOT = self.root
        try:
            self.assertRegex(mutate.tree(), r"^\w{64}$")
            half.write_text(ROOM["src/demo/half.c"].replace("5", "6"), encoding="ascii")
            self.assertRegex(mutate.tree(), r"^\w{64}, changed$")
        finally:
            mutate.ROOT = before
            half.write_text(ROOM["src/demo/half.c"], encoding="ascii")


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
    is_draw = sys.argv[2:] == ["draw"]
    unittest.main(argv=sys.argv[:1], defaultTest="Draw" if is_draw else ("Mutations", "Again", "WhichTestsRunALine"))
