#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TCP between hosts of a lab, with a check of every byte.

usage: traffic.py serve N                   takes N connections and answers each with the SHA-256 of what came
       traffic.py send BYTES ADDRESS...     sends so many bytes to each at once; exit status 1 if an answer is wrong
"""
import hashlib
import os
import socket
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
    """The server may not be there yet."""
    for _ in range(200):
        try:
            return socket.create_connection((address, PORT), timeout=30)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise TimeoutError(address)


def send(address, data, good):
    with connect(address) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        good.append(connection.recv(32) == hashlib.sha256(data).digest())


def main():
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]))
        return 0
    data, good = os.urandom(int(sys.argv[2])), []
    threads = [threading.Thread(target=send, args=(a, data, good)) for a in sys.argv[3:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0 if len(good) == len(threads) and all(good) else 1


sys.exit(main())
