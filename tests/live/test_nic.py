#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A lossless fabric of real hosts: NICs that obey pause frames, and the losses of the same traffic without NICs.

usage: test_nic.py HEDDLE    (exit status 77, saying why, where namespaces cannot be made)
"""
import json
import os
import subprocess
import time

from labs import HEDDLE, NAME, TRAFFIC, LabTest, heddle, in_time, missing, run_tests

STAR = "fabric: {kind: star, hosts: %d, rate: %s}"


class NicTest(LabTest):
    def start(self, host, *words):
        return subprocess.Popen([HEDDLE, "lab", "exec", "--name", NAME, host, TRAFFIC, *map(str, words)],
                                stdout=subprocess.PIPE, text=True)

    def sink(self, host):
        """Starts a receiver of datagrams; returns when it listens, as a datagram that comes earlier would be lost."""
        sink = self.start(host, "sink", 2)
        self.assertEqual(sink.stdout.readline(), "listens\n")
        return sink

    def finish(self, *programs):
        """Waits for the programs, which must succeed; returns their output, parsed as JSON if there is any."""
        said = [p.communicate(timeout=90)[0] for p in programs]
        self.assertEqual([p.returncode for p in programs], [0] * len(programs))
        return [json.loads(text) if text.strip() else None for text in said]

    def incast(self, mbps, seconds, tcp_bytes):
        """Lets all hosts send to the last one; returns what it received, what each sent, and the lab's status at the end."""
        hosts = self.status()["hosts"]
        to, senders = hosts[-1], hosts[:-1]
        sink = self.sink(to["name"])
        server = self.start(to["name"], "serve", len(senders))
        paced = [self.start(h["name"], "pace", mbps, seconds, 0, to["address"]) for h in senders]
        tcp = [self.start(h["name"], "send", tcp_bytes, to["address"]) for h in senders]
        self.finish(*tcp, server)
        sent = self.finish(*paced)
        got = self.finish(sink)[0]
        return got, sent, self.status()

    def assert_nics_account_for_all(self, hosts):
        for host in hosts:
            nic = host["nic"]
            self.assertEqual(nic["frames"]["taken"], nic["frames"]["left"] + nic["frames"]["held"], host["name"])
            for key in ("lost", "unplaced", "ignored"):
                self.assertEqual(nic["frames"][key], 0, f"{host['name']}: {key}")
            for port in ("stack", "link"):
                self.assertEqual((nic[port]["rx_lost"], nic[port]["tx_lost"]), (0, 0), host["name"])
            self.assertEqual(nic["gate_refused"], 0)
            counts = self.on(host["name"], "cat", "/sys/class/net/eth0/statistics/tx_dropped").stdout
            self.assertEqual(int(counts), 0, host["name"])


def dropped(status):
    return sum(sum(s["frames"]["dropped"].values()) for s in status["switches"])


def pauses(status):
    return sum(p.get("pauses_sent", 0) for s in status["switches"] for p in s["ports"])


class Incast(NicTest):
    """Six hosts each send 5 MB by TCP and 10 Mbps of datagrams to a seventh, whose link has 100 Mbps. A second test sends as
    many datagrams as the sockets take over links of 20 Mbps. A third sends more than the link carries, without NICs."""

    @in_time
    def test_nothing_is_lost(self):
        # Thresholds for one class leave the 6 KB that a NIC of hardware needs; software on a busy machine takes milliseconds to pause.
        self.up(self.file(STAR % (7, "100Mbps"), "scheme: detail-fc\nswitch: {pause_classes: 8}"))
        got, sent, status = self.incast(10, 3, 5000000)
        self.assertEqual(dropped(status), 0)
        self.assertGreater(pauses(status), 0)
        self.assertGreater(sum(h["nic"]["frames"]["pauses"] for h in status["hosts"]), 0)
        self.assertGreater(sum(c["paused_us"] for h in status["hosts"] for c in h["nic"]["classes"]), 0)
        self.assertGreater(max(h["nic"]["max_queue_bytes"] for h in status["hosts"]), 1518)
        self.assert_nics_account_for_all(status["hosts"])
        self.assertEqual({key: (stream["lacks"], stream["turned"]) for key, stream in got.items()},
                         {key: (0, 0) for key in got})
        self.assertEqual(sum(stream["came"] for stream in got.values()), sum(one["sent"] for one in sent))
        self.assertFalse([x for x in status["links"] if x["drops"]])

    @in_time
    def test_senders_wait_that_know_no_rate(self):
        self.up(self.file(STAR % (5, "20Mbps"), "scheme: detail-fc"))
        got, sent, status = self.incast(0, 3, 200000)
        self.assertEqual(dropped(status), 0)
        self.assertGreater(pauses(status), 0)
        self.assert_nics_account_for_all(status["hosts"])
        self.assertEqual([stream["lacks"] for stream in got.values()], [0] * 4)
        self.assertEqual(sum(stream["came"] for stream in got.values()), sum(one["sent"] for one in sent))
        self.assertLess(sum(one["sent"] for one in sent), 4 * 20e6 * 4 / 8 / 1442)  # the capacity of the senders' links
        self.assertGreater(min(one["longest_ms"] for one in sent), 5)  # the socket blocked the sender
        self.assertGreater(sum(h["nic"]["gate_halvings"] for h in status["hosts"]), 0)

    def test_without_nics_pauses_hold_nobody(self):
        """Six hosts send 30 Mbps of datagrams each. The excess over the link's 100 Mbps must be lost, however fast the machine is."""
        self.up(self.file(STAR % (7, "100Mbps"), "scheme: detail-fc"), "--nic", "off")
        got, _, status = self.incast(30, 3, 5000000)
        self.assertGreater(dropped(status), 0)
        self.assertGreater(pauses(status), 0)
        self.assertGreater(sum(stream["lacks"] for stream in got.values()), 0)


class Classes(NicTest):
    """One host sends datagrams of class 0 and others of class 7 to the same host; PFC stops only the lower class."""

    @in_time
    def test_the_higher_class_goes_on(self):
        self.up(self.file(STAR % (4, "20Mbps"), "scheme: detail"))
        hosts = self.status()["hosts"]
        to = hosts[-1]
        sink = self.sink(to["name"])
        for host in hosts[:3]:
            self.assert_reaches(host["name"], to["address"])  # ARP keeps few of the frames that wait for its answer
        low = [self.start(h["name"], "pace", 0, 4, 0, to["address"]) for h in hosts[:3]]
        time.sleep(0.5)
        high = self.start(hosts[0]["name"], "pace", 5, 2, 7, to["address"])
        sent_high = self.finish(high)[0]
        during = self.status()
        sent_low = self.finish(*low)
        got = self.finish(sink)[0]
        status = self.status()
        self.assertEqual(dropped(status), 0)
        self.assert_nics_account_for_all(status["hosts"])
        self.assertEqual(sum(s["lacks"] for s in got.values()), 0)
        self.assertEqual(sum(s["came"] for s in got.values()), sent_high["sent"] + sum(s["sent"] for s in sent_low))
        self.assertGreater(sent_high["sent"], 0.8 * 5e6 * 2 / 8 / 1400)  # 5 Mbps, although class 0 of the host is stopped
        paused = during["hosts"][0]["nic"]["classes"]
        self.assertGreater(paused[0]["paused_us"], 10 * paused[7]["paused_us"])


class Labs(NicTest):
    def nics(self):
        said = subprocess.run(["pgrep", "-af", f"nic .*/labs/{NAME}/"], capture_output=True, text=True, check=False)
        return [int(line.split()[0]) for line in said.stdout.splitlines() if " nic " in line]

    def test_hosts_have_nics_where_switches_pause(self):
        for rest, words, n in [("scheme: detail-fc", [], 3), ("scheme: detail-fc", ["--nic", "off"], 0),
                               ("switch: {balance: ecmp}", [], 0), ("switch: {balance: ecmp}", ["--nic", "on"], 3),
                               ("host: {nic: fifo, nic_full: drop}", [], 3)]:
            self.up(self.file(STAR % (3, "1Gbps"), rest), *words)
            self.assertEqual(len(self.nics()), n, f"{rest} {words}")
            self.assert_reaches("host0.0", "10.0.0.3")
            self.assertEqual(["nic" in h for h in self.status()["hosts"]], [n > 0] * 3)
            self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)
            self.assert_gone()
            self.assertEqual(self.nics(), [])

    def test_status_of_a_nic(self):
        self.up(self.file(STAR % (2, "1Gbps"), "scheme: detail"))
        self.assert_reaches("host0.0", "10.0.0.2")
        said = heddle("status", f"/run/heddle/labs/{NAME}/host0.0.sock")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("NIC of host0.0", said.stdout)
        nic = self.status()["hosts"][0]["nic"]
        frames = nic["frames"]
        self.assertGreaterEqual(frames["taken"], 2)
        self.assertEqual((nic["nic"], nic["stack"]["rx_frames"], nic["link"]["tx_frames"]), ("host0.0", frames["taken"], frames["left"]))
        self.assertEqual((nic["link"]["rx_frames"], nic["stack"]["tx_frames"]), (frames["passed"], frames["passed"]))
        self.assertGreaterEqual(nic["sent_bytes"], 42 * frames["left"])  # on the link: ARP and pings
        self.assertGreaterEqual(nic["frames_peak"], 1)
        self.assertGreater(nic["late_max_us"], 0)
        self.assertGreater(nic["uptime_s"], 0)
        self.assertEqual(nic["classes"], 8 * [{"queue_frames": 0, "queue_bytes": 0, "paused": False, "paused_us": 0}])

    def test_a_full_nic_drops_and_the_run_counts_it(self):
        """The kernel's window of ten segments finds a queue of four frames; TCP repairs what the NIC dropped."""
        file = self.file(STAR % (3, "100Mbps"), "host: {nic: fifo, nic_queue: 4 frames, nic_full: drop}")
        with open(file, "a", encoding="utf-8") as out:
            out.write("workload: {kind: permutation, sizes: 300KB}\n")
        said = heddle("lab", "run", file, "--json", "-o", file + ".db")
        self.assertEqual(said.returncode, 0, said.stderr)
        run = json.loads(said.stdout.splitlines()[0])
        packets, dropped = run["packets"], run["counters"]["drop_nic"]
        self.assertGreater(dropped, 0)
        self.assertEqual(packets["dropped"], dropped)
        self.assertGreaterEqual(packets["retransmitted"], dropped // 2)  # ACKs are dropped too
        self.assertEqual(run["flows"]["finished"], 3)

    def test_a_nic_that_is_gone_leaves_a_lab_that_can_be_removed(self):
        self.up(self.file(STAR % (2, "1Gbps"), "scheme: detail-fc"))
        for pid in self.nics():
            os.kill(pid, 9)
        self.assertNotEqual(self.on("host0.0", "ping", "-c", "1", "-W", "1", "10.0.0.2").returncode, 0)
        self.assertEqual(heddle("lab", "down", "--name", NAME).returncode, 0)
        self.assert_gone()

    def test_refusals(self):
        file = self.file(STAR % (2, "1Gbps"), "scheme: detail-fc")
        for words, says in [(["--host", "leaf0", "--tap", "t0", "--link", "lo"], "no such host"),
                            (["--host", "host0.0", "--tap", "t0", "--link", "nosuch0"], "nosuch0"),
                            (["--host", "host0.0", "--tap", "a-name-that-is-too-long", "--link", "lo"], "at most")]:
            said = heddle("nic", file, *words)
            self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
            self.assertIn(says, said.stderr)
        self.assertEqual(heddle("lab", "up", file, "--name", NAME, "--nic", "maybe").returncode, 2)
        said = heddle("lab", "up", self.file(STAR % (2, "1Gbps"), "host: {nic: fifo, nic_full: drop}"), "--name", NAME, "--nic", "off")
        self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
        self.assertIn("host.nic_full: drop needs a NIC of heddle at each host; leave out --nic off", said.stderr)


if __name__ == "__main__":
    run_tests(missing())
