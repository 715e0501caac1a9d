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
# Where podman may start no container, as inside of another one, it still builds images.
BUILD = {"podman": ["--isolation", "chroot"], "docker": []}
# What the image must do; it is done while an image is built upon it, which works in more places than starting a container.
USE = f"""FROM {IMAGE}
RUN test "$(heddle --version)" && test -d /usr/local/share/heddle/experiments && heddle init
RUN heddle run leaf-spine.yaml --set workload.0.flows=50 --quiet || test $? -eq 1
RUN heddle report leaf-spine.db && test -s leaf-spine.html && heddle report leaf-spine.db --text | grep -q 'runs done'
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


def base():
    with open(TREE + "/Containerfile", encoding="utf-8") as file:
        return os.environ.get("HEDDLE_CONTAINER_BASE") or re.search(r"^ARG BASE=(\S+)$", file.read(), re.M).group(1)


class Image(unittest.TestCase):
    def test_it_builds_and_runs(self):
        self.build(TREE, TREE + "/Containerfile", IMAGE, "--network", "host", "--build-arg", f"BASE={base()}")
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/Containerfile", "w", encoding="utf-8") as file:
                file.write(USE)
            self.build(folder, folder + "/Containerfile", IMAGE + "-use", "--no-cache")

    def build(self, folder, file, name, *options):
        done = ran(TOOL, "build", *BUILD[TOOL], *options, "-f", file, "-t", name, folder)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-3000:])


if __name__ == "__main__":
    TOOL = tool()
    if not TOOL:
        print("skipped: neither podman nor docker works here")
        sys.exit(77)
    if ran(TOOL, "image", "inspect", base()).returncode != 0:
        print(f"skipped: there is no image {base()} on this machine, and tests pull none; $HEDDLE_CONTAINER_BASE names another")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
