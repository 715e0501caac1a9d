/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/jobs/job.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static void numbers_add(struct flow_numbers *l, uint32_t flow) {
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 4;
        l->at = memory_grow(l->at, l->room, sizeof *l->at);
    }
    l->at[l->n++] = flow;
}

/* Moves all numbers of one list to the end of another. */
static void numbers_move(struct flow_numbers *to, struct flow_numbers *from) {
    if (to->n == 0) {
        struct flow_numbers emptied = *to;
        *to = *from;
        *from = emptied;
    }
    for (uint32_t i = 0; i < from->n; i++) numbers_add(to, from->at[i]);
    from->n = 0;
}

void jobs_init(struct job_builder *b, struct generator *g, const struct workload_job *job, uint32_t window) {
    *b = (struct job_builder){.g = g, .job = *job, .window = window};
    b->job.start = g->spec->start;
    b->rank = memory_get(job->n_ranks, sizeof *b->rank);
    b->in_lane = memory_get(job->n_ranks, sizeof *b->in_lane);
    for (uint32_t i = 0; i < job->n_ranks; i++) b->rank[i].front = FLOW_NONE;
}

static void lane_close(struct job_builder *b);

/* ---- gates ---- */

static void phase_note(const struct job_builder *b, struct phase_notes *notes, uint32_t number) {
    if (!b->job.phase[0]) return;
    if (number >= notes->room) {
        notes->room = notes->room ? 2 * notes->room : 1024;
        notes->at = memory_grow(notes->at, notes->room, sizeof *notes->at);
    }
    notes->at[number] = b->phase;
}

/* Adds a gate of a rank that waits for nothing yet. */
static uint32_t gate_add(struct job_builder *b, uint32_t rank, span_ps delay) {
    uint32_t gate = generator_gate(b->g, b->job.rank[rank], 0, delay, 0, 0, 0);
    phase_note(b, &b->gates, gate - b->first_gate[0]);
    return gate;
}

static void wait_for_received(struct generator *g, uint32_t gate, uint32_t flow) {
    g->loops.gate[gate].needs++;
    generator_feed_received(g, flow, gate);
}
static void wait_for_acked(struct generator *g, uint32_t gate, uint32_t flow) {
    g->loops.gate[gate].needs++;
    generator_feed_acked(g, flow, gate);
}

/* Makes a gate wait for all that a rank received, or, if it received nothing, for all that it sent. */
static void wait_for(struct generator *g, uint32_t gate, const struct flow_numbers *got,
                     const struct flow_numbers *sent) {
    for (uint32_t i = 0; i < got->n; i++) wait_for_received(g, gate, got->at[i]);
    for (uint32_t i = 0; got->n == 0 && i < sent->n; i++) wait_for_acked(g, gate, sent->at[i]);
}

/* Makes a gate wait for the end of another one; FLOW_NONE: there is none. */
static void wait_for_gate(struct generator *g, uint32_t gate, uint32_t before) {
    if (before == FLOW_NONE) return;
    g->loops.gate[gate].needs++;
    generator_follow(g, before, gate, false);
}

/* Starts a flow when its rank has gone on this far. */
static void start_at_front(struct job_builder *b, const struct job_rank *r, uint32_t flow) {
    if (r->front == FLOW_NONE)
        b->g->list->flow[flow].start = b->job.start;
    else
        generator_start(b->g, r->front, flow);
}

void jobs_go_on(struct job_builder *b, uint32_t rank, span_ps compute, enum job_wait wait) {
    struct job_rank *r = &b->rank[rank];
    bool waits = false;
    lane_close(b);
    for (unsigned i = 0; i <= wait; i++) waits |= r->wait[i].got.n || r->wait[i].sent.n;
    if (!waits && compute == 0) return;
    /* a rank that waits for nothing yet begins to compute at the start of the job */
    span_ps delay = compute + (waits || r->front != FLOW_NONE ? 0 : b->job.start);
    uint32_t gate = gate_add(b, rank, delay);
    for (unsigned i = 0; i <= wait; i++) {
        wait_for(b->g, gate, &r->wait[i].got, &r->wait[i].sent);
        r->wait[i].got.n = r->wait[i].sent.n = 0;
    }
    wait_for_gate(b->g, gate, r->front);
    r->front = gate;
}

void jobs_all_go_on(struct job_builder *b, span_ps compute, enum job_wait wait) {
    for (uint32_t r = 0; r < b->job.n_ranks; r++) jobs_go_on(b, r, compute, wait);
}

/* ---- stages and lanes ---- */

/* Makes each message beyond the window start when the one `window` before it is acknowledged. */
static void window_chain(struct job_builder *b, uint32_t rank, const struct flow_numbers *now, uint32_t window) {
    for (uint32_t i = window; i < now->n; i++) {
        uint32_t gate = gate_add(b, rank, 0);
        generator_start(b->g, gate, now->at[i]);
        wait_for_acked(b->g, gate, now->at[i - window]);
    }
}

/* Decides what the messages of this stage from one rank wait for. */
static void rank_close(struct job_builder *b, uint32_t rank) {
    struct job_rank *r = &b->rank[rank];
    uint32_t n = b->window && b->window < r->now.n ? b->window : r->now.n;
    if (r->now.n == 0) return;
    if (r->heard.n || r->told.n) {
        uint32_t gate = gate_add(b, rank, 0);
        for (uint32_t i = 0; i < n; i++) generator_start(b->g, gate, r->now.at[i]);
        wait_for(b->g, gate, &r->heard, &r->told);
        wait_for_gate(b->g, gate, r->step != FLOW_NONE ? r->step : r->front);
        r->step = gate;
    } else {
        for (uint32_t i = 0; i < n; i++) start_at_front(b, r, r->now.at[i]);
    }
    window_chain(b, rank, &r->now, n);
    r->heard.n = r->told.n = 0;
    numbers_move(&r->told, &r->now);
}

static void stage_close(struct job_builder *b) {
    for (uint32_t i = 0; i < b->n_in_lane; i++) rank_close(b, b->in_lane[i]);
    for (uint32_t i = 0; i < b->n_arrivals; i++) {
        struct job_rank *r = &b->rank[b->arrival[i].rank];
        numbers_add(&r->heard, b->arrival[i].flow);
        numbers_add(&r->lane.got, b->arrival[i].flow);
    }
    b->n_arrivals = 0;
}

static void lane_close(struct job_builder *b) {
    stage_close(b);
    for (uint32_t i = 0; i < b->n_in_lane; i++) {
        struct job_rank *r = &b->rank[b->in_lane[i]];
        struct job_ends *wait = &r->wait[b->lane_is];
        r->heard.n = r->told.n = 0;
        numbers_move(&wait->got, &r->lane.got);
        numbers_move(&wait->sent, &r->lane.sent);
        r->is_in_lane = false;
    }
    b->n_in_lane = 0;
}

static void rank_enters(struct job_builder *b, uint32_t rank) {
    if (b->rank[rank].is_in_lane) return;
    b->rank[rank].is_in_lane = true;
    b->rank[rank].step = FLOW_NONE;
    b->in_lane[b->n_in_lane++] = rank;
}

/* ---- what the algorithms call ---- */

static void iteration_close(struct job_builder *b) {
    lane_close(b);
    if (b->iterations > 0) b->job.flows_each = b->g->list->n - b->first_flow;
}

void jobs_iteration(struct job_builder *b) {
    iteration_close(b);
    b->first_gate = memory_grow(b->first_gate, b->iterations + 2, sizeof *b->first_gate);
    b->first_gate[b->iterations++] = b->g->loops.n_gates;
    b->first_flow = b->g->list->n;
}

void jobs_phase(struct job_builder *b, const char *name) {
    lane_close(b);
    for (b->phase = 0; b->job.phase[b->phase] && b->job.phase[b->phase] != name; b->phase++)
        assert(b->phase + 1 < JOB_PHASES_MAX);
    b->job.phase[b->phase] = name;
}

void jobs_lane(struct job_builder *b, uint32_t channel, enum job_wait wait) {
    lane_close(b);
    b->channel = channel;
    b->lane_is = wait;
}

void jobs_stage(struct job_builder *b) { stage_close(b); }

static bool message(struct job_builder *b, uint32_t from, uint32_t to, uint64_t bytes, uint32_t channel) {
    uint32_t flow = b->g->list->n;
    if (!generator_add(b->g, TIME_NONE, b->job.rank[from], b->job.rank[to], bytes)) return false;
    generator_connection(b->g, flow, channel);
    /* those of later iterations are the same */
    if (b->iterations == 1) phase_note(b, &b->messages, flow - b->first_flow);
    return true;
}

bool jobs_message(struct job_builder *b, uint32_t from, uint32_t to, uint64_t bytes) {
    uint32_t flow = b->g->list->n;
    if (!message(b, from, to, bytes, b->channel)) return false;
    rank_enters(b, from);
    rank_enters(b, to);
    numbers_add(&b->rank[from].now, flow);
    numbers_add(&b->rank[from].lane.sent, flow);
    if (b->n_arrivals == b->arrivals_room) {
        b->arrivals_room = b->arrivals_room ? 2 * b->arrivals_room : 64;
        b->arrival = memory_grow(b->arrival, b->arrivals_room, sizeof *b->arrival);
    }
    b->arrival[b->n_arrivals++] = (struct job_arrival){to, flow};
    return true;
}

bool jobs_send(struct job_builder *b, uint32_t from, uint32_t to, uint64_t bytes, uint32_t channel, uint32_t *flow) {
    struct job_rank *r = &b->rank[from];
    lane_close(b);
    *flow = b->g->list->n;
    if (!message(b, from, to, bytes, channel)) return false;
    start_at_front(b, r, *flow);
    numbers_add(&r->wait[JOB_BACKGROUND].sent, *flow);
    return true;
}

void jobs_await(struct job_builder *b, uint32_t rank, uint32_t flow) {
    numbers_add(&b->rank[rank].wait[JOB_AWAITED].got, flow);
}

static void rank_fini(struct job_rank *r) {
    struct flow_numbers *lists[] = {&r->wait[0].got, &r->wait[0].sent, &r->wait[1].got, &r->wait[1].sent, &r->lane.got,
                                    &r->lane.sent,   &r->heard,        &r->told,        &r->now};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) free(lists[k]->at);
}

bool jobs_finish(struct job_builder *b, bool ok) {
    iteration_close(b);
    if (ok) {
        b->first_gate[b->iterations] = b->g->loops.n_gates;
        b->job.iterations = b->iterations;
        b->job.first_gate = b->first_gate;
        b->job.phase_of = b->messages.at;
        b->job.phase_of_gate = b->gates.at;
        generator_job(b->g, &b->job);
    } else {
        free((void *)b->job.rank);
        free(b->first_gate);
        free(b->messages.at);
        free(b->gates.at);
    }
    for (uint32_t i = 0; i < b->job.n_ranks; i++) rank_fini(&b->rank[i]);
    free(b->rank);
    free(b->in_lane);
    free(b->arrival);
    return ok;
}
