/* SPDX-License-Identifier: Apache-2.0 */
/* The closing table: means over seeds, their intervals, and the best of a column. */
#include "study/print/table.h"
#include "study_test.h"

#include <stdlib.h>
#include <string.h>

#define MICE_P95(value, digest)                                                                                        \
    json_pack("{s:{s:{s:f}},s:{s:i},s:{s:s}}", "fct_us", "mice", "p95", value, "flows", "unfinished", 0, "engine",     \
              "digest", digest)

/* Prints the table of four runs of a sweep. The caller frees *text. */
static void table_swept(const char *sweep, const double *p95, const char *const *digest, char **text) {
    char yaml[512];
    snprintf(yaml, sizeof yaml, STAR PERMUTATION "sweep: {%s}\n", sweep);
    struct experiment *e = read_text(yaml);
    json_t *result[4];
    size_t size;
    FILE *out = open_memstream(text, &size);
    for (size_t i = 0; i < 4; i++) result[i] = MICE_P95(p95[i], digest[i]);
    table_print(e, result, NULL, 0, "x.db", out);
    fclose(out);
    for (size_t i = 0; i < 4; i++) json_decref(result[i]);
    experiment_free(e);
}

/* The same of ecmp and spray, each with seeds 1 and 2. */
static void table_make(const double *p95, const char *const *digest, char **text) {
    table_swept("switch.balance: [ecmp, spray], run.seed: [1, 2]", p95, digest, text);
}

/* Returns how often a text holds a word. */
static size_t count(const char *text, const char *word) {
    size_t n = 0;
    for (; (text = strstr(text, word)); text += strlen(word)) n++;
    return n;
}

/* Returns the line of a scheme; the caller frees it. */
static char *line_of(const char *table, const char *scheme) {
    char start[32];
    snprintf(start, sizeof start, "\n  %s ", scheme);
    const char *at = strstr(table, start);
    assert_non_null(at);
    return strndup(at + 1, strcspn(at + 1, "\n"));
}

static void assert_row(const double *p95, const char *const *digest, const char *scheme, const char *has,
                       const char *has_not) {
    char *table = NULL;
    table_make(p95, digest, &table);
    char *line = line_of(table, scheme);
    if (has && !strstr(line, has)) fail_msg("'%s' is not in: %s", has, line);
    if (has_not && strstr(line, has_not)) fail_msg("'%s' is in: %s", has_not, line);
    free(line);
    free(table);
}

static const char *const different[] = {"a", "b", "c", "d"};

/* Two seeds of 100 and 102 us have a standard error of 1 us and an interval of 12.7 us to each side. */
static void table__mean_interval_and_change(void **state) {
    (void)state;
    const double p95[] = {100, 102, 50, 50.2};
    assert_row(p95, different, "ecmp", "101.0 us +-12.6%", NULL);
    assert_row(p95, different, "spray", "50.1 us* +-2.5%   -50 %", NULL);
}

/* A scheme has a line in each group, and a group one heading, whatever the order of its runs. */
static void table__each_group_once(void **state) {
    (void)state;
    const double p95[] = {100, 102, 50, 50.2};
    char *one, *two;
    table_make(p95, different, &one);
    assert_int_equal(count(one, "\nflow completion times\n") + count(one, "\ngoodput\n"), 1);
    assert_int_equal(count(one, "\n  ecmp "), 1);
    assert_int_equal(count(one, "\n  spray "), 1);
    table_swept("switch.balance: [ecmp, spray], switch.buffer: [100KB, 200KB]", p95, different, &two);
    assert_int_equal(count(two, "\nswitch.buffer 100KB\n"), 1);
    assert_int_equal(count(two, "\nswitch.buffer 200KB\n"), 1);
    assert_int_equal(count(two, "\n  ecmp "), 2);
    assert_int_equal(count(two, "\n  spray "), 2);
    free(one);
    free(two);
}

/* Seeds with equal digests are the same run. They give no interval, and without intervals no value is marked best. */
static void table__equal_digests_have_no_interval(void **state) {
    (void)state;
    const double p95[] = {100, 100, 50, 50.2};
    const char *const digest[] = {"a", "a", "c", "d"};
    assert_row(p95, digest, "ecmp", "100.0 us", "+-");
    assert_row(p95, digest, "spray", "+-2.5%", "*");
}

static void table__best_only_where_intervals_part(void **state) {
    (void)state;
    const double p95[] = {100, 102, 90, 100};
    assert_row(p95, different, "ecmp", NULL, "*");
    assert_row(p95, different, "spray", "95.0 us +-", "*");
}

/* Returns the table of two runs of one seed; it takes over their results. The caller frees it. */
static char *table_of(json_t *ecmp, json_t *spray) {
    struct experiment *e = read_text(STAR PERMUTATION "sweep: {switch.balance: [ecmp, spray], run.seed: [1]}\n");
    json_t *result[] = {ecmp, spray};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    table_print(e, result, NULL, 0, "x.db", out);
    fclose(out);
    json_decref(ecmp);
    json_decref(spray);
    experiment_free(e);
    return text;
}

static json_t *queries_of_four_sizes(void) {
    return json_pack("{s:{s:i, s:{s:f, s:f}, s:{s:f, s:f}, s:{s:f, s:f}, s:{s:f, s:f}, s:{s:{s:f}}}, s:{s:s}}",
                     "queries", "started", 4, "2KB", "p50", 1.0, "p99", 2.0, "4KB", "p50", 3.0, "p99", 4.0, "8KB",
                     "p50", 5.0, "p99", 6.0, "16KB", "p50", 7.0, "p99", 8.0, "timeouts", "share", "0", 0.75, "engine",
                     "digest", "a");
}

/* Every response size of queries has two columns; a last column has the share with timeouts. */
static void table__of_queries_of_four_sizes(void **state) {
    (void)state;
    static const char *const heads[] = {"2KB median", "2KB 99th",    "4KB median", "4KB 99th",     "8KB median",
                                        "8KB 99th",   "16KB median", "16KB 99th",  "with timeouts"};
    char *table = table_of(queries_of_four_sizes(), queries_of_four_sizes());
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (!strstr(table, heads[i])) fail_msg("no column '%s' in:\n%s", heads[i], table);
    }
    assert_non_null(strstr(table, "query completion times"));
    char *line = line_of(table, "spray");
    assert_non_null(strstr(line, "8.0 us    +0 %           25.00 %"));
    free(line);
    free(table);
}

/* If no flow of the window ends, the table has the goodput of hosts in Gbps; more is better. */
static void table__of_hosts(void **state) {
    (void)state;
    json_t *slow =
        json_pack("{s:{s:f, s:f}, s:{s:s}}", "goodput_gbps", "mean", 0.5, "jain", 0.9, "engine", "digest", "a");
    json_t *fast =
        json_pack("{s:{s:f, s:f}, s:{s:s}}", "goodput_gbps", "mean", 2.5, "jain", 0.8, "engine", "digest", "b");
    char *table = table_of(slow, fast);
    assert_non_null(strstr(table, "host goodput mean     Jain of hosts"));
    assert_non_null(strstr(table, "500.0 Mbps             0.900"));
    assert_non_null(strstr(table, "2.50 Gbps  +400 %             0.800"));
    free(table);
}

static json_t *goodput_of(double mbps, const char *digest) {
    return json_pack("{s:{s:{s:f}}, s:{s:s}}", "goodput_mbps", "all", "mean", mbps, "engine", "digest", digest);
}

/* The best is the most goodput, or the least time. */
static void table__the_best_is_what_the_metric_says(void **state) {
    (void)state;
    struct experiment *e = read_text(STAR PERMUTATION "sweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}\n");
    json_t *result[] = {goodput_of(100, "a"), goodput_of(100.1, "b"), goodput_of(200, "c"), goodput_of(200.1, "d")};
    char *table = NULL;
    size_t size;
    FILE *out = open_memstream(&table, &size);
    table_print(e, result, NULL, 0, "x.db", out);
    fclose(out);
    char *line = line_of(table, "spray");
    assert_non_null(strstr(line, "200.1 Mbps* +-"));
    for (size_t i = 0; i < 4; i++) json_decref(result[i]);
    free(line);
    free(table);
    experiment_free(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(table__mean_interval_and_change),         UNIT(table__each_group_once),
        UNIT(table__equal_digests_have_no_interval),   UNIT(table__best_only_where_intervals_part),
        UNIT(table__of_queries_of_four_sizes),         UNIT(table__of_hosts),
        UNIT(table__the_best_is_what_the_metric_says),
    };
    return RUN_UNITS(tests);
}
