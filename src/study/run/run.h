/* SPDX-License-Identifier: Apache-2.0 */
/* Executing the runs of an experiment: processes side by side, results into the store, lines in run order.
 *
 * Everything is checked before anything is written: every run is assembled once. Then each run that the store does not
 * hold yet becomes a child process; only the parent writes the store and prints. A run that fails or crashes is
 * recorded as failed and stops no other. SIGINT, SIGTERM and SIGHUP abandon what is in flight; the same command goes on from
 * there.
 *
 * With a budget of time (study/run/budget.h) the most telling runs start first, and runs that do not fit stay missing:
 * the store has their rows, the table names them, and the same command goes on from there. When the budget is over, runs
 * under way are asked to end, and killed PATIENCE_S later.
 *
 * With several ranks all of them carry out runs (study/run/crew.h); the leader alone checks, prints and writes.
 */
#ifndef HEDDLE_STUDY_RUN_RUN_H
#define HEDDLE_STUDY_RUN_RUN_H

#include "ranks/group.h"
#include "study/assemble/run_cost.h"
#include "study/claims/expect.h"
#include "study/print/table.h"

#define MAX_JOBS 256
#define RANKS_PER_RUN_MAX 4096
#define PATIENCE_S 5.0 /* between asking a run to end and killing it */

/* Carries out one run in place of the simulator, in a process of its own: fills *r as world_run does. `run` is the run's
 * index in *e. */
typedef enum world_outcome (*run_carrier)(void *to, const struct experiment *e, size_t run, const struct assembly *a,
                                          struct run_result *r);

struct run_options {
    const struct ranks *ranks; /* NULL: a single process */
    const struct ranks_group
        *group;             /* the ranks that carry out each run together; NULL: a run is a process of one rank */
    uint32_t jobs, threads; /* runs side by side on each rank, and threads of each */
    const char *store;      /* path; NULL: ./<file stem>.db */
    const char *version;
    struct table_print_options table; /* how the closing table is printed */
    bool json;
    bool quiet;          /* drops the table and the progress line; warnings and notes stay */
    bool judge;          /* start no run: evaluate what the store holds */
    bool record;         /* write what came out into the record (study/claims/record.h) once all runs are done */
    run_carrier carrier; /* NULL: world_run */
    void *carrier_to;
    bool renew;                     /* run again the runs whose stored results lack any metric (study/store/older.h) */
    double budget_s, budget_ends_s; /* time of the command (study/run/budget.h), and its end on the monotonic clock; 0:
                                       all runs are carried out */
};

enum run_exit { RUN_AS_EXPECTED = 0, RUN_NEWS = 1, RUN_BAD_CONFIG = 2, RUN_INCOMPLETE = 3 };

/* Returns whether every run can be put together, as many side by side in the machine's memory as the options say, and
 * carried out by the ranks of the group. Runs that differ in nothing that decides it are tried once. Prints what will have
 * no effect or go wrong to `warnings`. Fills cost[n_runs] with what is foreseen for each. */
bool runs_check(const struct experiment *e, const struct run_options *o, struct run_cost *cost, FILE *warnings,
                struct diag *d);
/* Returns whether each run can be put together and carried out by so many ranks of so many threads, one run after the other;
 * adds what all runs will cost to *all. */
bool runs_foresee(const struct experiment *e, uint32_t ranks, uint32_t threads, FILE *warnings, struct run_cost *all,
                  struct diag *d);

/* The exit code; for RUN_BAD_CONFIG *d says why, the rest has been said on standard error. All ranks call it; all but
 * the leader return RUN_AS_EXPECTED. */
enum run_exit experiment_run(struct experiment *e, const struct run_options *o, struct diag *d);

#endif
