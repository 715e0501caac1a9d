/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/jobs.h"

#include "base/memory.h"
#include "measure/flows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *job_name(const char *entry_name, uint32_t entry, char buf[PART_NAME_MAX]) {
    if (entry_name)
        snprintf(buf, PART_NAME_MAX, "%s", entry_name);
    else
        snprintf(buf, PART_NAME_MAX, "job%u", entry);
    return buf;
}

/* ---- what jobs need of all flows ---- */

/* A gate in the ideal of an iteration. */
struct ideal_gate {
    time_ps begin; /* the latest of what it waits for so far */
    uint32_t left; /* ends in the iteration that it still waits for */
    bool is_reached;
};

/* What ends at an instant of the ideal: a message, or an end that a gate waits for. */
struct ideal_step {
    bool is_flow;
    uint32_t number;
    time_ps at;
};

struct working {
    const struct job_log *l;
    uint32_t *by_index;      /* [n_flows] flows of the job at hand by struct flow.index */
    uint32_t *gate_of;       /* [n_flows] gate that starts the flow; FLOW_NONE */
    struct ideal_gate *gate; /* [n_gates]; all 0 between two iterations */
    uint32_t *reached;       /* [n_gates] gates that something in the iteration at hand feeds */
    uint32_t n_reached;
    struct ideal_step *step; /* a stack */
    uint32_t n_steps, steps_room;
    const struct workload_job *job; /* at hand */
    uint32_t iteration;
    uint64_t *sent, *received; /* [n_hosts] wire bytes in the iteration */
    uint32_t *rank_of;         /* [n_hosts] rank in the job at hand */
};

static void working_init(struct working *w, const struct job_log *l) {
    const struct gates *g = l->gates;
    *w = (struct working){.l = l,
                          .by_index = memory_get(l->n_flows, sizeof *w->by_index),
                          .gate_of = memory_get(l->n_flows, sizeof *w->gate_of),
                          .gate = memory_get(g->n_gates, sizeof *w->gate),
                          .reached = memory_get(g->n_gates, sizeof *w->reached),
                          .sent = memory_get(l->n_hosts, sizeof *w->sent),
                          .received = memory_get(l->n_hosts, sizeof *w->received),
                          .rank_of = memory_get(l->n_hosts, sizeof *w->rank_of)};
    for (uint32_t i = 0; i < l->n_flows; i++) w->gate_of[i] = FLOW_NONE;
    for (uint32_t i = 0; i < g->n_gates; i++)
        for (uint32_t k = 0; k < g->gate[i].n; k++) w->gate_of[g->gated[g->gate[i].first + k]] = i;
}

static void working_fini(struct working *w) {
    free(w->by_index);
    free(w->gate_of);
    free(w->gate);
    free(w->reached);
    free(w->step);
    free(w->sent);
    free(w->received);
    free(w->rank_of);
}

/* Sets what depends on the job at hand. */
static void working_take(struct working *w, const struct workload_job *job) {
    w->job = job;
    for (uint32_t i = 0; i < w->l->n_flows; i++)
        if (w->l->flow[i].entry == job->entry) w->by_index[w->l->flow[i].index] = i;
    for (uint32_t i = 0; i < job->n_ranks; i++) w->rank_of[job->rank[i]] = i;
}

/* ---- the ideal of an iteration ---- */

/* Counts one more end that a gate waits for. */
static void gate_reach(struct working *w, uint32_t number) {
    struct ideal_gate *g = &w->gate[number];
    if (!g->is_reached) w->reached[w->n_reached++] = number;
    g->is_reached = true;
    g->left++;
}

static void gates_reach(struct working *w, struct fed_gates fed) {
    for (uint32_t i = 0; i < fed.n; i++) gate_reach(w, fed.gate[i]);
}

/* Finds all gates that wait for something in the iteration, and for how much. */
static void iteration_reach(struct working *w, const uint32_t *flow, uint32_t n) {
    const struct gates *gates = w->l->gates;
    w->n_reached = 0;
    for (uint32_t i = 0; gates->feed && i < n; i++) {
        gates_reach(w, gates_of_received(gates, flow[i]));
        gates_reach(w, gates_of_acked(gates, flow[i]));
    }
    for (uint32_t i = 0; i < w->n_reached; i++) {
        const struct gate *g = &gates->gate[w->reached[i]];
        gates_reach(w, (struct fed_gates){gates->follow + g->next, g->n_on_begin + g->n_on_end});
    }
}

static void step_add(struct working *w, bool is_flow, uint32_t number, time_ps at) {
    if (w->n_steps == w->steps_room) {
        w->steps_room = w->steps_room ? 2 * w->steps_room : 64;
        w->step = memory_grow(w->step, w->steps_room, sizeof *w->step);
    }
    w->step[w->n_steps++] = (struct ideal_step){is_flow, number, at};
}

static void steps_add(struct working *w, struct fed_gates fed, time_ps at) {
    for (uint32_t i = 0; i < fed.n; i++) step_add(w, false, fed.gate[i], at);
}

/* Returns whether a flow that a gate of the job starts is of the iteration at hand. */
static bool is_in_iteration(const struct working *w, uint32_t flow) {
    return w->l->flow[flow].index / w->job->flows_each == w->iteration;
}

/* Lets a gate count an end. The last one begins it. */
static void gate_count(struct working *w, uint32_t number, time_ps at) {
    const struct gates *gates = w->l->gates;
    const struct gate *g = &gates->gate[number];
    struct ideal_gate *ideal = &w->gate[number];
    ideal->begin = max_i64(ideal->begin, at);
    if (--ideal->left > 0) return;
    time_ps end = ideal->begin + g->delay;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t flow = gates->gated[g->first + i];
        if (is_in_iteration(w, flow)) step_add(w, true, flow, end + w->l->bound_ps[flow]);
    }
    steps_add(w, (struct fed_gates){gates->follow + g->next, g->n_on_begin}, ideal->begin);
    steps_add(w, (struct fed_gates){gates->follow + g->next + g->n_on_begin, g->n_on_end}, end);
}

/* Carries out what can end until nothing more does; returns the end of the last message. */
static span_ps steps_carry_out(struct working *w) {
    const struct gates *gates = w->l->gates;
    span_ps longest = 0;
    while (w->n_steps > 0) {
        struct ideal_step s = w->step[--w->n_steps];
        if (!s.is_flow) {
            gate_count(w, s.number, s.at);
            continue;
        }
        longest = max_i64(longest, s.at);
        if (!gates->feed) continue;
        steps_add(w, gates_of_received(gates, s.number), s.at);
        steps_add(w, gates_of_acked(gates, s.number), s.at);
    }
    return longest;
}

/* Returns the longest chain of the n messages of an iteration. What waits for earlier iterations alone begins at once. */
static span_ps longest_chain(struct working *w, const uint32_t *flow, uint32_t n) {
    const struct job_log *l = w->l;
    iteration_reach(w, flow, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t gate = w->gate_of[flow[i]];
        if (gate == FLOW_NONE || !w->gate[gate].is_reached) step_add(w, true, flow[i], l->bound_ps[flow[i]]);
    }
    span_ps longest = steps_carry_out(w);
    for (uint32_t i = 0; i < w->n_reached; i++) w->gate[w->reached[i]] = (struct ideal_gate){0};
    return longest;
}

static span_ps link_time(uint64_t bytes, int64_t bps) {
    return (span_ps)((uint128)bytes * 8 * PS_PER_S / (uint128)bps);
}

/* Returns the longest time that a rank's link needs, in either direction. */
static span_ps busiest_link(struct working *w, const struct workload_job *job, const uint32_t *flow, uint32_t n) {
    const struct job_log *l = w->l;
    span_ps longest = 0;
    for (uint32_t i = 0; i < n; i++) w->sent[l->flow[flow[i]].src] = w->received[l->flow[flow[i]].dst] = 0;
    for (uint32_t i = 0; i < n; i++) {
        w->sent[l->flow[flow[i]].src] += l->wire_bytes[flow[i]];
        w->received[l->flow[flow[i]].dst] += l->wire_bytes[flow[i]];
    }
    for (uint32_t i = 0; i < job->n_ranks; i++) {
        uint32_t h = job->rank[i];
        uint64_t most = w->sent[h] > w->received[h] ? w->sent[h] : w->received[h];
        longest = max_i64(longest, link_time(most, l->host_bps[h]));
    }
    return longest;
}

/* ---- iterations and jobs ---- */

/* Returns the times of n messages, those of one iteration. */
static struct job_iteration iteration_of(struct working *w, const struct workload_job *job, const uint32_t *flow,
                                         uint32_t n) {
    const struct flow_tally *tally = w->l->tally;
    struct job_iteration it = {.start = TIME_NONE, .last_rank = UINT32_MAX};
    for (uint32_t i = 0; i < n; i++) {
        const struct flow_tally *t = &tally[flow[i]];
        it.start = min_i64(it.start, t->started_at);
        if (it.last_rank == UINT32_MAX || t->finished_at > it.end) {
            it.end = t->finished_at;
            it.last_rank = w->rank_of[w->l->flow[flow[i]].dst];
        }
    }
    it.ideal = max_i64(longest_chain(w, flow, n), busiest_link(w, job, flow, n));
    return it;
}

static bool is_over(const struct job_iteration *it) { return it->end != TIME_NONE; }

/* Returns the rank that was the last in the most iterations; the lowest of several. */
static uint32_t slowest_rank(const struct job_iteration *it, const struct workload_job *job) {
    uint32_t *n = memory_get(job->n_ranks, sizeof *n), slowest = UINT32_MAX;
    for (uint32_t i = 0; i < job->iterations; i++)
        if (is_over(&it[i])) n[it[i].last_rank]++;
    for (uint32_t r = 0; r < job->n_ranks; r++)
        if (n[r] > (slowest == UINT32_MAX ? 0 : n[slowest])) slowest = r;
    free(n);
    return slowest;
}

static void job_summarise(struct working *w, const struct workload_job *job, struct job_iteration *it,
                          struct job_total *t) {
    int64_t *time = memory_get(job->iterations, sizeof *time), *share = memory_get(job->iterations, sizeof *share);
    size_t n = 0;
    *t = (struct job_total){.ranks = job->n_ranks,
                            .iterations = job->iterations,
                            .bytes = job->bytes,
                            .bus = job->bus,
                            .bus_per = job->bus_per};
    snprintf(t->op, sizeof t->op, "%s", job->op);
    job_name(w->l->entry_name ? w->l->entry_name[job->entry] : NULL, job->entry, t->name);
    working_take(w, job);
    for (uint32_t i = 0; i < job->iterations; i++) {
        w->iteration = i;
        it[i] = iteration_of(w, job, w->by_index + (size_t)i * job->flows_each, job->flows_each);
        t->ideal_ps = max_i64(t->ideal_ps, it[i].ideal);
        if (!is_over(&it[i])) continue;
        time[n] = it[i].end - it[i].start;
        share[n] = (int64_t)((int128)time[n] * PPM / max_i64(it[i].ideal, 1));
        n++;
    }
    t->jct_ps = summary_of(time, n);
    t->slowdown_ppm = summary_of(share, n);
    t->slowest_rank = slowest_rank(it, job);
    free(time);
    free(share);
}

/* Fails if an iteration took less than its ideal. */
static bool ideals_check(const struct job_total *t, const struct job_iteration *it, struct run_result *r) {
    for (uint32_t i = 0; i < t->iterations; i++) {
        if (!is_over(&it[i]) || it[i].end - it[i].start >= it[i].ideal) continue;
        snprintf(r->failure, sizeof r->failure, "%s: iteration %u took %lld ps, and its ideal is %lld ps", t->name, i,
                 (long long)(it[i].end - it[i].start), (long long)it[i].ideal);
        return false;
    }
    return true;
}

bool jobs_summarise(const struct job_log *l, struct run_result *r) {
    struct working w;
    bool ok = true;
    for (uint32_t i = 0; i < l->n; i++) r->n_job_iterations += l->job[i].iterations;
    r->n_jobs = l->n;
    r->job = memory_get(l->n, sizeof *r->job);
    r->job_iteration = memory_get(r->n_job_iterations, sizeof *r->job_iteration);
    if (l->n == 0) return true;
    working_init(&w, l);
    struct job_iteration *it = r->job_iteration;
    for (uint32_t i = 0; i < l->n; i++) {
        job_summarise(&w, &l->job[i], it, &r->job[i]);
        ok = ok && ideals_check(&r->job[i], it, r);
        it += l->job[i].iterations;
    }
    working_fini(&w);
    return ok;
}
