#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/known.py rewrites the `known:` parts of experiment files and nothing else.

usage: test_known.py SCRIPTS
"""
import sys
import unittest

sys.path.insert(0, sys.argv[1])
import known  # noqa: E402

HEAD = "title: x # a comment\nsweep: {load: [0.3, 0.5]}\n"


def claim(entry, verdict, measured=-0.3, form="change", **where):
    return {"entry": entry, "verdict": verdict, "measured": measured, "form": form, "where": where}


class Band(unittest.TestCase):
    def test_change_is_told_in_percent(self):
        self.assertEqual(known.band(-0.5776, "change"), "[-58.0%, -57.6%]")
        self.assertEqual(known.band(0.0, "change"), "[-0.2%, 0.2%]")

    def test_others_in_the_fourth_digit(self):
        self.assertEqual(known.band(0.84327, "value"), "[0.8431, 0.8435]")
        self.assertEqual(known.band(123456, "value"), "[123300, 123700]")
        self.assertEqual(known.band(0, "value"), "[0, 0]")

    def test_contains_what_was_measured(self):
        for i in range(1, 2000):
            for form in ("change", "ratio"):
                value = -1.00371 ** i * (-1) ** i * 1e-3
                low, high = known.band(value, form)[1:-1].replace("%", "").split(", ")
                unit = 100 if form == "change" else 1
                self.assertTrue(float(low) <= value * unit <= float(high), (value, form))


class Rewrite(unittest.TestCase):
    def test_outcomes_that_hold_need_nothing(self):
        text = HEAD + "expect:\n  - {claim: A, value: [0, 1]} # why\n"
        self.assertEqual(known.rewrite(text, None, [claim(0, "holds"), claim(0, "roughly")]), text)

    def test_an_item_for_each_outcome_that_does_not(self):
        text = HEAD + "expect:\n  # first\n  - {claim: A,\n     value: [0, 1]}\n  - {claim: B, value: [0, 1]} # b\n"
        new = known.rewrite(text, None, [claim(0, "does not hold", load=0.3), claim(0, "holds", load=0.5),
                                         claim(0, "not decided", load=0.7), claim(1, "not measurable", None)])
        self.assertEqual(new, HEAD + "expect:\n  # first\n  - {claim: A,\n     value: [0, 1],\n"
                         "     known: [{where: {load: 0.3}, holds: false, measured: [-30.2%, -29.8%]},\n"
                         "             {where: {load: 0.7}, holds: undecided, measured: [-30.2%, -29.8%]}]}\n"
                         "  - {claim: B, value: [0, 1],\n     known: [{holds: unmeasured}]} # b\n")
        self.assertEqual(known.rewrite(new, None, [claim(0, "holds"), claim(1, "holds")]),
                         text)

    def test_the_order_does_not_depend_on_what_was_recorded_last(self):
        text = HEAD + "profiles: {small: {}}\nexpect: {claim: A, value: [0, 1]}\n"
        outcomes = [claim(0, "not decided")]
        first = known.rewrite(known.rewrite(text, None, outcomes), "small", outcomes)
        self.assertEqual(known.rewrite(known.rewrite(text, "small", outcomes), None, outcomes), first)
        self.assertLess(first.index("profile: full"), first.index("profile: small"))

    def test_recording_twice_changes_nothing(self):
        outcomes = [claim(0, "not decided", 0.84327, "value", load=0.3)]
        once = known.rewrite(HEAD + "expect: {claim: A, value: [0, 1]}\n", None, outcomes)
        self.assertIn("known: [{where: {load: 0.3}, holds: undecided, measured: [0.8431, 0.8435]}]}", once)
        self.assertEqual(known.rewrite(once, None, outcomes), once)

    def test_notes_stay_with_their_place(self):
        text = HEAD + ("expect:\n  - {claim: A, known: [{where: {load: 30%}, holds: false, note: \"a, b\"}, "
                       "{where: {load: 0.5}, holds: false, note: docs/claims-x.md}], value: [0, 1]}\n")
        new = known.rewrite(text, None, [claim(0, "not decided", load=0.3), claim(0, "not decided", load=0.5)])
        self.assertEqual(new.count("note:"), 1)
        self.assertIn("load: 0.3}, holds: undecided, measured: [-30.2%, -29.8%], note: \"a, b\"}", new)
        self.assertTrue(new.endswith("], value: [0, 1]}\n"))

    def test_block_style(self):
        text = HEAD + "expect:\n  - claim: A\n    value: [0, 1]\n\n# the end\nrun: {seed: 1}\n"
        new = known.rewrite(text, None, [claim(0, "does not hold")])
        self.assertEqual(new, text.replace("1]\n\n", "1]\n    known: [{holds: false, measured: [-30.2%, -29.8%]}]\n\n"))
        self.assertEqual(known.rewrite(new, None, [claim(0, "holds")]), text)

    def test_a_profile_with_claims_of_its_own(self):
        text = HEAD + ("profiles:\n  small:\n    expect:\n      - {claim: A, value: [0, 1]}\n"
                       "expect:\n  - {claim: A, value: [0, 1], known: {holds: false}}\n")
        new = known.rewrite(text, "small", [claim(0, "not decided")])
        self.assertEqual(new, text.replace("1]}\nexpect", "1],\n         known: [{holds: undecided, measured: "
                                           "[-30.2%, -29.8%]}]}\nexpect"))

    def test_a_profile_that_shares_them(self):
        text = HEAD + "profiles: {small: {}}\nexpect:\n  - {claim: A, value: [0, 1], known: [{holds: false}]}\n"
        small = known.rewrite(text, "small", [claim(0, "holds")])
        self.assertIn("known: [{profile: small, holds: true, measured: [-30.2%, -29.8%]},\n"
                      "             {holds: false}]}", small)
        full = known.rewrite(small, None, [claim(0, "not decided", 0.1)])
        self.assertIn("known: [{profile: full, holds: undecided, measured: [9.8%, 10.2%]},\n"
                      "             {profile: small, holds: true, measured: [-30.2%, -29.8%]}]}", full)
        self.assertEqual(known.rewrite(full, None, [claim(0, "not decided", 0.1)]), full)

    def test_each_world_has_items_of_its_own(self):
        text = HEAD + "profiles: {small: {}}\nexpect: {claim: A, value: [0, 1]}\n"
        outcome = dict(claim(0, "not decided"), interval=[-0.34567, -0.25432])
        once = known.rewrite(text, None, [outcome], "live")
        self.assertIn("known: [{world: live, profile: full, holds: undecided, measured: [-34.57%, -25.43%]}]", once)
        twice = known.rewrite(once, None, [claim(0, "does not hold")], "simulated")
        self.assertIn("{world: live, profile: full, holds: undecided, measured: [-34.57%, -25.43%]}", twice)
        self.assertIn("{world: simulated, profile: full, holds: false, measured: [-30.2%, -29.8%]}", twice)
        self.assertEqual(known.rewrite(twice, None, [outcome], "live"), twice)
        self.assertEqual(known.rewrite(twice, None, [claim(0, "holds")], "simulated"), once)

    def test_one_live_seed_has_a_verdict_alone(self):
        text = HEAD + "expect: {claim: A, value: [0, 1]}\n"
        new = known.rewrite(text, None, [dict(claim(0, "not decided"), interval=None)], "live")
        self.assertIn("known: [{world: live, holds: undecided}]", new)

    def test_items_of_another_profile_say_nothing(self):
        text = HEAD + ("profiles: {small: {}}\nexpect:\n  - {claim: A, value: [0, 1],\n"
                       "     known: [{profile: full, holds: undecided}]}\n")
        self.assertEqual(known.rewrite(text, "small", [claim(0, "holds")]), text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
