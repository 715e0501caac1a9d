/* SPDX-License-Identifier: Apache-2.0 */
#include "study/table/table.h"

#include "base/memory.h"
#include "study/experiment/settings.h"
#include "study/results/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

void table_ask(struct table_asked *a, const char *metric) {
    for (size_t i = 0; i < a->n; i++) {
        if (strcmp(a->metric[i], metric) == 0) return;
    }
    if (a->n < TABLE_ASKED_MAX) a->metric[a->n++] = metric;
}

static struct metric_columns columns_choose(const struct table_run *run, size_t n, const struct table_request *q) {
    if (q->wish && q->wish->n_columns)
        return metric_columns_of((const char *const *)q->wish->column, q->wish->n_columns);
    const json_t **result = memory_get(n + 1, sizeof *result);
    const char **config = memory_get(n + 1, sizeof *config);
    for (size_t i = 0; i < n; i++) {
        result[i] = run[i].result;
        config[i] = run[i].config;
    }
    struct metric_columns c = metric_columns_choose(&(struct columns_request){result, config, n, q->asked, q->n_asked});
    free(result);
    free(config);
    return c;
}

/* Returns the further metrics that are no columns and have a value other than 0 in some result. */
static struct metric_columns further_choose(const struct table *t, const struct table_run *run, size_t n) {
    struct metric_columns all = metric_columns_further();
    size_t kept = 0;
    for (size_t c = 0; c < all.n; c++) {
        bool is_used = false;
        for (size_t i = 0; i < n && !is_used; i++) {
            double value = metric_column_value(&all.of[c], run[i].result);
            is_used = !isnan(value) && value != 0;
        }
        if (is_used && !metric_columns_have(&t->columns, all.of[c].path)) all.of[kept++] = all.of[c];
    }
    all.n = kept;
    return all;
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

/* Returns copies of the columns without a value. */
static struct metric_columns empty_find(const struct table *t) {
    struct metric_columns c = {.of = memory_get(t->columns.n + 1, sizeof *c.of)};
    for (size_t i = 0; i < t->columns.n; i++) {
        if (!has_value(t, i)) c.of[c.n++] = t->columns.of[i];
    }
    return c;
}

/* Removes columns without a value, of zeros that tell nothing, and columns beside better ones. */
static void columns_reduce(struct table *t) {
    bool *kept = memory_get(t->columns.n + 1, sizeof *kept);
    size_t n = t->columns.n;
    for (size_t c = 0; c < n; c++) kept[c] = has_value(t, c) && (t->columns.of[c].shows_zero || table_uses(t, c));
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
    if (at == t->n_groups) t->group[t->n_groups++] = (struct table_group){json_incref(own), 0, 0};
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

/* Puts the rows of a group side by side. */
static void rows_order(struct table *t) {
    struct table_row *ordered = memory_get(t->n_rows + 1, sizeof *ordered);
    size_t n = 0;
    for (size_t g = 0; g < t->n_groups; g++) {
        t->group[g].first = n;
        for (size_t i = 0; i < t->n_rows; i++) {
            if (t->row[i].group == g) ordered[n++] = t->row[i];
        }
        t->group[g].n = n - t->group[g].first;
    }
    free(t->row);
    t->row = ordered;
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

static struct estimate cell_value(const struct table *t, const struct table_row *r, size_t c) {
    double *value = column_values(t, r, c);
    struct estimate e = estimate_mean(value, r->n);
    free(value);
    if (!r->is_free) e.standard_error = e.low = e.high = NAN;
    return estimate_shown(e, e.value, figure_least(FORM_VALUE, t->columns.of[c].is_signed));
}

static void rows_estimate(struct table *t) {
    for (size_t i = 0; i < t->n_rows; i++) {
        struct table_row *r = &t->row[i];
        r->cell = memory_get(t->columns.n + 1, sizeof *r->cell);
        for (size_t c = 0; c < t->columns.n; c++)
            r->cell[c] = (struct table_cell){.value = cell_value(t, r, c), .change = {.value = NAN}};
    }
}

/* ---- baselines ---- */

/* Returns the row whose number the text is; n_rows if it is none. */
static size_t row_of_number(const struct table *t, const char *text) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    bool is_number = *text >= '0' && *text <= '9' && *end == '\0';
    return is_number && number >= 1 && number <= t->n_rows ? number - 1 : t->n_rows;
}

static bool is_named(const struct table_row *r, const char *name) {
    char text[256];
    setting_text(r->name, text, sizeof text);
    return r->name && strcmp(text, name) == 0;
}

/* Gives each row its baseline. A name is looked for before a number, so a row that is named 2 is meant by 2. */
static void baselines_find(struct table *t, const char *wanted) {
    bool is_name = false;
    for (size_t i = 0; i < t->n_rows; i++) t->row[i].baseline = t->group[t->row[i].group].first;
    for (size_t i = 0; wanted && i < t->n_rows; i++) {
        const struct table_group *g = &t->group[t->row[i].group];
        if (!is_named(&t->row[i], wanted)) continue;
        is_name = true;
        for (size_t k = g->first; k < g->first + g->n; k++) t->row[k].baseline = i;
    }
    if (!wanted || is_name) return;
    size_t row = row_of_number(t, wanted);
    t->lacks_baseline = row == t->n_rows;
    for (size_t i = 0; !t->lacks_baseline && i < t->n_rows; i++) t->row[i].baseline = row;
}

bool table_baseline_check(const struct table *t, const struct table_wish *wish, struct diag *d) {
    if (!t->lacks_baseline) return true;
    const char **name = memory_get(t->n_rows + 1, sizeof *name);
    char(*text)[128] = memory_get(t->n_rows + 1, sizeof *text);
    for (size_t i = 0; i < t->n_rows; i++) {
        setting_text(t->row[i].name, text[i], sizeof text[i]);
        name[i] = text[i];
    }
    const char *nearest = diag_nearest(wish->baseline, name, t->n_rows);
    diag_fail_in(d, "--baseline", "no row is named '%s'; %s%s%sname a value of %s, or the number of a row, 1 to %zu",
                 wish->baseline, nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? Or " : "",
                 t->key, t->n_rows);
    free(text);
    free(name);
    return false;
}

static bool is_best(const struct table *t, size_t at, size_t c) {
    const struct estimate *e = &t->row[at].cell[c].value;
    const struct table_group *g = &t->group[t->row[at].group];
    int better = t->columns.of[c].better;
    if (better == METRIC_NEITHER) return false;
    for (size_t i = g->first; i < g->first + g->n; i++) {
        const struct estimate *other = &t->row[i].cell[c].value;
        if (i == at) continue;
        if (!estimates_part(e, other) || better * other->value > better * e->value) return false;
    }
    return g->n > 1;
}

static void cells_compare(struct table *t) {
    for (size_t i = 0; i < t->n_rows; i++) {
        for (size_t c = 0; c < t->columns.n; c++) {
            struct table_cell *cell = &t->row[i].cell[c];
            if (i != t->row[i].baseline) cell->change = table_compare(t, i, t->row[i].baseline, c, &cell->form);
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
    rows_order(t);
    rows_estimate(t);
    if (q->wish && q->wish->n_columns) t->empty = empty_find(t);
    columns_reduce(t);
    t->further = further_choose(t, run, n);
    t->asks_baseline = q->wish && q->wish->baseline;
    baselines_find(t, t->asks_baseline ? q->wish->baseline : NULL);
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
    metric_columns_free(&t->further);
    metric_columns_free(&t->empty);
    free(t);
}

/* Values of the seeds that two rows share, in the order of the first. */
struct seed_pairs {
    double *of, *against;
    uint32_t n;
};

/* pairs_free frees what the pairs hold. */
static struct seed_pairs pairs_make(const struct table *t, const struct table_row *r, const struct table_row *other,
                                    size_t c) {
    struct seed_pairs p = {memory_get(r->n + 1u, sizeof *p.of), memory_get(r->n + 1u, sizeof *p.against), 0};
    for (size_t i = 0; i < r->n; i++) {
        size_t k = 0;
        while (k < other->n && !json_equal(r->seed[i], other->seed[k])) k++;
        if (k == other->n) continue;
        p.of[p.n] = r->value[i * t->columns.n + c];
        p.against[p.n++] = other->value[k * t->columns.n + c];
    }
    return p;
}

static void pairs_free(struct seed_pairs *p) {
    free(p->of);
    free(p->against);
}

/* Shares and plain numbers differ by points: a percentage of a percentage misleads. From 0 there is no relative change. */
static enum claim_form form_of(const struct metric_column *column, double base) {
    bool is_share = column->unit == UNIT_SHARE || column->unit == UNIT_NUMBER;
    return is_share || !(base > 0) ? FORM_DIFFERENCE : FORM_CHANGE;
}

static double mean_of(const double *value, uint32_t n) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += value[i];
    return sum / n;
}

struct estimate table_compare(const struct table *t, size_t row, size_t baseline, size_t column,
                              enum claim_form *form) {
    const struct table_row *r = &t->row[row], *base = &t->row[baseline];
    struct seed_pairs p = pairs_make(t, r, base, column);
    bool is_whole = p.n == r->n && p.n == base->n, is_part = p.n && !is_whole;
    double value = is_part ? mean_of(p.of, p.n) : r->cell[column].value.value;
    double from = is_part ? mean_of(p.against, p.n) : base->cell[column].value.value;
    *form = form_of(&t->columns.of[column], from);
    struct estimate e = {figure_of(*form, value, from), NAN, NAN, NAN, r->n, 1};
    if (p.n && (r->is_free || base->is_free)) {
        double *influence = memory_get(p.n + 1u, sizeof *influence);
        double figure = figure_of_means(*form, p.of, p.against, p.n, influence);
        e = estimate_of(figure, influence, p.n);
        free(influence);
    }
    pairs_free(&p);
    double scale = *form == FORM_CHANGE ? 1 : fmax(fabs(value), fabs(from));
    return estimate_shown(e, scale, figure_least(*form, t->columns.of[column].is_signed));
}

bool table_uses(const struct table *t, size_t column) {
    for (size_t i = 0; i < t->n_rows; i++) {
        double value = t->row[i].cell[column].value.value;
        if (!isnan(value) && value != 0) return true;
    }
    return false;
}

bool table_group_has_runs(const struct table *t, size_t group) {
    const struct table_group *g = &t->group[group];
    for (size_t i = g->first; i < g->first + g->n; i++) {
        if (t->row[i].n) return true;
    }
    return false;
}

bool table_has_intervals(const struct table *t) {
    for (size_t i = 0; i < t->n_rows; i++) {
        if (t->row[i].is_free) return true;
    }
    return false;
}

uint32_t table_most_runs(const struct table *t) {
    uint32_t most = 0;
    for (size_t i = 0; i < t->n_rows; i++) most = t->row[i].n > most ? t->row[i].n : most;
    return most;
}

void table_row_text(const struct table *t, size_t row, char *buf, size_t size) {
    const struct table_row *r = &t->row[row];
    buf[0] = '\0';
    if (r->name) setting_text(r->name, buf, size);
    size_t used = strlen(buf);
    if (t->n_groups < 2 || used + 3 > size) return;
    if (used) used += (size_t)snprintf(buf + used, size - used, ", ");
    settings_text(t->group[r->group].settings, buf + used, size - used);
}
