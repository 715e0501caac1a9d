#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The TCP of a lab's hosts follows the experiment: retransmission timeout, reordering, ECN, and DCTCP even if the kernel lacks it.

usage: test_congestion.py HEDDLE    (exit status 77, saying why, where namespaces cannot be made)
"""
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

from labs import HEDDLE, NAME, LabTest, heddle, in_time, missing, run_tests

STAR = "fabric: {kind: star, hosts: 3, rate: 50Mbps, delay: 20us}"
DCTCP = "host: {transport: dctcp, dctcp: {g: 0.0625}}\nswitch: {admit: ecn, ecn_threshold: 60KB, buffer: 500KB}"
THRESHOLD = 60000


def registered():
    with open("/proc/sys/net/ipv4/tcp_available_congestion_control", encoding="ascii") as file:
        return {name for name in file.read().split() if name.startswith("dctcp_")}


def kernel_has_dctcp():
    """Returns whether the kernel has dctcp; the probe loads its module."""
    import socket
    with socket.socket() as probe:
        try:
            probe.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"dctcp")
        except OSError:
            return False
    return True


def needs_bpf(test):
    why = "the kernel has dctcp" if kernel_has_dctcp() else None
    for tool in "clang", "bpftool":
        why = why or (None if shutil.which(tool) else f"{tool} is not installed")
    return unittest.skipIf(why, why)(test)


class Hosts(LabTest):
    def setUp(self):
        super().setUp()
        self.programs = []

    def tearDown(self):
        for program in self.programs:
            program.kill()
            program.wait()
            if program.stdout:
                program.stdout.close()
        super().tearDown()

    def start(self, host, *words):
        self.programs.append(subprocess.Popen([HEDDLE, "lab", "exec", "--name", NAME, host, *map(str, words)],
                                              stdout=subprocess.PIPE, text=True))
        return self.programs[-1]

    def address(self, host):
        return next(h["address"] for h in self.status()["hosts"] if h["name"] == host)

    def streams(self, to, *senders, seconds=3, options=()):
        """Starts an iperf3 from each sender to the host; returns the clients once all send."""
        address = self.address(to)
        for i, _ in enumerate(senders):
            self.start(to, "iperf3", "-s", "-1", "-p", 5201 + i)
        for _ in range(100):
            if self.on(to, "ss", "-Hltn").stdout.count(":52") == len(senders):
                break
            time.sleep(0.05)
        return [self.start(host, "iperf3", "-c", address, "-p", 5201 + i, "-t", seconds, "-J", *options)
                for i, host in enumerate(senders)]

    def results(self, clients):
        said = [json.loads(c.communicate(timeout=60)[0]) for c in clients]
        self.assertEqual([s.get("error") for s in said], [None] * len(said))
        return [s["end"]["sum_sent"] for s in said]

    def sockets(self, host):
        """Returns the numbers that ss prints for the socket of a host that sent most, as a dict, and its congestion control."""
        best = {"bytes_sent": -1}
        for line in self.on(host, "ss", "-Htin").stdout.splitlines():
            found = {key: float(value) for key, value in re.findall(r"(\w+):([\d.]+)", line)}
            if found.get("bytes_sent", -1) > best["bytes_sent"]:
                best = found | {"congestion": line.split()[0]}
        return best

    def port(self):
        return next(p for p in self.status()["switches"][0]["ports"] if p["name"] == "host0.0")


class Settings(Hosts):
    def test_min_rto_bounds_the_timeout(self):
        for least, most in ((50, 200), (400, 800)):  # the kernel's default is 200 ms
            self.up(self.file(STAR, f"host: {{transport: cubic, min_rto: {least}ms}}"))
            clients = self.streams("host0.0", "host0.1", seconds=2)
            time.sleep(1)
            seen = self.sockets("host0.1")
            self.assertEqual(seen["congestion"], "cubic")
            self.assertGreaterEqual(seen["rto"], least)
            self.assertLess(seen["rto"], most)
            self.results(clients)
            heddle("lab", "down", "--name", NAME)

    def test_sockets_have_the_transport_of_the_file(self):
        for transport, kernel in ("newreno", "reno"), ("cubic", "cubic"):
            self.up(self.file(STAR, f"host: {{transport: {transport}}}"))
            clients = self.streams("host0.0", "host0.1", seconds=1)
            time.sleep(0.5)
            self.assertEqual(self.sockets("host0.1")["congestion"], kernel)
            self.results(clients)
            heddle("lab", "down", "--name", NAME)

    def test_hosts_are_patient_where_balancers_reorder(self):
        """Checks the settings only: since Linux 6.17, RACK cannot be switched off."""
        for balance, most in ("spray", 1000), ("ecmp", 3):
            self.up(self.file(STAR, f"switch: {{balance: {balance}}}\nhost: {{transport: newreno}}"))
            clients = self.streams("host0.0", "host0.1", seconds=1)
            time.sleep(0.5)
            self.assertEqual(self.sockets("host0.1").get("reordering", 3), most)
            rack = int(self.on("host0.1", "sysctl", "-n", "net.ipv4.tcp_recovery").stdout) & 5
            self.assertEqual(rack, 4 if balance == "spray" else 1)
            self.results(clients)
            heddle("lab", "down", "--name", NAME)

    def losses(self, switch):
        """Returns the frames dropped and marked and the marks that reached a sender, of two senders after slow start."""
        self.up(self.file(STAR, f"switch: {{buffer: 100KB, {switch}}}\nhost: {{transport: newreno}}"))
        clients = self.streams("host0.0", "host0.1", "host0.2", seconds=5)
        time.sleep(1.5)
        before = self.port()
        time.sleep(3)
        after, seen = self.port(), self.sockets("host0.1")
        self.results(clients)
        heddle("lab", "down", "--name", NAME)
        return after["drops"] - before["drops"], after["marks"] - before["marks"], seen.get("delivered_ce", 0)

    @in_time
    def test_marks_take_the_place_of_drops(self):
        drops, marks, told = self.losses("admit: ecn, ecn_threshold: 40KB")
        self.assertGreater(marks, 20)
        self.assertGreater(told, 10)
        self.assertLess(drops, 3)
        drops, marks, told = self.losses("admit: droptail")
        self.assertGreater(drops, 3)
        self.assertEqual((marks, told), (0, 0))


@needs_bpf
class Dctcp(Hosts):
    def watch(self, seconds):
        """Returns samples of the queue before host0.0, and of the window of host0.1 as (cwnd, ssthresh)."""
        queues, windows, end = [], [], time.monotonic() + seconds
        while time.monotonic() < end:
            queues.append(self.port()["queue_bytes"])
            seen = self.sockets("host0.1")
            windows.append((seen["cwnd"], seen.get("ssthresh", 1e9)))
            time.sleep(0.02)
        return sorted(queues), windows

    @in_time
    def test_two_senders_keep_the_queue_near_the_threshold(self):
        self.up(self.file(STAR, DCTCP))
        clients = self.streams("host0.0", "host0.1", "host0.2", seconds=6)
        time.sleep(1.5)
        self.assertEqual({self.sockets("host0.1")["congestion"]}, registered())
        queues, windows = self.watch(3)
        rates = [r["bits_per_second"] for r in self.results(clients)]
        print(f"queue 10 % {queues[len(queues) // 10]}, median {queues[len(queues) // 2]}, most {queues[-1]} B; "
              f"Mb/s {[round(r / 1e6, 1) for r in rates]}; windows {windows[::8]}", file=sys.stderr)
        self.assertGreater(sum(rates), 0.75 * 50e6)
        self.assertLess(queues[-1], 2 * THRESHOLD)  # NewReno without marks fills 500 KB
        self.assertGreater(queues[len(queues) // 2], THRESHOLD / 10)
        # A window shrinks by the share alpha / 2, which is below one half if only some segments are marked.
        peak = max(cwnd for cwnd, _ in windows)
        kept = sorted(ssthresh for _, ssthresh in windows)[len(windows) // 2]
        self.assertGreater(kept / peak, 0.55)
        self.assertEqual(self.port()["drops"], 0)

    def test_receivers_echo_the_mark_of_each_segment(self):
        self.up(self.file(STAR, DCTCP))
        capture = subprocess.Popen([HEDDLE, "lab", "capture", "--name", NAME, "host0.0-leaf0", self.path("x.pcapng"),
                                    "--seconds", "4"], stdout=subprocess.DEVNULL)
        time.sleep(1)  # a capture says nothing when it has begun
        self.results(self.streams("host0.0", "host0.1", "host0.2", seconds=2))
        self.assertEqual(capture.wait(timeout=20), 0)
        fields = ["ip.src", "tcp.srcport", "tcp.dstport", "ip.dsfield.ecn", "tcp.seq_raw", "tcp.len", "tcp.ack_raw",
                  "tcp.flags.ece", "tcp.flags.syn"]
        said = subprocess.run(["tshark", "-r", self.path("x.pcapng"), "-Y", "tcp", "-T", "fields",
                               *(w for f in fields for w in ("-e", f))], capture_output=True, text=True, check=True)
        mark_before, right, wrong, marked = {}, 0, 0, 0
        for line in said.stdout.splitlines():
            src, sport, dport, ecn, seq, length, ack, ece, syn = line.split("\t")
            if int(syn):
                continue
            if src != "10.0.0.1":
                mark_before[dport, sport, (int(seq) + int(length)) % 2**32] = int(ecn) == 3
            elif (sport, dport, int(ack)) in mark_before and int(length) == 0:
                mark = mark_before[sport, dport, int(ack)]
                right += mark == bool(int(ece))
                wrong += mark != bool(int(ece))
                marked += mark
        print(f"{right} echoes right, {wrong} wrong, {marked} of marked segments", file=sys.stderr)
        self.assertGreater(marked, 50)
        self.assertGreater(right - marked, 50)
        self.assertLessEqual(wrong, right / 100)

    def test_it_is_gone_with_its_lab_alone(self):
        before = registered()
        self.up(self.file(STAR, DCTCP))
        mine = registered() - before
        self.up(self.file(STAR, DCTCP), name=NAME + "b")
        self.assertEqual(len(registered() - before), 2)
        for pid in subprocess.run(["ip", "netns", "pids", f"heddle-{NAME}.switches"], capture_output=True, text=True,
                                  check=True).stdout.split():
            os.kill(int(pid), signal.SIGKILL)
        for code in (0, 2):  # the second time there is no lab
            said = heddle("lab", "down", "--name", NAME)
            self.assertEqual((said.returncode, said.stderr == ""), (code, code == 0), said.stderr)
            self.assert_gone()
        self.assertFalse(mine & registered())
        self.assertEqual(len(registered() - before), 1)
        heddle("lab", "down", "--name", NAME + "b")
        self.assertEqual(registered(), before)

    def test_a_killed_run_leaves_what_down_removes(self):
        before = registered()
        self.labs.append(NAME)
        file = self.file(STAR, DCTCP + "\nworkload: {kind: long, src: 1, dst: 0, stop: 20s}\nrun: {until: 20s}")
        run = subprocess.Popen([HEDDLE, "lab", "run", file, "--name", NAME, "-q", "-o", self.path("x.db")],
                               stderr=subprocess.DEVNULL)
        for _ in range(200):
            if registered() != before and os.path.exists(f"/run/heddle/labs/{NAME}/switches.sock"):
                break
            time.sleep(0.05)
        self.assertNotEqual(registered(), before)
        run.kill()
        run.wait()
        self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)
        self.assertEqual(registered(), before)
        self.assert_gone()

    def test_a_lab_without_a_record_leaves_nothing(self):
        before = registered()
        self.up(self.file(STAR, DCTCP))
        self.assertNotEqual(registered(), before)
        os.remove(f"/run/heddle/labs/{NAME}/lab.json")
        said = heddle("lab", "down", "--name", NAME)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(registered(), before)

    def test_an_experiment_runs_with_it(self):
        before = registered()
        file = self.file(STAR, DCTCP + """
workload: [{kind: incast, senders: 2, receiver: 0, sizes: 1MB}, {kind: long, src: 1, dst: 0, stop: 1s, transport: cubic}]
run: {until: 3s}""")
        said = heddle("lab", "run", file, "--name", NAME, "-q", "-o", self.path("x.db"))
        self.assertEqual(said.returncode, 0, said.stderr)
        result = json.loads(sqlite3.connect(self.path("x.db")).execute("SELECT result FROM runs").fetchone()[0])
        self.assertEqual(result["flows"]["finished"], 3)
        self.assertGreater(result["packets"]["marked"], 0)
        self.assertEqual(registered(), before)

    def test_without_the_tools_it_says_so_in_one_line(self):
        """The PATH has every tool that a lab needs, except clang and bpftool."""
        env = self.path_of("ip", "sysctl", "ethtool", "chrt", "true")
        said = heddle("lab", "up", self.file(STAR, DCTCP), "--name", NAME, env=env)
        self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
        self.assertIn("this kernel has no dctcp: install clang and bpftool", said.stderr)
        self.assert_gone()
        os.symlink(shutil.which("clang"), os.path.join(env["PATH"], "clang"))
        said = heddle("lab", "up", self.path("lab.yaml"), "--name", NAME, env=env)
        self.assertIn("this kernel has no dctcp: install bpftool,", said.stderr)


if __name__ == "__main__":
    run_tests(missing())
