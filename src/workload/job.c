/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/job.h"

#include "base/memory.h"

#include <stdlib.h>

static void numbers_add(struct flow_numbers *l, uint32_t flow) {
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 4;
        l->at = memory_grow(l->at, l->room, sizeof *l->at);
    }
    l->at[l->n++] = flow;
}

/* Moves all numbers of one list to another, which loses its own. */
static void numbers_move(struct flow_numbers *to, struct flow_numbers *from) {
    struct flow_numbers emptied = *to;
    emptied.n = 0;
    *to = *from;
    *from = emptied;
}

void jobs_init(struct job_builder *b, struct generator *g, const struct workload_job *job, uint32_t window,
               span_ps compute) {
    *b = (struct job_builder){.g = g, .job = *job, .window = window, .compute = compute};
    b->rank = memory_get(job->n_ranks, sizeof *b->rank);
}

/* ---- gates ---- */

static void feed(struct generator *g, const struct flow_numbers *flows, uint32_t gate, bool acked) {
    for (uint32_t i = 0; i < flows->n; i++)
        (acked ? generator_feed_acked : generator_feed_received)(g, flows->at[i], gate);
}

/* Makes n flows of a rank start after all that it received, or, if it received nothing, after all that it sent is
 * acknowledged. */
static void start_after(struct job_builder *b, uint32_t rank, const struct flow_numbers *received,
                        const struct flow_numbers *sent, span_ps delay, const uint32_t *flow, uint32_t n) {
    const struct flow_numbers *of = received->n ? received : sent;
    uint32_t gate = generator_gate_of(b->g, b->job.rank[rank], of->n, delay, flow, n);
    feed(b->g, of, gate, of == sent);
}

/* Makes each message beyond the window start when the one `window` before it is acknowledged. */
static void window_chain(struct job_builder *b, uint32_t rank, const struct flow_numbers *now, uint32_t window) {
    for (uint32_t i = window; i < now->n; i++) {
        uint32_t gate = generator_gate_of(b->g, b->job.rank[rank], 1, 0, &now->at[i], 1);
        generator_feed_acked(b->g, now->at[i - window], gate);
    }
}

/* Decides what the messages of this stage from one rank wait for. */
static void rank_close(struct job_builder *b, uint32_t rank) {
    struct job_rank *r = &b->rank[rank];
    uint32_t n = b->window && b->window < r->now.n ? b->window : r->now.n;
    if (r->now.n == 0) return;
    if (r->heard.n || r->told.n)
        start_after(b, rank, &r->heard, &r->told, 0, r->now.at, n);
    else
        for (uint32_t i = 0; i < n; i++) numbers_add(&r->first, r->now.at[i]);
    window_chain(b, rank, &r->now, n);
    r->heard.n = 0;
    numbers_move(&r->told, &r->now);
}

static void stage_close(struct job_builder *b) {
    for (uint32_t i = 0; i < b->job.n_ranks; i++) rank_close(b, i);
    for (uint32_t i = 0; i < b->n_arrivals; i++) {
        struct job_rank *r = &b->rank[b->arrival[i].rank];
        numbers_add(&r->heard, b->arrival[i].flow);
        numbers_add(&r->got, b->arrival[i].flow);
    }
    b->n_arrivals = 0;
}

static void lane_close(struct job_builder *b) {
    stage_close(b);
    for (uint32_t i = 0; i < b->job.n_ranks; i++) b->rank[i].heard.n = b->rank[i].told.n = 0;
}

/* Makes the first messages of the iteration start: those of the first by the clock, the others after the one before. */
static void iteration_close(struct job_builder *b) {
    if (b->iterations == 0) return;
    lane_close(b);
    for (uint32_t i = 0; i < b->job.n_ranks; i++) {
        struct job_rank *r = &b->rank[i];
        for (uint32_t k = 0; b->iterations == 1 && k < r->first.n; k++)
            b->g->list->flow[r->first.at[k]].start = b->g->spec->start;
        if (b->iterations > 1 && r->first.n)
            start_after(b, i, &r->got_before, &r->sent_before, b->compute, r->first.at, r->first.n);
        r->first.n = 0;
        numbers_move(&r->got_before, &r->got);
        numbers_move(&r->sent_before, &r->sent);
    }
    b->job.flows_each = b->g->list->n - b->first_flow;
}

/* ---- what the algorithms call ---- */

void jobs_iteration(struct job_builder *b) {
    iteration_close(b);
    b->iterations++;
    b->lanes = 0;
    b->first_flow = b->g->list->n;
}

void jobs_lane(struct job_builder *b) {
    lane_close(b);
    b->lanes++;
}

void jobs_stage(struct job_builder *b) { stage_close(b); }

bool jobs_message(struct job_builder *b, uint32_t from, uint32_t to, uint64_t bytes) {
    uint32_t flow = b->g->list->n;
    if (!generator_add(b->g, TIME_NONE, b->job.rank[from], b->job.rank[to], bytes)) return false;
    generator_connection(b->g, flow, b->lanes - 1);
    numbers_add(&b->rank[from].now, flow);
    numbers_add(&b->rank[from].sent, flow);
    if (b->n_arrivals == b->arrivals_room) {
        b->arrivals_room = b->arrivals_room ? 2 * b->arrivals_room : 64;
        b->arrival = memory_grow(b->arrival, b->arrivals_room, sizeof *b->arrival);
    }
    b->arrival[b->n_arrivals++] = (struct job_arrival){to, flow};
    return true;
}

bool jobs_finish(struct job_builder *b, bool ok) {
    if (ok) {
        iteration_close(b);
        b->job.iterations = b->iterations;
        generator_job(b->g, &b->job);
    } else {
        free((void *)b->job.rank);
    }
    for (uint32_t i = 0; i < b->job.n_ranks; i++) {
        struct job_rank *r = &b->rank[i];
        struct flow_numbers *lists[] = {&r->heard, &r->told, &r->now,        &r->first,
                                        &r->got,   &r->sent, &r->got_before, &r->sent_before};
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) free(lists[k]->at);
    }
    free(b->rank);
    free(b->arrival);
    return ok;
}
