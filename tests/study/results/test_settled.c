/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a run had settled, and the remarks on runs with incomplete numbers. */
#include "study/metrics/metrics.h"
#include "study/results/caveats.h"
#include "study/results/json_out.h"
#include "study/results/settled.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static struct open_flows course(double first, double last, double swing) {
    struct open_flows o = {.arrivals = 1000, .from = 0, .to = PS_PER_MS};
    for (int i = 0; i < OPEN_PARTS; i++) {
        double line = first + (last - first) * i / (OPEN_PARTS - 1);
        o.part_milli[i] = (int64_t)(1000 * (line + (i * 7 % 5 - 2) * swing));
    }
    return o;
}

/* F14 at 0.6: open flows climb from 155 to 731. */
static void settled__not_if_open_flows_climb(void **state) {
    (void)state;
    struct open_flows o = course(155, 731, 20);
    struct settling s = settling_of(&o);
    assert_true(s.is_known);
    assert_false(s.settled);
    assert_true(s.first > 155 && s.first < 250);
    assert_true(s.last > 640 && s.last < 731);
    assert_true(s.growth > 550 && s.growth < 660);
}

static void settled__if_they_swing_stay_or_fall(void **state) {
    (void)state;
    const struct open_flows flat = course(50, 50, 0), swing = course(50, 50, 10), fall = course(731, 155, 20),
                            little = course(100, 109, 0.1), few = course(1, 2.5, 0.01);
    assert_true(settling_of(&flat).settled);
    assert_true(settling_of(&swing).settled);
    assert_true(settling_of(&fall).settled);
    assert_true(settling_of(&little).settled); /* a tenth */
    assert_true(settling_of(&few).settled);    /* less than two flows */
}

/* Large growth does not count if correlated parts, such as one long wave, explain it. */
static void settled__neighbours_that_go_together_count_for_less(void **state) {
    (void)state;
    struct open_flows wave = course(100, 100, 0), noise = wave;
    for (int i = 0; i < OPEN_PARTS; i++) {
        wave.part_milli[i] +=
            i >= 7 && i < 19 ? 60000 : 0; /* 3.5 standard errors if parts were independent, 2.2 as they are */
        noise.part_milli[i] += i == 1 || i == 8 || i == 12 || i == 14 || i == 16 || i == 19 ? 60000 : 0;
    }
    assert_true(settling_of(&wave).settled);
    assert_true(settling_of(&noise).settled);
}

static void settled__unknown_with_few_arrivals(void **state) {
    (void)state;
    struct open_flows o = course(155, 731, 20), together = o;
    o.arrivals = SETTLED_ARRIVALS - 1;
    assert_false(settling_of(&o).is_known);
    o.arrivals = SETTLED_ARRIVALS;
    assert_true(settling_of(&o).is_known);
    together.to = together.from;
    assert_false(settling_of(&together).is_known);
}

static void open_flows__numbers_or_null(void **state) {
    (void)state;
    static struct outcome x;
    x.result.open = course(155, 731, 20);
    json_t *settings = json_object(), *o = metrics_object(1, settings, &x);
    assert_int_equal(json_integer_value(json_at(o, "open_flows.settled")), 0);
    assert_int_equal(json_integer_value(json_at(o, "open_flows.arrivals")), 1000);
    assert_true(json_real_value(json_at(o, "open_flows.to_us")) == 1000);
    json_decref(o);
    x.result.open.arrivals = 3;
    o = metrics_object(1, settings, &x);
    assert_true(json_is_null(json_at(o, "open_flows.settled")));
    assert_true(json_is_null(json_at(o, "open_flows.first")));
    json_decref(o);
    json_decref(settings);
}

/* The second half of the window over the first; null where one of them is empty. */
static void trend__of_halves(void **state) {
    (void)state;
    static struct outcome x;
    x.result.half[0].flows.times[CLASS_MICE].fct_ps = (struct summary){.n = 4, .mean = 200, .p99 = 1000};
    x.result.half[1].flows.times[CLASS_MICE].fct_ps = (struct summary){.n = 5, .mean = 300, .p99 = 900};
    x.result.half[0].queries.all = (struct summary){.n = 1, .p95 = 7};
    x.result.half[1].queries.all = (struct summary){.n = 1, .p95 = 14};
    x.result.half[0].counts.wasted_milli = (struct summary){.n = 1, .mean = 4};
    x.result.half[1].counts.wasted_milli = (struct summary){.n = 1, .mean = 2};
    json_t *settings = json_object(), *o = metrics_object(1, settings, &x);
    assert_true(json_real_value(json_at(o, "trend.fct_us.mice.mean")) == 1.5);
    assert_true(json_real_value(json_at(o, "trend.fct_us.mice.p99")) == 0.9);
    assert_int_equal(json_integer_value(json_at(o, "trend.fct_us.mice.n")), 5);
    assert_true(json_is_null(json_at(o, "trend.fct_us.all.mean")));
    assert_true(json_real_value(json_at(o, "trend.queries.all.p95")) == 2);
    assert_true(json_real_value(json_at(o, "trend.credits.wasted_per_flow.mean")) == 0.5);
    json_decref(o);
    json_decref(settings);
}

/* Open flows that become three times as many say nothing about a metric that has a trend. */
static void growth__is_the_trend_of_the_metric_if_it_has_one(void **state) {
    (void)state;
    json_t *r = json_pack("{s:{s:i, s:f, s:f}, s:{s:{s:{s:f, s:n}}}}", "open_flows", "settled", 0, "first", 10.0,
                          "last", 30.0, "trend", "fct_us", "mice", "mean", 0.9, "p99");
    assert_true(result_growth(r, "fct_us.mice.mean") == 0.9);
    assert_true(result_growth(r, "fct_us.mice.p99") == 3);
    assert_true(result_growth(r, "queues_bytes.mean") == 3);
    json_object_set_new(json_object_get(r, "open_flows"), "settled", json_integer(1));
    assert_true(result_growth(r, "fct_us.mice.mean") == 1);
    assert_true(result_growth(NULL, "fct_us.mice.mean") == 1);
    json_decref(r);
}

/* ---- warnings ---- */

static json_t *result(int run, int finished, int unfinished, int settled, double first, double last) {
    return json_pack("{s:i, s:{s:{s:i, s:i}}, s:{s:i, s:f, s:f, s:f}}", "run", run, "fct_us", "all", "n", finished,
                     "unfinished", unfinished, "open_flows", "settled", settled, "first", first, "last", last, "growth",
                     last - first);
}

static const char *said(json_t **r, size_t n) {
    static char text[2048];
    char *buf = NULL;
    size_t size;
    FILE *out = open_memstream(&buf, &size);
    caveats_warn(r, n, "x.yaml", out);
    fclose(out);
    snprintf(text, sizeof text, "%s", buf);
    free(buf);
    for (size_t i = 0; i < n; i++) json_decref(r[i]);
    return text;
}

static void caveats__one_line_of_each_kind_for_many_runs(void **state) {
    (void)state;
    json_t *r[] = {result(1, 100, 0, 1, 9, 9), result(2, 26, 17, 0, 155, 731), NULL, result(4, 99, 1, 0, 10, 20)};
    assert_string_equal(said(r, 4),
                        "x.yaml: warning: flows are missing from the completion times of 2 of 3 runs: 17 of 43 flows "
                        "had not finished when run 2 ended; end later (run.until), or offer less\n"
                        "x.yaml: warning: 2 of 3 runs had not settled: open flows grew from 155 to 731 over the "
                        "arrivals that count (run 2, which grew most); take a window of arrivals (measure.starts), "
                        "more flows, or less load\n");
}

/* The largest share is named, whichever run has it. */
static void caveats__the_worst_run_is_named(void **state) {
    (void)state;
    json_t *r[] = {result(1, 99, 1, 1, 9, 9), result(2, 26, 17, 1, 9, 9), result(3, 990, 20, 1, 9, 9)};
    assert_non_null(strstr(said(r, 3), "of 3 of 3 runs: 17 of 43 flows had not finished when run 2 ended"));
}

/* The run that lacks most is named; runs that failed have a reason of their own. */
static void caveats__flows_that_had_not_started(void **state) {
    (void)state;
    json_t *r[] = {result(1, 100, 0, 1, 9, 9), result(2, 100, 0, 1, 9, 9), result(3, 100, 0, 1, 9, 9)};
    for (int i = 0; i < 3; i++)
        json_object_set_new(r[i], "flows", json_pack("{s:i}", "not_started", i == 0 ? 2 : 7 * i));
    json_object_set_new(r[2], "failure", json_string("stuck"));
    assert_string_equal(said(r, 3),
                        "x.yaml: warning: flows had not started in 2 of 2 runs: 7 when run 2 ended; end later "
                        "(run.until)\n");
}

static void caveats__no_remedies_for_runs_that_failed(void **state) {
    (void)state;
    json_t *r[] = {result(1, 100, 50, 0, 9, 90)};
    json_object_set_new(r[0], "failure", json_string("stuck"));
    assert_string_equal(said(r, 1), "");
}

static void missing_flows__of_both_kinds(void **state) {
    (void)state;
    char buf[80];
    struct missing_flows m = {.of = 43};
    assert_string_equal(missing_flows_text(m, buf, sizeof buf), "");
    m.not_started = 1;
    assert_string_equal(missing_flows_text(m, buf, sizeof buf), "1 flow had not started");
    m.not_started = 2;
    assert_string_equal(missing_flows_text(m, buf, sizeof buf), "2 flows had not started");
    m.missing = 17;
    assert_string_equal(missing_flows_text(m, buf, sizeof buf), "17 of 43 flows had not finished, 2 had not started");
}

static void caveats__nothing_to_say(void **state) {
    (void)state;
    json_t *r[] = {result(1, 100, 0, 1, 9, 9), json_object(), NULL};
    assert_string_equal(said(r, 3), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(settled__not_if_open_flows_climb),
        UNIT(settled__if_they_swing_stay_or_fall),
        UNIT(settled__neighbours_that_go_together_count_for_less),
        UNIT(settled__unknown_with_few_arrivals),
        UNIT(open_flows__numbers_or_null),
        UNIT(trend__of_halves),
        UNIT(growth__is_the_trend_of_the_metric_if_it_has_one),
        UNIT(caveats__one_line_of_each_kind_for_many_runs),
        UNIT(caveats__the_worst_run_is_named),
        UNIT(caveats__flows_that_had_not_started),
        UNIT(caveats__no_remedies_for_runs_that_failed),
        UNIT(missing_flows__of_both_kinds),
        UNIT(caveats__nothing_to_say),
    };
    return RUN_UNITS(tests);
}
