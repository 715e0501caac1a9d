/* SPDX-License-Identifier: Apache-2.0 */
/* How outcomes read: figures, verdicts and their numbers, short and long. */
#include "study/claims/words.h"

#include "made_claims.h"

static struct claim_words change_of(double measured, double half) {
    return (struct claim_words){.claim = "C",
                                .metric = "m",
                                .form = FORM_CHANGE,
                                .measured = measured,
                                .standard_error = half / 4,
                                .interval_low = measured - half,
                                .interval_high = measured + half,
                                .low = -INFINITY,
                                .high = 0.03,
                                .n_seeds = 20,
                                .verdict = VERDICT_HOLDS};
}

#define READS(words, function, expected)                                                                               \
    do {                                                                                                               \
        char text[256];                                                                                                \
        function(words, text, sizeof text);                                                                            \
        assert_string_equal(text, expected);                                                                           \
    } while (0)
#define OUTCOME(words, shouts, expected)                                                                               \
    do {                                                                                                               \
        char text[256];                                                                                                \
        claim_outcome_text(words, shouts, text, sizeof text);                                                          \
        assert_string_equal(text, expected);                                                                           \
    } while (0)

static void claim_measured__with_its_interval(void **state) {
    (void)state;
    struct claim_words w = change_of(-0.328, 0.027);
    READS(&w, claim_measured_text, "-32.8% (95 % interval -35.5% to -30.1%, 20 seeds)");
    READS(&w, claim_range_text, "at most +3.0%");
    w.high = 0;
    READS(&w, claim_range_text, "at most 0%");
    w.low = -0.5;
    READS(&w, claim_range_text, "-50.0% to 0%");
    w.high = INFINITY;
    READS(&w, claim_range_text, "at least -50.0%");
    w.low = -INFINITY;
    READS(&w, claim_range_text, "anything");
    w.high = 0.03;
    w.form = FORM_VALUE;
    w.measured = 16820;
    w.interval_low = 16000;
    w.interval_high = 17640.04;
    w.low = 1e-5;
    READS(&w, claim_measured_text, "16,820 (95 % interval 16,000 to 17,640, 20 seeds)");
    READS(&w, claim_range_text, "0.00001 to 0.03");
}

/* An interval lies where the figure can be, and rounding makes none. */
static void claim_measured__as_people_read_it(void **state) {
    (void)state;
    struct claim_words w = change_of(-0.9, 0.2);
    READS(&w, claim_measured_text, "-90.0% (95 % interval -100.0% to -70.0%, 20 seeds)");
    w = change_of(-0.99995, 1e-17);
    READS(&w, claim_measured_text, "-99.995% (95 % interval -99.995% to -99.995%, 20 seeds)");
    w = change_of(212, 10);
    READS(&w, claim_measured_text, "+21,200% (95 % interval +20,200% to +22,200%, 20 seeds)");
    w.form = FORM_VALUE;
    w.measured = 6.79;
    w.interval_low = 6.79 - 2.66e-15;
    w.interval_high = 6.79 + 2.66e-15;
    READS(&w, claim_measured_text, "6.79 (95 % interval 6.79 to 6.79, 20 seeds)");
    w.interval_low = -3;
    READS(&w, claim_measured_text, "6.79 (95 % interval 0 to 6.79, 20 seeds)");
}

static void claim_measured__without_an_interval(void **state) {
    (void)state;
    struct claim_words w = change_of(0.5, NAN);
    w.n_seeds = 1;
    READS(&w, claim_measured_text, "+50.0% (one seed)");
    w.n_seeds = 3;
    w.no_freedom = true;
    READS(&w, claim_measured_text, "+50.0% (no interval)");
}

static void claim_measured__nothing(void **state) {
    (void)state;
    struct claim_words w = change_of(NAN, NAN);
    READS(&w, claim_measured_text, "nothing");
    w.older = true;
    READS(&w, claim_measured_text, "nothing (the results are older than the metric)");
    w.reason = "a run failed";
    READS(&w, claim_measured_text, "nothing");
}

/* Only news are in capitals, only the verdict, and not while runs are missing. */
static void claim_outcome__news_in_capitals(void **state) {
    (void)state;
    struct claim_words w = change_of(0, 0);
    w.verdict = VERDICT_FAILS;
    w.recorded = verdict_word(VERDICT_HOLDS);
    w.reason = "best of 2: k 1";
    OUTCOME(&w, true, "does not hold (best of 2: k 1), recorded: holds");
    w.is_news = true;
    OUTCOME(&w, true, "DOES NOT HOLD (best of 2: k 1), recorded: holds");
    OUTCOME(&w, false, "does not hold (best of 2: k 1), recorded: holds");
    w.n_missing = 1;
    OUTCOME(&w, true, "does not hold (best of 2: k 1)");
    w.n_missing = 0;
    w.as_recorded = true;
    OUTCOME(&w, false, "does not hold (best of 2: k 1), as recorded");
}

/* The words of an evaluated outcome are those of its claim. */
static void claim_words__of_an_outcome(void **state) {
    (void)state;
    struct made m = make("{claim: C, metric: fct_us.mice.p95, " AGAINST ", change: [null, 0%]}", decided);
    struct claim_words w;
    char reason[REASON_MAX];
    evaluate(&m);
    claim_words_of(&m.o[0], &w, reason);
    assert_string_equal(w.claim, "C");
    assert_true(w.form == FORM_CHANGE && fabs(w.measured + 0.3) < 1e-12 && isinf(w.low) && w.high == 0);
    assert_string_equal(json_string_value(json_object_get(w.against, "switch.balance")), "ecmp");
    assert_int_equal(w.verdict, VERDICT_HOLDS);
    assert_null(w.recorded);
    made_free(&m);
}

static void claim_counts__in_words(void **state) {
    (void)state;
    struct claim_counts n = {0};
    struct claim_words w = change_of(0, 0);
    char text[256];
    claim_count(&n, &w);
    claim_counts_text(&n, text, sizeof text);
    assert_string_equal(text, "1 holds");
    claim_count(&n, &w);
    claim_counts_text(&n, text, sizeof text);
    assert_string_equal(text, "2 hold");
    w.verdict = VERDICT_UNDECIDED;
    w.recorded = verdict_word(VERDICT_HOLDS);
    claim_count(&n, &w); /* news */
    w.n_missing = 2;
    claim_count(&n, &w); /* cannot be compared yet */
    w.verdict = VERDICT_FAILS;
    w.n_missing = 0;
    w.as_recorded = true;
    claim_count(&n, &w);
    claim_counts_text(&n, text, sizeof text);
    assert_string_equal(text,
                        "2 hold, 1 does not hold, 2 are not decided; 1 other than recorded; runs are missing for 1");
    assert_int_equal(n.all, 5);
    assert_int_equal(n.recorded, 3);
}

static void verdict_sign__met_unmet_or_open(void **state) {
    (void)state;
    assert_int_equal(verdict_sign(VERDICT_HOLDS), 1);
    assert_int_equal(verdict_sign(VERDICT_ROUGHLY), 1);
    assert_int_equal(verdict_sign(VERDICT_FAILS), -1);
    assert_int_equal(verdict_sign(VERDICT_UNDECIDED), 0);
    assert_int_equal(verdict_sign(VERDICT_UNMEASURED), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(claim_measured__with_its_interval),
        UNIT(claim_measured__as_people_read_it),
        UNIT(claim_measured__without_an_interval),
        UNIT(claim_measured__nothing),
        UNIT(claim_outcome__news_in_capitals),
        UNIT(claim_words__of_an_outcome),
        UNIT(claim_counts__in_words),
        UNIT(verdict_sign__met_unmet_or_open),
    };
    return RUN_UNITS(tests);
}
