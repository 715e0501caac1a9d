#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_count_tests.py TREE: a skipped test never counts as passed. Checks scripts/count-tests on made-up logs, the output of
bench/guard where it cannot measure, and the functions of ./check after a skipped step."""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TREE = Path(sys.argv[1])
CMOCKA = "[==========] Running 2 test(s).\n[ RUN      ] a__b\n[  SKIPPED ] a__b\n[ RUN      ] c__d\n[       OK ] c__d\n"
SUMMARY = "[  SKIPPED ] 1 test(s), listed below:\n[  SKIPPED ] a__b\n\n 1 SKIPPED TEST(S)\n"


def counted(*tests):
    """Returns output, standard error and exit status of count-tests on a log of these tests."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
        log.write("".join(json.dumps(t) + "\n" for t in tests))
        log.flush()
        done = subprocess.run([TREE / "scripts/count-tests", log.name], capture_output=True, text=True, check=False)
        return done.stdout.strip(), done.stderr, done.returncode


def test(name, result, stdout="", stderr=""):
    return {"name": name, "result": result, "stdout": stdout, "stderr": stderr}


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, wanted {wanted!r}")


def counting():
    out, _, code = counted(test("one", "OK"), test("two", "FAIL"), test("three", "SKIP"), test("four", "TIMEOUT"))
    expect("one of each", (out, code), ("1 2 1 two, four", 0))
    out, err, code = counted(test("one", "OK", CMOCKA, SUMMARY), test("two", "OK"))
    expect("a case that cmocka skipped", (out, code), ("2 0 1", 0))
    expect("its name", err, "skipped: one: a__b\n")
    expect("a program that skips all", counted(test("one", "SKIP", CMOCKA))[0], "0 0 1")
    expect("an empty log", counted()[::2], ("", 1))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([TREE / "scripts/count-tests", f"{folder}/none"], capture_output=True, text=True, check=False)
    expect("no log", done.returncode, 1)


def guard():
    """Checks bench/guard without valgrind in PATH."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(sys.executable, f"{folder}/python3")
        done = subprocess.run([sys.executable, TREE / "bench/guard"], env={"PATH": folder}, capture_output=True, text=True,
                              check=False)
    expect("bench/guard without valgrind", (done.returncode, "skipped" in done.stdout), (77, True))


def session_nice():
    """The priority of this session, where Linux has such."""
    place = Path("/proc/self/autogroup")
    return place.read_text(encoding="utf-8") if place.exists() else ""


def session_may_change(nice):
    """True if this session can be given a priority: it gets the one that it has."""
    try:
        Path("/proc/self/autogroup").write_text(nice.split()[-1], encoding="utf-8")
    except (OSError, IndexError):
        return False
    return True


def names_of_failed():
    """The end of ./check names the tests that failed: a log of thousands of lines is often cut before it is read."""
    with tempfile.TemporaryDirectory() as folder:
        Path(f"{folder}/log.json").write_text(json.dumps(test("heddle / one", "FAIL")) + "\n", encoding="utf-8")
        script = f"set -euo pipefail; cd '{TREE}'; source scripts/check-steps; count_tests some {folder}/log 1; check_end"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    expect("names of failed tests", f"failed: 1 of the tests, some (see {folder}/log.txt): heddle / one\n" in done.stdout, True)


def check_script():
    """Checks the functions of ./check with made-up steps; under CI=true a skipped step is a failure."""
    functions = f"set -euo pipefail; cd '{TREE}'; level=all; source scripts/check-steps; source scripts/check-all"

    def run(steps, ci):
        script = functions + "\n" + steps + "\ncheck_end"
        done = subprocess.run(["bash", "-c", script], env={**os.environ, "CI": ci}, capture_output=True, text=True, check=False)
        return done.stdout.strip().split("\n")[-1], done.returncode

    good = "step one true || true"
    skipping = good + "; step two bash -c 'exit 77' || true"
    failing = good + "; step two false || true"
    expect("all well", run(good, "true"), ("1 passed, 0 failed, 0 skipped", 0))
    expect("a skip by hand", run(skipping, ""), ("1 passed, 0 failed, 1 skipped", 0))
    expect("a skip in CI", run(skipping, "true"), ("1 passed, 0 failed, 1 skipped", 1))
    expect("a failure", run(failing, ""), ("1 passed, 1 failed, 0 skipped", 1))
    expect("tests without a log", run("meson() { return 0; }; tests none /nonexistent testlog || true", ""),
           ("0 passed, 1 failed, 0 skipped", 1))
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/meson-logs")
        # with a wrapper, meson adds its name to that of the log
        meson = f"meson() {{ echo '{json.dumps(test('one', 'OK'))}' >{folder}/meson-logs/testlog-beside.json; }}; "
        expect("tests with a wrapper", run(meson + f"tests some {folder} testlog --wrapper /x/beside", "true"),
               ("1 passed, 0 failed, 0 skipped", 0))
        expect("tests without the wrapper", run(meson + f"tests some {folder} testlog || true", ""), ("0 passed, 1 failed, 0 skipped", 1))
    check_lane(run, good)


def check_lane(run, good):
    """The lane of tests that wait, beside a step: release, then sanitizers if those were built."""
    with tempfile.TemporaryDirectory() as folder:
        for build in "release", "sanitizers":
            os.makedirs(f"{folder}/{build}/meson-logs")
        before = session_nice()
        folders = f"lane_release={folder}/release lane_sanitizers={folder}/sanitizers; "
        # meson test --no-rebuild ... -C FOLDER --logbase waits ...: one good test in each folder
        meson = (f"meson() {{ cat /proc/self/autogroup >{folder}/during; sleep 0.2; while [[ $1 != -C ]]; do shift; done; "
                 f"echo '{json.dumps(test('one', 'OK'))}' >$2/meson-logs/waits.json; return $code; }}; ")
        lane = folders + meson + f"lane_begin; {good}; lane_next %s; lane_end"
        expect("tests beside a step", run("code=0; " + lane % "built", "true"), ("3 passed, 0 failed, 0 skipped", 0))
        expect("without sanitizers", run("code=0; " + lane % "failed", "true"), ("2 passed, 0 failed, 0 skipped", 0))
        expect("their exit status", run("code=1; " + lane % "built", "true"), ("3 passed, 2 failed, 0 skipped", 1))
        if session_may_change(before):
            expect("the session's priority beside tests", Path(f"{folder}/during").read_text(encoding="utf-8").split()[-1], "19")
        expect("its priority after them", session_nice(), before)
        dying = folders + f"meson() {{ sleep 9; }}; lane_begin; sleep 0.2; kill -9 $lane; {good}; lane_next built; lane_end"
        expect("a lane that dies", run(dying, ""), ("1 passed, 2 failed, 0 skipped", 1))
        late = Path(folder) / "late"
        run(folders + f"meson() {{ for i in {{1..20}}; do sleep 0.1; done; touch {late}; }}; lane_begin; sleep 0.2; kill $$; sleep 30", "")
        time.sleep(2.5)
        expect("a check that is ended: its tests end, its session's priority", (late.exists(), session_nice()), (False, before))


counting()
guard()
names_of_failed()
check_script()
