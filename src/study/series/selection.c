/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/selection.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/config/schema.h"
#include "study/config/size_classes.h"
#include "study/config/yaml_doc.h"

#include <stdlib.h>
#include <string.h>

/* ---- the configuration of a run ---- */

static int64_t setting_value(const struct tree_node *config, const char *path, int64_t none) {
    const struct tree_node *n = tree_at(config, path);
    const struct key *k = schema_find(path);
    char why[384];
    int64_t value;
    return n && n->kind == TREE_SCALAR && k && param_parse(&k->param, n->text, &value, why, sizeof why) ? value : none;
}

struct run_selection run_selection(const struct run_row *run) {
    struct diag ignored;
    struct run_selection s = {.arrivals = SELECTION_ALL};
    struct tree_node *config = run->config ? tree_parse(run->config, strlen(run->config), "config", &ignored) : NULL;
    if (!config) return s;
    s.arrivals.from = setting_value(config, "measure.from", 0);
    s.arrivals.until = setting_value(config, "measure.until", TIME_NONE);
    s.arrivals.starts_from_ppb = setting_value(config, "measure.starts.0", 0);
    s.arrivals.starts_to_ppb = setting_value(config, "measure.starts.1", PPB);
    const struct tree_node *edges = tree_at(config, "measure.classes");
    for (size_t i = 0; edges && i < edges->n && i < SIZE_EDGES_MAX; i++) {
        char path[KEY_PATH_MAX];
        s.sizes.edge[s.sizes.n_edges++] = (uint64_t)setting_value(config, path_item(path, "measure.classes", i), 0);
    }
    tree_free(config);
    return s;
}

bool run_class_find(const struct run_selection *s, const char *name, struct run_class *class) {
    for (unsigned c = 0; c < FLOW_CLASSES; c++) {
        class->sizes = flow_class_range((enum flow_class)c);
        if (strcmp(flow_class_names[c], name) == 0) return true;
    }
    for (uint32_t i = 0; i < size_classes_count(&s->sizes); i++) {
        char buf[SIZE_CLASS_NAME_MAX];
        class->sizes = size_class_range(&s->sizes, i);
        if (strcmp(size_class_name(&s->sizes, i, buf), name) == 0) return true;
    }
    return false;
}

bool run_class_has(const struct run_class *class, const struct flow_row *x) {
    uint64_t bytes = (uint64_t)x->bytes;
    return x->bytes != STORE_NULL && bytes >= class->sizes.from && bytes < class->sizes.to;
}

/* ---- arrivals ---- */

static int column_of(enum store_table table, const char *name) {
    const char *const *column;
    size_t n = store_columns(table, &column);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(column[i], name) == 0) return (int)i;
    }
    return -1;
}

static time_ps start_of(sqlite3_stmt *q, int column) {
    return sqlite3_column_type(q, column) == SQLITE_NULL ? TIME_NONE : sqlite3_column_int64(q, column);
}

bool arrivals_begin(struct arrivals *a, const struct store_reader *r, const struct run_row *run, enum store_table table,
                    const struct selection *s, struct diag *d) {
    struct store_rows rows;
    time_ps *start = NULL;
    uint32_t n = 0;
    int column = column_of(table, "start_ps");
    *a = (struct arrivals){.selection = s};
    if (!selection_needs_places(s)) return true;
    if (!store_rows_begin_some(r, table, " start_ps ", run->id, &rows, d)) return false;
    for (; store_next(&rows); n++) {
        if ((n & (n - 1)) == 0) start = memory_grow(start, n ? 2 * (size_t)n : 1, sizeof *start);
        start[n] = start_of(rows.q, column);
    }
    bool ok = store_rows_end(&rows, d);
    a->n = n;
    a->place = arrival_places(start, n, &a->n_started);
    free(start);
    return ok;
}

bool arrivals_next(struct arrivals *a, int64_t start_ps) {
    time_ps start = start_ps == STORE_NULL ? TIME_NONE : start_ps;
    if (!a->place) return selection_has(a->selection, start, 0, 1);
    uint32_t i = a->at++;
    return i < a->n && selection_has(a->selection, start, a->place[i], a->n_started);
}

void arrivals_end(struct arrivals *a) {
    free(a->place);
    *a = (struct arrivals){0};
}
