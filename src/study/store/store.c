/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/store.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/config/stored_flows.h"
#include "study/store/packed_flows.h"
#include "study/store/store_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

static const char *remedy_of(int code) {
    switch (code & 0xff) {
    case SQLITE_FULL: return "; the disk is full: free some space and run the same command again";
    case SQLITE_IOERR: return "; check the disk and the limits (ulimit -f), and run the same command again";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN: return "; check the folder and its permissions, or name another with -o";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "; another program holds it, or its file system gives no more locks: wait, or name a file on a local "
               "disk with -o";
    case SQLITE_NOTADB: return "; this is no heddle results store: name another with -o";
    default: return "";
    }
}

bool store_fail(struct store *s, struct diag *d) {
    int code = sqlite3_errcode(s->db), why = code == SQLITE_IOERR ? sqlite3_system_errno(s->db) : 0;
    char cause[96] = "";
    if (why) snprintf(cause, sizeof cause, " (%s)", strerror(why));
    return diag_fail_in(d, s->path, "results store: %s%s%s", store_trouble(s->db), cause, remedy_of(code));
}

bool store_exec(struct store *s, const char *sql, struct diag *d) {
    store_guard_ask(s->guard);
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, d);
}

bool store_prepare(struct store *s, const char *sql, sqlite3_stmt **q, struct diag *d) {
    store_guard_ask(s->guard);
    return sqlite3_prepare_v2(s->db, sql, -1, q, NULL) == SQLITE_OK || store_fail(s, d);
}

bool store_step(struct store *s, sqlite3_stmt *q, struct diag *d) {
    store_guard_again(s->guard);
    bool ok = sqlite3_step(q) == SQLITE_DONE || store_fail(s, d);
    sqlite3_reset(q);
    return ok;
}

bool store_transaction_begin(struct store *s, struct diag *d) { return store_exec(s, "BEGIN IMMEDIATE", d); }

bool store_transaction_end(struct store *s, bool ok, struct diag *d) {
    if (ok && store_exec(s, "COMMIT", d)) return true;
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* ---- opening ---- */

struct store *store_open(const char *path, struct diag *d) {
    if (!store_path_check(path, d) || !store_beside_check(path, d)) return NULL;
    struct store *s = memory_get(1, sizeof *s);
    s->path = text_copy(path);
    s->flows_as_rows = STORE_FLOWS_AS_ROWS;
    /* One thread at a time uses a store; a mutex around each value of each row would take a sixth of the time of storing. */
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool ok = sqlite3_open_v2(path, &s->db, flags, NULL) == SQLITE_OK || store_fail(s, d);
    if (ok) {
        s->guard = store_guard_begin(s->db, path);
        sqlite3_busy_timeout(s->db, 10000);
    }
    if (ok && store_lock(s, d) && store_schema_make(s, d)) return s;
    store_close(s);
    return NULL;
}

void store_close(struct store *s) {
    if (!s) return;
    sqlite3_close(s->db);
    store_guard_end(s->guard);
    store_unlock(s);
    free(s->path);
    free(s);
}

sqlite3 *store_database(struct store *s) { return s->db; }

/* ---- experiments and runs ---- */

static void bind_text(sqlite3_stmt *q, int at, const char *text) {
    sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
}

/* Stores a block of the experiment, or none, in place of the one that the table holds. */
static bool block_write(struct store *s, const struct experiment *e, const char *key, const char *table, int64_t id,
                        struct diag *d) {
    const struct tree_node *block = tree_get(e->root, key);
    sqlite3_stmt *q;
    char *text = NULL, sql[96];
    snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO %s(experiment, text) VALUES(?1, ?2)", table);
    if (!store_prepare(s, sql, &q, d)) return false;
    if (block && !tree_is_null(block)) {
        size_t size = tree_print_flow(block, NULL, 0) + 1;
        text = memory_get(size, 1);
        tree_print_flow(block, text, size);
    }
    sqlite3_bind_int64(q, 1, id);
    bind_text(q, 2, text);
    bool ok = store_step(s, q, d);
    sqlite3_finalize(q);
    free(text);
    return ok;
}

bool store_experiment(struct store *s, const struct experiment *e, int64_t *id, struct diag *d) {
    sqlite3_stmt *q;
    if (!store_prepare(s,
                       "INSERT INTO experiments(name, title, file, created) VALUES(?1, ?2, ?3, datetime('now'))"
                       " ON CONFLICT(name) DO UPDATE SET title=?2, file=?3 RETURNING id",
                       &q, d)) {
        return false;
    }
    bind_text(q, 1, e->name);
    bind_text(q, 2, e->title);
    bind_text(q, 3, e->file);
    bool ok = sqlite3_step(q) == SQLITE_ROW;
    if (ok) *id = sqlite3_column_int64(q, 0);
    ok = ok && sqlite3_step(q) == SQLITE_DONE;
    if (!ok) store_fail(s, d);
    sqlite3_finalize(q);
    char sql[96];
    snprintf(sql, sizeof sql, "UPDATE runs SET number=NULL WHERE experiment=%lld", (long long)*id);
    return ok && block_write(s, e, "figure", "figures", *id, d) && block_write(s, e, "table", "table_blocks", *id, d) &&
           store_exec(s, sql, d);
}

static void run_bind(sqlite3_stmt *q, int64_t experiment, const struct planned_run *r, char *settings) {
    sqlite3_bind_int64(q, 1, experiment);
    bind_text(q, 2, r->identity);
    bind_text(q, 3, settings);
    sqlite3_bind_int64(q, 4, r->number);
}

bool store_run_find(struct store *s, int64_t experiment, const struct planned_run *r, struct stored_run *found,
                    struct diag *d) {
    *found = (struct stored_run){0};
    sqlite3_stmt *q;
    if (!store_prepare(s,
                       "UPDATE runs SET number=?4 WHERE experiment=?1 AND identity=?2 AND settings=?3"
                       " RETURNING id, status, result,"
                       " CASE status WHEN 'running' THEN (julianday(finished) - julianday(started)) * 86400 - 1 END",
                       &q, d)) {
        return false;
    }
    char *settings = json_text(r->settings);
    run_bind(q, experiment, r, settings);
    int code = sqlite3_step(q);
    if (code == SQLITE_ROW) {
        const char *result = (const char *)sqlite3_column_text(q, 2);
        found->id = sqlite3_column_int64(q, 0);
        const char *status = (const char *)sqlite3_column_text(q, 1);
        if (result && status && strcmp(status, "done") == 0) found->result = json_loads(result, 0, NULL);
        if (found->result && !json_is_object(found->result)) { /* damaged: the run is repeated */
            json_decref(found->result);
            found->result = NULL;
        }
        found->done = found->result != NULL;
        double tried_s =
            sqlite3_column_double(q, 3); /* NULL reads as 0; times are cut to seconds, so 1 s less is sure */
        found->tried_s = tried_s > 0 ? tried_s : 0;
        code = sqlite3_step(q);
    }
    bool ok = code == SQLITE_DONE || store_fail(s, d);
    sqlite3_finalize(q);
    free(settings);
    return ok;
}

bool store_options(struct store *s, int64_t run, const struct experiment *e, struct diag *d) {
    sqlite3_stmt *q;
    if (!store_prepare(s, "INSERT OR REPLACE INTO options(run, profile, sets) VALUES(?1, ?2, ?3)", &q, d)) return false;
    char *set = json_text(e->set);
    sqlite3_bind_int64(q, 1, run);
    bind_text(q, 2, e->profile);
    bind_text(q, 3, set);
    bool ok = store_step(s, q, d);
    sqlite3_finalize(q);
    free(set);
    return ok;
}

/* Prints how runs were asked for, from the JSON of `options`: "4 with --set a=1", "2 as written". */
static void asked_text(const char *json, int64_t runs, FILE *out) {
    json_t *set = json ? json_loads(json, 0, NULL) : NULL;
    size_t n = json_array_size(set);
    fprintf(out, "%lld ", (long long)runs);
    if (!set) fprintf(out, "with options not remembered");
    if (set && n == 0) fprintf(out, "without --set");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s--set %s", i ? " " : "with ", json_string_value(json_array_get(set, i)));
    json_decref(set);
}

bool store_others(struct store *s, int64_t experiment, char **text, struct diag *d) {
    sqlite3_stmt *q;
    size_t size;
    *text = NULL;
    if (!store_prepare(s,
                       "SELECT o.sets, count(*) FROM runs r LEFT JOIN options o ON o.run = r.id WHERE r.experiment=?1"
                       " AND r.number IS NULL AND r.status='done' GROUP BY o.sets ORDER BY min(r.id)",
                       &q, d))
        return false;
    sqlite3_bind_int64(q, 1, experiment);
    FILE *out = text_stream(text, &size);
    int code;
    for (int i = 0; (code = sqlite3_step(q)) == SQLITE_ROW; i++) {
        if (i) fprintf(out, ", ");
        asked_text((const char *)sqlite3_column_text(q, 0), sqlite3_column_int64(q, 1), out);
    }
    text_stream_end(out, text);
    bool ok = code == SQLITE_DONE || store_fail(s, d);
    sqlite3_finalize(q);
    return ok;
}

bool store_run_plan(struct store *s, int64_t experiment, const struct planned_run *r, const char *version, int64_t *id,
                    struct diag *d) {
    sqlite3_stmt *q;
    if (!store_prepare(s,
                       "INSERT INTO runs(experiment, identity, settings, number, status, config, version)"
                       " VALUES(?1, ?2, ?3, ?4, 'running', ?5, ?6)",
                       &q, d))
        return false;
    char *settings = json_text(r->settings);
    run_bind(q, experiment, r, settings);
    bind_text(q, 5, r->text);
    bind_text(q, 6, version);
    bool ok = store_step(s, q, d);
    *id = sqlite3_last_insert_rowid(s->db);
    sqlite3_finalize(q);
    free(settings);
    return ok;
}

bool store_run_leave(struct store *s, int64_t run, double tried_s, struct diag *d) {
    char sql[160];
    snprintf(sql, sizeof sql,
             "UPDATE runs SET finished=datetime(started, '+%lld seconds') WHERE id=%lld AND status='running'",
             (long long)tried_s + 1, (long long)run);
    return store_exec(s, sql, d);
}

static bool rows_clear(struct store *s, int64_t run, struct diag *d) {
    static const char *const tables[] = {
        "nodes",     "ports",   "links",  "flows",       "samples",    "imbalance",      "fairness",  "convergence",
        "timelines", "queries", "pauses", "pause_rings", "open_flows", "job_iterations", "job_steps", "job_spans"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char sql[96];
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE run=%lld", tables[i], (long long)run);
        if (!store_exec(s, sql, d)) return false;
    }
    return packed_flows_clear(s, run, d);
}

static bool begin_insert(struct store *s, int64_t experiment, const struct planned_run *r, const char *version,
                         int64_t *id, struct diag *d) {
    sqlite3_stmt *q;
    if (!store_prepare(
            s,
            "INSERT INTO runs(experiment, identity, settings, number, status, config, version, started)"
            " VALUES(?1, ?2, ?3, ?4, 'running', ?5, ?6, datetime('now'))"
            " ON CONFLICT(experiment, identity, settings) DO UPDATE SET number=?4, status='running', config=?5,"
            " version=?6, result=NULL, failure=NULL, started=datetime('now'), finished=NULL RETURNING id",
            &q, d)) {
        return false;
    }
    char *settings = json_text(r->settings);
    run_bind(q, experiment, r, settings);
    bind_text(q, 5, r->text);
    bind_text(q, 6, version);
    bool ok = sqlite3_step(q) == SQLITE_ROW;
    if (ok) *id = sqlite3_column_int64(q, 0);
    ok = ok && sqlite3_step(q) == SQLITE_DONE;
    if (!ok) store_fail(s, d);
    sqlite3_finalize(q);
    free(settings);
    return ok;
}

bool store_run_begin(struct store *s, int64_t experiment, const struct planned_run *r, const char *version, int64_t *id,
                     struct diag *d) {
    if (!store_transaction_begin(s, d)) return false;
    return store_transaction_end(s, begin_insert(s, experiment, r, version, id, d) && rows_clear(s, *id, d), d);
}

static bool status_write(struct store *s, int64_t run, const json_t *result, const char *failure, struct diag *d) {
    sqlite3_stmt *q;
    if (!store_prepare(s, "UPDATE runs SET status=?2, result=?3, failure=?4, finished=datetime('now') WHERE id=?1", &q,
                       d)) {
        return false;
    }
    char *text = result ? json_text(result) : NULL;
    sqlite3_bind_int64(q, 1, run);
    bind_text(q, 2, failure ? "failed" : "done");
    bind_text(q, 3, text);
    bind_text(q, 4, failure);
    bool ok = store_step(s, q, d);
    sqlite3_finalize(q);
    free(text);
    return ok;
}

bool store_run_end(struct store *s, int64_t run, const struct outcome *o, const json_t *result, const char *failure,
                   struct diag *d) {
    if (!store_transaction_begin(s, d)) return false;
    return store_transaction_end(s, (!o || store_rows(s, run, o, d)) && status_write(s, run, result, failure, d), d);
}

/* ---- claims ---- */

static void bind_number(sqlite3_stmt *q, int at, double value) {
    if (isfinite(value)) sqlite3_bind_double(q, at, value);
}

static const char claim_sql[] =
    "INSERT INTO claims(experiment, claim, place, metric, form, n_seeds, measured, spread, low, high, met, expected,"
    " note, subject, against, than, standard_error, interval_low, interval_high, verdict, recorded, as_recorded, every,"
    " roughly, paper, missing, reason) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

static bool claim_insert(struct store *s, sqlite3_stmt *q, int64_t experiment, const struct stored_claim *c,
                         struct diag *d) {
    sqlite3_clear_bindings(q);
    sqlite3_bind_int64(q, 1, experiment);
    bind_text(q, 2, c->claim);
    bind_text(q, 3, c->place);
    bind_text(q, 4, c->metric);
    bind_text(q, 5, c->form);
    sqlite3_bind_int64(q, 6, c->n_seeds);
    bind_number(q, 7, c->measured);
    bind_number(q, 8, c->spread);
    bind_number(q, 9, c->low);
    bind_number(q, 10, c->high);
    sqlite3_bind_int(q, 11, c->met);
    sqlite3_bind_int(q, 12, c->expected);
    bind_text(q, 13, c->note);
    bind_text(q, 14, c->subject);
    bind_text(q, 15, c->against);
    bind_text(q, 16, c->than);
    bind_number(q, 17, c->standard_error);
    bind_number(q, 18, c->interval_low);
    bind_number(q, 19, c->interval_high);
    bind_text(q, 20, c->verdict);
    bind_text(q, 21, c->recorded);
    sqlite3_bind_int(q, 22, c->as_recorded);
    sqlite3_bind_int(q, 23, c->every);
    bind_text(q, 24, c->roughly);
    bind_text(q, 25, c->paper);
    sqlite3_bind_int64(q, 26, c->n_missing);
    bind_text(q, 27, c->reason);
    return store_step(s, q, d);
}

bool store_claims(struct store *s, int64_t experiment, const struct stored_claim *claim, size_t n, struct diag *d) {
    char sql[96];
    sqlite3_stmt *q = NULL;
    snprintf(sql, sizeof sql, "DELETE FROM claims WHERE experiment=%lld", (long long)experiment);
    if (!store_transaction_begin(s, d)) return false;
    bool ok = store_exec(s, sql, d) && store_prepare(s, claim_sql, &q, d);
    for (size_t i = 0; ok && i < n; i++) ok = claim_insert(s, q, experiment, &claim[i], d);
    sqlite3_finalize(q);
    return store_transaction_end(s, ok, d);
}
