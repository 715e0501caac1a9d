#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends TCP between hosts of a lab, with a check of every byte, and numbered datagrams.

usage: traffic.py serve N                   accepts N connections and answers each with the SHA-256 of its bytes
       traffic.py send BYTES ADDRESS...     sends BYTES to each address at the same time; exit status 1 if an answer is wrong
       traffic.py sink QUIET                prints "listens", waits for datagrams, and receives until none comes for QUIET
                                            seconds; prints JSON: by sender and class, how many came and how many are missing
       traffic.py pace MBPS SECONDS CLASS ADDRESS
                                            sends datagrams of 1,400 bytes at that rate (0: as fast as the socket takes
                                            them); prints JSON: how many, and the longest time that one had to wait
"""
import errno
import hashlib
import json
import os
import socket
import struct
import sys
import threading
import time

PORT = 5201


def take(connection):
    digest = hashlib.sha256()
    while data := connection.recv(65536):
        digest.update(data)
    connection.sendall(digest.digest())
    connection.close()


def serve(n):
    server = socket.create_server(("", PORT), backlog=64)
    threads = []
    for _ in range(n):
        threads.append(threading.Thread(target=take, args=(server.accept()[0],)))
        threads[-1].start()
    for thread in threads:
        thread.join()


def connect(address):
    """Returns a connection; retries while the server does not listen yet, or switches do not answer ARP under load."""
    for _ in range(200):
        try:
            return socket.create_connection((address, PORT), timeout=30)
        except OSError as why:
            if why.errno not in (errno.ECONNREFUSED, errno.EHOSTUNREACH):
                raise
            time.sleep(0.05)
    raise TimeoutError(address)


def send(address, data, good):
    with connect(address) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        good.append(connection.recv(32) == hashlib.sha256(data).digest())


DATAGRAM = 1400


def sink(quiet):
    """Prints the datagrams received by stream; the missing ones follow from the highest number that came."""
    taker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    taker.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_RCVBUFFORCE", 33), 64 << 20)
    taker.bind(("", PORT))
    print("listens", flush=True)
    taker.settimeout(30)
    streams = {}
    try:
        while True:
            data, (address, _) = taker.recvfrom(2048)
            number, kind = struct.unpack_from(">IB", data)
            stream = streams.setdefault(f"{address} {kind}", {"came": 0, "last": 0, "turned": 0, "bytes": 0})
            stream["came"] += 1
            stream["bytes"] += len(data)
            stream["turned"] += number < stream["last"]
            stream["last"] = max(stream["last"], number)
            taker.settimeout(quiet)
    except TimeoutError:
        pass
    for stream in streams.values():
        stream["lacks"] = stream["last"] + 1 - stream["came"]
    print(json.dumps(streams))


def pace(mbps, seconds, kind, address):
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, kind << 5)
    sender.connect((address, PORT))
    gap = DATAGRAM * 8 / (mbps * 1e6) if mbps else 0
    start = time.monotonic()
    sent, longest, refused = 0, 0.0, 0
    while (now := time.monotonic()) < start + seconds:
        if sent * gap > now - start:
            time.sleep(sent * gap - (now - start))
            continue
        try:
            sender.send(struct.pack(">IB", sent, kind) + bytes(DATAGRAM - 5))
            sent += 1
        except OSError:
            refused += 1
        longest = max(longest, time.monotonic() - now)
    print(json.dumps({"sent": sent, "longest_ms": round(longest * 1e3, 1), "refused": refused}))


def main():
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]))
        return 0
    if sys.argv[1] == "sink":
        sink(float(sys.argv[2]))
        return 0
    if sys.argv[1] == "pace":
        pace(float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
        return 0
    data, good = os.urandom(int(sys.argv[2])), []
    threads = [threading.Thread(target=send, args=(a, data, good)) for a in sys.argv[3:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0 if len(good) == len(threads) and all(good) else 1


sys.exit(main())
