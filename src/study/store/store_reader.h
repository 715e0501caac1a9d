/* SPDX-License-Identifier: Apache-2.0 */
/* Read-only access to a results store, for reports and exports.
 *
 *    struct store_reader *r = store_reader_open("results.db", &d);
 *    for each r->run: its settings, configuration and --json object are here; rows are fetched when asked for:
 *        struct store_rows rows;
 *        struct flow_row flow;
 *        if (!store_rows_begin(r, STORE_FLOWS, run->id, &rows, &d)) ...
 *        while (store_next_flow(&rows, &flow)) ...
 *        if (!store_rows_end(&rows, &d)) ...        also when the loop was left early
 *    store_reader_close(r);
 *
 * The file and its folder stay byte for byte the same: the database is opened read-only. A temporary copy is read if a
 * killed process left a journal to roll back, or if another program keeps the store in WAL mode. A store may be read
 * while another process writes it: runs and claims are those committed before the reader was opened. The reader holds
 * no lock between two iterations, so a writer waits for one iteration at most.
 *
 * A reader belongs to one thread at a time.
 *
 * The reader refuses with one line a file that is no heddle store, an empty file, and an older or newer schema. It
 * reads stores with unfinished runs; each run has its status. Tables and columns that an older store lacks have no
 * rows and no values.
 *
 * The reader checks values as it reads them. It fails with one line if a key or a name is NULL, or if a number is
 * stored where a text belongs or the other way round.
 *
 * Integers that are NULL in the store are STORE_NULL, reals NaN, texts NULL. Texts and JSON belong to the reader and
 * live until it is closed; texts of a row live until the next row.
 */
#ifndef HEDDLE_STUDY_STORE_STORE_READER_H
#define HEDDLE_STUDY_STORE_STORE_READER_H

#include "base/diag.h"

#include <jansson.h>
#include <sqlite3.h>

#define STORE_NULL INT64_MIN

/* RUN_LEFT: not begun, `running` now or when it was killed, or left out by a budget. */
enum run_status { RUN_LEFT, RUN_DONE, RUN_FAILED };

/* A row of `experiments`. */
struct experiment_row {
    int64_t id;
    const char *name, *title, *file, *created; /* title and file may be "" */
};

/* A row of `runs`. */
struct run_row {
    int64_t id;
    size_t experiment; /* index into store_reader.experiment */
    uint32_t number;   /* 0: the experiment no longer contains the run */
    enum run_status status;
    json_t *settings;               /* object: swept keys and run.seed */
    const char *config;             /* effective configuration, YAML */
    const char *identity;           /* SHA-256 */
    const char *version;            /* of the program */
    json_t *result;                 /* the --json object; NULL: none. A failed run's may be partial */
    const char *failure;            /* reason of the failure */
    const char *started, *finished; /* UTC */
    const char *profile;            /* profile of its command line; NULL: none, or not stored */
    json_t *set;                    /* array of texts of --set; NULL: not stored */
};

/* A row of `claims`. */
struct claim_row {
    size_t experiment;
    const char *claim, *metric, *form, *note; /* note may be NULL */
    json_t *place;                            /* the values of `each` */
    const char *verdict, *recorded;           /* words of study/claims/verdict.h; recorded NULL: nothing is */
    const char *reason;                       /* why it is not decided or not measurable; NULL: it is neither */
    const char *roughly, *paper;              /* may be NULL */
    json_t *subject, *against, *than;         /* settings compared; NULL: none, or the store is older */
    uint32_t n_seeds;
    uint32_t n_missing;                 /* runs that had no result: the outcome is not decided; 0 in older stores */
    double measured, spread, low, high; /* NaN: null; as low or high: open */
    double standard_error, interval_low, interval_high; /* NaN: null */
    bool met, expected, every;
    bool as_recorded; /* false: the verdict differs from the recorded one */
};

struct store_reader {
    char *path;        /* path as given by the caller */
    const char *shown; /* path as UTF-8 without control characters, for messages */
    struct experiment_row *experiment;
    size_t n_experiments;
    struct run_row *run; /* by experiment, then by number; runs without a number last */
    size_t n_runs;
    struct claim_row *claim; /* by experiment, in the order of the file */
    size_t n_claims;
    sqlite3 *db; /* read-only; queries of other modules by store_ask */
    struct store_guard *guard;
    char *copy; /* folder of the temporary copy; NULL: none */
    void **owned;
    size_t n_owned;
};

/* Opens a store. Returns NULL after filling *d. */
struct store_reader *store_reader_open(const char *path, struct diag *d);
void store_reader_close(struct store_reader *r); /* NULL is allowed */

/* Makes the finished runs visible that the experiment no longer contains. They get numbers after the others. All runs
 * of such an experiment get a setting `variant`: the --set of their command line, "as written", or "not remembered".
 * Runs that could not be told apart by these settings get their identity in `variant` too. */
void store_reader_show_variants(struct store_reader *r);

/* Returns true if there is a finished run of an experiment in its present form. Otherwise fills *d with the reason. */
bool store_finished_check(const struct store_reader *r, struct diag *d);

const char *run_status_word(enum run_status status);

/* ---- queries of other modules ---- */

/* Prepares a query, with the run as ?1. Returns NULL after filling *d. */
sqlite3_stmt *store_ask(const struct store_reader *r, int64_t run, const char *sql, struct diag *d);
/* Ends a query whose last step returned `code`. Returns false after filling *d unless that is SQLITE_DONE. */
bool store_answered(const struct store_reader *r, sqlite3_stmt *q, int code, struct diag *d);

/* ---- rows of a run ---- */

enum store_table {
    STORE_NODES,
    STORE_PORTS,
    STORE_LINKS,
    STORE_FLOWS,
    STORE_QUERIES,
    STORE_SAMPLES, /* ordered by time */
    STORE_IMBALANCE,
    STORE_FAIRNESS,
    STORE_CONVERGENCE,
    STORE_TIMELINES,
    STORE_PAUSES,
    STORE_PAUSE_RINGS,
    STORE_OPEN_FLOWS,
    STORE_JOB_ITERATIONS,
    STORE_JOB_STEPS,
    STORE_JOB_SPANS,
    STORE_TABLES
};

/* The columns of docs/store.md without `run`. */
struct node_row {
    int64_t node;
    const char *name;
    int64_t buffer_mean_bytes, buffer_max_bytes; /* STORE_NULL: of hosts, on real frames, or the store is older */
};
struct port_row {
    int64_t port, node, neighbour, parallel;
    const char *link_tier;
    int64_t sent_bytes;
    double utilisation;
    int64_t queue_mean_bytes, queue_max_bytes, dropped, credit_bytes;
    double data_utilisation;
    int64_t paused_ps, blocked_ps; /* STORE_NULL in stores older than these columns */
};
struct flow_row {
    int64_t flow, entry, src, dst, start_ps, bytes, finished_ps, fct_ps, bound_ps, received_bytes, sent_packets;
    int64_t retransmitted, timeouts, reordered, max_reorder, marked, credits_sent, credits_used, credits_wasted;
    int64_t unfilled_bytes;
    int64_t stop_ps;       /* STORE_NULL: the flow has no stop, or the store is older */
    int64_t first_data_ps; /* STORE_NULL: no data was sent, or the store is older */
};
struct query_row {
    int64_t query, request, response, part_of, client, server, bytes, priority, start_ps, time_ps, timeouts;
};
struct sample_row {
    int64_t at_ps, port;
    const char *kind; /* queue, link, goodput */
    double value;
};
struct open_flows_row {
    int64_t at_ps;
    double flows;
};
struct pause_row {
    int64_t port, class, paused_ps, stops, storms, longest_ps, longest_from_ps;
};
struct pause_ring_row {
    int64_t ring, place, port, class, since_ps, first_ps, last_ps;
};

struct job_step_row {
    int64_t job, step, iteration, flow; /* flow STORE_NULL: a computation */
    const char *phase;
    int64_t src, dst, bytes, start_ps, end_ps, ideal_ps;
};
struct job_span_row {
    int64_t span, job, rank, node;
    const char *kind, *phase; /* kind: compute, receive */
    int64_t start_ps, end_ps;
};
struct job_iteration_row {
    int64_t job, iteration, start_ps, end_ps, ideal_ps, exposed_ps,
        last_rank; /* STORE_NULL: it did not start, or end */
};

/* Cursor over the rows of one run, in the order of the table's key. Rows are streamed, so memory is constant. */
struct store_rows {
    const struct store_reader *reader;
    enum store_table table;
    sqlite3_stmt *q; /* NULL: the store has no such table */
    int code;
    uint32_t needed, text; /* one bit per column: must not be NULL; holds a text */
    char *clean;           /* the text of the row, if it has characters that would control a terminal; else NULL */
    int damaged; /* column with an impossible value, which ends the rows and makes store_rows_end fail; -1: none */
};

bool store_rows_begin(const struct store_reader *r, enum store_table table, int64_t run, struct store_rows *rows,
                      struct diag *d);
/* Begins with only some columns, which takes a fraction of the time: those named in `columns`, " start_ps bytes ", and
 * columns that must not be NULL. All others read as NULL. */
bool store_rows_begin_some(const struct store_reader *r, enum store_table table, const char *columns, int64_t run,
                           struct store_rows *rows, struct diag *d);
/* Reads the next row. Returns false at the end, or after an error that store_rows_end reports. */
bool store_next_node(struct store_rows *rows, struct node_row *row);
bool store_next_port(struct store_rows *rows, struct port_row *row);
bool store_next_flow(struct store_rows *rows, struct flow_row *row);
bool store_next_query(struct store_rows *rows, struct query_row *row);
bool store_next_sample(struct store_rows *rows, struct sample_row *row);
bool store_next_pause(struct store_rows *rows, struct pause_row *row);
bool store_next_open_flows(struct store_rows *rows, struct open_flows_row *row);
bool store_next_job_iteration(struct store_rows *rows, struct job_iteration_row *row);
bool store_next_job_span(struct store_rows *rows, struct job_span_row *row);
bool store_next_job_step(struct store_rows *rows, struct job_step_row *row);
bool store_next_pause_ring(struct store_rows *rows, struct pause_ring_row *row);
bool store_rows_end(struct store_rows *rows, struct diag *d);

/* Returns the number of rows of a run in a table; -1 after filling *d. */
int64_t store_count(const struct store_reader *r, enum store_table table, int64_t run, struct diag *d);

/* For copies of whole tables (CSV): the name of the table, and its columns in the order in which store_rows_begin
 * selects them. Columns that the store lacks are selected as NULL. */
const char *store_table_name(enum store_table table);
size_t store_columns(enum store_table table, const char *const **names);
/* Steps to the next row without reading it; its columns are then sqlite3_column_*(rows->q, i). */
bool store_next(struct store_rows *rows);

#endif
