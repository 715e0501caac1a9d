#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A lab among strangers, for long: links and switches fail, hosts come and go, two hosts send forged and random frames, pause
without end and raise their MTU, clients of the page and of the control socket are slow or talk nonsense; beside them hosts
move data by TCP (iperf3). At the end nothing has grown, every frame is in a counter (accounts.py), and TCP goes on.

usage: test_soak.py HEDDLE [--seconds S]    all of it, with the lab's making and end, in S seconds (300); exit status 77, saying
                                            why, where namespaces cannot be made

Memory is judged by medians of two windows: the middle third of the time under load, and the last. The first third warms up.
Everything is judged by counts, so a busy machine makes no difference; the test itself takes a low priority.
"""
import contextlib
import ctypes
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

import labs
import test_failures
import test_strangers as strange
from accounts import Kernel, held_by, metrics_of, metrics_read, on_the_way, steady, views
from labs import HEDDLE, NAME, run_tests
from test_clients import Breaking, ClientTest
from test_failures import Failure, ask, in_host
from test_strangers import address, ip, ipv4, pfc, space, tcp, udp
from watched import FRAME_KB, HAS_SANITIZER, Process

BEGIN = time.monotonic()
SECONDS = float(sys.argv[sys.argv.index("--seconds") + 1]) if "--seconds" in sys.argv else 300
END_S = 40  # for the end: load away, TCP once more, accounts
PAGE_GROWTH_MAX_KB = 4096  # the server of the page keeps the stacks of the most threads, one a connection, that there ever were
GROWTH_MAX = 0.01  # of the memory of a process without that of its rings and program (RssAnon), in a third of the time
BEHIND_MAX_S = 10  # of a second of the test; a busy machine makes one last so long
EACH, BABBLED = 100, 40  # frames of each forged kind, and random ones, a second and stranger: 32 bytes that one kind leaves are in a
#                          third of five minutes three times what GROWTH_MAX allows
WATCHDOG = "pfc_watchdog: {detect: 200ms, restore: 400ms, poll: 100ms, action: drop}"
SCHEME = (f"{test_failures.HOSTS}\nswitch: {{balance: expeditus, buffer: 60KB, classes: 8, schedule: strict, crossbar: islip, "
          f"flowctl: pfc, {WATCHDOG}}}")
STRANGERS = ("host0.0.1", "host1.1.1")
LEAVES, CHANGES = "host0.1.1", "host1.0.1"  # one goes and comes back; of the other the interface is deleted and made again
PAIRS = (("host0.0.0", "host1.0.0"), ("host1.1.0", "host0.1.0"), (LEAVES, CHANGES), STRANGERS)
CLONE_NEWNET = 0x40000000
TCP_PORT, TCP_PATIENCE_S = 5300, 60


@contextlib.contextmanager
def inside(host):
    """This thread is in a host's namespace; sockets that it makes there stay there."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/thread-self/ns/net", "rb") as own, open(f"/run/netns/{space(host)}", "rb") as there:
        if libc.setns(there.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
        try:
            yield
        finally:
            libc.setns(own.fileno(), CLONE_NEWNET)


def wire(host):
    """Returns a packet socket on eth0 of a host."""
    with inside(host):
        port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        port.bind(("eth0", 0))
    return port


class Transfer(threading.Thread):
    """Sends bytes from one host to another by TCP."""

    def __init__(self, here, there, to, data):
        super().__init__()
        self.to, self.data, self.got = to, data, b""
        with inside(there):
            self.server = socket.create_server(("", TCP_PORT))
        with inside(here):
            self.client = socket.socket()
        for end in (self.server, self.client):
            end.settimeout(TCP_PATIENCE_S)

    def send(self):
        with self.client, contextlib.suppress(OSError):
            self.client.connect((self.to, TCP_PORT))
            self.client.sendall(self.data)

    def run(self):
        sender = threading.Thread(target=self.send)
        sender.start()
        with self.server, contextlib.suppress(OSError):
            taken, _ = self.server.accept()
            with taken:
                taken.settimeout(TCP_PATIENCE_S)
                while part := taken.recv(65536):
                    self.got += part
        sender.join()


class Stranger:
    """A host that sends what no host should, each second some of it."""

    def __init__(self, test, name, seed):
        self.name, self.port, self.random, self.sent = name, wire(name), random.Random(seed), 0
        self.tagged = dict.fromkeys(strange.TAGS, 0)
        self.mine, self.there = test.macs(name)
        self.ours = address(test.address[name])
        self.others = [address(a) for h, a in test.address.items() if h != name]

    def send(self, frame):
        with contextlib.suppress(OSError):  # longer than the MTU, or the interface is down
            self.port.send(frame)
            self.sent += 1
            return True
        return False

    def packet(self, protocol, body):
        return ipv4(self.ours, self.random.choice(self.others), protocol, body)

    def send_ip(self, packet, tag="", to=None):
        return self.send(bytes.fromhex((to or self.there) + self.mine + tag + "0800") + packet)

    def forge(self, seconds):
        """Sends each kind of frame that test_strangers.py forges, as many as are due after so many seconds."""
        times = round(EACH * min(seconds, BEHIND_MAX_S))
        for frame in strange.FOREIGN + [strange.PAUSE, pfc(0)]:
            for _ in range(times):
                self.send(bytes.fromhex(frame))
        for number, (kind, tag) in enumerate(strange.TAGS.items()):
            for _ in range(times):
                self.tagged[kind] += self.send_ip(self.packet(6, tcp(1000 + number, 0x10)), tag)
        for _ in range(times):
            self.send_ip(self.packet(253, strange.credit_answer()), strange.TAGS["exp_response"])
            for to in ("ffffffffffff", "01005e000001"):
                self.send_ip(self.packet(17, udp(7, bytes(100))), to=to)

    def babble(self, seconds):
        """Sends random bytes: as a frame, behind an EtherType that switches read, and in place of bytes of a good frame."""
        draw = self.random
        for _ in range(round(BABBLED * min(seconds, BEHIND_MAX_S))):
            body = draw.randbytes(draw.randrange(46, 1500))
            self.send(draw.randbytes(14) + body)
            kind = draw.choice(("0800", "0806", "8100", "8808", "88cc", "9900", "9901", "9902", "99000800", "9900040000000800"))
            self.send(bytes.fromhex(self.there + self.mine + kind) + body)
            good = bytearray(self.packet(6, tcp(draw.randrange(2000, 2010), 0x10)) + bytes(20))
            for _ in range(draw.randrange(1, 4)):
                good[draw.randrange(12, len(good))] = draw.randrange(256)  # not its address: that would move its own MAC
            self.send_ip(bytes(good))

    def oversize(self, n_host):
        """Raises the MTU of the cable, sends frames that are longer than the switch's cells, and lowers it again."""
        ends = ((strange.SWITCHES, f"h{n_host}"), (space(self.name), "eth0"))
        before = [json.loads(ip("-n", where, "-j", "link", "show", end))[0]["mtu"] for where, end in ends]
        for where, end in ends:
            ip("-n", where, "link", "set", end, "mtu", "9000")
        for _ in range(5):
            self.send_ip(self.packet(17, udp(7, bytes(8900))))
        for (where, end), mtu in zip(reversed(ends), reversed(before)):
            ip("-n", where, "link", "set", end, "mtu", str(mtu))

    def storm(self):
        """Pauses all classes, for long enough that the watchdog acts."""
        for _ in range(60):
            self.send(bytes.fromhex(pfc(0xff)))
            time.sleep(0.01)


class Page:
    """The live page of the lab, and its slow clients."""

    def __init__(self):
        self.server = subprocess.Popen([HEDDLE, "lab", "status", "--name", NAME, "--serve", "127.0.0.1:0"],
                                       stdout=subprocess.PIPE, text=True)
        self.port = int(self.server.stdout.readline().rstrip("/\n").rpartition(":")[2])
        self.name, self.pid, self.slow, self.anon_kb, self.fetched, self.refused = "page", self.server.pid, [], [], 0, 0

    def fetch(self, host="localhost"):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as to:
            to.sendall(f"GET /status.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            reply = b"".join(iter(lambda: to.recv(65536), b""))
        head, _, body = reply.partition(b"\r\n\r\n")
        return int(head.split()[1]), body

    def status(self):
        return json.loads(self.fetch()[1])

    def crowd(self):
        """70 clients that say nothing or half a request, more than the server bears; and a page of another name."""
        for number in range(70):
            self.slow.append(socket.create_connection(("127.0.0.1", self.port), timeout=30))
            if number % 2:
                with contextlib.suppress(OSError):
                    self.slow[-1].sendall(b"GET /status.json HTTP/1.1\r\nHost: local")
        self.fetched += self.fetch()[0] == 200
        self.refused += self.fetch("evil.example")[0] == 421

    def leave(self):
        for client in self.slow:
            client.close()
        self.slow = []

    def files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def sample(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            self.anon_kb.append(int(next(line for line in file if line.startswith("RssAnon")).split()[1]))


class Links(Breaking):
    """Links and switches fail, one after the other. Cables of hosts are cut too; their interfaces stay, so that the kernel's
    counts stay those of the ports."""

    def __init__(self, status):
        super().__init__(status)
        self.failures = [Failure("link", x["name"]) for x in status["links"]]
        self.failures += [Failure("switch", s["name"]) for s in status["switches"]]


class Soak(ClientTest):
    macs, names, addresses = strange.Strangers.macs, strange.Strangers.names, strange.Strangers.addresses

    def setUp(self):
        super().setUp()
        self.clients, self.refused_requests = [], 0

    def tearDown(self):
        self.unload()
        if hasattr(self, "page"):
            self.page.leave()
            self.page.server.terminate()
            self.page.server.wait(timeout=30)
            self.page.server.stdout.close()
        super().tearDown()

    # ---- load ----

    def loop(self, host, command):
        self.clients.append(subprocess.Popen(in_host(host, "sh", "-c", f"while :; do {command}; sleep 0.2; done"),
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True))

    def load(self):
        for here, there in PAIRS:
            self.loop(there, "timeout 60 iperf3 -s --idle-timeout 10")
            self.loop(here, f"timeout 30 iperf3 -c {self.address[there]} -t 3 -b 3M --connect-timeout 2000 && echo >>{self.path(here)}")

    def unload(self):
        for client in self.clients:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(client.pid, signal.SIGKILL)
            client.wait()
        self.clients = []

    def tcp_goes_on(self):
        """Each host sends 100 KB to another one by TCP, all at once."""
        hosts, data = list(self.address), random.Random(1).randbytes(100000)
        transfers = {h: Transfer(h, to, self.address[to], data) for h, to in zip(hosts, hosts[3:] + hosts[:3])}
        for transfer in transfers.values():
            transfer.start()
        for transfer in transfers.values():
            transfer.join()
        self.assertEqual({h: len(t.got) for h, t in transfers.items() if t.got != data}, {}, "TCP does not go on")

    # ---- what strangers do ----

    def leaves(self):
        ip("-n", space(LEAVES), "link", "set", "eth0", "down")

    def comes_back(self):
        ip("-n", space(LEAVES), "link", "set", "eth0", "up")
        ip("-n", space(LEAVES), "route", "replace", "10.0.0.0/8", "dev", "eth0")

    def until_equal(self, name):
        """Waits until the port has read what the kernel has counted."""
        end = time.monotonic() + 20
        while (why := self.kernel.difference(name)) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertIsNone(why)

    def changes(self):
        """The interface of a host is deleted and made again, with another index. The host is silent until the switch has bound
        its port to the new one, which the kernel tells: then both count the same frames."""
        n, host = self.hosts.index(CHANGES), space(CHANGES)
        mac = json.loads(ip("-n", host, "-j", "link", "show", "eth0"))[0]["address"]
        ip("-n", host, "link", "set", "eth0", "down")
        self.until_equal(CHANGES)
        self.kernel.is_gone(CHANGES)
        ip("-n", strange.SWITCHES, "link", "del", f"h{n}")
        time.sleep(0.1)
        ip("-n", strange.SWITCHES, "link", "add", f"h{n}", "mtu", "1600", "type", "veth", "peer", "netns", host, "name", "eth0")
        ip("-n", strange.SWITCHES, "link", "set", f"h{n}", "up")
        for where, end in ((strange.SWITCHES, f"h{n}"), (host, "eth0")):
            subprocess.run(["ip", "netns", "exec", where, "ethtool", "-K", end, "tx", "off", "rx", "off", "tso", "off", "gso", "off",
                            "gro", "off"], check=True, stdout=subprocess.DEVNULL)
        ip("-n", host, "link", "set", "eth0", "address", mac, "mtu", "1500")
        ip("-n", host, "addr", "add", f"{self.address[CHANGES]}/32", "dev", "eth0")
        self.until_bound(n)
        ip("-n", host, "link", "set", "eth0", "up")
        ip("-n", host, "route", "add", "10.0.0.0/8", "dev", "eth0")

    def until_bound(self, n):
        """Waits until a socket of the switches, that of the receiving side, is bound to interface h<n>."""
        index = json.loads(ip("-n", strange.SWITCHES, "-j", "link", "show", f"h{n}"))[0]["ifindex"]
        end = time.monotonic() + 20
        while True:
            said = subprocess.run(["ip", "netns", "exec", strange.SWITCHES, "cat", "/proc/net/packet"], capture_output=True, text=True,
                                  check=True).stdout
            if any(line.split()[3:5] == ["0003", str(index)] for line in said.splitlines()):
                return
            self.assertLess(time.monotonic(), end, f"no port is bound to h{n}: {said}")
            time.sleep(0.05)

    def pester(self):
        """Requests that are none, and clients that say nothing, at the control socket."""
        for request in (b"\n", b"status" + b"x" * 5000 + b"\n", b"link up none\n", bytes(range(128, 256)) + b"\n", b"", b"stat"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as to:
                with contextlib.suppress(OSError):
                    to.settimeout(10)
                    to.connect(self.socket)
                    to.sendall(request)
                    self.refused_requests += request.endswith(b"\n") and to.recv(100)[:1] in (b"-", b".")

    def second(self, n):
        """What happens in the n-th second under load, beside all that happens in each."""
        first = self.strangers[0]
        return {1: self.leaves, 2: self.comes_back, 3: self.changes, 4: self.pester, 5: first.storm, 7: self.page.crowd,
                8: lambda: first.oversize(self.hosts.index(first.name)), 9: self.page.leave}.get(n % 10, lambda: None)()

    # ---- what is looked at ----

    def sample(self):
        """Each second: memory and files; and no switch has less, or the lab more, than it holds."""
        self.process.sample()
        self.page.sample()
        self.page.fetch()
        status = json.loads(ask("status"))
        held = [held_by(s) for s in status["switches"]] + [on_the_way(status["switches"])]
        self.assertGreaterEqual(min(held), 0, held)
        self.assertEqual(sum(held), status["frames_held"], held)

    def at_rest(self):
        """Waits until nothing is held and no count changes; returns the status by each of the ways to ask for it."""
        end = time.monotonic() + 60
        while True:
            all_views = views(self.page.status)
            if all_views and all_views[0]["frames_held"] == 0 and steady(all_views[0]) == steady(all_views[4]):
                return all_views
            self.assertLess(time.monotonic(), end, all_views and f"{all_views[4]['frames_held']} frames are held, or counts go on")
            time.sleep(0.3)

    def check_accounts(self):
        said, lab, page, metrics, _ = self.at_rest()
        switches = said["switches"]
        self.assertEqual({s["name"]: held_by(s) for s in switches if held_by(s)}, {}, "frames are in no counter")
        self.assertEqual(on_the_way(switches), 0, "between ports and switches frames are in no counter")
        for name in self.hosts:
            self.until_equal(name)
        for s in switches:
            dropped, ports = s["frames"]["dropped"], s["ports"]
            of_ports = sum(dropped.values()) - dropped["ttl"] - dropped["no_route"] + s["frames"]["not_arrived"]
            self.assertEqual(sum(p["drops"] for p in ports), of_ports, s["name"])
            self.assertEqual(sum(p["storm_drops"] for p in ports), dropped["storm"], s["name"])
        for view in (lab, page):
            self.assertEqual(steady(view["switches"]), steady(switches))
            for link in view["links"]:
                ends = [p for s in view["switches"] for p in s["ports"] if p["link"] == link["name"]]
                for key, of_port in (("drops", "drops"), ("queue_bytes", "queue_bytes"), ("pauses", "pauses_sent")):
                    self.assertEqual(link[key], sum(p[of_port] for p in ends), link)
                    self.assertEqual(link[key], sum(w.get(key, 0) for w in link["ways"]), link)
        self.assertEqual(metrics_read(metrics), metrics_of(said))
        return switches

    def check_strangers(self, switches):
        """Every tag that a stranger forged was taken off by a switch, and no switch acted on one."""
        total = lambda *path: sum(self.at(s, *path) for s in switches)
        lost = total("frames", "not_arrived") + sum(p.get("rx_lost", 0) for s in switches for p in s["ports"])
        for kind in strange.TAGS:
            sent, seen = sum(s.tagged[kind] for s in self.strangers), total("frames", "stripped", kind)
            self.assertGreaterEqual(seen, sent - lost, kind)  # random frames have tags too
        self.check_selections({k: total("counters", k) for k in switches[0]["counters"]})
        for refusal in ("not_ipv4", "group_mac", "pause_kind"):
            self.assertGreater(total("frames", "refused", refusal), 0)
        self.assertGreater(total("frames", "dropped", "link_down"), 0)
        self.assertGreater(sum(p.get("storms_found", 0) for s in switches for p in s["ports"]), 0)
        self.assertGreater(self.port_of(switches, self.strangers[0].name)["rx_lost"], 0)
        self.assertEqual((self.page.fetched, self.page.refused), (self.crowds, self.crowds))
        self.assertGreater(self.refused_requests, 0)

    def check_selections(self, n):
        """Switches answer what switches have asked, and each of their answers makes one entry at most."""
        chain = ("selections_begun", "requests_seen", "responses_sent", "agg_entries")
        for more, fewer in zip(chain, chain[1:]):
            self.assertLessEqual(n[fewer], n[more], n)
        self.assertLessEqual(n["orphan_responses"], n["selections_lost"], n)
        self.assertGreater(n["agg_entries"], 0, n)

    @staticmethod
    def at(switch, *path):
        for part in path:
            switch = switch.get(part, {} if part != path[-1] else 0)
        return switch

    @staticmethod
    def port_of(switches, name):
        return next(p for s in switches for p in s["ports"] if p["name"] == name)

    def check_memory(self):
        """Memory is flat within 1 %: medians of the middle and of the last third. Frames held at once for the first time explain
        more, since their memory is kept; that nothing is held at the end is checked elsewhere."""
        peak = self.thirds("most frames held", self.process.frames_peak)
        switches, page = (self.thirds(f"{x.name}: own memory in KB", x.anon_kb) for x in (self.process, self.page))
        if HAS_SANITIZER:
            return
        self.assertLessEqual(switches[2] - switches[1] - FRAME_KB * (peak[2] - peak[1]), GROWTH_MAX * switches[1])
        self.assertLessEqual(page[2] - page[1], PAGE_GROWTH_MAX_KB)

    @staticmethod
    def thirds(name, values):
        """Returns the medians of the thirds of the time."""
        n = len(values)
        medians = [statistics.median(part) for part in (values[:n // 3], values[n // 3:2 * n // 3], values[2 * n // 3:])]
        print(f"{name}, medians of thirds: {medians}", flush=True)
        return medians

    def check_files(self, before):
        end = time.monotonic() + 20
        while (now := (len(os.listdir(f"/proc/{self.process.pid}/fd")), self.page.files())) != before and time.monotonic() < end:
            time.sleep(0.2)
        self.assertEqual(now, before, "files that are open: switches, page")
        self.assertEqual(len(set(self.process.threads)), 1)

    def test_a_lab_among_strangers(self):
        self.up(self.file(test_failures.TESTBED, SCHEME), "--detect", "20ms", "--nic", "off")
        status = self.status()
        self.hosts = [h["name"] for h in status["hosts"]]
        self.address = {h["name"]: h["address"] for h in status["hosts"]}
        self.socket = f"/run/heddle/labs/{NAME}/switches.sock"
        self.page = Page()
        pids = subprocess.run(["ip", "netns", "pids", strange.SWITCHES], capture_output=True, text=True, check=True).stdout.split()
        self.process = Process(int(pids[0]))
        self.strangers = [Stranger(self, name, seed) for seed, name in enumerate(STRANGERS)]
        for stranger in self.strangers:
            self.addCleanup(stranger.port.close)
        self.at_rest()
        self.kernel = Kernel(self.hosts)
        before = len(os.listdir(f"/proc/{self.process.pid}/fd")), self.page.files()
        made = time.monotonic() - BEGIN
        self.soak(status)
        self.tcp_goes_on()
        switches = self.check_accounts()
        print(f"made in {made:.0f} s, all in {time.monotonic() - BEGIN:.0f} s; {sum(s.sent for s in self.strangers)} frames of strangers, "
              f"{sum(s['frames']['received'] for s in switches)} received", flush=True)
        self.check_strangers(switches)
        self.check_files(before)
        self.check_memory()
        for here, _ in PAIRS[:2]:
            self.assertTrue(os.path.exists(self.path(here)), f"no connection of {here} came to its end")
        self.check_end()

    def soak(self, status):
        self.load()
        n, last = 0, time.monotonic() - 1
        with Links(status) as links:
            while time.monotonic() < BEGIN + SECONDS - END_S or n < 10:
                begin = time.monotonic()
                n, behind, last = n + 1, begin - last, begin
                for stranger in self.strangers:
                    stranger.forge(behind)
                    stranger.babble(behind)
                self.second(n)
                self.sample()
                time.sleep(max(0, begin + 1 - time.monotonic()))
        self.comes_back()
        self.page.leave()
        self.crowds = (n + 3) // 10
        self.unload()
        print(f"{n} seconds, {links.count} failures", flush=True)

    def check_end(self):
        """The switches end without a word; a sanitizer would report leaks."""
        os.kill(self.process.pid, signal.SIGTERM)
        end = time.monotonic() + 30
        while os.path.exists(f"/proc/{self.process.pid}"):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        with open(self.socket.replace(".sock", ".log"), encoding="ascii") as log:
            self.assertEqual(log.read().splitlines()[1:], [])


def missing():
    for program in ("iperf3", "ethtool"):
        if not shutil.which(program):
            return f"{program} is not installed"
    return labs.missing()


def give_way():
    """Takes a low priority, also where Linux shares processors among sessions first (autogroups)."""
    os.nice(10)
    with contextlib.suppress(OSError):
        if os.getsid(0) == os.getpid():
            with open("/proc/self/autogroup", "w", encoding="ascii") as group:
                group.write("10")


if __name__ == "__main__":
    give_way()
    run_tests(missing(), len(sys.argv) if "--seconds" in sys.argv else 2)
