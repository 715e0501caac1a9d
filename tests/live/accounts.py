# SPDX-License-Identifier: Apache-2.0
"""The accounts of a lab's switches: what went in came out, is in a counter, or is held. Every sum is exact.

 of a switch    received + made = left + unbuilt + consumed + dropped + refused + held inside
 of the wires   what ports received, and no switch did, is lost at a cut link or was not taken; what switches sent left at a port
 of a port      the kernel counts for the interface what the port counts as received and lost, and as sent
 of the views   `lab status --json`, the live page, the control socket and Prometheus have the same counts
"""
import json
import re
import subprocess

from labs import NAME, heddle
from test_failures import ask

VOLATILE = ("load", "rx_load", "mean_queue_bytes", "uptime_s", "late_max_us")
# Each family of the metrics: its place in a switch ("frames", ...), or in each of its ports.
OF_SWITCH = {"received": "received", "sent": "left", "consumed": "consumed", "made": "made"}
OF_PORT = {"heddle_port_sent_bytes_total": "sent_bytes", "heddle_port_queue_bytes": "queue_bytes", "heddle_port_up": "up",
           "heddle_port_dropped_frames_total": "drops", "heddle_port_marked_frames_total": "marks",
           "heddle_port_pauses_sent_total": "pauses_sent", "heddle_port_stormed_classes": "stormed",
           "heddle_port_pause_storms_total": "storms_found", "heddle_port_pause_storms_over_total": "storms_ended",
           "heddle_port_storm_dropped_frames_total": "storm_drops", "heddle_port_lost_receive_frames_total": "rx_lost",
           "heddle_port_lost_send_frames_total": "tx_lost", "heddle_port_load_ratio": None}
KEYED = {"heddle_dropped_frames_total": "dropped", "heddle_refused_frames_total": "refused", "heddle_stripped_tags_total": "stripped"}


def held_by(switch):
    """Returns the frames that the switch has, by its counters."""
    f = switch["frames"]
    return (f["received"] + f["made"] - f["left"] - f["unbuilt"] - f["consumed"] - sum(f["dropped"].values())
            - sum(f["refused"].values()))


def on_the_way(switches):
    """Returns the frames that went in at a port or left a switch, and have not come to a switch or a port yet."""
    total = 0
    for s in switches:
        f = s["frames"]
        total += f["left"] - f["received"] - f["not_arrived"] - f["not_taken"]
        total += sum(p.get("rx_frames", 0) - p.get("tx_frames", 0) - p.get("tx_lost", 0) for p in s["ports"])
    return total


def steady(value):
    """Returns the counts without the figures that time alone changes."""
    if isinstance(value, dict):
        return {k: steady(v) for k, v in value.items() if k not in VOLATILE}
    return [steady(v) for v in value] if isinstance(value, list) else value


def metrics_of(status):
    """Returns {family: {labels: value}} as Prometheus text should have it, from a status."""
    wanted = {}
    for s in status["switches"]:
        of = f'switch="{s["name"]}"'
        for word, key in OF_SWITCH.items():
            wanted.setdefault(f"heddle_{word}_frames_total", {})[of] = s["frames"][key]
        for p in s["ports"]:
            for family, key in OF_PORT.items():
                if key in p:
                    wanted.setdefault(family, {})[f'{of},port="{p["name"]}"'] = int(p[key])
        for family, (label, counts) in {**{k: (k.split("_")[1], s["frames"][v]) for k, v in KEYED.items()},
                                        "heddle_balancer_events_total": ("counter", s["counters"])}.items():
            label = {"dropped": "cause", "refused": "reason", "stripped": "tag"}.get(label, label)
            for key, count in counts.items():
                wanted.setdefault(family, {})[f'{of},{label}="{key}"'] = count
    return wanted


def metrics_read(text):
    """Returns {family: {labels: value}} of Prometheus text, without those of loads."""
    found = {}
    for family, labels, value in re.findall(r"^(\w+)\{(.*)\} (\S+)$", text, re.M):
        if OF_PORT.get(family, family):
            found.setdefault(family, {})[labels] = int(value)
    return found


class Kernel:
    """What the kernel counts for the switches' interfaces h0, h1, ..., over interfaces that are deleted and made again."""

    def __init__(self, hosts):
        self.hosts, self.zero, self.before = hosts, {}, {}
        self.of_switches = self.ports()
        self.zero = {name: self.now(name) for name in hosts}

    def now(self, name):
        """Returns (received, sent, not sent) of an interface."""
        said = subprocess.run(["ip", "-n", f"heddle-{NAME}.switches", "-s", "-j", "link", "show", f"h{self.hosts.index(name)}"],
                              capture_output=True, text=True, check=True).stdout
        x = json.loads(said)[0]["stats64"]
        return x["rx"]["packets"], x["tx"]["packets"], x["tx"]["dropped"]

    def ports(self):
        """Returns (received and lost, sent) of each port to a host, as the switches count them."""
        status = json.loads(ask("status"))
        return {p["name"]: (p["rx_frames"] + p["rx_lost"], p["tx_frames"]) for s in status["switches"] for p in s["ports"]
                if p["name"] in self.hosts}

    def is_gone(self, name):
        """The interface is about to be deleted: keeps its counts."""
        before = self.before.get(name, (0, 0, 0))
        self.before[name] = tuple(b + n - z for b, n, z in zip(before, self.now(name), self.zero[name]))
        self.zero[name] = (0, 0, 0)

    def difference(self, name):
        """Returns why the counts of a port differ from the kernel's; None if they do not."""
        rx, tx, unsent = (n - z + b for n, z, b in zip(self.now(name), self.zero[name], self.before.get(name, (0, 0, 0))))
        port = [a - b for a, b in zip(self.ports()[name], self.of_switches[name])]
        if port[0] == rx and tx <= port[1] <= tx + unsent:
            return None
        return f"{name}: the port received or lost {port[0]} frames, the kernel {rx}; sent {port[1]}, the kernel {tx} and lost {unsent}"


def views(page):
    """Returns the status by the control socket, the lab, the live page and Prometheus, and by the socket once more. None: on a
    busy machine the switches did not answer in time."""
    first, lab, live = json.loads(ask("status")), heddle("lab", "status", "--name", NAME, "--json"), page()
    if lab.returncode or not live["answers"]:
        return None
    return first, json.loads(lab.stdout), live, ask("metrics"), json.loads(ask("status"))
