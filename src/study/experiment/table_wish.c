/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/table_wish.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/experiment/metric_check.h"
#include "study/experiment/settings.h"
#include "study/experiment/sweep.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 64 /* values of an axis among which the nearest is looked for */

/* ---- reading ---- */

static void column_add(struct table_wish *w, char *path) {
    w->column = memory_grow(w->column, w->n_columns + 1, sizeof *w->column);
    w->column[w->n_columns++] = path;
}

bool table_wish_read(const struct tree_node *block, struct table_wish *w, struct diag *d) {
    *w = (struct table_wish){0};
    if (!block || tree_is_null(block)) return true;
    if (block->kind != TREE_MAP) return tree_fail(d, block, "write table: {columns: [METRIC, ...], baseline: ROW}");
    const struct tree_node *columns = tree_get(block, "columns"), *baseline = tree_get(block, "baseline");
    size_t n = !columns || tree_is_null(columns) ? 0 : columns->kind == TREE_LIST ? columns->n : 1;
    for (size_t i = 0; i < n; i++) {
        const struct tree_node *path = columns->kind == TREE_LIST ? columns->item[i] : columns;
        if (path->kind != TREE_SCALAR) return tree_fail(d, path, "write a metric, such as fct_us.all.p99");
        column_add(w, text_copy(path->text));
    }
    bool has_baseline =
        baseline && !tree_is_null(baseline) && strcmp(baseline->text ? baseline->text : "", "none") != 0;
    if (has_baseline && baseline->kind != TREE_SCALAR)
        return tree_fail(d, baseline, "write the name or number of a row");
    if (has_baseline) w->baseline = text_copy(baseline->text);
    return true;
}

void table_wish_of_words(const char *const *columns, size_t n, const char *baseline, struct table_wish *w) {
    *w = (struct table_wish){.baseline = baseline ? text_copy(baseline) : NULL};
    for (size_t i = 0; i < n; i++) {
        for (const char *at = columns[i]; *at;) {
            size_t length = strcspn(at, ", ");
            if (length) column_add(w, text_copy_part(at, length));
            at += length + (at[length] != '\0');
        }
    }
}

void table_wish_complete(struct table_wish *w, const struct table_wish *other) {
    for (size_t i = 0, own = w->n_columns; own == 0 && i < other->n_columns; i++)
        column_add(w, text_copy(other->column[i]));
    if (!w->baseline && other->baseline) w->baseline = text_copy(other->baseline);
}

void table_wish_free(struct table_wish *w) {
    for (size_t i = 0; i < w->n_columns; i++) free(w->column[i]);
    free(w->column);
    free(w->baseline);
    *w = (struct table_wish){0};
}

/* ---- checking ---- */

/* Returns the axis whose values are the rows; NULL if no key but the seed is swept. */
static const struct axis *rows_axis(const struct experiment *e) {
    const char *key = sweep_row_key(e);
    for (size_t i = 0; i < e->n_axes; i++) {
        if (strcmp(e->axis[i].key, key) == 0) return &e->axis[i];
    }
    return NULL;
}

/* Returns how many rows the table has: the combinations of all settings but the seed. */
static size_t rows_count(const struct experiment *e, const struct axis *rows) {
    size_t n = 1;
    for (size_t i = 0; i < e->n_axes; i++) {
        bool is_seed = strcmp(e->axis[i].key, "run.seed") == 0 && &e->axis[i] != rows;
        n *= is_seed ? 1 : e->axis[i].list->n;
    }
    return n;
}

static bool is_number_of_row(const char *text, size_t n) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && number >= 1 && number <= n;
}

static bool baseline_check(const char *baseline, const struct experiment *e, const struct tree_node *where,
                           struct diag *d) {
    const struct axis *rows = rows_axis(e);
    size_t n = rows_count(e, rows), n_names = 0;
    char text[NAMES_MAX][128];
    const char *name[NAMES_MAX];
    if (is_number_of_row(baseline, n)) return true;
    for (size_t i = 0; rows && i < rows->list->n; i++) {
        json_t *value = setting_json(rows->key, rows->list->item[i], d);
        if (!value) return false;
        setting_text(value, text[n_names], sizeof text[n_names]);
        json_decref(value);
        if (strcmp(text[n_names], baseline) == 0) return true;
        name[n_names] = text[n_names];
        n_names += n_names + 1 < NAMES_MAX;
    }
    const char *nearest = diag_nearest(baseline, name, n_names);
    return tree_fail(d, where, "no row is named '%s'; %s%s%sname a value of %s, or the number of a row, 1 to %zu",
                     baseline, nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? Or " : "",
                     sweep_row_key(e), n);
}

bool table_wish_check(const struct table_wish *w, const struct experiment *e, const struct tree_node *where,
                      struct diag *d) {
    for (size_t i = 0; i < w->n_columns; i++) {
        if (!metric_check(e, w->column[i], where, d)) return false;
    }
    return !w->baseline || baseline_check(w->baseline, e, where, d);
}

bool table_block_check(const struct experiment *e, struct diag *d) {
    const struct tree_node *block = tree_get(e->root, "table");
    struct table_wish w;
    bool ok = table_wish_read(block, &w, d);
    if (!e->as_written) free(w.baseline);
    if (!e->as_written) w.baseline = NULL;
    ok = ok && table_wish_check(&w, e, block, d);
    table_wish_free(&w);
    return ok;
}
