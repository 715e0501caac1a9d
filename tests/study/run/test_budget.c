/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/budget.h"

#include "study_test.h"

#include <math.h>

/* Two balancers, two loads, three seeds; what is foreseen is 10 s for load 0.1 and 100 s for load 0.9. The runs, by
 * their numbers: ecmp at 0.1 1 to 3, at 0.9 4 to 6; spray at 0.1 7 to 9, at 0.9 10 to 12. */
#define RUNS 12
struct lab {
    struct experiment *e;
    struct expectations x;
    json_t *result[RUNS];
    struct budget *budget;
};

static void lab_init(struct lab *lab, double seconds) {
    *lab = (struct lab){0};
    lab->e = read_text(
        "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 4}\n"
        "workload: {kind: poisson, sizes: 20KB, load: 0.5, load_at: tor-uplink, pairs: inter-rack, flows: 20}\n"
        "sweep: {switch.balance: [ecmp, spray], workload.0.load: [0.1, 0.9], run.seed: [1, 2, 3]}\n");
    static const double foreseen_s[RUNS] = {10, 10, 10, 100, 100, 100, 10, 10, 10, 100, 100, 100};
    lab->budget = budget_create(lab->e, &lab->x, lab->result, foreseen_s, seconds, 1000 + seconds);
}

static void lab_free(struct lab *lab) {
    for (size_t i = 0; i < RUNS; i++) json_decref(lab->result[i]);
    budget_free(lab->budget);
    experiment_free(lab->e);
}

#define NONE 0 /* SIZE_MAX + 1 */
/* The next run is the one of this number. */
static void starts(struct lab *lab, double now, size_t number) {
    assert_int_equal(budget_next(lab->budget, now) + 1, number);
}

/* The run of this number has simulated for so long, and ends now. */
static void finishes(struct lab *lab, size_t number, double simulated_s, double now) {
    lab->result[number - 1] = json_pack("{s:{s:f}}", "engine", "wall_s", simulated_s);
    budget_finished(lab->budget, number - 1, now);
}

static void says(const struct lab *lab, double now, const char *text) {
    char buf[256];
    assert_string_equal(budget_text(lab->budget, now, buf, sizeof buf), text);
}

/* A run needs a fifth more than it will take: 12 s, and 120 s. */
static void budget_next__starts_what_fits(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, 140);
    starts(&lab, 1000, 1);
    starts(&lab, 1000, 7);
    starts(&lab, 1000, 4);
    starts(&lab, 1020, 10); /* 120 s are left */
    starts(&lab, 1021, 2);  /* a second seed of load 0.1 */
    starts(&lab, 1128.5, NONE);
    lab_free(&lab);
}

/* The first run took half of what was foreseen: so will the others. */
static void budget_next__learns_from_finished_runs(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, 100);
    starts(&lab, 1000, 1);
    starts(&lab, 1000, 7);
    starts(&lab, 1000, 2); /* 100 s do not fit in 100 s */
    finishes(&lab, 1, 5, 1005);
    starts(&lab, 1005, 4);
    starts(&lab, 1040, 10);
    starts(&lab, 1041, 8);
    lab_free(&lab);
}

static void holds(struct lab *lab, size_t number, double mean_us, const char *digest) {
    lab->result[number - 1] = json_pack("{s:{s:{s:f}},s:{s:f,s:s}}", "fct_us", "mice", "mean", mean_us, "engine",
                                        "wall_s", 1.0, "digest", digest);
    budget_hold(lab->budget, number - 1);
}

/* At load 0.1 two seeds have told ecmp from spray, at 0.9 the intervals overlap: the third seed is worth more there. */
static void budget_next__asks_where_seeds_decide(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, 10000);
    holds(&lab, 1, 100, "a");
    holds(&lab, 2, 101, "b");
    holds(&lab, 7, 50, "c");
    holds(&lab, 8, 50.1, "d");
    holds(&lab, 4, 100, "e");
    holds(&lab, 5, 110, "f");
    holds(&lab, 10, 90, "g");
    holds(&lab, 11, 100, "h");
    starts(&lab, 1000, 6);
    starts(&lab, 1000, 12);
    starts(&lab, 1000, 3);
    starts(&lab, 1000, 9);
    starts(&lab, 1000, NONE);
    lab_free(&lab);
}

static void budget__that_is_over(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, 7200);
    assert_false(budget_is_over(lab.budget, 8199));
    assert_true(budget_left(lab.budget, 8199) == 1 && budget_left(lab.budget, 9000) == 0);
    assert_true(budget_is_over(lab.budget, 8200));
    starts(&lab, 8200, NONE);
    says(&lab, 8200, "the budget of 2:00 h is over");
    lab_free(&lab);
}

static void budget_text__tells_what_would_fit(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, 20);
    says(&lab, 1010, "no run that is left fits in the 10 s left of 20 s: the shortest takes about 10 s");
    lab_free(&lab);
    lab_init(&lab, 11);
    says(&lab, 1000,
         "no run that is left fits in the 11 s left of 11 s: the shortest takes about 10 s; give a longer "
         "budget");
    lab_free(&lab);
}

/* A run that an earlier command ended after 50 s does not start where less than 60 s are left, nor do its other
 * seeds. */
static void budget_tried__is_not_tried_in_vain_again(void **state) {
    (void)state;
    struct lab lab;
    lab_init(&lab, 55);
    budget_tried(lab.budget, 0, 50);
    starts(&lab, 1000, 7);
    starts(&lab, 1000, 8);
    starts(&lab, 1000, 9);
    starts(&lab, 1000, NONE);
    says(&lab, 1000,
         "no run that is left fits in the 55 s left of 55 s: the shortest takes about 50 s; give a longer "
         "budget");
    lab_free(&lab);
}

static void reads(const char *text, double seconds) {
    struct diag d;
    double read;
    assert_true(budget_read(text, &read, &d));
    assert_true(fabs(read - seconds) < 1e-9);
}

static void budget_read__times(void **state) {
    (void)state;
    reads("90s", 90);
    reads("500ms", 0.5);
    reads("90min", 5400);
    reads("2h", 7200);
    reads("1.5 h", 5400);
    reads("48h", 172800);
    static const char *const wrong[] = {"",  "2",   "0",  "0s",     "0h",    "-1h",
                                        "h", "min", "2d", "2hours", "two h", "1h30min"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct diag d;
        double seconds;
        char line[256];
        assert_false(budget_read(wrong[i], &seconds, &d));
        snprintf(line, sizeof line, "--budget %s: write a time above 0, such as 90s, 90min or 2h", wrong[i]);
        assert_string_equal(d.text, line);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(budget_next__starts_what_fits),
        UNIT(budget_next__learns_from_finished_runs),
        UNIT(budget_next__asks_where_seeds_decide),
        UNIT(budget__that_is_over),
        UNIT(budget_text__tells_what_would_fit),
        UNIT(budget_tried__is_not_tried_in_vain_again),
        UNIT(budget_read__times),
    };
    return RUN_UNITS(tests);
}
