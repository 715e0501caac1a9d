# SPDX-License-Identifier: Apache-2.0
"""A stranger on the wire: sends frames that are no host's.

usage: stranger.py INTERFACE TIMES INTERVAL_S FRAME...    each FRAME as hexadecimal bytes; all of them, so many times
"""
import socket
import sys
import time

with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as port:
    port.bind((sys.argv[1], 0))
    frames = [bytes.fromhex(frame) for frame in sys.stdin.read().split()] + [bytes.fromhex(frame) for frame in sys.argv[4:]]
    for _ in range(int(sys.argv[2])):
        for frame in frames:
            port.send(frame)
        time.sleep(float(sys.argv[3]))
