/* SPDX-License-Identifier: Apache-2.0 */
#include "study/report/job_list.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/report/pack.h"

#include <stdlib.h>
#include <string.h>

#define PHASES_MAX 16

/* A job while its rows are read. */
struct listed_job {
    int64_t iteration, start_ps, took_ps, ideal_ps;
    char *phase[PHASES_MAX];
    uint32_t n_phases;
    uint32_t *rank, *what;
    double *start, *end;
    size_t n, room;
    int64_t *node; /* host of each rank; STORE_NULL: unknown */
    size_t n_ranks;
    json_t *path;
    size_t path_left;
};

struct listing {
    struct listed_job *job;
    size_t n;
    char **node; /* names */
    size_t n_nodes;
};

static double us(int64_t ps) { return (double)ps / (double)PS_PER_US; }

/* Returns the place of a phase among those of a job; the last place takes those beyond. */
static uint32_t phase_of(struct listed_job *j, const char *name) {
    for (uint32_t i = 0; i < j->n_phases; i++)
        if (strcmp(j->phase[i], name) == 0) return i;
    if (j->n_phases == PHASES_MAX) return PHASES_MAX - 1;
    j->phase[j->n_phases] = text_copy(name);
    return j->n_phases++;
}

/* ---- rows ---- */

/* Reads which iterations have a path: those of job_steps. */
static bool iterations_read(const struct store_reader *r, const struct run_row *run, struct listing *l,
                            struct diag *d) {
    struct store_rows rows;
    struct job_iteration_row x;
    if (!store_rows_begin(r, STORE_JOB_ITERATIONS, run->id, &rows, d)) return false;
    while (store_next_job_iteration(&rows, &x)) {
        if (x.job < 0 || (size_t)x.job >= l->n || x.iteration != l->job[x.job].iteration) continue;
        if (x.start_ps == STORE_NULL || x.end_ps == STORE_NULL) continue;
        struct listed_job *j = &l->job[x.job];
        j->start_ps = x.start_ps;
        j->took_ps = x.end_ps - x.start_ps;
        j->ideal_ps = x.ideal_ps;
    }
    return store_rows_end(&rows, d);
}

static void span_add(struct listed_job *j, const struct job_span_row *x) {
    if (j->n == j->room) {
        j->room = j->room ? 2 * j->room : 256;
        j->rank = memory_grow(j->rank, j->room, sizeof *j->rank);
        j->what = memory_grow(j->what, j->room, sizeof *j->what);
        j->start = memory_grow(j->start, j->room, sizeof *j->start);
        j->end = memory_grow(j->end, j->room, sizeof *j->end);
    }
    j->rank[j->n] = (uint32_t)x->rank;
    j->what[j->n] = 2 * phase_of(j, x->phase) + (strcmp(x->kind, "compute") == 0);
    j->start[j->n] = us(x->start_ps - j->start_ps);
    j->end[j->n++] = us(x->end_ps - j->start_ps);
    j->node[x->rank] = x->node;
}

static bool spans_read(const struct store_reader *r, const struct run_row *run, struct listing *l, struct diag *d) {
    struct store_rows rows;
    struct job_span_row x;
    if (!store_rows_begin(r, STORE_JOB_SPANS, run->id, &rows, d)) return false;
    while (store_next_job_span(&rows, &x)) {
        if (x.job < 0 || (size_t)x.job >= l->n || x.rank < 0 || (size_t)x.rank >= l->job[x.job].n_ranks) continue;
        span_add(&l->job[x.job], &x);
    }
    return store_rows_end(&rows, d);
}

static json_t *rank_json(const struct listed_job *j, int64_t node) {
    for (size_t i = 0; i < j->n_ranks; i++)
        if (j->node[i] == node) return json_integer((json_int_t)i);
    return json_null();
}

static void step_add(struct listed_job *j, const struct job_step_row *x) {
    if (json_array_size(j->path) == PATH_LISTED) {
        j->path_left++;
        return;
    }
    json_t *flow = x->flow == STORE_NULL ? json_null() : json_integer(x->flow);
    json_array_append_new(j->path,
                          json_pack("[I, o, o, o, o, o, o]", (json_int_t)phase_of(j, x->phase), rank_json(j, x->src),
                                    rank_json(j, x->dst), pack_number(us(x->start_ps - j->start_ps)),
                                    pack_number(us(x->end_ps - j->start_ps)), pack_number(us(x->ideal_ps)), flow));
}

/* Reads the paths, or with `only_iterations` which iteration each is of. */
static bool steps_read(const struct store_reader *r, const struct run_row *run, struct listing *l, bool only_iterations,
                       struct diag *d) {
    struct store_rows rows;
    struct job_step_row x;
    if (!store_rows_begin(r, STORE_JOB_STEPS, run->id, &rows, d)) return false;
    while (store_next_job_step(&rows, &x)) {
        if (x.job < 0 || (size_t)x.job >= l->n) continue;
        if (only_iterations)
            l->job[x.job].iteration = x.iteration;
        else
            step_add(&l->job[x.job], &x);
    }
    return store_rows_end(&rows, d);
}

static bool names_read(const struct store_reader *r, const struct run_row *run, struct listing *l, struct diag *d) {
    struct store_rows rows;
    struct node_row x;
    if (!store_rows_begin(r, STORE_NODES, run->id, &rows, d)) return false;
    while (store_next_node(&rows, &x)) {
        if (x.node != (int64_t)l->n_nodes) continue; /* rows are in the order of nodes */
        l->node = memory_grow(l->node, l->n_nodes + 1, sizeof *l->node);
        l->node[l->n_nodes++] = text_copy(x.name);
    }
    return store_rows_end(&rows, d);
}

/* ---- JSON ---- */

static json_t *hosts_json(const struct listing *l, const struct listed_job *j) {
    json_t *list = json_array();
    for (size_t i = 0; i < j->n_ranks; i++) {
        bool known = j->node[i] >= 0 && (uint64_t)j->node[i] < l->n_nodes;
        json_array_append_new(list, known ? json_string(l->node[j->node[i]]) : json_null());
    }
    return list;
}

static json_t *phases_json(const struct listed_job *j) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < j->n_phases; i++) json_array_append_new(list, json_string(j->phase[i]));
    return list;
}

static json_t *job_json(const struct listing *l, const struct listed_job *j, const json_t *of) {
    json_t *o = json_object();
    static const char *const same[] = {"name", "op", "ranks", "iterations"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) json_object_set(o, same[i], json_object_get(of, same[i]));
    json_object_set_new(o, "iteration", json_integer(j->iteration + 1));
    json_object_set_new(o, "start_us", pack_number(us(j->start_ps)));
    json_object_set_new(o, "took_us", pack_number(us(j->took_ps)));
    json_object_set_new(o, "ideal_us", pack_number(us(j->ideal_ps)));
    json_object_set_new(o, "hosts", hosts_json(l, j));
    json_object_set_new(o, "phases", phases_json(j));
    json_object_set_new(o, "spans",
                        json_pack("{s:I, s:o, s:o, s:o, s:o}", "n", (json_int_t)j->n, "rank",
                                  pack_integers(j->rank, j->n), "what", pack_integers(j->what, j->n), "start",
                                  pack_scaled(j->start, j->n, 16), "end", pack_scaled(j->end, j->n, 16)));
    json_object_set(o, "path", j->path);
    json_object_set_new(o, "path_left", json_integer((json_int_t)j->path_left));
    return o;
}

/* ---- all jobs ---- */

static void listing_init(struct listing *l, const json_t *jobs) {
    *l = (struct listing){.job = memory_get(json_array_size(jobs), sizeof *l->job), .n = json_array_size(jobs)};
    for (size_t i = 0; i < l->n; i++) {
        int64_t ranks = json_integer_value(json_object_get(json_array_get(jobs, i), "ranks"));
        struct listed_job *j = &l->job[i];
        j->iteration = -1;
        j->n_ranks = ranks > 0 && ranks < 1 << 24 ? (size_t)ranks : 0;
        j->node = memory_get(j->n_ranks, sizeof *j->node);
        for (size_t k = 0; k < j->n_ranks; k++) j->node[k] = STORE_NULL;
        j->path = json_array();
    }
}

static void listing_fini(struct listing *l) {
    for (size_t i = 0; i < l->n; i++) {
        struct listed_job *j = &l->job[i];
        for (uint32_t k = 0; k < j->n_phases; k++) free(j->phase[k]);
        free(j->rank);
        free(j->what);
        free(j->start);
        free(j->end);
        free(j->node);
        json_decref(j->path);
    }
    for (size_t i = 0; i < l->n_nodes; i++) free(l->node[i]);
    free(l->node);
    free(l->job);
}

json_t *run_jobs(const struct store_reader *r, const struct run_row *run, struct diag *d) {
    const json_t *jobs = json_object_get(run->result, "jobs");
    struct listing l;
    if (json_array_size(jobs) == 0) return json_null();
    listing_init(&l, jobs);
    bool ok = names_read(r, run, &l, d) && steps_read(r, run, &l, true, d) && iterations_read(r, run, &l, d) &&
              spans_read(r, run, &l, d) && steps_read(r, run, &l, false, d);
    json_t *list = ok ? json_array() : NULL;
    for (size_t i = 0; ok && i < l.n; i++)
        if (l.job[i].n > 0 && l.job[i].took_ps > 0)
            json_array_append_new(list, job_json(&l, &l.job[i], json_array_get(jobs, i)));
    listing_fini(&l);
    if (!ok || json_array_size(list) > 0) return list;
    json_decref(list);
    return json_null();
}
