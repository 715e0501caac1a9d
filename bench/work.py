# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of the benchmark; each function returns the figures of one run.

A cell is an experiment with its settings and its numbers of threads and jobs. measure.py repeats and interleaves the cells. All
runs of the same work must have one digest, whatever their number of threads.
"""
import json
import os
import platform
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import ns3

ROOT = Path(__file__).resolve().parent.parent
HEDDLE = ROOT / "build" / "heddle"
FORWARD = ROOT / "build" / "bench" / "bench_forward"
LIVE = ROOT / "build" / "bench" / "bench_live"
LINES = ROOT / "build" / "bench" / "bench_lines"
PEER = ROOT / "build" / "bench" / "ns3_fattree"
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader",
          *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]


class Failure(Exception):
    """A run failed, or two runs of the same work have different digests, so their speed means nothing."""


@dataclass(frozen=True)
class Cell:
    name: str
    file: str = ""
    settings: tuple = ()  # ("fabric.k=8", ...)
    threads: int = 1
    jobs: int = 1
    ranks: int = 1  # ranks that carry out each run together, under mpirun
    pinned: bool = True  # whether the run stays on one core
    peer: tuple = ()  # arguments of ns3_fattree, which then runs instead of heddle
    work: str = ""  # cells of the same work have the same digest
    repeats: int = 1  # runs in each round; short runs need several


@dataclass
class Sample:
    hops: int
    hops_per_s: float
    elapsed_s: float  # of the whole process
    rss_bytes: int
    digest: str = ""
    runs: list = field(default_factory=list)


def pin(core):
    return lambda: os.sched_setaffinity(0, {core})


def run_process(argv, core):
    """Returns standard output, elapsed seconds and the peak resident bytes of the process and its children."""
    argv = [str(a) for a in argv]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        start = time.monotonic()
        process = subprocess.Popen(argv, stdout=out, stderr=errors, preexec_fn=None if core is None else pin(core))
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), errors.seek(0)
        if process.returncode != 0:
            raise Failure(f"{' '.join(argv)}\nexit status {process.returncode}\n{errors.read()[-2000:]}")
        return out.read(), elapsed, usage.ru_maxrss * 1024


def heddle_argv(cell, store):
    argv = [HEDDLE, "run", ROOT / "bench" / cell.file, "--json", "--quiet", "-o", store]
    for setting in cell.settings:
        argv += ["--set", setting]
    argv += ["--threads", cell.threads, "--jobs", cell.jobs]
    return argv if cell.ranks == 1 else [*MPIRUN, "-n", cell.ranks, *argv, "--ranks-per-run", cell.ranks]


def run_heddle(cell, core):
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as folder:  # a new store, since the program skips finished runs
        out, elapsed, rss = run_process(heddle_argv(cell, Path(folder) / "bench.db"), core if cell.pinned else None)
    runs = [json.loads(line) for line in out.splitlines() if line.startswith('{"run"')]
    if not runs:
        raise Failure(f"{cell.name}: no run in the output")
    for run in runs:
        if run["flows"]["unfinished"]:
            raise Failure(f"{cell.name}: {run['flows']['unfinished']} flows did not finish")
    engines = [run["engine"] for run in runs]
    return Sample(hops=sum(e["packet_hops"] for e in engines),
                  hops_per_s=sum(e["packet_hops"] for e in engines) / sum(e["wall_s"] for e in engines),
                  elapsed_s=elapsed,
                  rss_bytes=rss,
                  digest=" ".join(e["digest"] for e in engines),
                  runs=runs)


def build_peer():
    return ns3.build(PEER, "-O3", "-march=native")


def run_peer(cell, core):
    out, elapsed, rss = run_process([PEER, *cell.peer], core)
    value = {}
    for line in out.splitlines():
        words = line.split()
        value.update(zip(words[::2], words[1::2]))
    return Sample(hops=int(value["packet_hops"]), hops_per_s=int(value["packet_hops"]) / float(value["wall_s"]),
                  elapsed_s=elapsed, rss_bytes=rss)


def run_cell(cell, core):
    return run_peer(cell, core) if cell.peer else run_heddle(cell, core)


def run_program(program, rounds, core):
    """Returns the object that a benchmark of its own prints."""
    out, _, _ = run_process([program, "--json", "--rounds", rounds], core)
    return json.loads(out)


# ---- where and what ----

def first_line(argv):
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return ""


def cpu_model():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def machine_line():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    parts = [cpu_model(), f"{os.cpu_count()} cores", f"{memory:.0f} GiB", f"Linux {platform.release()}",
             first_line(["gcc", "--version"]), f"libns3-dev {ns3.version()}" if ns3.version() else "",
             f"load average at start {os.getloadavg()[0]:.2f}"]
    return ", ".join(p for p in parts if p)


def commit_line():
    commit = first_line(["git", "rev-parse", "--short", "HEAD"]) or "unknown"
    changed = first_line(["git", "status", "--porcelain", "--untracked-files=no"])
    return commit + (" with uncommitted changes" if changed else "")
