# SPDX-License-Identifier: Apache-2.0
"""Processes of a lab that are watched for long: their memory, files and threads, and the frames that they hold."""
import json
import os

from labs import HEDDLE
from test_failures import ask

FRAME_KB = 2.5  # descriptor, cell and bytes of a frame; a process keeps them for the most frames that it ever held

with open(HEDDLE, "rb") as program:
    HAS_SANITIZER = b"__asan_init" in program.read()  # a sanitizer keeps freed memory, and reports leaks at exit


class Process:
    """A process of the lab, with its memory, files, threads and most frames held, second by second."""

    def __init__(self, pid):
        self.pid, self.rss_kb, self.anon_kb, self.files, self.threads, self.frames_peak = pid, [], [], [], [], []
        with open(f"/proc/{pid}/cmdline", encoding="ascii") as file:
            words = file.read().split("\0")
        self.name = words[words.index("--host") + 1] + "'s NIC" if "--host" in words else "switches"
        self.socket = words[words.index("--socket") + 1]

    def sample(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            lines = dict(line.split(":", 1) for line in file.read().splitlines())
        self.rss_kb.append(int(lines["VmRSS"].split()[0]))
        self.anon_kb.append(int(lines["RssAnon"].split()[0]))
        self.threads.append(int(lines["Threads"]))
        self.files.append(len(os.listdir(f"/proc/{self.pid}/fd")))
        self.frames_peak.append(json.loads(ask("status", self.socket))["frames_peak"])

    def growth_kb(self):
        """Returns the growth of the peak memory from the second quarter to the last one, in KB."""
        n = len(self.rss_kb)
        return max(self.rss_kb[3 * n // 4:]) - max(self.rss_kb[n // 4:n // 2])

    def growth_of_frames_kb(self):
        """Returns how much of that growth more frames held at once explain, in KB."""
        n = len(self.frames_peak)
        return FRAME_KB * (self.frames_peak[-1] - self.frames_peak[n // 2])

    def line(self):
        n = len(self.rss_kb)
        marks = [self.rss_kb[i] for i in (0, n // 4, n // 2, 3 * n // 4, n - 1)]
        peaks = [self.frames_peak[i] for i in (0, n // 4, n // 2, 3 * n // 4, n - 1)]
        return (f"{self.name}: RSS in KB at each quarter {marks}, most frames held {peaks}, {self.files[-1]} files, "
                f"{self.threads[-1]} threads")
