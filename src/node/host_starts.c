/* SPDX-License-Identifier: Apache-2.0 */
/* The next flow that starts at a host, from its list or from a gate, and what else gates do. */
#include "node/host_inside.h"

static time_ps listed_start(const struct host *h) {
    return h->next_flow < h->end_flow ? h->shared->flow[*h->next_flow].start : TIME_NONE;
}

void host_foresee_start(struct host *h) {
    const struct heap_entry *gated = heap_top(&h->gated);
    h->start_at = min_i64(listed_start(h), gated ? gated->key : TIME_NONE);
}

/* Flows that have waited for their connection have ids behind those of gates (base/gates.h). */
static uint32_t waited_from(const struct host *h) { return h->shared->gates ? gates_ids(h->shared->gates->gates) : 0; }

/* Takes the flow that a gate starts now; FLOW_NONE: none does. */
static uint32_t gated_take(struct host *h) {
    uint32_t place = gates_take(h->shared->gates, &h->gated);
    if (place == FLOW_NONE) return FLOW_NONE;
    uint32_t flow = h->shared->gates->gates->gated[place];
    host_tally(h->shared, flow)->started_at = h->start_at;
    return flow;
}

/* Counts the start of a flow. Returns it, or FLOW_NONE if it waits for its connection. */
static uint32_t started(const struct host *h, uint32_t flow) {
    struct host_shared *s = h->shared;
    if (flow == FLOW_NONE) return FLOW_NONE;
    s->flows_started += flow_is_awaited(&s->flow[flow]);
    return s->lines && !lines_enter(s->lines, flow) ? FLOW_NONE : flow;
}

uint32_t host_take_start(struct host *h) {
    uint32_t flow, from = waited_from(h);
    if (listed_start(h) <= h->start_at)
        flow = started(h, *h->next_flow++);
    else if (heap_top(&h->gated)->id >= from)
        flow = heap_pop(&h->gated).id - from;
    else
        flow = started(h, gated_take(h));
    host_foresee_start(h);
    return flow;
}

void host_go_on(struct host *h, uint32_t flow, time_ps now) {
    struct host *first = host_first(h);
    heap_push(&first->gated, now, waited_from(first) + flow);
    host_foresee_start(first);
}

void host_feed(struct host *h, struct fed_gates fed, time_ps now) {
    struct host *first = host_first(h);
    gates_feed(first->shared->gates, &first->gated, fed, now);
    if (fed.n) host_foresee_start(first);
}

void host_begin_gate(struct host *h, uint32_t gate) {
    gates_begin(h->shared->gates, &h->gated, gate, 0);
    host_foresee_start(h);
}
