/* SPDX-License-Identifier: Apache-2.0 */
/* The closing table: means over seeds, their intervals, and the best of a column. */
#include "study/print/table.h"
#include "study_test.h"

#include <stdlib.h>
#include <string.h>

#define ALL_P99(value, digest)                                                                                         \
    json_pack("{s:{s:{s:f}},s:{s:i},s:{s:s}}", "fct_us", "all", "p99", value, "flows", "unfinished", 0, "engine",      \
              "digest", digest)

/* As wide as wanted, without a wish. */
static struct table_print_options options;

/* Prints the table of four runs of a sweep. The caller frees *text. */
static void table_swept(const char *sweep, const double *p95, const char *const *digest, char **text) {
    char yaml[512];
    snprintf(yaml, sizeof yaml, STAR PERMUTATION "sweep: {%s}\n", sweep);
    struct experiment *e = read_text(yaml);
    json_t *result[4];
    size_t size;
    FILE *out = open_memstream(text, &size);
    for (size_t i = 0; i < 4; i++) result[i] = ALL_P99(p95[i], digest[i]);
    table_print(e, result, NULL, 0, "x.db", &options, out);
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

/* Returns the line of a row, "1 ecmp", with the line below it; the caller frees it. */
static char *lines_of(const char *table, const char *row) {
    char start[32];
    snprintf(start, sizeof start, "\n  %s ", row);
    const char *at = strstr(table, start);
    assert_non_null(at);
    size_t first = strcspn(at + 1, "\n") + 1;
    return strndup(at + 1, first + strcspn(at + 1 + first, "\n"));
}

static void assert_row(const double *p95, const char *const *digest, const char *scheme, const char *has,
                       const char *has_not) {
    char *table = NULL;
    table_make(p95, digest, &table);
    char *line = lines_of(table, scheme);
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
    assert_row(p95, different, "1 ecmp", "101 us   +-13%", NULL);
    assert_row(p95, different, "2 spray", "50.1 us* +-2.5%\n    against ecmp    -50 %   +-5.0", NULL);
}

/* A scheme has a line in each group, and a group one heading, whatever the order of its runs. */
static void table__each_group_once(void **state) {
    (void)state;
    const double p95[] = {100, 102, 50, 50.2};
    char *one, *two;
    table_make(p95, different, &one);
    assert_int_equal(count(one, "\nflow completion times\n") + count(one, "\ngoodput\n"), 1);
    assert_int_equal(count(one, "\n  1 ecmp "), 1);
    assert_int_equal(count(one, "\n  2 spray "), 1);
    table_swept("switch.balance: [ecmp, spray], switch.buffer: [100KB, 200KB]", p95, different, &two);
    assert_int_equal(count(two, "\nswitch.buffer 100KB\n"), 1);
    assert_int_equal(count(two, "\nswitch.buffer 200KB\n"), 1);
    assert_int_equal(count(two, "\n  1 ecmp ") + count(two, "\n  3 ecmp "), 2);
    assert_int_equal(count(two, "\n  2 spray ") + count(two, "\n  4 spray "), 2);
    free(one);
    free(two);
}

/* Seeds with equal digests are the same run. They give no interval, and without intervals no value is marked best. */
static void table__equal_digests_have_no_interval(void **state) {
    (void)state;
    const double p95[] = {100, 100, 50, 50.2};
    const char *const digest[] = {"a", "a", "c", "d"};
    assert_row(p95, digest, "1 ecmp", "100 us", "+-0");
    assert_row(p95, digest, "2 spray", "+-2.5%", "*");
}

static void table__best_only_where_intervals_part(void **state) {
    (void)state;
    const double p95[] = {100, 102, 90, 100};
    assert_row(p95, different, "1 ecmp", NULL, "*");
    assert_row(p95, different, "2 spray", "95.0 us", "*");
}

/* Returns the table of two runs of one seed; it takes over their results. The caller frees it. */
static char *table_of(json_t *ecmp, json_t *spray) {
    struct experiment *e = read_text(STAR PERMUTATION "sweep: {switch.balance: [ecmp, spray], run.seed: [1]}\n");
    json_t *result[] = {ecmp, spray};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    table_print(e, result, NULL, 0, "x.db", &options, out);
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

/* Returns how long the longest line of a text is. */
static size_t widest(const char *text) {
    size_t most = 0;
    for (; *text; text += strcspn(text, "\n") + 1) {
        size_t n = strcspn(text, "\n");
        most = n > most ? n : most;
        if (!text[n]) break;
    }
    return most;
}

/* Every response size of queries has two columns, the last column the share with timeouts. Columns that do not fit stand
 * in a further block. */
static void table__of_queries_of_four_sizes(void **state) {
    (void)state;
    static const char *const heads[] = {"2KB median", "2KB 99th",    "4KB median", "4KB 99th", "8KB median",
                                        "8KB 99th",   "16KB median", "16KB 99th",  "timeouts"};
    char *table = table_of(queries_of_four_sizes(), queries_of_four_sizes());
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (!strstr(table, heads[i])) fail_msg("no column '%s' in:\n%s", heads[i], table);
    }
    assert_non_null(strstr(table, "query completion times"));
    assert_int_equal(count(table, "\n  2 spray "), 2);
    assert_non_null(strstr(table, "16KB 99th   timeouts\n"));
    assert_non_null(strstr(table, "8.00 us same  25 % same\n"));
    assert_true(widest(table) <= 100);
    free(table);
}

/* A line is as wide as the terminal at most, and a column goes to a further block only if it does not fit: the table of the
 * least width that has it in one block is exactly as wide. */
static void table__fills_the_width(void **state) {
    (void)state;
    int before = options.width, whole = 0;
    for (int width = 60; width <= 220; width++) {
        options.width = width;
        char *table = table_of(queries_of_four_sizes(), queries_of_four_sizes());
        assert_in_range(widest(table), 1, width);
        if (!whole && count(table, "\n  2 spray ") == 1) {
            whole = width;
            assert_int_equal(widest(table), width);
        }
        free(table);
    }
    assert_in_range(whole, 101, 219);
    options.width = before;
}

/* If no flow of the window ends, the table has the goodput of hosts in Gbps; more is better. */
static void table__of_hosts(void **state) {
    (void)state;
    json_t *slow =
        json_pack("{s:{s:f, s:f}, s:{s:s}}", "goodput_gbps", "mean", 0.5, "jain", 0.9, "engine", "digest", "a");
    json_t *fast =
        json_pack("{s:{s:f, s:f}, s:{s:s}}", "goodput_gbps", "mean", 2.5, "jain", 0.8, "engine", "digest", "b");
    char *table = table_of(slow, fast);
    assert_non_null(strstr(table, "switch.balance              mean     hosts\n"));
    assert_non_null(strstr(table, "500 Mbps         0.9\n"));
    assert_non_null(strstr(table, "2.50 Gbps +400 %  0.8 -0.1\n"));
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
    table_print(e, result, NULL, 0, "x.db", &options, out);
    fclose(out);
    char *line = lines_of(table, "2 spray");
    assert_non_null(strstr(line, "200 Mbps* +-"));
    for (size_t i = 0; i < 4; i++) json_decref(result[i]);
    free(line);
    free(table);
    experiment_free(e);
}

/* ---- width and names ---- */

/* Prints a table of two long names in a terminal of this width. */
static char *table_of_width(int width, const char *baseline) {
    static const char sweep[] = STAR PERMUTATION "sweep: {workload.0.sizes: [100KB, 200KB], switch: [{balance: spray, "
                                                 "buffer: 100KB, admit: ecn, ecn_threshold: 20KB}, "
                                                 "{balance: ecmp, buffer: 100KB}], run.seed: [1, 2]}\n";
    struct experiment *e = read_text(sweep);
    struct table_wish wish;
    static const double p99[] = {100, 102, 50, 50.2, 10, 11, 4000, 4100};
    json_t *result[8];
    char *text = NULL, digest[] = "a";
    size_t size;
    assert_int_equal(e->n_runs, 8);
    for (size_t i = 0; i < 8; i++, digest[0]++) result[i] = ALL_P99(p99[i], digest);
    FILE *out = open_memstream(&text, &size);
    table_wish_of_words(NULL, 0, baseline, &wish);
    table_print(e, result, NULL, 0, "x.db", &(struct table_print_options){&wish, width}, out);
    fclose(out);
    table_wish_free(&wish);
    for (size_t i = 0; i < 8; i++) json_decref(result[i]);
    experiment_free(e);
    return text;
}

/* A name that does not fit stands on a line of its own, whole; the table keeps to the width of the terminal. */
static void table__names_are_whole(void **state) {
    (void)state;
    char *narrow = table_of_width(60, NULL), *wide = table_of_width(300, NULL);
    assert_non_null(
        strstr(narrow, "\n  1 {balance: spray, buffer: 100KB, admit: ecn,\n    ecn_threshold: 20KB}\n     "));
    assert_true(widest(narrow) <= 60);
    assert_non_null(strstr(wide, "\n  1 {balance: spray, buffer: 100KB, admit: ecn, ecn_threshold: 20KB}  "));
    free(narrow);
    free(wide);
}

/* The number of a row names one baseline for all groups; lines and notes say which. */
static void table__one_baseline_for_all_groups(void **state) {
    (void)state;
    char *table = table_of_width(100, "3");
    assert_int_equal(count(table, "\n    against 3 "), 3);
    assert_non_null(strstr(table, "(row 3), paired by seed"));
    free(table);
}

static void table__changes_too_large_for_percentages(void **state) {
    (void)state;
    char *table = table_of_width(100, "4");
    assert_non_null(strstr(table, "1/"));
    assert_non_null(strstr(table, "1/N and Nx where a percentage tells little"));
    assert_null(strstr(table, "-100 %"));
    free(table);
}

/* ---- lists ---- */

/* Prints the table of a sweep over `n` sizes, and two thresholds and two buffers inside; every value is the number of its run. */
static char *table_of_sizes(const char *sizes, size_t n, int width, const char *baseline) {
    char yaml[512], digest[8];
    snprintf(yaml, sizeof yaml,
             STAR PERMUTATION "sweep: {workload.0.sizes: [%s], host.newreno.min_rto: [1ms, 5ms], "
                              "switch.buffer: [100KB, 200KB], run.seed: [1, 2]}\n",
             sizes);
    struct experiment *e = read_text(yaml);
    json_t *result[64];
    struct table_wish wish;
    char *text = NULL;
    size_t size;
    assert_int_equal(e->n_runs, n * 8);
    for (size_t i = 0; i < e->n_runs; i++) {
        snprintf(digest, sizeof digest, "%zu", i);
        result[i] = ALL_P99((double)(100 + i), digest);
    }
    FILE *out = open_memstream(&text, &size);
    table_wish_of_words(NULL, 0, baseline, &wish);
    table_print(e, result, NULL, 0, "x.db", &(struct table_print_options){&wish, width}, out);
    fclose(out);
    table_wish_free(&wish);
    for (size_t i = 0; i < e->n_runs; i++) json_decref(result[i]);
    experiment_free(e);
    return text;
}

/* More than four groups are one list: its rows are the values of the axes, each head stands once, and nothing is wider than asked. */
static void table__many_groups_are_one_list(void **state) {
    (void)state;
    char *table = table_of_sizes("100KB, 200KB, 300KB", 3, 80, NULL);
    assert_non_null(
        strstr(table, "sizes is workload.0.sizes; min_rto is host.newreno.min_rto; buffer is\n  switch.buffer\n"));
    assert_non_null(strstr(table, "\n     sizes  min_rto  buffer"));
    assert_int_equal(count(table, "sizes  min_rto  buffer"), 1);
    assert_non_null(strstr(table, "\n   1 100KB  1ms      100KB  "));
    assert_non_null(strstr(table, "\n   2                 200KB  "));
    assert_non_null(strstr(table, "\n   3        5ms      100KB  "));
    assert_non_null(strstr(table, "\n  12                 200KB  "));
    assert_null(strstr(table, "\n     against"));
    assert_non_null(strstr(table, "--baseline ROW shows changes against a row"));
    free(table);
    for (int width = 60; width <= 120; width += 20) {
        table = table_of_sizes("100KB, 200KB, 300KB", 3, width, NULL);
        assert_in_range(widest(table), 1, width);
        free(table);
    }
}

/* Changes stand in a list only for a reader who asks for a baseline: a name is of the same group, a number of the table. */
static void table__list_with_a_baseline(void **state) {
    (void)state;
    char *named = table_of_sizes("100KB, 200KB, 300KB", 3, 100, "100KB");
    char *numbered = table_of_sizes("100KB, 200KB, 300KB", 3, 100, "1");
    assert_int_equal(count(named, "\n     against 100KB "), 6);
    assert_int_equal(count(numbered, "\n     against 1"), 11);
    free(named);
    free(numbered);
}

/* Four groups stand apart, each with its heading. */
static void table__four_groups_stand_apart(void **state) {
    (void)state;
    char *table = table_of_sizes("100KB, 200KB", 2, 100, NULL);
    assert_int_equal(count(table, "\nworkload.0.sizes "), 4);
    assert_non_null(strstr(table, "against 100KB"));
    free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(table__many_groups_are_one_list),
        UNIT(table__list_with_a_baseline),
        UNIT(table__four_groups_stand_apart),
        UNIT(table__mean_interval_and_change),
        UNIT(table__each_group_once),
        UNIT(table__equal_digests_have_no_interval),
        UNIT(table__best_only_where_intervals_part),
        UNIT(table__of_queries_of_four_sizes),
        UNIT(table__fills_the_width),
        UNIT(table__of_hosts),
        UNIT(table__the_best_is_what_the_metric_says),
        UNIT(table__names_are_whole),
        UNIT(table__one_baseline_for_all_groups),
        UNIT(table__changes_too_large_for_percentages),
    };
    return RUN_UNITS(tests);
}
