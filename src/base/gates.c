/* SPDX-License-Identifier: Apache-2.0 */
#include "base/gates.h"

#include "base/memory.h"

#include <stdlib.h>

/* Ids in the heap of what is due: places in gated[] are flows that start, the numbers behind them gates that end, and the last
 * ones gates that begin. */
static uint32_t end_of(const struct gates *g, uint32_t gate) { return g->n_gated + gate; }
static uint32_t begin_of(const struct gates *g, uint32_t gate) { return g->n_gated + g->n_gates + gate; }

void gate_state_init(struct gate_state *s, const struct gates *gates) {
    *s = (struct gate_state){.gates = gates};
    if (gates->n_gates == 0) return;
    s->needs = memory_get(gates->n_gates, sizeof *s->needs);
    s->behind = memory_get(gates->n_gates, sizeof *s->behind);
    s->processor = memory_get(gates->n_processors, sizeof *s->processor);
    for (uint32_t i = 0; i < gates->n_gates; i++) {
        s->needs[i] = gates->gate[i].needs;
        s->behind[i] = FLOW_NONE;
    }
    for (uint32_t i = 0; i < gates->n_processors; i++) s->processor[i] = (struct gate_processor){FLOW_NONE, FLOW_NONE};
}

void gate_state_fini(struct gate_state *s) {
    free(s->needs);
    free(s->behind);
    free(s->processor);
    *s = (struct gate_state){0};
}

/* Begins a gate. One that nothing follows is simple: its flows are all that is due. */
static void gate_run(struct gate_state *s, struct heap *due, uint32_t number, time_ps now) {
    const struct gate *g = &s->gates->gate[number];
    if (g->n_on_begin) gates_feed(s, due, (struct fed_gates){s->gates->follow + g->next, g->n_on_begin}, now);
    if (g->processor || g->n_on_end) {
        heap_push(due, now + g->delay, end_of(s->gates, number));
        return;
    }
    for (uint32_t i = 0; i < g->n; i++) heap_push(due, now + g->delay, g->first + i);
}

void gates_begin(struct gate_state *s, struct heap *due, uint32_t gate, time_ps now) {
    const struct gate *g = &s->gates->gate[gate];
    if (g->processor) {
        struct gate_processor *p = &s->processor[g->processor - 1];
        bool waits = p->running != FLOW_NONE;
        if (waits)
            s->behind[p->last] = gate;
        else
            p->running = gate;
        p->last = gate;
        if (waits) return;
    }
    /* a gate that others count from its begin on begins as an event: a chain of such gates is no chain of calls */
    if (g->n_on_begin)
        heap_push(due, now, begin_of(s->gates, gate));
    else
        gate_run(s, due, gate, now);
}

void gates_feed(struct gate_state *s, struct heap *due, struct fed_gates fed, time_ps now) {
    for (uint32_t k = 0; k < fed.n; k++)
        if (--s->needs[fed.gate[k]] == 0) gates_begin(s, due, fed.gate[k], now);
}

static void processor_free(struct gate_state *s, struct heap *due, uint32_t gate, time_ps now) {
    struct gate_processor *p = &s->processor[s->gates->gate[gate].processor - 1];
    uint32_t next = p->running = s->behind[gate];
    if (next == FLOW_NONE) return;
    if (s->gates->gate[next].n_on_begin)
        heap_push(due, now, begin_of(s->gates, next));
    else
        gate_run(s, due, next, now);
}

static void gate_end(struct gate_state *s, struct heap *due, uint32_t number, time_ps now) {
    const struct gate *g = &s->gates->gate[number];
    for (uint32_t i = 0; i < g->n; i++) heap_push(due, now, g->first + i);
    if (g->processor) processor_free(s, due, number, now);
    const uint32_t *on_end = s->gates->follow + g->next + g->n_on_begin;
    if (g->n_on_end) gates_feed(s, due, (struct fed_gates){on_end, g->n_on_end}, now);
}

uint32_t gates_take(struct gate_state *s, struct heap *due) {
    const struct gates *g = s->gates;
    struct heap_entry e = heap_pop(due);
    if (e.id < g->n_gated) return e.id;
    uint32_t number = e.id - g->n_gated;
    if (number < g->n_gates)
        gate_end(s, due, number, e.key);
    else
        gate_run(s, due, number - g->n_gates, e.key);
    return FLOW_NONE;
}
