#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`meson install` into an empty prefix installs exactly the expected files, and they work from there.

usage: test_install.py TREE BUILD MESON [CASE ...]
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE, BUILD, MESON = sys.argv[1:4]


def ran(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def files_below(folder):
    return {os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names}


def option(name):
    return next(one["value"] for one in json.loads(ran(MESON, "introspect", "--buildoptions", BUILD)) if one["name"] == name)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.TemporaryDirectory(prefix="heddle-install-")
        cls.root = cls.made.name + "/root"
        ran(MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", cls.root)
        cls.prefix = cls.root + option("prefix")
        cls.heddle = cls.prefix + "/bin/heddle"
        cls.files = files_below(cls.root)

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()

    def below(self, folder):
        """Returns the names of the installed files below a folder of the prefix."""
        return files_below(os.path.join(self.prefix, folder))

    def test_everything_lies_under_the_prefix(self):
        self.assertEqual(files_below(self.prefix), {os.path.relpath(os.path.join(self.root, f), self.prefix) for f in self.files})

    def test_the_program_alone_is_in_bin(self):
        self.assertEqual(self.below("bin"), {"heddle"})
        module = {f for f in files_below(self.prefix) if f.endswith("/heddle/heddle-mpi.so")}
        self.assertEqual(len(module), os.path.exists(BUILD + "/heddle-mpi.so"))
        self.assertEqual({f.split("/")[0] for f in files_below(self.prefix) - module}, {"bin", "share"})

    def test_it_runs(self):
        self.assertRegex(ran(self.heddle, "--version"), r"^heddle \d+\.\d+\.\d+\n$")

    def test_a_man_page_for_each_subcommand(self):
        names = [n.replace(" ", "-") for n in re.findall(r"^  heddle (lab \w+|\w+)", ran(self.heddle, "--help"), re.M)]
        self.assertGreater(len(names), 9)
        self.assertEqual(self.below("share/man"), {"man1/heddle.1", "man1/heddle-lab.1", *(f"man1/heddle-{name}.1" for name in names)})
        for page in self.below("share/man"):
            self.assertTrue(ran("man", "-l", os.path.join(self.prefix, "share/man", page)).startswith("HEDDLE"))

    def test_completions_where_shells_look_for_them(self):
        for shell, place in {"bash": "bash-completion/completions/heddle", "zsh": "zsh/site-functions/_heddle",
                             "fish": "fish/vendor_completions.d/heddle.fish"}.items():
            with open(os.path.join(self.prefix, "share", place), encoding="utf-8") as file:
                self.assertEqual(file.read(), ran(self.heddle, "docs", shell))

    def test_all_experiments_with_their_records(self):
        ours = set(files_below(TREE + "/experiments"))
        self.assertLessEqual({"demo.yaml", "demo.record.json"}, ours)
        self.assertEqual(self.below("share/heddle/experiments"), ours)

    def test_the_schema_of_experiments(self):
        with open(os.path.join(self.prefix, "share/heddle/experiment.schema.json"), encoding="utf-8") as file:
            self.assertEqual(file.read(), ran(self.heddle, "docs", "schema"))

    def test_the_dissector(self):
        self.assertEqual(self.below("share/heddle/wireshark"), {"heddle.lua"})

    def test_the_bpf_program(self):
        self.assertEqual(self.below("share/heddle/bpf"), {"dctcp.bpf.c"})

    def test_the_python_module_reads_what_the_program_wrote(self):
        self.assertEqual(self.below("share/heddle/python"), {"heddle.py", "examples/three_plots.py"})
        script = ("import heddle; r = heddle.run('first.yaml'); print(len(r.runs), heddle.__file__)")
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/first.yaml", "w", encoding="utf-8") as file:
                file.write("fabric: {kind: star, hosts: 4}\nworkload: [{kind: permutation, sizes: 100KB}]\n")
            module = os.path.join(self.prefix, "share/heddle/python")
            out = ran(sys.executable, "-B", "-c", script, cwd=folder, env={**os.environ, "PYTHONPATH": module, "HEDDLE": self.heddle})
            self.assertEqual(out, f"1 {module}/heddle.py\n")

    def test_documents_licence_and_copyright(self):
        found = self.below("share/doc/heddle")
        self.assertLessEqual({"README.md", "CHANGELOG.md", "LICENSE", "copyright", "docs/guide.md", "docs/keys.md"}, found)
        self.assertNotIn("docs/architecture.md", found)

    def documents(self):
        """Yields (path, text without blocks of code) of each installed document."""
        for name in sorted(self.below("share/doc/heddle")):
            path = os.path.join(self.prefix, "share/doc/heddle", name)
            if name.endswith(".md"):
                with open(path, encoding="utf-8") as file:
                    yield path, file.read()

    def test_every_link_of_the_documents_leads_somewhere(self):
        links = 0
        for path, text in self.documents():
            text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.M | re.S)
            for link in re.findall(r"\]\(([^)#\s]+)", text):
                if not re.match(r"[a-z]+:", link):
                    links += 1
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), link)), f"{path}: {link}")
        self.assertGreater(links, 300)

    def test_a_document_that_names_a_file_of_the_source_tree_says_that_it_is_not_here(self):
        naming = [text for _, text in self.documents() if re.search(r"\b(src|tests|bench)/", re.sub(r"<!--.*?-->", "", text))]
        self.assertGreater(len(naming), 3)
        for text in naming:
            self.assertIn("in heddle's source tree, which is not installed.", text)

    def test_the_documents_name_no_script_of_the_source_tree(self):
        for path, text in self.documents():
            self.assertEqual(re.findall(r"[^\n]*(?:scripts/|\./check|\./demo|CONTRIBUTING)[^\n]*", text), [], path)

    def test_the_changelog_has_what_users_of_the_program_notice(self):
        with open(self.prefix + "/share/doc/heddle/CHANGELOG.md", encoding="utf-8") as file:
            text = file.read()
        with open(TREE + "/CHANGELOG.md", encoding="utf-8") as file:
            ours = file.read()
        self.assertGreater(text.count("\n* "), 0.8 * ours.count("\n* "))
        self.assertEqual(re.findall(r"^## .*", text, re.M), re.findall(r"^## .*", ours, re.M))
        self.assertEqual(re.findall(r"^### .*\n+(?=#)", text, re.M), [])  # a part without entries

    def test_an_installed_experiment_ends_as_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            experiment = self.prefix + "/share/heddle/experiments/spraypass/f1-illustration.yaml"
            ran(self.heddle, "run", experiment, "--profile", "small", "-q", cwd=folder)
            self.assertEqual(os.listdir(folder), ["f1-illustration.db"])
            ran(self.heddle, "report", "f1-illustration.db", cwd=folder)

    def test_an_installed_experiment_finds_its_base(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("sensitivity-algorithm1", "sensitivity-buffer", "sensitivity-dx"):
                file = f"share/heddle/experiments/expresspass/{name}.yaml"
                with open(os.path.join(self.prefix, file), encoding="utf-8") as text:
                    self.assertIn("\nbase: f", text.read())
                places = (self.prefix + "/" + file, f"{TREE}/experiments/expresspass/{name}.yaml")
                said = [ran(self.heddle, "check", p, "--profile", "small", cwd=folder).splitlines()[1] for p in places]
                self.assertIn("identity", said[0])
                self.assertEqual(said[0], said[1])

    def test_another_prefix_is_honoured(self):
        with tempfile.TemporaryDirectory() as folder:
            ran(MESON, "setup", "--prefix", "/opt/fabric", "-Dtests=false", "-Db_lto=false", folder, TREE)
            places = json.loads(ran(MESON, "introspect", "--installed", folder)).values()
            self.assertEqual([p for p in places if not p.startswith("/opt/fabric/")], [])
            self.assertIn("/opt/fabric/bin/heddle", places)
            with open(folder + "/compile_commands.json", encoding="utf-8") as file:
                self.assertIn("/opt/fabric/share/heddle", file.read())  # the man page names this path


if __name__ == "__main__":
    if not shutil.which("man"):
        print("skipped: man is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
