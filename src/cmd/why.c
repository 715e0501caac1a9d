/* SPDX-License-Identifier: Apache-2.0 */
/* heddle why: the critical path of a job's slowest iteration, which says what it waited for. */
#include "cmd/commands.h"
#include "cmd/stored_run.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/time_text.h"
#include "base/units.h"
#include "study/print/csv.h"

#include <stdlib.h>
#include <string.h>

#define PHASE_MAX 48
#define PHASES_MAX 16

/* The steps of a critical path. */
struct path {
    struct job_step_row *step;
    size_t n, room;
};

struct telling {
    const struct store_reader *r;
    const struct run_row *run;
    struct node_names names;
    struct path *path; /* [n_jobs] */
    size_t n_jobs;
    uint32_t most; /* messages that are listed */
    bool csv;
};

/* ---- reading ---- */

static json_t *jobs_of(const struct run_row *run) { return json_object_get(run->result, "jobs"); }
static json_t *job_at(const struct telling *t, size_t job) { return json_array_get(jobs_of(t->run), job); }
static const char *word_of(const json_t *job, const char *key) {
    const char *word = json_string_value(json_object_get(job, key));
    return word ? word : "?";
}

static void path_add(struct path *p, const struct job_step_row *x) {
    if (p->n == p->room) p->step = memory_grow(p->step, p->room = p->room ? 2 * p->room : 64, sizeof *p->step);
    p->step[p->n] = *x;
    p->step[p->n++].phase = text_copy(x->phase);
}

static bool paths_read(struct telling *t, struct diag *d) {
    struct store_rows rows;
    struct job_step_row x;
    if (!store_rows_begin(t->r, STORE_JOB_STEPS, t->run->id, &rows, d)) return false;
    while (store_next_job_step(&rows, &x))
        if (x.job >= 0 && (size_t)x.job < t->n_jobs) path_add(&t->path[x.job], &x);
    return store_rows_end(&rows, d);
}

/* Reads the iteration of which the path is; false if the store has no such row. */
static bool iteration_read(const struct telling *t, size_t job, struct job_iteration_row *it) {
    struct store_rows rows;
    struct diag ignored = {0};
    bool found = false;
    if (!store_rows_begin(t->r, STORE_JOB_ITERATIONS, t->run->id, &rows, &ignored)) return false;
    while (!found && store_next_job_iteration(&rows, it))
        found = it->job == (int64_t)job && it->iteration == t->path[job].step[0].iteration;
    return store_rows_end(&rows, &ignored) && found && it->start_ps != STORE_NULL && it->end_ps != STORE_NULL;
}

/* ---- sums over the phases of a job ---- */

struct sum {
    char phase[PHASE_MAX];
    uint32_t messages, computations;
    span_ps time, ideal;
};

static bool is_message(const struct job_step_row *x) { return x->flow != STORE_NULL; }
static span_ps time_of(const struct job_step_row *x) { return x->end_ps - x->start_ps; }
static span_ps lost_by(const struct job_step_row *x) { return time_of(x) - x->ideal_ps; }

static void sum_add(struct sum *s, const struct job_step_row *x) {
    s->messages += is_message(x);
    s->computations += !is_message(x);
    s->time += time_of(x);
    s->ideal += x->ideal_ps;
}

/* Sums the path over its phases, in the order in which they come first. Returns their number. */
static size_t sums_of(const struct path *p, struct sum sum[PHASES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t k = 0;
        while (k < n && strcmp(sum[k].phase, p->step[i].phase) != 0) k++;
        if (k == n && n < PHASES_MAX) {
            sum[n] = (struct sum){0};
            snprintf(sum[n++].phase, PHASE_MAX, "%s", p->step[i].phase);
        }
        sum_add(&sum[k < n ? k : n - 1], &p->step[i]);
    }
    return n;
}

static void sum_print(const struct sum *s) {
    char time[TIME_TEXT_MAX], ideal[TIME_TEXT_MAX], lost[TIME_TEXT_MAX];
    printf("  %-16s %8u %12u %10s %10s %10s\n", s->phase, s->messages, s->computations, time_text(s->time, time),
           time_text(s->ideal, ideal), time_text(s->time - s->ideal, lost));
}

static void sums_print(const struct path *p) {
    struct sum sum[PHASES_MAX], all = {.phase = "in all"};
    size_t n = sums_of(p, sum);
    printf("\n  %-16s %8s %12s %10s %10s %10s\n", "critical path", "messages", "computations", "time", "ideal", "lost");
    for (size_t i = 0; i < n; i++) sum_print(&sum[i]);
    for (size_t i = 0; i < p->n; i++) sum_add(&all, &p->step[i]);
    if (n > 1) sum_print(&all);
}

/* ---- messages ---- */

static int lost_more(const void *a, const void *b) {
    const struct job_step_row *x = a, *y = b;
    if (lost_by(x) != lost_by(y)) return lost_by(x) > lost_by(y) ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

static void message_print(const struct telling *t, const struct job_step_row *x, time_ps start) {
    char at[TIME_TEXT_MAX], time[TIME_TEXT_MAX], ideal[TIME_TEXT_MAX], a[NODE_TEXT], b[NODE_TEXT],
        bytes[UNITS_TEXT_MAX];
    double times = x->ideal_ps > 0 ? (double)time_of(x) / (double)x->ideal_ps : 1;
    printf("  %10s  %-10s %-12s %-12s %10s %9s %9s %7.2f %8lld\n", time_text(x->start_ps - start, at), x->phase,
           node_name(&t->names, x->src, a), node_name(&t->names, x->dst, b),
           units_print(PARAM_BYTES, x->bytes, bytes, sizeof bytes), time_text(time_of(x), time),
           time_text(x->ideal_ps, ideal), times, (long long)x->flow);
}

/* Prints the messages of the path that took most beyond their ideal. */
static void messages_print(const struct telling *t, const struct path *p, time_ps start) {
    struct job_step_row *sorted = memory_get(p->n, sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (is_message(&p->step[i]) && lost_by(&p->step[i]) > 0) sorted[n++] = p->step[i];
    qsort(sorted, n, sizeof *sorted, lost_more);
    if (n > 0 && t->most > 0)
        printf("\n  messages on it that lost most (of %zu that lost)\n  %10s  %-10s %-12s %-12s %10s %9s %9s %7s %8s\n",
               n, "begins at", "phase", "from", "to", "size", "took", "ideal", "times", "flow");
    if (n == 0) printf("\n  No message on it took longer than its ideal.\n");
    for (size_t i = 0; i < n && i < t->most; i++) message_print(t, &sorted[i], start);
    free(sorted);
}

/* ---- a job ---- */

static void head_print(const struct telling *t, size_t job, const struct job_iteration_row *it) {
    char took[TIME_TEXT_MAX], ideal[TIME_TEXT_MAX];
    const json_t *j = job_at(t, job);
    long long iterations = json_integer_value(json_object_get(j, "iterations")),
              ranks = json_integer_value(json_object_get(j, "ranks"));
    span_ps time = it->end_ps - it->start_ps;
    printf("%s: %s on %lld ranks, run %u\n", word_of(j, "name"), word_of(j, "op"), ranks, t->run->number);
    printf("  iteration %lld of %lld%s took %s; ideal %s, %.2f times that\n", (long long)it->iteration + 1, iterations,
           iterations > 1 ? ", the slowest," : "", time_text(time, took), time_text(it->ideal_ps, ideal),
           it->ideal_ps > 0 ? (double)time / (double)it->ideal_ps : 1.0);
}

static void job_print(const struct telling *t, size_t job) {
    const struct path *p = &t->path[job];
    struct job_iteration_row it;
    char late[TIME_TEXT_MAX];
    if (p->n == 0 || !iteration_read(t, job, &it)) {
        printf("%s: no iteration ended in run %u\n", word_of(job_at(t, job), "name"), t->run->number);
        return;
    }
    head_print(t, job, &it);
    if (p->step[0].start_ps > it.start_ps)
        printf("  its critical path begins %s after the first rank: this rank had more to wait for before\n",
               time_text(p->step[0].start_ps - it.start_ps, late));
    sums_print(p);
    messages_print(t, p, it.start_ps);
}

static void csv_head_print(void) {
    static const char *const head[] = {"job",  "iteration", "step",     "phase",  "from",    "to",
                                       "flow", "bytes",     "start_us", "end_us", "ideal_us"};
    struct csv c = {.out = stdout};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) csv_text(&c, head[i]);
    csv_row_end(&c);
}

static void whole_print(struct csv *c, int64_t value) {
    if (value == STORE_NULL)
        csv_text(c, NULL);
    else
        csv_integer(c, value);
}

static void job_csv_print(const struct telling *t, size_t job) {
    char a[NODE_TEXT], b[NODE_TEXT];
    for (size_t i = 0; i < t->path[job].n; i++) {
        const struct job_step_row *x = &t->path[job].step[i];
        struct csv c = {.out = stdout};
        csv_text(&c, word_of(job_at(t, job), "name"));
        csv_integer(&c, x->iteration);
        csv_integer(&c, x->step);
        csv_text(&c, x->phase);
        csv_text(&c, node_name(&t->names, x->src, a));
        csv_text(&c, node_name(&t->names, x->dst, b));
        whole_print(&c, x->flow);
        whole_print(&c, x->bytes);
        csv_number(&c, (double)x->start_ps / PS_PER_US);
        csv_number(&c, (double)x->end_ps / PS_PER_US);
        csv_number(&c, (double)x->ideal_ps / PS_PER_US);
        csv_row_end(&c);
    }
}

/* ---- the command ---- */

struct why_request {
    const char *store, *job;
    uint32_t run, messages;
    bool csv;
};
#define T struct why_request

/* Prints all jobs, or the one that is asked for. Returns an exit status. */
static int jobs_print(const struct telling *t, const char *wanted) {
    bool found = false;
    if (t->csv) csv_head_print();
    for (size_t i = 0; i < t->n_jobs; i++) {
        if (wanted && strcmp(word_of(job_at(t, i), "name"), wanted) != 0) continue;
        if (found && !t->csv) printf("\n");
        found = true;
        if (t->csv)
            job_csv_print(t, i);
        else
            job_print(t, i);
    }
    if (found) return 0;
    return exit_usage("%s: run %u has no job '%s'; its first is '%s'", t->r->path, t->run->number, wanted,
                      word_of(job_at(t, 0), "name"));
}

static int tell(struct telling *t, const char *wanted) {
    struct diag d = {0};
    t->n_jobs = json_array_size(jobs_of(t->run));
    if (t->n_jobs == 0)
        return exit_usage("%s: run %u has no jobs; they are workloads of the kinds collective and training", t->r->path,
                          t->run->number);
    t->path = memory_get(t->n_jobs, sizeof *t->path);
    bool ok = node_names_read(t->r, t->run, &t->names, &d) && paths_read(t, &d);
    int code = ok ? jobs_print(t, wanted) : exit_diag(&d);
    for (size_t i = 0; i < t->n_jobs; i++) {
        for (size_t k = 0; k < t->path[i].n; k++) free((char *)t->path[i].step[k].phase);
        free(t->path[i].step);
    }
    free(t->path);
    node_names_free(&t->names);
    return code;
}

static int why_run(void *request) {
    const struct why_request *q = request;
    struct diag d = {0};
    struct store_reader *r = store_reader_open(q->store, &d);
    if (!r) return exit_diag(&d);
    struct telling t = {.r = r, .run = stored_run_find(r, q->run), .most = q->messages, .csv = q->csv};
    int code = t.run ? tell(&t, q->job) : exit_no_stored_run(r->path, q->run, r->n_runs);
    store_reader_close(r);
    return code;
}

const struct command command_why = {
    .name = "why",
    .purpose = "say what a job waited for",
    .about =
        "Prints the critical path of a job's slowest iteration: the chain of messages and computations, each of "
        "which began when the one before it ended, that leads to its end. What is on it and takes longer than its "
        "ideal is why the iteration took so long. The times are summed over the phases of the job; the messages that "
        "lost most are listed with their flows, of which heddle flow tells more.",
    .arguments = (const struct argument[]){ARGUMENT(T, store, "RESULTS.db", VALUE_STORE, "the results store"),
                                           ARGUMENT_OPTIONAL(T, job, "JOB", VALUE_TEXT, "the job; all if left out"),
                                           {0}},
    .options = (const struct option_row[]){NUMBER(T, run, "run", 0, "N", 1, UINT32_MAX, 1, "the run"),
                                           NUMBER(T, messages, "messages", 0, "N", 0, 1000000, 10,
                                                  "how many messages are listed"),
                                           FLAG(T, csv, "csv", 0, "prints all steps of the path as CSV"),
                                           {0}},
    .exits = EXITS_PLAIN,
    .examples = (const struct example_row[]){{"why step.db", "where did the time of the slowest step go?"}, {0}},
    .see = "flows flow report",
    .request_size = sizeof(T),
    .run = why_run,
};
