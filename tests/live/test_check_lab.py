#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""heddle check --lab on this machine, with some tools missing, and without root.

usage: test_check_lab.py HEDDLE    (exit status 77, saying why, where namespaces cannot be made)
"""
import json
import subprocess
import time

from labs import HEDDLE, LabTest, heddle, missing, run_tests

LOSSLESS = "fabric: {kind: star, hosts: 3, rate: 50Mbps}"


def kept():
    """Returns the namespaces of this machine, and the kernel's names of DCTCP programs."""
    with open("/proc/sys/net/ipv4/tcp_available_congestion_control", encoding="ascii") as file:
        programs = [word for word in file.read().split() if word.startswith("dctcp_")]
    return {*programs, *subprocess.run(["ip", "netns"], capture_output=True, text=True, check=True).stdout.splitlines()}


class CheckLab(LabTest):
    def nothing_stays(self, before):
        """Waits until all is gone that came since; other labs on this machine come and go meanwhile."""
        end = time.monotonic() + 120
        while kept() - before and time.monotonic() < end:
            time.sleep(1)
        self.assertEqual(kept() - before, set())

    def rows(self, said):
        """Returns the rows of the JSON by name."""
        found = json.loads(said.stdout)
        self.assertEqual(said.returncode, 0 if found["lab"] else 1, said.stderr)
        self.assertEqual(found["lab"], all(r["works"] for r in found["checks"] if r["needed"]))
        return {r["name"]: r for r in found["checks"]}

    def test_this_machine(self):
        before = kept()
        rows = self.rows(heddle("check", "--lab", "--json"))
        for name in "root", "ip", "sysctl", "ethtool", "namespaces", "veth", "AF_PACKET":
            self.assertEqual((rows[name]["needed"], rows[name]["works"], rows[name]["remedy"]), (True, True, None), name)
        text = heddle("check", "--lab")
        self.assertEqual(text.returncode, 0)
        self.assertEqual(len(text.stdout.splitlines()), len(rows))
        for line, row in zip(text.stdout.splitlines(), rows.values()):
            self.assertTrue(line.startswith(row["name"]))
            self.assertEqual(line[21:24], "yes" if row["works"] else "no ", line)
            if row["remedy"]:
                self.assertIn(row["remedy"], line)
        self.nothing_stays(before)

    def test_without_a_tool_it_names_the_package(self):
        env = self.path_of("ip", "sysctl", "chrt", "true")
        rows = self.rows(heddle("check", "--lab", "--json", env=env))
        self.assertEqual((rows["ethtool"]["works"], rows["ethtool"]["remedy"]), (False, "install ethtool"))
        self.assertTrue(rows["sysctl"]["works"] and rows["veth"]["works"] and rows["real-time priority"]["works"])

    def test_what_a_file_needs_counts(self):
        """Without chrt, clang and bpftool labs can be made, but not those of experiments that need these tools."""
        env = self.path_of("ip", "sysctl", "ethtool")
        self.assertEqual(heddle("check", "--lab", env=env).returncode, 0)
        plain = self.rows(heddle("check", self.file(), "--lab", "--json", env=env))
        self.assertFalse(plain["real-time priority"]["works"] or plain["real-time priority"]["needed"])
        lossless = self.file(LOSSLESS, "scheme: detail-fc")
        rows = self.rows(heddle("check", lossless, "--lab", "--json", env=env))
        self.assertTrue(rows["real-time priority"]["needed"] and rows["TAP"]["needed"])
        self.assertEqual(heddle("check", lossless, "--lab", env=env).returncode, 1)
        rows = self.rows(heddle("check", self.file(rest="host: {transport: dctcp}"), "--lab", "--json", env=env))
        self.assertTrue(rows["TCP dctcp"]["needed"])
        if not rows["TCP dctcp"]["works"]:
            self.assertIn("this kernel has no dctcp", rows["TCP dctcp"]["found"])

    def test_without_root_it_tries_what_it_can(self):
        said = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", HEDDLE, "check", "--lab", "--json"],
                              capture_output=True, text=True, check=False)
        rows = self.rows(said)
        self.assertEqual((said.returncode, rows["root"]["remedy"]), (1, "run heddle as root"))
        self.assertEqual((rows["veth"]["works"], rows["ip"]["works"]), (None, True))
        self.assertEqual(rows["veth"]["found"], "not tried: this is not root")

    def test_usage(self):
        self.assertEqual(heddle("check", "--json").returncode, 2)
        said = heddle("check", self.file(), "--lab", "--run", "2")
        self.assertEqual((said.returncode, said.stdout), (2, ""))


if __name__ == "__main__":
    run_tests(missing())
