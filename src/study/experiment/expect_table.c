/* SPDX-License-Identifier: Apache-2.0 */
#include "study/experiment/expect_table.h"

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/experiment/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    const struct tree_node *claim, *at; /* the claim, and its `table` */
    const char *unit;                   /* of the numbers; "" = plain */
    double factor;                      /* from `unit` to that of the metric */
    double low, high;                   /* the range, as shares of a number */
    const struct tree_node *columns, *rows;
    struct diag *d;
};

/* ---- reading ---- */

static bool keys_check(const struct table *t) {
    static const char *const keys[] = {"unit", "within", "columns", "rows"};
    for (size_t i = 0; i < t->at->n; i++) {
        const char *name = t->at->key[i]->text, *nearest = diag_nearest(name, keys, 4);
        bool known = false;
        for (size_t k = 0; k < 4; k++) known = known || strcmp(name, keys[k]) == 0;
        if (!known)
            return tree_fail(t->d, t->at->key[i], "a table has no '%s'; %s%s%s", name,
                             nearest ? "did you mean '" : "it has unit, within, columns and rows",
                             nearest ? nearest : "", nearest ? "'?" : "");
    }
    return true;
}

/* Reads a number; a percentage as a share. */
static bool number_read(const struct tree_node *n, double *value) {
    char *end = NULL;
    if (n->kind != TREE_SCALAR) return false;
    *value = strtod(n->text, &end);
    bool is_percentage = end > n->text && strcmp(end, "%") == 0;
    if (is_percentage) *value /= 100;
    return end > n->text && (is_percentage || *end == '\0') && isfinite(*value);
}

static bool within_read(struct table *t) {
    const struct tree_node *n = tree_get(t->at, "within");
    double share;
    if (n && n->kind == TREE_LIST && n->n == 2 && number_read(n->item[0], &t->low) &&
        number_read(n->item[1], &t->high) && t->low <= t->high)
        return true;
    if (!n || !number_read(n, &share) || share < 0)
        return tree_fail(t->d, n ? n : t->at,
                         "within is how far a figure may lie from its number; write within: 20%%, "
                         "or [50%%, 200%%] for half of it to twice");
    t->low = 1 - share;
    t->high = 1 + share;
    return true;
}

static bool unit_read(struct table *t) {
    const struct tree_node *metric = tree_get(t->claim, "metric"), *n = tree_get(t->at, "unit");
    const char *own = metric && metric->kind == TREE_SCALAR ? metric_unit(metric->text) : "";
    t->unit = n && n->kind == TREE_SCALAR ? n->text : own;
    t->factor = strcmp(t->unit, own) == 0 ? 1 : unit_factor(t->unit, own);
    return t->factor > 0 || tree_fail(t->d, n, "%s is in %s, which cannot be told in %s", metric ? metric->text : "?",
                                      *own ? own : "plain numbers", t->unit);
}

/* Returns the map with one swept key that stands at `name`, whose value has this kind; NULL after filling the diag. */
static const struct tree_node *one_key(const struct table *t, const char *name, enum tree_kind kind, const char *form) {
    const struct tree_node *n = tree_get(t->at, name);
    if (n && n->kind == TREE_MAP && n->n == 1 && n->item[0]->kind == kind && n->item[0]->n > 0) return n;
    tree_fail(t->d, n ? n : t->at, "%s of a table: write %s: %s", name, name, form);
    return NULL;
}

static bool table_read(struct table *t) {
    static const char *const written[] = {"paper", "value"};
    if (t->at->kind != TREE_MAP)
        return tree_fail(t->d, t->at, "write table: {within: 20%%, columns: {...}, rows: {...}}");
    for (size_t i = 0; i < 2; i++) {
        const struct tree_node *n = tree_get(t->claim, written[i]);
        if (n) return tree_fail(t->d, n, "%s is what each cell of the table says; leave it out", written[i]);
    }
    return keys_check(t) && within_read(t) && unit_read(t) &&
           (t->columns = one_key(t, "columns", TREE_LIST, "{KEY: [a value for each column]}")) &&
           (t->rows = one_key(t, "rows", TREE_MAP, "{KEY: {VALUE: [a number for each column]}}"));
}

/* ---- writing ---- */

static struct tree_node *scalar(const struct tree_node *where, const char *text) {
    struct tree_node *n = tree_copy(where);
    free(n->text);
    n->text = text_copy(text);
    return n;
}

static void put_new(struct tree_node *map, const struct tree_node *where, const char *name, struct tree_node *value) {
    struct tree_node *key = scalar(where, name);
    tree_put(map, map->n, key, value);
    tree_free(key);
    tree_free(value);
}

static struct tree_node *range_node(const struct tree_node *cell, double a, double b) {
    struct tree_node *list = memory_get(1, sizeof *list);
    *list = (struct tree_node){.kind = TREE_LIST, .file = cell->file, .line = cell->line, .col = cell->col};
    char text[2][32];
    snprintf(text[0], sizeof text[0], "%.12g", fmin(a, b));
    snprintf(text[1], sizeof text[1], "%.12g", fmax(a, b));
    for (size_t i = 0; i < 2; i++) tree_append(list, scalar(cell, text[i]));
    return list;
}

/* Lays the claim of a cell over a copy of the claim. */
static bool cell_add(const struct table *t, struct tree_node *list, size_t row, size_t column) {
    const struct tree_node *values = t->rows->item[0], *cell = values->item[row]->item[column];
    double number;
    char paper[64];
    if (tree_is_null(cell)) return true;
    if (!number_read(cell, &number)) return tree_fail(t->d, cell, "a cell is a number, or null where there is none");
    struct tree_node *over = tree_map(cell), *of = tree_map(cell), *claim = tree_copy(t->claim);
    tree_put(of, 0, t->rows->key[0], values->key[row]);
    tree_put(of, 1, t->columns->key[0], t->columns->item[0]->item[column]);
    snprintf(paper, sizeof paper, "%s%s%s", cell->text, *t->unit ? " " : "", t->unit);
    put_new(over, cell, "of", of);
    put_new(over, cell, "paper", scalar(cell, paper));
    put_new(over, cell, "value", range_node(cell, number * t->low * t->factor, number * t->high * t->factor));
    tree_remove(claim, "table");
    tree_merge(claim, over);
    tree_free(over);
    claim->line = cell->line;
    claim->col = cell->col;
    tree_append(list, claim);
    return true;
}

static bool row_add(const struct table *t, struct tree_node *list, size_t row) {
    const struct tree_node *values = t->rows->item[0], *cells = values->item[row], *columns = t->columns->item[0];
    if (cells->kind != TREE_LIST || cells->n != columns->n)
        return tree_fail(t->d, cells, "row %s needs a number for each of the %zu columns; null where there is none",
                         values->key[row]->text, columns->n);
    for (size_t i = 0; i < columns->n; i++)
        if (!cell_add(t, list, row, i)) return false;
    return true;
}

bool expect_table_write_out(struct tree_node *list, struct tree_node *claim, struct diag *d) {
    struct table t = {.claim = claim, .at = tree_get(claim, "table"), .d = d};
    bool ok = table_read(&t) && t.columns && t.rows;
    for (size_t i = 0; ok && i < t.rows->item[0]->n; i++) ok = row_add(&t, list, i);
    tree_free(claim);
    return ok;
}
