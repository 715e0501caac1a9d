/* SPDX-License-Identifier: Apache-2.0 */
/* The results store: one SQLite file that holds experiments, their runs, and all that the runs measured.
 *
 * Experiments, their runs, and by run: nodes, ports, links (tiers), flows, samples, imbalance, fairness, convergence,
 * timelines; by experiment: claims. docs/store.md describes every column.
 *
 * `pragma user_version` is the version of this schema, `application_id` says that it is ours. A run's rows are
 * written in one transaction, and it is committed before the next run is recorded: killing the process at any
 * instant loses at most the runs in flight. A row left `running` by a killed process is run again.
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

struct store;

/* Opens or creates the store. Fails on what is no heddle store, on a newer schema, where nothing can be written, and
 * while another process writes to it: two would give the same runs the same numbers. */
struct store *store_open(const char *path, struct diag *d);
/* Is the open database a store of this schema? */
bool store_schema_check(sqlite3 *db, const char *path, struct diag *d);
void store_close(struct store *s);
sqlite3 *store_database(struct store *s);

/* The experiment's row, made if it is new; its runs lose their numbers until store_run_find gives them anew. */
bool store_experiment(struct store *s, const struct experiment *e, int64_t *id, struct diag *d);

struct stored_run {
    int64_t id; /* 0: not in the store */
    bool done;
    json_t *result; /* done: the --json object, owned by the caller */
};

/* Looks a run up and gives it its number. */
bool store_run_find(struct store *s, int64_t experiment, const struct planned_run *r, struct stored_run *found,
                    struct diag *d);
/* Records it as running; what an earlier attempt left is removed. */
bool store_run_begin(struct store *s, int64_t experiment, const struct planned_run *r, const char *version, int64_t *id,
                     struct diag *d);
/* Remembers how a run was asked for: the profile and what --set said. The last who asked counts. */
bool store_options(struct store *s, int64_t run, const struct experiment *e, struct diag *d);
/* What else the store holds of this experiment: finished runs that have no number now, by how they were asked for:
 * "4 with --set a=1, 2 without --set, ...". *text is the caller's to free; "" if there are none. */
bool store_others(struct store *s, int64_t experiment, char **text, struct diag *d);
/* All a run left, in one transaction. `failure` NULL: done. `o` and `result` may be NULL when it failed. */
bool store_run_end(struct store *s, int64_t run, const struct outcome *o, const json_t *result, const char *failure,
                   struct diag *d);

struct stored_claim {
    const char *claim, *metric, *form, *note;
    const char *verdict, *recorded; /* words of study/claims/verdict.h */
    const char *roughly, *paper;    /* of the file; may be NULL */
    char *place;                    /* JSON */
    char *subject, *against, *than; /* JSON: `of`, `against` and `than` of the file; NULL: none */
    uint32_t n_seeds;
    double measured, spread, low, high; /* NaN = null */
    double standard_error, interval_low, interval_high;
    bool met, expected, as_recorded, every;
};
/* Replaces the experiment's claims. */
bool store_claims(struct store *s, int64_t experiment, const struct stored_claim *claim, size_t n, struct diag *d);

#endif
