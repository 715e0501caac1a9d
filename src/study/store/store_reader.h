/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a results store without ever writing to it: for reports and exports.
 *
 *     struct store_reader *r = store_reader_open("results.db", &d);
 *     for each r->run: its settings, configuration and --json object are here; rows are fetched when asked for:
 *         struct store_rows rows;
 *         struct flow_row flow;
 *         if (!store_rows_begin(r, STORE_FLOWS, run->id, &rows, &d)) ...
 *         while (store_next_flow(&rows, &flow)) ...
 *         if (!store_rows_end(&rows, &d)) ...        also when the loop was left early
 *     store_reader_close(r);
 *
 * The file and its folder stay as they are, to the byte: the database is opened read-only. If a killed process left a
 * journal that must be rolled back first, or another program keeps the store in WAL mode, a temporary copy is read. A
 * store that is being written may be read: runs and claims are those that were committed when the reader was opened. No
 * lock is held between iterations, so a writer never waits for longer than one.
 *
 * Refused with one line: what is no heddle store, an empty file, an older or newer schema. Half-finished stores are
 * read: runs have their status. Tables and columns that came later than the store have no rows and no values.
 *
 * Values are checked as they are read: a key or a name that is NULL, a text where a number belongs or a number where a
 * text does ends the reading with one line.
 *
 * Integers that are NULL in the store are STORE_NULL, reals NaN, texts NULL. Texts and JSON belong to the reader and
 * live until it is closed; those of a row live until the next one.
 */
#ifndef HEDDLE_STUDY_STORE_STORE_READER_H
#define HEDDLE_STUDY_STORE_STORE_READER_H

#include "base/diag.h"

#include <jansson.h>
#include <sqlite3.h>

#define STORE_NULL INT64_MIN

enum run_status { RUN_LEFT, RUN_DONE, RUN_FAILED }; /* RUN_LEFT: `running`, now or in a process that was killed */

/* A row of `experiments`. */
struct experiment_row {
    int64_t id;
    const char *name, *title, *file, *created; /* title and file may be "" */
};

/* A row of `runs`. */
struct run_row {
    int64_t id;
    size_t experiment; /* place in store_reader.experiment */
    uint32_t number;   /* 0: the experiment no longer contains it */
    enum run_status status;
    json_t *settings;               /* object: swept keys and run.seed */
    const char *config;             /* effective configuration, YAML */
    const char *identity;           /* SHA-256 */
    const char *version;            /* of the program */
    json_t *result;                 /* the --json object; NULL if there is none. Of a failed run it may be partial */
    const char *failure;            /* why it failed */
    const char *started, *finished; /* UTC */
    const char *profile;            /* it was asked for with; NULL: none, or not remembered */
    json_t *set;                    /* what --set said, an array of texts; NULL: not remembered */
};

/* A row of `claims`. */
struct claim_row {
    size_t experiment;
    const char *claim, *metric, *form, *note; /* note may be NULL */
    json_t *place;                            /* the values of `each` */
    const char *verdict, *recorded;   /* words of study/claims/verdict.h; of older stores from `met` and `expected` */
    const char *roughly, *paper;      /* may be NULL */
    json_t *subject, *against, *than; /* settings compared: NULL: none, or the store is older */
    uint32_t n_seeds;
    double measured, spread, low, high;                 /* NaN: null; of low and high: open */
    double standard_error, interval_low, interval_high; /* NaN: null */
    bool met, expected, every;
    bool as_recorded; /* false is news */
};

struct store_reader {
    char *path;        /* as it was given */
    const char *shown; /* the same as UTF-8 without control characters */
    struct experiment_row *experiment;
    size_t n_experiments;
    struct run_row *run; /* by experiment, then by number; those without a number last */
    size_t n_runs;
    struct claim_row *claim; /* by experiment, in the order of the file */
    size_t n_claims;
    sqlite3 *db; /* for questions of one's own; read-only */
    char *copy;  /* folder of the temporary copy; NULL */
    void **owned;
    size_t n_owned;
};

/* NULL after filling *d. */
struct store_reader *store_reader_open(const char *path, struct diag *d);
void store_reader_close(struct store_reader *r); /* NULL is fine */

/* Makes finished runs visible that the experiment no longer contains: they get numbers after the others, and all runs
 * of such an experiment a setting `variant`: the --set they were asked for with, "as written", or "not remembered".
 * Runs that would be alike though their identities differ get that beside it. */
void store_reader_show_variants(struct store_reader *r);

/* Is there anything to show: a finished run of an experiment as it is now? False after filling *d: why not. */
bool store_finished_check(const struct store_reader *r, struct diag *d);

const char *run_status_word(enum run_status status);

/* ---- rows of a run ---- */

enum store_table {
    STORE_NODES,
    STORE_PORTS,
    STORE_LINKS,
    STORE_FLOWS,
    STORE_QUERIES,
    STORE_SAMPLES, /* in the order of time */
    STORE_IMBALANCE,
    STORE_FAIRNESS,
    STORE_CONVERGENCE,
    STORE_TIMELINES,
    STORE_PAUSES,
    STORE_PAUSE_RINGS,
    STORE_OPEN_FLOWS,
    STORE_TABLES
};

/* The columns of docs/store.md without `run`. */
struct node_row {
    int64_t node;
    const char *name;
};
struct port_row {
    int64_t port, node, neighbour, parallel;
    const char *link_tier;
    int64_t sent_bytes;
    double utilisation;
    int64_t queue_mean_bytes, queue_max_bytes, dropped, credit_bytes;
    double data_utilisation;
    int64_t paused_ps, blocked_ps; /* STORE_NULL in stores of before they were kept */
};
struct link_row {
    const char *tier;
    double utilisation_mean, utilisation_max, utilisation_min, data_mean, data_max, data_min;
};
struct flow_row {
    int64_t flow, entry, src, dst, start_ps, bytes, finished_ps, fct_ps, bound_ps, received_bytes, sent_packets;
    int64_t retransmitted, timeouts, reordered, max_reorder, marked, credits_sent, credits_used, credits_wasted;
    int64_t unfilled_bytes;
    int64_t stop_ps;       /* STORE_NULL: it may go on, or the store is older */
    int64_t first_data_ps; /* STORE_NULL: none was sent, or the store is older */
};
struct query_row {
    int64_t query, request, response, part_of, client, server, bytes, priority, start_ps, time_ps, timeouts;
};
struct sample_row {
    int64_t at_ps, port;
    const char *kind; /* queue, link, goodput */
    double value;
};
struct imbalance_row {
    int64_t at_ps, node;
    double value;
};
struct open_flows_row {
    int64_t at_ps;
    double flows;
};
struct fairness_row {
    int64_t place, interval_ps, intervals;
    double jain_mean, jain_min;
};
struct convergence_row {
    int64_t at_ps, flows, intervals, first_ps, settled_ps;
};
struct timeline_row {
    int64_t flow, line, at_ps;
    const char *kind;
    int64_t node, port, offset, size, backlog_bytes;
    const char *frame;
    int64_t credit;
};
struct pause_row {
    int64_t port, class, paused_ps, stops, storms, longest_ps, longest_from_ps;
};
struct pause_ring_row {
    int64_t ring, place, port, class, since_ps, first_ps, last_ps;
};

/* Rows of one run, in the order of the table's key; streamed, whatever their number. */
struct store_rows {
    const struct store_reader *reader;
    enum store_table table;
    sqlite3_stmt *q; /* NULL: the store has no such table */
    int code;
    uint32_t needed, text; /* bit per column: NULL cannot be; it is a text */
    int damaged; /* column whose value cannot be; -1: none. Then there are no more rows, and store_rows_end fails */
};

bool store_rows_begin(const struct store_reader *r, enum store_table table, int64_t run, struct store_rows *rows,
                      struct diag *d);
/* False when there are no more (or reading broke off, which store_rows_end tells). */
bool store_next_node(struct store_rows *rows, struct node_row *row);
bool store_next_port(struct store_rows *rows, struct port_row *row);
bool store_next_link(struct store_rows *rows, struct link_row *row);
bool store_next_flow(struct store_rows *rows, struct flow_row *row);
bool store_next_query(struct store_rows *rows, struct query_row *row);
bool store_next_sample(struct store_rows *rows, struct sample_row *row);
bool store_next_imbalance(struct store_rows *rows, struct imbalance_row *row);
bool store_next_fairness(struct store_rows *rows, struct fairness_row *row);
bool store_next_convergence(struct store_rows *rows, struct convergence_row *row);
bool store_next_timeline(struct store_rows *rows, struct timeline_row *row);
bool store_next_pause(struct store_rows *rows, struct pause_row *row);
bool store_next_open_flows(struct store_rows *rows, struct open_flows_row *row);
bool store_next_pause_ring(struct store_rows *rows, struct pause_ring_row *row);
bool store_rows_end(struct store_rows *rows, struct diag *d);

/* How many rows a run has in a table; -1 after filling *d. */
int64_t store_count(const struct store_reader *r, enum store_table table, int64_t run, struct diag *d);

/* For tables as they are (CSV): name of the table, and its columns in the order in which store_rows_begin selects
 * them; columns that the store lacks are selected as NULL. */
const char *store_table_name(enum store_table table);
size_t store_columns(enum store_table table, const char *const **names);
/* Steps to the next row without reading it; then sqlite3_column_*(rows->q, i) are its columns. */
bool store_next(struct store_rows *rows);

#endif
