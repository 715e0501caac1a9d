/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/expect.h"

#include "made_claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void expectations_evaluate__change_is_that_of_the_means_over_seeds(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%]}", usual);
    evaluate(&m);
    assert_int_equal(m.n, 2);
    /* load 0.3: (80 + 120) / (100 + 200) - 1; the single seeds have -0.2 and -0.4 */
    near(m.o[0].measured, -1.0 / 3);
    near(m.o[0].spread, 0.2);
    /* influences (80 - 2/3 100) / 150 = 4/45 and -4/45: standard error 4/45; t of one degree of freedom */
    near(m.o[0].standard_error, 4.0 / 45);
    assert_true(fabs(m.o[0].interval_low - (-1.0 / 3 - 12.7062 * 4 / 45)) < 1e-9);
    assert_true(fabs(m.o[0].interval_high - (-1.0 / 3 + 12.7062 * 4 / 45)) < 1e-9);
    assert_int_equal(m.o[0].verdict, VERDICT_UNDECIDED); /* the nearest bound is 2/15 away */
    assert_int_equal(m.o[0].n_seeds, 2);
    assert_true(m.o[0].met);
    assert_false(m.o[0].as_recorded);
    near(json_number_value(json_object_get(m.o[1].where, "workload.0.load")), 0.5);
    /* load 0.5: 500 / 800 - 1 */
    near(m.o[1].measured, -0.375);
    made_free(&m);
}

static void expectations_evaluate__other_forms(void **state) {
    (void)state;
    struct made m = make(
        "{claim: R, metric: fct_us.mice.p95, " AGAINST ", ratio: [0.5, 0.71]},"
        "{claim: D, metric: fct_us.mice.p95, " AGAINST ", difference: [null, -60]},"
        "{claim: V, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, value: [200, null]}",
        usual);
    evaluate(&m);
    assert_int_equal(m.n, 6);
    near(m.o[0].measured, 2.0 / 3);
    assert_true(m.o[0].met);
    near(m.o[2].measured, -50);
    assert_false(m.o[2].met);
    near(m.o[3].measured, -150);
    assert_true(m.o[3].met);
    near(m.o[4].measured, 150);
    assert_false(m.o[4].met);
    near(m.o[5].measured, 400);
    assert_true(m.o[5].met);
    made_free(&m);
}

static void expectations_evaluate__bounds_are_inside(void **state) {
    (void)state;
    struct made m =
        make("{claim: V, metric: fct_us.mice.p95, of: {switch.balance: ecmp, workload.0.load: 0.5}, value: [400, 400]}",
             usual);
    evaluate(&m);
    assert_true(m.n == 1 && m.o[0].met);
    made_free(&m);
}

static void expectations_evaluate__each_may_name_some_values(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: {workload.0.load: "
                         "[50%]}, value: [0, 1]}",
                         usual);
    evaluate(&m);
    assert_int_equal(m.n, 1);
    near(m.o[0].measured, 400);
    made_free(&m);
}

/* Among keys with some values, null is all values of a key. */
static void expectations_evaluate__each_may_name_all_values_by_null(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, each: {switch.balance: [ecmp], workload.0.load: null}, "
                         "value: [0, 1]}",
                         usual);
    evaluate(&m);
    assert_int_equal(m.n, 2);
    near(m.o[0].measured, 150);
    near(m.o[1].measured, 400);
    made_free(&m);
}

/* One row in place of one for each value. */
static void expectations_evaluate__except_leaves_out_values_of_each(void **state) {
    (void)state;
    struct made m =
        make("{claim: A, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, except: 0.3, "
             "value: [0, 1]},"
             "{claim: B, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, except: "
             "[50%], value: [0, 1]},"
             "{claim: C, metric: fct_us.mice.p95, each: [switch.balance, workload.0.load], except: "
             "{workload.0.load: [0.3], switch.balance: ecmp}, value: [0, 1]}",
             usual);
    evaluate(&m);
    assert_int_equal(m.n, 3);
    near(m.o[0].measured, 400);
    near(m.o[1].measured, 150);
    near(m.o[2].measured, 250);
    assert_int_equal(json_object_size(m.o[2].where), 2);
    made_free(&m);
}

/* A profile, or --set, may leave only values that the row leaves out: it then has no outcome, and is no error. */
static void expectations_read__except_where_set_leaves_nothing(void **state) {
    (void)state;
    const char *set = "switch.balance=[ecmp]";
    struct diag d = {0};
    struct expectations x;
    struct experiment *e =
        read_with(SWEEP "expect: [{claim: 'C-{switch.balance}', metric: fct_us.mice.p95, of: "
                        "{workload.0.load: 0.3}, each: switch.balance, except: ecmp, value: [0, 1]}, "
                        "{claim: D, metric: fct_us.mice.p95, of: {workload.0.load: 0.3}, each: "
                        "switch.balance, except: expeditus, value: [0, 1]}]\n",
                  NULL, &set, 1, &d);
    assert_non_null(e);
    assert_true(expectations_read(e, &x, &d));
    assert_int_equal(x.n, 1);
    assert_string_equal(x.item[0].claim, "D");
    expectations_free(&x);
    experiment_free(e);
}

static void expectations_evaluate__no_run_is_compared_with_itself(void **state) {
    (void)state;
    struct made m =
        make("{claim: A, metric: fct_us.mice.p95, of: {workload.0.load: 0.3}, each: switch.balance, against: "
             "{switch.balance: ecmp}, change: [null, 0]}",
             usual);
    evaluate(&m);
    assert_int_equal(m.n, 1);
    assert_string_equal(json_string_value(json_object_get(m.o[0].where, "switch.balance")), "expeditus");
    made_free(&m);
}

/* A claim for each value of the other side, which `against` of the outcome then names. */
static void expectations_evaluate__each_of_against(void **state) {
    (void)state;
    struct made m =
        make("{claim: A, metric: fct_us.mice.p95, of: {workload.0.load: 0.3}, each: [switch.balance, "
             "against.switch.balance], difference: [null, 0]},"
             "{claim: B, metric: fct_us.mice.p95, of: {switch.balance: expeditus}, against: {workload.0.load: "
             "0.3}, each: {against.switch.balance: [ecmp, expeditus], workload.0.load: [0.5]}, difference: [0, "
             "1]}",
             usual);
    evaluate(&m);
    assert_int_equal(m.x.n, 4);
    assert_int_equal(m.n, 4);
    near(m.o[0].measured, -50); /* expeditus less ecmp: 100 - 150 */
    assert_string_equal(json_string_value(json_object_get(m.o[0].expectation->against, "switch.balance")), "ecmp");
    assert_string_equal(json_string_value(json_object_get(m.o[1].expectation->against, "switch.balance")), "expeditus");
    near(m.o[1].measured, 50);
    near(m.o[2].measured, 100); /* expeditus at 0.5 less ecmp at 0.3: 250 - 150 */
    near(m.o[3].measured, 150); /* less expeditus at 0.3: 250 - 100 */
    assert_int_equal(m.o[1].expectation->entry, 0);
    assert_int_equal(m.o[2].expectation->entry, 1);
    assert_int_equal(json_object_size(m.o[0].where), 1);
    made_free(&m);
}

static void claim_is(const struct claim_outcome *o, const char *claim, const char *paper) {
    json_t *line = claim_json(o);
    assert_string_equal(json_string_value(json_object_get(line, "claim")), claim);
    assert_string_equal(json_string_value(json_object_get(line, "paper")), paper);
    json_decref(line);
}

/* A text may name the value. */
static void expectations_read__a_text_names_values_of_each(void **state) {
    (void)state;
    struct made m = make(
        "{claim: 'C-{switch.balance}', metric: fct_us.mice.p95, each: [switch.balance, workload.0.load], "
        "except: {workload.0.load: 0.3}, paper: '{switch.balance} at {workload.0.load}, both {switch.balance}', "
        "value: [0, 1]}, {claim: 'D-{against.switch.balance}', metric: fct_us.mice.p95, of: "
        "{switch.balance: expeditus, workload.0.load: 0.3}, each: against.switch.balance, paper: a, change: [0, 1]}",
        usual);
    evaluate(&m);
    assert_int_equal(m.n, 3);
    claim_is(&m.o[0], "C-ecmp", "ecmp at 0.5, both ecmp");
    claim_is(&m.o[1], "C-expeditus", "expeditus at 0.5, both expeditus");
    claim_is(&m.o[2], "D-ecmp", "a");
    assert_int_equal(m.o[1].expectation->entry, 0);
    assert_int_equal(m.o[2].expectation->entry, 1);
    made_free(&m);
}

static void is_null_and_unmet(const struct claim_outcome *o) {
    assert_true(isnan(o->measured));
    assert_true(isnan(o->spread));
    assert_false(o->met);
    assert_false(o->as_recorded);
}

static void expectations_evaluate__missing_failed_or_unfinished_runs_are_null(void **state) {
    (void)state;
    const char *claim = "{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [null, null]}";
    double missing[] = {100, NAN, 400, 400, 80, 120, 300, 200};
    struct made m = make(claim, missing);
    json_object_set_new(m.result[2], "failure", json_string("stuck"));
    evaluate(&m);
    is_null_and_unmet(&m.o[0]);
    is_null_and_unmet(&m.o[1]);
    assert_int_equal(m.o[0].verdict, VERDICT_UNDECIDED); /* a run is missing */
    assert_int_equal(m.o[1].verdict, VERDICT_UNMEASURED);
    made_free(&m);
    m = make(claim, usual);
    json_decref(m.result[7]);
    m.result[7] = result_of(200, 1);
    evaluate(&m);
    assert_true(m.o[0].met);
    is_null_and_unmet(&m.o[1]);
    made_free(&m);
}

/* A part of the seeds gives no verdict, be it the recorded one. */
static void expectations_evaluate__missing_runs_decide_nothing(void **state) {
    (void)state;
    static const char *const claims[] = {
        "{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [null, null], known: {holds: undecided}}",
        "{claim: C, metric: fct_us.mice.p95, " AGAINST ", every: true, change: [0, 1]}"};
    double missing[] = {100, NAN, 400, 400, 80, NAN, 300, 200};
    for (size_t i = 0; i < 2; i++) {
        struct made m = make(claims[i], missing);
        evaluate(&m);
        assert_int_equal(m.o[0].n_runs, 4);
        assert_int_equal(m.o[0].n_missing, 2);
        assert_int_equal(m.o[0].verdict, VERDICT_UNDECIDED);
        is_null_and_unmet(&m.o[0]);
        assert_int_equal(m.o[1].n_missing, 0);
        json_t *line = claim_json(&m.o[0]);
        assert_int_equal(json_integer_value(json_object_get(line, "missing")), 2);
        assert_int_equal(json_integer_value(json_object_get(line, "runs")), 4);
        json_decref(line);
        made_free(&m);
    }
}

static void expectations_evaluate__an_empty_class_is_null(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [null, null]}", usual);
    json_object_set_new(json_object_get(json_object_get(m.result[0], "fct_us"), "mice"), "p95", json_null());
    evaluate(&m);
    is_null_and_unmet(&m.o[0]);
    json_t *line = claim_json(&m.o[0]);
    assert_true(json_is_null(json_object_get(line, "measured")));
    assert_true(json_is_null(json_object_get(line, "low")));
    json_decref(line);
    made_free(&m);
}

static const char *string_at(const json_t *o, const char *object, const char *key) {
    return json_string_value(json_object_get(json_object_get(o, object), key));
}

/* Claims of the same name are distinguished by what they compare. */
static void claim_json__says_what_is_compared(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [null, null]},"
                         "{claim: C, metric: fct_us.mice.p95, each: workload.0.load, of: {switch.balance: ecmp},"
                         " value: [null, null]}",
                         usual);
    evaluate(&m);
    json_t *pair = claim_json(&m.o[0]), *alone = claim_json(&m.o[2]);
    assert_string_equal(json_string_value(json_object_get(pair, "metric")), "fct_us.mice.p95");
    assert_string_equal(string_at(pair, "of", "switch.balance"), "expeditus");
    assert_string_equal(string_at(pair, "against", "switch.balance"), "ecmp");
    assert_string_equal(string_at(alone, "of", "switch.balance"), "ecmp");
    assert_true(json_is_null(json_object_get(alone, "against")));
    json_decref(pair);
    json_decref(alone);
    made_free(&m);
}

/* ---- what is known ---- */

static void known__an_outcome_as_recorded_is_no_news(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-90%, -80%], "
                         "known: {holds: false, measured: [-40%, -25%], note: why}}",
                         decided);
    evaluate(&m);
    assert_false(m.o[0].met);
    assert_true(m.o[0].as_recorded);
    assert_string_equal(m.o[0].known->note, "why");
    assert_true(m.o[1].as_recorded);
    made_free(&m);
}

static void known__another_measurement_is_news(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-90%, -80%], "
                         "known: {holds: false, measured: [-35%, -25%]}}",
                         decided);
    evaluate(&m);
    assert_true(m.o[0].as_recorded);
    assert_false(m.o[1].as_recorded);
    made_free(&m);
}

static void known__a_claim_that_holds_after_all_is_news(void **state) {
    (void)state;
    struct made m =
        make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%], known: {holds: false}}", decided);
    evaluate(&m);
    assert_true(m.o[0].met);
    assert_false(m.o[0].as_recorded);
    made_free(&m);
}

static void known__may_concern_one_place(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-32%, -20%], "
                         "known: [{where: {workload.0.load: 0.5}, holds: false}]}",
                         decided);
    evaluate(&m);
    assert_true(m.o[0].met && m.o[0].as_recorded && !m.o[0].known);
    assert_true(!m.o[1].met && m.o[1].as_recorded && m.o[1].known);
    made_free(&m);
}

/* A file that also runs on real frames records the outcomes of both worlds. */
static void known__may_concern_one_world(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-90%, -80%], "
                         "known: [{world: live, holds: undecided}, {world: simulated, holds: false}]}",
                         decided);
    evaluate(&m);
    assert_true(m.o[0].as_recorded);
    assert_int_equal(m.o[0].recorded, VERDICT_FAILS);
    claim_outcomes_free(m.o, m.n);
    experiment_mark_live(m.e, "on real frames");
    evaluate(&m);
    assert_false(m.o[0].as_recorded);
    assert_int_equal(m.o[0].recorded, VERDICT_UNDECIDED);
    made_free(&m);
}

/* ---- narrowed sweeps ---- */

static void expectations_read__claims_about_runs_left_out_by_set_are_left_out(void **state) {
    (void)state;
    const char *set = "switch.balance=[expeditus]";
    struct diag d = {0};
    struct experiment *e = read_with(
        SWEEP "expect: [{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [0, 1]}]\n", NULL, &set, 1, &d);
    struct expectations x;
    assert_non_null(e);
    assert_true(expectations_read(e, &x, &d));
    json_t *result[16] = {0};
    size_t n;
    struct claim_outcome *o = expectations_evaluate(&x, e, result, &n);
    assert_int_equal(n, 0);
    claim_outcomes_free(o, n);
    expectations_free(&x);
    experiment_free(e);
}

/* ---- errors ---- */

static void wrong(const char *expect, const char *line) {
    char text[4096], buf[1024];
    struct diag d = {0};
    struct expectations x;
    snprintf(text, sizeof text, SWEEP "expect:\n  - %s\n", expect);
    struct experiment *e = read_with(text, NULL, NULL, 0, &d);
    if (e) assert_false(expectations_read(e, &x, &d));
    assert_string_equal(diag_line(&d, buf, sizeof buf), line);
    experiment_free(e);
}

/* Metrics of queries name the experiment's own response sizes and set sizes; others are refused. */
static void expectations_read__metrics_of_queries(void **state) {
    (void)state;
    static const char text[] =
        "fabric: {kind: star, hosts: 8}\n"
        "workload: [{kind: web-partition, schedule: {for: 1ms, rate: 100/s}, responses: [8KB, 2000B], fanout: [2, 3],"
        " placement: all, queries: 5}]\n"
        "expect: [%s]\n";
    static const char *const good[] = {"queries.8KB.p99", "queries.2KB.n", "queries.by_priority.3.8KB.mean",
                                       "queries.sets.3.p99", "queries.timeouts.of_p99.3+"};
    char whole[1024], claim[128];
    struct diag d;
    struct expectations x;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(claim, sizeof claim, "{claim: C, metric: %s, value: [0, 1]}", good[i]);
        snprintf(whole, sizeof whole, text, claim);
        struct experiment *e = read_text(whole);
        if (!expectations_read(e, &x, &d)) fail_msg("%s", d.text);
        expectations_free(&x);
        experiment_free(e);
    }
    snprintf(whole, sizeof whole, text, "{claim: C, metric: queries.sets.4.p99, value: [0, 1]}");
    struct experiment *e = read_text(whole);
    assert_false(expectations_read(e, &x, &d));
    assert_string_equal(d.text, "there is no number 'queries.sets.4.p99' in a result; at '4' known are: all, 2, 3, "
                                "over_200ms");
    experiment_free(e);
}

static void expectations_read__errors(void **state) {
    (void)state;
    wrong("{claim: C, metric: fct_us.mouse.p95, each: workload.0.load, value: [0, 1]}",
          "x.yaml:5:24: error: there is no number 'fct_us.mouse.p95' in a result; at 'mouse' known are: all, mice, "
          "medium, elephant");
    wrong("{claim: C, metric: fct_us.mcie.p95, each: workload.0.load, value: [0, 1]}",
          "x.yaml:5:24: error: there is no number 'fct_us.mcie.p95' in a result; at 'mcie' known are: all, mice, "
          "medium, elephant; did you mean 'fct_us.mice.p95'?");
    wrong("{claim: C, metric: imbalance.tor.mena, each: workload.0.load, value: [0, 1]}",
          "x.yaml:5:24: error: there is no number 'imbalance.tor.mena' in a result; at 'mena' known are: n, mean, p50, "
          "p95, p99, p999, max, of; did you mean 'imbalance.tor.mean'?");
    wrong("{claim: C, metric: data_us.mice, each: workload.0.load, value: [0, 1]}",
          "x.yaml:5:24: error: there is no number 'data_us.mice' in a result; at 'mice' known are: n, mean, p50, p95, "
          "p99, p999, max");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {host.transport: cubic}, value: [0, 1]}",
          "x.yaml:5:46: error: 'host.transport' is not swept, so no runs differ in it; sweep it or leave it out");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, value: [0, 1]}",
          "x.yaml:5:5: error: the claim leaves 'workload.0.load' open; name it in of, each or best");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, value: [2, 1]}",
          "x.yaml:5:99: error: the range is empty: low is above high; exchange them");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, change: [0, 1]}",
          "x.yaml:5:5: error: change needs against: {KEY: value}");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load}",
          "x.yaml:5:5: error: give one of change, value, ratio, difference and share: [low, high]");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp, workload.0.load: 0.4}, value: [0, 1]}",
          "x.yaml:5:5: error: no runs have the values that claim 'C' names; name values of the sweep");
    wrong("{claim: C, metric: fct_us.mice.p95, each: workload.0.load, of: {switch.balance: ecmp}, "
          "than: {workload.0.load: 0.3}, value: [0, 1]}",
          "x.yaml:5:5: error: value compares nothing; give `than` with change, ratio, difference or share");
    wrong("{claim: C, metric: fct_us.mice.p95, " AGAINST ", share: [0.5, null]}",
          "x.yaml:5:5: error: share needs than: {KEY: value}, whose difference from `against` is the whole");
    wrong("{claim: 'C-{switch.balanse}', metric: fct_us.mice.p95, each: [switch.balance, workload.0.load], value: [0, "
          "1]}",
          "x.yaml:5:13: error: {switch.balanse} names no key of each; write one of them in the braces");
    wrong("{claim: C, metric: fct_us.mice.p95, each: [switch.balance, workload.0.load], except: 0.3, value: [0, 1]}",
          "x.yaml:5:90: error: each has 2 keys; write except: {KEY: [values]}");
    wrong(
        "{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, except: [0.4], value: "
        "[0, 1]}",
        "x.yaml:5:101: error: '0.4' is no value that each has of workload.0.load; leave it out");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, except: [0.3, 0.5], "
          "value: "
          "[0, 1]}",
          "x.yaml:5:106: error: except leaves no value of workload.0.load; take one out of it");
    wrong(
        "{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, except: {run.seed: 1}, "
        "value: [0, 1]}",
        "x.yaml:5:101: error: except names 'run.seed', but each does not; name a key of each");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: {workload.0.load: []}, value: [0, 1]}",
          "x.yaml:5:93: error: each: no value of workload.0.load; name one, or write each: workload.0.load");
    wrong("{claim: C, metric: fct_us.mice.p95, each: [workload.0.load, against.switch.balanse], value: [0, 1]}",
          "x.yaml:5:65: error: 'switch.balanse' is not swept, so no runs differ in it; did you mean 'switch.balance'?");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: [workload.0.load, "
          "against.switch.balance], "
          "value: [0, 1]}",
          "x.yaml:5:5: error: value compares nothing; leave `against` out");
    wrong("{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, against: {switch.balance: ecmp}, each: "
          "workload.0.load, change: [0, 1]}",
          "x.yaml:5:5: error: no runs have the values that claim 'C' names; name values of the sweep");
    wrong("{claim: C, metrik: fct_us.mice.p95, value: [0, 1]}",
          "x.yaml:5:16: error: unknown key 'metrik' in expect.0; did you mean 'metric'?");
}

/* The claims of a profile replace all claims of the file, and have `known` parts of their own. */
static void expectations_read__the_list_of_a_profile_replaces_the_files(void **state) {
    (void)state;
    static const char text[] =
        SWEEP "expect:\n  - {claim: A, metric: flows.bytes, each: [switch.balance, workload.0.load], "
              "value: [0, 1]}\n  - {claim: B, metric: fct_us.mice.p95, " AGAINST ", ratio: [0, 1]}\n"
              "profiles:\n  small:\n    sweep: {workload.0.load: [0.3]}\n    expect:\n"
              "      - {claim: C, metric: fct_us.mice.p95, " AGAINST ", ratio: [0, 1],\n"
              "         known: {holds: false, measured: [1, 2]}}\n";
    struct diag d = {0};
    struct expectations x;
    struct experiment *e = read_with(text, "small", NULL, 0, &d);
    assert_non_null(e);
    assert_true(expectations_read(e, &x, &d));
    assert_int_equal(x.n, 1);
    assert_string_equal(x.item[0].claim, "C");
    assert_int_equal(x.item[0].n_known, 1);
    assert_int_equal(x.item[0].known[0].verdict, VERDICT_FAILS);
    expectations_free(&x);
    experiment_free(e);
    e = read_text(text);
    assert_true(expectations_read(e, &x, &d));
    assert_int_equal(x.n, 2);
    assert_int_equal(x.item[0].n_known, 0);
    expectations_free(&x);
    experiment_free(e);
}

static void expectations_read__each_names_an_item_of_a_list_without_brackets(void **state) {
    (void)state;
    struct experiment *e =
        read_text(STAR "workload: {kind: poisson, sizes: 1KB, load: 0.1, load_at: host, flows: 3}\n"
                       "sweep: {workload.0.load: [0.3, 0.5]}\n"
                       "expect: {claim: C, metric: flows.bytes, each: {workload.0.load: [0.5]}, value: [0, 1]}\n");
    struct diag d = {0};
    struct expectations x;
    assert_true(expectations_read(e, &x, &d));
    assert_int_equal(json_array_size(json_object_get(x.item[0].each, "workload.0.load")), 1);
    expectations_free(&x);
    experiment_free(e);
}

static void known__a_claim_that_holds_within_its_range_is_no_news(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%], "
                         "known: {holds: true, measured: [-35%, -25%]}}",
                         decided);
    evaluate(&m);
    assert_true(m.o[0].met && m.o[0].as_recorded);
    assert_true(m.o[1].met && !m.o[1].as_recorded); /* -37.5 % is below the range */
    made_free(&m);
    m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%], "
             "known: {holds: true, measured: [-45%, -35%]}}",
             decided);
    evaluate(&m);
    assert_false(m.o[0].as_recorded); /* -30 % is above it */
    made_free(&m);
}

/* Against 0 a ratio is not measurable, a difference is. */
static void expectations_evaluate__against_zero_only_a_difference_says_something(void **state) {
    (void)state;
    static const double idle[] = {0, 0, 0, 0, 80, 120, 300, 200};
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [null, null]},"
                         "{claim: R, metric: fct_us.mice.p95, " AGAINST ", ratio: [null, null]},"
                         "{claim: D, metric: fct_us.mice.p95, " AGAINST ", difference: [null, null]}",
                         idle);
    evaluate(&m);
    assert_int_equal(m.n, 6);
    for (size_t i = 0; i < 4; i++) is_null_and_unmet(&m.o[i]);
    near(m.o[4].measured, 100);
    made_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(expectations_read__the_list_of_a_profile_replaces_the_files),
        UNIT(expectations_evaluate__change_is_that_of_the_means_over_seeds),
        UNIT(expectations_evaluate__other_forms),
        UNIT(expectations_evaluate__bounds_are_inside),
        UNIT(expectations_evaluate__each_may_name_some_values),
        UNIT(expectations_evaluate__each_may_name_all_values_by_null),
        UNIT(expectations_evaluate__except_leaves_out_values_of_each),
        UNIT(expectations_read__except_where_set_leaves_nothing),
        UNIT(expectations_evaluate__no_run_is_compared_with_itself),
        UNIT(expectations_evaluate__each_of_against),
        UNIT(expectations_read__a_text_names_values_of_each),
        UNIT(expectations_evaluate__missing_failed_or_unfinished_runs_are_null),
        UNIT(claim_json__says_what_is_compared),
        UNIT(expectations_evaluate__missing_runs_decide_nothing),
        UNIT(expectations_evaluate__an_empty_class_is_null),
        UNIT(known__an_outcome_as_recorded_is_no_news),
        UNIT(known__another_measurement_is_news),
        UNIT(known__a_claim_that_holds_after_all_is_news),
        UNIT(known__may_concern_one_world),
        UNIT(known__may_concern_one_place),
        UNIT(expectations_read__claims_about_runs_left_out_by_set_are_left_out),
        UNIT(expectations_read__each_names_an_item_of_a_list_without_brackets),
        UNIT(expectations_read__metrics_of_queries),
        UNIT(expectations_read__errors),
        UNIT(known__a_claim_that_holds_within_its_range_is_no_news),
        UNIT(expectations_evaluate__against_zero_only_a_difference_says_something),
    };
    return RUN_UNITS(tests);
}
