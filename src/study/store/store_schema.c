/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a store: made in a new one, added to one that lacks some of them.
 *
 * `schema` is the whole layout of today. Stores of earlier versions lack tables and columns, and so do stores whose
 * upgrade was cut short by an earlier version. Each table and each column is therefore looked for by its name:
 * `schema` is also carried out in an empty database in memory, the model, and the store gets what only the model has.
 *
 * A table has names, types and keys only, and no rule but the CHECK below (store_guard.c): a program refuses stores with any
 * other, later ones too.
 *
 * Looking, making and adding are one transaction. A process killed at any instant leaves the store as it was, or whole.
 */
#include "study/store/store_parts.h"

#include <stdio.h>

#define APPLICATION_ID 0x6864646c /* "hddl" */

/* Columns are only ever appended, so that a new store and an upgraded one have them in the same order. The exception is
 * `timelines`, whose first layout had `is_ack` in place of `frame`. */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS experiments(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT, file TEXT,"
    " created TEXT);"
    "CREATE TABLE IF NOT EXISTS runs(id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiments(id),"
    " number INTEGER, settings TEXT NOT NULL, identity TEXT NOT NULL,"
    " status TEXT NOT NULL CHECK(status IN ('running','done','failed')),"
    " config TEXT, version TEXT, result TEXT, failure TEXT, started TEXT, finished TEXT,"
    " UNIQUE(experiment, identity, settings));"
    "CREATE TABLE IF NOT EXISTS nodes(run INTEGER, node INTEGER, name TEXT, buffer_mean_bytes INTEGER,"
    " buffer_max_bytes INTEGER, PRIMARY KEY(run, node)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS ports(run INTEGER, port INTEGER, node INTEGER, neighbour INTEGER, parallel INTEGER,"
    " link_tier TEXT, sent_bytes INTEGER, utilisation REAL, queue_mean_bytes INTEGER, queue_max_bytes INTEGER,"
    " dropped INTEGER, credit_bytes INTEGER, data_utilisation REAL, paused_ps INTEGER, blocked_ps INTEGER,"
    " PRIMARY KEY(run, port)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS links(run INTEGER, tier TEXT, utilisation_mean REAL, utilisation_max REAL,"
    " utilisation_min REAL, data_mean REAL, data_max REAL, data_min REAL, PRIMARY KEY(run, tier)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS flows(run INTEGER, flow INTEGER, entry INTEGER, src INTEGER, dst INTEGER,"
    " start_ps INTEGER, bytes INTEGER, finished_ps INTEGER, fct_ps INTEGER, bound_ps INTEGER, received_bytes INTEGER,"
    " sent_packets INTEGER, retransmitted INTEGER, timeouts INTEGER, reordered INTEGER, max_reorder INTEGER,"
    " marked INTEGER, credits_sent INTEGER, credits_used INTEGER, credits_wasted INTEGER, unfilled_bytes INTEGER,"
    " first_data_ps INTEGER, stop_ps INTEGER, PRIMARY KEY(run, flow)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS samples(run INTEGER, at_ps INTEGER, port INTEGER, kind TEXT, value REAL);"
    "CREATE INDEX IF NOT EXISTS samples_run ON samples(run);"
    "CREATE TABLE IF NOT EXISTS imbalance(run INTEGER, at_ps INTEGER, node INTEGER, value REAL);"
    "CREATE INDEX IF NOT EXISTS imbalance_run ON imbalance(run);"
    "CREATE TABLE IF NOT EXISTS fairness(run INTEGER, place INTEGER, interval_ps INTEGER, intervals INTEGER,"
    " jain_mean REAL, jain_min REAL, PRIMARY KEY(run, place)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS convergence(run INTEGER, at_ps INTEGER, flows INTEGER, intervals INTEGER,"
    " first_ps INTEGER, settled_ps INTEGER, PRIMARY KEY(run, at_ps)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS timelines(run INTEGER, flow INTEGER, line INTEGER, at_ps INTEGER, kind TEXT,"
    " node INTEGER, port INTEGER, offset INTEGER, size INTEGER, backlog_bytes INTEGER, frame TEXT, credit INTEGER,"
    " PRIMARY KEY(run, flow, line)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS claims(experiment INTEGER NOT NULL REFERENCES experiments(id), claim TEXT, place TEXT,"
    " metric TEXT, form TEXT, n_seeds INTEGER, measured REAL, spread REAL, low REAL, high REAL, met INTEGER,"
    " expected INTEGER, note TEXT, subject TEXT, against TEXT, than TEXT, standard_error REAL, interval_low REAL,"
    " interval_high REAL, verdict TEXT, recorded TEXT, as_recorded INTEGER, every INTEGER, roughly TEXT, paper TEXT,"
    " missing INTEGER, reason TEXT);"
    "CREATE TABLE IF NOT EXISTS options(run INTEGER PRIMARY KEY, profile TEXT, sets TEXT);"
    "CREATE TABLE IF NOT EXISTS figures(experiment INTEGER PRIMARY KEY, text TEXT);"
    "CREATE TABLE IF NOT EXISTS table_blocks(experiment INTEGER PRIMARY KEY, text TEXT);"
    "CREATE TABLE IF NOT EXISTS queries(run INTEGER, query INTEGER, request INTEGER, response INTEGER, part_of INTEGER,"
    " client INTEGER, server INTEGER, bytes INTEGER, priority INTEGER, start_ps INTEGER, time_ps INTEGER,"
    " timeouts INTEGER, PRIMARY KEY(run, query)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS pauses(run INTEGER, port INTEGER, class INTEGER, paused_ps INTEGER, stops INTEGER,"
    " storms INTEGER, longest_ps INTEGER, longest_from_ps INTEGER, PRIMARY KEY(run, port, class)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS pause_rings(run INTEGER, ring INTEGER, place INTEGER, port INTEGER, class INTEGER,"
    " since_ps INTEGER, first_ps INTEGER, last_ps INTEGER, PRIMARY KEY(run, ring, place)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS job_iterations(run INTEGER, job INTEGER, iteration INTEGER, start_ps INTEGER,"
    " end_ps INTEGER, ideal_ps INTEGER, exposed_ps INTEGER, last_rank INTEGER, PRIMARY KEY(run, job, iteration))"
    " WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS job_steps(run INTEGER, job INTEGER, step INTEGER, iteration INTEGER, flow INTEGER,"
    " phase TEXT, src INTEGER, dst INTEGER, bytes INTEGER, start_ps INTEGER, end_ps INTEGER, ideal_ps INTEGER,"
    " PRIMARY KEY(run, job, step)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS job_spans(run INTEGER, span INTEGER, job INTEGER, rank INTEGER, node INTEGER, kind "
    "TEXT,"
    " phase TEXT, start_ps INTEGER, end_ps INTEGER, PRIMARY KEY(run, span)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS open_flows(run INTEGER, at_ps INTEGER, flows REAL, PRIMARY KEY(run, at_ps))"
    " WITHOUT ROWID;";

/* ---- whose file it is ---- */

/* Reads one number. Returns false if the database cannot be read. */
static bool number_read(sqlite3 *db, const char *sql, int64_t *value) {
    sqlite3_stmt *q = NULL;
    bool ok = sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW;
    if (ok) *value = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return ok;
}

bool store_schema_check(sqlite3 *db, const char *path, struct diag *d) {
    int64_t application, version;
    if (!number_read(db, "PRAGMA application_id", &application) || !number_read(db, "PRAGMA user_version", &version))
        return diag_fail_in(d, path, "results store: %s", sqlite3_errmsg(db));
    if (application != APPLICATION_ID)
        return diag_fail_in(d, path, "this is no heddle results store; name another file");
    if (version == STORE_SCHEMA_VERSION || version == STORE_SCHEMA_PACKED) return true;
    return diag_fail_in(d, path,
                        "this store has schema %lld, this program knows %d and %d; use %s heddle or another file",
                        (long long)version, STORE_SCHEMA_VERSION, STORE_SCHEMA_PACKED,
                        version > STORE_SCHEMA_PACKED ? "a newer" : "an older");
}

/* Sets *is_new if the database is empty. Fails if it is neither empty nor a store of this schema. */
static bool database_check(struct store *s, bool *is_new, struct diag *d) {
    int64_t objects, application;
    if (!number_read(s->db, "SELECT count(*) FROM sqlite_schema", &objects) ||
        !number_read(s->db, "PRAGMA application_id", &application))
        return store_fail(s, d);
    *is_new = objects == 0 && application == 0;
    if (*is_new) return true;
    if (application == APPLICATION_ID)
        return store_schema_check(s->db, s->path, d) && store_guard_schema(s->db, s->path, d);
    return diag_fail_in(d, s->path, "this is no heddle results store; name another file with -o");
}

/* ---- tables and columns ---- */

static bool has_column(struct store *s, const char *table, const char *column) {
    return sqlite3_table_column_metadata(s->db, NULL, table, column, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

/* Adds a column of the model, NULL in the rows that are there. No version made a table without its keys. */
static bool column_add(struct store *s, const char *table, const char *column, const char *type, bool is_key,
                       struct diag *d) {
    char sql[256];
    if (is_key)
        return diag_fail_in(d, s->path,
                            "this store is damaged: its table %s lacks the column %s; name another file with -o", table,
                            column);
    snprintf(sql, sizeof sql, "ALTER TABLE %s ADD COLUMN \"%s\" %s", table, column, type);
    return store_exec(s, sql, d);
}

static bool columns_add(struct store *s, sqlite3 *model, struct diag *d) {
    sqlite3_stmt *q = NULL;
    int code = sqlite3_prepare_v2(model,
                                  "SELECT t.name, c.name, c.type, c.pk OR c.\"notnull\" FROM sqlite_schema t,"
                                  " pragma_table_info(t.name) c WHERE t.type='table' ORDER BY t.rowid, c.cid",
                                  -1, &q, NULL);
    bool ok = code == SQLITE_OK;
    while (ok && (code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(q, 0), *column = (const char *)sqlite3_column_text(q, 1),
                   *type = (const char *)sqlite3_column_text(q, 2);
        if (!has_column(s, table, column)) ok = column_add(s, table, column, type, sqlite3_column_int(q, 3), d);
    }
    if (ok && code != SQLITE_DONE) code = SQLITE_ERROR;
    sqlite3_finalize(q);
    if (!ok || code == SQLITE_DONE) return ok;
    return diag_fail_in(d, s->path, "results store: %s", sqlite3_errmsg(model));
}

/* Makes what the store lacks; in a whole store nothing is written. */
static bool parts_make(struct store *s, struct diag *d) {
    sqlite3 *model = NULL;
    bool ok = sqlite3_open_v2(":memory:", &model, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
              sqlite3_exec(model, schema, NULL, NULL, NULL) == SQLITE_OK;
    if (!ok) diag_fail_in(d, s->path, "results store: %s", sqlite3_errmsg(model));
    ok = ok && store_exec(s, schema, d) && columns_add(s, model, d);
    sqlite3_close(model);
    return ok;
}

/* Marks a new store. The UPDATE changes nothing: SQLite reports a store that is read-only when it is written. */
static bool mark(struct store *s, bool is_new, struct diag *d) {
    char stamp[128];
    snprintf(stamp, sizeof stamp, "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID,
             STORE_SCHEMA_VERSION);
    return store_exec(s, is_new ? stamp : "UPDATE experiments SET id=id WHERE 0", d);
}

bool store_schema_make(struct store *s, struct diag *d) {
    bool is_new = false;
    if (!store_transaction_begin(s, d)) return false;
    return store_transaction_end(s, database_check(s, &is_new, d) && parts_make(s, d) && mark(s, is_new, d), d);
}
