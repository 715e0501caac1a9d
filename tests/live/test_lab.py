#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Labs: real hosts behind live switches on this machine, their commands, and complete removal.

usage: test_lab.py HEDDLE    (exit status 77, saying why, where namespaces cannot be made)
"""
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

from capture_file import frames_of, frames_sent
from labs import CLOS, HEDDLE, LEAVES, NAME, TRAFFIC, LabTest, heddle, missing, run_tests

LIVE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../experiments/live")

# Fabric and switches of the live runs, one of each mechanism.
SCHEMES = {
    "ecmp": (CLOS, "switch: {balance: ecmp}"),
    "expeditus": (CLOS, "switch: {balance: expeditus}"),
    "core loads": (CLOS, "switch: {balance: expeditus, expeditus: {core_loads: true}}"),
    "expeditus handshake": (CLOS, "switch: {balance: expeditus, expeditus: {carry: handshake}}"),
    "conga-flow": (LEAVES, "switch: {balance: conga-flow}"),
    "spray": (CLOS, "switch: {balance: spray}"),
    "alb by backlog": (CLOS, "switch: {balance: alb}"),
    "ecn": (CLOS, "switch: {balance: ecmp, admit: ecn, ecn_threshold: 30KB}"),
    "phantom queues": (CLOS, "switch: {balance: ecmp, admit: phantom}"),
    "strict priorities": (CLOS, "switch: {balance: ecmp, classes: 8, schedule: strict}"),
    "deficit round robin": (CLOS, "switch: {balance: ecmp, classes: 8, schedule: drr}"),
    "crossbar": (CLOS, "switch: {balance: ecmp, crossbar: islip}"),
    "pause": (CLOS, "scheme: detail-fc"),
    "detail": (CLOS, "scheme: detail"),
    "expresspass": (CLOS, "host: {transport: expresspass}"),
    "spraypass": (CLOS, "host: {transport: spraypass}"),
}


class Labs(LabTest):
    @staticmethod
    def processes(space):
        """Process ids in a namespace of the lab."""
        return subprocess.run(["ip", "netns", "pids", f"heddle-{NAME}.{space}"], capture_output=True, text=True,
                              check=True).stdout.split()

    def test_every_host_reaches_every_other(self):
        said = self.up(self.file())
        self.assertIn("12 switches, 8 hosts", said)
        addresses = {h["name"]: h["address"] for h in self.status()["hosts"]}
        self.assertEqual(addresses["host1.1.1"], "10.0.3.2")
        for host in addresses:
            pings = [subprocess.Popen([HEDDLE, "lab", "exec", "--name", NAME, host, "ping", "-c", "1", "-W", "5", a],
                                      stdout=subprocess.DEVNULL) for a in addresses.values()]
            self.assertEqual([p.wait() for p in pings], [0] * len(pings))

    def test_up_says_how_to_use_the_lab(self):
        text = LEAVES.replace("}", ", failed: [{link: leaf0-spine0, at: 1ms}]}")
        self.labs.append(NAME)
        said = heddle("lab", "up", self.file(text), "--name", NAME)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(said.stdout, f"lab {NAME}: 4 switches, 4 hosts, host0.0 10.0.0.1 to host1.1 10.0.1.2\n"
                         f"  heddle lab exec --name {NAME} host0.0 ping -c 3 host1.1\n"
                         f"  heddle lab status --name {NAME}\n"
                         f"  heddle lab down --name {NAME}\n")
        self.assertIn("warning: no link fails by itself, whatever the file says of failures; heddle lab link down LINK cuts one\n", said.stderr)
        self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)
        self.assert_gone()

    def test_traceroute_shows_the_path(self):
        self.up(self.file())
        said = self.on("host0.0.0", "traceroute", "-n", "-q", "1", "-w", "3", "10.0.3.1").stdout.splitlines()[1:]
        hops = [line.split()[1] for line in said]
        names = {s["address"]: s["name"][:4] for s in self.status()["switches"]}
        self.assertEqual([names.get(hop, hop) for hop in hops], ["tor0", "agg0", "core", "agg1", "tor1", "10.0.3.1"])

    def test_a_link_fails_and_comes_back(self):
        self.up(self.file(LEAVES.replace("spines: 2", "spines: 1")), "--detect", "50ms")
        self.assert_reaches("host0.0", "10.0.1.1")
        self.link("down", "leaf0-spine0")
        self.assertEqual([x["name"] for x in self.status()["links"] if not x["up"]], ["leaf0-spine0"])
        self.assertNotEqual(self.on("host0.0", "ping", "-c", "1", "-W", "1", "10.0.1.1").returncode, 0)
        said = self.on("host0.0", "ping", "-c", "1", "-W", "1", "10.0.1.1").stdout
        self.assertIn("Destination Host Unreachable", said)  # detected by now, so the leaf answers
        self.link("up", "spine0-leaf0")
        time.sleep(0.1)
        self.assert_reaches("host0.0", "10.0.1.1")

    def test_impaired_links(self):
        self.up(self.file(LEAVES.replace("spines: 2", "spines: 1")))
        ping = ["ping", "-q", "-c", "100", "-i", "0.002", "-W", "1", "10.0.1.1"]

        def impaired(*what):
            said = heddle("lab", "impair", "--name", NAME, "leaf0-spine0", *what)
            self.assertEqual(said.returncode, 0, said.stderr)
            return self.on("host0.0", *ping).stdout

        self.assertRegex(impaired("loss=30%"), r"[3-7]\d% packet loss")  # there and back: 51 %
        self.assertRegex(impaired("duplicate=50%"), r"\+\d{2,} duplicates, 0% packet loss")
        self.assertRegex(impaired("corrupt=100%"), r"100% packet loss")
        # 40 ms and the delay of the machine, on average: ping reads the wall clock, which may be set meanwhile
        self.assertRegex(impaired("delay=20ms"), r"0% packet loss[^=]*= [\d.]+/4\d\.")
        self.assertRegex(impaired("none"), r" 0% packet loss")
        counts = [p["impaired_out"] for s in self.status()["switches"] for p in s["ports"] if "impaired_out" in p]
        self.assertEqual(len(counts), 2)
        self.assertGreater(min(c["lost"] for c in counts), 10)
        self.assertEqual(counts[0]["corrupted"], 100)
        for what in ["loss=2", "loss", "speed=1", "delay=1"]:
            said = heddle("lab", "impair", "--name", NAME, "leaf0-spine0", what)
            self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)

    def assert_tshark_sees_times(self, path):
        """Wireshark shows each frame at its time, in a capture longer than a second."""
        said = subprocess.run(["tshark", "-r", path, "-T", "fields", "-e", "frame.time_epoch"], capture_output=True,
                              text=True, check=True)
        times = [at for _, at, _, _ in frames_of(path)]
        self.assertEqual(said.stdout.split(), [f"{at // 10**12}.{at % 10**12 // 1000:09d}" for at in times])
        self.assertGreater(times[-1] - times[0], 10**12)

    def test_capture_of_a_link(self):
        self.up(self.file(LEAVES.replace("spines: 2", "spines: 1"), "switch: {balance: expeditus}"))
        path = self.path("link.pcapng")
        capture = subprocess.Popen([HEDDLE, "lab", "capture", "--name", NAME, "spine0-leaf1", path],
                                   stdout=subprocess.PIPE, text=True)
        time.sleep(1)  # a capture says nothing when it has begun
        said = heddle("lab", "capture", "--name", NAME, "spine0-leaf1", self.path("other.pcapng"))
        self.assertIn("being captured", said.stderr)
        self.on("host0.0", "ping", "-c", "5", "-i", "0.01", "10.0.1.1")
        time.sleep(1)
        self.on("host0.0", "ping", "-c", "5", "-i", "0.01", "10.0.1.1")
        capture.send_signal(signal.SIGINT)
        self.assertEqual(capture.communicate(timeout=10)[0], f"written: {path}\n")
        self.assert_tshark_sees_times(path)
        sent = [f for _, _, f in frames_sent(path)]
        self.assertGreaterEqual(len(sent), 5)
        self.assertIn(b"\x99\x00", [f[12:14] for f in sent])  # Expeditus's tag, which no host sees
        with open(self.path("mine"), "w", encoding="ascii") as file:
            file.write("mine")
        said = heddle("lab", "capture", "--name", NAME, "spine0-leaf1", self.path("mine"), "--seconds", "1")
        self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
        self.assertIn("name another file", said.stderr)
        self.assert_reaches("host0.0", "10.0.1.1")

    def test_status_counts_what_is_sent(self):
        self.up(self.file())
        self.on("host0.0.0", "ping", "-c", "20", "-i", "0.002", "10.0.0.2")
        tor = [s for s in self.status()["switches"] if s["name"] == "tor0.0"][0]
        ports = {p["name"]: p for p in tor["ports"]}
        self.assertGreaterEqual(ports["host0.0.1"]["sent_bytes"], 20 * 122)
        self.assertGreaterEqual(ports["host0.0.0"]["rx_frames"], 20)
        self.assertEqual(ports["agg0.0"]["live"], None)
        self.assertEqual(tor["frames"]["dropped"]["buffer"], 0)

    def stays_on(self):
        """Returns the processors on which a thread of the switches stays, each thread of them that is not the first."""
        pid = subprocess.run(["ip", "netns", "pids", f"heddle-{NAME}.switches"], capture_output=True, text=True,
                             check=True).stdout.split()[0]
        return [os.sched_getaffinity(int(one)) for one in os.listdir(f"/proc/{pid}/task") if one != pid]

    def receive_on(self, host):
        with subprocess.Popen(["ip", "netns", "exec", f"heddle-{NAME}.{host}", "cat", "/sys/class/net/eth0/queues/rx-0/rps_cpus"],
                              stdout=subprocess.PIPE, text=True) as said:
            mask = int(said.stdout.read().replace(",", ""), 16)
        return {cpu for cpu in range(mask.bit_length()) if mask >> cpu & 1}

    def test_processors_are_divided_where_links_have_no_rate(self):
        """The switches' thread has the highest processor to itself, and hosts receive on the others; not where links have rates,
        nor where threads need all processors."""
        all_of_them = os.sched_getaffinity(0)
        own = {max(all_of_them)} if len(all_of_them) > 1 else all_of_them
        for rate, threads, threads_on, receive in (("none", 1, own, all_of_them - own or all_of_them),
                                                   ("none", len(all_of_them), all_of_them, all_of_them),
                                                   ("100Mbps", 1, all_of_them, set())):
            self.up(self.file(f"fabric: {{kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: {rate}}}", "switch: {balance: ecmp}"),
                    "--threads", str(threads))
            self.assertGreaterEqual(len(self.stays_on()), 1, rate)
            self.assertEqual([one for one in self.stays_on() if one != threads_on], [], rate)
            self.assertEqual([self.receive_on(host) for host in ("host0.0", "host1.1")], [receive] * 2, rate)
            self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)

    def test_processors_that_cannot_be_had(self):
        for words, text in ((["--cpu", "1", "--cpu", "1"], "--cpu is given 2 times; give one for each of the 1 threads"),
                            (["--cpu", "first"], "--cpu first: write the number of a processor, from 0"),
                            (["--cpu", "1023"], "no thread can run on processor 1023; name others by --cpu")):
            said = heddle("switch", self.file(LEAVES), "--node", "all", "--socket", self.path("s.sock"), *words)
            self.assertEqual((said.returncode, said.stdout, said.stderr.count("\n")), (2, "", 1), said.stderr)
            self.assertIn(text, said.stderr)

    def test_switches_say_that_no_link_fails_by_itself(self):
        text = LEAVES.replace("}", ", failed: [{link: leaf0-spine0, at: 1ms}]}")
        switches = subprocess.Popen([HEDDLE, "switch", self.file(text), "--node", "all", "--socket", self.path("s.sock")],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(switches.kill)
        self.assertIn("4 switches", switches.stdout.readline())
        warned = switches.stderr.readline()
        switches.terminate()
        self.assertEqual((switches.communicate(timeout=60), switches.returncode), (("", ""), 0))
        self.assertEqual(warned, f"{self.path('lab.yaml')}: warning: no link fails by itself, whatever the file says of failures; "
                         "heddle lab run carries failures out\n")

    def test_segments_set_the_mtu(self):
        """A host's interface takes the segments of the experiment, and the switch's end of its link takes their tags too."""
        for mss, nic in ((8960, "off"), (8960, "on"), (536, "off")):
            file = self.file(fabric=LEAVES, rest=f"switch: {{balance: ecmp}}\nhost: {{transport: cubic, mss: {mss}B}}")
            self.up(file, "--nic", nic)
            mtu = self.on("host1.1", "cat", "/sys/class/net/eth0/mtu")
            self.assertEqual(mtu.stdout, f"{mss + 40}\n", mtu.stderr)
            for far in ("10.0.0.1", "10.0.0.2"):
                said = self.on("host1.1", "ping", "-c", "2", "-i", "0.05", "-W", "2", "-M", "do", "-s", str(mss + 12), far)
                self.assertEqual(said.returncode, 0, f"mss {mss}, nic {nic}: {said.stdout}{said.stderr}")
            self.assertNotEqual(self.on("host1.1", "ping", "-c", "1", "-W", "1", "-M", "do", "-s", str(mss + 13), far).returncode, 0)
            self.assertEqual(sum(p["rx_lost"] for sw in self.status()["switches"] for p in sw["ports"] if p["live"]), 0)
            heddle("lab", "down", "--name", NAME)

    def test_two_labs_side_by_side(self):
        self.up(self.file(LEAVES))
        self.up(self.file(LEAVES, "switch: {balance: spray}"), name=NAME + "b")
        self.assert_reaches("host0.0", "10.0.1.1")
        self.assert_reaches("host0.0", "10.0.1.1", name=NAME + "b")
        self.assertIn(NAME + "b ", heddle("lab", "list").stdout)
        heddle("lab", "down", "--name", NAME)
        self.assert_gone()
        self.assert_reaches("host1.1", "10.0.0.1", name=NAME + "b")

    def test_nothing_is_left(self):
        self.up(self.file(LEAVES))
        server = subprocess.Popen([HEDDLE, "lab", "exec", "--name", NAME, "host0.1", "sleep", "1000"])
        self.addCleanup(server.kill)  # a process that is left would hold the output of this test open
        while not self.processes("host0.1") and server.poll() is None:  # `lab exec` has not entered the host yet
            time.sleep(0.02)
        switches = self.processes("switches")
        self.assertEqual(len(switches), 1)
        os.kill(int(switches[0]), signal.SIGKILL)
        for code in (0, 2):  # the second time there is no lab
            self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, code)
            self.assert_gone()
        self.assertLess(server.wait(timeout=5), 0)
        self.up(self.file(LEAVES))
        self.assert_reaches("host0.0", "10.0.1.1")

    def test_processes_outside_are_left_alone(self):
        """Only processes of the lab end: all in its namespaces, and processes that were started with its mark and have not got there
        yet. Neither one with the mark of a lab whose name is longer, nor one without a mark."""
        self.up(self.file(LEAVES))
        with open(f"/run/heddle/labs/{NAME}/lab.json", encoding="ascii") as file:
            mark = f"heddle lab {NAME} {json.load(file)['id']}"
        marks = (mark, mark.replace(NAME, NAME + "b"), "")
        outside = [subprocess.Popen(["sleep", "1000"], env={**os.environ, "HEDDLE_LAB_MARK": one}) for one in marks]
        for process in outside:
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
        said = heddle("lab", "down", "--name", NAME)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assert_gone()
        self.assertEqual(outside[0].wait(timeout=5), -signal.SIGTERM)
        self.assertEqual([process.poll() for process in outside[1:]], [None, None])

    def test_programs_that_do_not_end_are_killed(self):
        self.up(self.file(LEAVES))
        stubborn = subprocess.Popen([HEDDLE, "lab", "exec", "--name", NAME, "host0.1", "sh", "-c",
                                     "trap '' TERM; echo ready; while :; do sleep 1; done"], stdout=subprocess.PIPE)
        self.addCleanup(stubborn.kill)
        self.assertEqual(stubborn.stdout.readline(), b"ready\n")
        said = heddle("lab", "down", "--name", NAME)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertEqual(stubborn.wait(timeout=5), -signal.SIGKILL)
        stubborn.stdout.close()
        self.assert_gone()

    def test_a_lab_of_an_earlier_heddle(self):
        """Its record has no id, and its parts have no marks: the names in the record say what it made."""
        self.labs.append(NAME)
        folder, spaces = f"/run/heddle/labs/{NAME}", [f"heddle-{NAME}-{x}" for x in ("switches", "host0.0", "host0.1")]
        os.makedirs(folder)
        with open(os.path.join(folder, "lab.json"), "w", encoding="ascii") as file:
            json.dump({"name": NAME, "file": "", "switches": spaces[0], "n_switches": 1, "nics": False, "dctcp": "",
                       "hosts": [{"name": x[-7:], "namespace": x, "address": "10.0.0.1"} for x in spaces[1:]],
                       "nodes": [], "links": []}, file)
        for space in spaces:
            subprocess.run(["ip", "netns", "add", space], check=True)
        inside = subprocess.Popen(["ip", "netns", "exec", spaces[1], "sleep", "1000"])
        self.addCleanup(inside.kill)
        while inside.pid not in [int(x) for x in subprocess.run(["ip", "netns", "pids", spaces[1]], capture_output=True,
                                                                text=True, check=True).stdout.split()]:
            time.sleep(0.02)
        said = heddle("lab", "down", "--name", NAME)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertEqual(inside.wait(timeout=5), -signal.SIGTERM)
        self.assertNotIn(f"heddle-{NAME}-", subprocess.run(["ip", "netns"], capture_output=True, text=True, check=True).stdout)
        self.assert_gone()

    def test_a_lab_that_is_being_made(self):
        """`lab down` waits until a lab that is being made is there, and does not remove half of it."""
        self.labs.append(NAME)
        folder = f"/run/heddle/labs/{NAME}"
        making = subprocess.Popen([HEDDLE, "lab", "up", self.file(LEAVES.replace("1Gbps", "100Mbps")), "--name", NAME],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(os.path.join(folder, "lab.json")) and making.poll() is None:
            time.sleep(0.001)
        said = heddle("lab", "down", "--name", NAME)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertEqual(making.communicate(timeout=60)[1], "")
        self.assertEqual(making.returncode, 0)
        self.assert_gone()

    def test_up_that_is_interrupted_removes_what_it_made(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.labs.append(NAME)
            making = subprocess.Popen([HEDDLE, "lab", "up", self.file(), "--name", NAME], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True)
            while not os.path.exists(f"/run/netns/heddle-{NAME}.host0.0.0") and making.poll() is None:
                time.sleep(0.001)
            making.send_signal(number)
            said = making.communicate(timeout=60)[1]
            self.assertEqual((making.returncode, said), (3, f"error: interrupted; what there was of lab '{NAME}' is removed\n"))
            self.assert_gone()

    def test_up_that_fails_removes_what_it_made(self):
        """The switches cannot start here: a file stands in the place of a capture."""
        os.mkdir(self.path("captures"))
        with open(self.path("captures/leaf0.pcapng"), "w", encoding="ascii") as file:
            file.write("mine")
        said = heddle("lab", "up", self.file(LEAVES), "--name", NAME, "--record", self.path("captures"))
        self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
        self.assertIn("did not start", said.stderr)
        self.assert_gone()

    def test_refusals(self):
        self.up(self.file(LEAVES))
        for words, says in [
            (["lab", "up", self.path("lab.yaml"), "--name", NAME], "there is a lab"),
            (["lab", "up", self.path("lab.yaml"), "--name", "a/b"], "no name for a lab"),
            (["lab", "exec", "--name", NAME, "host9.9", "true"], "no host 'host9.9'"),
            (["lab", "link", "down", "leaf0-leaf1", "--name", NAME], 'there is no link "leaf0-leaf1"'),
            (["lab", "status", "--name", NAME + "x"], "there is no lab"),
            (["switch", self.path("lab.yaml"), "--node", "host0.0"], "is a host"),
            (["switch", self.path("lab.yaml"), "--node", "leaf0", "--port", "spine7=lo"], "no switch of this process"),
            (["switch", self.path("lab.yaml"), "--node", "leaf0", "--port", "host0.0=nosuch0"], "nosuch0"),
        ]:
            said = heddle(*words)
            self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
            self.assertIn(says, said.stderr)
        said = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", HEDDLE, "lab", "up", "/dev/null"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
        self.assertIn("root", said.stderr)
        self.assert_reaches("host0.0", "10.0.1.1")


class Runs(LabTest):
    """heddle lab run: an experiment on real frames has the flows of the simulation and a store of its own."""

    EXPERIMENT = """title: closed loops and open ones
fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 100Mbps, delay: 20us}
switch: {balance: ecmp}
host: {transport: TRANSPORT, min_rto: 50ms}
workload:
  - {kind: query, schedule: [{for: 1s, rate: 20/s}], queries: 40, request: 1KB, responses: [2KB, 8KB], priorities: [0, 7]}
  - {kind: incast, senders: 3, receiver: 0, sizes: 20KB, rounds: 2, gap: 200ms}
  - {kind: web-sequential, schedule: [{for: 1s, rate: 5/s}], queries: 5, length: 4, responses: [4KB], connections: persistent}
  - {kind: poisson, sizes: 50KB, load: 0.1, load_at: host, flows: 20}
sweep: {run.seed: [1, 2]}
"""

    def experiment(self, transport="cubic"):
        with open(self.path("loops.yaml"), "w", encoding="ascii") as out:
            out.write(self.EXPERIMENT.replace("TRANSPORT", transport))
        return self.path("loops.yaml")

    def results(self, store):
        connection = sqlite3.connect(store)
        rows = connection.execute("SELECT status, result FROM runs ORDER BY number").fetchall()
        connection.close()
        return [(status, json.loads(result or "null")) for status, result in rows]

    def test_the_same_flows_as_in_the_simulation(self):
        file, live, simulated = self.experiment(), self.path("live.db"), self.path("simulated.db")
        said = heddle("lab", "run", file, "-o", live, "--name", NAME, "-q")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assert_gone()
        self.assertEqual(heddle("run", file, "-o", simulated, "-q").returncode, 0)
        for (status, a), (_, b) in zip(self.results(live), self.results(simulated), strict=True):
            self.assertEqual(status, "done")
            self.assertEqual(a["flows"]["finished"], b["flows"]["finished"])
            self.assertEqual(a["queries"]["finished"], b["queries"]["finished"])
            self.assertGreaterEqual(a["slowdown"]["all"]["p50"], 1.0)  # no flow is faster than its path allows
            for tier in ("host", "uplink"):  # the same bytes in about the same time
                self.assertAlmostEqual(a["links"][tier]["mean"] / b["links"][tier]["mean"], 1, delta=0.4)
            self.assertGreater(a["queues_bytes"]["by_tier"]["tor_down"]["mean"], 0)
            self.assertIsNone(a["queues_bytes"]["by_tier"]["nic"]["mean"])
            self.assertIsNone(a["packets"]["reordered"])
        runs = [sqlite3.connect(store).execute("SELECT identity FROM runs").fetchall() for store in (live, simulated)]
        self.assertFalse(set(runs[0]) & set(runs[1]))  # a live result is never taken for a simulated one
        for table, count in (("flows", "timeouts"), ("flows", "reordered"), ("flows", "sent_packets"), ("queries", "timeouts")):
            known = [sqlite3.connect(store).execute(f"SELECT count({count}), count(*) FROM {table}").fetchone() for store in (live, simulated)]
            self.assertEqual([known[0][0], known[1][0]], [0, known[1][1]], (table, count))
        self.assertRegex(heddle("flows", live).stdout.splitlines()[1], r" +\d+ +-  ")  # retransmitted, but not timeouts

    def test_flows_have_the_segments_of_the_experiment(self):
        """9 MB are 6,100 segments of 1,460 B with their ACKs, or 1,000 of 8,960 B."""
        with open(self.path("jumbo.yaml"), "w", encoding="ascii") as out:
            out.write("title: jumbo\nfabric: {kind: star, hosts: 2, rate: 100Mbps}\nswitch: {balance: ecmp}\n"
                      "host: {transport: newreno, mss: 8960B}\nworkload: {kind: permutation, sizes: 4.5MB}\n")
        said = heddle("lab", "run", self.path("jumbo.yaml"), "-o", self.path("x.db"), "--name", NAME, "--json")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertNotIn("mss", said.stderr)
        result = json.loads(said.stdout.splitlines()[0])
        self.assertEqual(result["flows"]["finished"], 2)
        self.assertLess(result["packets"]["delivered"], 3500)

    def test_claims_are_judged_as_those_of_a_simulation(self):
        """Runs a file of experiments/live in its small profile, then judges the same store by claims that it does not meet."""
        file, store = self.path("f12.yaml"), self.path("live.db")
        with open(os.path.join(LIVE, "f12-data-mining.yaml"), encoding="utf-8") as whole:
            text = whole.read().split("expect:")[0].replace("base: ", f"base: {LIVE}/")
        for low, status in ((1, 0), (10, 1)):
            with open(file, "w", encoding="utf-8") as out:
                out.write(text + f"expect: {{claim: C, metric: flows.finished, of: {{switch.balance: expeditus}}, every: true, value: [{low}, 50],"
                          " each: workload.0.load,\n  known: {world: simulated, holds: false}}\n")
            words = ("lab", "run", file, "--profile", "small", "--set", "workload.0.flows=9", "--set", "workload.0.max_size=200KB",
                     "--set", "sweep.workload.0.load=[0.7]", "-o", store, "--name", NAME, "-q", *(["--judge"] if status else []))
            said = heddle(*words)
            self.assertEqual(said.returncode, status, said.stdout + said.stderr)

    def test_answers_have_the_class_of_their_query(self):
        with open(self.path("class.yaml"), "w", encoding="ascii") as out:
            out.write("title: one class\nfabric: {kind: star, hosts: 2, rate: 20Mbps}\n"
                      "switch: {balance: ecmp, classes: 8, schedule: strict}\nhost: {transport: newreno}\n"
                      "workload: {kind: query, schedule: {for: 1s, rate: 20/s}, responses: [20KB], priority: 7, stop: 4s}\n")
        run = subprocess.Popen([HEDDLE, "lab", "run", self.path("class.yaml"), "-o", self.path("x.db"), "--name", NAME, "-q"])
        for _ in range(200):
            said = heddle("lab", "status", "--name", NAME, "--json")
            links = [x["name"] for x in json.loads(said.stdout)["links"]] if said.returncode == 0 else []
            if links and heddle("lab", "capture", links[0], self.path("x.pcapng"), "--seconds", "2", "--name", NAME).returncode == 0:
                break
            time.sleep(0.05)
        self.assertEqual(run.wait(timeout=60), 0)
        tos = [bytes_[15] & 0xFC for _, _, _, bytes_ in frames_of(self.path("x.pcapng")) if bytes_[12:14] == b"\x08\x00" and bytes_[23] == 6]
        self.assertGreater(len(tos), 50)
        self.assertEqual(set(tos), {7 << 5})

    def test_a_name_that_is_taken(self):
        self.up(self.file(LEAVES))
        said = heddle("lab", "run", self.experiment(), "-o", self.path("x.db"), "--name", NAME)
        self.assertEqual(said.returncode, 3)
        self.assertIn(f"there is a lab '{NAME}'; heddle lab down --name {NAME} removes it", said.stderr)
        self.assertNotIn("threads", said.stderr)  # a run that did not start used none
        self.assert_reaches("host0.0", "10.0.1.1")

    def test_a_run_that_is_interrupted_removes_its_lab(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            run = subprocess.Popen([HEDDLE, "lab", "run", self.experiment(), "-o", self.path("x.db"), "--name", NAME, "-q"],
                                   stderr=subprocess.PIPE, text=True)
            while heddle("lab", "status", "--name", NAME).returncode != 0 and run.poll() is None:
                time.sleep(0.05)
            run.send_signal(number)
            self.assertIn("the same command goes on from there", run.communicate(timeout=60)[1])
            self.assertEqual(run.returncode, 3)
            self.assert_gone()

    def test_a_run_is_interrupted_before_its_lab_is_there(self):
        run = subprocess.Popen([HEDDLE, "lab", "run", self.experiment(), "-o", self.path("x.db"), "--name", NAME, "-q"],
                               stderr=subprocess.PIPE, text=True)
        while not os.path.exists(f"/run/netns/heddle-{NAME}.host0.0") and run.poll() is None:
            time.sleep(0.001)
        run.send_signal(signal.SIGTERM)
        self.assertIn("the same command goes on from there", run.communicate(timeout=60)[1])
        self.assertEqual(run.returncode, 3)
        self.assert_gone()

    def test_nohup_is_obeyed(self):
        """A run that ignores SIGHUP from its start goes on when its terminal is closed."""
        run = subprocess.Popen(["nohup", HEDDLE, "lab", "run", self.experiment(), "-o", self.path("x.db"), "--name", NAME, "-q"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while heddle("lab", "status", "--name", NAME).returncode != 0 and run.poll() is None:
            time.sleep(0.05)
        run.send_signal(signal.SIGHUP)
        self.assertEqual(run.wait(timeout=60), 0)
        self.assertEqual([status for status, _ in self.results(self.path("x.db"))], ["done", "done"])

    def test_the_lab_of_a_run_whose_process_was_killed(self):
        """The run has failed, the next one has a lab of its own, and none is left."""
        run = subprocess.Popen([HEDDLE, "lab", "run", self.experiment(), "-o", self.path("x.db"), "--name", NAME, "-q"],
                               stderr=subprocess.PIPE, text=True)
        while heddle("lab", "status", "--name", NAME).returncode != 0 and run.poll() is None:
            time.sleep(0.05)
        with open(f"/proc/{run.pid}/task/{run.pid}/children", encoding="ascii") as file:
            os.kill(int(file.read().split()[0]), signal.SIGKILL)
        said = run.communicate(timeout=60)[1]
        self.assertEqual(run.returncode, 3, said)
        self.assertEqual([status for status, _ in self.results(self.path("x.db"))], ["failed", "done"])
        self.assert_gone()

    def test_a_run_whose_switches_cannot_be_asked_has_failed(self):
        """The flow ends, but what the switches counted is lost: no result is better than one without drops."""
        with open(self.path("long.yaml"), "w", encoding="ascii") as out:  # one flow of 6.4 s: nothing here has to hurry
            out.write("title: one flow\nfabric: {kind: star, hosts: 2, rate: 20Mbps}\nhost: {transport: cubic}\n"
                      "workload: {kind: incast, senders: 1, receiver: 0, sizes: 16MB}\n")
        run = subprocess.Popen([HEDDLE, "lab", "run", self.path("long.yaml"), "-o", self.path("x.db"), "--name", NAME, "-q"],
                               stderr=subprocess.PIPE, text=True)
        loads = []
        while not any(loads) and run.poll() is None:  # the flow is under way, so the run itself has seen the switches answer
            said = heddle("lab", "status", "--name", NAME, "--json")
            loads = [x["load"] for x in json.loads(said.stdout)["links"]] if said.returncode == 0 else []
        self.assertIsNone(run.poll(), "the flow ended before its load was seen")
        os.unlink(f"/run/heddle/labs/{NAME}/switches.sock")
        said = run.communicate(timeout=60)[1]
        self.assertEqual(run.returncode, 3, said)
        self.assertIn("run 1 failed: no switch answers", said)
        self.assertEqual(self.results(self.path("x.db"))[0][0], "failed")
        self.assert_gone()

    FAILING = ("title: one way\nfabric: {kind: leaf-spine, leaves: 2, spines: 1, hosts: 1, rate: 20Mbps, failed: [FAILED]}\n"
               "host: {transport: cubic, min_rto: 50ms}\nworkload: {kind: incast, senders: 1, receiver: 0, sizes: 1MB}\n")

    def run_failing(self, failed):
        with open(self.path("failing.yaml"), "w", encoding="ascii") as out:
            out.write(self.FAILING.replace("FAILED", failed))
        return heddle("lab", "run", self.path("failing.yaml"), "-o", self.path("x.db"), "--name", NAME, "-q")

    def test_utilisation_counts_from_measure_from(self):
        """A flow fills the link for 0.8 s; since measure.from there is but a short one, as in the simulation."""
        with open(self.path("flows.csv"), "w", encoding="ascii") as out:
            out.write("start,source,destination,bytes\n0us,0,1,2000000\n2s,0,1,50000\n")
        with open(self.path("from.yaml"), "w", encoding="ascii") as out:
            out.write("title: from one second on\nfabric: {kind: star, hosts: 2, rate: 20Mbps}\nhost: {transport: cubic}\n"
                      "workload: {kind: trace, path: flows.csv}\nmeasure: {from: 1s}\n")
        share = {}
        for store, words in (("live.db", ["lab", "run", "--name", NAME]), ("simulated.db", ["run"])):
            said = heddle(*words, self.path("from.yaml"), "-o", self.path(store), "-q")
            self.assertEqual(said.returncode, 0, said.stderr)
            share[store] = self.results(self.path(store))[0][1]["links"]["host"]["max"]
        self.assertGreater(share["simulated.db"], 0.01)
        self.assertAlmostEqual(share["live.db"] / share["simulated.db"], 1, delta=0.3)

    def test_long_flows_stop(self):
        """Flows without an end, and one whose end comes later, are over at their stop; what they had received counts."""
        with open(self.path("long.yaml"), "w", encoding="ascii") as out:
            out.write("title: until the stop\nfabric: {kind: star, hosts: 4, rate: 20Mbps}\nhost: {transport: cubic}\nworkload:\n"
                      "  - {kind: long, src: 0, dst: 1, start: 100ms, stop: 1100ms}\n"
                      "  - {kind: long, src: 2, dst: 3, sizes: 100MB, stop: 1s}\n"
                      "  - {kind: incast, senders: 1, receiver: 0, sizes: 20KB}\n")
        said = heddle("lab", "run", self.path("long.yaml"), "-o", self.path("x.db"), "--name", NAME, "-q")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assert_gone()
        connection = sqlite3.connect(self.path("x.db"))
        flows = connection.execute("SELECT received_bytes, finished_ps IS NULL FROM flows ORDER BY bytes=20000").fetchall()
        connection.close()
        self.assertEqual([is_open for _, is_open in flows], [1, 1, 0])
        for received, _ in flows[:2]:  # 20 Mbps for a second, less the time until the links are full
            self.assertGreater(received, 1.2e6)
            self.assertLess(received, 2.6e6)

    def test_links_fail_when_the_experiment_says(self):
        """The flow takes 0.4 s where nothing fails. Its only way is away from 0.2 to 1.2 s: it ends later, but no later than its
        next retransmission, and timeouts double: at most 2.2 s and a first timeout, then the rest of the data."""
        away = "link: leaf0-spine0, at: 200ms, repair_at: 1200ms"
        for failed, least_us in (("", 4e5), ("{" + away + "}", 1.2e6), ("{" + away + ", loss: 100%}", 1.2e6),
                                 ("{" + away.replace("leaf0-spine0", "host0.0-leaf0") + "}", 1.2e6),
                                 ("{" + away.replace("leaf0-spine0", "host1.0-leaf1") + "}", 1.2e6)):
            said = self.run_failing(failed)
            self.assertEqual(said.returncode, 0, said.stderr)
            result = self.results(self.path("x.db"))[0][1]
            took_us, drops = result["fct_us"]["all"]["mean"], {k: v for k, v in result["counters"].items() if k.startswith("drop_")}
            self.assertEqual(result["packets"]["dropped"], sum(drops.values()))
            self.assertEqual(drops["drop_loss"] > 0, "loss" in failed, drops)
            if "host" in failed:  # other failures are known at once, and hardly catch a frame
                self.assertGreater(drops["drop_link_down"], 0)
            self.assertGreater(took_us, least_us, failed)
            self.assertLess(took_us, least_us + 2.5e6, failed)
            os.unlink(self.path("x.db"))

    def test_failures_that_a_lab_cannot_have(self):
        link = "link: leaf0-spine0, at: 1ms"
        for failed, says in (("{" + link + ", rate: 1Mbps}", "cannot change the rate of a link"),
                             ("{" + link + ", detect: 1ms}, {link: leaf1-spine0, at: 2ms}",
                              "detects all failures after the same time; fabric.failed.0.detect is 1ms")):
            said = self.run_failing(failed)
            self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
            self.assertIn(says, said.stderr)
            self.assertRegex(said.stderr, r"failing\.yaml:2:\d+: error: ")
            self.assertFalse(os.path.exists(self.path("x.db")))
            self.assert_gone()

    def test_more_flows_than_a_process_may_have_files_at_first(self):
        """Each flow takes two sockets; the soft limit of files is raised to the hard one."""
        with open(self.path("many.yaml"), "w", encoding="ascii") as out:
            out.write("title: all at once\nfabric: {kind: star, hosts: 2, rate: 20Mbps}\nhost: {transport: cubic}\n"
                      "workload: {kind: poisson, sizes: 50KB, load: 10, load_at: host, flows: 60}\n")
        limits = (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        said = heddle("lab", "run", self.path("many.yaml"), "-o", self.path("x.db"), "--name", NAME, "-q",
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limits))
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(self.results(self.path("x.db"))[0][1]["flows"]["finished"], 60)

    def test_transports_that_the_kernel_has_not(self):
        said = heddle("lab", "run", self.experiment("expresspass"), "-o", self.path("x.db"), "--name", NAME, "-q")
        self.assertEqual(said.returncode, 3)
        self.assertIn("expresspass is no transport of this machine's kernel", said.stderr)
        self.assert_gone()


class Parity(LabTest):
    """Given the same arrivals, a switch of the simulator sends the same frames as a live switch."""

    def check(self, fabric, rest):
        file = self.file(fabric, rest)
        self.up(file, "--record", self.path("record"))
        hosts = self.status()["hosts"]
        servers = [subprocess.Popen([HEDDLE, "lab", "exec", "--name", NAME, h["name"], TRAFFIC, "serve",
                                     str(len(hosts) - 1)]) for h in hosts]
        clients = [subprocess.Popen([HEDDLE, "lab", "exec", "--name", NAME, h["name"], TRAFFIC, "send", "100000",
                                     *(o["address"] for o in hosts if o is not h)]) for h in hosts]
        self.assertEqual([p.wait(timeout=60) for p in clients + servers], [0] * 2 * len(hosts))
        switches = [s["name"] for s in self.status()["switches"]]
        self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)
        total = 0
        for name in switches:
            record = self.path(f"record/{name}.pcapng")
            said = heddle("replay", file, "--node", name, "--in", f"all={record}", "--out", self.path("replay"),
                          "--answers", "--force")
            self.assertEqual(said.returncode, 0, said.stderr)
            live, replayed = frames_sent(record), frames_sent(self.path(f"replay/{name}.pcapng"))
            self.assertEqual(len(live), len(replayed), name)
            self.assertTrue(live == replayed, f"{name}: frame {[a == b for a, b in zip(live, replayed)].index(False)}"
                            if live != replayed else "")
            total += len(live)
        self.assertGreater(total, 1000)


def parity(fabric, rest):
    return lambda self: self.check(fabric, rest)


for scheme, what in SCHEMES.items():
    setattr(Parity, "test_" + scheme.replace(",", "").replace(" ", "_"), parity(*what))


if __name__ == "__main__":
    run_tests(missing())
