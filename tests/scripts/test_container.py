#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The image of Containerfile builds, the program in it runs an experiment, and a container of it does so as the guide writes.

usage: test_container.py TREE

Needs podman or docker, and an image to build upon: that of Containerfile, or the one that $HEDDLE_CONTAINER_BASE names. Without
one, debootstrap makes it from the mirror of Debian, as root; no image is pulled from a registry. What the test makes it removes. Exit status
77: skipped, with the reason; where images can be built but no container starts, that part alone is skipped, with the reason.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = sys.argv[1]
IMAGE, MADE_BASE = "localhost/heddle-test", "localhost/heddle-test-base"
MIRROR = "http://deb.debian.org/debian"
# Where podman may start no container, as inside of another one, it still builds images.
BUILD = {"podman": ["--isolation", "chroot", "--layers=false"], "docker": []}
# Engines ask for more files and processes than a container inside of another one may have.
SETTINGS = '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n'
RUN = {"podman": ["--network", "none", "--pull", "never"], "docker": ["--network", "none", "--ulimit", "nofile=1024:1024"]}
# What the image must do; it is done while an image is built upon it, which works in more places than starting a container.
USE = f"""FROM {IMAGE}
RUN test "$(heddle --version)" && test -d /usr/local/share/heddle/experiments && heddle init
RUN heddle run leaf-spine.yaml --set workload.0.flows=50 --quiet || test $? -eq 1
RUN heddle report leaf-spine.db && test -s leaf-spine.html && heddle report leaf-spine.db --text | grep -q 'runs done'
RUN heddle plot leaf-spine.db fct_us.mice.mean by switch.balance --figures . && test -s *.png
"""


def ran(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


def tool():
    """Returns the container tool of this machine that works, or None."""
    for name in ("podman", "docker"):
        try:
            if ran(name, "images").returncode == 0:
                return name
        except FileNotFoundError:
            pass
    return None


def named_base():
    with open(TREE + "/Containerfile", encoding="utf-8") as file:
        return os.environ.get("HEDDLE_CONTAINER_BASE") or re.search(r"^ARG BASE=(\S+)$", file.read(), re.M).group(1)


def is_there(image):
    return ran(TOOL, "image", "inspect", image).returncode == 0


def bootstrapped():
    """Makes an image of a new root of Debian 12; returns why it could not, or None."""
    if not shutil.which("debootstrap"):
        return "debootstrap, which makes another, is not installed"
    if os.geteuid() != 0:
        return "debootstrap, which makes another, needs root"
    with tempfile.TemporaryDirectory() as folder:
        done = ran("debootstrap", "--variant=minbase", "bookworm", folder + "/root", MIRROR)
        if done.returncode != 0:
            return f"debootstrap makes no other from {MIRROR}: {(done.stdout + done.stderr).strip().splitlines()[-1]}"
        with subprocess.Popen(["tar", "-C", folder + "/root", "-c", "."], stdout=subprocess.PIPE) as tar:
            done = subprocess.run([TOOL, "import", "-", MADE_BASE], stdin=tar.stdout, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{TOOL} imports no root: {done.stderr.strip()}"


class Image(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        ran(TOOL, "rmi", "-f", IMAGE + "-use", IMAGE)

    def build(self, folder, file, name, *options):
        done = ran(TOOL, "build", *BUILD[TOOL], *options, "-f", file, "-t", name, folder)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-3000:])

    def test_1_it_builds_and_runs(self):
        self.build(TREE, TREE + "/Containerfile", IMAGE, "--network", "host", "--build-arg", f"BASE={BASE}")
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/Containerfile", "w", encoding="utf-8") as file:
                file.write(USE)
            self.build(folder, folder + "/Containerfile", IMAGE + "-use", "--no-cache")

    def test_2_a_container_runs_an_experiment_of_this_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            settings = folder + "/containers.conf"
            with open(settings, "w", encoding="ascii") as file:
                file.write(SETTINGS + ('runtime = "runc"\n' if shutil.which("runc") else ""))
            shutil.copy(TREE + "/experiments/first.yaml", folder)
            run = [TOOL, "run", "--rm", *RUN[TOOL], "-v", folder + ":/work", IMAGE]
            env = {**os.environ, "CONTAINERS_CONF": settings}
            started = ran(*run, "--version", env=env)
            if started.returncode in (125, 126, 127):
                self.skipTest(f"{TOOL} starts no container here: {started.stderr.strip().splitlines()[-1]}")
            done = ran(*run, "run", "first.yaml", "--profile", "small", env=env)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("claims: 1 holds", done.stdout)
            self.assertTrue(os.path.getsize(folder + "/first.db") > 0)


if __name__ == "__main__":
    TOOL = tool()
    if not TOOL:
        print("skipped: neither podman nor docker works here")
        sys.exit(77)
    BASE = named_base()
    if not is_there(BASE):
        why = bootstrapped()
        if why:
            print(f"skipped: there is no image {BASE} on this machine, tests pull none ($HEDDLE_CONTAINER_BASE names another), and {why}")
            sys.exit(77)
        BASE = MADE_BASE
    program = unittest.main(argv=sys.argv[:1], verbosity=2, exit=False)
    ran(TOOL, "rmi", "-f", MADE_BASE)
    sys.exit(not program.result.wasSuccessful())
