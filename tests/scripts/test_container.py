#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The image of Containerfile builds, and the program in it runs an experiment.

usage: test_container.py TREE

Needs podman or docker, and an image to build upon: that of Containerfile, or the one that $HEDDLE_CONTAINER_BASE names. Nothing is
pulled: an image that is not on this machine is a reason to skip. Exit status 77: skipped, with the reason.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

TREE = sys.argv[1]
IMAGE = "localhost/heddle-test"
# podman in a container itself has no cgroups of its own to give.
BUILD = {"podman": ["--isolation", "chroot"], "docker": []}
RUN = {"podman": ["--cgroups", "disabled"], "docker": []}


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


def base():
    with open(TREE + "/Containerfile", encoding="utf-8") as file:
        return os.environ.get("HEDDLE_CONTAINER_BASE") or re.search(r"^ARG BASE=(\S+)$", file.read(), re.M).group(1)


class Image(unittest.TestCase):
    def test_it_builds_and_runs(self):
        built = ran(TOOL, "build", *BUILD[TOOL], "--network", "host", "--build-arg", f"BASE={base()}", "-f", TREE + "/Containerfile", "-t", IMAGE, TREE)
        self.assertEqual(built.returncode, 0, built.stderr[-3000:])
        with tempfile.TemporaryDirectory() as folder:
            in_image = [TOOL, "run", *RUN[TOOL], "--rm", "--network", "none", "-v", f"{folder}:/work", IMAGE]
            for words in (["init"], ["run", "leaf-spine.yaml", "--set", "workload.0.flows=50", "--quiet"], ["report", "leaf-spine.db"]):
                done = ran(*in_image, *words)
                self.assertIn(done.returncode, (0, 1) if words[0] == "run" else (0,), done.stderr)
            self.assertTrue(os.path.getsize(folder + "/leaf-spine.html") > 10000)
            self.assertIn("experiments", ran(TOOL, "run", *RUN[TOOL], "--rm", "--entrypoint", "ls", IMAGE, "/usr/local/share/heddle").stdout)


if __name__ == "__main__":
    TOOL = tool()
    if not TOOL:
        print("skipped: neither podman nor docker works here")
        sys.exit(77)
    if ran(TOOL, "image", "inspect", base()).returncode != 0:
        print(f"skipped: there is no image {base()} on this machine, and tests pull none; $HEDDLE_CONTAINER_BASE names another")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
