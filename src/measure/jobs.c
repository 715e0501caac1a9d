/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/jobs.h"

#include "base/memory.h"
#include "measure/critical_path.h"
#include "measure/flows.h"
#include "measure/gate_times.h"
#include "measure/job_spans.h"

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
    struct ideal_gate *gate; /* [gates of the longest iteration of the job at hand] */
    struct gate_times times;
    struct ideal_step *step; /* a stack */
    uint32_t n_steps, steps_room;
    const struct workload_job *job;   /* at hand */
    uint32_t first_gate, behind_gate; /* of the iteration at hand */
    uint64_t *sent, *received;        /* [n_hosts] wire bytes in the iteration */
    span_ps *computed;                /* [n_hosts] in the iteration */
    uint32_t *rank_of;                /* [n_hosts] rank in the job at hand */
};

static void working_init(struct working *w, const struct job_log *l) {
    const struct gates *g = l->gates;
    struct gate_times times; /* first, while there is little else: this needs memory for a while */
    gate_times_init(&times, g, l->tally, l->n_flows);
    *w = (struct working){.l = l,
                          .times = times,
                          .by_index = memory_get(l->n_flows, sizeof *w->by_index),
                          .gate_of = memory_get(l->n_flows, sizeof *w->gate_of),
                          .sent = memory_get(l->n_hosts, sizeof *w->sent),
                          .received = memory_get(l->n_hosts, sizeof *w->received),
                          .computed = memory_get(l->n_hosts, sizeof *w->computed),
                          .rank_of = memory_get(l->n_hosts, sizeof *w->rank_of)};
    for (uint32_t i = 0; i < l->n_flows; i++) w->gate_of[i] = FLOW_NONE;
    for (uint32_t i = 0; i < g->n_gates; i++)
        for (uint32_t k = 0; k < g->gate[i].n; k++) w->gate_of[g->gated[g->gate[i].first + k]] = i;
}

static void working_fini(struct working *w) {
    free(w->by_index);
    free(w->gate_of);
    free(w->step);
    free(w->sent);
    free(w->received);
    free(w->computed);
    free(w->rank_of);
    gate_times_free(&w->times);
}

/* Sets what depends on the job at hand. */
static void working_take(struct working *w, const struct workload_job *job) {
    w->job = job;
    for (uint32_t i = 0; i < w->l->n_flows; i++)
        if (w->l->flow[i].entry == job->entry) w->by_index[w->l->flow[i].index] = i;
    for (uint32_t i = 0; i < job->n_ranks; i++) w->rank_of[job->rank[i]] = i;
}

/* ---- the ideal of an iteration ---- */

static bool is_in_iteration(const struct working *w, uint32_t gate) {
    return gate >= w->first_gate && gate < w->behind_gate;
}

static struct ideal_gate *ideal_of(const struct working *w, uint32_t gate) { return &w->gate[gate - w->first_gate]; }

/* Counts the ends of the iteration that its gates wait for. */
static void gates_reach(struct working *w, struct fed_gates fed) {
    for (uint32_t i = 0; i < fed.n; i++)
        if (is_in_iteration(w, fed.gate[i])) ideal_of(w, fed.gate[i])->left++;
}

static struct fed_gates followers_of(const struct gates *gates, uint32_t number) {
    const struct gate *g = &gates->gate[number];
    return (struct fed_gates){gates->follow + g->next, g->n_on_begin + g->n_on_end};
}

static void iteration_reach(struct working *w, const uint32_t *flow, uint32_t n) {
    const struct gates *gates = w->l->gates;
    for (uint32_t g = w->first_gate; g < w->behind_gate; g++) *ideal_of(w, g) = (struct ideal_gate){0};
    for (uint32_t i = 0; gates->feed && i < n; i++) {
        gates_reach(w, gates_of_received(gates, flow[i]));
        gates_reach(w, gates_of_acked(gates, flow[i]));
    }
    for (uint32_t g = w->first_gate; g < w->behind_gate; g++) gates_reach(w, followers_of(gates, g));
}

static void step_add(struct working *w, bool is_flow, uint32_t number, time_ps at) {
    if (w->n_steps == w->steps_room) {
        w->steps_room = w->steps_room ? 2 * w->steps_room : 64;
        w->step = memory_grow(w->step, w->steps_room, sizeof *w->step);
    }
    w->step[w->n_steps++] = (struct ideal_step){is_flow, number, at};
}

static void steps_add(struct working *w, struct fed_gates fed, time_ps at) {
    for (uint32_t i = 0; i < fed.n; i++)
        if (is_in_iteration(w, fed.gate[i])) step_add(w, false, fed.gate[i], at);
}

/* Returns the time that a gate takes. One that waits for nothing at all begins with the run, and its delay contains the
 * start of the job. */
static span_ps gate_takes(const struct working *w, uint32_t number) {
    const struct gate *g = &w->l->gates->gate[number];
    return g->needs == 0 ? g->delay - w->job->start : g->delay;
}

/* Begins a gate; returns its end. */
static time_ps gate_begin(struct working *w, uint32_t number, time_ps begin, span_ps takes) {
    const struct gates *gates = w->l->gates;
    const struct gate *g = &gates->gate[number];
    time_ps end = begin + takes;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t flow = gates->gated[g->first + i];
        step_add(w, true, flow, end + w->l->bound_ps[flow]);
    }
    steps_add(w, (struct fed_gates){gates->follow + g->next, g->n_on_begin}, begin);
    steps_add(w, (struct fed_gates){gates->follow + g->next + g->n_on_begin, g->n_on_end}, end);
    return end;
}

/* Begins all that waits for nothing in the iteration; returns the latest end of a gate. Where a job does not compute, what
 * a rank does before its first message is no part of the iteration. */
static span_ps iteration_begin(struct working *w, const uint32_t *flow, uint32_t n) {
    span_ps latest = 0;
    for (uint32_t i = 0; i < n; i++)
        if (w->gate_of[flow[i]] == FLOW_NONE) step_add(w, true, flow[i], w->l->bound_ps[flow[i]]);
    for (uint32_t g = w->first_gate; g < w->behind_gate; g++)
        if (ideal_of(w, g)->left == 0)
            latest = max_i64(latest, gate_begin(w, g, 0, w->job->computes ? gate_takes(w, g) : 0));
    return latest;
}

/* Lets a gate count an end. The last one begins it. Returns its end, or 0. */
static span_ps gate_count(struct working *w, uint32_t number, time_ps at) {
    struct ideal_gate *ideal = ideal_of(w, number);
    ideal->begin = max_i64(ideal->begin, at);
    return --ideal->left > 0 ? 0 : gate_begin(w, number, ideal->begin, gate_takes(w, number));
}

/* Returns the longest chain of the n messages of an iteration, and of the computations of a job that computes. What waits
 * for earlier iterations alone begins at once. */
static span_ps longest_chain(struct working *w, const uint32_t *flow, uint32_t n) {
    const struct gates *gates = w->l->gates;
    iteration_reach(w, flow, n);
    span_ps of_gates = iteration_begin(w, flow, n), of_flows = 0;
    while (w->n_steps > 0) {
        struct ideal_step s = w->step[--w->n_steps];
        if (!s.is_flow) {
            of_gates = max_i64(of_gates, gate_count(w, s.number, s.at));
            continue;
        }
        of_flows = max_i64(of_flows, s.at);
        if (!gates->feed) continue;
        steps_add(w, gates_of_received(gates, s.number), s.at);
        steps_add(w, gates_of_acked(gates, s.number), s.at);
    }
    return w->job->computes ? max_i64(of_flows, of_gates) : of_flows;
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

/* Returns the longest time that a rank computes in the iteration at hand, and notes it for each host: the sum over its gates
 * or, since processors work side by side, over those of its busiest processor. */
static span_ps busiest_rank(struct working *w) {
    const struct workload_job *job = w->job;
    const struct gates *gates = w->l->gates;
    span_ps longest = 0, *busy = memory_get((size_t)gates->n_processors + 1, sizeof *busy);
    for (uint32_t i = 0; i < job->n_ranks; i++) w->computed[job->rank[i]] = 0;
    for (uint32_t g = w->first_gate; job->computes && g < w->behind_gate; g++) {
        const struct gate *gate = &gates->gate[g];
        *(gate->processor ? &busy[gate->processor] : &w->computed[gate->host]) += gate_takes(w, g);
    }
    for (uint32_t g = w->first_gate; job->computes && g < w->behind_gate; g++) {
        const struct gate *gate = &gates->gate[g];
        if (gate->processor) w->computed[gate->host] = max_i64(w->computed[gate->host], busy[gate->processor]);
    }
    free(busy);
    for (uint32_t i = 0; i < job->n_ranks; i++) longest = max_i64(longest, w->computed[job->rank[i]]);
    return longest;
}

/* ---- iterations and jobs ---- */

static void iteration_extend(struct working *w, struct job_iteration *it, time_ps start, time_ps end, uint32_t host) {
    it->start = min_i64(it->start, start);
    if (it->last_rank != UINT32_MAX && end <= it->end) return;
    it->end = end;
    it->last_rank = w->rank_of[host];
}

/* Returns the mean over the ranks of the time of an iteration in which they did not compute. */
static span_ps exposed_of(const struct working *w, const struct job_iteration *it) {
    int128 sum = 0;
    for (uint32_t i = 0; i < w->job->n_ranks; i++) sum += it->end - it->start - w->computed[w->job->rank[i]];
    return (span_ps)(sum / w->job->n_ranks);
}

/* Returns the times of the iteration at hand, which has n messages. */
static struct job_iteration iteration_of(struct working *w, const uint32_t *flow, uint32_t n) {
    struct tallies tally = w->l->tally;
    struct job_iteration it = {.start = TIME_NONE, .last_rank = UINT32_MAX};
    for (uint32_t i = 0; i < n; i++) {
        time_ps start = tally_started_at(tally, flow[i]), end = tally_finished_at(tally, flow[i]);
        iteration_extend(w, &it, start, end, w->l->flow[flow[i]].dst);
    }
    for (uint32_t g = w->first_gate; w->job->computes && g < w->behind_gate; g++) {
        time_ps begun = max_i64(w->times.begun[g], w->job->start);
        iteration_extend(w, &it, begun, w->times.ended[g], w->l->gates->gate[g].host);
    }
    it.ideal = max_i64(max_i64(longest_chain(w, flow, n), busiest_link(w, w->job, flow, n)), busiest_rank(w));
    if (it.end != TIME_NONE) it.exposed = exposed_of(w, &it);
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

/* Adds the critical path, and the times of the ranks, of the iteration that took longest. */
static void slowest_explain(const struct working *w, const struct job_iteration *it, struct run_result *r) {
    const struct workload_job *job = w->job;
    uint32_t slowest = UINT32_MAX;
    for (uint32_t i = 0; i < job->iterations; i++) {
        if (!is_over(&it[i])) continue;
        if (slowest == UINT32_MAX || it[i].end - it[i].start > it[slowest].end - it[slowest].start) slowest = i;
    }
    if (slowest == UINT32_MAX) return;
    const struct job_look q = {.gates = w->l->gates,
                               .times = &w->times,
                               .gate_of = w->gate_of,
                               .flow = w->l->flow,
                               .tally = w->l->tally,
                               .bound_ps = w->l->bound_ps,
                               .job = job,
                               .job_number = (uint32_t)(job - w->l->job),
                               .iteration = slowest,
                               .message = w->by_index + (size_t)slowest * job->flows_each};
    critical_path_add(&q, r);
    job_spans_add(&q, it[slowest].end - it[slowest].start, r);
}

static uint32_t most_gates(const struct workload_job *job) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < job->iterations; i++) {
        uint32_t n = job->first_gate[i + 1] - job->first_gate[i];
        most = n > most ? n : most;
    }
    return most;
}

static void job_summarise(struct working *w, const struct workload_job *job, struct job_iteration *it,
                          struct job_total *t) {
    int64_t *time = memory_get(job->iterations, sizeof *time), *share = memory_get(job->iterations, sizeof *share);
    size_t n = 0;
    int128 exposed = 0;
    *t = (struct job_total){.ranks = job->n_ranks,
                            .iterations = job->iterations,
                            .bytes = job->bytes,
                            .bus = job->bus,
                            .bus_per = job->bus_per,
                            .computes = job->computes};
    snprintf(t->op, sizeof t->op, "%s", job->op);
    job_name(w->l->entry_name ? w->l->entry_name[job->entry] : NULL, job->entry, t->name);
    working_take(w, job);
    w->gate = memory_get(most_gates(job), sizeof *w->gate);
    for (uint32_t i = 0; i < job->iterations; i++) {
        w->first_gate = job->first_gate[i];
        w->behind_gate = job->first_gate[i + 1];
        it[i] = iteration_of(w, w->by_index + (size_t)i * job->flows_each, job->flows_each);
        t->ideal_ps = max_i64(t->ideal_ps, it[i].ideal);
        if (!is_over(&it[i])) continue;
        time[n] = it[i].end - it[i].start;
        share[n] = (int64_t)((int128)time[n] * PPM / max_i64(it[i].ideal, 1));
        exposed += it[i].exposed;
        n++;
    }
    t->exposed_ps = n ? (span_ps)(exposed / (int128)n) : 0;
    t->jct_ps = summary_of(time, n);
    t->slowdown_ppm = summary_of(share, n);
    t->slowest_rank = slowest_rank(it, job);
    free(w->gate);
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
        slowest_explain(&w, it, r);
        ok = ok && ideals_check(&r->job[i], it, r);
        it += l->job[i].iterations;
    }
    working_fini(&w);
    return ok;
}
