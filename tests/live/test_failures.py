#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links and switches of the Expeditus testbed's fabric fail and come back under load, one after the other.

usage: test_failures.py HEDDLE [--all]    (exit status 77, saying why, where namespaces cannot be made)

Each host sends TCP and UDP streams (streams.py) to two hosts of the other pod. Switches balance by ECMP, so traceroute
with a stream's own ports tells its path. For each failure:

  streams whose path it breaks   resume within the detection time and two of their retransmission timeouts
  all other streams              lose nothing

While its link or ToR is down, no frame can reach a host. Its streams resume within the same time after the repair; the timeout
is then the current one, which TCP doubles with each consecutive timeout.

--all breaks each of the 24 links and 12 switches; without it some of each tier.
"""
import json
import os
import socket
import subprocess
import sys
import time

from labs import NAME, LabTest, missing, run_tests

ALL = "--all" in sys.argv
STREAMS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "streams.py")
TESTBED = ("fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 2, rate: 40Mbps, core_rate: 10Mbps, "
           "delay: 20us}")
HOSTS = "host: {transport: cubic, min_rto: 200ms}"
DETECT_S = 0.1
DOWN_S, UP_S, UP_AFTER_CUT_OFF_S = 0.8, 0.6, 1.5
GAP_MS, RECORD_BYTES = 20, 500
TRIES = 3  # the machine may stall for longer than a timeout


def ask_once(request, path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as place:
        place.settimeout(20)
        place.connect(path)
        place.sendall(request.encode() + b"\n")
        reply = b""
        while data := place.recv(1 << 20):
            reply += data
    return reply.decode().removeprefix(".")  # which says that it was begun


def ask(request, path=f"/run/heddle/labs/{NAME}/switches.sock"):
    """Sends a request to the switches, as heddle lab link and status do, without starting a program."""
    for _ in range(5):  # the switches close a connection that is silent for a second, as on a stalled machine
        try:
            reply = ask_once(request, path)
            break
        except (BrokenPipeError, ConnectionResetError):
            time.sleep(0.1)
    if reply[:1] != "+":
        raise RuntimeError(f"{request}: {reply}")
    return reply[1:]


def in_host(host, *words):
    return ["ip", "netns", "exec", f"heddle-{NAME}.{host}", *words]


def hurry(*pids):
    """Gives processes real-time priority if that is allowed, so that other load of the machine does not matter."""
    for pid in pids:
        subprocess.run(["chrt", "--all-tasks", "--rr", "-p", "1", str(pid)], capture_output=True, check=False)


class Failure:
    """Something that breaks: a link, a switch, or the interface of a host's link."""

    def __init__(self, kind, name, n_host=0):
        self.kind, self.name, self.n_host = kind, name, n_host
        self.cuts_off = name.split("-")[0].startswith(("host", "tor" if kind == "switch" else "host"))

    def __str__(self):
        return f"{self.kind} {self.name}"

    def set(self, way):
        if self.kind == "carrier":
            subprocess.run(in_host("switches", "ip", "link", "set", f"h{self.n_host}", way), check=True)
        else:
            ask(f"{self.kind} {way} {self.name}")

    def breaks(self, path):
        if self.kind == "switch":
            return self.name in path
        return any(self.name in (f"{a}-{b}", f"{b}-{a}") for a, b in zip(path, path[1:]))


class Stream:
    """A stream of the plan, its paths there and back (None: unknown), and its arrivals and samples."""

    def __init__(self, plan, there, back, ends):
        self.plan, self.ends, self.paths = plan, ends, [there] + ([back] if plan["proto"] == "tcp" else [])
        self.arrivals, self.samples = [], []

    def __str__(self):
        return f"{self.plan['proto']} {self.ends[0][0]}->{self.ends[1][0]}:{self.plan['dport']}"

    def is_broken_by(self, failure):
        if failure.cuts_off:  # a host's own link or ToR
            return any(failure.breaks(end) for end in self.ends)
        if self.paths[0] is None:
            return True
        return any(failure.breaks(path) for path in self.paths)

    def timeout(self, at):
        """Returns the current retransmission timeout at a time."""
        before = [s[1] for s in self.samples if s[0] <= at]
        return before[-1] if before else 0.2

    def resumed(self, begin, within, end):
        """Returns the time from `begin` to the end of the silence around `within`; 0: no silence; None: it did not end."""
        after = [t for t, _ in self.arrivals if within < t <= end]
        before = [t for t, _ in self.arrivals if t <= within]
        if not after:
            return None
        silence = after[0] - before[-1] if before else DETECT_S
        return after[0] - begin if silence >= 0.9 * DETECT_S else 0.0

    def lost(self, begin, end):
        """Returns the UDP records or TCP segments that were lost between two times."""
        if self.plan["proto"] == "udp":
            numbers = [n for t, n in self.arrivals if begin <= t <= end]
            return max(numbers) - min(numbers) + 1 - len(set(numbers)) if numbers else 1
        within = [s for s in self.samples if begin <= s[0] <= end]
        return max(0, (within[-1][3] - within[-1][4]) - (within[0][3] - within[0][4])) if within else 1


class Traffic:
    """Runs the streams of all hosts while the context lasts; afterwards each stream has its results."""

    def __init__(self, test, streams):
        self.test, self.streams, self.hosts = test, streams, []

    def __enter__(self):
        with open(self.test.path("plan.json"), "w", encoding="ascii") as out:
            json.dump({"gap_ms": GAP_MS, "bytes": RECORD_BYTES, "streams": [s.plan for s in self.streams]}, out)
        for host in self.test.hosts:
            self.hosts.append(subprocess.Popen(
                in_host(host["name"], STREAMS, self.test.path("plan.json"), host["address"],
                        self.test.path(host["name"])), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        hurry(self.test.switches_pid, os.getpid(), *(host.pid for host in self.hosts))  # commands that cut links inherit it
        self.expect("listens\n")
        for host in self.hosts:
            host.stdin.write("connect\n")
            host.stdin.flush()
        self.expect("connected\n")
        time.sleep(0.5)
        return self

    def expect(self, line):
        self.test.assertEqual([host.stdout.readline() for host in self.hosts], [line] * len(self.hosts))

    def __exit__(self, kind, *_):
        for host in self.hosts:
            host.stdin.close()
        codes = [host.wait(timeout=60) for host in self.hosts]
        for host in self.hosts:
            host.stdout.close()
        if kind is None:
            self.test.assertEqual(codes, [0] * len(codes))
            self.read()

    def read(self):
        by_plan = {json.dumps(s.plan, sort_keys=True): s for s in self.streams}
        for host in self.test.hosts:
            with open(self.test.path(host["name"]), encoding="ascii") as file:
                said = json.load(file)
            for took in said["took"]:
                by_plan[json.dumps(took["stream"], sort_keys=True)].arrivals = took["arrivals"]
                self.test.assertEqual(took["bad"], 0, took["stream"])
            for sent in said["sent"]:
                by_plan[json.dumps(sent["stream"], sort_keys=True)].samples = sent["samples"]


class FailureTest(LabTest):
    def lab(self, rest="switch: {balance: ecmp, buffer: 225KB}", *words):
        self.up(self.file(TESTBED, f"{rest}\n{HOSTS}"), "--detect", f"{int(DETECT_S * 1000)}ms", *words)
        self.switches_pid = int(subprocess.run(["ip", "netns", "pids", f"heddle-{NAME}.switches"], capture_output=True,
                                               text=True, check=True).stdout)
        status = self.status()
        self.hosts = status["hosts"]
        self.names = {s["address"]: s["name"] for s in status["switches"] + status["hosts"]}
        for host in self.hosts:  # Linux answers probes of traceroute once a second, after the first six
            subprocess.run(in_host(host["name"], "sysctl", "-qw", "net.ipv4.icmp_ratelimit=0"), check=True)
        self.links = [x["name"] for x in status["links"]]
        self.switches = [s["name"] for s in status["switches"]]

    def plans(self):
        """Returns the plans of TCP and UDP streams from each host to two hosts of the other pod."""
        plans, n = [], len(self.hosts)
        for i, host in enumerate(self.hosts):
            for k in range(2):
                to = self.hosts[(i + n // 2 + k * 3) % (n // 2) + (0 if i >= n // 2 else n // 2)]
                for proto in ("tcp", "udp"):
                    plans.append({"proto": proto, "from": host["address"], "to": to["address"], "sport": 0,
                                  "dport": 6000 + len(plans)})
        return plans

    def trace(self, proto, source, sport, to, dport):
        words = in_host(self.names[source], "traceroute", "-n", "-q", "1", "-w", "2", "-T" if proto == "tcp" else "-U",
                        f"--sport={sport}", "-p", str(dport), to)
        return self.names[source], subprocess.Popen(words, stdout=subprocess.PIPE, text=True)

    def path_of(self, traced):
        """Returns the nodes of a path from the output of a running traceroute.

        Once in some thousand runs traceroute sees none of the destination's answers, although by the counters of both
        ToRs all of them reach its host. So a path without an end is asked for once more."""
        name, program = traced
        lines = program.communicate(timeout=60)[0].splitlines()[1:]
        if lines and lines[-1].split()[1] == "*":
            print(f"once more: {' '.join(program.args)}; dropped so far: {self.drops()}", file=sys.stderr)
            lines = subprocess.run(program.args, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
        path = [name] + [self.names.get(line.split()[1], "?") for line in lines]
        self.assertNotIn("?", path, f"{' '.join(program.args)}: dropped so far: {self.drops()}")
        self.assertIn(len(path), (3, 5, 7), path)
        return path

    def routed(self):
        """Returns the streams with their paths. Among several source ports it picks the one whose links are used least."""
        streams, used = [], {}
        for plan in self.plans():
            a, b, to, proto = plan["from"], plan["to"], plan["dport"], plan["proto"]
            first = 20000 + 10 * len(streams)
            traced = [(sport, self.trace(proto, a, sport, b, to)) for sport in range(first, first + 3)]
            ways = [(sport, self.path_of(there)) for sport, there in traced]
            sport, there = min(ways, key=lambda w: sum(used.get((proto, *hop), 0) for hop in zip(w[1], w[1][1:])))
            for hop in zip(there, there[1:]):
                used[(proto, *hop)] = used.get((proto, *hop), 0) + 1
            back = self.path_of(self.trace(proto, b, to, a, sport)) if proto == "tcp" else []
            streams.append(Stream({**plan, "sport": sport}, there, back, self.ends(there[0], there[-1])))
        return streams

    def unrouted(self):
        """Returns the streams without paths."""
        return [Stream({**plan, "sport": 20000 + i}, None, None, self.ends(*(self.names[plan[k]] for k in ("from", "to"))))
                for i, plan in enumerate(self.plans())]

    def ends(self, *hosts):
        """Returns the hosts of a stream and their ToRs."""
        return [[host, f"tor{host[4:-2]}"] for host in hosts]

    def drops(self):
        """Returns the frames that all switches have dropped, by cause."""
        total = {}
        for switch in json.loads(ask("status"))["switches"]:
            for cause, n in switch["frames"]["dropped"].items():
                total[cause] = total.get(cause, 0) + n
        return total


class Outcome:
    """The effect of a failure on the streams, as a line and as complaints."""

    def __init__(self, failure, times, streams):
        self.failure, (self.down, self.up, self.end) = failure, times
        self.broken = [s for s in streams if s.is_broken_by(failure)]
        self.others = [s for s in streams if not s.is_broken_by(failure)]
        self.resumed = {s: self.resumption(s) for s in self.broken}
        self.lost = {s: s.lost(self.down - 0.1, self.end) for s in self.others}

    def resumption(self, stream):
        """Returns the seconds until the stream resumed, and the seconds that this may take."""
        if self.failure.cuts_off:
            return stream.resumed(self.up, self.up, self.end), DETECT_S + 2 * stream.timeout(self.up)
        detected = self.down + DETECT_S / 2  # before this, no frame avoids the failed link
        return stream.resumed(self.down, detected, self.up), DETECT_S + 2 * stream.timeout(self.down)

    def complaints(self):
        said = [f"{self.failure}: {s} went on after {took} s; {bound:.3f} s are allowed"
                for s, (took, bound) in self.resumed.items() if took is None or took > bound]
        said += [f"{self.failure}: {s} passes there and did not notice" for s, (took, _) in self.resumed.items()
                 if took == 0 and s.plan["proto"] == "udp" and s.paths[0]]
        said += [f"{self.failure}: {s}, which does not pass there, lost {n}" for s, n in self.lost.items() if n]
        for proto in ("tcp", "udp"):
            if not [s for s in self.broken if s.plan["proto"] == proto]:
                said.append(f"{self.failure}: no {proto} stream passes there")
            if not [s for s, (took, _) in self.resumed.items() if took != 0]:
                said.append(f"{self.failure}: nobody noticed")
        return said

    def line(self):
        def span(proto):
            took = [t for s, (t, _) in self.resumed.items() if s.plan["proto"] == proto and t is not None]
            return f"{proto} {1e3 * min(took):.0f} to {1e3 * max(took):.0f} ms" if took else f"{proto} never"
        bound = max((b for _, b in self.resumed.values()), default=0)
        n = sum(1 for s in self.others for t, _ in s.arrivals if self.down <= t <= self.end)
        return (f"{str(self.failure):24} {len(self.broken):2} streams go on: {span('tcp')}, {span('udp')} "
                f"(allowed {1e3 * bound:.0f}); {len(self.others)} others lose {sum(self.lost.values())} of {n}")


class Failures(FailureTest):
    def carry_out(self, failure):
        failure.set("down")
        down = time.monotonic()
        time.sleep(DOWN_S)
        up = time.monotonic()  # frames of a host pass again before the switches have answered
        failure.set("up")
        time.sleep(UP_AFTER_CUT_OFF_S if failure.cuts_off else UP_S)
        return down, up, time.monotonic()

    def failures(self):
        every = [Failure("link", x) for x in self.links] + [Failure("switch", x) for x in self.switches]
        every.append(Failure("carrier", self.links[3], 3))
        if ALL:
            return every
        some = {"host1.0.1-tor1.0", "tor0.0-agg0.1", "agg1.0-core0.0", "tor0.1", "agg1.1", "core0.1"}
        return [f for f in every if f.name in some or f.kind == "carrier"]

    def round(self, failures, streams):
        """Carries the failures out; returns the outcomes."""
        with Traffic(self, streams):
            before = self.drops()
            times = [self.carry_out(f) for f in failures]
            after = self.drops()
        dropped = {cause: after[cause] - before[cause] for cause in after if after[cause] > before[cause]}
        print(f"dropped: {dropped}", flush=True)
        self.assertNotIn("buffer", dropped)  # the load leaves room in the queues, so only failures cause losses
        return [Outcome(f, t, streams) for f, t in zip(failures, times, strict=True)]

    def check(self, failures, streams):
        """Carries the failures out, and repeats those with complaints; fails if complaints remain."""
        complaints = []
        for _ in range(TRIES):
            outcomes = self.round(failures, streams)
            print("\n".join(o.line() for o in outcomes), flush=True)
            complaints = [c for o in outcomes for c in o.complaints()]
            failures = [o.failure for o in outcomes if o.complaints()]
            if not failures:
                break
            print("\n".join(["once more:"] + complaints), flush=True)
        self.assertEqual(complaints, [])

    def test_traffic_resumes_and_other_paths_lose_nothing(self):
        self.lab()
        self.check(self.failures(), self.routed())

    def traffic_resumes_where_switches_choose_by_load(self):
        """Expeditus places streams by load, so the streams that a failure breaks are not known beforehand; all must resume."""
        self.lab("switch: {balance: expeditus, buffer: 225KB, expeditus: {dre_period: 1ms}}")
        self.check([f for f in self.failures() if not f.cuts_off], self.unrouted())

    if ALL:
        test_expeditus = traffic_resumes_where_switches_choose_by_load


if __name__ == "__main__":
    run_tests(missing())
