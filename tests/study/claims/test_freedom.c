/* SPDX-License-Identifier: Apache-2.0 */
/* Digests show which combinations do not depend on the seed. */
#include "study/claims/freedom.h"
#include "study_test.h"

#include <stdlib.h>

/* Returns an experiment of four runs: two balancers, two seeds each. */
static struct experiment *sweep(void) {
    return read_text(STAR PERMUTATION "sweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}\n");
}

static json_t *with_digest(const char *digest) {
    return digest ? json_pack("{s: {s: s}}", "engine", "digest", digest) : NULL;
}

struct judged {
    struct experiment *e;
    json_t *result[4];
};

static struct judged judge(const char *const digest[4]) {
    struct judged j = {.e = sweep()};
    assert_int_equal(j.e->n_runs, 4);
    for (size_t i = 0; i < 4; i++) j.result[i] = with_digest(digest[i]);
    return j;
}

static void judged_end(struct judged *j) {
    for (size_t i = 0; i < 4; i++) json_decref(j->result[i]);
    experiment_free(j->e);
}

static char *warning(const struct judged *j) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    freedom_warn(j->e, j->result, out);
    fclose(out);
    return text;
}

static void freedom__every_seed_another_digest(void **state) {
    (void)state;
    struct judged j = judge((const char *[]){"a", "b", "a", "b"});
    struct freedom f = freedom_of(j.e, j.result);
    assert_int_equal(f.groups, 2);
    assert_int_equal(f.without, 0);
    for (size_t i = 0; i < 4; i++) assert_false(freedom_is_missing(j.e, j.result, i));
    char *text = warning(&j);
    assert_string_equal(text, "");
    free(text);
    judged_end(&j);
}

/* The seeds of the second balancer are the same run. Their numbers depend on the order of the sweep. */
static void freedom__one_combination_has_none(void **state) {
    (void)state;
    struct judged j = judge((const char *[]){"a", "b", "c", "c"});
    struct freedom f = freedom_of(j.e, j.result);
    assert_int_equal(f.groups, 2);
    assert_int_equal(f.without, 1);
    assert_int_equal(f.first, 2);
    for (size_t i = 0; i < 4; i++) assert_int_equal(freedom_is_missing(j.e, j.result, i), i >= 2);
    char *text = warning(&j);
    assert_non_null(
        strstr(text, "x.yaml: warning: in 1 of 2 combinations all seeds gave the same run, first in run 3 "));
    assert_non_null(strstr(text, "spray"));
    free(text);
    judged_end(&j);
}

/* A single seed decides nothing; runs without a result do not count. */
static void freedom__needs_two_results(void **state) {
    (void)state;
    struct judged j = judge((const char *[]){"a", NULL, NULL, NULL});
    struct freedom f = freedom_of(j.e, j.result);
    assert_int_equal(f.groups, 0);
    assert_int_equal(f.without, 0);
    assert_false(freedom_is_missing(j.e, j.result, 0));
    judged_end(&j);
}

static void freedom__a_sweep_over_seeds_alone(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR PERMUTATION "sweep: {run.seed: [1, 2, 3]}\n");
    json_t *result[3] = {with_digest("a"), with_digest("a"), with_digest("a")};
    struct freedom f = freedom_of(e, result);
    assert_int_equal(f.groups, 1);
    assert_int_equal(f.without, 1);
    json_decref(result[2]);
    result[2] = with_digest("b");
    assert_int_equal(freedom_of(e, result).without, 0);
    for (size_t i = 0; i < 3; i++) json_decref(result[i]);
    experiment_free(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(freedom__every_seed_another_digest),
        UNIT(freedom__one_combination_has_none),
        UNIT(freedom__needs_two_results),
        UNIT(freedom__a_sweep_over_seeds_alone),
    };
    return RUN_UNITS(tests);
}
