/* SPDX-License-Identifier: Apache-2.0 */
/* The results store: one SQLite file that holds experiments, their runs, and everything that the runs measured.
 *
 * Tables by experiment: runs, claims. Tables by run: nodes, ports, links (tiers), flows, samples, imbalance, fairness,
 * convergence, timelines and more. docs/store.md describes every column.
 *
 * `pragma user_version` is the version of this schema; `application_id` marks a store of heddle. Making
 * a store is one transaction, and so is an upgrade of an older one (store_schema.c). The rows of a run are one
 * transaction, committed before the next run is recorded. A process killed at any instant therefore loses at most the
 * runs in progress. Their rows stay `running`, and the next `heddle run` repeats them.
 *
 * Every function returns false after filling *d; what was committed before stays.
 */
#ifndef HEDDLE_STUDY_STORE_STORE_H
#define HEDDLE_STUDY_STORE_STORE_H

#include "base/diag.h"
#include "study/experiment/experiment.h"
#include "study/results/outcome.h"

#include <sqlite3.h>

#define STORE_SCHEMA_VERSION 2
#define STORE_SCHEMA_PACKED 3 /* of a store with runs whose flows are packed (packed_flows.h) */

struct store;

/* Returns whether a file of this name may hold a store: no empty name, no name that SQLite takes for a database in
 * memory or for a URI, no folder and no device. Changes no file. */
bool store_path_check(const char *path, struct diag *d);
/* Opens or creates the store, and adds the tables and columns that an older one lacks. Fails if the file is no heddle
 * store, has a newer schema, cannot be written or cannot be locked. Fails also while another process writes to it,
 * because two writers would give the same runs the same numbers. */
struct store *store_open(const char *path, struct diag *d);
/* Returns true if the open database is a store of these schemas. */
bool store_schema_check(sqlite3 *db, const char *path, struct diag *d);
void store_close(struct store *s);
sqlite3 *store_database(struct store *s);

/* Begins a transaction. The functions that begin their own must not be called inside it. */
bool store_transaction_begin(struct store *s, struct diag *d);
/* Commits the open transaction, or rolls it back if `ok` is false. Returns whether it was committed. */
bool store_transaction_end(struct store *s, bool ok, struct diag *d);

/* Finds or creates the experiment's row. Its runs lose their numbers until store_run_find assigns them again. */
bool store_experiment(struct store *s, const struct experiment *e, int64_t *id, struct diag *d);

struct stored_run {
    int64_t id; /* 0: not in the store */
    bool done;
    json_t *result; /* of a done run: the --json object, owned by the caller */
    double tried_s; /* time after which an attempt was ended by store_run_leave; 0: none was */
};

/* Looks a run up by its identity and assigns its number. */
bool store_run_find(struct store *s, int64_t experiment, const struct planned_run *r, struct stored_run *found,
                    struct diag *d);
/* Adds the row of a run that is not started yet, which the store must not have: it counts as missing. */
bool store_run_plan(struct store *s, int64_t experiment, const struct planned_run *r, const char *version, int64_t *id,
                    struct diag *d);
/* Makes a run that was ended before its end, `tried_s` after its begin, a missing one again. Its row keeps its start, and
 * `finished` is so much later: the time of day may have been set meanwhile. */
bool store_run_leave(struct store *s, int64_t run, double tried_s, struct diag *d);
/* Records the run as running. Deletes the rows of an earlier attempt. */
bool store_run_begin(struct store *s, int64_t experiment, const struct planned_run *r, const char *version, int64_t *id,
                     struct diag *d);
/* Stores the command line of a run: the profile and the texts of --set. It replaces the command line stored before. */
bool store_options(struct store *s, int64_t run, const struct experiment *e, struct diag *d);
/* Describes the finished runs of this experiment that have no number now, by their command lines: "4 with --set a=1, 2
 * without --set, ...". The caller frees *text; it is "" if there are none. */
bool store_others(struct store *s, int64_t experiment, char **text, struct diag *d);
/* Writes all results of a run in one transaction. `failure` NULL: the run is done. `o` and `result` may be NULL if it
 * failed. */
bool store_run_end(struct store *s, int64_t run, const struct outcome *o, const json_t *result, const char *failure,
                   struct diag *d);

struct stored_claim {
    const char *claim, *metric, *form, *note;
    const char *verdict, *recorded; /* words of study/claims/verdict.h; recorded NULL: nothing is */
    const char *reason;             /* why there is no verdict (study/claims/reason.h); NULL: there is one */
    const char *roughly, *paper;    /* from the experiment file; may be NULL */
    char *place;                    /* JSON */
    char *subject, *against, *than; /* JSON of `of`, `against`, `than` in the file; NULL: none */
    uint32_t n_seeds, n_missing;
    double measured, spread, low, high; /* NaN: null */
    double standard_error, interval_low, interval_high;
    bool met, expected, as_recorded, every;
};
/* Replaces the claims of the experiment. */
bool store_claims(struct store *s, int64_t experiment, const struct stored_claim *claim, size_t n, struct diag *d);

#endif
