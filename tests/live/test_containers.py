#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hosts of a lab that are containers, with podman and with docker where they are to be had.

The image is made here, from scratch and the static busybox of this machine; nothing is pulled. Images and containers lie in a
temporary folder of the test; docker's engine, if it is installed, is started for the test alone.

usage: test_containers.py HEDDLE    (exit status 77, saying why, where namespaces or containers cannot be made)
"""
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

from labs import HEDDLE, NAME, LabTest, heddle, missing, run_tests

IMAGE, SHORT = "localhost/heddle-test", "localhost/heddle-short"
APPLETS = ["sh", "sleep", "ping", "cat", "ls", "hostname", "ip", "true", "nslookup"]
FABRIC = """nodes: [{name: s1, tier: leaf}, {name: h1, tier: host}, {name: h2, tier: host}, {name: g3, tier: host}]
links: [{a: s1, b: h1, rate: 1Gbps, delay: 1us}, {a: s1, b: h2, rate: 1Gbps, delay: 1us}, {a: s1, b: g3, rate: 1Gbps, delay: 1us}]
"""


def ran(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=120, **options)


def busybox():
    """Returns the path of a static busybox; None if there is none."""
    path = shutil.which("busybox")
    return path if path and "not a dynamic executable" in (lambda said: said.stdout + said.stderr)(ran("ldd", path)) else None


class Tool:
    """A container tool with a store of its own below `folder`."""

    def __init__(self, folder):
        self.folder, self.path = folder, shutil.which(self.name)
        self.env = {}

    def begin(self):
        """Returns why the tool does not work here; None if it does."""

    def end(self):
        """Ends what begin started."""

    def said(self, *words):
        return ran(self.path, *words, env={**os.environ, **self.env})

    def make_images(self):
        """Returns why no image could be made."""
        context = os.path.join(self.folder, "context")
        rootfs = os.path.join(context, "rootfs.tar")
        os.mkdir(context)
        with tarfile.open(rootfs, "w") as tar:
            tar.add(busybox(), "bin/busybox")
            for applet in APPLETS:
                link = tarfile.TarInfo("bin/" + applet)
                link.type, link.linkname = tarfile.SYMTYPE, "busybox"
                tar.addfile(link)
        for image, command in ((IMAGE, '["sleep", "3600"]'), (SHORT, '["true"]')):
            with open(os.path.join(context, "Dockerfile"), "w", encoding="ascii") as file:
                file.write(f'FROM scratch\nADD rootfs.tar /\nENV PATH=/bin\nCMD {command}\n')
            made = self.said("build", "-q", "-t", image, context)
            if made.returncode != 0:
                return f"{self.name} makes no image: {made.stderr.strip().splitlines()[-1]}"
        done = self.said("run", "--rm", "--network", "none", "--pull", "never", IMAGE, "true")
        return None if done.returncode == 0 else f"{self.name} runs no container: {done.stderr.strip().splitlines()[-1]}"


class Podman(Tool):
    name = "podman"

    def begin(self):
        store, settings = os.path.join(self.folder, "storage.conf"), os.path.join(self.folder, "containers.conf")
        with open(store, "w", encoding="ascii") as file:
            file.write(f'[storage]\ndriver = "overlay"\nrunroot = "{self.folder}/run"\ngraphroot = "{self.folder}/root"\n')
        with open(settings, "w", encoding="ascii") as file:
            file.write('[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[engine]\ncgroup_manager = "cgroupfs"\n'
                       f'events_logger = "none"\n{"runtime = " + chr(34) + "runc" + chr(34) if shutil.which("runc") else ""}\n')
        self.env = {"CONTAINERS_STORAGE_CONF": store, "CONTAINERS_CONF": settings}
        return self.make_images()

    def end(self):
        ran("umount", os.path.join(self.folder, "root", "overlay"))


class Docker(Tool):
    name = "docker"

    def begin(self):
        if not shutil.which("dockerd"):
            return "docker has no engine here (dockerd)"
        at = f"unix://{self.folder}/docker.sock"
        with open(os.path.join(self.folder, "engine.log"), "w", encoding="utf-8") as log:
            self.engine = subprocess.Popen(
                ["dockerd", "--iptables=false", "--ip6tables=false", "--bridge=none", "--data-root", self.folder + "/root",
                 "--exec-root", self.folder + "/exec", "--pidfile", self.folder + "/pid", "--host", at,
                 "--default-ulimit", "nofile=1024:1024"], stdout=log, stderr=log)
        self.env = {"DOCKER_HOST": at, "DOCKER_BUILDKIT": "0"}
        end = time.monotonic() + 60
        while self.said("version").returncode != 0:
            if self.engine.poll() is not None or time.monotonic() > end:
                return "the engine of docker does not start"
            time.sleep(0.2)
        return self.make_images()

    def end(self):
        if hasattr(self, "engine"):
            self.engine.terminate()
            try:
                self.engine.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.engine.kill()
                self.engine.wait()


class Containers:
    """The tests, for the tool `kind`."""
    kind = None

    @classmethod
    def setUpClass(cls):
        if not shutil.which(cls.kind.name):
            raise unittest.SkipTest(f"{cls.kind.name} is not installed")
        cls.store = tempfile.TemporaryDirectory(prefix="heddle-containers-", ignore_cleanup_errors=True)
        cls.tool = cls.kind(cls.store.name)
        why = cls.tool.begin()
        if why:
            cls.tearDownClass()
            raise unittest.SkipTest(why)
        os.environ.update(cls.tool.env)

    @classmethod
    def tearDownClass(cls):
        cls.tool.end()
        cls.store.cleanup()
        for key in cls.tool.env:
            os.environ.pop(key, None)

    def container_file(self, image=IMAGE, match="h*"):
        with open(self.path("own.fabric"), "w", encoding="ascii") as out:
            out.write(FABRIC)
        return self.file(f"fabric: {{kind: file, path: {self.path('own.fabric')}}}",
                         f'lab: {{tool: {self.tool.name}, hosts: [{{match: "{match}", image: {image}}}]}}')

    def names(self, *more):
        return sorted(self.tool.said("ps", "--format", "{{.Names}}", *more).stdout.split())

    def assert_nothing_left(self):
        self.assert_gone()
        self.assertEqual(self.names("--all"), [])
        self.assertEqual([link for link in os.listdir("/etc/netns") if link.startswith(f"heddle-{NAME}.")], [])

    def test_containers_are_hosts(self):
        self.up(self.container_file())
        self.assertEqual(self.names(), [f"heddle-{NAME}.h1", f"heddle-{NAME}.h2"])
        for host, other in (("h1", "h2"), ("h1", "g3"), ("g3", "h2")):
            said = self.on(host, "ping", "-c", "2", "-W", "2", other)
            self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        self.assertEqual(self.on("h1", "hostname").stdout, "h1\n")
        self.assertEqual(self.on("h1", "ls", "/bin").stdout.split(), sorted(APPLETS + ["busybox"]))  # the image's files
        self.assertIn("10.0.0.1/32", self.on("h1", "ip", "addr", "show", "eth0").stdout)
        self.assertEqual(subprocess.run([HEDDLE, "lab", "exec", "--name", NAME, "h2", "cat"], input="as it is\n", capture_output=True,
                                        text=True, check=True).stdout, "as it is\n")
        self.assertEqual(self.on("h1", "sh", "-c", "exit 5").returncode, 5)
        self.assertIn(self.on("h1", "no-such-program").returncode, (126, 127))  # docker before 23 says 126
        self.assertRegex(heddle("lab", "status", "--name", NAME).stdout, rf"(?m)^h1 .* {self.tool.name}, image {IMAGE}$")
        self.assertEqual([h.get("image") for h in self.status()["hosts"]], [IMAGE, IMAGE, None])
        self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)
        self.assert_nothing_left()

    def test_a_container_that_ends_is_named(self):
        self.up(self.container_file(match="h2"))
        listed = heddle("lab", "list").stdout
        self.assertNotIn(f"lab down --name {NAME},", listed)
        self.tool.said("kill", f"heddle-{NAME}.h2")
        self.assertIn(f"not sound: the container of h2 has ended; heddle lab down --name {NAME}, then", heddle("lab", "list").stdout)
        self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)
        self.assert_nothing_left()

    def test_images_that_are_no_hosts(self):
        for image, says in (("localhost/no-such-image", "heddle pulls none"), (SHORT, "ended as soon as it began")):
            said = heddle("lab", "up", self.container_file(image), "--name", NAME)
            self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
            self.assertIn(says, said.stderr)
            self.assert_nothing_left()

    def test_a_lost_record(self):
        self.up(self.container_file())
        os.unlink(f"/run/heddle/labs/{NAME}/lab.json")
        self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)
        end = time.monotonic() + 20
        while self.names("--all") and time.monotonic() < end:  # the tool's monitor removes them
            time.sleep(0.2)
        self.assert_nothing_left()

    def test_killed_at_any_instant(self):
        file = self.container_file()
        self.labs.append(NAME)
        for tenth in (1, 3, 5, 8, 11, 14, 17, 20):
            up = subprocess.Popen([HEDDLE, "lab", "up", file, "--name", NAME], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(tenth / 10)
            up.send_signal(signal.SIGKILL)
            up.wait()
            said = heddle("lab", "down", "--name", NAME)
            if "there is no lab" not in said.stderr:  # it was killed before it made anything
                self.assertEqual((said.returncode, said.stderr), (0, ""), tenth)
            self.assert_nothing_left()
        self.up(file)


class WithPodman(Containers, LabTest):
    kind = Podman


class WithDocker(Containers, LabTest):
    kind = Docker


class Refused(LabTest):
    def test_a_block_that_is_wrong(self):
        for block, says in (('{hosts: [{match: "x*", image: a}]}', r"lab.yaml:3:\d+: error: 'x\*' matches no host; the first is host0.0$"),
                            ('{hosts: [{match: "host0.*"}]}', r"lab.yaml:3:\d+: error: .*image"),
                            ('{hosts: [{match: "host0.*", image: a}], tool: rocket}', r"lab.yaml:3:\d+: error: .*podman")):
            said = heddle("lab", "up", self.file("fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 1}", "lab: " + block), "--name", NAME)
            self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
            self.assertRegex(said.stderr.strip(), says)
            self.assert_gone()

    def test_without_a_tool_it_names_the_packages(self):
        env = self.path_of("ip", "sysctl", "ethtool")
        said = heddle("lab", "up", self.file("fabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 1}",
                                             'lab: {hosts: [{match: "host0.*", image: a}]}'), "--name", NAME, env=env)
        self.assertEqual((said.returncode, said.stderr), (2, "error: hosts are containers (lab.hosts), and there is no podman or docker; "
                                                             "install podman, or docker.io\n"))
        self.assert_gone()


if __name__ == "__main__":
    LACKS = missing()
    if not LACKS and not busybox():
        LACKS = "no static busybox: install busybox-static"
    if not LACKS and not shutil.which("podman") and not shutil.which("dockerd"):
        LACKS = "no container tool: install podman, or docker.io"
    run_tests(LACKS)
