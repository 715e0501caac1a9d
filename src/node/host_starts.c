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

uint32_t host_take_start(struct host *h) {
    uint32_t flow = FLOW_NONE;
    if (listed_start(h) <= h->start_at) {
        flow = *h->next_flow++;
    } else {
        uint32_t place = gates_take(h->shared->gates, &h->gated);
        if (place != FLOW_NONE) {
            flow = h->shared->gates->gates->gated[place];
            h->shared->tally[flow].started_at = h->start_at;
        }
    }
    host_foresee_start(h);
    return flow;
}

void host_feed(struct host *h, struct fed_gates fed, time_ps now) {
    gates_feed(h->shared->gates, &h->gated, fed, now);
    if (fed.n) host_foresee_start(h);
}

void host_begin_gate(struct host *h, uint32_t gate) {
    gates_begin(h->shared->gates, &h->gated, gate, 0);
    host_foresee_start(h);
}
