#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian package: its sources, and with `build` the package that scripts/package builds.

usage: test_package.py TREE [build]    (exit status 77 where dpkg-dev is missing)
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = sys.argv[1]


def ran(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def read(name):
    with open(os.path.join(TREE, name), encoding="utf-8") as file:
        return file.read()


def project_version():
    return re.search(r"^  version: '(.*)'", read("meson.build"), re.M).group(1)


def packages_of(name):
    """Returns the packages of a set of scripts/install-deps."""
    return ran(TREE + "/scripts/install-deps", "--list", name).split()


class Made(unittest.TestCase):
    def changelog(self, tree):
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(ran(os.path.join(tree, "scripts/debian-changelog")))
            file.flush()
            return ran("dpkg-parsechangelog", "-l", file.name, "--all")

    def test_the_changelog_is_that_of_the_version(self):
        text = self.changelog(TREE)
        self.assertIn(f"\nVersion: {project_version()}\n", text)
        self.assertIn("heddle run: experiments in YAML", text)

    def test_another_version_than_the_newest_release_is_refused(self):
        with tempfile.TemporaryDirectory() as tree:
            for name in ("scripts/debian-changelog", "debian/control", "CHANGELOG.md", "meson.build"):
                os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
                shutil.copy(os.path.join(TREE, name), os.path.join(tree, name))
            with open(tree + "/meson.build", "w", encoding="utf-8") as file:
                file.write(read("meson.build").replace(f"version: '{project_version()}'", "version: '99.0.0'"))
            done = subprocess.run([tree + "/scripts/debian-changelog"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("its newest release is not 99.0.0", done.stderr)

    def test_build_dependencies_are_those_of_the_build(self):
        wanted = re.search(r"^Build-Depends:\n((?: .*\n)+)", read("debian/control"), re.M).group(1)
        wanted = {re.sub(r"[,(].*", "", line).strip() for line in wanted.splitlines()}
        build = set(packages_of("build"))
        # The package build makes no targets for tests. Debian's builders have a compiler, and meson brings ninja.
        self.assertEqual(wanted - {"debhelper-compat", "python3"},
                         build - {"libcmocka-dev", "gcc", "libc6-dev", "ninja-build"})


class Built(unittest.TestCase):
    def test_scripts_package(self):
        with tempfile.TemporaryDirectory() as folder:
            out = ran(TREE + "/scripts/package", folder + "/out")
            self.assertNotIn("\nE: ", out)  # an error of lintian
            self.assertNotIn("\nW: ", out)
            deb = re.search(r"^package: (.*)$", out, re.M).group(1)
            self.assertEqual(ran("dpkg-deb", "--field", deb, "Version").strip(), project_version())
            self.assertIn("libsqlite3-0", ran("dpkg-deb", "--field", deb, "Depends"))
            ran("dpkg-deb", "--extract", deb, folder + "/root")
            self.assertEqual(ran(folder + "/root/usr/bin/heddle", "--version"), f"heddle {project_version()}\n")
            for name in ("bin/heddle", "share/man/man1/heddle-run.1.gz", "share/bash-completion/completions/heddle",
                         "share/zsh/vendor-completions/_heddle", "share/fish/vendor_completions.d/heddle.fish",
                         "share/heddle/experiments/demo.yaml", "share/heddle/experiment.schema.json", "share/heddle/python/heddle.py", "share/doc/heddle/copyright",
                         "share/doc/heddle/changelog.gz", "share/doc/heddle/docs/guide.md"):
                self.assertTrue(os.path.isfile(f"{folder}/root/usr/{name}"), name)


if __name__ == "__main__":
    if not shutil.which("dpkg-parsechangelog"):
        print("skipped: dpkg-dev is not installed")
        sys.exit(77)
    cases = Built if sys.argv[2:] == ["build"] else Made
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(cases))
    sys.exit(0 if result.wasSuccessful() else 1)
