#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Paced streams of numbered records between hosts of a lab, with the time of each arrival.

usage: streams.py PLAN.json ADDRESS OUT.json

Plays the host with this address: sends the streams of the plan that begin there and takes those that end there. It prints
a line when it listens, connects when it reads one, prints another when every connection is there, and sends until its
standard input ends; then it waits a second for what is under way, and writes what it saw. A plan is {"gap_ms", "bytes", "streams": [{"proto", "from", "to", "sport", "dport"}]}.

OUT has for each stream that ends here the arrivals (seconds of CLOCK_MONOTONIC, record number) and how many were not as
sent; and for each TCP stream that begins here samples of its state: (seconds, timeout in force in s, timeouts in a row,
segments sent again, of which in vain).
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
    """So many bytes that tell their number, all of them."""
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
        """The next record, unless the stack holds too much: a record that was begun is always ended."""
        if not self.left:
            self.left = record(self.number, self.size)
            self.number += 1
        try:
            self.left = self.left[self.socket.send(self.left):]
        except OSError:  # the stack is full, or tells of an unreachable host
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
