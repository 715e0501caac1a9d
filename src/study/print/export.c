/* SPDX-License-Identifier: Apache-2.0 */
#include "study/print/export.h"

#include "base/memory.h"
#include "base/output_file.h"
#include "base/text.h"
#include "study/metrics/metrics.h"
#include "study/print/csv.h"
#include "study/results/json_out.h"
#include "study/series/selection.h"

#include <stdlib.h>
#include <string.h>

struct exporting {
    const struct store_reader *const *store;
    size_t n_stores;
    const char **path; /* [n_stores] paths of the stores; export must not replace them */
    const struct export_request *q;
    struct diag *d;
};

static bool is_exported(const struct run_row *run) { return run->number > 0; }

/* ---- one file ---- */

/* Writes the header and the rows. Returns the number of rows, -1 after filling the diag. */
typedef int64_t (*table_writer)(const struct exporting *x, struct csv *c, int table);

static struct output_rules rules_of(const struct exporting *x) {
    return (struct output_rules){.kind = "a table",
                                 .input = x->path,
                                 .n_input = x->n_stores,
                                 .force = x->q->force,
                                 .remedy = "name another folder, or replace it with --force"};
}

/* Returns DIR/NAME. The caller frees it. */
static char *path_of(const struct exporting *x, const char *name) {
    char *path;
    path = text_format("%s/%s.csv", x->q->dir, name);
    return path;
}

static bool file_write(const struct exporting *x, const char *name, table_writer write, int table) {
    const struct output_rules rules = rules_of(x);
    struct output_file f;
    char *path = path_of(x, name);
    bool ok = output_begin(&f, path, &rules, x->d);
    struct csv c = {.out = f.out};
    int64_t rows = ok ? write(x, &c, table) : -1;
    if (ok && rows < 0) output_abandon(&f);
    ok = rows >= 0 && output_end(&f, x->d);
    if (ok) x->q->made(path, rows);
    free(path);
    return ok;
}

static void heads(struct csv *c, const char *const *name, size_t n) {
    for (size_t i = 0; i < n; i++) csv_text(c, name[i]);
}

/* Begins the header. With several stores the first column names the store of each row. */
static void head_begin(const struct exporting *x, struct csv *c) {
    if (x->n_stores > 1) csv_text(c, "store");
}
static void row_begin(const struct exporting *x, struct csv *c, const struct store_reader *r) {
    if (x->n_stores > 1) csv_text(c, r->shown);
}

/* ---- experiments ---- */

static int64_t experiments_write(const struct exporting *x, struct csv *c, int table) {
    (void)table;
    static const char *const head[] = {"experiment", "title", "file", "created"};
    int64_t rows = 0;
    head_begin(x, c);
    heads(c, head, 4);
    csv_row_end(c);
    for (size_t s = 0; s < x->n_stores; s++) {
        const struct store_reader *r = x->store[s];
        for (size_t i = 0; i < r->n_experiments; i++, rows++) {
            const struct experiment_row *e = &r->experiment[i];
            row_begin(x, c, r);
            csv_text(c, e->name);
            csv_text(c, e->title);
            csv_text(c, e->file);
            csv_text(c, e->created);
            csv_row_end(c);
        }
    }
    return rows;
}

/* ---- runs: settings and metrics as columns ---- */

static void path_collect(void *paths, const char *path, const json_t *value) {
    (void)value;
    if (!json_object_get(paths, path)) json_object_set_new(paths, path, json_null());
}

static void json_field(struct csv *c, const json_t *value) {
    if (json_is_integer(value))
        csv_integer(c, json_integer_value(value));
    else if (json_is_real(value))
        csv_number(c, json_real_value(value));
    else if (json_is_boolean(value))
        csv_text(c, json_is_true(value) ? "true" : "false");
    else
        csv_text(c, json_string_value(value));
}

/* Returns true if a column before the metrics already holds this value. */
static bool is_said(const char *path) {
    struct metric_info info;
    bool is_setting = strncmp(path, "settings.", 9) == 0 || strcmp(path, "failure") == 0;
    return is_setting || (metric_describe(path, &info) && info.row->names_run);
}

static void columns_of_run(const struct run_row *run, json_t *settings, json_t *metrics) {
    const char *key;
    json_t *value;
    if (!is_exported(run)) return;
    json_object_foreach(run->settings, key, value) json_object_set_new(settings, key, json_null());
    if (run->result) json_leaves_each(run->result, path_collect, metrics);
}

/* Collects the swept keys and metrics of all runs of all stores. */
static void columns_collect(const struct exporting *x, json_t *settings, json_t *metrics) {
    for (size_t s = 0; s < x->n_stores; s++)
        for (size_t i = 0; i < x->store[s]->n_runs; i++) columns_of_run(&x->store[s]->run[i], settings, metrics);
    void *next;
    const char *key;
    json_t *value;
    json_object_foreach_safe(metrics, next, key, value) {
        if (is_said(key)) json_object_del(metrics, key);
    }
}

static void run_write(const struct exporting *x, struct csv *c, const struct store_reader *r, const struct run_row *run,
                      json_t *settings, json_t *metrics) {
    const char *key;
    json_t *value;
    row_begin(x, c, r);
    csv_text(c, r->experiment[run->experiment].name);
    csv_integer(c, run->number);
    csv_text(c, run_status_word(run->status));
    csv_text(c, run->failure);
    csv_text(c, run->version);
    csv_text(c, run->started);
    csv_text(c, run->finished);
    json_object_foreach(settings, key, value) json_field(c, json_object_get(run->settings, key));
    json_object_foreach(metrics, key, value) json_field(c, json_at(run->result, key));
    csv_row_end(c);
}

static int64_t runs_write(const struct exporting *x, struct csv *c, int table) {
    (void)table;
    static const char *const head[] = {"experiment", "run", "status", "failure", "version", "started", "finished"};
    json_t *settings = json_object(), *metrics = json_object();
    const char *key;
    json_t *value;
    int64_t rows = 0;
    columns_collect(x, settings, metrics);
    head_begin(x, c);
    heads(c, head, sizeof head / sizeof *head);
    json_object_foreach(settings, key, value) csv_text(c, key);
    json_object_foreach(metrics, key, value) csv_text(c, key);
    csv_row_end(c);
    for (size_t s = 0; s < x->n_stores; s++) {
        const struct store_reader *r = x->store[s];
        for (size_t i = 0; i < r->n_runs; i++) {
            if (!is_exported(&r->run[i])) continue;
            run_write(x, c, r, &r->run[i], settings, metrics);
            rows++;
        }
    }
    json_decref(settings);
    json_decref(metrics);
    return rows;
}

/* ---- descriptions of columns ---- */

static int64_t metrics_write(const struct exporting *x, struct csv *c, int table) {
    (void)table;
    static const char *const head[] = {"metric", "unit", "better", "label", "meaning"};
    json_t *settings = json_object(), *paths = json_object();
    const char *key;
    json_t *value;
    columns_collect(x, settings, paths);
    heads(c, head, sizeof head / sizeof *head);
    csv_row_end(c);
    json_object_foreach(paths, key, value) {
        struct metric_info info;
        metric_describe(key, &info);
        csv_text(c, key);
        csv_text(c, metric_unit_name(info.unit));
        csv_text(c, metric_better_word(info.better));
        csv_text(c, info.label);
        csv_text(c, info.row ? info.row->doc : "");
        csv_row_end(c);
    }
    int64_t rows = (int64_t)json_object_size(paths);
    json_decref(settings);
    json_decref(paths);
    return rows;
}

/* ---- claims ---- */

static void claim_write(const struct exporting *x, struct csv *c, const struct store_reader *r,
                        const struct claim_row *claim) {
    char *place = json_text(claim->place);
    char *subject = claim->subject ? json_text(claim->subject) : NULL;
    char *against = claim->against ? json_text(claim->against) : NULL;
    char *than = claim->than ? json_text(claim->than) : NULL;
    row_begin(x, c, r);
    csv_text(c, r->experiment[claim->experiment].name);
    csv_text(c, claim->claim);
    csv_text(c, place);
    csv_text(c, claim->metric);
    csv_text(c, claim->form);
    csv_integer(c, claim->n_seeds);
    csv_number(c, claim->measured);
    csv_number(c, claim->spread);
    csv_number(c, claim->low);
    csv_number(c, claim->high);
    csv_text(c, claim->met ? "true" : "false");
    csv_text(c, claim->expected ? "true" : "false");
    csv_text(c, claim->note);
    csv_text(c, subject);
    csv_text(c, against);
    csv_text(c, than);
    csv_number(c, claim->standard_error);
    csv_number(c, claim->interval_low);
    csv_number(c, claim->interval_high);
    csv_text(c, claim->verdict);
    csv_text(c, claim->recorded);
    csv_text(c, claim->as_recorded ? "true" : "false");
    csv_text(c, claim->every ? "true" : "false");
    csv_text(c, claim->roughly);
    csv_text(c, claim->paper);
    csv_integer(c, claim->n_missing);
    csv_text(c, claim->reason);
    csv_row_end(c);
    free(place);
    free(subject);
    free(against);
    free(than);
}

static int64_t claims_write(const struct exporting *x, struct csv *c, int table) {
    (void)table;
    static const char *const head[] = {
        "experiment",  "claim", "place",          "metric",       "form",          "n_seeds", "measured",
        "spread",      "low",   "high",           "met",          "expected",      "note",    "subject",
        "against",     "than",  "standard_error", "interval_low", "interval_high", "verdict", "recorded",
        "as_recorded", "every", "roughly",        "paper",        "missing",       "reason"};
    int64_t rows = 0;
    head_begin(x, c);
    heads(c, head, sizeof head / sizeof *head);
    csv_row_end(c);
    for (size_t s = 0; s < x->n_stores; s++)
        for (size_t i = 0; i < x->store[s]->n_claims; i++, rows++)
            claim_write(x, c, x->store[s], &x->store[s]->claim[i]);
    return rows;
}

/* ---- tables of rows by run ---- */

static void column_write(struct csv *c, sqlite3_stmt *q, int i) {
    switch (sqlite3_column_type(q, i)) {
    case SQLITE_INTEGER: csv_integer(c, sqlite3_column_int64(q, i)); break;
    case SQLITE_FLOAT: csv_number(c, sqlite3_column_double(q, i)); break;
    default: csv_text(c, (const char *)sqlite3_column_text(q, i));
    }
}

/* What the table of flows says of each flow beside the store's columns, as `heddle flows` does. */
static const char *const flow_heads[] = {"class", "counts"};
#define N_FLOW_HEADS (sizeof flow_heads / sizeof *flow_heads)

static void flow_words_write(struct csv *c, struct arrivals *a, const struct flow_row *f) {
    bool is_endless = f->bytes == STORE_NULL;
    csv_text(c, is_endless ? "endless" : flow_class_names[flow_class_of((uint64_t)f->bytes)]);
    csv_text(c, arrivals_next(a, f->start_ps) ? "yes" : "no");
}

/* Writes the flows of a run: each row as the store has it, and the words. */
static int64_t flows_of_run(const struct exporting *x, struct csv *c, const struct store_reader *r,
                            const struct run_row *run, size_t n_columns) {
    const struct run_selection s = run_selection(run);
    struct arrivals a;
    struct store_rows rows;
    struct flow_row f;
    int64_t n = 0;
    bool ok = arrivals_begin(&a, r, run, STORE_FLOWS, &s.arrivals, x->d) &&
              store_rows_begin(r, STORE_FLOWS, run->id, &rows, x->d);
    if (ok) {
        for (; store_next_flow(&rows, &f); n++) {
            row_begin(x, c, r);
            csv_text(c, r->experiment[run->experiment].name);
            csv_integer(c, run->number);
            for (size_t i = 0; i < n_columns; i++) column_write(c, rows.q, (int)i);
            flow_words_write(c, &a, &f);
            csv_row_end(c);
        }
        ok = store_rows_end(&rows, x->d);
    }
    arrivals_end(&a);
    return ok ? n : -1;
}

static int64_t rows_of_run(const struct exporting *x, struct csv *c, enum store_table table,
                           const struct store_reader *r, const struct run_row *run, size_t n_columns) {
    struct store_rows rows;
    int64_t n = 0;
    const char *experiment = r->experiment[run->experiment].name;
    if (!store_rows_begin(r, table, run->id, &rows, x->d)) return -1;
    for (; store_next(&rows); n++) {
        row_begin(x, c, r);
        csv_text(c, experiment);
        csv_integer(c, run->number);
        for (size_t i = 0; i < n_columns; i++) column_write(c, rows.q, (int)i);
        csv_row_end(c);
    }
    return store_rows_end(&rows, x->d) ? n : -1;
}

static int64_t rows_of_store(const struct exporting *x, struct csv *c, enum store_table table,
                             const struct store_reader *r, size_t n_columns) {
    int64_t rows = 0;
    for (size_t i = 0; i < r->n_runs; i++) {
        if (!is_exported(&r->run[i])) continue;
        int64_t more = table == STORE_FLOWS ? flows_of_run(x, c, r, &r->run[i], n_columns)
                                            : rows_of_run(x, c, table, r, &r->run[i], n_columns);
        if (more < 0) return -1;
        rows += more;
    }
    return rows;
}

static int64_t table_write(const struct exporting *x, struct csv *c, int table) {
    const char *const *names;
    size_t n = store_columns((enum store_table)table, &names);
    int64_t rows = 0;
    head_begin(x, c);
    csv_text(c, "experiment");
    csv_text(c, "run");
    heads(c, names, n);
    if (table == STORE_FLOWS) heads(c, flow_heads, N_FLOW_HEADS);
    csv_row_end(c);
    for (size_t s = 0; s < x->n_stores; s++) {
        int64_t more = rows_of_store(x, c, (enum store_table)table, x->store[s], n);
        if (more < 0) return -1;
        rows += more;
    }
    return rows;
}

/* Returns true if any run of the store has a row in this table. */
static bool store_has_rows(const struct store_reader *r, enum store_table table) {
    for (size_t i = 0; i < r->n_runs; i++) {
        struct store_rows rows;
        struct diag ignored;
        if (!is_exported(&r->run[i]) || !store_rows_begin(r, table, r->run[i].id, &rows, &ignored)) continue;
        bool found = store_next(&rows);
        found |= !store_rows_end(&rows, &ignored); /* writing the table will say what is wrong */
        if (found) return true;
    }
    return false;
}

static bool has_rows(const struct exporting *x, enum store_table table) {
    for (size_t s = 0; s < x->n_stores; s++)
        if (store_has_rows(x->store[s], table)) return true;
    return false;
}

/* ---- all files ---- */

static bool file_is_free(const struct exporting *x, const char *name) {
    const struct output_rules rules = rules_of(x);
    char *path = path_of(x, name);
    bool ok = output_check(path, &rules, x->d);
    free(path);
    return ok;
}

/* Checks all files before the first is written, so that export writes all or none. */
static bool files_are_free(const struct exporting *x, const bool wanted[STORE_TABLES]) {
    static const char *const always[] = {"experiments", "runs", "metrics", "claims"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!file_is_free(x, always[i])) return false;
    for (int t = 0; t < STORE_TABLES; t++)
        if (wanted[t] && !file_is_free(x, store_table_name((enum store_table)t))) return false;
    return true;
}

static bool has_claims(const struct exporting *x) {
    for (size_t s = 0; s < x->n_stores; s++)
        if (x->store[s]->n_claims) return true;
    return false;
}

static bool files_write(const struct exporting *x) {
    bool wanted[STORE_TABLES];
    for (int t = 0; t < STORE_TABLES; t++) wanted[t] = has_rows(x, (enum store_table)t);
    if (!output_folder(x->q->dir, x->d) || !files_are_free(x, wanted)) return false;
    bool ok = file_write(x, "experiments", experiments_write, 0) && file_write(x, "runs", runs_write, 0) &&
              file_write(x, "metrics", metrics_write, 0) &&
              (!has_claims(x) || file_write(x, "claims", claims_write, 0));
    for (int t = 0; ok && t < STORE_TABLES; t++)
        ok = !wanted[t] || file_write(x, store_table_name((enum store_table)t), table_write, t);
    return ok;
}

bool export_csv(const struct store_reader *const *store, size_t n, const struct export_request *q, struct diag *d) {
    struct exporting x = {store, n, memory_get(n, sizeof *x.path), q, d};
    bool ok = true;
    for (size_t s = 0; ok && s < n; s++) {
        x.path[s] = store[s]->path;
        ok = store_finished_check(store[s], d);
    }
    ok = ok && files_write(&x);
    free(x.path);
    return ok;
}
