/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/page_table.h"

#include "base/memory.h"
#include "study/experiment/settings.h"
#include "study/results/json_out.h"
#include "study/series/points.h"
#include "study/table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_SHOWN 8

/* The runs of all experiments of one name. */
struct joined {
    struct table_run *run;
    size_t n;
    json_t *axes; /* {KEY: [values]} of these runs */
    json_t *keep; /* settings that name the store */
};

/* ---- runs ---- */

static bool is_shown(const struct run_row *x) { return x->number > 0 && x->status == RUN_DONE; }

static size_t stores_with(struct store_reader *const *reader, size_t n, const char *name) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; e < reader[i]->n_experiments; e++) found += strcmp(reader[i]->experiment[e].name, name) == 0;
    }
    return found;
}

static void run_add(struct joined *j, const struct store_reader *r, const struct run_row *x, bool name_store) {
    const json_t *settings = x->settings;
    if (name_store) {
        json_t *own = json_pack("{s:s}", "store", r->shown);
        json_object_update(own, x->settings);
        json_array_append_new(j->keep, own);
        settings = own;
    }
    settings_axes_add(j->axes, settings);
    j->run = memory_grow(j->run, j->n + 1, sizeof *j->run);
    j->run[j->n++] = (struct table_run){settings, x->result};
}

static struct joined runs_join(struct store_reader *const *reader, size_t n, const char *name) {
    struct joined j = {.axes = json_object(), .keep = json_array()};
    bool name_store = stores_with(reader, n, name) > 1;
    for (size_t i = 0; i < n; i++) {
        const struct store_reader *r = reader[i];
        for (size_t k = 0; k < r->n_runs; k++) {
            const struct run_row *x = &r->run[k];
            if (is_shown(x) && strcmp(r->experiment[x->experiment].name, name) == 0) run_add(&j, r, x, name_store);
        }
    }
    return j;
}

static void joined_free(struct joined *j) {
    free(j->run);
    json_decref(j->axes);
    json_decref(j->keep);
}

/* ---- columns ---- */

static bool is_used(const struct table *t, size_t column) {
    for (size_t g = 0; g < t->n_groups; g++) {
        if (table_group_uses(t, g, column)) return true;
    }
    return false;
}

static bool is_of_queries(const char *path) { return strncmp(path, "queries.", 8) == 0; }

/* Fills path[] with the columns that have a value other than 0, those of queries first. The texts belong to the
 * table. */
static size_t quoted_find(const struct table *t, const char **path) {
    size_t n = 0;
    for (int queries = 1; queries >= 0; queries--) {
        for (size_t c = 0; c < t->columns.n; c++) {
            const char *own = t->columns.of[c].path;
            if (is_of_queries(own) == queries && is_used(t, c)) path[n++] = own;
        }
    }
    return n;
}

static json_t *texts_json(const char *const *text, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(list, json_string(text[i]));
    return list;
}

/* ---- rows ---- */

static json_t *cell_json(const struct table_row *r, size_t column) {
    const struct table_cell *c = &r->cell[column];
    if (isnan(c->value.value)) return json_null();
    return json_pack("[f, o, o, I, i]", c->value.value, json_number(c->value.low), json_number(c->value.high),
                     (json_int_t)r->n, c->is_best ? 1 : 0);
}

static json_t *row_json(const struct table *t, const struct table_row *r) {
    json_t *settings = json_copy((json_t *)r->first), *cells = json_array();
    json_object_del(settings, "run.seed");
    for (size_t c = 0; c < t->columns.n; c++) json_array_append_new(cells, cell_json(r, c));
    return json_pack("{s:o, s:o}", "settings", settings, "cells", cells);
}

static json_t *table_json(const struct table *t, const char *const *quoted, size_t n_quoted) {
    json_t *rows = json_array(), *columns = json_array();
    char *notes = table_notes(&t->columns);
    for (size_t c = 0; c < t->columns.n; c++) json_array_append_new(columns, json_string(t->columns.of[c].path));
    for (size_t i = 0; i < t->n_rows; i++) json_array_append_new(rows, row_json(t, &t->row[i]));
    json_t *o = json_pack("{s:s?, s:o, s:o, s:s, s:o}", "key", t->key[0] ? t->key : NULL, "quoted",
                          texts_json(quoted, n_quoted), "columns", columns, "notes", notes, "rows", rows);
    free(notes);
    return o;
}

static json_t *experiment_table(struct store_reader *const *reader, size_t n, const char *name) {
    struct joined j = runs_join(reader, n, name);
    const char *key = table_row_key(j.axes, true);
    if (strcmp(key, "run.seed") == 0) key = ""; /* seeds are no rows of the page */
    struct table *all = table_make(j.run, j.n, &(struct table_request){.place = METRIC_IN_PAGE, .key = key});
    const char **path = memory_get(all->columns.n + 1, sizeof *path);
    size_t n_quoted = quoted_find(all, path), n_shown = n_quoted < COLUMNS_SHOWN ? n_quoted : COLUMNS_SHOWN;
    const struct table_request q = {.key = key, .column = path, .n_columns = n_shown};
    struct table *shown = table_make(j.run, j.n, &q);
    json_t *o = table_json(shown, path, n_quoted);
    table_free(shown);
    table_free(all);
    free(path);
    joined_free(&j);
    return o;
}

json_t *page_tables(struct store_reader *const *reader, size_t n) {
    json_t *tables = json_object();
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; e < reader[i]->n_experiments; e++) {
            const char *name = reader[i]->experiment[e].name;
            if (!json_object_get(tables, name)) json_object_set_new(tables, name, experiment_table(reader, n, name));
        }
    }
    return tables;
}

/* ---- quantiles ---- */

static size_t most_runs(const struct store_reader *r, size_t experiment) {
    size_t n, most = 0;
    struct point *point = points_of(r, experiment, &n);
    for (size_t i = 0; i < n; i++) most = point[i].n > most ? point[i].n : most;
    points_free(point, n);
    return most;
}

json_t *page_quantiles(struct store_reader *const *reader, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; e < reader[i]->n_experiments; e++) {
            size_t most = most_runs(reader[i], e);
            for (size_t degrees = json_array_size(list) + 1; degrees < most; degrees++)
                json_array_append_new(list, json_real(student_t95(degrees)));
        }
    }
    return list;
}
