#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""share/wireshark/heddle.lua: tshark names each field of heddle's tags and credits, and refuses what the parser refuses.

usage: test_dissector.py HEDDLE LUA [CASE ...]    (exit status 77 where tshark is missing)
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

HEDDLE, LUA = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])


def why_not():
    if not shutil.which("tshark"):
        return "tshark is not installed"
    if "with Lua" not in subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=True).stdout:
        return "tshark was built without Lua"
    return None


if why_not():
    print(f"skipped: {why_not()}")
    sys.exit(77)

MACS = "020000000200 020000000100"
# A UDP datagram of six bytes from its EtherType on, and the header of a credit from B to A: the golden frames of
# test_frame_build_tags.c and test_frame_build_credit.c.
UDP = "0800 45000022 0000 4000 4011 25c9 0a000001 0a000102 9c40 1389 000e 3aff 00000007 0000"
GRANT = "0800 45020028 0000 4000 40fd 24d5 0a000102 0a000001 1389 9c40"


def pcap(path, frames):
    """A capture of frames: hex, or (hex, bytes of it that were captured)."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for frame in frames:
            text, kept = frame if isinstance(frame, tuple) else (frame, None)
            whole = bytes.fromhex(text).ljust(60, b"\0")
            kept = whole[:kept]
            file.write(struct.pack("<IIII", 0, 0, len(kept), len(whole)) + kept)


def tshark(path, *fields, only=None):
    """The values of fields, a line a frame; those of one field that occurs more than once are joined by commas."""
    words = ["tshark", "-n", "-X", f"lua_script:{LUA}", "-r", path, "-T", "fields", "-E", "separator=/s"]
    words += [word for field in fields for word in ("-e", field)] + (["-Y", only] if only else [])
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "Lua" in done.stderr:
        raise AssertionError(done.stderr)
    return [line.rstrip() for line in done.stdout.splitlines()]


class Dissector(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="heddle-dissector-")
        self.addCleanup(made.cleanup)
        self.dir = made.name
        self.path = os.path.join(self.dir, "frames.pcap")

    def of(self, frame, *fields):
        """The values of fields of one frame."""
        pcap(self.path, [frame])
        return tshark(self.path, *fields)[0]

    def refused(self, frame, reason):
        self.assertEqual(self.of(frame, "_ws.expert.message"), reason)

    # ---- each field ----

    def test_expeditus_request(self):
        frame = f"{MACS} 9900 04 0123 {UDP}"
        self.assertEqual(self.of(frame, "expeditus.stage", "expeditus.noe", "expeditus.load", "expeditus.type"),
                         "0 4 0,1,2,3 0x0800")
        self.assertEqual(self.of(frame, "ip.dst", "udp.dstport", "udp.length"), "10.0.1.2 5001 14")
        self.refused(frame, "")

    def test_expeditus_response_with_an_odd_number_of_loads(self):
        self.assertEqual(self.of(f"{MACS} 9900 81 50 {UDP}", "expeditus.stage", "expeditus.noe", "expeditus.load"), "1 1 5")

    def test_expeditus_response_on_a_syn_ack(self):
        """The golden frame of test_frame_build_tcp.c: TCP follows the tag, with its flags and options."""
        syn_ack = ("0800 45000034 0000 4000 4006 25c2 0a000102 0a000001 1389 9c40 11223344 01020305 8012 ffff 5bd0 0000"
                   "020405b4 0402 030308 000000")
        frame = f"{MACS} 9900 82 40 {syn_ack}"
        self.assertEqual(self.of(frame, "expeditus.stage", "expeditus.noe", "expeditus.load"), "1 2 4,0")
        self.assertEqual(self.of(frame, "tcp.flags", "tcp.options.mss_val"), "0x0012 1460")

    def test_expeditus_with_127_loads(self):
        loads = "01234567" * 15 + "01234560"
        got = self.of(f"{MACS} 9900 ff {loads} {UDP}", "expeditus.noe", "udp.dstport", "expeditus.load").split(" ")
        self.assertEqual(got, ["127", "5001", ",".join(str(i % 8) for i in range(127))])

    def test_expeditus_before_conga(self):
        frame = f"{MACS} 9900 81 70 9901 a6b6 {UDP}"
        self.assertEqual(self.of(frame, "expeditus.load", "conga.lbtag", "conga.ce", "conga.fb_lbtag", "conga.fb_metric",
                                 "conga.fb_valid", "udp.srcport"), "7 10 3 5 5 1 40000")
        self.refused(frame, "")

    def test_core_loads(self):
        self.assertEqual(self.of(f"{MACS} 9902 5200 {UDP}", "core_loads.egress", "core_loads.ingress", "udp.srcport"),
                         "5 2 40000")

    def test_credit_that_names_its_path(self):
        frame = f"{MACS} {GRANT} 00000007 fffffffe 02 00 0205 3617 0000"
        self.assertEqual(self.of(frame, "credit.srcport", "credit.dstport", "credit.dsn", "credit.csn", "credit.kind",
                                 "credit.void", "credit.size", "credit.path.first", "credit.path.second",
                                 "credit.checksum.status"), "5001 40000 7 4294967294 2 0 0 5 2 1")
        self.refused(frame, "")

    def test_request_that_tells_the_size(self):
        frame = (f"{MACS} 0800 45600028 0000 4000 40fd 2477 0a000001 0a000102"
                 "9c40 1389 00000000 00012345 01 00 ffff 15dc 0000 000000000000")
        self.assertEqual(self.of(frame, "credit.kind", "credit.csn", "credit.checksum.status"), "1 74565 1")
        self.refused(frame, "")

    def test_void_credit(self):
        frame = f"{MACS} {GRANT} 00000000 00000000 82 00 ffff b821 0000"
        self.assertEqual(self.of(frame, "credit.kind", "credit.void", "credit.path", "credit.checksum.status"), "2 1 0xffff 1")
        self.refused(frame, "")

    def test_data_of_a_credit(self):
        frame = (f"{MACS} 0800 45020031 0000 4000 40fd 24cc 0a000001 0a000102"
                 "9c40 1389 01020304 11223344 73 00 0205 7ca7 0000 000000000000000000")
        self.assertEqual(self.of(frame, "credit.kind", "credit.last", "credit.marked", "credit.unscheduled",
                                 "credit.checksum.status", "credit.payload"), "3 1 1 1 1 000000000000000000")
        self.refused(frame, "")

    def test_longer_credit_behind_a_tag(self):
        header = "0800 45000028 0000 4000 40fd 24d7 0a000102 0a000001 1389 9c40 00000000 00000000 02 58 ffff 37ca 0000"
        self.refused(f"{MACS} 9900 04 0123 {header} 00000000000000000000", "")
        self.refused(f"{MACS} 9900 04 0123 {header} 000000000000000000",
                     "credit header: size not allowed, or not that of the frame")

    def test_fields_are_filters(self):
        pcap(self.path, [f"{MACS} 9900 0{n} {'11' * ((n + 1) // 2)} {UDP}" for n in (2, 4, 2)] + [f"{MACS} {UDP}"])
        self.assertEqual(tshark(self.path, "frame.number", only="expeditus.noe == 2"), ["1", "3"])
        self.assertEqual(tshark(self.path, "frame.number", only="!expeditus"), ["4"])

    def test_what_follows_may_be_any_protocol(self):
        arp = "0806 0001 0800 06 04 0001 020000000100 0a000001 000000000000 0a000102"
        self.assertEqual(self.of(f"{MACS} 9900 00 {arp}", "arp.opcode", "expeditus.type"), "1 0x0806")

    # ---- what the parser refuses ----

    def test_malformed_tags(self):
        for tags, reason in [
                ("9900 7f", "Expeditus tag: NoE beyond the frame"),
                ("9900 04 0823", "Expeditus tag: reserved bit set"),
                ("9900 01 51", "Expeditus tag: padding not zero"),
                ("9900 00 9900 00", "tag repeated or out of order"),
                ("9901 a6b6 9900 00", "tag repeated or out of order"),
                ("9901 a6b6 9902 5200", "tag repeated or out of order"),
                ("9901 a6b7", "CONGA tag: reserved bit set"),
                ("9902 5201", "core-load tag: reserved bit set"),
                ("9902 d200", "core-load tag: reserved bit set")]:
            with self.subTest(tags):
                self.refused(f"{MACS} {tags} {UDP}", reason)

    def test_pause_behind_a_tag(self):
        frame = "0180c2000001 020000000100 9900 00 8808 0001 ffff"
        self.assertIn("pause frame: behind a tag", self.of(frame, "_ws.expert.message"))

    def test_malformed_credits(self):
        for header, reason in [
                ("02 54 ffff", "credit header: size not allowed, or not that of the frame"),
                ("02 3f ffff", "credit header: size not allowed, or not that of the frame"),
                ("01 4c ffff", "credit header: size not allowed, or not that of the frame"),
                ("07 00 ffff", "credit header: unknown kind, wrong flag or stamp"),
                ("12 00 ffff", "credit header: unknown kind, wrong flag or stamp"),
                ("0a 00 ffff", "credit header: unknown kind, wrong flag or stamp")]:
            with self.subTest(header):
                self.assertEqual(self.of(f"{MACS} {GRANT} 00000000 00000000 {header} 0000 0000", "_ws.expert.message"),
                                 f"Bad checksum,{reason}")

    def test_credit_with_payload(self):
        header = GRANT.replace("45020028", "45020029").replace("24d5", "24d4")
        self.assertIn("credit header: payload in a frame that is no data",
                      self.of(f"{MACS} {header} 00000000 00000000 02 00 ffff 0000 0000 00", "_ws.expert.message"))

    def test_capture_that_cuts_a_tag(self):
        whole = f"{MACS} 9900 7f {'01234567' * 15} 01234560 {UDP}"
        self.refused((whole, 40), "capture cuts the headers")

    def test_capture_that_cuts_the_payload(self):
        """The lengths of the headers are the frame's, not those of what the capture kept."""
        tcp = "0800 450005dc 0000 4000 4006 2118 0a000001 0a000102 9c40 1389 00000001 00000001 5010 2000 0000 0000"
        frame = (f"{MACS} 9900 04 0123 {tcp} {'00' * 1460}", 128)
        self.assertEqual(self.of(frame, "ip.len", "tcp.len", "expeditus.noe"), "1500 1460 4")
        self.refused(frame, "capture cuts the payload: zeros are shown for it")

    # ---- heddle's own captures ----

    def run_of(self, switch):
        """The capture of agg0.0 in a run with these keys of switches."""
        experiment = os.path.join(self.dir, "run.yaml")
        with open(experiment, "w", encoding="utf-8") as file:
            file.write("fabric: {kind: clos, pods: 2, tors: 2, aggs: 2, cores: 2, hosts: 2, rate: 10Gbps, delay: 1us}\n"
                       f"switch: {switch}\n"
                       "workload: [{kind: poisson, sizes: 30KB, load: 0.3, load_at: tor-uplink, pairs: inter-pod, flows: 20}]\n"
                       "measure: {pcap: [agg0.0]}\n")
        subprocess.run([HEDDLE, "run", experiment, "--out", os.path.join(self.dir, "run.db")], check=True, capture_output=True)
        return os.path.join(self.dir, "run.captures/run1/agg0.0.pcapng")

    def test_capture_of_a_run(self):
        """In a run of Expeditus the tags are there, their loads are as many as they say, and TCP follows."""
        capture = self.run_of("{balance: expeditus}")
        tags = [line.split(" ") for line in tshark(capture, "expeditus.stage", "expeditus.noe", "tcp.dstport", "expeditus.load",
                                                   only="expeditus")]
        self.assertGreater(len(tags), 20)
        self.assertEqual({tag[0] for tag in tags}, {"0", "1"})
        for tag in tags:
            self.assertEqual(len(tag[3].split(",")) if len(tag) > 3 else 0, int(tag[1]), tag)
            self.assertRegex(tag[2], r"^\d+$")
        self.assertEqual(tshark(capture, "frame.number", only='_ws.expert.group == "Malformed"'), [])

    def test_capture_of_a_run_with_responses_on_syn_acks(self):
        """Requests are SYNs and responses are SYN-ACKs; nothing else has a tag."""
        capture = self.run_of("{balance: expeditus, expeditus: {carry: handshake}}")
        tags = set(tshark(capture, "expeditus.stage", "tcp.flags", only="expeditus"))
        self.assertEqual(tags, {"0 0x0002", "1 0x0012"})
        self.assertEqual(tshark(capture, "frame.number", only='_ws.expert.group == "Malformed"'), [])


if __name__ == "__main__":
    sys.exit(0 if unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False).result.wasSuccessful() else 1)
