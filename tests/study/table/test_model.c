/* SPDX-License-Identifier: Apache-2.0 */
/* The table model: rows, groups, baselines, comparisons and notes. */
#include "study/table/table.h"

#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

/* Runs of schemes a, b and c at two loads, three seeds each. */
struct sweep {
    struct table_run run[18];
    size_t n;
};

static json_t *result_of(double p95, const char *digest) {
    return json_pack("{s:{s:{s:f}}, s:{s:s}}", "fct_us", "mice", "p95", p95, "engine", "digest", digest);
}

static void run_add(struct sweep *s, const char *scheme, double load, int seed, double p95) {
    char digest[32];
    snprintf(digest, sizeof digest, "%s %g %g", scheme, load, p95);
    s->run[s->n++] = (struct table_run){json_pack("{s:s, s:f, s:i}", "scheme", scheme, "load", load, "run.seed", seed),
                                        isnan(p95) ? NULL : result_of(p95, digest), NULL};
}

static void seeds_add(struct sweep *s, const char *scheme, double load, double first, double second, double third) {
    run_add(s, scheme, load, 1, first);
    run_add(s, scheme, load, 2, second);
    run_add(s, scheme, load, 3, third);
}

static void sweep_free(struct sweep *s) {
    for (size_t i = 0; i < s->n; i++) {
        json_decref((json_t *)s->run[i].settings);
        json_decref((json_t *)s->run[i].result);
    }
}

static char mice_p95[] = "fct_us.mice.p95";
static char *only_mice_p95[] = {mice_p95};

static struct table *table_of(const struct sweep *s, const char *baseline) {
    char text[64] = "";
    if (baseline) snprintf(text, sizeof text, "%s", baseline);
    const struct table_wish wish = {.column = only_mice_p95, .n_columns = 1, .baseline = baseline ? text : NULL};
    const struct table_request q = {.key = "scheme", .wish = &wish};
    return table_make(s->run, s->n, &q);
}

/* Returns the change of the first column from one row to another. */
static struct estimate change(const struct table *t, size_t row, size_t baseline) {
    enum claim_form form;
    return table_compare(t, row, baseline, 0, &form);
}

static struct sweep two_loads(void) {
    struct sweep s = {.n = 0};
    seeds_add(&s, "a", 0.3, 100, 110, 120);
    seeds_add(&s, "b", 0.3, 50, 55, 60);
    seeds_add(&s, "a", 0.5, 200, 202, 204);
    seeds_add(&s, "b", 0.5, 201, 203, 205);
    return s;
}

/* ---- rows and groups ---- */

static void table__a_row_for_each_scheme_and_load(void **state) {
    (void)state;
    struct sweep s = two_loads();
    struct table *t = table_of(&s, NULL);
    assert_int_equal(t->n_rows, 4);
    assert_int_equal(t->n_groups, 2);
    assert_int_equal(t->row[2].group, 1);
    assert_string_equal(json_string_value(t->row[3].name), "b");
    assert_true(json_real_value(json_object_get(t->group[1].settings, "load")) == 0.5);
    assert_int_equal(json_object_size(t->group[1].settings), 1);
    assert_int_equal(t->row[0].n, 3);
    assert_true(t->row[0].cell[0].value.value == 110);
    assert_true(table_has_intervals(t) && t->row[0].is_free);
    assert_int_equal(table_most_runs(t), 3);
    table_free(t);
    sweep_free(&s);
}

/* A row counts the runs that it lacks, and has no value if one of its runs lacks the metric. */
static void table__missing_runs(void **state) {
    (void)state;
    struct sweep s = {.n = 0};
    seeds_add(&s, "a", 0.3, 100, NAN, 120);
    seeds_add(&s, "b", 0.3, NAN, NAN, NAN);
    seeds_add(&s, "c", 0.5, NAN, NAN, NAN);
    json_object_set_new((json_t *)s.run[0].result, "failure", json_string("stuck"));
    struct table *t = table_of(&s, NULL);
    assert_int_equal(t->row[0].n, 1);
    assert_int_equal(t->row[0].n_missing, 2);
    assert_true(t->row[0].cell[0].value.value == 120);
    assert_true(isnan(t->row[1].cell[0].value.value) && isnan(t->row[1].cell[0].change.value));
    assert_true(table_group_has_runs(t, 0));
    assert_false(table_group_has_runs(t, 1));
    table_free(t);
    sweep_free(&s);
}

static void table__a_column_without_values_is_left_out(void **state) {
    (void)state;
    char dropped[] = "packets.dropped", goodput[] = "goodput_gbps.mean", *three[] = {dropped, mice_p95, goodput};
    struct sweep s = two_loads();
    const struct table_wish wish = {.column = three, .n_columns = 3};
    const struct table_request q = {.key = "scheme", .wish = &wish};
    struct table *t = table_make(s.run, s.n, &q);
    assert_int_equal(t->columns.n, 1);
    assert_int_equal(t->empty.n, 2);
    assert_string_equal(t->empty.of[1].path, "goodput_gbps.mean");
    assert_string_equal(t->columns.of[0].path, "fct_us.mice.p95");
    assert_true(t->row[1].cell[0].value.value == 55);
    assert_true(fabs(change(t, 1, 0).value + 0.5) < 1e-12); /* the values behind the cells moved along */
    assert_true(fabs(change(t, 1, 0).standard_error) < 1e-12);
    table_free(t);
    sweep_free(&s);
}

/* Where there are mice, the goodput of flows is left out, and so is that of hosts; without mice goodput is shown. */
static void table__columns_beside_better_ones(void **state) {
    (void)state;
    static const struct table_request q = {.key = "scheme"};
    json_t *settings = json_pack("{s:s}", "scheme", "a"),
           *goodput =
               json_pack("{s:{s:{s:f}}, s:{s:f}}", "goodput_mbps", "all", "mean", 5.0, "goodput_gbps", "mean", 1.0),
           *both = json_deep_copy(goodput);
    json_object_set_new(both, "fct_us", json_pack("{s:{s:f}, s:{s:f}}", "mice", "mean", 1.0, "all", "mean", 1.0));
    struct table *plain = table_make(&(struct table_run){settings, goodput, NULL}, 1, &q),
                 *mice = table_make(&(struct table_run){settings, both, NULL}, 1, &q);
    assert_int_equal(plain->columns.n, 1);
    assert_string_equal(plain->columns.of[0].path, "goodput_mbps.all.mean");
    assert_string_equal(table_subject(plain), "goodput");
    assert_int_equal(mice->columns.n, 2);
    assert_string_equal(mice->columns.of[1].path, "fct_us.all.mean");
    assert_string_equal(table_subject(mice), "flow completion times");
    table_free(plain);
    table_free(mice);
    json_decref(settings);
    json_decref(goodput);
    json_decref(both);
}

/* ---- comparisons ---- */

static void table__against_the_first_row_of_the_group(void **state) {
    (void)state;
    struct sweep s = two_loads();
    struct table *t = table_of(&s, NULL);
    assert_true(isnan(t->row[0].cell[0].change.value) && isnan(t->row[2].cell[0].change.value));
    assert_true(t->row[1].cell[0].change.value == -0.5);
    assert_true(fabs(t->row[3].cell[0].change.value - 1.0 / 202) < 1e-12);
    table_free(t);
    sweep_free(&s);
}

static void table__against_any_row(void **state) {
    (void)state;
    struct sweep s = two_loads();
    struct table *t = table_of(&s, "b"), *first = table_of(&s, "other");
    assert_true(t->row[0].cell[0].change.value == 1);
    assert_true(isnan(t->row[1].cell[0].change.value));
    assert_int_equal(t->row[2].baseline, 3);
    assert_int_equal(first->row[3].baseline, 2); /* no row has that name */
    assert_true(first->lacks_baseline && !t->lacks_baseline);
    table_free(t);
    table_free(first);
    sweep_free(&s);
}

/* A number names one row for the rows of all groups; a name that is a number comes first. */
static void table__against_a_row_by_its_number(void **state) {
    (void)state;
    struct sweep s = two_loads(), named = {.n = 0};
    struct table *t = table_of(&s, "4");
    for (size_t i = 0; i < 4; i++) assert_int_equal(t->row[i].baseline, 3);
    assert_true(isnan(t->row[3].cell[0].change.value));
    assert_true(fabs(t->row[0].cell[0].change.value - (110.0 / 203 - 1)) < 1e-12);
    assert_true(t->row[0].cell[0].change.standard_error > 0);
    seeds_add(&named, "2", 0.3, 100, 110, 120);
    seeds_add(&named, "1", 0.3, 50, 55, 60);
    struct table *u = table_of(&named, "2");
    assert_int_equal(u->row[1].baseline, 0);
    struct table *none = table_of(&s, "5");
    assert_true(none->lacks_baseline);
    table_free(t);
    table_free(u);
    table_free(none);
    sweep_free(&s);
    sweep_free(&named);
}

static void table_baseline_check__names_the_nearest(void **state) {
    (void)state;
    struct sweep s = {.n = 0};
    struct diag d = {0};
    char baseline[] = "expediitus";
    const struct table_wish wish = {.baseline = baseline};
    seeds_add(&s, "ecmp", 0.3, 100, 110, 120);
    seeds_add(&s, "expeditus", 0.3, 100, 110, 120);
    struct table *t = table_of(&s, baseline), *known = table_of(&s, "ecmp");
    assert_false(table_baseline_check(t, &wish, &d));
    assert_non_null(strstr(d.text, "did you mean 'expeditus'?"));
    assert_non_null(strstr(d.text, "1 to 2"));
    assert_true(table_baseline_check(known, &wish, &d));
    table_free(t);
    table_free(known);
    sweep_free(&s);
}

/* Rows of a group stand side by side, whatever the order of their runs. */
static void table__groups_side_by_side(void **state) {
    (void)state;
    struct sweep s = {.n = 0};
    char name[64];
    seeds_add(&s, "a", 0.3, 100, 110, 120);
    seeds_add(&s, "a", 0.5, 200, 202, 204);
    seeds_add(&s, "b", 0.3, 50, 55, 60);
    struct table *t = table_of(&s, NULL);
    assert_string_equal(json_string_value(t->row[1].name), "b");
    assert_int_equal(t->group[0].n, 2);
    assert_int_equal(t->group[1].first, 2);
    table_row_text(t, 2, name, sizeof name);
    assert_string_equal(name, "a, load 0.5");
    table_free(t);
    sweep_free(&s);
}

/* From 0 there is no percentage, and shares differ by points. */
static void table_compare__differences(void **state) {
    (void)state;
    struct sweep s = {.n = 0};
    enum claim_form form;
    seeds_add(&s, "a", 0.3, 0, 0, 0);
    seeds_add(&s, "b", 0.3, 3, 4, 5);
    struct table *t = table_of(&s, NULL);
    assert_true(table_compare(t, 1, 0, 0, &form).value == 4 && form == FORM_DIFFERENCE);
    t->columns.of[0].unit = UNIT_SHARE;
    assert_true(table_compare(t, 0, 1, 0, &form).value == -4 && form == FORM_DIFFERENCE);
    t->columns.of[0].unit = UNIT_COUNT;
    assert_true(table_compare(t, 0, 1, 0, &form).value == -1 && form == FORM_CHANGE);
    table_free(t);
    sweep_free(&s);
}

/* No interval begins below what the value can be. */
static void table__intervals_end_at_0(void **state) {
    (void)state;
    struct sweep s = {.n = 0};
    seeds_add(&s, "a", 0.3, 1, 2, 30);
    seeds_add(&s, "b", 0.3, 30, 2, 1);
    struct table *t = table_of(&s, NULL);
    assert_true(t->row[0].cell[0].value.low == 0 && t->row[0].cell[0].value.high > 30);
    assert_true(t->row[1].cell[0].change.low == -1);
    table_free(t);
    sweep_free(&s);
}

/* Columns of zeros are left out unless someone asks for them; what has a value besides is named. */
static void table__columns_of_zeros_and_further_ones(void **state) {
    (void)state;
    json_t *settings = json_pack("{s:s}", "scheme", "a"),
           *result = json_pack("{s:{s:{s:f}}, s:{s:i}, s:{s:f}}", "fct_us", "all", "mean", 5.0, "packets", "dropped", 0,
                               "queues_bytes", "max", 7.0);
    static const char *const asked[] = {"packets.dropped"};
    const struct table_request plain = {.key = "scheme"}, claimed = {.key = "scheme", .asked = asked, .n_asked = 1};
    struct table *t = table_make(&(struct table_run){settings, result, NULL}, 1, &plain),
                 *u = table_make(&(struct table_run){settings, result, NULL}, 1, &claimed);
    assert_int_equal(t->columns.n, 1);
    assert_int_equal(t->further.n, 1);
    assert_string_equal(t->further.of[0].path, "queues_bytes.max");
    assert_int_equal(u->columns.n, 2);
    table_free(t);
    table_free(u);
    json_decref(settings);
    json_decref(result);
}

/* Paired by seed a difference of 1 us at each seed is certain, whatever the order of the seeds; the rows' own
 * intervals overlap. */
static void table_compare__pairs_seeds(void **state) {
    (void)state;
    struct sweep s = {.n = 0};
    seeds_add(&s, "a", 0.5, 200, 210, 220);
    run_add(&s, "b", 0.5, 3, 209);
    run_add(&s, "b", 0.5, 1, 190);
    run_add(&s, "b", 0.5, 2, 199.5);
    struct table *t = table_of(&s, NULL);
    struct estimate e = change(t, 1, 0);
    assert_true(fabs(e.value + 0.05) < 1e-12);
    assert_true(fabs(e.low + 0.05) < 1e-9 && fabs(e.high + 0.05) < 1e-9);
    assert_false(estimates_part(&t->row[0].cell[0].value, &t->row[1].cell[0].value));
    assert_int_equal(e.n, 3);
    table_free(t);
    sweep_free(&s);
}

/* A row that lacks a run is compared over the seeds that both rows have: 105 against 205, not against the mean of all three. */
static void table_compare__of_a_row_that_lacks_a_run(void **state) {
    (void)state;
    struct sweep s = {.n = 0};
    seeds_add(&s, "a", 0.5, 200, 210, 900);
    seeds_add(&s, "b", 0.5, 100, 110, NAN);
    struct table *t = table_of(&s, NULL);
    struct estimate e = change(t, 1, 0), back = change(t, 0, 1);
    assert_true(fabs(e.value - (105.0 / 205 - 1)) < 1e-12);
    assert_int_equal(e.n, 2);
    assert_true(fabs(back.value - (205.0 / 105 - 1)) < 1e-12);
    table_free(t);
    sweep_free(&s);
}

/* Rows without a common seed are compared by their means, without an interval. */
static void table_compare__of_different_seeds(void **state) {
    (void)state;
    struct sweep s = {.n = 0};
    seeds_add(&s, "a", 0.5, 200, 210, NAN);
    seeds_add(&s, "b", 0.5, NAN, NAN, 100);
    struct table *t = table_of(&s, NULL);
    struct estimate e = change(t, 1, 0);
    assert_true(fabs(e.value - (100.0 / 205 - 1)) < 1e-12);
    assert_true(isnan(e.standard_error) && isnan(e.low));
    table_free(t);
    sweep_free(&s);
}

static void table__best_where_intervals_part(void **state) {
    (void)state;
    struct sweep s = two_loads();
    struct table *t = table_of(&s, NULL);
    assert_true(t->row[1].cell[0].is_best && !t->row[0].cell[0].is_best);
    assert_false(t->row[2].cell[0].is_best || t->row[3].cell[0].is_best);
    table_free(t);
    sweep_free(&s);
}

static void table_uses__a_column_that_is_not_all_zero(void **state) {
    (void)state;
    struct sweep s = {.n = 0}, zeros = {.n = 0};
    seeds_add(&s, "a", 0.3, 0, 0, 0);
    seeds_add(&s, "a", 0.5, 0, 0, 1);
    seeds_add(&zeros, "a", 0.3, 0, 0, 0);
    struct table *t = table_of(&s, NULL), *none = table_of(&zeros, NULL);
    assert_true(table_uses(t, 0));
    assert_false(table_uses(none, 0));
    table_free(t);
    table_free(none);
    sweep_free(&s);
    sweep_free(&zeros);
}

/* ---- notes ---- */

static void assert_notes(const char *const *path, size_t n, const char *expected) {
    struct metric_columns c = metric_columns_of(path, n);
    char *notes = table_notes(&c);
    assert_string_equal(notes, expected);
    free(notes);
    metric_columns_free(&c);
}
#define NOTES(expected, ...)                                                                                           \
    do {                                                                                                               \
        static const char *const path[] = {__VA_ARGS__};                                                               \
        assert_notes(path, sizeof path / sizeof *path, expected);                                                      \
    } while (0)

/* A table explains what it shows, and nothing else. */
static void table_notes__of_the_columns(void **state) {
    (void)state;
    NOTES("Times are flow completion times; mice are under 100 KB, elephants over 1 MB.", "fct_us.mice.mean",
          "fct_us.elephant.p95");
    NOTES("Times are flow completion times; mice are under 100 KB.", "fct_us.mice.mean", "fct_us.all.mean");
    NOTES("Times are flow completion times; elephants are over 1 MB.", "fct_us.elephant.mean");
    NOTES("Times are flow completion times.", "fct_us.all.mean");
    NOTES("Times are query completion times.", "queries.8KB.p50", "queries.timeouts.share.0");
    NOTES("Times are flow completion times, from the start of the flow, and query completion times, from the first "
          "request.",
          "queries.8KB.p50", "fct_us.all.p99");
    NOTES("Flow sizes: mice are under 100 KB. Slowdown is the completion time over the least that is possible.",
          "slowdown.mice.p99");
    NOTES("Goodput is the payload of a flow over the time that it was open.", "goodput_mbps.all.mean");
    NOTES("Jain's index is 1 where all have the same goodput.", "goodput_mbps.all.jain");
    NOTES("Host goodput is the payload that a host receives over time. Jain's index is 1 where all have the same "
          "goodput.",
          "goodput_gbps.mean", "goodput_gbps.jain");
    NOTES("", "packets.dropped", "queues_bytes.max");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(table__a_row_for_each_scheme_and_load),
        UNIT(table__missing_runs),
        UNIT(table__a_column_without_values_is_left_out),
        UNIT(table__columns_beside_better_ones),
        UNIT(table__against_the_first_row_of_the_group),
        UNIT(table__against_any_row),
        UNIT(table_compare__pairs_seeds),
        UNIT(table_compare__of_a_row_that_lacks_a_run),
        UNIT(table_compare__of_different_seeds),
        UNIT(table__best_where_intervals_part),
        UNIT(table_uses__a_column_that_is_not_all_zero),
        UNIT(table__against_a_row_by_its_number),
        UNIT(table_baseline_check__names_the_nearest),
        UNIT(table__groups_side_by_side),
        UNIT(table_compare__differences),
        UNIT(table__intervals_end_at_0),
        UNIT(table__columns_of_zeros_and_further_ones),
        UNIT(table_notes__of_the_columns),
    };
    return RUN_UNITS(tests);
}
