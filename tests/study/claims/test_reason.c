/* SPDX-License-Identifier: Apache-2.0 */
/* Why an outcome has no verdict. */
#include "study/claims/reason.h"

#include "made_claims.h"
#include "unit.h"

#define PLAIN "{claim: C, metric: fct_us.mice.p95, of: {switch.balance: ecmp}, each: workload.0.load, value: [%g, %g]}"

/* Fails unless the first outcome of the claim over these results has the verdict and the reason. */
static void first_is(struct made *m, enum verdict verdict, const char *reason) {
    char buf[REASON_MAX];
    evaluate(m);
    assert_int_equal(m->o[0].verdict, verdict);
    assert_string_equal(claim_reason(&m->o[0], buf), reason);
    json_t *line = claim_json(&m->o[0]), *said = json_object_get(line, "reason");
    if (reason[0])
        assert_string_equal(json_string_value(said), reason);
    else
        assert_true(json_is_null(said));
    json_decref(line);
    made_free(m);
}

static struct made make_value(double low, double high, const double *p95) {
    char claim[160];
    snprintf(claim, sizeof claim, PLAIN, low, high);
    return make(claim, p95);
}

static void claim_reason__none_for_a_verdict(void **state) {
    (void)state;
    struct made m = make_value(20, 1000, decided); /* 150 with a standard error of 50, and the bound is 130 away */
    first_is(&m, VERDICT_UNDECIDED, "too few seeds: 2 of about 3");
    static const double near_to[] = {100, 101, 400, 800, 70, 140, 250, 500};
    m = make_value(0, 1000, near_to);
    first_is(&m, VERDICT_HOLDS, "");
}

/* A claim that a choice was inferred from holds with its set inferred, in every place that shows a reason. */
static void claim_reason__set_inferred(void **state) {
    (void)state;
    struct expectation x = {.inferred = "the jitter", .low = 0, .high = 10};
    struct claim_outcome o = {.expectation = &x, .measured = 5, .growth_low = NAN, .growth_high = NAN};
    static const enum verdict verdicts[] = {VERDICT_HOLDS, VERDICT_ROUGHLY, VERDICT_FAILS};
    char buf[REASON_MAX];
    for (size_t i = 0; i < 3; i++) {
        o.verdict = verdicts[i];
        assert_string_equal(claim_reason(&o, buf), i < 2 ? "set inferred" : "");
    }
    x.inferred = NULL;
    o.verdict = VERDICT_HOLDS;
    assert_string_equal(claim_reason(&o, buf), "");
}

static void claim_reason__counts_seeds(void **state) {
    (void)state;
    static const double wide[] = {100, 200, 400, 400, 80, 120, 300, 200};
    struct made m = make_value(149, 1000, wide);
    first_is(&m, VERDICT_UNDECIDED, "too few seeds: 2 of more than 1000");
    m = make_value(150, 1000, wide);
    first_is(&m, VERDICT_UNDECIDED, "too few seeds: 2, and the value lies on a bound");
}

static void claim_reason__missing_runs_come_first(void **state) {
    (void)state;
    double missing[] = {100, NAN, 400, 400, 80, 120, 300, 200};
    struct made m = make_value(0, 1000, missing);
    first_is(&m, VERDICT_UNDECIDED, "1 of 2 runs are missing");
}

static void claim_reason__of_what_cannot_be_measured(void **state) {
    (void)state;
    struct made m = make_value(0, 1000, usual);
    json_object_set_new(json_object_get(json_object_get(m.result[0], "fct_us"), "mice"), "p95", json_null());
    first_is(&m, VERDICT_UNMEASURED, "the metric has no value in these runs");
    m = make_value(0, 1000, usual);
    json_object_set_new(json_object_get(m.result[0], "flows"), "unfinished", json_integer(3));
    first_is(&m, VERDICT_UNMEASURED, "flows had not finished");
    m = make_value(0, 1000, usual);
    json_object_set_new(json_object_get(m.result[1], "flows"), "unfinished", json_integer(3));
    json_object_set_new(m.result[0], "failure", json_string("stuck"));
    first_is(&m, VERDICT_UNMEASURED, "a run failed");
}

static void claim_reason__a_change_against_0(void **state) {
    (void)state;
    static const double none[] = {0, 0, 400, 400, 80, 120, 300, 200};
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [-50%, -20%]}", none);
    first_is(&m, VERDICT_UNMEASURED, "the figure divides by 0");
}

/* The sweep has one seed, or the seeds gave one run. */
static void claim_reason__no_spread(void **state) {
    (void)state;
    struct claim_outcome o = {.verdict = VERDICT_UNDECIDED, .n_seeds = 1, .standard_error = NAN};
    struct expectation x = {.low = 0, .high = 1};
    char buf[REASON_MAX];
    o.expectation = &x;
    o.growth_low = o.growth_high = NAN;
    assert_string_equal(claim_reason(&o, buf), "one seed");
    o.n_seeds = 3;
    o.no_freedom = true;
    assert_string_equal(claim_reason(&o, buf), "all seeds gave the same run");
}

/* Both what the seeds lack and runs that had not settled are said; either alone too. */
static void claim_reason__runs_that_had_not_settled(void **state) {
    (void)state;
    struct expectation x = {.low = 0, .high = 100};
    struct claim_outcome o = {.expectation = &x,
                              .verdict = VERDICT_UNDECIDED,
                              .n_seeds = 3,
                              .n_unsettled = 2,
                              .measured = 50,
                              .standard_error = 1,
                              .growth_low = 50,
                              .growth_high = 120};
    char buf[REASON_MAX];
    assert_string_equal(claim_reason(&o, buf), "2 of 3 runs had not settled");
    o.n_seeds = o.n_unsettled = 1;
    o.standard_error = NAN;
    assert_string_equal(claim_reason(&o, buf), "one seed; 1 of 1 run had not settled");
}

static void outcome_text__names_a_record_only_where_there_is_one(void **state) {
    (void)state;
    static const struct {
        const char *verdict, *reason, *recorded;
        bool as_recorded;
        const char *text;
    } row[] = {{"holds", NULL, NULL, true, "holds"},
               {"does not hold", NULL, NULL, false, "does not hold"},
               {"not decided", "one seed", NULL, false, "not decided (one seed)"},
               {"not decided", "one seed", "not decided", true, "not decided (one seed), as recorded"},
               {"holds", NULL, "holds", true, "holds, as recorded"},
               {"holds", NULL, "not decided", false, "holds, recorded: not decided"},
               {"does not hold", NULL, "does not hold", false, "does not hold, recorded with another value"},
               {"roughly", NULL, "holds", false, "roughly, recorded with another value"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char buf[128];
        assert_string_equal(
            outcome_text(row[i].verdict, row[i].reason, row[i].recorded, row[i].as_recorded, buf, sizeof buf),
            row[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(claim_reason__none_for_a_verdict),
        UNIT(claim_reason__counts_seeds),
        UNIT(claim_reason__set_inferred),
        UNIT(claim_reason__missing_runs_come_first),
        UNIT(claim_reason__of_what_cannot_be_measured),
        UNIT(claim_reason__a_change_against_0),
        UNIT(claim_reason__no_spread),
        UNIT(claim_reason__runs_that_had_not_settled),
        UNIT(outcome_text__names_a_record_only_where_there_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
