/* SPDX-License-Identifier: Apache-2.0 */
/* What runs did not reach because their flows had ended before. */
#include "study/results/unreached.h"

#include "study_test.h"

#include <stdio.h>

static const struct config *config_of(const void *e, size_t run) {
    return &((const struct experiment *)e)->run[run].config;
}

/* A result whose last flow ended at to_us; n: flows that count, of 4. */
static json_t *ended(int run, double to_us, double sim_s, int n) {
    return json_pack("{s:i, s:{s:f}, s:{s:f}, s:{s:{s:i, s:i}}, s:{s:{s:{s:i, s:i}}}}", "run", run, "averages", "to_us",
                     to_us, "engine", "sim_s", sim_s, "fct_us", "all", "n", n, "unfinished", 0, "unwindowed", "fct_us",
                     "all", "n", 4, "unfinished", 0);
}

/* Begin of the phase `late` in the results, us; 0: they have no phases. */
static int late_from_us;

/* Returns the lines for an experiment with these settings, whose runs all end at 27 us of 100. */
static const char *said(const char *more, int n) {
    static char text[2048];
    char file[1024], *buf = NULL;
    size_t size;
    snprintf(file, sizeof file, "fabric: {kind: star, hosts: 4}\nworkload: {kind: permutation, sizes: 15KB}\n%s", more);
    struct experiment *e = read_text(file);
    json_t *result[2] = {ended(1, 27, 0.0001, n), e->n_runs > 1 ? ended(2, 27, 0.0001, n) : NULL};
    if (late_from_us)
        json_object_set_new(
            result[0], "phases",
            json_pack("{s:{s:f}, s:{s:f}}", "a", "from_us", 0.0, "late", "from_us", (double)late_from_us));
    FILE *out = open_memstream(&buf, &size);
    unreached_warn(result, e->n_runs, config_of, e, "x.yaml", out);
    fclose(out);
    snprintf(text, sizeof text, "%s", buf);
    free(buf);
    json_decref(result[0]);
    json_decref(result[1]);
    experiment_free(e);
    return text;
}

static void unreached__nothing_to_say(void **state) {
    (void)state;
    assert_string_equal(said("", 4), "");
    assert_string_equal(said("measure: {from: 20us, starts: [0%, 50%], queues: 100us, jain: 27us}\n", 2), "");
}

static void unreached__measure_from(void **state) {
    (void)state;
    assert_string_equal(
        said("measure: {from: 27us}\n", 0),
        "x.yaml: warning: measure.from: nothing is measured from 27us on, in 1 of 1 run; run 1 measures until "
        "27us\n");
    assert_string_equal(
        said("measure: {from: 20us}\n", 0),
        "x.yaml: warning: measure.from leaves out all 4 flows, in 1 of 1 run; run 1 measures until 27us\n");
}

/* Samples are taken until the engine ends, at 100 us; intervals end with the last flow. */
static void unreached__periods(void **state) {
    (void)state;
    assert_string_equal(
        said("measure: {queues: 101us}\n", 4),
        "x.yaml: warning: measure.queues: 0 samples of 101us, in 1 of 1 run; run 1 measures until 27us\n");
    assert_string_equal(
        said("measure: {jain: [28us, 30us], imbalance: 99us}\n", 4),
        "x.yaml: warning: measure.imbalance: 0 intervals of 99us, nor of 2 other periods, in 1 of 1 run; run 1 "
        "measures until 27us\n");
}

static void unreached__phases(void **state) {
    (void)state;
    late_from_us = 26;
    assert_string_equal(said("", 4), "");
    late_from_us = 28;
    assert_string_equal(
        said("", 4), "x.yaml: warning: measure.phases: the phase late begins at 28us, and nothing is averaged in it, "
                     "in 1 of 1 run; run 1 measures until 27us\n");
    assert_string_equal(said("run: {until: 28us}\n", 4), ""); /* told before the run */
    late_from_us = 0;
}

static void unreached__what_until_excludes_is_told_before(void **state) {
    (void)state;
    assert_string_equal(said("run: {until: 1ms}\nmeasure: {from: 3s, queues: 2s}\n", 0), "");
}

static void unreached__number_of_runs(void **state) {
    (void)state;
    assert_string_equal(
        said("measure: {from: 10us}\nsweep: {measure.from: [10us, 28us]}\n", 4),
        "x.yaml: warning: measure.from: nothing is measured from 28us on, in 1 of 2 runs; run 2 measures until "
        "27us\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(unreached__nothing_to_say),
        UNIT(unreached__measure_from),
        UNIT(unreached__periods),
        UNIT(unreached__phases),
        UNIT(unreached__what_until_excludes_is_told_before),
        UNIT(unreached__number_of_runs),
    };
    return RUN_UNITS(tests);
}
