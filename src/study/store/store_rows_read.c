/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rows of a results store, table by table. */
#include "study/store/store_guard.h"
#include "study/store/store_parts.h"
#include "study/store/store_reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

#define COLUMNS_MAX 24

static const struct {
    const char *name, *order;
    const char *column[COLUMNS_MAX];
} tables[STORE_TABLES] = {
    [STORE_NODES] = {"nodes", "node", {"node", "name", "buffer_mean_bytes", "buffer_max_bytes"}},
    [STORE_PORTS] = {"ports",
                     "port",
                     {"port", "node", "neighbour", "parallel", "link_tier", "sent_bytes", "utilisation",
                      "queue_mean_bytes", "queue_max_bytes", "dropped", "credit_bytes", "data_utilisation", "paused_ps",
                      "blocked_ps"}},
    [STORE_LINKS] = {"links",
                     "tier",
                     {"tier", "utilisation_mean", "utilisation_max", "utilisation_min", "data_mean", "data_max",
                      "data_min"}},
    [STORE_FLOWS] = {"flows",
                     "flow",
                     {"flow",
                      "entry",
                      "src",
                      "dst",
                      "start_ps",
                      "bytes",
                      "finished_ps",
                      "fct_ps",
                      "bound_ps",
                      "received_bytes",
                      "sent_packets",
                      "retransmitted",
                      "timeouts",
                      "reordered",
                      "max_reorder",
                      "marked",
                      "credits_sent",
                      "credits_used",
                      "credits_wasted",
                      "unfilled_bytes",
                      "first_data_ps",
                      "stop_ps"}},
    [STORE_QUERIES] = {"queries",
                       "query",
                       {"query", "request", "response", "part_of", "client", "server", "bytes", "priority", "start_ps",
                        "time_ps", "timeouts"}},
    [STORE_SAMPLES] = {"samples", "rowid", {"at_ps", "port", "kind", "value"}},
    [STORE_IMBALANCE] = {"imbalance", "rowid", {"at_ps", "node", "value"}},
    [STORE_FAIRNESS] = {"fairness", "place", {"place", "interval_ps", "intervals", "jain_mean", "jain_min"}},
    [STORE_CONVERGENCE] = {"convergence", "at_ps", {"at_ps", "flows", "intervals", "first_ps", "settled_ps"}},
    [STORE_TIMELINES] = {"timelines",
                         "flow, line",
                         {"flow", "line", "at_ps", "kind", "node", "port", "offset", "size", "backlog_bytes", "frame",
                          "credit"}},
    [STORE_PAUSES] = {"pauses",
                      "port, class",
                      {"port", "class", "paused_ps", "stops", "storms", "longest_ps", "longest_from_ps"}},
    [STORE_PAUSE_RINGS] = {"pause_rings",
                           "ring, place",
                           {"ring", "place", "port", "class", "since_ps", "first_ps", "last_ps"}},
    [STORE_OPEN_FLOWS] = {"open_flows", "at_ps", {"at_ps", "flows"}},
    [STORE_JOB_ITERATIONS] = {"job_iterations",
                              "job, iteration",
                              {"job", "iteration", "start_ps", "end_ps", "ideal_ps", "exposed_ps", "last_rank"}},
    [STORE_JOB_SPANS] = {"job_spans", "span", {"span", "job", "rank", "node", "kind", "phase", "start_ps", "end_ps"}},
    [STORE_JOB_STEPS] = {"job_steps",
                         "job, step",
                         {"job", "step", "iteration", "flow", "phase", "src", "dst", "bytes", "start_ps", "end_ps",
                          "ideal_ps"}},
};

const char *store_table_name(enum store_table table) { return tables[table].name; }

size_t store_columns(enum store_table table, const char *const **names) {
    size_t n = 0;
    while (n < COLUMNS_MAX && tables[table].column[n]) n++;
    *names = tables[table].column;
    return n;
}

/* ---- impossible values ---- */

/* Returns whether the text " a b c " has the column as a word. */
static bool is_named(const char *columns, const char *column) {
    char word[64];
    snprintf(word, sizeof word, " %s ", column);
    return strstr(columns, word) != NULL;
}

/* Returns true if the column must not be NULL: keys, and names that are shown. */
static bool is_needed(enum store_table table, const char *column) {
    static const char *const needed[STORE_TABLES] = {
        [STORE_NODES] = " node name ",
        [STORE_PORTS] = " port node neighbour ",
        [STORE_LINKS] = " tier ",
        [STORE_FLOWS] = " flow src dst ",
        [STORE_QUERIES] = " query ",
        [STORE_SAMPLES] = " at_ps port kind ",
        [STORE_IMBALANCE] = " at_ps node ",
        [STORE_FAIRNESS] = " place interval_ps ",
        [STORE_CONVERGENCE] = " at_ps ",
        [STORE_TIMELINES] = " flow line at_ps kind ",
        [STORE_PAUSES] = " port class ",
        [STORE_PAUSE_RINGS] = " ring place port class ",
        [STORE_JOB_ITERATIONS] = " job iteration ",
        [STORE_JOB_STEPS] = " job step src dst start_ps end_ps phase ",
        [STORE_JOB_SPANS] = " span job rank node kind phase start_ps end_ps ",
    };
    return needed[table] && is_named(needed[table], column);
}

static bool is_text(const char *column) {
    static const char *const texts[] = {"name", "link_tier", "tier", "kind", "frame", "phase"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(texts[i], column) == 0) return true;
    }
    return false;
}

/* Learns the columns once for all rows, so that no row compares names. */
static void columns_learn(struct store_rows *rows) {
    const char *const *column;
    size_t n = store_columns(rows->table, &column);
    for (size_t i = 0; i < n; i++) {
        rows->needed |= (uint32_t)is_needed(rows->table, column[i]) << i;
        rows->text |= (uint32_t)is_text(column[i]) << i;
    }
}

static bool value_is_good(const struct store_rows *rows, int at) {
    int type = sqlite3_column_type(rows->q, at);
    if (type == SQLITE_NULL) return !(rows->needed >> at & 1);
    return rows->text >> at & 1 ? type == SQLITE_TEXT : type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* ---- statements ---- */

sqlite3_stmt *store_ask(const struct store_reader *r, int64_t run, const char *sql, struct diag *d) {
    sqlite3_stmt *q = NULL;
    store_guard_ask(r->guard);
    if (sqlite3_prepare_v2(r->db, sql, -1, &q, NULL) != SQLITE_OK) {
        diag_fail_in(d, r->path, "results store: %s", store_trouble(r->db));
        return NULL;
    }
    sqlite3_bind_int64(q, 1, run);
    return q;
}

bool store_answered(const struct store_reader *r, sqlite3_stmt *q, int code, struct diag *d) {
    bool ok = code == SQLITE_DONE || diag_fail_in(d, r->path, "results store: %s", store_trouble(r->db));
    sqlite3_finalize(q);
    return ok;
}

static bool has_column(const struct store_reader *r, enum store_table table, const char *column) {
    return sqlite3_table_column_metadata(r->db, "main", tables[table].name, column, NULL, NULL, NULL, NULL, NULL) ==
           SQLITE_OK;
}

static bool has_table(const struct store_reader *r, enum store_table table) { return has_column(r, table, NULL); }

/* Prints the columns of a table: "port, node, NULL AS paused_ps". `columns` NULL: all. */
static void columns_print(const struct store_reader *r, enum store_table table, const char *columns, FILE *out) {
    const char *const *column;
    size_t n = store_columns(table, &column);
    for (size_t i = 0; i < n; i++) {
        bool wanted = !columns || is_named(columns, column[i]) || is_needed(table, column[i]);
        bool has = wanted && has_column(r, table, column[i]);
        fprintf(out, has ? "%s%s" : "%sNULL AS %s", i ? ", " : "", column[i]);
    }
}

void store_rows_select(const struct store_reader *r, enum store_table table, const char *where, char *sql,
                       size_t size) {
    FILE *out = text_stream_into(sql, size);
    fprintf(out, "SELECT ");
    columns_print(r, table, NULL, out);
    fprintf(out, " FROM main.%s WHERE %s ORDER BY %s", tables[table].name, where, tables[table].order);
    fclose(out);
}

/* Prints the query of a table: "SELECT port, node, NULL AS paused_ps FROM ports WHERE run=?1 ORDER BY port". `columns`
 * NULL: all. */
static void select_print(const struct store_reader *r, enum store_table table, const char *columns, char *sql,
                         size_t size) {
    FILE *out = text_stream_into(sql, size);
    fprintf(out, "SELECT ");
    columns_print(r, table, columns, out);
    fprintf(out, " FROM %s WHERE run=?1 ORDER BY %s", tables[table].name, tables[table].order);
    fclose(out);
}

bool store_rows_begin_some(const struct store_reader *r, enum store_table table, const char *columns, int64_t run,
                           struct store_rows *rows, struct diag *d) {
    char sql[4096];
    *rows = (struct store_rows){.reader = r, .table = table, .code = SQLITE_DONE, .damaged = -1};
    if (!has_table(r, table)) return true;
    columns_learn(rows);
    select_print(r, table, columns, sql, sizeof sql);
    rows->q = store_ask(r, run, sql, d);
    return rows->q != NULL;
}

bool store_rows_begin(const struct store_reader *r, enum store_table table, int64_t run, struct store_rows *rows,
                      struct diag *d) {
    return store_rows_begin_some(r, table, NULL, run, rows, d);
}

/* ---- raw rows ---- */

bool store_next(struct store_rows *rows) {
    if (!rows->q || rows->damaged >= 0) return false;
    rows->code = sqlite3_step(rows->q);
    if (rows->code != SQLITE_ROW) return false;
    for (int i = 0; i < sqlite3_column_count(rows->q); i++) {
        if (value_is_good(rows, i)) continue;
        rows->damaged = i;
        return false;
    }
    return true;
}

static bool damage_tell(const struct store_rows *rows, struct diag *d) {
    const char *column = tables[rows->table].column[rows->damaged];
    return diag_fail_in(d, rows->reader->path,
                        "this store is damaged: a value of %s.%s is no %s; run the experiment again into another file",
                        tables[rows->table].name, column, is_text(column) ? "text" : "number");
}

bool store_rows_end(struct store_rows *rows, struct diag *d) {
    bool whole = rows->code == SQLITE_DONE || rows->code == SQLITE_ROW;
    if (rows->q && rows->damaged >= 0)
        whole = damage_tell(rows, d);
    else if (!whole)
        diag_fail_in(d, rows->reader->path, "results store: %s", store_trouble(rows->reader->db));
    sqlite3_finalize(rows->q);
    rows->q = NULL;
    free(rows->clean);
    rows->clean = NULL;
    return whole;
}

int64_t store_count(const struct store_reader *r, enum store_table table, int64_t run, struct diag *d) {
    char sql[96];
    sqlite3_stmt *q;
    int64_t n = -1;
    if (!has_table(r, table)) return 0;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE run=?1", tables[table].name);
    q = store_ask(r, run, sql, d);
    if (!q) return -1;
    if (sqlite3_step(q) == SQLITE_ROW) n = sqlite3_column_int64(q, 0);
    if (n < 0) diag_fail_in(d, r->path, "results store: %s", store_trouble(r->db));
    sqlite3_finalize(q);
    return n;
}

/* ---- values ---- */

static int64_t whole(sqlite3_stmt *q, int at) {
    return sqlite3_column_type(q, at) == SQLITE_NULL ? STORE_NULL : sqlite3_column_int64(q, at);
}

static double real(sqlite3_stmt *q, int at) {
    return sqlite3_column_type(q, at) == SQLITE_NULL ? NAN : sqlite3_column_double(q, at);
}

/* Returns the only text of a row, safe for a terminal: stores may come from elsewhere. Valid until the next row. */
static const char *text(struct store_rows *rows, int at) {
    const char *t = (const char *)sqlite3_column_text(rows->q, at), *c = t;
    while (c && *c >= ' ' && *c <= '~') c++;
    if (!c || !*c) return t;
    free(rows->clean);
    return rows->clean = text_clean(text_copy(t));
}

/* Reads columns from `first` on into the fields given, in order. */
#define WHOLES(q, first, ...)                                                                                          \
    do {                                                                                                               \
        int64_t *const field_[] = {__VA_ARGS__};                                                                       \
        for (size_t i_ = 0; i_ < sizeof field_ / sizeof *field_; i_++) *field_[i_] = whole(q, (first) + (int)i_);      \
    } while (0)

/* ---- rows ---- */

bool store_next_node(struct store_rows *rows, struct node_row *x) {
    if (!store_next(rows)) return false;
    x->node = whole(rows->q, 0);
    x->name = text(rows, 1);
    WHOLES(rows->q, 2, &x->buffer_mean_bytes, &x->buffer_max_bytes);
    return true;
}

bool store_next_port(struct store_rows *rows, struct port_row *x) {
    sqlite3_stmt *q = rows->q;
    if (!store_next(rows)) return false;
    WHOLES(q, 0, &x->port, &x->node, &x->neighbour, &x->parallel);
    x->link_tier = text(rows, 4);
    x->sent_bytes = whole(q, 5);
    x->utilisation = real(q, 6);
    WHOLES(q, 7, &x->queue_mean_bytes, &x->queue_max_bytes, &x->dropped, &x->credit_bytes);
    x->data_utilisation = real(q, 11);
    WHOLES(q, 12, &x->paused_ps, &x->blocked_ps);
    return true;
}

bool store_next_flow(struct store_rows *rows, struct flow_row *x) {
    if (!store_next(rows)) return false;
    WHOLES(rows->q, 0, &x->flow, &x->entry, &x->src, &x->dst, &x->start_ps, &x->bytes, &x->finished_ps, &x->fct_ps,
           &x->bound_ps, &x->received_bytes, &x->sent_packets, &x->retransmitted, &x->timeouts, &x->reordered,
           &x->max_reorder, &x->marked, &x->credits_sent, &x->credits_used, &x->credits_wasted, &x->unfilled_bytes,
           &x->first_data_ps, &x->stop_ps);
    return true;
}

bool store_next_query(struct store_rows *rows, struct query_row *x) {
    if (!store_next(rows)) return false;
    WHOLES(rows->q, 0, &x->query, &x->request, &x->response, &x->part_of, &x->client, &x->server, &x->bytes,
           &x->priority, &x->start_ps, &x->time_ps, &x->timeouts);
    return true;
}

bool store_next_sample(struct store_rows *rows, struct sample_row *x) {
    if (!store_next(rows)) return false;
    WHOLES(rows->q, 0, &x->at_ps, &x->port);
    x->kind = text(rows, 2);
    x->value = real(rows->q, 3);
    return true;
}

bool store_next_open_flows(struct store_rows *rows, struct open_flows_row *x) {
    if (!store_next(rows)) return false;
    x->at_ps = whole(rows->q, 0);
    x->flows = real(rows->q, 1);
    return true;
}

bool store_next_job_iteration(struct store_rows *rows, struct job_iteration_row *x) {
    if (!store_next(rows)) return false;
    WHOLES(rows->q, 0, &x->job, &x->iteration, &x->start_ps, &x->end_ps, &x->ideal_ps, &x->exposed_ps, &x->last_rank);
    return true;
}

bool store_next_job_span(struct store_rows *rows, struct job_span_row *x) {
    if (!store_next(rows)) return false;
    WHOLES(rows->q, 0, &x->span, &x->job, &x->rank, &x->node);
    x->kind = text(rows, 4);
    x->phase = text(rows, 5);
    WHOLES(rows->q, 6, &x->start_ps, &x->end_ps);
    return true;
}

bool store_next_job_step(struct store_rows *rows, struct job_step_row *x) {
    if (!store_next(rows)) return false;
    WHOLES(rows->q, 0, &x->job, &x->step, &x->iteration, &x->flow);
    x->phase = text(rows, 4);
    WHOLES(rows->q, 5, &x->src, &x->dst, &x->bytes, &x->start_ps, &x->end_ps, &x->ideal_ps);
    return true;
}

bool store_next_pause(struct store_rows *rows, struct pause_row *x) {
    if (!store_next(rows)) return false;
    WHOLES(rows->q, 0, &x->port, &x->class, &x->paused_ps, &x->stops, &x->storms, &x->longest_ps, &x->longest_from_ps);
    return true;
}

bool store_next_pause_ring(struct store_rows *rows, struct pause_ring_row *x) {
    if (!store_next(rows)) return false;
    WHOLES(rows->q, 0, &x->ring, &x->place, &x->port, &x->class, &x->since_ps, &x->first_ps, &x->last_ps);
    return true;
}
