#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads captures of heddle as src/wire/pcapng.h describes them: times to the picosecond, directions and bytes.

usage: capture_file.py [--sent] FILE    prints port, picosecond, direction (1 in, 2 out) and bytes of each frame
"""
import struct
import sys

FLAGS, IF_TSRESOL, CUSTOM = 2, 9, 2989
PICOSECONDS = struct.pack("<I", 32473) + b"heddle"


def options_of(data, at, end):
    """Yields (code, value) of the options of a block."""
    while at < end:
        code, size = struct.unpack_from("<HH", data, at)
        if code == 0:
            return
        yield code, data[at + 4 : at + 4 + size]
        at += 4 + (size + 3) // 4 * 4


def time_of(stamp, resolution, options):
    """Returns the time in picoseconds: a stamp in units of 10^-resolution s, and the option for what it leaves out."""
    at = stamp * 10 ** (12 - resolution)
    for code, value in options:
        if code == CUSTOM and value.startswith(PICOSECONDS):
            at = at // 1000 * 1000 + struct.unpack_from("<H", value, 10)[0]
    return at


def frames_of(path):
    """Yields (port, picosecond, direction, bytes) of each frame; direction 1: came in, 2: left, 0: not known."""
    with open(path, "rb") as file:
        data = file.read()
    at, resolution = 0, []
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 1:
            options = dict(options_of(data, at + 16, at + length - 4))
            resolution.append(options.get(IF_TSRESOL, b"\x06")[0])
        if kind == 6:
            port, high, low, captured = struct.unpack_from("<IIII", data, at + 8)
            options = list(options_of(data, at + 28 + (captured + 3) // 4 * 4, at + length - 4))
            flags = dict(options).get(FLAGS, bytes(4))
            yield (port, time_of(high << 32 | low, resolution[port], options), struct.unpack("<I", flags)[0] & 3,
                   data[at + 28 : at + 28 + captured])
        at += length


def frames_sent(path):
    """Returns (port, picosecond, bytes) of each frame in a capture that left the switch."""
    return [(port, at, data) for port, at, direction, data in frames_of(path) if direction == 2]


if __name__ == "__main__":
    for port_, at_, direction_, data_ in frames_of(sys.argv[-1]):
        if direction_ == 2 or sys.argv[1] != "--sent":
            print(port_, at_, direction_, data_.hex())
