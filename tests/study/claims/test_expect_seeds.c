/* SPDX-License-Identifier: Apache-2.0 */
#include "made_claims.h"

/* ---- every, roughly, than, and seeds that change nothing ---- */

static void every__each_seed_must_lie_in_the_range(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", every: true, change: [-41%, -19%]}", usual);
    evaluate(&m);
    assert_int_equal(m.o[0].verdict, VERDICT_HOLDS); /* -20 and -40 % */
    assert_int_equal(m.o[1].verdict, VERDICT_FAILS); /* -25 and -50 %, although their mean is inside */
    assert_true(m.o[1].met && m.o[0].as_recorded && !m.o[1].as_recorded);
    made_free(&m);
}

static void roughly__is_the_best_verdict_of_a_wider_range(void **state) {
    (void)state;
    struct made m =
        make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", roughly: 'it says about', paper: 'about 30 %',"
             " change: [-35%, -20%]}",
             decided);
    evaluate(&m);
    assert_int_equal(m.o[0].verdict, VERDICT_ROUGHLY);
    assert_true(m.o[0].as_recorded);
    assert_int_equal(m.o[1].verdict, VERDICT_FAILS);
    json_t *line = claim_json(&m.o[0]);
    assert_string_equal(json_string_value(json_object_get(line, "verdict")), "roughly");
    assert_true(json_is_null(json_object_get(line, "recorded"))); /* the file records nothing */
    assert_true(json_is_null(json_object_get(line, "reason")));
    assert_string_equal(json_string_value(json_object_get(line, "roughly")), "it says about");
    assert_string_equal(json_string_value(json_object_get(line, "paper")), "about 30 %");
    json_decref(line);
    made_free(&m);
}

#define GROWS(against_)                                                                                                \
    "{claim: C, metric: fct_us.mice.p95, of: {switch.balance: expeditus, workload.0.load: 0.5}, "                      \
    "against: {switch.balance: ecmp" against_ "}, than: {workload.0.load: 0.3}, change: [-20%, -5%]}"

/* 0.5: 500 / 800 - 1 = -0.375; 0.3: 200 / 300 - 1 = -1/3. Influences at 0.5: (300 - 5/8 400) / 400 = 1/8, -1/8; at 0.3:
 * 4/45, -4/45. Their difference is 13/360, and so is the standard error. */
static void than__compares_two_figures(void **state) {
    (void)state;
    static const char *const forms[] = {GROWS(""), GROWS(", workload.0.load: 0.5")};
    for (size_t i = 0; i < 2; i++) {
        struct made m = make(forms[i], usual);
        evaluate(&m);
        assert_int_equal(m.n, 1);
        near(m.o[0].measured, -0.375 + 1.0 / 3);
        near(m.o[0].standard_error, 13.0 / 360);
        near(m.o[0].spread, 0.05); /* -0.25 + 0.2 = -0.05, -0.5 + 0.4 = -0.1 */
        assert_int_equal(m.o[0].verdict, VERDICT_UNDECIDED);
        made_free(&m);
        m = make(forms[i], decided); /* -37.5 % and -30 % */
        evaluate(&m);
        near(m.o[0].measured, -0.075);
        assert_int_equal(m.o[0].verdict, VERDICT_HOLDS);
        made_free(&m);
    }
}

static void digest_set(struct made *m, size_t i, const char *digest) {
    json_object_set_new(m->result[i], "engine", json_pack("{s:s}", "digest", digest));
}

/* Two seeds with equal digests count as one run, so their agreement gives no error. */
/* ms gained: at 0.5 100 and 200, mean 150; at 0.3 20 and 80, mean 50. The share is 3; influences are (50 - 3 x 30) / -50 = 0.8 and
 * -0.8, and so is the standard error. */
static void share__of_what_is_gained_elsewhere(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: expeditus, workload.0.load: 0.5}, "
                         "against: {switch.balance: ecmp}, than: {workload.0.load: 0.3}, share: [50%, null]}",
                         usual);
    evaluate(&m);
    assert_int_equal(m.n, 1);
    near(m.o[0].measured, 3);
    near(m.o[0].standard_error, 0.8);
    near(m.o[0].spread, 2.5); /* 100 / 20 and 200 / 80 */
    assert_int_equal(m.o[0].verdict, VERDICT_HOLDS);
    made_free(&m);
}

static void seeds__that_change_nothing_have_no_error(void **state) {
    (void)state;
    static const double same[] = {100, 100, 400, 400, 70, 70, 300, 300};
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-40%, -20%]}", same);
    for (size_t i = 0; i < 8; i++) digest_set(&m, i, i < 4 ? "a" : "b");
    digest_set(&m, 7, "c");
    evaluate(&m);
    assert_true(m.o[0].no_freedom && isnan(m.o[0].standard_error));
    assert_int_equal(m.o[0].verdict, VERDICT_UNDECIDED);
    assert_false(m.o[1].no_freedom);
    near(m.o[1].standard_error, 0);
    assert_int_equal(m.o[1].verdict, VERDICT_HOLDS);
    json_t *line = claim_json(&m.o[0]);
    assert_true(json_is_null(json_object_get(line, "spread")));
    assert_true(json_is_null(json_object_get(line, "interval")));
    json_decref(line);
    made_free(&m);
}

/* Sets the open flows of a run: settled, or growing from 10 to `last` over its window. */
static void open_flows_set(struct made *m, size_t i, bool settled, double last) {
    json_object_set_new(m->result[i], "open_flows",
                        json_pack("{s:i, s:f, s:f}", "settled", settled ? 1 : 0, "first", 10.0, "last", last));
}

/* At load 0.5 both runs of ecmp grow, at 0.3 one does. If its mean grew like its open flows, it would be 1.1 or 1.5
 * times 600 us, and the change of 375 us against it -43 or -58 %; the latter is outside the range. */
static void unsettled__sides_that_grow_must_not_change_the_verdict(void **state) {
    (void)state;
    static const double last[] = {11, 15}, low[] = {375 / 660.0 - 1, 375 / 900.0 - 1};
    static const enum verdict verdict[] = {VERDICT_HOLDS, VERDICT_UNDECIDED};
    for (int k = 0; k < 2; k++) {
        struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%]}", decided);
        for (size_t i = 0; i < 8; i++) open_flows_set(&m, i, i >= 4 || i == 0, last[k]);
        evaluate(&m);
        assert_int_equal(m.o[0].n_unsettled, 1);
        assert_true(isnan(m.o[0].growth_low));
        assert_int_equal(m.o[0].verdict, VERDICT_HOLDS);
        assert_int_equal(m.o[1].n_unsettled, 2);
        near(m.o[1].growth_low, low[k]);
        near(m.o[1].growth_high, -0.375);
        assert_int_equal(m.o[1].verdict, verdict[k]);
        json_t *line = claim_json(&m.o[1]);
        assert_int_equal(json_integer_value(json_object_get(line, "unsettled")), 2);
        near(json_number_value(json_array_get(json_object_get(line, "growth_range"), 0)), low[k]);
        json_decref(line);
        made_free(&m);
    }
}

/* At load 0.5 ecmp grows by half in both seeds; of expeditus one seed grew fourfold, which does not make the side grow. */
static void unsettled__a_side_that_mostly_settles_stays(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%]}", decided);
    for (size_t i = 0; i < 8; i++) open_flows_set(&m, i, i != 2 && i != 3 && i != 6, i == 6 ? 40 : 15);
    evaluate(&m);
    near(m.o[1].growth_low, 375 / 900.0 - 1);
    near(m.o[1].growth_high, -0.375);
    made_free(&m);
}

/* Both sides grow twofold. Together they keep the change of -30 %; each alone would halve or double the ratio, to -65 or
 * +40 %, and a quarter of these ways, 8.75 and 17.5 points, is left to chance. */
static void unsettled__sides_grow_together(void **state) {
    (void)state;
    static const char *const claim[] = {"{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-39%, -12%]}",
                                        "{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-38%, -12%]}",
                                        "{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-39%, -13%]}"};
    static const enum verdict verdict[] = {VERDICT_HOLDS, VERDICT_UNDECIDED, VERDICT_UNDECIDED};
    for (int k = 0; k < 3; k++) {
        struct made m = make(claim[k], decided);
        for (size_t i = 0; i < 8; i++) open_flows_set(&m, i, false, 20);
        evaluate(&m);
        near(m.o[0].growth_low, -0.3 - 0.25 * 0.35);
        near(m.o[0].growth_high, -0.3 + 0.25 * 0.7);
        assert_int_equal(m.o[0].verdict, verdict[k]);
        made_free(&m);
    }
}

/* A value outside the range that only moves away from it does not hold. */
static void unsettled__growth_away_from_the_range(void **state) {
    (void)state;
    struct made m =
        make("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, value: [0, 60]}",
             decided);
    for (size_t i = 0; i < 8; i++) open_flows_set(&m, i, false, 20);
    evaluate(&m);
    near(m.o[1].growth_high, 1200);
    assert_int_equal(m.o[1].verdict, VERDICT_UNDECIDED); /* 400 and 800: two seeds are too few */
    assert_false(claim_outgrown(&m.o[1]));
    made_free(&m);
}

/* What a transient claim measures is over before anything can settle. */
static void unsettled__a_transient_is_judged_on_its_seeds(void **state) {
    (void)state;
    struct made m =
        make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%], transient: true}", decided);
    for (size_t i = 0; i < 8; i++) open_flows_set(&m, i, i >= 4, 15);
    evaluate(&m);
    assert_true(isnan(m.o[1].growth_low));
    assert_int_equal(m.o[1].verdict, VERDICT_HOLDS);
    json_t *line = claim_json(&m.o[1]);
    assert_true(json_is_true(json_object_get(line, "transient")));
    json_decref(line);
    made_free(&m);
}

/* A figure with a trend of its own grows by that, however the open flows grow: ecmp by 1.1, not by 1.5. */
static void unsettled__a_trend_stands_above_open_flows(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%]}", decided);
    for (size_t i = 0; i < 8; i++) {
        open_flows_set(&m, i, i >= 4, 15);
        json_object_set_new(m.result[i], "trend", json_pack("{s:{s:{s:f}}}", "fct_us", "mice", "p95", 1.1));
    }
    evaluate(&m);
    near(m.o[0].growth_low, 0.7 / 1.1 - 1);
    near(m.o[0].growth_high, 0.7 - 1); /* only ecmp had not settled */
    made_free(&m);
}

/* A claim on every run does not depend on whether the runs have settled. */
static void unsettled__every_run_as_it_is(void **state) {
    (void)state;
    struct made m =
        make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", every: true, change: [-50%, -20%]}", decided);
    for (size_t i = 0; i < 8; i++) open_flows_set(&m, i, false, 1000);
    evaluate(&m);
    assert_int_equal(m.o[0].verdict, VERDICT_HOLDS);
    made_free(&m);
}

static void claim_json__has_the_interval(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%]}", usual);
    evaluate(&m);
    json_t *line = claim_json(&m.o[0]);
    near(json_number_value(json_object_get(line, "standard_error")), 4.0 / 45);
    assert_int_equal(json_array_size(json_object_get(line, "interval")), 2);
    assert_string_equal(json_string_value(json_object_get(line, "verdict")), "not decided");
    assert_string_equal(json_string_value(json_object_get(line, "reason")), "too few seeds: 2 of about 8");
    assert_true(json_is_null(json_object_get(line, "recorded")));
    assert_true(json_is_null(json_object_get(line, "roughly")));
    json_decref(line);
    made_free(&m);
}

/* Entries that the file and its profiles share may record the outcomes of each. */
static void known__of_one_profile(void **state) {
    (void)state;
    static const char text[] =
        SWEEP "profiles: {small: {run: {seed: 1}}}\n"
              "expect: [{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, 50%], known: "
              "[{profile: small, holds: false}, {profile: full, holds: undecided}, {holds: true}]}]\n";
    static const char *const profiles[] = {"small", NULL};
    static const enum verdict recorded[] = {VERDICT_FAILS, VERDICT_UNDECIDED};
    for (size_t i = 0; i < 2; i++) {
        struct diag d = {0};
        struct made m = {.e = read_with(text, profiles[i], NULL, 0, &d)};
        assert_non_null(m.e);
        assert_true(expectations_read(m.e, &m.x, &d));
        evaluate(&m);
        assert_int_equal(m.o[0].recorded, recorded[i]);
        made_free(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(every__each_seed_must_lie_in_the_range),
        UNIT(roughly__is_the_best_verdict_of_a_wider_range),
        UNIT(than__compares_two_figures),
        UNIT(share__of_what_is_gained_elsewhere),
        UNIT(seeds__that_change_nothing_have_no_error),
        UNIT(unsettled__sides_that_grow_must_not_change_the_verdict),
        UNIT(unsettled__sides_grow_together),
        UNIT(unsettled__a_transient_is_judged_on_its_seeds),
        UNIT(unsettled__a_trend_stands_above_open_flows),
        UNIT(unsettled__a_side_that_mostly_settles_stays),
        UNIT(unsettled__growth_away_from_the_range),
        UNIT(unsettled__every_run_as_it_is),
        UNIT(claim_json__has_the_interval),
        UNIT(known__of_one_profile),
    };
    return RUN_UNITS(tests);
}
