#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The live page of a lab: the answers of its server, and the page in headless Chromium (page.mjs).

usage: test_lab_page.py HEDDLE FOLDER    screenshots stay in FOLDER; exit status 77, saying why, without namespaces or Chromium
"""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from labs import HEDDLE, LEAVES, LabTest, heddle, missing, run_tests

HERE = os.path.dirname(os.path.realpath(__file__))
PLAYWRIGHT = os.path.realpath(os.path.join(HERE, "../../build-npm/node_modules/playwright-core"))
NAME = f"page{os.getpid()}"
SHOTS = os.path.realpath(sys.argv[2])


def why_not():
    for tool in ["chromium", "node"]:
        if not shutil.which(tool):
            return f"{tool} is not installed; scripts/install-deps check"
    if not os.path.isdir(PLAYWRIGHT):
        return "playwright-core is not installed; scripts/install-playwright"
    return missing()


class LabPage(LabTest):
    def setUp(self):
        super().setUp()
        self.yaml = self.file(LEAVES.replace("1Gbps", "100Mbps"))
        self.up(self.yaml, name=NAME)
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            server.kill()
            server.wait()
            server.stdout.close()
        super().tearDown()

    def serve(self, where):
        """Starts the server; returns it and the address that it prints when it is ready."""
        server = subprocess.Popen([HEDDLE, "lab", "status", "--name", NAME, "--serve", where], stdout=subprocess.PIPE, text=True)
        self.servers.append(server)
        said = server.stdout.readline()
        self.assertRegex(said, rf"^lab {NAME}: http://127\.0\.0\.1:\d+/\n$")
        return server, said.split()[-1]

    def request(self, url, method, path):
        host, port = re.match(r"http://(.*):(\d+)/", url).groups()
        connection = http.client.HTTPConnection(host, int(port), timeout=10)
        connection.request(method, path)
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return reply, body

    def test_server(self):
        server, url = self.serve("0")
        page, body = self.request(url, "GET", "/")
        self.assertEqual((page.status, page.getheader("Content-Type")), (200, "text/html; charset=utf-8"))
        self.assertNotRegex(body.decode(), r"@STYLE@|@SCRIPT@|(src|href)=\"?http")
        self.assertEqual(self.request(url, "HEAD", "/")[1], b"")
        reply, body = self.request(url, "GET", "/status.json")
        served, printed = json.loads(body), self.status(name=NAME)
        self.assertEqual(reply.getheader("Content-Type"), "application/json")
        self.assertEqual((served["nodes"], served["hosts"]), (printed["nodes"], printed["hosts"]))
        self.assertEqual([(n["name"], n["tier"], n["index"]) for n in served["nodes"][3:7]],
                         [("host1.1", 0, 1), ("leaf0", 1, 0), ("leaf1", 1, 1), ("spine0", 2, 0)])
        self.assertEqual([x["ends"] for x in served["links"]], [x["name"].split("-") for x in printed["links"]])
        self.assertEqual({x["rate_bps"] for x in served["links"]}, {100000000})
        for method, path, status in [("GET", "/other", 404), ("GET", "/status", 404), ("POST", "/", 405),
                                     ("DELETE", "/status.json", 405)]:
            self.assertEqual(self.request(url, method, path)[0].status, status, path)
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=10), 0)

    def test_up_serves(self):
        """lab up --serve ends when it is interrupted; the lab stays."""
        self.labs.append(NAME + "u")
        server = subprocess.Popen([HEDDLE, "lab", "up", self.yaml, "--name", NAME + "u", "--serve", "0"], stdout=subprocess.PIPE, text=True)
        self.servers.append(server)
        lines = [server.stdout.readline() for _ in range(5)]
        self.assertRegex(lines[4], rf"^lab {NAME}u: http://127\.0\.0\.1:\d+/\n$")
        self.assertTrue(json.loads(self.request(lines[4].split()[-1], "GET", "/status.json")[1])["answers"])
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=10), 0)
        self.assertEqual(len(self.status(name=NAME + "u")["hosts"]), 4)
        said = heddle("lab", "up", self.yaml, "--name", NAME + "v", "--serve", "nowhere")
        self.assertEqual((said.returncode, said.stdout, said.stderr.count("\n")), (2, "", 1), said.stderr)
        self.assert_gone(NAME + "v")

    def test_run_serves(self):
        """lab run --serve shows each run, and its server ends with it, whether it is done or killed."""
        with open(self.path("run.yaml"), "w", encoding="ascii") as out:
            out.write("title: a run\nfabric: {kind: star, hosts: 2, rate: 20Mbps}\nhost: {transport: cubic}\n"
                      "workload: {kind: incast, senders: 1, sizes: 5MB}\n")
        for ends_by in (None, signal.SIGKILL):
            run = subprocess.Popen([HEDDLE, "lab", "run", self.path("run.yaml"), "--name", NAME + "r", "--serve", "0", "-q", "-o",
                                    self.path("run.db")], stderr=subprocess.PIPE, text=True)
            self.labs.append(NAME + "r")
            said = run.stderr.readline()
            self.assertRegex(said, rf"^lab {NAME}r: http://127\.0\.0\.1:\d+/\n$")
            url, loads = said.split()[-1], set()
            while run.poll() is None and not (ends_by and loads):
                try:
                    status = json.loads(self.request(url, "GET", "/status.json")[1])
                except (ConnectionError, http.client.HTTPException):
                    continue  # it has ended
                loads |= {link["load"] > 0.5 for link in status["links"] if status["answers"]}
                if True not in loads:
                    loads.clear()
            self.assertIn(True, loads)
            if ends_by:
                run.send_signal(ends_by)
            self.assertEqual(run.wait(timeout=30), -ends_by if ends_by else 0)
            run.stderr.close()
            end = time.monotonic() + 10
            with self.assertRaises(ConnectionError):
                while time.monotonic() < end:
                    self.request(url, "GET", "/status.json")
            os.unlink(self.path("run.db"))

    def test_refusals(self):
        _, url = self.serve("127.0.0.1:0")
        port = re.search(r":(\d+)/", url).group(1)
        for where, says in [(port, "in use"), ("127.0.0.1:" + port, "in use"), ("nowhere", "ADDR:PORT"), ("65536", "ADDR:PORT"),
                            ("000080", "ADDR:PORT"), ("-1", "ADDR:PORT"), (":80", "ADDR:PORT"), ("::1:80", "ADDR:PORT"),
                            ("1.2.3:x", "ADDR:PORT"), ("192.0.2.1:0", "no such address"), ("no/host:80", "no address")]:
            said = heddle("lab", "status", "--name", NAME, "--serve=" + where)
            self.assertEqual((said.returncode, said.stdout, said.stderr.count("\n")), (2, "", 1), said.stderr)
            self.assertIn(says, said.stderr)
        said = heddle("lab", "status", "--name", NAME + "x", "--serve", "0")
        self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)
        self.assertIn("there is no lab", said.stderr)
        said = heddle("lab", "status", "--name", NAME, "--serve", "0", "--json")
        self.assertEqual((said.returncode, said.stderr.count("\n")), (2, 1), said.stderr)

    def test_browser(self):
        server, url = self.serve("0")
        os.makedirs(SHOTS, exist_ok=True)
        words = ["node", os.path.join(HERE, "page.mjs"), url, HEDDLE, NAME, self.yaml, str(server.pid), PLAYWRIGHT, SHOTS]
        subprocess.run(words, check=True, timeout=150)
        self.assertEqual(server.wait(timeout=10), 0)  # page.mjs has ended it


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that tearDown removes the lab
    run_tests(why_not(), 3, failfast=True)
