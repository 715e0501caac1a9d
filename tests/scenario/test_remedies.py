#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_remedies.py HEDDLE: carries out every remedy that an error or a warning names with a value.

Each case is an experiment that `heddle check` refuses or warns of. The remedies stand behind the last semicolon of the
line, as `write KEY: VALUE and KEY: VALUE, or ...`, or as `write at least VALUE` of the key that begins the message. Each
of them, written with --set, must give a file that `check` takes, without the same complaint and without a warning that
flow control may lose frames.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FLOWS = "workload: {kind: permutation, sizes: 100KB}\n"
STAR = "fabric: {kind: star, hosts: 4, rate: 10Gbps}\n"
MIXED = ("fabric: {kind: leaf-spine, leaves: 5, spines: 4, hosts: 16, host_rate: 25Gbps, uplink_rate: 100Gbps, "
         "delay: 1us}\n")
SMALL = "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 1Gbps, delay: 1600ns}\n"
ALL_CLASSES = "workload:\n" + "".join(f"  - {{kind: permutation, sizes: 10KB, priority: {k}}}\n" for k in range(8))
TWO_CLASSES = "workload:\n" + "".join(f"  - {{kind: permutation, sizes: 10KB, priority: {k}}}\n" for k in (0, 7))

# name -> (experiment, number of remedies with a value, and what stands before a key that the message shortens)
CASES = {
    # thresholds of flow control: the fabric, and what else can be wrong with them
    "eight classes over mixed rates": ("scheme: detail\nswitch: {pause_classes: 8}\n" + MIXED + FLOWS, 3),
    "a larger ingress queue": ("scheme: detail\nswitch: {pause_classes: 8, islip: {ingress: 270KB}}\n" + MIXED + FLOWS, 2),
    "fewer pause classes": ("scheme: detail\nswitch: {pause_classes: 3}\n" + MIXED + FLOWS, 3),
    "two classes of ports": ("scheme: detail\nswitch: {pause_classes: 8, classes: 2}\n" + MIXED + FLOWS, 3),
    "every class in use": ("scheme: detail\n" + MIXED + ALL_CLASSES, 2),
    "pauses of whole links": ("scheme: detail-fc-printed\n" + MIXED + FLOWS, 3),
    "without a scheme": ("switch: {crossbar: islip, flowctl: pfc, classes: 4, schedule: strict}\n" + MIXED + ALL_CLASSES, 2),
    "large frames": ("scheme: detail-printed\nhost: {mss: 8960B}\n" + SMALL + FLOWS, 2),
    "pause above the queue": ("scheme: detail\nswitch: {pause_above: 200KB}\n" + SMALL + FLOWS, 2),
    "pause above, mixed rates": ("scheme: detail\nswitch: {pause_above: 130KB}\n" + MIXED + FLOWS, 2),
    "pause above, two classes": ("scheme: detail\nswitch: {headroom: exact, pause_above: 120KB}\n" + SMALL + TWO_CLASSES, 2),
    "release above the pause": ("scheme: detail-printed\nswitch: {release_below: 100KB}\n" + SMALL + FLOWS, 3),
    "the paper's headroom, all classes": ("scheme: detail-printed\n" + SMALL + ALL_CLASSES, 1),
    "too few pause classes": ("scheme: detail\nswitch: {headroom: exact, pause_classes: 1}\n" + SMALL + TWO_CLASSES, 1),
    "too few pause classes, small queues": ("scheme: detail\nswitch: {headroom: paper, pause_classes: 3, islip: {ingress: 50KB}}\n"
                                            + SMALL + ALL_CLASSES, 1),
    "too few pause classes, by rate": ("scheme: detail-fast\nswitch: {classes: 8}\n" + MIXED + ALL_CLASSES, 1),
    "a link longer than its pauses": ("scheme: detail-fast\nfabric: {kind: star, hosts: 4, rate: 100Gbps, delay: 1ms}\n" + FLOWS, 1),
    "long links and small queues": ("scheme: detail\nswitch: {pause_classes: 2}\n"
                                    "fabric: {kind: star, hosts: 4, rate: 100Gbps, delay: 10ms}\n" + FLOWS, 1),
    "classes that nobody uses": ("scheme: detail\nswitch: {headroom: exact, pause_classes: 4}\n" + SMALL + TWO_CLASSES, 1),
    "flow control without queues": (STAR + "switch: {flowctl: pfc}\n" + FLOWS, 1),
    "lossless, reordered": ("scheme: detail\nswitch: {headroom: exact, pause_classes: 1}\n"
                            "host: {newreno: {fast_retransmit: true}}\n" + SMALL + FLOWS, 1),
    "reordered": (SMALL + "switch: {balance: spray}\n" + FLOWS, 1),
    # buffers and thresholds of marks
    "marks above the buffer": (MIXED + "host: {transport: dctcp}\nswitch: {buffer: 50KB}\n" + FLOWS, 2),
    "marks above the buffer, one threshold": (MIXED + "host: {transport: dctcp}\n"
                                              "switch: {buffer: 50KB, ecn_threshold: 100KB}\n" + FLOWS, 2),
    "no full frame": (STAR + "switch: {buffer: 1KB}\nworkload: {kind: permutation, sizes: 1KB}\n", 1),
    "no full frame in the NIC": (STAR + "host: {nic: fifo, nic_queue: 1518B, mss: 8960B}\n" + FLOWS, 1),
    "no room beside reserves": ("scheme: detail\nswitch: {headroom: exact, buffer: 40KB}\n" + SMALL + FLOWS, 2),
    "one class": (STAR + "switch: {classes: 4}\n" + FLOWS, 2),
    "jitter under flow control": ("scheme: detail\nhost: {nic: pull, jitter: 1us}\n" + SMALL + FLOWS, 1),
    "a fifo and a delay of the stack": ("scheme: detail\nhost: {processing_delay: 1us}\n" + SMALL + FLOWS, 1),
    "credits over other paths": ("scheme: expresspass\nswitch: {ecmp: {hash: asymmetric}}\n" + SMALL + FLOWS, 2),
    # far hosts and fast links
    "first timeout": ("fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 10ms}\nhost: {newreno: {initial_rto: 10ms}}\n" + FLOWS, 1),
    "timeout of handshakes": ("fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 10ms}\nhost: {newreno: {syn_rto: 10ms}}\n" + FLOWS, 1),
    "largest timeout": ("fabric: {kind: star, hosts: 2, rate: 10Gbps, delay: 20s}\n" + FLOWS, 1),
    "least timeout": ("fabric: {kind: star, hosts: 2, rate: 1Mbps, delay: 1us}\n" + FLOWS, 1),
    "window": ("fabric: {kind: star, hosts: 2, rate: 100Gbps, delay: 100us}\nswitch: {buffer: 10MB}\n"
               "workload: {kind: permutation, sizes: 100MB}\n", 1),
    "buffer": ("fabric: {kind: star, hosts: 2, rate: 100Gbps, delay: 100us}\nhost: {receive_window: 8MB}\n"
               "workload: {kind: permutation, sizes: 100MB}\n", 1),
    "window of credits": ("scheme: expresspass\nfabric: {kind: star, hosts: 2, rate: 100Gbps, delay: 1ms}\n"
                          "workload: {kind: permutation, sizes: 100MB}\n", 1),
    "rate": ("fabric: {kind: star, hosts: 2, rate: 100Tbps}\n" + FLOWS, 2),
    "rate of a tier": ("fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, uplink_rate: 20Tbps}\n" + FLOWS, 2),
    # keys that contradict each other
    "timeouts that contradict": (STAR + "host: {min_rto: 1s, max_rto: 1ms}\n" + FLOWS, 1),
    "reserves beyond the buffer": (STAR + "switch: {classes: 4, schedule: strict, class_reserve: 1MB}\n" + FLOWS, 1),
    # fabrics and workloads
    "a raised rate": ("fabric: {kind: star, hosts: 2, failed: [{link: host0.0-leaf0, at: 1us, rate: 11Gbps}]}\n" + FLOWS, 1,
                      "fabric.failed.0."),
    "too many failures": ("fabric: {kind: leaf-spine, leaves: 2, spines: 4, hosts: 2, fail_random: {tier: leaf-spine, links: 9, "
                          "max_per_switch: 1}}\n" + FLOWS, 1, "fabric.fail_random.0."),
    "senders": (STAR + "workload: {kind: incast, senders: 9, sizes: 10KB}\n", 1, "workload.0."),
    "total": (STAR + "workload: {kind: incast, senders: 3, total: 2B}\n", 1, "workload.0."),
    "flows": (STAR + "workload: {kind: long, src: 0, dst: 1, flows: 9, stop: 1ms}\nrun: {until: 1ms}\n", 1, "workload.0."),
}

KEY = r"[a-z_0-9-]+(?:\.[a-z_0-9-]+)*"


def check(heddle, path, settings=()):
    command = [heddle, "check", str(path)]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if "has no effect" not in line]
    return done.returncode, lines


def remedies(line, prefix):
    """Returns the remedies of a message with values, each as a list of KEY=VALUE."""
    message = re.sub(r"^.*?: (?:error|warning): ", "", line)
    key, last = message.split(":")[0], message.split("; ")[-1]
    last = re.sub(r"^write ", "", last)
    found = []
    for choice in re.split(r",? or ", last):
        parts = [re.fullmatch(rf"(?:({KEY}): )?(?:at (?:least|most) )?([0-9][0-9.]*[A-Za-z%]*|auto|exact|by-rate|true|false|"
                              rf"islip|pull|fifo|strict|drr|symmetric|detail-fast|{KEY})(?:, .*)?", part) for part in choice.split(" and ")]
        if all(parts) and not (parts[0][1] is None and " " in choice and not re.match("at (least|most) ", choice)):
            found.append([f"{part[1] or prefix + key}={part[2]}" for part in parts])
    return key, found


def try_case(heddle, folder, name, text, count, prefix=""):
    path = folder / "x.yaml"
    path.write_text(text, encoding="utf-8")
    code, lines = check(heddle, path)
    if not lines:
        return [f"{name}: nothing is wrong"] if count else []
    key, found = remedies(lines[0], prefix)
    errors = []
    if len(found) != count:
        errors.append(f"{name}: {len(found)} remedies, expected {count}: {found}\n    {lines[0]}")
    for remedy in found:
        after, left = check(heddle, path, remedy)
        left = [line for line in left if f": {key}: " in line and "room is kept" not in line or "despite flow control" in line
                or " error: " in line]
        if after != 0 or left:
            errors.append(f"{name}: {' '.join(remedy)} gives {after}: {left}\n    {lines[0]}")
    return errors


def main():
    with tempfile.TemporaryDirectory() as folder:
        errors = [e for name, case in CASES.items() for e in try_case(sys.argv[1], Path(folder), name, *case)]
    print("\n".join(errors))
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
