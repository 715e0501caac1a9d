#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Standard clients and servers across a fabric of live switches, whose links fail and come back meanwhile.

usage: test_clients.py HEDDLE [--all]    (exit status 77, saying why, where namespaces cannot be made)

Files are compared by SHA-256. --all moves 1 GB under ECMP, Expeditus and DeTail; without it a smaller file under Expeditus.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time

import labs
from labs import CLOS, LabTest, in_time, run_tests
from test_failures import Failure, ask, in_host

ALL = "--all" in sys.argv
FILE_BYTES = 1_000_000_000 if ALL else 20_000_000
WAIT_S = 900 if ALL else 120
BALANCERS = {"ecmp": "switch: {balance: ecmp}", "expeditus": "switch: {balance: expeditus}", "detail": "scheme: detail"}
SCHEMES = BALANCERS if ALL else {"expeditus": BALANCERS["expeditus"]}

NGINX = """daemon off;
user root;
worker_processes 1;
pid HOST.pid;
error_log stderr;
events {}
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server { listen 80; root .; limit_rate RATE; dav_methods PUT; client_max_body_size 0; }
}
"""
RSYNCD = """use chroot = no
uid = root
gid = root
[files]
path = %s
read only = no
"""


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Breaking(threading.Thread):
    """While the context lasts, a link or a switch above the ToRs fails every second for 0.3 s, one after the other."""

    EVERY_S, FOR_S = 1.0, 0.3

    def __init__(self, status):
        super().__init__()
        self.ends, self.count, self.error = threading.Event(), 0, None
        links = [Failure("link", x["name"]) for x in status["links"] if not x["name"].startswith("host")]
        switches = [Failure("switch", s["name"]) for s in status["switches"] if not s["name"].startswith("tor")]
        self.failures = links + switches

    def run(self):
        try:
            while not self.ends.wait(self.EVERY_S - self.FOR_S):
                failure = self.failures[self.count * 7 % len(self.failures)]
                self.count += 1
                failure.set("down")
                self.ends.wait(self.FOR_S)
                failure.set("up")
        except (OSError, RuntimeError) as error:
            self.error = error

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.join()
        if self.error:
            raise self.error


class ClientTest(LabTest):
    def setUp(self):
        super().setUp()
        self.programs = []

    def tearDown(self):
        for program in self.programs:
            program.terminate()
            program.wait(timeout=20)
        super().tearDown()

    def lab(self, scheme, detect="10ms"):
        self.up(self.file(CLOS, scheme), "--detect", detect)
        status = self.status()
        self.address = {h["name"]: h["address"] for h in status["hosts"]}
        self.names = {s["address"]: s["name"] for s in status["switches"] + status["hosts"]}
        return status

    def serve(self, host, port, *words, **options):
        """Starts a server on a host and waits until it listens."""
        self.programs.append(subprocess.Popen(in_host(host, *words), **options))
        for _ in range(400):
            said = subprocess.run(in_host(host, "ss", "-Htln", f"sport = :{port}"), capture_output=True, text=True,
                                  check=True).stdout
            if said:
                return
            self.assertIsNone(self.programs[-1].poll(), words)
            time.sleep(0.05)
        self.fail(f"{words[0]} does not listen")

    def start(self, host, *words):
        return subprocess.Popen(in_host(host, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, *programs):
        said = [p.communicate(timeout=WAIT_S) for p in programs]
        self.assertEqual([p.returncode for p in programs], [0] * len(programs), said)
        return [out for out, _ in said]

    def make_file(self, name, size):
        """Writes a file of random bytes; returns its digest."""
        with open(self.path(name), "wb") as out:
            for at in range(0, size, 1 << 20):
                out.write(os.urandom(min(1 << 20, size - at)))
        return digest(self.path(name))

    def nginx(self, host, *before, rate=0):
        """Serves the test's folder, each connection at a rate in bytes a second; 0: unlimited."""
        with open(self.path(f"{host}.conf"), "w", encoding="ascii") as out:
            out.write(NGINX.replace("HOST", host).replace("RATE", str(rate)))
        self.serve(host, 80, *before, "nginx", "-p", self.folder.name, "-c", f"{host}.conf", stderr=subprocess.DEVNULL)

    def iperf3(self, host, to, *words):
        """Runs an iperf3 client; returns its report. If the machine stalls, the client may find its server busy or silent."""
        said = json.loads(self.finish(self.start(host, "iperf3", "-J", "-c", self.address[to], *words))[0])
        self.assertNotIn("error", said)
        return said["end"]

    def counter(self, host, name):
        said = subprocess.run(in_host(host, "nstat", "-asz", name), capture_output=True, text=True, check=True).stdout
        return int(said.split()[-2])


class Files(ClientTest):
    """Files arrive complete and in time while links and switches fail."""

    def check(self, scheme):
        status = self.lab(scheme)
        sent = self.make_file("file", FILE_BYTES)
        self.nginx("host1.1.1")
        with open(self.path("rsyncd.conf"), "w", encoding="ascii") as out:
            out.write(RSYNCD % self.folder.name)
        self.serve("host1.0.0", 873, "rsync", "--daemon", "--no-detach", "--config", self.path("rsyncd.conf"))
        begin = time.monotonic()
        with Breaking(status) as breaking:
            self.finish(self.start("host0.0.0", "curl", "-fsS", "-o", self.path("by-curl"),
                                   f"http://{self.address['host1.1.1']}/file"),
                        self.start("host0.1.0", "curl", "-fsS", "-T", self.path("file"),
                                   f"http://{self.address['host1.1.1']}/by-put"),
                        self.start("host0.1.1", "rsync", "--whole-file", self.path("file"),
                                   f"rsync://{self.address['host1.0.0']}/files/by-rsync"))
            while breaking.count < 3:
                time.sleep(0.1)
        seconds = time.monotonic() - begin
        print(f"{scheme}: 3 x {FILE_BYTES / 1e6:.0f} MB in {seconds:.1f} s, {3 * FILE_BYTES * 8 / seconds / 1e6:.0f} Mbps, "
              f"{breaking.count} failures", flush=True)
        for name in ("by-curl", "by-put", "by-rsync"):
            self.assertEqual(digest(self.path(name)), sent, name)


for balancer, what in SCHEMES.items():
    setattr(Files, f"test_by_curl_and_rsync_with_{balancer}", lambda self, scheme=what: self.check(scheme))


class Clients(ClientTest):
    @in_time
    def test_ping_and_traceroute(self):
        self.lab(BALANCERS["expeditus"])
        said = self.finish(self.start("host0.0.0", "ping", "-q", "-c", "100", "-i", "0.005", "-s", "1400", "-p", "5a",
                                      "-M", "do", self.address["host1.1.1"]))[0]
        self.assertIn("100 packets transmitted, 100 received, 0% packet loss", said)
        tiers = ["tor0.0", "agg0.", "core", "agg1.", "tor1.1", "host1.1.1"]
        for how in ("-I", "-T", "-U"):
            said = self.finish(self.start("host0.0.0", "traceroute", how, "-n", "-q", "1", "-w", "5",
                                          self.address["host1.1.1"]))[0]
            path = [self.names.get(line.split()[1], "?") for line in said.splitlines()[1:]]
            self.assertEqual([name.startswith(tier) for name, tier in zip(path, tiers)], [True] * 6, said)
            self.assertEqual(len(path), 6, said)

    @in_time
    def test_iperf3(self):
        """One connection, four, reverse, bidirectional, and datagrams, of which none may be lost."""
        status = self.lab(BALANCERS["expeditus"])
        self.serve("host1.1.0", 5201, "iperf3", "-s", stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
        for words in (["-t", "1"], ["-t", "1", "-P", "4"], ["-t", "1", "-R"], ["-t", "1", "--bidir"]):
            said = self.iperf3("host0.0.1", "host1.1.0", *words)
            self.assertEqual(len(said["streams"]), 4 if "-P" in words else 2 if "--bidir" in words else 1)
            self.assertGreater(min(s["receiver"]["bytes"] for s in said["streams"]), 1e5, words)
        said = self.iperf3("host0.0.1", "host1.1.0", "-u", "-b", "1M", "-t", "2")["sum"]
        self.assertEqual((said["lost_packets"], said["packets"] > 150), (0, True), said)
        with Breaking(status) as breaking:
            said = self.iperf3("host0.0.1", "host1.1.0", "-t", "4", "-P", "4")
        self.assertGreaterEqual(breaking.count, 3)
        self.assertGreater(min(s["receiver"]["bytes"] for s in said["streams"]), 1e5)

    @in_time
    def test_mptcp(self):
        """The subflows of one connection take several paths. If the fabric does not detect a failure, the other subflows go on.
        The client chooses the ports. By chance all subflows may cross the switch that fails; then the next try decides."""
        self.lab(BALANCERS["ecmp"], detect="1000s")
        client, server, size = "host0.0.0", "host1.1.1", FILE_BYTES // 4
        sent = self.make_file("file", size)
        for host in (client, server):
            subprocess.run(in_host(host, "ip", "mptcp", "limits", "set", "subflows", "8", "add_addr_accepted", "8"),
                           check=True)
        for port in range(8001, 8008):
            subprocess.run(in_host(server, "ip", "mptcp", "endpoint", "add", self.address[server], "port", str(port),
                                   "signal"), check=True)
        self.nginx(server, "mptcpize", "run", rate=size // 3)
        curl = self.start(client, "mptcpize", "run", "curl", "-fsS", "--max-time", str(WAIT_S // 3), "-o", self.path("by-mptcp"),
                          f"http://{self.address[server]}/file")
        joined, end = 0, time.monotonic() + 10
        while joined < 7 and time.monotonic() < end:
            time.sleep(0.05)
            joined = self.counter(client, "MPTcpExtMPJoinSynAckRx")
        ask("switch down agg0.0")
        self.assertIsNone(curl.poll(), "the file came before the switch failed")
        self.finish(curl)
        print(f"MPTCP: {joined} subflows joined", flush=True)
        self.assertGreater(joined, 2)
        self.assertGreater(sum(s["frames"]["dropped"]["link_down"] for s in self.status()["switches"]), 0)
        self.assertEqual(digest(self.path("by-mptcp")), sent)


def missing():
    """Returns the reason why these tests cannot run here; None if they can."""
    for program in ("nginx", "rsync", "curl", "iperf3", "traceroute", "mptcpize"):
        if not shutil.which(program):
            return f"{program} is not installed"
    return labs.missing()


if __name__ == "__main__":
    run_tests(missing())
