#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Live switches and NICs that run for long: their memory, files and threads do not grow while ports fail and come back under
load, and steps of the clock by an hour do not affect them.

usage: test_endurance.py HEDDLE CLOCK_STEP.so [--all]    (exit status 77, saying why, where namespaces cannot be made)

--all loads each lab for ten minutes instead of some seconds.
"""
import contextlib
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock

import test_clients
import test_failures
from labs import HEDDLE, NAME, LabTest, heddle, run_tests
from test_clients import Breaking, ClientTest
from test_failures import DETECT_S, Failure, FailureTest, Traffic, ask, hurry, in_host
from watched import HAS_SANITIZER, Process

CLOCK_STEP = os.path.realpath(sys.argv[2])
ALL = "--all" in sys.argv
SOAK_S = 600 if ALL else 4
GROWTH_MAX_KB = 512  # most growth after the first quarter, beside the memory of frames
HOUR = 3600

class EverythingBreaks(Breaking):
    """Breaks links, switches and hosts' interfaces, two a second."""

    EVERY_S, FOR_S = 0.5, 0.25

    def __init__(self, status):
        super().__init__(status)
        self.failures = [Failure("link", x["name"]) for x in status["links"]]
        self.failures += [Failure("switch", s["name"]) for s in status["switches"]]
        self.failures += [Failure("carrier", h["name"] + "-", i) for i, h in enumerate(status["hosts"])]


class Soak(ClientTest):
    """Bulk TCP, datagrams and short connections between all pods, more than the core carries. A process keeps the memory for
    the most frames that it ever held, which it tells; beyond that, memory must not grow."""

    def processes(self):
        spaces = ["switches"] + list(self.address)
        pids = [subprocess.run(["ip", "netns", "pids", f"heddle-{NAME}.{space}"], capture_output=True, text=True,
                               check=True).stdout.split() for space in spaces]
        return [Process(int(pid)) for of_space in pids for pid in of_space]

    def loop(self, host, command):
        """Repeats a shell command, whatever its exit status."""
        self.programs.append(subprocess.Popen(in_host(host, "sh", "-c", f"while :; do {command}; done"),
                                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                              start_new_session=True))

    def load(self):
        self.make_file("file", 30000)
        hosts = list(self.address)
        for here, there in zip(hosts, hosts[4:]):
            to = self.address[there]
            self.nginx(there)
            self.programs.append(subprocess.Popen(in_host(there, "iperf3", "-s"), stdout=subprocess.DEVNULL,
                                                  stderr=subprocess.DEVNULL))
            self.loop(here, f"curl -s -m 2 -o {self.path(here)} http://{to}/file; sleep 0.05")
        for i, (here, there) in enumerate(zip(hosts, hosts[4:])):
            kind = "-P 2" if i % 2 == 0 else "-u -b 4M"
            self.loop(here, f"timeout 40 iperf3 -c {self.address[there]} -t 20 {kind} --connect-timeout 1000; sleep 0.2")

    def unload(self):
        for program in self.programs:
            try:
                os.killpg(program.pid, signal.SIGKILL)
            except ProcessLookupError:
                program.terminate()
        for host in self.address:
            for program in subprocess.run(["ip", "netns", "pids", f"heddle-{NAME}.{host}"], capture_output=True,
                                          text=True, check=True).stdout.split():
                if int(program) not in [p.pid for p in self.watched]:
                    with contextlib.suppress(ProcessLookupError):  # the end of its client or of its time came first
                        os.kill(int(program), signal.SIGKILL)

    def soak(self, scheme):
        self.up(self.file(test_failures.TESTBED, f"{scheme}\n{test_failures.HOSTS}"), "--detect", "20ms")
        status = self.status()
        self.address = {h["name"]: h["address"] for h in status["hosts"]}
        self.watched = self.processes()
        self.load()
        hurry(os.getpid(), *(process.pid for process in self.watched))  # the load keeps its normal priority
        begin = time.monotonic()
        with EverythingBreaks(status) as breaking:
            while time.monotonic() < begin + SOAK_S:
                time.sleep(1)
                ask("metrics")
                for process in self.watched:
                    process.sample()
        subprocess.run(["chrt", "--all-tasks", "--other", "-p", "0", str(os.getpid())], check=False)
        self.unload()
        print(f"{scheme}: {breaking.count} failures in {SOAK_S} s", flush=True)
        print("\n".join(p.line() for p in self.watched), flush=True)
        self.check_nothing_is_held()
        self.check_memory()
        self.check_ends()

    def check_nothing_is_held(self):
        """Checks that after the end of the load each frame has left, was dropped or was consumed."""
        for _ in range(100):
            switches = json.loads(ask("status"))  # one answer: later counts would not fit the frames held now
            held = [switches["frames_held"]] + [h["nic"]["frames"]["held"] for h in self.status()["hosts"] if "nic" in h]
            if not any(held):
                break
            time.sleep(0.1)
        self.assertEqual(held, [0] * len(held))
        frames = [s["frames"] for s in switches["switches"]]
        self.assertEqual(sum(f["received"] + f["made"] for f in frames),
                         sum(f["left"] + f["consumed"] + sum(f["dropped"].values()) for f in frames))
        self.assertGreater(sum(f["dropped"]["link_down"] for f in frames), 0)

    def check_memory(self):
        for process in self.watched:
            self.assertEqual(len(set(process.threads)), 1, process.line())
            self.assertLessEqual(max(process.files) - min(process.files), 1, process.line())  # the socket of a status request
            if ALL and not HAS_SANITIZER:
                self.assertLessEqual(process.growth_kb(), GROWTH_MAX_KB + process.growth_of_frames_kb(), process.line())

    def check_ends(self):
        """Checks that the processes end on request without an error; a sanitizer would report leaks."""
        folder = f"/run/heddle/labs/{NAME}"
        for process in self.watched:
            os.kill(process.pid, signal.SIGTERM)
        for process in self.watched:
            for _ in range(600):
                if not os.path.exists(f"/proc/{process.pid}"):
                    break
                time.sleep(0.05)
            self.assertFalse(os.path.exists(f"/proc/{process.pid}"), process.name)
        for name in os.listdir(folder):
            if name.endswith(".log"):
                with open(os.path.join(folder, name), encoding="ascii") as log:
                    said = log.read()
                self.assertNotIn("rror", said)
                self.assertNotIn("Sanitizer", said)

    def test_expeditus(self):
        self.soak("switch: {balance: expeditus, buffer: 30KB, expeditus: {dre_period: 1ms}}")

    def test_detail_with_nics(self):
        self.soak("scheme: detail")


class Changes(LabTest):
    def test_thousands_of_failures_leave_nothing_behind(self):
        """Without frames, any growth of memory comes from the failures."""
        path, file = self.path("switches.sock"), self.file(rest="switch: {balance: expeditus}")
        switches = subprocess.Popen([HEDDLE, "switch", file, "--node", "all", "--detect", "1ms", "--socket", path],
                                    stdout=subprocess.PIPE, text=True)
        self.addCleanup(switches.kill)
        self.assertIn("12 switches", switches.stdout.readline())
        process = Process(switches.pid)
        for i in range(10000 if ALL else 2000):
            for way in ("down", "up"):
                for what in (f"link {way} agg0.{i % 2}-core{i % 2}.{i // 2 % 2}", f"switch {way} agg1.{i % 2}",
                             f"switch {way} tor0.{i % 2}"):
                    ask(what, path)
            if i % 20 == 19:
                json.loads(ask("status tables", path))
                process.sample()
        print(process.line(), flush=True)
        if not HAS_SANITIZER:  # a leak of malloc's least, 32 bytes, in each of 6,000 changes is 192 KB
            self.assertLessEqual(process.growth_kb(), 128, process.line())
        switches.terminate()
        said = switches.communicate(timeout=60)[0]
        self.assertEqual((switches.returncode, said), (0, ""))  # a report of a sanitizer changes the exit status


class Clock:
    """The stepped clock (clock_step.c) of processes that get its environment."""

    def __init__(self, path):
        self.path = path
        self.set(0, 0)
        options = ":".join(x for x in (os.environ.get("ASAN_OPTIONS"), "verify_asan_link_order=0") if x)
        self.environment = {**os.environ, "LD_PRELOAD": CLOCK_STEP, "CLOCK_STEP": path, "ASAN_OPTIONS": options}

    def set(self, of_day, monotonic=0):
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as out:
            out.write(struct.pack("qq", of_day, monotonic))

    def now(self):
        """Returns the stepped time of day, by the program date."""
        return int(subprocess.run(["date", "+%s"], env=self.environment, capture_output=True, text=True,
                                  check=True).stdout)


class Clocks(FailureTest):
    """The time of day of all processes of a lab steps an hour ahead and back under load, without effect."""

    def setUp(self):
        super().setUp()
        self.clock = Clock(self.path("clock"))
        patch = unittest.mock.patch.dict(os.environ, self.clock.environment)
        patch.start()
        self.addCleanup(patch.stop)

    def uptime(self):
        return json.loads(ask("status"))["uptime_s"]

    @contextlib.contextmanager
    def stepping(self):
        """Steps the time of day an hour ahead and back, five times a second."""
        ends = threading.Event()

        def step():
            while not ends.wait(0.1):
                self.clock.set(HOUR)
                time.sleep(0.1)
                self.clock.set(-HOUR)

        thread = threading.Thread(target=step)
        thread.start()
        try:
            yield
        finally:
            ends.set()
            thread.join()

    def test_the_shim_steps_the_time_of_day(self):
        for step in (0, HOUR, -HOUR):
            self.clock.set(step)
            self.assertAlmostEqual(self.clock.now(), time.time() + step, delta=5)

    def test_streams_lose_nothing(self):
        self.lab()
        with open(f"/proc/{self.switches_pid}/maps", encoding="ascii") as maps:
            self.assertIn(CLOCK_STEP, maps.read())
        streams, link = self.routed(), Failure("link", "agg0.0-core0.0")
        with Traffic(self, streams):
            begin, up = time.monotonic(), self.uptime()
            for step in (HOUR, 0, -HOUR, 0, HOUR):
                self.clock.set(step)
                time.sleep(0.4)
            end = time.monotonic()
            link.set("down")  # detection is not delayed by an hour either
            down = time.monotonic()
            self.clock.set(-HOUR)
            time.sleep(0.8)
            link.set("up")
            self.assertAlmostEqual(self.uptime() - up, time.monotonic() - begin, delta=0.5)
        self.assertEqual([str(s) for s in streams if s.lost(begin, end)], [])
        for stream in streams:
            if stream.is_broken_by(link):
                self.assertLessEqual(stream.resumed(down, down + DETECT_S / 2, down + 2), DETECT_S + 0.6, str(stream))
        self.clock.set(0, HOUR)  # a step of the monotonic clock, which no machine makes, does have an effect
        self.assertGreater(self.uptime() - up, HOUR)

    def test_a_lab_is_made_captured_and_removed(self):
        """Waits for the switches, for the seconds of a capture and for the end of programs have their lengths."""
        with self.stepping():
            begin = time.monotonic()
            self.up(self.file(test_failures.TESTBED, f"switch: {{balance: expeditus}}\n{test_failures.HOSTS}"))
            self.assertLess(time.monotonic() - begin, 60)
            link = self.status()["links"][-1]["name"]
            begin = time.monotonic()
            said = heddle("lab", "capture", link, self.path("link.pcapng"), "--seconds", "2", "--name", NAME)
            self.assertEqual((said.returncode, said.stdout), (0, f"written: {self.path('link.pcapng')}\n"), said.stderr)
            self.assertGreaterEqual(time.monotonic() - begin, 1.9)
            self.assertLess(time.monotonic() - begin, 30)
            begin = time.monotonic()
            said = heddle("lab", "down", "--name", NAME)
            self.assertEqual((said.returncode, said.stderr), (0, ""))
            self.assertLess(time.monotonic() - begin, 30)
        self.assert_gone()

    def test_no_process_waits_for_a_time_of_day(self):
        """The shim steps what programs read, not what the kernel waits for. No wait of a lab may therefore name an instant of
        CLOCK_REALTIME: strace sees all of them, of the run, its switches, NICs and programs."""
        if HAS_SANITIZER or not shutil.which("strace"):
            self.skipTest("strace is not installed, or a sanitizer looks for leaks, which it cannot under strace")
        with open(self.path("run.yaml"), "w", encoding="ascii") as out:
            out.write("title: a run\nfabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 1, rate: 50Mbps, "
                      "failed: [{link: leaf0-spine0, at: 100ms, repair_at: 200ms}]}\nscheme: detail\n"
                      "host: {transport: cubic, cubic: {fast_retransmit: false}}\n"
                      "workload: [{kind: poisson, sizes: 20KB, load: 0.2, load_at: host, flows: 30}]\nmeasure: {from: 50ms}\n")
        waits = "trace=futex,clock_nanosleep,timerfd_settime,timer_create,timer_settime,setitimer,semtimedop"
        said = subprocess.run(["strace", "-f", "-o", self.path("waits"), "-e", waits, HEDDLE, "lab", "run", self.path("run.yaml"),
                               "-o", self.path("run.db"), "--name", NAME, "-q"], capture_output=True, text=True, check=False,
                              timeout=240, env={k: v for k, v in os.environ.items() if k != "LD_PRELOAD"})
        self.assertEqual(said.returncode, 0, said.stderr)
        with open(self.path("waits"), encoding="ascii", errors="replace") as file:
            calls = [line for line in file if "clock_nanosleep(" in line or "futex(" in line or "timer" in line]
        self.assertGreater(len(calls), 10)
        of_day = [line for line in calls if "REALTIME" in line and "clock_nanosleep(CLOCK_REALTIME, 0," not in line
                  and ", NULL, FUTEX_BITSET" not in line]
        self.assertEqual(of_day, [])

    def test_a_run_of_an_experiment(self):
        with open(self.path("run.yaml"), "w", encoding="ascii") as out:
            out.write(f"title: a run\n{test_failures.TESTBED}\nswitch: {{balance: expeditus}}\n{test_failures.HOSTS}\n"
                      "workload: [{kind: poisson, sizes: 20KB, load: 0.2, load_at: host, flows: 200}]\n")
        with self.stepping():
            said = heddle("lab", "run", self.path("run.yaml"), "-o", self.path("run.db"), "--name", NAME, "--json", "-q")
        self.assertEqual(said.returncode, 0, said.stderr)
        result = json.loads(said.stdout.splitlines()[0])
        self.assertEqual(result["flows"]["finished"], 200)
        self.assertGreaterEqual(result["slowdown"]["all"]["p50"], 1)
        self.assertLess(result["fct_us"]["all"]["max"], 60e6)


if __name__ == "__main__":
    run_tests(test_clients.missing(), 3)
