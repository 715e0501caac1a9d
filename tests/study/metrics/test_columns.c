/* SPDX-License-Identifier: Apache-2.0 */
/* Which metrics are columns, by what the results have. */
#include "study/metrics/columns.h"

#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the paths of columns: "queries.2KB.p50 queries.2KB.p99". The caller frees the text. */
static char *paths_of(const struct metric_columns *c) {
    char *text = calloc(1, 4096);
    for (size_t i = 0; i < c->n; i++) {
        strcat(text, i ? " " : "");
        strcat(text, c->of[i].path);
    }
    return text;
}

/* Checks the paths of the columns of one result with this configuration. Takes the result. */
static void assert_chosen(json_t *result, const char *workload, const char *expected) {
    char config[128];
    snprintf(config, sizeof config, "workload:\n  - kind: %s\n    sizes: 64KB\n", workload);
    const json_t *const results[] = {NULL, result};
    const char *const configs[] = {NULL, config};
    struct metric_columns c = metric_columns_choose(&(struct columns_request){results, configs, 2, NULL, 0});
    char *text = paths_of(&c);
    assert_string_equal(text, expected);
    free(text);
    metric_columns_free(&c);
    json_decref(result);
}

#define ENDS "fairness.jain_mean convergence_us.last packets.dropped counters.drop_link_down"

/* ---- queries ---- */

static json_t *queries_of(const char *size, const char *other) {
    json_t *queries = json_pack("{s:i, s:{}, s:{}}", "started", 4, "all", "timeouts");
    json_object_set_new(queries, size, json_object());
    json_object_set_new(queries, other, json_object());
    return json_pack("{s:o}", "queries", queries);
}

/* The sizes stand in place of SIZE, each with its median and its 99th percentile side by side. */
static void columns__of_queries_by_their_sizes(void **state) {
    (void)state;
    assert_chosen(queries_of("8KiB", "500B"), "query",
                  "queries.8KiB.p50 queries.8KiB.p99 queries.500B.p50 queries.500B.p99 queries.timeouts.share.0 " ENDS);
    assert_chosen(queries_of("all", "sets"), "query", /* no size of its own */
                  "queries.all.p50 queries.all.p99 queries.timeouts.share.0 " ENDS);
}

static void columns__four_sizes_at_most(void **state) {
    (void)state;
    json_t *result = queries_of("1KB", "2KB"), *queries = json_object_get(result, "queries");
    json_object_set_new(queries, "3KB", json_object());
    json_object_set_new(queries, "4KB", json_object());
    json_object_set_new(queries, "5KB", json_object());
    const json_t *const results[] = {result};
    struct metric_columns c = metric_columns_choose(&(struct columns_request){.result = results, .n = 1});
    assert_true(metric_columns_have(&c, "queries.4KB.p99"));
    assert_false(metric_columns_have(&c, "queries.5KB.p99"));
    metric_columns_free(&c);
    json_decref(result);
}

/* Sets of queries have a column of their own. */
static void columns__of_sets(void **state) {
    (void)state;
    json_t *result = queries_of("all", "by_priority");
    json_object_set_new(json_object_get(result, "queries"), "sets", json_pack("{s:{s:i}}", "all", "n", 4));
    assert_chosen(result, "web-partition",
                  "queries.all.p50 queries.all.p99 queries.sets.all.p99 queries.timeouts.share.0 " ENDS);
}

/* ---- flows ---- */

/* Returns a result of so many flows, mice and elephants; with a load that lasts, so many arrivals count. */
static json_t *flows_of(int all, int mice, int elephants, int arrivals) {
    return json_pack("{s:{s:{s:i}, s:{s:i}, s:{s:i}}, s:{s:i}}", "fct_us", "all", "n", all, "mice", "n", mice,
                     "elephant", "n", elephants, "open_flows", "arrivals", arrivals);
}

/* Mice and elephants have columns where flows are of both; goodput stands where there are no completion times. */
static void columns__of_an_offered_load(void **state) {
    (void)state;
    assert_chosen(flows_of(100, 60, 10, 100), "poisson",
                  "fct_us.mice.mean fct_us.mice.p99 fct_us.elephant.mean fct_us.all.mean fct_us.all.p99 "
                  "goodput_mbps.all.mean goodput_mbps.all.jain goodput_gbps.mean goodput_gbps.jain " ENDS);
    assert_chosen(flows_of(100, 100, 0, 100), "poisson",
                  "fct_us.all.mean fct_us.all.p99 goodput_mbps.all.mean goodput_mbps.all.jain goodput_gbps.mean "
                  "goodput_gbps.jain " ENDS);
}

/* An incast asks for its tail, its last completion, drops and the fullest buffer. */
static void columns__of_an_incast(void **state) {
    (void)state;
    assert_chosen(flows_of(240, 240, 0, 0), "incast",
                  "fct_us.all.mean fct_us.all.p99 fct_us.all.max goodput_gbps.mean goodput_gbps.jain "
                  "fairness.jain_mean convergence_us.last packets.dropped counters.drop_link_down buffers_bytes.max");
}

/* That no frame was dropped tells something of an incast, and little of a load. */
static void columns__of_zeros(void **state) {
    (void)state;
    static const char *const configs[] = {"workload:\n  - kind: incast\n"};
    json_t *result = flows_of(240, 240, 0, 0);
    const json_t *const results[] = {result};
    struct metric_columns incast = metric_columns_choose(&(struct columns_request){results, configs, 1, NULL, 0}),
                          load = metric_columns_choose(&(struct columns_request){results, NULL, 1, NULL, 0});
    for (size_t i = 0; i < incast.n; i++)
        assert_true(incast.of[i].shows_zero == (strcmp(incast.of[i].path, "packets.dropped") == 0));
    for (size_t i = 0; i < load.n; i++) assert_false(load.of[i].shows_zero);
    metric_columns_free(&incast);
    metric_columns_free(&load);
    json_decref(result);
}

static void columns__of_long_flows(void **state) {
    (void)state;
    const json_t *const results[] = {json_pack("{s:{s:i}}", "open_flows", "arrivals", 0)};
    static const char *const configs[] = {"workload:\n  - kind: long\n"};
    struct metric_columns c = metric_columns_choose(&(struct columns_request){results, configs, 1, NULL, 0});
    for (size_t i = 0; i < c.n; i++) {
        if (strncmp(c.of[i].path, "goodput_mbps.", 13) == 0) assert_null(c.of[i].unless[0]);
    }
    assert_true(metric_columns_have(&c, "goodput_mbps.all.jain"));
    metric_columns_free(&c);
    json_decref((json_t *)results[0]);
}

/* Pauses and credits have columns where there are any. */
static void columns__of_what_the_scheme_does(void **state) {
    (void)state;
    json_t *paused = flows_of(100, 100, 0, 100), *credits = flows_of(100, 100, 0, 100);
    json_object_set_new(paused, "pauses", json_pack("{s:i}", "sent", 3));
    json_object_set_new(credits, "credits", json_pack("{s:i}", "sent", 3));
    static const char flows[] = "fct_us.all.mean fct_us.all.p99 goodput_mbps.all.mean goodput_mbps.all.jain "
                                "goodput_gbps.mean goodput_gbps.jain ";
    char expected[512];
    snprintf(expected, sizeof expected, "%s" ENDS " buffers_bytes.max pauses.paused_us", flows);
    assert_chosen(paused, "poisson", expected);
    snprintf(expected, sizeof expected, "%s" ENDS " queues_bytes.max", flows);
    assert_chosen(credits, "poisson", expected);
}

/* What the file gives a name has columns of its own: phases, entries of the workload, classes of sizes. */
static void columns__of_named_parts(void **state) {
    (void)state;
    json_t *result = flows_of(100, 100, 0, 100), *fct = json_object_get(result, "fct_us");
    json_object_set_new(result, "phases", json_pack("{s:{}, s:{}}", "before", "during"));
    json_object_set_new(fct, "trace", json_object());
    json_object_set_new(fct, "under_10KB", json_object());
    json_object_set_new(fct, "from_10KB", json_object());
    assert_chosen(result, "poisson",
                  "phases.before.fct_us.all.p99 phases.during.fct_us.all.p99 phases.before.packets.dropped "
                  "phases.during.packets.dropped fct_us.trace.all.p99 fct_us.under_10KB.p99 fct_us.from_10KB.p99 "
                  "fct_us.all.mean fct_us.all.p99 goodput_mbps.all.mean goodput_mbps.all.jain goodput_gbps.mean "
                  "goodput_gbps.jain " ENDS);
}

/* Without any result the columns are those of flows. */
static void columns__of_no_result(void **state) {
    (void)state;
    const json_t *const results[] = {NULL};
    struct metric_columns c = metric_columns_choose(&(struct columns_request){.result = results, .n = 1});
    assert_string_equal(c.of[0].path, "fct_us.mice.mean");
    metric_columns_free(&c);
}

/* ---- asked for ---- */

/* A path that someone asks for is one column with the head and the unit of its metric. */
static void columns__asked_for(void **state) {
    (void)state;
    static const char *const path[] = {"packets.dropped", "fct_us.mice.p99", "packets.dropped"};
    struct metric_columns c = metric_columns_of(path, 3);
    assert_int_equal(c.n, 2);
    assert_string_equal(c.of[1].path, "fct_us.mice.p99");
    assert_string_equal(c.of[1].head, "mice 99th");
    assert_string_equal(c.of[1].label, "FCT mice 99th");
    assert_int_equal(c.of[1].unit, UNIT_US);
    assert_int_equal(c.of[1].better, METRIC_LESS);
    assert_true(c.of[0].is_asked && c.of[0].shows_zero);
    metric_columns_free(&c);
}

/* Metrics of expectations are columns: in their place, or before all others. */
static void columns__of_expectations(void **state) {
    (void)state;
    static const char *const asked[] = {"packets.dropped", "fct_us.all.p95"};
    json_t *result = flows_of(100, 100, 0, 100);
    const json_t *const results[] = {result};
    struct metric_columns c = metric_columns_choose(&(struct columns_request){results, NULL, 1, asked, 2});
    assert_string_equal(c.of[0].path, "fct_us.all.p95");
    assert_string_equal(c.of[1].path, "fct_us.all.mean");
    for (size_t i = 0; i < c.n; i++) {
        bool is_asked = i == 0 || strcmp(c.of[i].path, "packets.dropped") == 0;
        assert_true(c.of[i].shows_zero == is_asked && c.of[i].is_asked == is_asked);
    }
    metric_columns_free(&c);
    json_decref(result);
}

/* The column of timeouts shows the rest to 1 of the share without. */
static void columns__the_rest_of_a_share(void **state) {
    (void)state;
    json_t *result = json_pack("{s:{s:i, s:{s:{s:f}}}}", "queries", "started", 4, "timeouts", "share", "0", 0.75);
    const json_t *const results[] = {result};
    struct metric_columns c = metric_columns_choose(&(struct columns_request){.result = results, .n = 1});
    size_t at = 0;
    while (at < c.n && !c.of[at].is_rest) at++;
    assert_true(at < c.n);
    assert_string_equal(c.of[at].head, "with timeouts");
    assert_int_equal(c.of[at].better, METRIC_LESS);
    assert_true(metric_column_value(&c.of[at], result) == 0.25);
    assert_true(isnan(metric_column_value(&c.of[at], NULL)));
    metric_columns_free(&c);
    json_decref(result);
}

static void columns_further__each_once(void **state) {
    (void)state;
    struct metric_columns c = metric_columns_further();
    for (size_t i = 0; i < c.n; i++) {
        struct metric_info info;
        assert_true(metric_describe(c.of[i].path, &info));
        for (size_t k = 0; k < i; k++) assert_string_not_equal(c.of[i].path, c.of[k].path);
    }
    assert_true(c.n > 10);
    metric_columns_free(&c);
}

/* ---- documents ---- */

/* Every column that a table can show by itself is explained, each path once; and so is every other number, which --columns may name. */
static void columns__each_is_explained(void **state) {
    (void)state;
    struct column_doc c;
    size_t n = 0, n_metrics;
    for (; metric_column_doc(n, &c); n++) {
        struct column_doc other;
        if (!c.doc || strlen(c.doc) < 12) fail_msg("the column %s (%s) has no meaning", c.head, c.path);
        if (!c.head[0]) fail_msg("the column %s has no head", c.path);
        for (size_t k = 0; k < n && metric_column_doc(k, &other); k++) assert_string_not_equal(other.path, c.path);
    }
    assert_in_range(n, 40, 80);
    const struct metric *const *row = metrics(&n_metrics);
    for (size_t i = 0; i < n_metrics; i++)
        if (!row[i]->doc || strlen(row[i]->doc) < 4) fail_msg("%s has no meaning", row[i]->path);
}

/* What tables choose for real results is among what is explained: its path, with words in capitals for names of the results. */
static void columns__chosen_ones_are_explained(void **state) {
    (void)state;
    struct metric_columns further = metric_columns_further();
    for (size_t i = 0; i < further.n; i++) {
        struct column_doc c = {0};
        size_t k = 0;
        while (metric_column_doc(k, &c) && strcmp(c.path, further.of[i].path) != 0) k++;
        assert_string_equal(c.path, further.of[i].path);
        assert_string_equal(c.head, further.of[i].head);
    }
    metric_columns_free(&further);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(columns__of_queries_by_their_sizes),
        UNIT(columns__four_sizes_at_most),
        UNIT(columns__of_sets),
        UNIT(columns__of_an_offered_load),
        UNIT(columns__of_an_incast),
        UNIT(columns__of_zeros),
        UNIT(columns__of_long_flows),
        UNIT(columns__of_what_the_scheme_does),
        UNIT(columns__of_named_parts),
        UNIT(columns__of_no_result),
        UNIT(columns__asked_for),
        UNIT(columns__of_expectations),
        UNIT(columns__the_rest_of_a_share),
        UNIT(columns_further__each_once),
        UNIT(columns__each_is_explained),
        UNIT(columns__chosen_ones_are_explained),
    };
    return RUN_UNITS(tests);
}
