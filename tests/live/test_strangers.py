#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A live switch among strangers: hosts that send what only bridges and switches send, interfaces that go and come back, and
neighbours that pause without end. Whoever does so harms nobody else, and every frame is in a counter.

usage: test_strangers.py HEDDLE    exit status 77, saying why, without namespaces
"""
import json
import os
import re
import socket
import struct
import subprocess
import time

from labs import HEDDLE, LEAVES, NAME, LabTest, heddle, missing, run_tests

STRANGER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "stranger.py")
SWITCHES = f"heddle-{NAME}.switches"
STAR = "fabric: {kind: star, hosts: 3, rate: 100Mbps}"
CLOS = "fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 1, rate: 1Gbps}"


def space(host):
    return f"heddle-{NAME}.{host}"


def ip(*words):
    said = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if said.returncode:
        raise AssertionError(f"ip {' '.join(words)}: {said.stderr}")
    return said.stdout


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def ipv4(source, destination, protocol, body):
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(body), 0, 0x4000, 64, protocol, 0, source, destination)
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + body


def address(text):
    return bytes(int(part) for part in text.split("."))


def tcp(port, flags):
    return struct.pack("!HHIIBBHHH", port, 5001, 1, 1, 0x50, flags, 1000, 0, 0)


def udp(port, payload):
    return struct.pack("!HHHH", port, 9, 8 + len(payload), 0) + payload


def pfc(classes):
    return "0180c2000001" "525400090909" "8808" "0101" + f"{classes:04x}" + "ffff" * 8 + "00" * 26


PAUSE = "0180c2000001" "525400090909" "8808" "0001" "ffff" + "00" * 42
FOREIGN = [
    "0180c200000e" "525400090909" "88cc" "0207045254000909090405057000" + "00" * 36,  # LLDP
    "0180c2000000" "525400090909" "0026" "424203" + "00" * 43,  # STP
    "0180c2000002" "525400090909" "8809" "0101" + "00" * 44,  # LACP
    "ffffffffffff" "525400090909" "88b5" + "00" * 46,
]
TAGS = {"exp_request": "9900" "04" "7777", "exp_response": "9900" "84" "7777", "conga": "9901" "7770", "core_loads": "9902" "0700"}


def credit_answer():
    """The Exp-response for a flow of credits, which is a packet of its own."""
    return struct.pack("!HHIIBBHHH", 9, 9, 1, 1, 6, 0, 0xffff, 0, 0)[:20]


class Strangers(LabTest):
    def sends(self, host, frames, times=1, interval=0.0):
        said = subprocess.run(["ip", "netns", "exec", space(host), "python3", STRANGER, "eth0", str(times), str(interval)],
                              input=" ".join(frames), capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(said.returncode, 0, said.stderr)

    def storms(self, host, frame, seconds):
        """Starts a storm: the frame every 10 ms."""
        return subprocess.Popen(["ip", "netns", "exec", space(host), "python3", STRANGER, "eth0", str(int(seconds * 100)), "0.01", frame],
                                stdin=subprocess.DEVNULL)

    def macs(self, host):
        """The MAC of the host, and of the switch behind its port."""
        self.on(host, "ping", "-c", "1", "-W", "2", self.addresses()[host == self.names()[0]])
        own = json.loads(ip("-n", space(host), "-j", "link", "show", "eth0"))[0]["address"].replace(":", "")
        there = next(n["lladdr"] for n in json.loads(ip("-n", space(host), "-j", "neigh", "show", "dev", "eth0")) if "lladdr" in n)
        return own, there.replace(":", "")

    def names(self):
        return [host["name"] for host in self.status()["hosts"]]

    def addresses(self):
        return [host["address"] for host in self.status()["hosts"]]

    def count(self, *path):
        """The sum over all switches of a count of their frames."""
        total = 0
        for switch in self.status()["switches"]:
            value = switch["frames"]
            for part in path:
                value = value.get(part, {} if part != path[-1] else 0)
            total += value or 0
        return total

    def port(self, host):
        return next(port for switch in self.status()["switches"] for port in switch["ports"] if port["name"] == host)

    def assert_accounted(self):
        """Every frame that came to a switch has left, ended in a counter, or is there."""
        end = time.monotonic() + 10
        while True:
            status, missed = self.status(), 0
            for switch in status["switches"]:
                frames = switch["frames"]
                missed += frames["received"] + frames["made"] - frames["left"] - frames["consumed"] - frames["unbuilt"]
                missed -= sum(frames["dropped"].values()) + sum(frames["refused"].values())
            if missed == 0:
                return
            self.assertLess(time.monotonic(), end, f"{missed} frames are in no counter")
            time.sleep(0.2)

    def test_frames_of_bridges_move_no_host(self):
        self.up(self.file(fabric=LEAVES))
        last, target = self.names()[3], self.addresses()[3]
        self.assert_reaches("host0.0", target)
        self.sends(last, FOREIGN, times=20)
        self.assert_reaches("host0.0", target)
        self.assertGreaterEqual(self.count("refused", "not_ipv4"), 80)
        self.assert_accounted()

    def test_a_host_has_another_machine_behind_its_cable(self):
        """Deletes a host's interface and makes it again, with another index and another MAC, three times."""
        self.up(self.file(fabric=STAR))
        first, target = self.names()[0], self.addresses()[0]
        other = self.names()[1]
        for number in range(3):
            self.assert_reaches(other, target)
            ip("-n", SWITCHES, "link", "del", "h0")
            time.sleep(0.1)
            self.assertFalse(self.port(first)["up"])
            self.assertNotEqual(self.on(other, "ping", "-c", "1", "-W", "1", target).returncode, 0)
            ip("-n", SWITCHES, "link", "add", "h0", "mtu", "1600", "type", "veth", "peer", "netns", space(first), "name", "eth0")
            ip("-n", space(first), "link", "set", "eth0", "address", f"52:54:00:00:0{number}:01", "up")
            ip("-n", space(first), "addr", "add", f"{target}/32", "dev", "eth0")
            ip("-n", space(first), "route", "add", "10.0.0.0/8", "dev", "eth0")
            ip("-n", SWITCHES, "link", "set", "h0", "up")
            time.sleep(0.2)
            self.assertTrue(self.port(first)["up"])
        self.assert_reaches(other, target)
        self.assert_accounted()

    def test_an_mtu_that_is_raised(self):
        """No frame is cut: what is longer than the ring's cells is lost in a counter."""
        self.up(self.file(fabric=STAR))
        first, target = self.names()[0], self.addresses()[1]
        mine, there = self.macs(first)
        ip("-n", SWITCHES, "link", "set", "h0", "mtu", "9000")
        ip("-n", space(first), "link", "set", "eth0", "mtu", "9000")
        packet = ipv4(address(self.addresses()[0]), address(target), 17, udp(7, bytes(8900)))
        before, lost = self.count("received"), self.port(first)["rx_lost"]
        self.sends(first, [there + mine + "0800" + packet.hex()], times=50)
        self.assertEqual(self.port(first)["rx_lost"], lost + 50)
        self.assertLess(self.count("received"), before + 10)
        self.assert_reaches(first, target)
        self.assert_accounted()

    def test_messages_of_switches_from_a_host(self):
        """Forges every kind of tag: no switch answers, no table learns, and the frames go on as the host's data."""
        self.up(self.file(fabric=CLOS, rest="switch: {balance: expeditus}"))
        names, addresses = self.names(), self.addresses()
        mine, there = self.macs(names[0])
        path = address(addresses[0]), address(addresses[3])
        made, entries = self.count("made"), self.entries()
        for number, (kind, tag) in enumerate(TAGS.items()):  # a flow for each kind: switches talk about its first frame alone
            self.sends(names[0], [there + mine + tag + "0800" + ipv4(*path, 6, tcp(1000 + number, 0x10)).hex()], times=1500)
            self.until_equal(lambda kind=kind: self.count("stripped", kind), 1500)
        answer = ipv4(*path, 253, credit_answer())
        self.sends(names[0], [there + mine + "9900" "84" "7777" "0800" + answer.hex()], times=100)
        self.until_equal(lambda: self.count("refused", "switch_answer") + self.count("refused", "credit_size"), 100)
        self.sends(names[0], [PAUSE, pfc(0xff)], times=50)
        self.until_equal(lambda: self.count("refused", "pause_kind"), 100)
        self.assertLess(self.count("made") - made, 50)
        self.assertLess(self.entries() - entries, 50)
        self.assert_reaches(names[0], addresses[3])
        self.assert_accounted()
        metrics = heddle("status", "--name", NAME, "tor0.0", "--metrics").stdout
        self.assertIn('heddle_stripped_tags_total{switch="tor0.0",tag="conga"} 1500', metrics)
        self.assertRegex(heddle("status", "--name", NAME, "tor0.0").stdout, r"stripped from hosts: .*conga 1500")

    def entries(self):
        status = json.loads(heddle("status", "--name", NAME, "tor0.0", "--json", "--tables").stdout)
        return sum(len(rows) for switch in status["switches"] for rows in switch["tables"].values())

    def test_ipv4_in_broadcast_frames(self):
        self.up(self.file(fabric=LEAVES))
        names, addresses = self.names(), self.addresses()
        mine, _ = self.macs(names[0])
        packet = ipv4(address(addresses[0]), address(addresses[3]), 17, udp(7, bytes(100))).hex()
        left = self.port(names[3])["tx_frames"]
        self.sends(names[0], ["ffffffffffff" + mine + "0800" + packet, "01005e000001" + mine + "0800" + packet], times=50)
        self.until_equal(lambda: self.count("refused", "group_mac"), 100)
        self.assertLess(self.port(names[3])["tx_frames"], left + 10)
        self.assert_accounted()

    def stormed(self, action, flowctl, frame):
        """Host 1 sends to host 0, which pauses without end. Returns whether host 1 then reaches host 2, the port of host 0 in the
        storm, and that port once the storm is over."""
        watchdog = f"pfc_watchdog: {{detect: 200ms, restore: 400ms, poll: 100ms, action: {action}}}"
        self.up(self.file(fabric=STAR, rest=f"switch: {{balance: ecmp, classes: 8, schedule: strict, crossbar: islip, flowctl: {flowctl}, {watchdog}}}"),
                "--nic", "off")
        names, addresses = self.names(), self.addresses()
        mine, there = self.macs(names[1])
        self.assert_reaches(names[1], addresses[2])
        packet = ipv4(address(addresses[1]), address(addresses[0]), 17, udp(7, bytes(1400))).hex()
        storm = self.storms(names[0], frame, 3)
        try:
            time.sleep(0.1)
            self.sends(names[1], [there + mine + "0800" + packet] * 40, times=100, interval=0.005)
            time.sleep(0.6)
            said = self.on(names[1], "ping", "-c", "3", "-s", "1400", "-i", "0.1", "-W", "1", addresses[2])
            during = self.port(names[0])
        finally:
            storm.wait(timeout=30)
        end = time.monotonic() + 5
        while self.port(names[0]).get("stormed") and time.monotonic() < end:
            time.sleep(0.1)
        return said.returncode == 0, during, self.port(names[0])

    def test_a_pause_storm_is_no_longer_obeyed(self):
        for flowctl, frame in (("pfc", pfc(0xff)), ("pause", PAUSE)):
            reached, during, after = self.stormed("drop", flowctl, frame)
            self.assertTrue(reached, during)
            self.assertEqual((during["stormed"] & 1, during["storms_ended"]), (1, 0))
            self.assertGreater(during["storm_drops"], 50)
            self.assertEqual((after["stormed"], after["storms_found"]), (0, after["storms_ended"]))
            dropped = self.count("dropped", "storm")
            self.assertEqual(dropped, after["storm_drops"])
            self.assert_reaches(self.names()[1], self.addresses()[0])
            self.assert_accounted()
            metrics = heddle("status", "--name", NAME, self.status()["switches"][0]["name"], "--metrics").stdout
            self.assertRegex(metrics, r"heddle_port_pause_storms_total\{[^}]*\} [1-9]")
            self.assertRegex(metrics, r'heddle_dropped_frames_total\{[^}]*cause="storm"\} ' + str(dropped))
            self.assertRegex(heddle("status", "--name", NAME, self.status()["switches"][0]["name"]).stdout, r"pause storms: [1-9]")
            heddle("lab", "down", "--name", NAME)

    def test_a_pause_storm_that_is_forwarded_through(self):
        reached, during, after = self.stormed("forward", "pfc", pfc(0xff))
        self.assertTrue(reached, during)
        self.assertEqual((after["storm_drops"], after["stormed"]), (0, 0))
        self.assertGreater(after["storms_found"], 0)
        self.assertGreaterEqual(after["tx_frames"], 400)
        self.assert_accounted()

    def test_a_pause_storm_without_a_watchdog(self):
        """The storm stalls the others, so the tests above would see if it did."""
        for action in ("none", "auto"):  # a lab does as a simulation does
            reached, during, _ = self.stormed(action, "pfc", pfc(0xff))
            self.assertFalse(reached)
            self.assertNotIn("stormed", during)
            heddle("lab", "down", "--name", NAME)


class Switch(LabTest):
    def test_a_switch_watches_by_default(self):
        """heddle switch has a watchdog unless the experiment or --unwatched says otherwise."""
        file = self.file(fabric=STAR, rest="switch: {crossbar: islip, flowctl: pfc}")
        socket = self.path("s.sock")
        for words, watches in ((), True), (("--unwatched",), False), (("--set", "switch.pfc_watchdog.action=none"), False), (
                ("--unwatched", "--set", "switch.pfc_watchdog.action=forward"), True):
            switch = subprocess.Popen([HEDDLE, "switch", file, "--node", "all", "--socket", socket, *words], stdout=subprocess.PIPE, text=True)
            try:
                switch.stdout.readline()
                ports = json.loads(heddle("status", socket, "--json").stdout)["switches"][0]["ports"]
                self.assertEqual({"stormed" in port for port in ports}, {watches}, words)
            finally:
                switch.terminate()
                switch.wait(timeout=10)
                switch.stdout.close()


class Page(LabTest):
    """The live page of a lab, asked in another name, and by clients that are slow."""

    def setUp(self):
        super().setUp()
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.terminate()
            server.wait(timeout=30)
            server.stdout.close()
        super().tearDown()

    def serve(self, where="127.0.0.1:0"):
        """Starts the server of a lab's page; returns its port."""
        if not self.labs:
            self.up(self.file(fabric=STAR))
        server = subprocess.Popen([HEDDLE, "lab", "status", "--name", NAME, "--serve", where], stdout=subprocess.PIPE, text=True)
        self.servers.append(server)
        return int(re.search(r":(\d+)/$", server.stdout.readline()).group(1))

    def ask(self, port, host, timeout=5.0):
        """The status of the reply to a request for this host; host None: without the field."""
        with socket.create_connection(("127.0.0.1", port), timeout=timeout) as to:
            field = "" if host is None else f"Host: {host}\r\n"
            to.sendall(f"GET /status.json HTTP/1.1\r\n{field}Connection: close\r\n\r\n".encode())
            reply = b""
            while part := to.recv(65536):
                reply += part
        return int(reply.split()[1]), reply

    def test_hosts_that_are_not_served(self):
        port = self.serve()
        for host in ("localhost", f"localhost:{port}", "127.0.0.1", f"127.0.0.1:{port}", f"[::1]:{port}", "LOCALHOST:1"):
            self.assertEqual(self.ask(port, host)[0], 200, host)
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", "10.0.0.1",
                     socket.gethostname() + ".evil"):
            status, reply = self.ask(port, host)
            self.assertEqual(status, 421, host)
            self.assertNotIn(b"switches", reply)
        self.assertIn(self.ask(port, None)[0], (400, 421))
        everywhere = self.serve("0.0.0.0:0")
        for host, status in (("10.9.8.7:80", 200), (socket.gethostname(), 200), ("evil.example", 421)):
            self.assertEqual(self.ask(everywhere, host)[0], status, host)

    def test_slow_clients_lock_nobody_out(self):
        """64 clients that say nothing, half a request, or a byte a second; and 64 more. A viewer is answered all the time."""
        port, slow = self.serve(), []
        try:
            for number in range(128):
                slow.append(socket.create_connection(("127.0.0.1", port), timeout=5))
                if number % 2:
                    slow[-1].sendall(b"GET /status.json HTTP/1.1\r\nHost: local")
                if number >= 63:
                    self.assertEqual(self.ask(port, "localhost")[0], 200)
            for client in slow[:32]:  # the oldest made room
                self.assertEqual(self.end_of(client), b"")
            begun, ended = time.monotonic(), 0
            while slow and time.monotonic() < begun + 30:
                for client in list(slow):
                    try:
                        client.sendall(b"x")
                    except OSError:
                        slow.remove(client)
                        client.close()
                        ended += 1
                self.assertEqual(self.ask(port, "localhost")[0], 200)
                time.sleep(1)
            self.assertEqual(ended, 128)  # a byte a second is no request in time
            self.assertLess(time.monotonic(), begun + 25)
        finally:
            for client in slow:
                client.close()

    @staticmethod
    def end_of(client):
        try:
            return client.recv(100)
        except ConnectionError:
            return b""


if __name__ == "__main__":
    run_tests(missing())
