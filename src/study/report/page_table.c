/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/page_table.h"

#include "base/memory.h"
#include "study/experiment/settings.h"
#include "study/report/pack.h"
#include "study/results/json_out.h"
#include "study/series/points.h"
#include "study/store/store_table.h"
#include "study/table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMPARISONS_MAX 12000 /* of one page table, about 30 bytes each */

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
    j->run[j->n++] = (struct table_run){settings, x->result, x->config};
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

static json_t *paths_json(const struct metric_columns *c) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->n; i++) json_array_append_new(list, json_string(c->of[i].path));
    return list;
}

/* Returns what stands above each column: its own head, or else the label of the metric; and which values are better. */
static json_t *heads_json(const struct metric_columns *c) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->n; i++) {
        struct metric_info info;
        metric_describe(c->of[i].path, &info);
        bool is_own = strcmp(info.head, c->of[i].head) != 0;
        json_array_append_new(list, json_pack("[s, i]", is_own ? c->of[i].head : info.label, (int)c->of[i].better));
    }
    return list;
}

/* ---- comparisons ---- */

/* With which rows a row is compared. */
enum reach { REACH_ALL, REACH_GROUP, REACH_BASELINE };

static enum reach reach_of(const struct table *t) {
    size_t of_groups = 0;
    for (size_t g = 0; g < t->n_groups; g++) of_groups += t->group[g].n * t->group[g].n;
    if (t->n_rows * t->n_rows * t->columns.n <= COMPARISONS_MAX) return REACH_ALL;
    return of_groups * t->columns.n <= COMPARISONS_MAX ? REACH_GROUP : REACH_BASELINE;
}

static bool reaches(const struct table *t, enum reach reach, size_t row, size_t other) {
    if (row == other) return false;
    bool same_group = t->row[row].group == t->row[other].group;
    return reach == REACH_ALL || (reach == REACH_GROUP && same_group) || t->row[row].baseline == other;
}

static json_t *comparison_json(const struct table *t, size_t row, size_t other, size_t column) {
    enum claim_form form;
    struct estimate e = table_compare(t, row, other, column, &form);
    if (isnan(e.value)) return json_null();
    return json_pack("[s, o, o, o]", form == FORM_CHANGE ? "change" : "difference", pack_number(e.value),
                     pack_number(e.low), pack_number(e.high));
}

static json_t *against_json(const struct table *t, enum reach reach, size_t row) {
    json_t *against = json_object();
    for (size_t other = 0; other < t->n_rows; other++) {
        char index[24];
        if (!reaches(t, reach, row, other)) continue;
        json_t *list = json_array();
        for (size_t c = 0; c < t->columns.n; c++) json_array_append_new(list, comparison_json(t, row, other, c));
        snprintf(index, sizeof index, "%zu", other);
        json_object_set_new(against, index, list);
    }
    return against;
}

/* ---- rows ---- */

static json_t *cell_json(const struct table_row *r, size_t column) {
    const struct table_cell *c = &r->cell[column];
    if (isnan(c->value.value)) return json_null();
    return json_pack("[f, o, o, I, i]", c->value.value, json_number(c->value.low), json_number(c->value.high),
                     (json_int_t)r->n, c->is_best ? 1 : 0);
}

static json_t *row_json(const struct table *t, enum reach reach, size_t row) {
    const struct table_row *r = &t->row[row];
    json_t *settings = json_copy((json_t *)r->first), *cells = json_array();
    json_object_del(settings, "run.seed");
    for (size_t c = 0; c < t->columns.n; c++) json_array_append_new(cells, cell_json(r, c));
    return json_pack("{s:o, s:I, s:o, s:o}", "settings", settings, "baseline", (json_int_t)r->baseline, "cells", cells,
                     "against", against_json(t, reach, row));
}

/* Returns the baseline that was asked for: a name, or one row for all groups. */
static json_t *asked_json(const struct table *t, const char *baseline) {
    if (!baseline || t->lacks_baseline || t->n_rows == 0) return json_null();
    char name[256] = "";
    const struct table_row *r = &t->row[t->row[0].baseline];
    if (r->name) setting_text(r->name, name, sizeof name);
    if (strcmp(name, baseline) == 0) return json_pack("{s:s}", "name", name);
    return json_pack("{s:I}", "row", (json_int_t)t->row[0].baseline);
}

static json_t *table_json(const struct table *t, const struct table_wish *wish) {
    json_t *rows = json_array();
    char *notes = table_notes(&t->columns);
    enum reach reach = reach_of(t);
    for (size_t i = 0; i < t->n_rows; i++) json_array_append_new(rows, row_json(t, reach, i));
    json_t *o =
        json_pack("{s:s?, s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "key", t->key[0] ? t->key : NULL, "columns",
                  paths_json(&t->columns), "heads", heads_json(&t->columns), "further", paths_json(&t->further),
                  "empty", paths_json(&t->empty), "notes", notes, "asked", asked_json(t, wish->baseline), "rows", rows);
    free(notes);
    return o;
}

/* ---- tables ---- */

/* Adds what the experiments of this name ask for, and the metrics of their claims. */
static void wishes_add(struct store_reader *const *reader, size_t n, const char *name, struct table_wish *wish,
                       struct table_asked *asked) {
    for (size_t i = 0; i < n; i++) {
        const struct store_reader *r = reader[i];
        for (size_t e = 0; e < r->n_experiments; e++) {
            struct table_wish own;
            if (strcmp(r->experiment[e].name, name) != 0) continue;
            store_table_wish(r, e, &own);
            table_wish_complete(wish, &own);
            table_wish_free(&own);
            for (size_t c = 0; c < r->n_claims; c++)
                if (r->claim[c].experiment == e) table_ask(asked, r->claim[c].metric);
        }
    }
}

/* Returns the table of the experiments of one name. Sets *lacks_baseline, and fills *d, if the baseline that is asked for is none of
 * its rows; else clears it. */
static json_t *experiment_table(struct store_reader *const *reader, size_t n, const char *name,
                                const struct table_wish *wish, bool *lacks_baseline, struct diag *d) {
    struct joined j = runs_join(reader, n, name);
    struct table_wish whole = {0};
    struct table_asked asked = {0};
    const char *key = settings_row_key(j.axes);
    if (strcmp(key, "run.seed") == 0) key = ""; /* seeds are no rows of the page */
    if (wish) table_wish_complete(&whole, wish);
    wishes_add(reader, n, name, &whole, &asked);
    const struct table_request q = {.key = key, .asked = asked.metric, .n_asked = asked.n, .wish = &whole};
    struct table *t = table_make(j.run, j.n, &q);
    *lacks_baseline = wish && wish->baseline && !table_baseline_check(t, &whole, d);
    json_t *o = table_json(t, &whole);
    table_free(t);
    table_wish_free(&whole);
    joined_free(&j);
    return o;
}

json_t *page_tables(struct store_reader *const *reader, size_t n, const struct table_wish *wish, struct diag *d) {
    json_t *tables = json_object();
    bool is_found = !wish || !wish->baseline;
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; e < reader[i]->n_experiments; e++) {
            const char *name = reader[i]->experiment[e].name;
            bool lacks;
            if (json_object_get(tables, name)) continue;
            json_object_set_new(tables, name, experiment_table(reader, n, name, wish, &lacks, d));
            is_found = is_found || !lacks;
        }
    }
    if (is_found) return tables;
    json_decref(tables);
    return NULL;
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
