/* The results store: one SQLite file that holds experiments, their runs, and all that the runs measured.
 *
 * experiments  id, name (file stem, with @profile), title, file, created (UTC)
 * runs         id, experiment, number (as the experiment counts them now; NULL: no longer part of it), settings (JSON:
 * swept keys and run.seed), identity (SHA-256, see experiment.h), status: running | done | failed, config (the
 *              effective configuration), version (of the program), result (the --json object), failure, started,
 * finished nodes        run, node, name                         the fabric's nodes by number ports        run, port,
 * node, neighbour, parallel, link_tier, sent_bytes, utilisation, queue_mean_bytes, queue_max_bytes, dropped egress
 * ports by global number links        run, tier (host | uplink | core), utilisation_mean, utilisation_max flows run,
 * flow, entry (of the workload), src, dst (nodes), start_ps, bytes (NULL: endless), finished_ps (NULL: never), fct_ps,
 * bound_ps (least possible FCT), received_bytes, sent_packets, retransmitted, timeouts, reordered, max_reorder, marked
 * samples      run, at_ps, port, kind (queue: frame bytes | link: utilisation), value
 * imbalance    run, at_ps, node, value                 (max - min) / mean over a switch's uplinks
 * timelines    run, flow, line, at_ps, kind, node, port, offset, size, backlog_bytes, is_ack
 * claims       experiment, claim, place (JSON: the value of `each`), metric, form, n_seeds, measured, spread, low,
 * high, met, expected (what the file records), note
 *
 * `pragma user_version` is the version of this schema, `application_id` says that it is ours. A run's rows are
 * written in one transaction, and it is committed before the next run is recorded: killing the process at any
 * instant loses at most the runs in flight. A row left `running` by a killed process is run again.
 *
 * Every function returns false after filling *d; what was committed before stays.
 */
#ifndef HEDDLE_STUDY_STORE_H
#define HEDDLE_STUDY_STORE_H

#include "base/diag.h"
#include "study/experiment.h"
#include "study/outcome.h"

#include <sqlite3.h>

#define STORE_SCHEMA_VERSION 1

struct store;

/* Opens or creates the store. Fails on what is no heddle store, on a newer schema, and where nothing can be written. */
struct store *store_open(const char *path, struct diag *d);
/* For readers: the file must exist and is not changed. */
struct store *store_open_readonly(const char *path, struct diag *d);
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
/* All a run left, in one transaction. `failure` NULL: done. `o` and `result` may be NULL when it failed. */
bool store_run_end(struct store *s, int64_t run, const struct outcome *o, const json_t *result, const char *failure,
                   struct diag *d);

struct stored_claim {
    const char *claim, *metric, *form, *note;
    char *place; /* JSON */
    uint32_t n_seeds;
    double measured, spread, low, high; /* NaN = null */
    bool met, expected;
};
/* Replaces the experiment's claims. */
bool store_claims(struct store *s, int64_t experiment, const struct stored_claim *claim, size_t n, struct diag *d);

#endif
