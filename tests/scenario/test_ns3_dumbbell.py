#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_ns3_dumbbell.py HEDDLE FOLDER [--recorded [--only WORD]]: NewReno and Cubic agree with ns-3 on a dumbbell, by bench/dumbbell.

The output says whether ns-3 ran or recorded numbers were used. It also tests the comparison itself, which must fail for a
heddle without fast retransmit.
"""
import subprocess
import sys
from pathlib import Path

DUMBBELL = Path(__file__).resolve().parent.parent.parent / "bench" / "dumbbell"


def dumbbell(heddle, folder, *options):
    argv = [sys.executable, str(DUMBBELL), "--heddle", heddle, "--folder", folder, *options]
    result = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False)
    print(result.stdout, flush=True)
    return result


def main():
    heddle, folder, *options = sys.argv[1:]
    agreement = dumbbell(heddle, folder, *(options or ["--sample"]))
    if agreement.returncode != 0:
        return agreement.returncode
    print("without fast retransmit, which must be told apart:", flush=True)
    broken = dumbbell(heddle, folder, "--recorded", "--only", "1G-10MB newreno", "--set", "host.fast_retransmit=false")
    if broken.returncode != 1 or "APART" not in broken.stdout:
        print("the comparison does not notice a TCP without fast retransmit")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
