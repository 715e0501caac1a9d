#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completion in real shells: bash, zsh and fish.

usage: test_complete.py HEDDLE bash|zsh|fish    (exit status 77 where the shell is missing)
"""
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HEDDLE = os.path.realpath(sys.argv[1])
SHELL = sys.argv[2]

PROMPT = "ready>"
EXPERIMENT = """\
fabric: {kind: star, hosts: 4}
workload: {kind: permutation, sizes: 10KB}
"""
# A fabric whose size a profile changes.
PROFILED = EXPERIMENT.replace("star, hosts: 4", "leaf-spine, leaves: 3, spines: 2, hosts: 2") + """\
profiles:
  small: {fabric: {leaves: 2}}
  "a $(touch made) name": {run: {seed: 3}}
"""
SWITCHES = ["leaf0", "leaf1", "leaf2", "spine0", "spine1"]
FILES = ["first.yaml", "second one.yaml", "first.db", "second.db", "first.html", "leaf0.pcapng", "notes.txt",
         "more/third.yaml", "more/leaf1.pcapng"]


LAB = f"c{os.getpid()}"
RECORD = {"name": LAB, "id": "0", "switches": f"heddle-{LAB}.switches", "n_switches": 1,
          "hosts": [{"name": f"h{i}", "namespace": f"heddle-{LAB}.h{i}", "address": f"10.0.0.{i}"} for i in (1, 2)],
          "nodes": [{"name": name, "address": ""} for name in ("h1", "h2", f"s{LAB}")],
          "links": [{"name": f"h{i}-s{LAB}", "ends": [i - 1, 2]} for i in (1, 2)]}


def ran(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


def commands():
    return [n.replace(" ", "-") for n in re.findall(r"^  heddle (lab \w+|\w+)", ran(HEDDLE, "--help").stdout, re.M)]


def first_words():
    return sorted({name.split("-")[0] for name in commands()})


def actions():
    return sorted(name.split("-")[1] for name in commands() if "-" in name)


def options_of(name):
    return sorted(re.findall(r"^  (?:-\w, |    )(--[a-z]+(?:-[a-z]+)*)", ran(HEDDLE, name, "--help").stdout, re.M))


class Folder(unittest.TestCase):
    """A test case with a folder of files; `heddle` and the completion of the shell lie outside it."""

    def setUp(self):
        self.made = tempfile.TemporaryDirectory(prefix="heddle-complete-")
        self.addCleanup(self.made.cleanup)
        self.folder, self.bin = os.path.join(self.made.name, "here"), os.path.join(self.made.name, "bin")
        os.makedirs(os.path.join(self.folder, "more"))
        os.makedirs(self.bin)
        os.symlink(HEDDLE, os.path.join(self.bin, "heddle"))
        for name in FILES:
            self.write(name, EXPERIMENT)
        self.write("profiled.yml", PROFILED)
        self.write("profiled experiment.yml", PROFILED)
        self.script = os.path.join(self.bin, "_heddle")
        with open(self.script, "w", encoding="utf-8") as file:
            file.write(ran(HEDDLE, "docs", SHELL).stdout)
        self.environment = {"PATH": self.bin + ":/usr/bin:/bin", "HOME": self.made.name, "TERM": "dumb",
                            "LC_ALL": "C.UTF-8", "PS1": PROMPT}

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def record_a_lab(self):
        """Writes the record of a lab, as heddle lab up does, for as long as the test lasts."""
        run = self.made.name
        if os.geteuid() == 0:
            run = "/run"
        else:
            self.environment["XDG_RUNTIME_DIR"] = run
        folder = os.path.join(run, "heddle", "labs", LAB)
        os.makedirs(folder)
        self.addCleanup(shutil.rmtree, folder)
        with open(os.path.join(folder, "lab.json"), "w", encoding="ascii") as file:
            json.dump(RECORD, file)

    def typed(self, arguments, setup, keys):
        """Types the keys into an interactive shell; returns its output."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execve(shutil.which(arguments[0]), arguments, self.environment)
        text, prompts, deadline = "", 0, time.monotonic() + 60
        lines = [setup, keys, "exit"]
        while time.monotonic() < deadline:
            if lines and text.count(PROMPT) > prompts:
                prompts = text.count(PROMPT)
                os.write(terminal, (lines.pop(0) + "\n").encode())
            if not select.select([terminal], [], [], 0.5)[0]:
                continue
            try:
                text += os.read(terminal, 65536).decode(errors="replace")
            except OSError:  # the shell has ended
                break
        else:
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)
        return text


class Candidates(Folder):
    """Cases that are the same in shells whose completed(line) returns the candidates."""

    def test_parts_of_a_lab(self):
        self.record_a_lab()
        self.assertEqual(self.completed(f"heddle lab down --name {LAB[:-1]}"), [LAB])
        for line, names in ((f"exec --name {LAB} ", ["h1", "h2", "switches"]),
                            (f"capture --name {LAB} h1", [f"h1-s{LAB}"]),
                            (f"impair --name {LAB} h", [f"h1-s{LAB}", f"h2-s{LAB}"]),
                            (f"link down --name {LAB} h2", [f"h2-s{LAB}"]),
                            (f"switch down --name {LAB} s", [f"s{LAB}"])):
            self.assertEqual(self.completed("heddle lab " + line), names)
        self.assertEqual(self.completed(f"heddle status s{LAB[:-1]}"), [f"s{LAB}"])
        self.assertEqual(self.completed(f"heddle status --name {LAB} h"), ["h1", "h2"])

    def test_a_command_of_two_words(self):
        self.assertGreater(len(actions()), 5)
        self.assertEqual(self.completed("heddle lab "), actions())
        self.assertEqual(self.completed("heddle lab u"), ["up"])
        self.assertEqual(self.completed("heddle lab --"), ["--help"])
        self.assertEqual(self.completed("heddle lab up f"), ["first.yaml"])
        self.assertEqual(self.completed("heddle lab-up f"), ["first.yaml"])
        self.assertEqual(self.completed("heddle lab link "), ["down", "up"])
        self.assertEqual(self.completed("heddle lab up --nic "), ["auto", "off", "on"])
        self.assertEqual(self.completed("heddle lab up profiled.yml --profile s"), ["small"])


class Bash(Candidates):
    def completed(self, line):
        """Returns the candidates for the end of `line` that the completion function passes to readline."""
        words = []
        for word in line.split(" "):
            words += [part for part in re.split(r"([=:]+)", word) if part] or [""]
        program = (f'source "{self.script}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle "$1"; '
                   r'for one in "${COMPREPLY[@]}"; do printf "%s\n" "$one"; done')
        done = ran("bash", "-c", program, "bash", *words, cwd=self.folder, env=self.environment)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.split("\n")[:-1])

    def test_subcommands(self):
        self.assertEqual(self.completed("heddle "), first_words())
        self.assertEqual(self.completed("heddle ru"), ["run"])
        self.assertEqual(self.completed("heddle flow"), ["flow", "flows"])
        self.assertEqual(self.completed("heddle --"), ["--help", "--version"])
        self.assertEqual(self.completed("heddle help re"), ["replay", "report"])

    def test_options_are_those_of_the_help(self):
        for name in commands():
            with self.subTest(name):
                self.assertEqual(self.completed(f"heddle {name} --"), options_of(name))
                self.assertEqual(self.completed(f"heddle {name.replace('-', ' ')} --"), options_of(name))
        self.assertEqual(self.completed("heddle run --j"), ["--jobs", "--json", "--judge"])

    def test_files_by_their_suffix(self):
        self.assertEqual(self.completed("heddle run "), ["first.yaml", "more", "second one.yaml"])
        self.assertEqual(self.completed("heddle check f"), ["first.yaml"])
        self.assertEqual(self.completed("heddle run more/"), ["more/third.yaml"])
        self.assertEqual(self.completed("heddle flows "), ["first.db", "more", "second.db"])
        self.assertEqual(self.completed("heddle report first.db s"), ["second.db"])
        self.assertEqual(self.completed("heddle report first.db -o f"), ["first.html"])
        self.assertEqual(self.completed("heddle export first.db --csv "), ["more"])

    def test_values_of_options(self):
        self.assertEqual(self.completed("heddle run first.yaml -o f"), ["first.db"])
        self.assertEqual(self.completed("heddle run first.yaml --out=s"), ["second.db"])
        self.assertEqual(self.completed("heddle run first.yaml --out="), ["first.db", "more", "second.db"])
        self.assertEqual(self.completed("heddle run first.yaml -j "), [])
        self.assertEqual(self.completed("heddle replay first.yaml --in a"), ["all="])
        self.assertEqual(self.completed("heddle replay first.yaml --in all=l"), ["leaf0.pcapng"])
        self.assertEqual(self.completed("heddle replay first.yaml --in all=more/"), ["more/leaf1.pcapng"])

    def test_a_value_is_no_argument(self):
        self.assertEqual(self.completed("heddle run --out first.db f"), ["first.yaml"])
        self.assertEqual(self.completed("heddle run --out=first.db f"), ["first.yaml"])
        self.assertEqual(self.completed("heddle flow --run 3 f"), ["first.db"])
        self.assertEqual(self.completed("heddle flow first.db "), [])
        self.assertEqual(self.completed("heddle run -- -"), [])

    def test_after_the_last_argument_come_options(self):
        self.assertIn("--jobs", self.completed("heddle run first.yaml "))

    def test_names_come_from_the_program(self):
        self.assertEqual(self.completed("heddle show exped"), ["expeditus"])
        self.assertIn("web-search", self.completed("heddle show "))
        self.assertEqual(self.completed("heddle list ba"), ["balance"])
        self.assertEqual(self.completed("heddle docs z"), ["zsh"])

    def test_settings_and_their_choices(self):
        self.assertEqual(self.completed("heddle run first.yaml --set switch.crossbar="), ["islip", "output-queued"])
        self.assertEqual(self.completed("heddle run first.yaml --set switch.crossbar=i"), ["islip"])
        self.assertEqual(self.completed("heddle run first.yaml --set=switch.crossbar=i"), ["islip"])
        self.assertEqual(self.completed("heddle run first.yaml --set run.unt"), ["run.until="])
        self.assertEqual(self.completed("heddle run first.yaml --set a=1 --set run.unt"), ["run.until="])

    def test_profiles_of_the_file(self):
        self.assertEqual(self.completed("heddle run profiled.yml --profile s"), ["small"])
        self.assertEqual(self.completed("heddle run profiled.yml --set run.seed=2 --profile=s"), ["small"])
        self.assertEqual(self.completed("heddle check profiled.yml --profile t"), [])
        self.assertEqual(self.completed("heddle check first.yaml --profile "), [])
        self.assertEqual(self.completed("heddle check --profile "), [])
        self.assertEqual(self.completed("heddle run profiled.yml --profile "), [r"a\ \$\(touch\ made\)\ name", "small"])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "made")))

    def test_switches_of_the_fabric(self):
        self.assertEqual(self.completed("heddle replay profiled.yml --node "), SWITCHES)
        self.assertEqual(self.completed("heddle replay profiled.yml --node=s"), ["spine0", "spine1"])
        self.assertEqual(self.completed("heddle replay profiled.yml --in all=x.pcapng --profile small --node l"),
                         ["leaf0", "leaf1"])
        self.assertEqual(self.completed("heddle replay profiled.yml --set fabric.leaves=1 --node l"), ["leaf0"])
        self.assertEqual(self.completed("heddle replay none.yml --node "), [])

    def test_in_an_interactive_shell(self):
        shell = ["bash", "--norc", "--noprofile", "-i"]
        setup = f"source {self.script}"
        self.assertIn("expeditus (", self.typed(shell, setup, "heddle show exped\t"))
        self.assertIn("crossbar: islip", self.typed(shell, setup, "heddle che\tfi\t--set switch.cross\ti\t"))
        self.assertIn("leaves: 2", self.typed(shell, setup, "heddle check profiled\\ experiment.yml --profile s\t"))
        self.assertIn("leaves: 2", self.typed(shell, setup, "heddle check ~/here/profiled.yml --profile s\t"))


class Zsh(Folder):
    def test_the_script_parses(self):
        self.assertEqual(ran("zsh", "-n", self.script).stderr, "")

    def test_in_an_interactive_shell(self):
        self.record_a_lab()
        setup = f"fpath=({self.bin} $fpath); autoload -U compinit; compinit -u -D"
        for keys, shown in [("heddle show exped\t", "expeditus ("),
                            ("heddle che\tfi\t--set switch.cross\ti\t", "crossbar: islip"),
                            ("heddle che\t--js\tfi\t", '"packet_hops"'),
                            ("heddle la\tcap\tnone:0 x.pcapng --sec\t0", "--seconds 0: write a number"),
                            ("heddle la\tup profiled.yml --profile s\t--none", "--profile small"),
                            (f"heddle lab link down --name {LAB} h2\t", f"h2-s{LAB}"),
                            ("heddle check profiled\\ experiment.yml --profile s\t", "leaves: 2"),
                            ("heddle check ~/here/profiled.yml --profile s\t", "leaves: 2"),
                            ("heddle replay profiled.yml --in all=none.pcapng -o out --node sp\t1", "spine1")]:
            with self.subTest(keys):
                self.assertIn(shown, self.typed(["zsh", "-f", "-i"], setup, keys))


class Fish(Candidates):
    def completed(self, line):
        done = ran("fish", "--no-config", "-c", f"source {self.script}; complete -C '{line}'", cwd=self.folder,
                   env=self.environment)
        self.assertEqual(done.stderr, "")
        return sorted(row.split("\t")[0] for row in done.stdout.splitlines())

    def test_subcommands_and_options(self):
        self.assertEqual(self.completed("heddle "), first_words())
        for name in commands():
            with self.subTest(name):
                for line in (name, name.replace("-", " ")):
                    found = self.completed(f"heddle {line} --")
                    self.assertEqual(sorted(one.rstrip("=") for one in found), options_of(name))

    def test_files_by_their_suffix(self):
        self.assertEqual(self.completed("heddle run "), ["first.yaml", "more/", "second one.yaml"])
        self.assertEqual(self.completed("heddle run more/"), ["more/third.yaml"])
        self.assertEqual(self.completed("heddle report first.db s"), ["second.db"])
        self.assertEqual(self.completed("heddle run first.yaml -o f"), ["first.db"])
        self.assertEqual(self.completed("heddle run first.yaml --out=s"), ["--out=second.db"])
        self.assertEqual(self.completed("heddle replay first.yaml --in all=l"), ["all=leaf0.pcapng"])

    def test_names_come_from_the_program(self):
        self.assertEqual(self.completed("heddle show exped"), ["expeditus"])
        self.assertEqual(self.completed("heddle list ba"), ["balance"])
        self.assertEqual(self.completed("heddle docs zs"), ["zsh"])
        self.assertEqual(self.completed("heddle run first.yaml --set switch.crossbar="),
                         ["switch.crossbar=islip", "switch.crossbar=output-queued"])

    def test_profiles_and_switches_of_the_file(self):
        self.assertEqual(self.completed("heddle run profiled.yml --profile s"), ["small"])
        self.assertEqual(self.completed("heddle run profiled\\ experiment.yml --profile=s"), ["--profile=small"])
        self.assertEqual(self.completed("heddle run ~/here/profiled.yml --profile s"), ["small"])
        self.assertEqual(self.completed("heddle check first.yaml --profile "), [])
        self.assertEqual(self.completed("heddle replay profiled.yml --node "), SWITCHES)
        self.assertEqual(self.completed("heddle replay profiled.yml --profile small --node l"), ["leaf0", "leaf1"])


if __name__ == "__main__":
    if not shutil.which(SHELL):
        print(f"skipped: {SHELL} is not installed")
        sys.exit(77)
    cases = {"bash": Bash, "zsh": Zsh, "fish": Fish}[SHELL]
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(cases))
    sys.exit(0 if result.wasSuccessful() else 1)
