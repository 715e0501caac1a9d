/* SPDX-License-Identifier: Apache-2.0 */
/* Where further seeds may decide something. */
#include "study/claims/open.h"

#include "study_test.h"

#include <math.h>

/* Two balancers at two loads with three seeds. */
#define RUNS 12
struct lab {
    struct experiment *e;
    struct expectations x;
    json_t *result[RUNS];
};

static void lab_init(struct lab *lab, const char *expect) {
    char text[2048];
    struct diag d;
    *lab = (struct lab){0};
    snprintf(text, sizeof text,
             STAR "workload: [{kind: poisson, sizes: 1KB, load: 0.1, load_at: host, flows: 3}]\n"
                  "sweep: {switch.balance: [ecmp, spray], workload.0.load: [0.3, 0.5], run.seed: [1, 2, 3]}\n"
                  "expect: [%s]\n",
             expect);
    lab->e = read_text(text);
    if (!expectations_read(lab->e, &lab->x, &d)) fail_msg("%d:%d: %s", d.line, d.col, d.text);
}

static void lab_free(struct lab *lab) {
    for (size_t i = 0; i < RUNS; i++) json_decref(lab->result[i]);
    expectations_free(&lab->x);
    experiment_free(lab->e);
}

/* Results of a place: so many seeds as there are numbers before the first NAN. */
static void has(struct lab *lab, size_t place, double first, double second, double third) {
    const double mean[] = {first, second, third};
    for (size_t i = 0; i < 3 && !isnan(mean[i]); i++) {
        char digest[32];
        snprintf(digest, sizeof digest, "%.17g", mean[i]); /* equal results are equal runs */
        json_decref(lab->result[3 * place + i]);
        lab->result[3 * place + i] = json_pack("{s:{s:i},s:{s:{s:f}},s:{s:s}}", "flows", "unfinished", 0, "fct_us",
                                               "mice", "mean", mean[i], "engine", "digest", digest);
    }
}

enum place { ECMP_3, ECMP_5, SPRAY_3, SPRAY_5 };

/* The open places in the order of enum place, "E3 E5 S3 S5". All runs of a place are as open as its first. */
static const char *open_places(const struct lab *lab, bool rows) {
    static const char *const name[] = {"E3", "E5", "S3", "S5"};
    static char text[16];
    bool open[RUNS];
    if (rows)
        claims_open(&lab->x, lab->e, lab->result, open);
    else
        expectations_open(&lab->x, lab->e, lab->result, open);
    text[0] = '\0';
    for (size_t place = 0; place < 4; place++) {
        assert_true(open[3 * place] == open[3 * place + 1] && open[3 * place] == open[3 * place + 2]);
        if (open[3 * place])
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? " " : "", name[place]);
    }
    return text;
}

static const char *open_by_rows(const struct lab *lab) { return open_places(lab, true); }
static const char *open_by_claims(const struct lab *lab) { return open_places(lab, false); }

static void rows__of_one_seed_are_open(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "");
    assert_string_equal(open_by_rows(&lab), ""); /* there is nothing to compare yet */
    has(&lab, ECMP_3, 100, NAN, NAN);
    assert_string_equal(open_by_rows(&lab), "");
    has(&lab, SPRAY_3, 50, NAN, NAN);
    assert_string_equal(open_by_rows(&lab), "E3 S3");
    lab_free(&lab);
}

static void rows__are_open_while_their_intervals_overlap(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "");
    has(&lab, ECMP_3, 100, 101, NAN);
    has(&lab, SPRAY_3, 50, 50.1, NAN);
    has(&lab, ECMP_5, 100, 110, NAN);
    has(&lab, SPRAY_5, 90, 100, NAN);
    assert_string_equal(open_by_rows(&lab), "E5 S5");
    lab_free(&lab);
}

/* Two seeds that gave the same run: a third would give it again. */
static void rows__that_the_seed_does_not_change_are_not_open(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "");
    has(&lab, ECMP_3, 100, 100, NAN);
    has(&lab, SPRAY_3, 50, NAN, NAN);
    assert_string_equal(open_by_rows(&lab), "S3");
    lab_free(&lab);
}

#define CHANGE                                                                                                         \
    "{claim: C, metric: fct_us.mice.mean, of: {switch.balance: spray}, against: {switch.balance: ecmp}, "              \
    "each: workload.0.load, change: [-100%, -20%]}"

/* At 0.3 the change is -50 %, far from the bound by its interval; at 0.5 the seeds differ too much. */
static void expectations__are_open_until_the_interval_is_narrow(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, CHANGE);
    has(&lab, ECMP_3, 100, 101, NAN);
    has(&lab, SPRAY_3, 50, 50.6, NAN);
    has(&lab, ECMP_5, 100, 110, NAN);
    has(&lab, SPRAY_5, 90, 70, NAN);
    assert_string_equal(open_by_claims(&lab), "E5 S5");
    lab_free(&lab);
}

/* A seed counts once both sides have it. */
static void expectations__are_judged_by_whole_seeds(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, CHANGE);
    has(&lab, ECMP_3, 100, 101, NAN);
    has(&lab, SPRAY_3, 50, NAN, NAN);
    assert_string_equal(open_by_claims(&lab), "E3 S3"); /* one seed */
    has(&lab, SPRAY_3, 50, 50.6, 10);
    assert_string_equal(open_by_claims(&lab), "");
    lab_free(&lab);
}

/* Neither needs an interval, and nothing can be measured at 0.5. */
static void expectations__that_no_seed_can_help_are_not_open(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, "{claim: C, metric: fct_us.mice.mean, of: {switch.balance: spray, workload.0.load: 0.3}, every: "
                   "true, value: [0, 60]}, {claim: D, metric: fct_us.elephant.mean, of: {switch.balance: spray, "
                   "workload.0.load: 0.5}, value: [0, 60]}");
    has(&lab, SPRAY_3, 50, NAN, NAN);
    has(&lab, SPRAY_5, 50, NAN, NAN);
    assert_string_equal(open_by_claims(&lab), "");
    lab_free(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(rows__of_one_seed_are_open),
        UNIT(rows__are_open_while_their_intervals_overlap),
        UNIT(rows__that_the_seed_does_not_change_are_not_open),
        UNIT(expectations__are_open_until_the_interval_is_narrow),
        UNIT(expectations__are_judged_by_whole_seeds),
        UNIT(expectations__that_no_seed_can_help_are_not_open),
    };
    return RUN_UNITS(tests);
}
