#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends paced streams of numbered records between hosts of a lab and records the time of each arrival.

usage: streams.py PLAN.json ADDRESS OUT.json

Runs on the host with this address: it sends the streams of the plan that begin there and receives the streams that end there. It
prints a line when it listens, connects when it reads a line, prints another when all its connections are open, and sends until
its standard input ends. Then it waits a second for records in flight and writes OUT.
A plan is {"gap_ms", "bytes", "streams": [{"proto", "from", "to", "sport", "dport"}]}.

For each stream that ends here, OUT has the arrivals (seconds of CLOCK_MONOTONIC, record number) and the number of damaged
records. For each TCP stream that begins here it has samples of the connection: (seconds, retransmission timeout in s,
consecutive timeouts, retransmitted segments, those retransmitted in vain).
"""
import hashlib
import json
import select
import socket
import struct
import sys
import time

TCP_INFO_BYTES = 232
SAMPLE_EVERY = 0.05


def record(number, size):
    """Returns a record of `size` bytes, all of which depend on its number."""
    seed = struct.pack(">Q", number)
    return (seed + hashlib.sha256(seed).digest() * (size // 32 + 1))[:size]


class Sender:
    def __init__(self, stream, size):
        self.size, self.number, self.left, self.samples = size, 0, b"", []
        self.is_tcp = stream["proto"] == "tcp"
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM if self.is_tcp else socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("", stream["sport"]))
        if self.is_tcp:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.settimeout(20)
        self.socket.connect((stream["to"], stream["dport"]))
        self.socket.setblocking(False)

    def send(self):
        """Sends the next record if the socket takes it; a record of TCP that was sent in part is always completed."""
        if not self.left:
            self.left = record(self.number, self.size)
            self.number += 1
        try:
            self.left = self.left[self.socket.send(self.left):]
        except OSError:  # the socket buffer is full, or the host is unreachable
            if not self.is_tcp:
                self.left = b""

    def sample(self, now):
        info = self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
        timeouts, rto_us, = info[4], struct.unpack_from("I", info, 8)[0]
        again, in_vain = struct.unpack_from("I", info, 100)[0], struct.unpack_from("I", info, 216)[0]
        self.samples.append((round(now, 4), rto_us / 1e6, timeouts, again, in_vain))


class Receiver:
    def __init__(self, stream, size):
        self.stream, self.size, self.rest, self.arrivals, self.bad = stream, size, b"", [], 0

    def take(self, now, data):
        self.rest += data
        while len(self.rest) >= self.size:
            number = struct.unpack_from(">Q", self.rest)[0]
            self.bad += self.rest[:self.size] != record(number, self.size)
            self.arrivals.append((round(now, 5), number))
            self.rest = self.rest[self.size:]


class Host:
    def __init__(self, plan, address):
        self.plan, self.address, self.size = plan, address, plan["bytes"]
        self.poll, self.places, self.receivers, self.listeners = select.epoll(), {}, [], {}
        for stream in plan["streams"]:
            if stream["to"] == address:
                self.listen(stream)

    def listen(self, stream):
        receiver = Receiver(stream, self.size)
        self.receivers.append(receiver)
        kind = socket.SOCK_STREAM if stream["proto"] == "tcp" else socket.SOCK_DGRAM
        place = socket.socket(socket.AF_INET, kind)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(("", stream["dport"]))
        if stream["proto"] == "tcp":
            place.listen(1)
        else:
            place.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_RCVBUFFORCE", 33), 8 << 20)
        place.setblocking(False)
        self.watch(place, receiver)

    def watch(self, place, receiver):
        self.places[place.fileno()] = (place, receiver)
        self.poll.register(place.fileno(), select.EPOLLIN)

    def arrive(self, place, receiver):
        now = time.monotonic()
        try:
            if receiver.stream["proto"] == "tcp" and place.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                connection = place.accept()[0]
                connection.setblocking(False)
                self.watch(connection, receiver)
                return
            data = place.recv(65536)
        except OSError:
            return
        if not data and receiver.stream["proto"] == "tcp":
            self.poll.unregister(place.fileno())
            return
        receiver.take(now, data)

    def serve(self, seconds):
        for number, _ in self.poll.poll(max(0, seconds)):
            if number == 0:
                return False
            self.arrive(*self.places[number])
        return True

    def connect(self):
        print("listens", flush=True)
        sys.stdin.readline()
        senders = [Sender(s, self.size) for s in self.plan["streams"] if s["from"] == self.address]
        print("connected", flush=True)
        return senders

    def run(self):
        senders = self.connect()
        self.poll.register(0, select.EPOLLHUP)
        gap, due, sampled = self.plan["gap_ms"] / 1e3, time.monotonic(), 0
        while self.serve(due - time.monotonic()):
            now = time.monotonic()
            if now < due:
                continue
            due = max(due + gap, now - 10 * gap)
            for sender in senders:
                sender.send()
                if sender.is_tcp and now - sampled >= SAMPLE_EVERY:
                    sender.sample(now)
            sampled = now if now - sampled >= SAMPLE_EVERY else sampled
        self.poll.unregister(0)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            self.serve(end - time.monotonic())
        return senders

    def save(self, path, senders):
        with open(path, "w", encoding="ascii") as out:
            json.dump({"took": [{"stream": r.stream, "arrivals": r.arrivals, "bad": r.bad} for r in self.receivers],
                       "sent": [{"stream": s, "samples": x.samples, "records": x.number} for s, x in
                                zip([s for s in self.plan["streams"] if s["from"] == self.address], senders,
                                    strict=True)]}, out)


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        host = Host(json.load(file), sys.argv[2])
    host.save(sys.argv[3], host.run())


main()
