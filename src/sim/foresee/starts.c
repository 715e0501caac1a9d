/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/foresee/starts.h"

#include "base/gates.h"
#include "base/memory.h"

#include <stdlib.h>

struct rehearsal {
    const struct world_config *config;
    starts_span span;
    const struct gates *gates;
    struct gate_state state;
    struct heap due, ends; /* what gates do, and the flows that end */
    time_ps *start;
};

static void flow_starts(struct rehearsal *r, uint32_t flow, time_ps at) {
    r->start[flow] = at;
    heap_push(&r->ends, at + r->span(r->config, &r->config->flows->flow[flow]), flow);
}

static void next_due(struct rehearsal *r) {
    time_ps at = heap_top(&r->due)->key;
    uint32_t place = gates_take(&r->state, &r->due);
    if (place != FLOW_NONE) flow_starts(r, r->gates->gated[place], at);
}

static void next_end(struct rehearsal *r) {
    struct heap_entry e = heap_pop(&r->ends);
    gates_feed(&r->state, &r->due, gates_of_received(r->gates, e.id), e.key);
    gates_feed(&r->state, &r->due, gates_of_acked(r->gates, e.id), e.key);
}

static void begin(struct rehearsal *r) {
    const struct flow_list *flows = r->config->flows;
    for (uint32_t i = 0; i < flows->n; i++)
        if (flows->flow[i].start != TIME_NONE) flow_starts(r, i, flows->flow[i].start);
    for (uint32_t g = 0; g < r->gates->n_gates; g++)
        if (r->gates->gate[g].needs == 0) gates_begin(&r->state, &r->due, g, 0);
}

time_ps *starts_foreseen(const struct world_config *config, starts_span span) {
    struct rehearsal r = {.config = config, .span = span, .gates = &config->flows->gates};
    if (r.gates->n_gates == 0) return NULL;
    gate_state_init(&r.state, r.gates);
    heap_init(&r.due);
    heap_init(&r.ends);
    r.start = memory_get(config->flows->n, sizeof *r.start);
    begin(&r);
    while (heap_top(&r.due) || heap_top(&r.ends)) {
        const struct heap_entry *due = heap_top(&r.due), *end = heap_top(&r.ends);
        if (due && (!end || due->key <= end->key))
            next_due(&r);
        else
            next_end(&r);
    }
    gate_state_fini(&r.state);
    heap_fini(&r.due);
    heap_fini(&r.ends);
    return r.start;
}
