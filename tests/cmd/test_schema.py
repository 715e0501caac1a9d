#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heddle docs schema`: the JSON Schema accepts every experiment that the program accepts, and refuses wrong names and forms.

usage: test_schema.py HEDDLE TREE [N]    (exit status 77 where python3-jsonschema is missing; N: each Nth form of a value only)
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import yaml

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

HEDDLE = os.path.realpath(sys.argv[1])
TREE = pathlib.Path(sys.argv[2])
EVERY = int(sys.argv[3]) if len(sys.argv) > 3 else 1
SCHEMA = json.loads(subprocess.run([HEDDLE, "docs", "schema"], capture_output=True, check=True).stdout)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

GOOD = yaml.safe_load("""
title: a schema
fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2, rate: 10Gbps, failed: [{link: leaf0-spine1, at: 1ms}]}
host: {transport: newreno, initial_window: 10, jitter: 10ns}
switch: {balance: expeditus, buffer: 225KB, expeditus: {multipliers: true}}
workload: [{kind: poisson, sizes: web-search, load: 0.4, load_at: tor-uplink, pairs: any, flows: 10}]
run: {seed: 1, until: 1s}
measure: {starts: [20%, 80%], jain: 1ms}
sweep: {switch.balance: [ecmp, expeditus], workload.0.flows: [10, 20]}
""")


def takes(document):
    return VALIDATOR.is_valid(document)


def program_takes(document, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(document, file)
        file.flush()
        done = subprocess.run([HEDDLE, "check", file.name, *options], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr.strip()


def changed(path, value):
    """Returns GOOD with another value at a path such as ("workload", 0, "load")."""
    document = copy.deepcopy(GOOD)
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return document


def blocks(node, path=()):
    """Yields the paths of all blocks of a document."""
    if isinstance(node, dict):
        yield path
        for key, value in node.items():
            yield from blocks(value, (*path, key))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from blocks(value, (*path, i))


class Schema(unittest.TestCase):
    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_every_experiment_of_the_tree_is_taken(self):
        files = sorted([*TREE.glob("experiments/**/*.yaml"), *TREE.glob("bench/*.yaml")])
        self.assertGreater(len(files), 90)
        for file in files:
            errors = [e.message[:300] for e in VALIDATOR.iter_errors(yaml.safe_load(file.read_text()))]
            self.assertEqual(errors, [], str(file))

    def test_a_base_is_a_file_or_a_block(self):
        for base in ("first.yaml", {"file": "first.yaml"}, {"file": "first.yaml", "expect": True, "figure": False}):
            self.assertTrue(takes({"base": base, "host": {"jitter": None}, "sweep": {"run.seed": None}}), base)
        for base in (["first.yaml"], {"fil": "first.yaml"}, {"file": "first.yaml", "expect": "some"}, 3):
            self.assertFalse(takes({"base": base}), base)

    def test_a_key_with_dots_is_a_path(self):
        for path, value in (("workload.0.flows", 100), ("workload.flows", 100), ("run.until", "5ms"), ("run.seed", [1, 2]), ("host.jitter", None)):
            self.assertTrue(takes({"base": "first.yaml", path: value}), path)
            self.assertTrue(takes({"profiles": {"small": {path: value}}}), path)
        self.assertTrue(takes(changed(("sweep", "workload.0.flows"), ["10..20", 30])))
        self.assertFalse(takes(changed(("sweep", "workload.0.flows"), ["10..", 30])))
        for path, value in (("workload.0.flosw", 100), ("workload.0.flows", "5ms"), ("run.until.x", 1)):
            self.assertFalse(takes({"profiles": {"small": {path: value}}}), path)

    def test_a_profile_replaces_an_item_of_a_list(self):
        entry = {**GOOD["workload"][0], "sizes": "data-mining"}
        claim = {"claim": "C", "metric": "fct_us.all.mean", "value": [0, 1], "each": ["switch.balance", "workload.0.flows"]}
        for path, value in (("workload.0", entry), ("fabric.failed.0", {"link": "leaf0-spine0"}), ("expect.0", claim)):
            document = {**GOOD, "expect": [claim], "profiles": {"other": {path: value}}}
            self.assertTrue(takes(document), path)
            self.assertEqual(program_takes(document, "--profile", "other"), (True, ""), path)
        for path, value in (("workload.x", entry), ("workload.0", {"sise": 1}), ("run.0", {"seed": 1}), ("workload.0", "2KB")):
            document = {**GOOD, "profiles": {"other": {path: value}}}
            self.assertFalse(takes(document), path)
            self.assertFalse(program_takes(document, "--profile", "other")[0], path)

    def test_schemes_of_the_file_and_named_values(self):
        slow = {"scheme": "ecmp", "host": {"min_rto": "50ms"}, "switch": {"buffer": "1MB"}}
        for document in ({"schemes": {"slow": slow}, "scheme": "slow"}, {"schemes": {"slow": slow}, "sweep": {"scheme": ["ecmp", "slow"]}},
                         {"sweep": {"switch": {"a": {"balance": "ecmp"}, "b": {"balance": "spray"}}}},
                         {"sweep": {"fabric.failed": {"whole": [], "cut": [{"link": "leaf0-spine1"}]}}}):
            self.assertTrue(takes(document), document)
        for document in ({"schemes": {"detail": slow}}, {"schemes": {"slow": {"fabric": {}}}}, {"schemes": {"slow": {"host": {"min_rtt": 1}}}},
                         {"schemes": {"slow": {"scheme": "slow"}}}, {"sweep": {"switch": {"a": {"balanse": "ecmp"}}}},
                         {"sweep": {"switch.buffer": {"a": "1MB"}}}):
            self.assertFalse(takes(document), document)

    def test_every_key_takes_its_default(self):
        keys = 0
        for path, key in SCHEMA["$defs"].items():
            if "default" not in key:
                continue
            keys += 1
            of_key = VALIDATOR.evolve(schema={**key, "$defs": SCHEMA["$defs"]})
            self.assertTrue(of_key.is_valid(yaml.safe_load(key["default"])), f"{path}: {key['default']}")
        self.assertGreater(keys, 200)


class Bad(unittest.TestCase):
    """The schema refuses names and forms that the program refuses."""

    def refused(self, document, word):
        ok, line = program_takes(document)
        self.assertFalse(ok, document)
        self.assertIn(word, line)
        self.assertFalse(takes(document), line)

    def test_good(self):
        self.assertEqual(program_takes(GOOD), (True, ""))
        self.assertTrue(takes(GOOD))

    def test_an_unknown_key_in_any_block(self):
        for path in blocks(GOOD):
            if path[:1] == ("sweep",):
                continue
            self.refused(changed((*path, "balanse"), 1), "unknown key")

    def test_an_unknown_choice(self):
        for path in (("switch", "flowctl"), ("fabric", "kind"), ("workload", 0, "kind"), ("workload", 0, "pairs"),
                     ("host", "transport")):
            self.refused(changed(path, "no-such"), "no-such")

    def test_an_unknown_choice_of_an_axis(self):
        self.refused(changed(("sweep", "switch.balance"), ["ecmp", "no-such"]), "no-such")

    def test_a_quantity_without_its_unit_or_with_another(self):
        for path in (("switch", "buffer"), ("fabric", "rate"), ("run", "until"), ("fabric", "failed", 0, "at")):
            self.refused(changed(path, 10), "has no unit")
            self.refused(changed(path, "10 parsec"), "is no unit")

    def test_a_number_out_of_its_range(self):
        self.refused(changed(("workload", 0, "load"), -1), "out of range")

    def test_a_block_for_a_value_and_a_value_for_a_block(self):
        self.refused(changed(("switch", "buffer"), {"a": 1}), "is one value")
        self.refused(changed(("switch", "expeditus"), 3), "holds keys")


class Forms(unittest.TestCase):
    """The schema accepts every form of a value that the program reads."""

    def test_forms_of_values(self):
        forms = [0, 1, 1.5, "1", "1e3", "0", "+3", ".5", "2.", "5us", "5 us", "1e-3s", "10%", "0.5 %", "3KB", "3 KiB", "100 frames",
                 "1 frame", "10Gbps", "100 Mbps", "2000/s", "true", True, False, "none", None, "ecmp", [1], ["1ms"], "leaf0"]
        places = [("switch", "buffer"), ("fabric", "rate"), ("fabric", "delay"), ("run", "until"), ("run", "seed"),
                  ("workload", 0, "load"), ("workload", 0, "sizes"), ("host", "initial_window"), ("host", "nic_queue"), ("measure", "jain"),
                  ("switch", "expeditus", "multipliers"), ("measure", "flow"), ("measure", "watch"), ("title",)]
        taken = 0
        for i, path in enumerate(places):
            for form in forms[i % EVERY::EVERY]:
                ok, _ = program_takes(changed(path, form))
                taken += ok
                if ok:
                    self.assertTrue(takes(changed(path, form)), f"{path}: {form!r}")
        self.assertGreater(taken, 60 // EVERY)


if __name__ == "__main__":
    sys.exit(0 if unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() else 1)
