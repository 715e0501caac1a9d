/* SPDX-License-Identifier: Apache-2.0 */
/* The values behind summaries: those of the flows and queries that count in the result, and no others. */
#include "study/series/distribution.h"

#include "series_store.h"
#include "study/series/flows.h"
#include "study/series/queries.h"

#include <string.h>

#define PATH "test_study_distribution.db"
#define STAR_RUN "fabric: {kind: star, hosts: 9}\nworkload: [{kind: permutation, sizes: 100KB}]\nrun: {until: 1s}\n"

/* Ten flows, of which the numbers do not tell the order: flow i starts at (9 - i) us, has (i + 1) KB and an FCT of 10
 * x (i + 1) us, twice its bound. Then one that has no bound, one that did not finish, one without an end, and one
 * that never started. */
static const char *const flows[] = {
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<9) INSERT INTO flows(run, flow, entry, src, "
    "dst,"
    " start_ps, bytes, finished_ps, fct_ps, bound_ps, received_bytes, max_reorder) SELECT ?1, i, 0, 0, 1, "
    "(9-i)*1000000,"
    " 1000*(i+1), 0, 10000000*(i+1), 5000000*(i+1), 1, i FROM n",
    "INSERT INTO flows(run, flow, entry, src, dst, start_ps, bytes, finished_ps, fct_ps, bound_ps, received_bytes, "
    "max_reorder)"
    " VALUES(?1,10,0,0,1,20000000,200000,0,1000000,NULL,1,70),(?1,11,0,0,1,21000000,2000000,NULL,NULL,1,1,71),"
    "(?1,12,0,0,1,0,NULL,NULL,NULL,NULL,1,72),(?1,13,0,0,1,NULL,1000,NULL,NULL,1,0,73)",
};

/* Opens the store with `measure` in the configuration and `result`. */
static struct store_reader *flows_store(const char *measure, json_t *result) {
    char text[512];
    snprintf(text, sizeof text, STAR_RUN "measure: {%s}\n", measure);
    return series_store(PATH, text, result, flows, sizeof flows / sizeof *flows);
}

/* Returns the values behind a metric as text, sorted: "10 20 30"; the error if there is one. The caller frees it. */
static char *values_text(const struct store_reader *r, const char *metric) {
    struct distribution x = {0};
    struct diag d = {0};
    if (!distribution_add(&x, r, &r->run[0], metric, true, &d)) {
        distribution_free(&x);
        return strdup(d.text);
    }
    values_sort(&x.values);
    char *text = strdup("");
    for (size_t i = 0; i < x.values.n; i++) {
        char *longer = NULL;
        assert_true(asprintf(&longer, "%s%s%g", text, i ? " " : "", x.values.at[i]) >= 0);
        free(text);
        text = longer;
    }
    distribution_free(&x);
    return text;
}

/* A metric and the values behind it. */
struct behind {
    const char *metric, *expected;
};

static void assert_values(struct store_reader *r, const struct behind *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char *text = values_text(r, x[i].metric);
        assert_string_equal(text, x[i].expected);
        free(text);
    }
    store_reader_close(r);
}
#define FLOWS_HAVE(measure, ...)                                                                                       \
    do {                                                                                                               \
        const struct behind x[] = {__VA_ARGS__};                                                                       \
        assert_values(flows_store(measure, json_object()), x, sizeof x / sizeof *x);                                   \
    } while (0)

static void distribution__of_all_flows_by_class(void **state) {
    (void)state;
    FLOWS_HAVE("", {"fct_us.all", "1 10 20 30 40 50 60 70 80 90 100"},
               {"fct_us.mice", "10 20 30 40 50 60 70 80 90 100"}, {"fct_us.medium", "1"}, {"fct_us.elephant", ""},
               {"slowdown.all", "2 2 2 2 2 2 2 2 2 2"}, {"fct_us.3KB_to_5KB", ""}, {"goodput_mbps.medium", "1.6e+06"});
    FLOWS_HAVE("classes: [3KB, 5KB]", {"fct_us.3KB_to_5KB", "30 40"},
               {"fct_us.mice", "10 20 30 40 50 60 70 80 90 100"});
}

/* measure.from is a time; flow i starts at (9 - i) us. */
static void distribution__from_a_time_on(void **state) {
    (void)state;
    FLOWS_HAVE("from: 7us", {"fct_us.all", "1 10 20 30"});
    FLOWS_HAVE("from: 20us", {"fct_us.all", "1"});
}

/* measure.starts is a share of the 13 arrivals in the order of time: the endless flow at 0 is tied with flow 9, which
 * has the lower number. The places from 2 on are those of flows 8, 7, 6 and 5. */
static void distribution__a_share_of_the_arrivals(void **state) {
    (void)state;
    FLOWS_HAVE("starts: [15%, 42%]", {"fct_us.all", "60 70 80 90"});
    FLOWS_HAVE("starts: [15%, 42%], from: 3us", {"fct_us.all", "60 70"});
}

/* Reordering is that of flows that received data and count; a flow without an end counts whenever it started. */
static void distribution__of_reordering(void **state) {
    (void)state;
    FLOWS_HAVE("from: 20us", {"reorder", "70 71 72"});
}

/* The result knows how many values it was made of. */
static void distribution__of_another_number_than_the_result_has(void **state) {
    (void)state;
    struct store_reader *r = flows_store("", json_pack("{s:{s:{s:i}}}", "fct_us", "mice", "n", 10));
    char *text = values_text(r, "fct_us.mice");
    assert_non_null(strstr(text, "100"));
    free(text);
    store_reader_close(r);
    r = flows_store("", json_pack("{s:{s:{s:i}}}", "fct_us", "mice", "n", 9));
    text = values_text(r, "fct_us.mice");
    assert_string_equal(text, "run 1: fct_us.mice has 9 values in its result but 10 in the tables");
    free(text);
    store_reader_close(r);
}

static void distribution__of_no_stored_summary(void **state) {
    (void)state;
    FLOWS_HAVE("", {"queues_bytes",
                    "the values behind queues_bytes are not stored; a cdf or a rank can show one of: fct_us, "
                    "slowdown, goodput_mbps, goodput_gbps, queries, imbalance, reorder"});
}

static void distribution__of_imbalance_by_the_names_of_switches(void **state) {
    (void)state;
    static const char *const sql[] = {
        "INSERT INTO nodes(run, node, name) VALUES(?1,0,'tor0.1'),(?1,1,'leaf3'),(?1,2,'spine0'),(?1,3,'core2')",
        "INSERT INTO imbalance VALUES(?1,1,0,0.5),(?1,1,1,0.25),(?1,1,2,0.75),(?1,1,3,1)"};
    struct store_reader *r = series_store(PATH, STAR_RUN, json_object(), sql, 2);
    char *tor = values_text(r, "imbalance.tor"), *agg = values_text(r, "imbalance.agg");
    assert_string_equal(tor, "0.25 0.5");
    assert_string_equal(agg, "0.75");
    free(tor);
    free(agg);
    store_reader_close(r);
}

/* ---- queries ---- */

/* Sets 0 (queries 0, 1), 1 (queries 2, 3, of which the last has no time); query 4 is alone, of class 7. */
static const char *const queries[] = {
    "INSERT INTO queries(run, query, request, response, part_of, client, server, bytes, priority, start_ps, time_ps)"
    " VALUES(?1,0,0,1,0,0,1,2000,0,5000000,1000000),(?1,1,2,3,0,0,1,8192,0,6000000,9000000),"
    "(?1,2,4,5,1,0,1,2000,0,1000000,2000000),(?1,3,6,7,1,0,1,2000,0,2000000,NULL),"
    "(?1,4,8,9,NULL,0,1,2000,7,9000000,3000000)"};

static struct store_reader *queries_store(const char *measure) {
    char text[512];
    snprintf(text, sizeof text, STAR_RUN "measure: {%s}\n", measure);
    return series_store(PATH, text, json_object(), queries, 1);
}
#define QUERIES_HAVE(measure, ...)                                                                                     \
    do {                                                                                                               \
        const struct behind x[] = {__VA_ARGS__};                                                                       \
        assert_values(queries_store(measure), x, sizeof x / sizeof *x);                                                \
    } while (0)

/* A set takes from the first request to the last response, and has a time only if all its queries have one. */
static void distribution__of_queries_and_sets(void **state) {
    (void)state;
    QUERIES_HAVE("", {"queries.all", "1 2 3 9"}, {"queries.2KB", "1 2 3"}, {"queries.8KiB", "9"},
                 {"queries.by_priority.7.2KB", "3"}, {"queries.by_priority.0.all", "1 2 9"}, {"queries.sets.all", "10"},
                 {"queries.sets.2", "10"}, {"queries.sets.3", ""});
}

/* In the order of their requests: queries 2, 3, 0, 1, 4. A set counts if its first query does. */
static void distribution__of_queries_that_count(void **state) {
    (void)state;
    QUERIES_HAVE("starts: [40%, 80%]", {"queries.all", "1 9"}, {"queries.sets.all", "10"});
    QUERIES_HAVE("from: 6us", {"queries.all", "3 9"}, {"queries.sets.all", ""});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(distribution__of_all_flows_by_class),
        UNIT(distribution__from_a_time_on),
        UNIT(distribution__a_share_of_the_arrivals),
        UNIT(distribution__of_reordering),
        UNIT(distribution__of_another_number_than_the_result_has),
        UNIT(distribution__of_no_stored_summary),
        UNIT(distribution__of_imbalance_by_the_names_of_switches),
        UNIT(distribution__of_queries_and_sets),
        UNIT(distribution__of_queries_that_count),
    };
    return RUN_UNITS(tests);
}
