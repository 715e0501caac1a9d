/* SPDX-License-Identifier: Apache-2.0 */
#include "study/table/table.h"

#include "base/memory.h"
#include "study/experiment/figure.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the key of the rows ---- */

static bool is_axis(const char *key, const json_t *values) {
    return strcmp(key, "run.seed") != 0 && json_array_size(values) > 1;
}

static bool are_numbers(const json_t *values) {
    double number;
    for (size_t i = 0; i < json_array_size(values); i++) {
        if (!setting_number(json_array_get(values, i), NULL, &number)) return false;
    }
    return true;
}

const char *table_row_key(const json_t *axes, bool words) {
    static const char *const preferred[] = {"scheme", "switch.balance", "host.transport", "store"};
    const char *key, *first = NULL;
    json_t *values;
    for (size_t i = 0; i < sizeof preferred / sizeof *preferred; i++) {
        if (json_array_size(json_object_get(axes, preferred[i])) > 1) return preferred[i];
    }
    json_object_foreach((json_t *)axes, key, values) {
        if (!is_axis(key, values)) continue;
        if (!words || !are_numbers(values)) return key;
        if (!first) first = key;
    }
    return first ? first : "run.seed";
}

/* ---- columns ---- */

static struct metric_columns columns_choose(const struct table_run *run, size_t n, const struct table_request *q) {
    if (q->column) return metric_columns_of(q->column, q->n_columns);
    const json_t **result = memory_get(n + 1, sizeof *result);
    for (size_t i = 0; i < n; i++) result[i] = run[i].result;
    struct metric_columns c = metric_columns_choose(q->place, result, n);
    free(result);
    return c;
}

static bool has_column(const struct table *t, const bool *kept, const char *path) {
    for (size_t c = 0; c < t->columns.n; c++) {
        if (kept[c] && strcmp(t->columns.of[c].path, path) == 0) return true;
    }
    return false;
}

static bool has_value(const struct table *t, size_t c) {
    for (size_t i = 0; i < t->n_rows; i++) {
        if (!isnan(t->row[i].cell[c].value.value)) return true;
    }
    return false;
}

static void column_remove(struct table *t, size_t c) {
    size_t rest = --t->columns.n - c;
    memmove(&t->columns.of[c], &t->columns.of[c + 1], rest * sizeof *t->columns.of);
    for (size_t i = 0; i < t->n_rows; i++) {
        struct table_row *r = &t->row[i];
        memmove(&r->cell[c], &r->cell[c + 1], rest * sizeof *r->cell);
        for (size_t k = 0; k < r->n; k++) { /* value[k] moves up by one column for each run before it */
            double *to = r->value + k * t->columns.n, *from = r->value + k * (t->columns.n + 1);
            memmove(to, from, c * sizeof *to);
            memmove(to + c, from + c + 1, rest * sizeof *to);
        }
    }
}

/* Removes columns without a value, and columns beside better ones. */
static void columns_reduce(struct table *t) {
    bool *kept = memory_get(t->columns.n + 1, sizeof *kept);
    size_t n = t->columns.n;
    for (size_t c = 0; c < n; c++) kept[c] = has_value(t, c);
    for (size_t c = 0; c < n; c++) {
        const char *const *unless = t->columns.of[c].unless;
        for (size_t k = 0; k < COLUMN_UNLESS_MAX && unless[k]; k++)
            kept[c] = kept[c] && !has_column(t, kept, unless[k]);
    }
    for (size_t c = n; c-- > 0;) {
        if (!kept[c]) column_remove(t, c);
    }
    free(kept);
}

/* ---- rows and groups ---- */

static size_t group_at(struct table *t, const json_t *settings) {
    json_t *own = json_copy((json_t *)settings);
    size_t at = 0;
    json_object_del(own, t->key);
    json_object_del(own, "run.seed");
    while (at < t->n_groups && !json_equal(t->group[at].settings, own)) at++;
    if (at == t->n_groups)
        t->group[t->n_groups++] = (struct table_group){json_incref(own), t->n_rows, t->n_rows, false};
    json_decref(own);
    return at;
}

static bool is_same(const json_t *a, const json_t *b) { return a == b || json_equal(a, b); } /* NULL is NULL */

static struct table_row *row_at(struct table *t, const json_t *settings) {
    size_t group = group_at(t, settings), at = 0;
    const json_t *name = json_object_get(settings, t->key);
    while (at < t->n_rows && !(t->row[at].group == group && is_same(t->row[at].name, name))) at++;
    if (at == t->n_rows) t->row[t->n_rows++] = (struct table_row){.name = name, .first = settings, .group = group};
    return &t->row[at];
}

static bool is_whole(const json_t *result) { return result && !json_object_get(result, "failure"); }

static const char *digest_of(const json_t *result) {
    return json_string_value(json_object_get(json_object_get(result, "engine"), "digest"));
}

static void row_add(struct table_row *r, const struct metric_columns *c, const struct table_run *run,
                    const char **digest) {
    if (!is_whole(run->result)) {
        r->n_missing++;
        return;
    }
    missing_flows_add(&r->flows, run->result);
    const char *own = digest_of(run->result);
    r->is_free = r->is_free || (r->n > 0 && !(own && *digest && strcmp(own, *digest) == 0));
    if (r->n == 0) *digest = own;
    r->seed = memory_grow(r->seed, r->n + 1, sizeof *r->seed);
    r->value = memory_grow(r->value, (r->n + 1) * c->n + 1, sizeof *r->value);
    r->seed[r->n] = json_object_get(run->settings, "run.seed");
    for (size_t k = 0; k < c->n; k++) r->value[r->n * c->n + k] = metric_column_value(&c->of[k], run->result);
    r->n++;
}

static void rows_collect(struct table *t, const struct table_run *run, size_t n) {
    const char **digest = memory_get(n + 1, sizeof *digest); /* of the first run of each row */
    t->row = memory_get(n + 1, sizeof *t->row);
    t->group = memory_get(n + 1, sizeof *t->group);
    for (size_t i = 0; i < n; i++) {
        struct table_row *r = row_at(t, run[i].settings);
        row_add(r, &t->columns, &run[i], &digest[r - t->row]);
    }
    free(digest);
}

/* ---- cells ---- */

/* Returns the values of a column, a number for each run. The caller frees them. */
static double *column_values(const struct table *t, const struct table_row *r, size_t c) {
    double *value = memory_get(r->n + 1u, sizeof *value);
    for (size_t i = 0; i < r->n; i++) value[i] = r->value[i * t->columns.n + c];
    return value;
}

static void rows_estimate(struct table *t) {
    for (size_t i = 0; i < t->n_rows; i++) {
        struct table_row *r = &t->row[i];
        r->cell = memory_get(t->columns.n + 1, sizeof *r->cell);
        for (size_t c = 0; c < t->columns.n; c++) {
            double *value = column_values(t, r, c);
            r->cell[c] = (struct table_cell){.value = estimate_mean(value, r->n), .change = NAN};
            if (!r->is_free) r->cell[c].value.standard_error = NAN;
            if (!r->is_free) r->cell[c].value.low = r->cell[c].value.high = NAN;
            free(value);
        }
    }
}

static void baselines_find(struct table *t, const json_t *baseline) {
    for (size_t i = 0; i < t->n_rows; i++) {
        struct table_group *g = &t->group[t->row[i].group];
        g->has_intervals = g->has_intervals || t->row[i].is_free;
        if (baseline && json_equal(t->row[i].name, baseline)) g->baseline = i;
    }
}

static bool is_best(const struct table *t, size_t at, size_t c) {
    const struct estimate *e = &t->row[at].cell[c].value;
    int better = t->columns.of[c].better;
    size_t others = 0;
    if (better == METRIC_NEITHER) return false;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct estimate *other = &t->row[i].cell[c].value;
        if (i == at || t->row[i].group != t->row[at].group) continue;
        others++;
        if (!estimates_part(e, other) || better * other->value > better * e->value) return false;
    }
    return others > 0;
}

static void cells_compare(struct table *t) {
    for (size_t i = 0; i < t->n_rows; i++) {
        size_t baseline = t->group[t->row[i].group].baseline;
        for (size_t c = 0; c < t->columns.n; c++) {
            struct table_cell *cell = &t->row[i].cell[c];
            double base = t->row[baseline].cell[c].value.value;
            if (i != baseline && base > 0) cell->change = figure_of(FORM_CHANGE, cell->value.value, base);
            cell->is_best = is_best(t, i, c);
        }
    }
}

/* ---- the table ---- */

struct table *table_make(const struct table_run *run, size_t n, const struct table_request *q) {
    struct table *t = memory_get(1, sizeof *t);
    t->key = q->key;
    t->columns = columns_choose(run, n, q);
    rows_collect(t, run, n);
    rows_estimate(t);
    columns_reduce(t);
    baselines_find(t, q->baseline);
    cells_compare(t);
    return t;
}

void table_free(struct table *t) {
    for (size_t i = 0; i < t->n_rows; i++) {
        free(t->row[i].cell);
        free(t->row[i].seed);
        free(t->row[i].value);
    }
    for (size_t i = 0; i < t->n_groups; i++) json_decref(t->group[i].settings);
    free(t->row);
    free(t->group);
    metric_columns_free(&t->columns);
    free(t);
}

/* Fills against[] with the values of the other row in the order of this row's seeds. Returns false if a seed is in
 * one of them only. */
static bool seeds_pair(const struct table *t, const struct table_row *r, const struct table_row *other, size_t c,
                       double *against) {
    if (r->n != other->n) return false;
    for (size_t i = 0; i < r->n; i++) {
        size_t k = 0;
        while (k < other->n && !json_equal(r->seed[i], other->seed[k])) k++;
        if (k == other->n) return false;
        against[i] = other->value[k * t->columns.n + c];
    }
    return true;
}

struct estimate table_compare(const struct table *t, size_t row, size_t baseline, size_t column) {
    const struct table_row *r = &t->row[row], *base = &t->row[baseline];
    double change = figure_of(FORM_CHANGE, r->cell[column].value.value, base->cell[column].value.value);
    struct estimate e = {change, NAN, NAN, NAN, r->n, 1};
    double *of = column_values(t, r, column), *against = memory_get(r->n + 1u, sizeof *against),
           *influence = memory_get(r->n + 1u, sizeof *influence);
    if (r->n && (r->is_free || base->is_free) && seeds_pair(t, r, base, column, against)) {
        double value = figure_of_means(FORM_CHANGE, of, against, r->n, influence);
        e = estimate_of(value, influence, r->n);
    }
    free(of);
    free(against);
    free(influence);
    return e;
}

bool table_group_uses(const struct table *t, size_t group, size_t column) {
    for (size_t i = 0; i < t->n_rows; i++) {
        double value = t->row[i].cell[column].value.value;
        if (t->row[i].group == group && !isnan(value) && value != 0) return true;
    }
    return false;
}

bool table_group_has_runs(const struct table *t, size_t group) {
    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->row[i].group == group && t->row[i].n) return true;
    }
    return false;
}

uint32_t table_most_runs(const struct table *t) {
    uint32_t most = 0;
    for (size_t i = 0; i < t->n_rows; i++) most = t->row[i].n > most ? t->row[i].n : most;
    return most;
}
