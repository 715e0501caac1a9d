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

struct working {
    const struct job_log *l;
    uint32_t *by_index;        /* [n_flows] flows of the job at hand by struct flow.index */
    uint32_t *gate_of;         /* [n_flows] gate that starts the flow; FLOW_NONE */
    time_ps *open_at;          /* [n_gates] ideal instant at which a gate opens, within the iteration */
    uint64_t *sent, *received; /* [n_hosts] wire bytes in the iteration */
    uint32_t *rank_of;         /* [n_hosts] rank in the job at hand */
};

static void working_init(struct working *w, const struct job_log *l) {
    const struct gates *g = l->gates;
    *w = (struct working){.l = l,
                          .by_index = memory_get(l->n_flows, sizeof *w->by_index),
                          .gate_of = memory_get(l->n_flows, sizeof *w->gate_of),
                          .open_at = memory_get(g->n_gates, sizeof *w->open_at),
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
    free(w->open_at);
    free(w->sent);
    free(w->received);
    free(w->rank_of);
}

/* Sets what depends on the job at hand. */
static void working_take(struct working *w, const struct workload_job *job) {
    for (uint32_t i = 0; i < w->l->n_flows; i++)
        if (w->l->flow[i].entry == job->entry) w->by_index[w->l->flow[i].index] = i;
    for (uint32_t i = 0; i < job->n_ranks; i++) w->rank_of[job->rank[i]] = i;
}

/* ---- the ideal of an iteration ---- */

static void feed_ideal(struct working *w, struct fed_gates fed, time_ps at) {
    for (uint32_t i = 0; i < fed.n; i++) {
        const struct gate *gate = &w->l->gates->gate[fed.gate[i]];
        w->open_at[fed.gate[i]] = max_i64(w->open_at[fed.gate[i]], at + gate->delay);
    }
}

/* Returns the longest chain of n messages, each of which stands behind the messages that it waits for. */
static span_ps longest_chain(struct working *w, const uint32_t *flow, uint32_t n) {
    const struct job_log *l = w->l;
    span_ps longest = 0;
    for (uint32_t i = 0; i < n; i++)
        if (w->gate_of[flow[i]] != FLOW_NONE) w->open_at[w->gate_of[flow[i]]] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t f = flow[i], gate = w->gate_of[f];
        time_ps at = (gate == FLOW_NONE ? 0 : w->open_at[gate]) + l->bound_ps[f];
        longest = max_i64(longest, at);
        if (!l->gates->feed) continue;
        feed_ideal(w, gates_of_received(l->gates, f), at);
        feed_ideal(w, gates_of_acked(l->gates, f), at);
    }
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
