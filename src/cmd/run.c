/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/run.h"

#include "base/clock.h"
#include "base/cores.h"
#include "cmd/commands.h"
#include "cmd/experiment_request.h"
#include "cmd/out_name.h"
#include "cmd/table_request.h"
#include "sim/world.h"
#include "study/run/budget.h"
#include "study/run/preflight.h"

struct run_request {
    struct experiment_request experiment;
    struct run_options run;
    uint32_t ranks_per_run;
    const char *budget; /* as written; NULL: none */
    struct table_words table;
    struct table_wish wish; /* filled from `table` */
};
#define T struct run_request

/* Says that runs side by side have fewer cores than they would take. mpirun binds a rank to one core unless it is told
 * otherwise. */
static void cores_note(const struct run_options *o, uint32_t cores, uint32_t at_once, uint32_t threads) {
    uint32_t wanted = at_once * o->threads;
    if (!ranks_leads(o->ranks)) return;
    fprintf(stderr, "heddle: note: %s may use %u core%s", ranks_are_many(o->ranks) ? "a rank" : "this process", cores,
            cores == 1 ? "" : "s");
    if (at_once > 1) fprintf(stderr, " for %u runs side by side", at_once);
    if (threads < o->threads) fprintf(stderr, ": each run takes %u of %u threads", threads, o->threads);
    if (ranks_are_many(o->ranks))
        fprintf(stderr, "; mpirun --map-by slot:PE=%u, or fewer ranks on a machine, gives it more", wanted);
    fprintf(stderr, "\n");
}

/* Gives runs no more threads than there are cores: threads that share one are slower than one of them alone. cores: those
 * of the rank that has fewest; 0: not known. */
static void threads_limit(struct run_options *o, uint32_t cores, size_t n_runs) {
    uint32_t ranks = o->ranks->size, share = (uint32_t)((n_runs + ranks - 1) / ranks);
    uint32_t at_once = o->group || share < 1 ? 1 : share < o->jobs ? share : o->jobs;
    uint32_t threads = cores > at_once ? cores / at_once : 1;
    if (cores == 0 || at_once * o->threads <= cores) return;
    if (threads > o->threads) threads = o->threads;
    if (ranks_are_many(o->ranks) || threads < o->threads) cores_note(o, cores, at_once, threads);
    o->threads = threads;
}

/* With several ranks all must read the same; one that cannot tells the leader, which alone prints. */
static int run_on(const struct ranks *ranks, struct run_request *q) {
    struct diag d = {0};
    uint32_t cores = 0;
    bool counted = cores_count(ranks->on_machine, &cores, &d);
    struct experiment *e = counted ? experiment_request_read(&q->experiment, &d) : NULL;
    if (e && !table_words_check(&q->wish, e, &d)) {
        experiment_free(e);
        e = NULL;
    }
    bool agreed = !ranks_are_many(ranks) || preflight(ranks, e, &cores, &d);
    if (!agreed || !e) {
        experiment_free(e);
        return ranks_leads(ranks) ? exit_diag(&d) : 0;
    }
    q->run.version = HEDDLE_VERSION;
    q->run.ranks = ranks;
    q->run.table = (struct table_print_options){.wish = &q->wish, .width = terminal_width()};
    struct ranks_group group;
    if (q->ranks_per_run > 1) {
        ranks_group_join(&group, ranks, q->ranks_per_run);
        q->run.group = &group;
    }
    threads_limit(&q->run, cores, e->n_runs);
    enum run_exit code = experiment_run(e, &q->run, &d);
    experiment_free(e);
    return code == RUN_BAD_CONFIG ? exit_diag(&d) : (int)code;
}

/* Takes over the budget, which began with the command. False after filling *d. */
static bool budget_take(struct run_request *q, double started_s, struct diag *d) {
    if (!q->budget) return true;
    if (q->run.judge) return diag_say(d, "--budget and --judge exclude each other: --judge starts no run");
    if (!budget_read(q->budget, &q->run.budget_s, d)) return false;
    q->run.budget_ends_s = started_s + q->run.budget_s;
    return true;
}

/* Returns whether these ranks cannot share each run; the leader says why. */
static bool ranks_are_refused(const struct ranks *ranks, const struct run_request *q) {
    struct diag d = {0};
    if (q->ranks_per_run == 1) return false;
    bool ok = ranks_divide(ranks, q->ranks_per_run, &d);
    if (ok && q->run.jobs > 1)
        ok = diag_say(&d, "--ranks-per-run and --jobs exclude each other: a rank carries out one run after the other");
    if (ok) return false;
    if (ranks_leads(ranks)) exit_diag(&d);
    return true;
}

static bool run_is_refused(const struct ranks *ranks, struct run_request *q, double started_s) {
    struct diag d = {0};
    if (ranks_are_refused(ranks, q)) return true;
    if (out_name_is_store(q->run.store, &d) && budget_take(q, started_s, &d)) return false;
    if (ranks_leads(ranks)) exit_usage("%s", d.text);
    return true;
}

static int run(void *request) {
    struct ranks ranks;
    struct diag d = {0};
    double started_s = clock_s();
    if (table_words_help(&((struct run_request *)request)->table)) return 0;
    if (!ranks_join(&ranks, &d)) return ranks_leads(&ranks) ? exit_diag(&d) : 2;
    struct run_request *q = request;
    table_words_take(&q->table, &q->wish);
    int status = run_is_refused(&ranks, q, started_s) ? (ranks_leads(&ranks) ? 2 : 0) : run_on(&ranks, q);
    fflush(NULL); /* before the launcher may end this process */
    ranks_leave(&ranks);
    table_wish_free(&q->wish);
    return status;
}

const struct command command_run = {
    .name = "run",
    .purpose = "run an experiment and compare its results with what it expects",
    .about =
        "Runs every run of the experiment that the results store does not hold yet, prints a table of the results, and "
        "compares them with what the file expects and with its record, FILE.record.json. The results are the same to "
        "the last bit on every machine, for any "
        "number of jobs and threads.\n\n"
        "A finished run is in the store before the next one is recorded. After an interruption the same command "
        "continues with the runs that are missing. On a terminal, progress is shown on standard error: simulated "
        "time, flows done, packet-hops per second, and the time left.\n\n"
        "--budget TIME cuts a sweep to the time at hand. With the first seed runs start at the ends of all axes, then "
        "in the middle between them; then further seeds follow, first where an expectation is not decided or rows of "
        "the table overlap. A run starts if the time foreseen for it, corrected by the runs that have finished, and a "
        "fifth more fit in the time left; a run that is still under way when the budget is over is ended and stays "
        "missing. The command ends within ten seconds of the budget, unless checking all runs before the first one "
        "takes longer. The store and the table name what is missing, and no expectation gets a verdict from a part of "
        "its "
        "runs.\n\n"
        "Started by mpirun of Open MPI, or by srun --mpi=pmix, all processes share the runs; --jobs and --threads are "
        "those of each. The first one writes the store and prints, the same as a single process. With --ranks-per-run "
        "K each K of them carry out a run together, each a part of the fabric.",
    .arguments = (const struct argument[]){EXPERIMENT_ARGUMENT(T), {0}},
    .options =
        (const struct option_row[]){
            EXPERIMENT_OPTIONS(T),
            NUMBER(T, run.jobs, "jobs", 'j', "N", 1, MAX_JOBS, 1, "runs side by side, each a process of its own"),
            NUMBER(T, run.threads, "threads", 0, "N", 1, MAX_THREADS, 1, "threads of each run"),
            NUMBER(T, ranks_per_run, "ranks-per-run", 0, "K", 1, RANKS_PER_RUN_MAX, 1,
                   "ranks that carry out each run together; the number of all ranks is a multiple"),
            WORD(T, run.store, "out", 'o', "RESULTS.db", VALUE_STORE,
                 "the results store; without it, the name of the experiment file with .db, in the current folder"),
            TABLE_OPTIONS(T),
            FLAG(T, run.json, "json", 0, "prints one JSON object per run and per outcome instead of the table"),
            FLAG(T, run.quiet, "quiet", 'q', "prints neither table nor progress; warnings and notes stay"),
            FLAG(T, run.judge, "judge", 0, "starts no run: compares what the store holds with what the file expects"),
            FLAG(T, run.record, "record", 0,
                 "writes what came out into the record of the file, FILE.record.json, once all runs are done"),
            WORD(T, budget, "budget", 0, "TIME", VALUE_TEXT,
                 "cuts the sweep to this time of the wall clock, such as 90min or 2h, the most telling runs first; "
                 "runs that do not fit stay missing, and the same command goes on"),
            FLAG(T, run.renew, "renew", 0, "runs again what the store holds from before a metric existed"),
            EXPERIMENT_FORCE(T),
            {0}},
    .exits =
        (const struct exit_row[]){
            {0, "done; all is as recorded, or every expectation holds where there is no record; or --set asks "
                "something else, and nothing is compared"},
            {1, "done; an outcome or a digest differs from the record, the record is stale, or "
                "an expectation does not hold or is not decided where there is none"},
            {2, "usage or configuration error: nothing was run, nothing was written"},
            {3, "a run failed, was interrupted or left out by --budget, and the same command "
                "continues; or stored runs are older than a metric that is expected of them "
                "(--renew)"},
            {0, NULL}},
    .examples =
        (const struct example_row[]){
            {"run first.yaml", "runs it; results go to first.db"},
            {"run first.yaml -j 4 --profile small", "the same with the profile small, four runs at a time"},
            {"run first.yaml --set 'switch.balance=[ecmp, expeditus]' --set run.until=10ms", "with two keys set anew"},
            {"run first.yaml --columns fct_us.all.p99,packets.dropped --baseline expeditus",
             "another table of its results"},
            {"run sweep.yaml -j 4 --budget 2h", "as much of the sweep as two hours allow; once more, and it goes on"},
            {"run sweep.yaml -o all.db", "after mpirun -n 16: sixteen processes share the runs of a sweep"},
            {"run large.yaml --ranks-per-run 2", "after mpirun -n 2: each of two processes has half of the fabric"},
            {0}},
    .see = "check report flows",
    .request_size = sizeof(T),
    .run = run,
};
