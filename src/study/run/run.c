/* SPDX-License-Identifier: Apache-2.0 */
#include "study/run/run.h"

#include "base/clock.h"
#include "base/memory.h"
#include "study/claims/freedom.h"
#include "study/claims/record.h"
#include "study/metrics/metrics.h"
#include "study/print/table.h"
#include "study/results/caveats.h"
#include "study/results/json_out.h"
#include "study/results/unreached.h"
#include "study/run/budget.h"
#include "study/run/claims_store.h"
#include "study/run/crew.h"
#include "study/run/disk.h"
#include "study/run/notes.h"
#include "study/run/progress.h"
#include "study/run/run_warnings.h"
#include "study/run/together.h"
#include "study/store/older.h"
#include "study/store/store.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* All that the parent keeps while runs are under way. */
struct session {
    struct experiment *e;
    const struct run_options *o;
    struct expectations x;
    struct record record;
    struct run_cost *foreseen; /* [n_runs] */
    struct budget *budget;     /* NULL: none */
    char *store_path, *pcap_stem;
    struct store *store;
    int64_t experiment; /* row */
    json_t **result;    /* per run; NULL: none */
    size_t *todo;       /* indices of the runs to do */
    size_t n_todo, next;
    bool *settled;    /* per run: it is done, failed or abandoned, so its line may be printed */
    size_t n_missing; /* runs that a budget left out, once all is over */
    size_t printed;   /* runs whose line has been printed or has none */
    struct job *job;  /* [n_places], those under way first */
    size_t n_jobs, n_places;
    struct progress_line line;
    struct run_warnings warnings; /* of runs that have ended, printed after the last */
    bool failed, interrupted, killed, threads_told;
    bool is_over;    /* the budget is: runs under way were asked to end */
    double asked_at; /* when runs were asked to end */
    /* the run that the leader's group carries out, if runs have groups */
    atomic_bool group_is_done;
    struct job_board *group_board;
    pthread_mutex_t mutex; /* held while that run is under way and anything above changes */
};

/* Returns how many ranks carry out a run together. */
static uint32_t ranks_each(const struct run_options *o) { return o->group ? o->group->size : 1; }

static void say(struct session *s, const struct diag *d) {
    char line[1024];
    progress_clear(&s->line);
    fprintf(stderr, "%s\n", diag_line(d, line, sizeof line));
}

/* ---- the store ---- */

/* Takes over what the store has of one run. */
static void run_consult(struct session *s, size_t i, const struct stored_run *found) {
    bool is_todo = !found->done || (s->o->renew && result_is_older(found->result));
    if (is_todo) {
        json_decref(found->result);
        s->todo[s->n_todo++] = i;
        if (s->budget && found->tried_s > 0) budget_tried(s->budget, i, found->tried_s);
        return;
    }
    s->result[i] = found->result;
    s->settled[i] = true;
    json_object_set_new(found->result, "run", json_integer(s->e->run[i].number));
    if (s->budget) budget_hold(s->budget, i);
}

/* Returns whether the results of the runs to do will fit on the disk. */
static bool disk_allows(const struct session *s, struct diag *d) {
    uint64_t bytes = 0;
    if (s->o->judge || s->e->run[0].config.force) return true;
    for (size_t i = 0; i < s->n_todo; i++) bytes += s->foreseen[s->todo[i]].store_bytes;
    return disk_check(s->store_path, bytes, d);
}

/* Takes over what the store has of this experiment; the rest is to do. The store has a row for every run from the beginning, so that
 * a report of a sweep that was cut short knows what is missing. */
static bool store_consult(struct session *s, struct diag *d) {
    if (!store_transaction_begin(s->store, d)) return false;
    bool ok = store_experiment(s->store, s->e, &s->experiment, d);
    for (size_t i = 0; ok && i < s->e->n_runs; i++) {
        struct stored_run found;
        ok = store_run_find(s->store, s->experiment, &s->e->run[i], &found, d);
        if (ok && found.id == 0 && !s->o->judge)
            ok = store_run_plan(s->store, s->experiment, &s->e->run[i], s->o->version, &found.id, d);
        ok = ok && (found.id == 0 || store_options(s->store, found.id, s->e, d));
        run_consult(s, i, &found);
    }
    return store_transaction_end(s->store, ok && disk_allows(s, d), d);
}

/* ---- runs under way ---- */

static void lines_print(struct session *s) {
    for (; s->printed < s->e->n_runs && s->settled[s->printed]; s->printed++) {
        if (!s->o->json || !s->result[s->printed]) continue;
        progress_clear(&s->line);
        json_line(s->result[s->printed], stdout);
    }
}

/* The store can take no more: what is in flight is given up. */
static void store_broken(struct session *s, const struct diag *d) {
    say(s, d);
    s->failed = true;
    s->next = s->n_todo;
    for (size_t i = 0; i < s->n_jobs; i++) job_abandon(&s->job[i]);
    if (ranks_are_many(s->o->ranks)) crew_abandon(s->o->ranks, ranks_each(s->o));
}

static bool run_take(struct session *s, size_t *run);
static void run_start(struct session *s, size_t run);
static void run_end(struct session *s, size_t at, int status);
static void others_reap(struct session *s);
static _Noreturn void rank_interrupted(struct session *s);
static _Noreturn void group_over(struct session *s);

/* Takes signals, and the end of the budget, while the leader carries out its part of a run. */
static void *group_watch(void *context) {
    struct session *s = context;
    sigset_t awaited, before;
    job_signals(&awaited, &before);
    const struct timespec moment = {0, 200000000};
    while (!atomic_load(&s->group_is_done)) {
        int number = sigtimedwait(&awaited, NULL, &moment);
        bool is_over = s->budget && budget_is_over(s->budget, clock_s());
        if (!job_signal_ends(number) && !is_over) continue;
        pthread_mutex_lock(&s->mutex);
        if (is_over) group_over(s);
        rank_interrupted(s);
    }
    return NULL;
}

/* A progress_fn: draws progress, and gives the other groups their next runs. */
static bool group_progress(const struct progress *p, void *context) {
    struct session *s = context;
    pthread_mutex_lock(&s->mutex);
    others_reap(s);
    for (size_t run; s->n_jobs < s->n_places && run_take(s, &run);) run_start(s, run);
    lines_print(s);
    bool goes_on = job_progress(p, s->group_board);
    progress_draw(&s->line, s->job, s->n_jobs);
    pthread_mutex_unlock(&s->mutex);
    return goes_on;
}

/* Carries out a run with the ranks of the leader's group, from its beginning to its row. Other runs of s->job may begin
 * and end meanwhile. */
static void group_run(struct session *s, struct job *j, size_t run, const char *pcap_dir) {
    pthread_t watch;
    j->run = run;
    j->pid = 0;
    j->rank = RANKS_LEADER;
    if (!job_prepare(j)) memory_out("memory ran out: none for an outcome");
    struct job own = *j;
    s->n_jobs++;
    s->group_board = own.board;
    atomic_store(&s->group_is_done, false);
    if (pthread_create(&watch, NULL, group_watch, s))
        memory_out("no thread could be started; raise the limits (ulimit -u, -v)");
    int status = together_lead(&own, s->e, s->o, pcap_dir, group_progress, s);
    atomic_store(&s->group_is_done, true);
    kill(getpid(), SIGCHLD); /* wakes the other thread; it is blocked everywhere else */
    pthread_join(watch, NULL);
    size_t at = 0;
    while (s->job[at].run != run) at++;
    run_end(s, at, status);
    others_reap(s);
    lines_print(s);
}

/* Finds the run that starts now. False: none does. */
static bool run_take(struct session *s, size_t *run) {
    if (s->next == s->n_todo) return false;
    *run = s->budget ? budget_next(s->budget, clock_s()) : s->todo[s->next];
    if (*run == SIZE_MAX) return false;
    s->next++;
    return true;
}

static void run_start(struct session *s, size_t run) {
    struct job *j = &s->job[s->n_jobs];
    struct diag d;
    char pcap_dir[1024];
    snprintf(pcap_dir, sizeof pcap_dir, "%s/run%u", s->pcap_stem, s->e->run[run].number);
    if (!store_run_begin(s->store, s->experiment, &s->e->run[run], s->o->version, &j->row, &d) ||
        !store_options(s->store, j->row, s->e, &d)) {
        store_broken(s, &d);
        return;
    }
    j->begun_s = clock_s();
    j->foreseen_s = s->foreseen[run].seconds;
    uint32_t rank = RANKS_LEADER;
    if (ranks_are_many(s->o->ranks)) rank = crew_choose(s->o->ranks, ranks_each(s->o), s->job, s->n_jobs);
    if (s->o->group && rank == RANKS_LEADER) {
        group_run(s, j, run, pcap_dir);
        return;
    }
    if (rank == RANKS_LEADER ? job_start(j, s->e, run, s->o, pcap_dir, &d)
                             : crew_start(s->o->ranks, j, rank, run, pcap_dir, &d)) {
        s->n_jobs++;
        return;
    }
    say(s, &d);
    s->failed = s->settled[run] = true;
    if (!store_run_end(s->store, j->row, NULL, NULL, d.text, &d)) store_broken(s, &d);
}

static void run_failed(struct session *s, size_t run, const char *failure) {
    struct diag d;
    diag_fail_in(&d, s->e->file, "run %u failed: %s", s->e->run[run].number, failure);
    say(s, &d);
    s->failed = true;
}

/* The budget is over, and the run has ended before its end: it is missing again. */
static void run_leave(struct session *s, const struct job *j) {
    struct diag d;
    if (!store_run_leave(s->store, j->row, clock_s() - j->begun_s, &d)) store_broken(s, &d);
}

/* A child has ended: its outcome goes into the store, and its line out. */
static void run_end(struct session *s, size_t at, int status) {
    struct job j = s->job[at];
    memmove(&s->job[at], &s->job[at + 1], (s->n_jobs - at - 1) * sizeof j);
    s->n_jobs--;
    struct outcome o = {0};
    bool has_outcome;
    char failure[1100] = "";
    enum job_end end = job_finish(&j, status, &o, &has_outcome, failure, sizeof failure);
    if (end == JOB_ABANDONED && s->is_over && !s->interrupted) {
        run_leave(s, &j);
        outcome_free(&o);
        return;
    }
    if (end == JOB_ABANDONED) snprintf(failure, sizeof failure, "interrupted");
    if (has_outcome && end != JOB_ABANDONED) {
        s->result[j.run] = metrics_object(s->e->run[j.run].number, s->e->run[j.run].settings, &o);
        if (end == JOB_FAILED) json_object_set_new(s->result[j.run], "failure", json_string(failure));
    }
    if (s->result[j.run] && has_outcome) {
        progress_clear(&s->line);
        run_warnings_add(&s->warnings, &o, s->e->file, s->e->run[j.run].number);
        if (!s->threads_told)
            s->threads_told = threads_note(s->e->file, s->e->run[j.run].number, &o.result.engine,
                                           s->o->threads * ranks_each(s->o), ranks_each(s->o) > 1);
    }
    struct diag d;
    bool stored = store_run_end(s->store, j.row, has_outcome && end != JOB_ABANDONED ? &o : NULL, s->result[j.run],
                                end == JOB_DONE ? NULL : failure, &d);
    if (end == JOB_FAILED) run_failed(s, j.run, failure);
    if (!stored) { /* its transaction was rolled back: the store does not have it */
        json_decref(s->result[j.run]);
        s->result[j.run] = NULL;
    }
    if (!stored && end != JOB_ABANDONED) store_broken(s, &d);
    if (end == JOB_ABANDONED) s->failed = true;
    outcome_free(&o);
    if (s->budget && s->result[j.run]) budget_finished(s->budget, j.run, clock_s());
    s->settled[j.run] = true;
    s->line.n_finished++;
    s->line.finished_s += s->foreseen[j.run].seconds;
}

/* Takes the ends of runs that other ranks have carried out. */
static void others_reap(struct session *s) {
    size_t at;
    for (int status; ranks_are_many(s->o->ranks) && crew_poll(s->o->ranks, s->job, s->n_jobs, &at, &status);)
        run_end(s, at, status);
}

static void children_reap(struct session *s) {
    for (size_t i = 0; i < s->n_jobs;) {
        int status;
        if (s->job[i].pid && waitpid(s->job[i].pid, &status, WNOHANG) == s->job[i].pid) {
            run_end(s, i, status);
        } else {
            i++;
        }
    }
    others_reap(s);
}

static void missing_tell(const struct session *s) {
    size_t missing = 0;
    char why[256];
    if (s->budget && !s->interrupted && s->n_missing)
        fprintf(stderr, "%s: %s\n", s->e->file, budget_text(s->budget, clock_s(), why, sizeof why));
    for (size_t i = 0; i < s->e->n_runs; i++) missing += !s->result[i] || json_object_get(s->result[i], "failure");
    fprintf(stderr, "%s: %zu of %zu runs are not done; what finished is in %s, the same command goes on from there\n",
            s->e->file, missing, s->e->n_runs, s->store_path);
}

/* Ends this rank within the second that mpirun leaves it, after a line. The runs of this rank end with it; their rows stay
 * `running`, and the next command runs them again. */
static _Noreturn void rank_interrupted(struct session *s) {
    progress_clear(&s->line);
    missing_tell(s);
    fflush(NULL);
    _exit(RUN_INCOMPLETE);
}

/* Asks the runs under way to end; no other starts. */
static void runs_abandon(struct session *s) {
    s->asked_at = clock_s();
    s->next = s->n_todo;
    for (size_t i = 0; i < s->n_jobs; i++) job_abandon(&s->job[i]);
    if (ranks_are_many(s->o->ranks)) crew_abandon(s->o->ranks, ranks_each(s->o));
}

static void runs_kill(struct session *s) {
    s->killed = true;
    for (size_t i = 0; i < s->n_jobs; i++)
        if (s->job[i].pid) kill(s->job[i].pid, SIGKILL);
    if (ranks_are_many(s->o->ranks)) crew_kill(s->o->ranks, ranks_each(s->o));
}

/* Ends the runs under way before their end. The first signal, or the end of the budget, asks them; a further signal, or
 * PATIENCE_S, kills them. */
static void runs_cut_short(struct session *s, bool signalled) {
    if (signalled && ranks_are_many(s->o->ranks)) rank_interrupted(s);
    bool is_asked = s->interrupted || s->is_over;
    bool is_first_signal = signalled && !s->interrupted;
    bool ends_now = !is_asked && s->budget && budget_is_over(s->budget, clock_s());
    s->interrupted = s->interrupted || signalled;
    s->is_over = s->is_over || ends_now;
    if (ends_now && s->o->group) group_over(s);
    if (is_first_signal || ends_now)
        runs_abandon(s);
    else if (is_asked && !s->killed && (signalled || clock_s() - s->asked_at > PATIENCE_S))
        runs_kill(s);
}

/* Returns how long to wait for the end of a run at most. */
static struct timespec moment_of(const struct session *s) {
    bool may_end = s->budget && !s->is_over && !s->interrupted;
    double left_s = may_end ? budget_left(s->budget, clock_s()) : 1;
    long most_ns = ranks_are_many(s->o->ranks) ? CREW_POLL_NS : 200000000;
    return (struct timespec){0, left_s < (double)most_ns / 1e9 ? (long)(left_s * 1e9) : most_ns};
}

/* Runs without a result stay missing. */
static void missing_settle(struct session *s) {
    for (size_t i = 0; i < s->e->n_runs; i++) {
        s->n_missing += !s->settled[i];
        s->settled[i] = true;
    }
    s->failed = s->failed || s->n_missing > 0;
    lines_print(s);
}

static void runs_execute(struct session *s) {
    sigset_t awaited, before;
    job_signals(&awaited, &before);
    lines_print(s);
    for (size_t run;;) {
        while (s->n_jobs < s->n_places && run_take(s, &run)) run_start(s, run);
        if (s->n_jobs == 0) break;
        const struct timespec moment = moment_of(s);
        int number = sigtimedwait(&awaited, NULL, &moment);
        runs_cut_short(s, job_signal_ends(number));
        children_reap(s);
        lines_print(s);
        progress_draw(&s->line, s->job, s->n_jobs);
    }
    progress_clear(&s->line);
    lines_print(s);
    if (s->budget) missing_settle(s);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- after the runs ---- */

static const struct config *config_of(const void *experiment, size_t run) {
    return &((const struct experiment *)experiment)->run[run].config;
}

/* Prints each outcome as a line of --json. */
static void outcomes_print(const struct claim_outcome *o, size_t n) {
    for (size_t i = 0; i < n; i++) {
        json_t *line = claim_json(&o[i]);
        json_line(line, stdout);
        json_decref(line);
    }
}

/* Says how the results compare with the record. */
static void record_conclude(const struct session *s, const struct record_comparison *c) {
    record_tell(&s->record, c, s->e, stderr);
    if (s->o->json || s->o->quiet || c->n_digests == 0) return;
    printf("record: %s (%zu of %zu digests equal)\n", s->record.path, c->n_equal, s->e->n_runs);
}

/* Says without a table and without a record, which tells by itself, why the exit status is not 0. */
static void news_tell(const struct session *s, const struct claim_outcome *o, size_t n) {
    size_t n_news = 0;
    for (size_t i = 0; i < n; i++) n_news += o[i].is_news;
    if (!s->o->quiet || s->o->json || n_news == 0) return;
    fprintf(stderr, "%s: %zu of %zu outcomes of claims %s other than expected; heddle report %s --text shows them\n",
            s->e->file, n_news, n, n_news == 1 ? "is" : "are", s->store_path);
}

static enum run_exit conclude(struct session *s) {
    size_t n;
    struct claim_outcome *o = expectations_evaluate(&s->x, s->e, s->result, &n);
    struct record_comparison c = record_compare(&s->record, s->e, s->result, o, n);
    if (s->o->json) outcomes_print(o, n);
    struct diag d;
    if (!claims_store(s->store, s->experiment, o, n, &d)) store_broken(s, &d);
    run_warnings_print(&s->warnings, s->e->file, stderr);
    caveats_warn(s->result, s->e->n_runs, s->e->file, stderr);
    unreached_warn(s->result, s->e->n_runs, config_of, s->e, s->e->file, stderr);
    if (!s->o->json && !s->o->quiet) table_print(s->e, s->result, o, n, s->store_path, &s->o->table, stdout);
    freedom_warn(s->e, s->result, stderr);
    bool lacking = older_warn(s->e, s->result, o, n, s->store_path, stderr);
    record_conclude(s, &c);
    bool met = record_is_met(&s->record, &c);
    if (!met && c.n_digests == 0) news_tell(s, o, n);
    bool whole = !s->failed && !s->interrupted && !lacking, unwritten = false;
    if (whole && s->o->record) unwritten = !record_write(&s->record, s->e, s->result, o, n, &d);
    if (unwritten) say(s, &d);
    claim_outcomes_free(o, n);
    if (s->failed || s->interrupted) missing_tell(s);
    if (!whole || unwritten) return RUN_INCOMPLETE;
    return met ? RUN_AS_EXPECTED : RUN_NEWS;
}

/* The budget is over while groups of ranks carry out runs: these cannot be asked to end. This thread says what there is,
 * and the launcher ends the other ranks. */
static _Noreturn void group_over(struct session *s) {
    s->is_over = true;
    for (size_t i = 0; i < s->n_jobs; i++) run_leave(s, &s->job[i]);
    progress_clear(&s->line);
    missing_settle(s);
    conclude(s);
    store_close(s->store);
    fflush(NULL);
    _exit(RUN_INCOMPLETE);
}

/* Reads what the file expects, and what its record has. False after filling *d. */
static bool claims_take(struct session *s, struct diag *d) {
    if (!expectations_read(s->e, &s->x, d)) return false;
    return record_read(&s->record, s->e, &s->x, d) &&
           (!s->o->record || record_may_be_written(&s->record, s->e, &s->x, d));
}

static void budget_make(struct session *s) {
    double *foreseen_s = memory_get(s->e->n_runs, sizeof *foreseen_s);
    for (size_t i = 0; i < s->e->n_runs; i++) foreseen_s[i] = s->foreseen[i].seconds;
    s->budget = budget_create(s->e, &s->x, s->result, foreseen_s, s->o->budget_s, s->o->budget_ends_s);
    free(foreseen_s);
}

/* Returns whether there is a store already, or the results of all runs will fit on the disk: nothing is made otherwise. */
static bool new_store_fits(const struct session *s, struct diag *d) {
    uint64_t bytes = 0;
    if (s->o->judge || s->e->run[0].config.force || access(s->store_path, F_OK) == 0) return true;
    for (size_t i = 0; i < s->e->n_runs; i++) bytes += s->foreseen[i].store_bytes;
    return disk_check(s->store_path, bytes, d);
}

static enum run_exit session_run(struct session *s, struct diag *d) {
    if (!claims_take(s, d)) return RUN_BAD_CONFIG;
    enum run_exit code = RUN_BAD_CONFIG;
    run_paths(s->e, s->o->store, &s->store_path, &s->pcap_stem);
    if (store_path_check(s->store_path, d) && runs_check(s->e, s->o, s->foreseen, stderr, d)) {
        if (s->o->budget_s > 0) budget_make(s);
        s->store = new_store_fits(s, d) ? store_open(s->store_path, d) : NULL;
        if (s->store && store_consult(s, d)) {
            others_note(s->store, s->experiment, s->store_path);
            s->failed = s->o->judge && s->n_todo > 0;
            if (s->o->judge) s->n_todo = 0;
            progress_begin(&s->line, !s->o->quiet, s->n_todo);
            for (size_t i = 0; i < s->n_todo; i++) s->line.all_s += s->foreseen[s->todo[i]].seconds;
            if (s->budget) s->line.most_s = budget_left(s->budget, clock_s());
            runs_execute(s);
            code = conclude(s);
        }
    }
    return code;
}

static enum run_exit experiment_lead(struct experiment *e, const struct run_options *o, struct diag *d) {
    struct session *s = memory_get(1, sizeof *s);
    s->e = e;
    s->o = o;
    s->foreseen = memory_get(e->n_runs, sizeof *s->foreseen);
    s->result = memory_get(e->n_runs, sizeof *s->result);
    s->settled = memory_get(e->n_runs, sizeof *s->settled);
    s->todo = memory_get(e->n_runs, sizeof *s->todo);
    s->n_places = (size_t)o->jobs * (o->ranks ? o->ranks->size : 1) / ranks_each(o);
    pthread_mutex_init(&s->mutex, NULL);
    s->job = memory_get(s->n_places, sizeof *s->job);
    enum run_exit code = session_run(s, d);
    record_free(&s->record);
    expectations_free(&s->x);
    for (size_t i = 0; i < e->n_runs; i++) json_decref(s->result[i]);
    store_close(s->store);
    budget_free(s->budget);
    free(s->foreseen);
    free(s->job);
    free(s->store_path);
    free(s->pcap_stem);
    free(s->result);
    free(s->settled);
    free(s->todo);
    free(s);
    return code;
}

enum run_exit experiment_run(struct experiment *e, const struct run_options *o, struct diag *d) {
    if (!ranks_leads(o->ranks)) {
        if (o->group)
            together_serve(e, o);
        else
            crew_serve(e, o);
        return RUN_AS_EXPECTED;
    }
    enum run_exit code = experiment_lead(e, o, d);
    if (ranks_are_many(o->ranks)) crew_dismiss(o->ranks, ranks_each(o));
    if (o->group) together_end(o->group);
    return code;
}
