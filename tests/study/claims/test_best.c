/* SPDX-License-Identifier: Apache-2.0 */
/* `best`: claims of "up to", which hold if they hold at one of several values. */
#include "made_claims.h"

#include "study/claims/reason.h"

#define UP_TO "of: {switch.balance: expeditus}, against: {switch.balance: ecmp}, best: workload.0.load"

/* Fails unless the only outcome has this verdict, and the figure of this load. */
static void best_is(const char *range, const double *p95, enum verdict verdict, double measured, double load) {
    char expect[256], reason[REASON_MAX], wanted[64];
    snprintf(expect, sizeof expect, "{claim: C, metric: fct_us.mice.p95, " UP_TO ", change: %s}", range);
    struct made m = make(expect, p95);
    evaluate(&m);
    assert_int_equal(m.n, 1);
    if (m.o[0].verdict != verdict) fail_msg("%s: %s", range, verdict_word(m.o[0].verdict));
    near(m.o[0].measured, measured);
    near(json_number_value(json_object_get(m.o[0].best, "workload.0.load")), load);
    assert_int_equal(json_object_size(m.o[0].where), 0);
    assert_int_equal(m.o[0].n_best, 2);
    assert_int_equal(m.o[0].n_runs, 8);
    snprintf(wanted, sizeof wanted, "best of 2: workload.0.load %g", load);
    assert_non_null(strstr(claim_reason(&m.o[0], reason), wanted));
    made_free(&m);
}

/* -30 % at 0.3, -37.5 % at 0.5. The closed end of the range is the claim; what lies further from it is better. */
static void best__holds_if_it_holds_at_one_value(void **state) {
    (void)state;
    best_is("[null, -35%]", decided, VERDICT_HOLDS, -0.375, 0.5);
    best_is("[null, -20%]", decided, VERDICT_HOLDS, -0.375, 0.5);
    best_is("[null, -40%]", decided, VERDICT_FAILS, -0.375, 0.5);
    best_is("[-35%, null]", decided, VERDICT_HOLDS, -0.3, 0.3);
    best_is("[-20%, null]", decided, VERDICT_FAILS, -0.3, 0.3);
}

/* At 0.5 the seeds say -50 and -25 %, at 0.3 both say -30: the better figure is not decided, the other is. */
static const double mixed[] = {100, 200, 400, 400, 70, 140, 300, 200};

static void best__takes_a_decided_value_before_a_better_one(void **state) {
    (void)state;
    best_is("[null, -25%]", mixed, VERDICT_HOLDS, -0.3, 0.3);
    best_is("[null, -35%]", mixed, VERDICT_UNDECIDED, -0.375, 0.5); /* fails at 0.3, open at 0.5 */
}

/* Of load 0.5 alone the standard error is 12.5 points; the best of two loads is given the quantile of 2.5 % with 1 degree of
 * freedom, 25.4517, in place of 12.7062. */
static void best__widens_the_interval(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " UP_TO ", change: [null, -35%]}", mixed);
    evaluate(&m);
    near(m.o[0].standard_error, 0.125);
    assert_true(fabs(m.o[0].interval_high + 0.375 - 0.125 * 25.4517) < 1e-3);
    json_t *line = claim_json(&m.o[0]);
    assert_int_equal(json_integer_value(json_object_get(line, "n_best")), 2);
    near(json_number_value(json_object_get(json_object_get(line, "best"), "workload.0.load")), 0.5);
    json_decref(line);
    made_free(&m);
}

/* A difference of 4 standard errors decides for one place, and not for the best of two, which takes 3 x 2.003. */
static void best__needs_more_seeds_for_a_verdict(void **state) {
    (void)state;
    static const double p95[] = {100, 100, 100, 100, 48, 52, 130, 130};
    static const char *const range = "change: [null, -42%]"; /* -50 %, standard error 2 points */
    struct made m;
    char text[256];
    for (int best = 0; best < 2; best++) {
        snprintf(text, sizeof text,
                 "{claim: C, metric: fct_us.mice.p95, of: {switch.balance: expeditus}, against: "
                 "{switch.balance: ecmp}, %s: workload.0.load, %s}",
                 best ? "best" : "each", range);
        m = make(text, p95);
        evaluate(&m);
        near(m.o[0].measured, -0.5);
        assert_int_equal(m.o[0].verdict, best ? VERDICT_UNDECIDED : VERDICT_HOLDS);
        made_free(&m);
    }
}

/* A run without a result leaves it open, unless it holds elsewhere. */
static void best__counts_missing_runs(void **state) {
    (void)state;
    static const double p95[] = {100, 200, 400, 800, 70, 140, NAN, 500};
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " UP_TO ", change: [null, -35%]}, "
                         "{claim: D, metric: fct_us.mice.p95, " UP_TO ", change: [null, -25%]}",
                         p95);
    evaluate(&m);
    assert_int_equal(m.o[0].verdict, VERDICT_UNDECIDED);
    assert_int_equal(m.o[1].verdict, VERDICT_HOLDS);
    assert_int_equal(m.o[0].n_missing, 1);
    made_free(&m);
}

/* `each` beside it makes an outcome for each of its values, and the record's statement names the key. */
static void best__beside_each(void **state) {
    (void)state;
    struct made m = make(
        "{claim: C, metric: fct_us.mice.p95, each: switch.balance, best: workload.0.load, value: [null, 80]}", decided);
    evaluate(&m);
    assert_int_equal(m.n, 2);
    assert_string_equal(json_string_value(json_object_get(m.o[0].where, "switch.balance")), "ecmp");
    assert_int_equal(json_object_size(m.o[0].where), 1);
    json_t *statement = claim_statement(&m.x.item[0]);
    assert_string_equal(json_string_value(json_array_get(json_object_get(statement, "best"), 0)), "workload.0.load");
    json_decref(statement);
    made_free(&m);
}

static void wrong(const char *rest, const char *line) {
    char text[1024];
    snprintf(text, sizeof text, SWEEP "expect:\n  - {claim: C, metric: fct_us.mice.p95, %s}\n", rest);
    struct diag d = {0};
    struct expectations x;
    struct experiment *e = read_text(text);
    assert_false(expectations_read(e, &x, &d));
    assert_string_equal(d.text, line);
    experiment_free(e);
}

static void best__errors(void **state) {
    (void)state;
    wrong("of: {switch.balance: ecmp}, best: workload.0.load, value: [0, 1]",
          "best needs a range with one open end, which says what is better; write null for it");
    wrong("each: switch.balance, best: [switch.balance, workload.0.load], value: [0, null]",
          "best: switch.balance is in each or of already; name it once");
    wrong("of: {switch.balance: ecmp}, best: workload.0.load, every: true, value: [0, null]",
          "best compares figures over seeds; leave every out");
    wrong("of: {switch.balance: ecmp}, best: workload.0.laod, value: [0, null]",
          "'workload.0.laod' is not swept, so no runs differ in it; did you mean 'workload.0.load'?");
    wrong("best: [against.switch.balance, workload.0.load], against: {switch.balance: ecmp}, ratio: [0, null]",
          "best: write switch.balance, a key of the runs themselves");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(best__holds_if_it_holds_at_one_value),
        UNIT(best__takes_a_decided_value_before_a_better_one),
        UNIT(best__widens_the_interval),
        UNIT(best__needs_more_seeds_for_a_verdict),
        UNIT(best__counts_missing_runs),
        UNIT(best__beside_each),
        UNIT(best__errors),
    };
    return RUN_UNITS(tests);
}
