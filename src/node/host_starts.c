/* SPDX-License-Identifier: Apache-2.0 */
/* The next flow that starts at a host: from its list, or from a gate that has opened. */
#include "node/host_inside.h"

static time_ps listed_start(const struct host *h) {
    return h->next_flow < h->end_flow ? h->shared->flow[*h->next_flow].start : TIME_NONE;
}

void host_foresee_start(struct host *h) {
    const struct heap_entry *gated = heap_top(&h->gated);
    h->start_at = min_i64(listed_start(h), gated ? gated->key : TIME_NONE);
}

uint32_t host_take_start(struct host *h) {
    uint32_t flow;
    if (listed_start(h) <= h->start_at) {
        flow = *h->next_flow++;
    } else {
        struct heap_entry e = heap_pop(&h->gated);
        flow = h->shared->gates->gated[e.id];
        h->shared->tally[flow].started_at = e.key;
    }
    host_foresee_start(h);
    return flow;
}

void host_feed(struct host *h, struct fed_gates fed, time_ps now) {
    for (uint32_t k = 0; k < fed.n; k++) {
        if (--h->shared->gate_needs[fed.gate[k]] > 0) continue;
        const struct gate *g = &h->shared->gates->gate[fed.gate[k]];
        for (uint32_t i = 0; i < g->n; i++) heap_push(&h->gated, now + g->delay, g->first + i);
    }
    if (fed.n) host_foresee_start(h);
}
