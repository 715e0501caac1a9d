/* SPDX-License-Identifier: Apache-2.0 */
#include "study/assemble/store_cost.h"

#include "measure/job_spans.h"
#include "measure/open_flows.h"
#include "measure/samples.h"
#include "study/config/stored_flows.h"

/* Bytes of a row with its part of pages and indices. */
enum {
    RUN_BYTES = 14500, /* configuration and result */
    NODE_BYTES = 25,
    PORT_BYTES = 63,
    FLOW_BYTES = 70,
    CREDIT_BYTES = 8,       /* of a flow's counters of credits */
    FLOW_PACKED_BYTES = 28, /* of a flow of a run with more than STORE_FLOWS_AS_ROWS */
    JOB_PACKED_BYTES = 19,  /* the same where jobs are: their flows are of few sizes */
    CREDIT_PACKED_BYTES = 3,
    QUERY_BYTES = 39,
    SAMPLE_BYTES = 38,
    OPEN_BYTES = 27,
    TIMELINE_BYTES = 47,
    JOB_ITERATION_BYTES = 30,
    JOB_STEP_BYTES = 66,
    JOB_SPAN_BYTES = 50
};

/* Returns the samples that are kept of `n` in `series`: every second period is dropped until they are few enough. */
static uint64_t kept(uint128 n, uint64_t most) {
    while (n > most) n = (n + 1) / 2;
    return (uint64_t)n;
}

static uint64_t samples_of(const struct world_config *c, span_ps period, uint64_t series, time_ps end) {
    uint64_t most = c->measure.max_samples ? c->measure.max_samples : SAMPLES_DEFAULT_MAX;
    return period > 0 ? kept((uint128)(end / period + 1) * series, most > series ? most : series) : 0;
}

static uint64_t samples(const struct world_config *c, time_ps end) {
    const struct measure_config *m = &c->measure;
    uint64_t ports = c->fabric->paths.first_port[c->fabric->n_nodes];
    return samples_of(c, m->queues, ports, end) + samples_of(c, m->links, ports, end) +
           samples_of(c, m->pauses, ports, end) + samples_of(c, m->goodput, c->fabric->n_hosts, end);
}

/* Returns the switches with several uplinks: their imbalance is sampled where these are busy. */
static uint64_t balancing_switches(const struct fabric *f) {
    return f->tiers < 2 ? 0 : f->n_leaves + (f->tiers == 3 ? (f->n_switches - f->n_leaves) / 2 : 0);
}

static uint64_t timelines(const struct world_config *c) {
    uint64_t lines = 0;
    for (uint32_t i = 0; i < c->measure.n_flow; i++) {
        const struct flow *flow = &c->flows->flow[c->measure.flow[i]];
        uint64_t frames = flow->bytes == UINT64_MAX ? 100000 : flow->bytes / 1460 + 2;
        lines += frames * 20; /* data and answer, queued and sent at each hop, and windows */
    }
    return lines;
}

/* Returns the bytes of a job's own rows. Of its slowest iteration the store has the critical path, about as long as what one rank
 * does, and the times of the ranks: of each computation, and of about half of the messages, since many follow each other. */
static uint64_t job_bytes(const struct gates *gates, const struct workload_job *job) {
    uint64_t computations = 0, messages = job->flows_each;
    for (uint32_t g = job->first_gate[0]; job->computes && g < job->first_gate[1]; g++)
        computations += gates->gate[g].delay > 0;
    uint64_t spans = computations + messages / 2, steps = (computations + messages) / job->n_ranks;
    if (spans > JOB_SPANS_MAX) spans = JOB_SPANS_MAX;
    return (uint64_t)job->iterations * JOB_ITERATION_BYTES + steps * JOB_STEP_BYTES + spans * JOB_SPAN_BYTES;
}

static uint64_t jobs(const struct flow_list *flows) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < flows->n_jobs; i++) bytes += job_bytes(&flows->gates, &flows->job[i]);
    return bytes;
}

static bool has_credits(const struct world_config *c) {
    for (uint32_t i = 0; i < c->hosts.n_transports; i++)
        if (c->hosts.transport[i]->needs.credit) return true;
    return false;
}

static uint64_t flows(const struct world_config *c) {
    uint64_t n = c->flows->n, row = FLOW_BYTES, credits = CREDIT_BYTES;
    if (n > STORE_FLOWS_AS_ROWS)
        row = c->flows->n_jobs ? JOB_PACKED_BYTES : FLOW_PACKED_BYTES, credits = CREDIT_PACKED_BYTES;
    return n * (row + (has_credits(c) ? credits : 0));
}

uint64_t store_cost(const struct assembly *a, time_ps end) {
    const struct world_config *c = &a->world;
    const struct fabric *f = c->fabric;
    span_ps interval = c->measure.imbalance ? c->measure.imbalance : 10 * PS_PER_MS;
    return RUN_BYTES + (uint64_t)f->n_nodes * NODE_BYTES + (uint64_t)f->paths.first_port[f->n_nodes] * PORT_BYTES +
           flows(c) + (uint64_t)c->flows->n_queries * QUERY_BYTES + OPEN_POINTS * OPEN_BYTES +
           samples(c, end) * SAMPLE_BYTES + (uint64_t)(end / interval) * balancing_switches(f) * SAMPLE_BYTES +
           timelines(c) * TIMELINE_BYTES + jobs(c->flows);
}
