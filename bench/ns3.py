# SPDX-License-Identifier: Apache-2.0
"""Builds the programs bench/peers/ns3_*.cc, with which bench/dumbbell, bench/peers/compare and bench/run compare heddle."""
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "peers"
LIBRARIES = ["core", "network", "internet", "point-to-point", "applications", "stats", "traffic-control", "bridge"]


def build(program, *flags):
    """Compiles bench/peers/NAME.cc into `program` (.../NAME) unless that is newer than the source and all headers.

    Returns None on success, else why the program cannot run."""
    if not shutil.which("g++"):
        return "g++ is not installed (scripts/install-deps bench)"
    if not Path("/usr/include/ns3").is_dir():
        return "libns3-dev is not installed (scripts/install-deps bench)"
    source = SOURCES / f"{program.name}.cc"
    changed = max(file.stat().st_mtime for file in [source, *SOURCES.glob("ns3_*.hh")])
    if program.exists() and program.stat().st_mtime > changed:
        return None
    program.parent.mkdir(parents=True, exist_ok=True)
    argv = ["g++", "-std=c++17", *flags, source, "-o", program] + ["-lns3-" + name for name in LIBRARIES]
    result = subprocess.run([str(a) for a in argv], capture_output=True, text=True, check=False)
    return None if result.returncode == 0 else f"{source.name} does not compile: {result.stderr.strip()[-300:]}"


def version():
    """Returns the version of Debian's package, "" if it is not installed."""
    if not shutil.which("dpkg-query"):
        return ""
    argv = ["dpkg-query", "-W", "-f", "${Version}", "libns3-dev"]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()
