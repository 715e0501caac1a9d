# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of labs: a test case that makes and removes labs, and a main() that skips without namespaces.

argv[1] of each test is the program. Labs have the test's process id in their name, so several tests may run side by side.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HEDDLE = os.path.realpath(sys.argv[1])
NAME = f"t{os.getpid()}"
TRAFFIC = os.path.join(os.path.dirname(os.path.realpath(__file__)), "traffic.py")

CLOS = "fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 2, rate: 1Gbps}"
LEAVES = "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 1Gbps}"


def heddle(*words, **options):
    return subprocess.run([HEDDLE, *words], capture_output=True, text=True, check=False, timeout=240, **options)


def missing():
    """Returns the reason why labs cannot be made here; None if they can."""
    if os.geteuid() != 0:
        return "not root"
    name = f"heddle-{NAME}.probe"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode != 0:
        return "no network namespaces"
    subprocess.run(["ip", "netns", "del", name], check=False)
    return None


class LabTest(unittest.TestCase):
    """A test case with a temporary folder, and with labs that end with the test."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.labs = []

    def tearDown(self):
        for name in self.labs:
            heddle("lab", "down", "--name", name)
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def path_of(self, *tools):
        """Makes a folder with links to these programs; returns an environment whose PATH is that folder alone."""
        folder = self.path("-".join(("bin", *tools)))
        os.mkdir(folder)
        for tool in tools:
            os.symlink(shutil.which(tool), os.path.join(folder, tool))
        return {**os.environ, "PATH": folder}

    def file(self, fabric=CLOS, rest="switch: {balance: ecmp}"):
        with open(self.path("lab.yaml"), "w", encoding="ascii") as out:
            out.write(f"title: a lab\n{fabric}\n{rest}\n")
        return self.path("lab.yaml")

    def up(self, file, *words, name=NAME):
        self.labs.append(name)
        made = heddle("lab", "up", file, "--name", name, *words)
        self.assertEqual(made.returncode, 0, made.stderr)
        return made.stdout

    def on(self, host, *words, name=NAME):
        return heddle("lab", "exec", "--name", name, host, *words)

    def status(self, name=NAME):
        said = heddle("lab", "status", "--name", name, "--json")
        self.assertEqual(said.returncode, 0, said.stderr)
        return json.loads(said.stdout)

    def link(self, action, link):
        said = heddle("lab", "link", action, link, "--name", NAME)
        self.assertEqual(said.returncode, 0, said.stderr)

    def until_equal(self, get, expected, seconds=20):
        """Waits until get() is `expected`: what has been asked for happens in other processes, and when is the machine's affair."""
        end = time.monotonic() + seconds
        while (value := get()) != expected and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(value, expected)

    def assert_reaches(self, host, address, name=NAME):
        said = self.on(host, "ping", "-c", "2", "-i", "0.05", "-W", "2", address, name=name)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)

    def assert_gone(self, name=NAME):
        self.assertNotIn(f"heddle-{name}.", subprocess.run(["ip", "netns"], capture_output=True, text=True,
                                                          check=True).stdout)
        self.assertFalse(os.path.exists(f"/run/heddle/labs/{name}"))


def in_time(test):
    """Gives a test of timing three tries, each with a lab of its own. If the machine stalls for longer than the room above a
    pause threshold lasts (10 ms at 100 Mbps), frames are lost through no fault of the code."""
    def tries(self):
        for _ in range(2):
            try:
                return test(self)
            except AssertionError as why:
                print(f"{test.__name__}: once more: {str(why).splitlines()[0]}", file=sys.stderr)
                self.tearDown()
                self.setUp()
        return test(self)
    return tries


def run_tests(why, arguments=2, **options):
    """Runs the tests of the program. If `why` gives a reason why they cannot run here, exits with status 77, "skipped".

    Command-line words after the first `arguments` go to unittest, except --all."""
    if why:
        print(f"skipped: {why}")
        sys.exit(77)
    words = [word for word in sys.argv[arguments:] if word != "--all"]
    unittest.main(argv=sys.argv[:1] + words, verbosity=2, **options)
