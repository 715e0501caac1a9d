/* The closing table: means over seeds, their intervals, and the best of a column. */
#include "study/table.h"
#include "study_test.h"

#include <stdlib.h>

#define MICE_P95(value, digest)                                                                                        \
    json_pack("{s:{s:{s:f}},s:{s:i},s:{s:s}}", "fct_us", "mice", "p95", value, "flows", "unfinished", 0, "engine",     \
              "digest", digest)

/* Of four runs: ecmp with seeds 1 and 2, spray with seeds 1 and 2. text is to be freed. */
static void table_make(const double *p95, const char *const *digest, char **text) {
    struct experiment *e = read_text(STAR PERMUTATION "sweep: {switch.balance: [ecmp, spray], run.seed: [1, 2]}\n");
    json_t *result[4];
    size_t size;
    FILE *out = open_memstream(text, &size);
    for (size_t i = 0; i < 4; i++) result[i] = MICE_P95(p95[i], digest[i]);
    table_print(e, result, NULL, 0, "x.db", out);
    fclose(out);
    for (size_t i = 0; i < 4; i++) json_decref(result[i]);
    experiment_free(e);
}

/* The line of a scheme, as far as its end; to be freed. */
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

/* Two seeds of 100 and 102 us: 12.7 half-widths of 1 us. */
static void table__mean_interval_and_change(void **state) {
    (void)state;
    const double p95[] = {100, 102, 50, 50.2};
    assert_row(p95, different, "ecmp", "101.0 us +-12.6%", NULL);
    assert_row(p95, different, "spray", "50.1 us* +-2.5%   -50 %", NULL);
}

/* A seed that changes nothing gives the same run again: its spread of nothing is no interval, and nothing is best by
 * it. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(table__mean_interval_and_change),
        UNIT(table__equal_digests_have_no_interval),
        UNIT(table__best_only_where_intervals_part),
    };
    return RUN_UNITS(tests);
}
