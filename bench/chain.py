# SPDX-License-Identifier: Apache-2.0
"""Measures real TCP over a lab of heddle switches, and over a chain of kernel bridges of the same length.

A path between pods of bench/fabric.yaml has five switches; the chain has five bridges. Both have four hosts at each end.
Offloads are off, so that no frame has more than 1,514 bytes, and all hosts use the same congestion control. Flows run for
SECONDS; the figure is the throughput at the receivers.
"""
import json
import os
import shutil
import subprocess
import time

import work

LENGTH = 5
PAIRS = 4
SECONDS = 4
NAME = f"bench{os.getpid()}"
OFFLOADS = ["tx", "off", "rx", "off", "tso", "off", "gso", "off", "gro", "off"]
CONGESTION = "cubic"
# Each host of one pod, and the host of the other pod that it sends to.
LAB_PAIRS = [(f"host0.{t}.{h}", f"host1.{t}.{h}") for t in range(2) for h in range(2)]


def must(*argv):
    done = subprocess.run([str(a) for a in argv], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise work.Failure(f"{' '.join(map(str, argv))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def why_not():
    """Returns the reason why this machine cannot measure it; None if it can."""
    if os.geteuid() != 0:
        return "this is not root"
    missing = [tool for tool in ("ip", "ethtool", "sysctl", "iperf3") if not shutil.which(tool)]
    return f"{', '.join(missing)} not installed" if missing else None


class Chain:
    """Bridges in one namespace, joined by veth pairs; each host is a namespace."""

    def __init__(self):
        self.switches = f"{NAME}-bridges"
        self.hosts = [(f"{NAME}-a{i}", f"{NAME}-b{i}") for i in range(PAIRS)]

    def inside(self, space, *argv):
        must("ip", "netns", "exec", space, *argv)

    def host(self, space, address, port, bridge):
        must("ip", "-n", self.switches, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space)
        must("ip", "-n", self.switches, "link", "set", port, "master", bridge, "up")
        self.inside(space, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1")
        must("ip", "-n", space, "addr", "add", address + "/16", "dev", "eth0")
        must("ip", "-n", space, "link", "set", "eth0", "up")
        self.inside(self.switches, "ethtool", "-K", port, *OFFLOADS)
        self.inside(space, "ethtool", "-K", "eth0", *OFFLOADS)

    def __enter__(self):
        try:
            self.build()
        except work.Failure:
            self.__exit__()
            raise
        return self

    def build(self):
        for space in [self.switches, *(s for pair in self.hosts for s in pair)]:
            must("ip", "netns", "add", space)
        self.inside(self.switches, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1")
        for i in range(LENGTH):
            must("ip", "-n", self.switches, "link", "add", f"br{i}", "up", "type", "bridge")
        for i in range(LENGTH - 1):
            must("ip", "-n", self.switches, "link", "add", f"r{i}", "type", "veth", "peer", "name", f"l{i + 1}")
            for end, bridge in (f"r{i}", f"br{i}"), (f"l{i + 1}", f"br{i + 1}"):
                must("ip", "-n", self.switches, "link", "set", end, "master", bridge, "up")
                self.inside(self.switches, "ethtool", "-K", end, *OFFLOADS)
        for i, (a, b) in enumerate(self.hosts):
            self.host(a, f"10.0.0.{i + 1}", f"a{i}", "br0")
            self.host(b, f"10.0.1.{i + 1}", f"b{i}", f"br{LENGTH - 1}")
        self.pairs = [(["ip", "netns", "exec", a], ["ip", "netns", "exec", b], f"10.0.1.{i + 1}")
                      for i, (a, b) in enumerate(self.hosts)]

    def __exit__(self, *_):
        for space in [self.switches, *(s for pair in self.hosts for s in pair)]:
            subprocess.run(["ip", "netns", "del", space], capture_output=True, check=False)


class Lab:
    def __init__(self, threads=1):
        self.threads = threads

    def __enter__(self):
        must(work.HEDDLE, "lab", "up", work.ROOT / "bench" / "fabric.yaml", "--name", NAME, "--threads", self.threads)
        status = json.loads(must(work.HEDDLE, "lab", "status", "--name", NAME, "--json"))
        address = {h["name"]: h["address"] for h in status["hosts"]}
        on = lambda host: [str(work.HEDDLE), "lab", "exec", "--name", NAME, host]
        self.pairs = [(on(a), on(b), address[b]) for a, b in LAB_PAIRS]
        return self

    def __exit__(self, *_):
        subprocess.run([work.HEDDLE, "lab", "down", "--name", NAME], capture_output=True, check=False)


def carried(world, flows):
    """Returns the bits per second that the receivers of the first `flows` pairs got together."""
    pairs = world.pairs[:flows]
    servers = [subprocess.Popen([*b, "iperf3", "-s", "-1"], stdout=subprocess.DEVNULL) for _, b, _ in pairs]
    try:
        time.sleep(0.3)
        clients = [subprocess.Popen([*a, "iperf3", "-c", to, "-t", str(SECONDS), "-C", CONGESTION, "-J"], text=True,
                                    stdout=subprocess.PIPE) for a, _, to in pairs]
        said = [json.loads(c.communicate(timeout=SECONDS + 30)[0]) for c in clients]
    finally:
        for server in servers:
            server.kill()
            server.wait()
    if any("error" in s for s in said):
        raise work.Failure(f"iperf3: {[s.get('error') for s in said]}")
    return sum(s["end"]["sum_received"]["bits_per_second"] for s in said)


def measure(rounds, say=lambda text: None):
    """Returns {(world, flows): [bits per second of each round]}; lab and chain take turns."""
    found = {(world, flows): [] for world in ("chain", "lab") for flows in (1, PAIRS)}
    with Chain() as chain, Lab() as lab:
        for turn in range(rounds):
            for flows in (1, PAIRS):
                for name, world in ("chain", chain), ("lab", lab):
                    bps = carried(world, flows)
                    found[name, flows].append(bps)
                    say(f"round {turn + 1}/{rounds}  {name}, {flows} flows {bps / 1e9:8.3f} Gb/s")
    return found
