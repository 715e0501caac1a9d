/* SPDX-License-Identifier: Apache-2.0 */
/* Which metrics are columns, by what the results have. */
#include "study/metrics/columns.h"

#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the paths of the columns that a place shows for one result: "queries.2KB.p50 queries.2KB.p99". Takes the
 * result; the caller frees the text. */
static char *chosen(enum metric_place place, json_t *result) {
    const json_t *const results[] = {NULL, result};
    struct metric_columns c = metric_columns_choose(place, results, 2);
    char *text = calloc(1, 4096);
    for (size_t i = 0; i < c.n; i++) {
        strcat(text, i ? " " : "");
        strcat(text, c.of[i].path);
    }
    metric_columns_free(&c);
    json_decref(result);
    return text;
}

static json_t *queries_of(const char *size, const char *other) {
    json_t *queries = json_pack("{s:i, s:{}, s:{}}", "started", 4, "all", "timeouts");
    json_object_set_new(queries, size, json_object());
    json_object_set_new(queries, other, json_object());
    return json_pack("{s:o}", "queries", queries);
}

/* The sizes stand in place of SIZE, each with its median and its 99th percentile side by side. */
static void columns__of_queries_by_their_sizes(void **state) {
    (void)state;
    char *text = chosen(METRIC_IN_TABLE, queries_of("8KiB", "500B"));
    assert_string_equal(text,
                        "queries.8KiB.p50 queries.8KiB.p99 queries.500B.p50 queries.500B.p99 queries.timeouts.share.0");
    free(text);
    text = chosen(METRIC_IN_TABLE, queries_of("all", "sets")); /* no size of its own */
    assert_string_equal(text, "queries.all.p50 queries.all.p99 queries.timeouts.share.0");
    free(text);
}

static void columns__four_sizes_at_most(void **state) {
    (void)state;
    json_t *result = queries_of("1KB", "2KB"), *queries = json_object_get(result, "queries");
    json_object_set_new(queries, "3KB", json_object());
    json_object_set_new(queries, "4KB", json_object());
    json_object_set_new(queries, "5KB", json_object());
    char *text = chosen(METRIC_IN_TABLE, result);
    assert_non_null(strstr(text, "queries.4KB.p99"));
    assert_null(strstr(text, "5KB"));
    free(text);
}

/* Without queries, and where there is no result at all, they are those of flows. */
static void columns__of_flows(void **state) {
    (void)state;
    char *text = chosen(METRIC_IN_TABLE, json_pack("{s:{s:i}}", "queries", "started", 0)),
         *none = chosen(METRIC_IN_TABLE, NULL);
    assert_string_equal(text,
                        "fct_us.mice.mean fct_us.mice.p95 fct_us.elephant.mean fct_us.elephant.p95 fct_us.all.mean "
                        "goodput_mbps.all.mean goodput_mbps.all.jain goodput_gbps.mean goodput_gbps.jain");
    assert_string_equal(none, text);
    free(text);
    free(none);
}

/* A path that someone asks for is one column with the head and the unit of its metric. */
static void columns__asked_for(void **state) {
    (void)state;
    static const char *const path[] = {"packets.dropped", "fct_us.mice.p99"};
    struct metric_columns c = metric_columns_of(path, 2);
    assert_int_equal(c.n, 2);
    assert_string_equal(c.of[1].path, "fct_us.mice.p99");
    assert_string_equal(c.of[1].head, "mice 99th");
    assert_string_equal(c.of[1].label, "FCT mice 99th");
    assert_int_equal(c.of[1].unit, UNIT_US);
    assert_int_equal(c.of[1].better, METRIC_LESS);
    metric_columns_free(&c);
}

/* The column of timeouts shows the rest to 1 of the share without. */
static void columns__the_rest_of_a_share(void **state) {
    (void)state;
    json_t *result = json_pack("{s:{s:i, s:{s:{s:f}}}}", "queries", "started", 4, "timeouts", "share", "0", 0.75);
    const json_t *const results[] = {result};
    struct metric_columns c = metric_columns_choose(METRIC_IN_TABLE, results, 1);
    const struct metric_column *last = &c.of[c.n - 1];
    assert_string_equal(last->head, "with timeouts");
    assert_int_equal(last->better, METRIC_LESS);
    assert_true(metric_column_value(last, result) == 0.25);
    assert_true(isnan(metric_column_value(last, NULL)));
    metric_columns_free(&c);
    json_decref(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(columns__of_queries_by_their_sizes),
        UNIT(columns__four_sizes_at_most),
        UNIT(columns__of_flows),
        UNIT(columns__asked_for),
        UNIT(columns__the_rest_of_a_share),
    };
    return RUN_UNITS(tests);
}
