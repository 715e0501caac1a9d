/* SPDX-License-Identifier: Apache-2.0 */
/* Gates at work (struct gate, base/views.h): what hosts do when flows have ended, for the simulator and for real hosts.
 *
 *     gates_feed(&state, &host->due, gates_of_received(gates, flow), now);
 *     while (heap_top(&host->due) && heap_top(&host->due)->key <= now) {
 *         uint32_t flow = gates_take(&state, &host->due);
 *         if (flow != FLOW_NONE) start it;
 *     }
 *
 * A host has a heap of what is due: flows that start, and gates that begin or end. At one instant flows come first, then
 * gates that end, then gates that begin, each in the order of their numbers. Gates and processors belong to one host, so
 * hosts on several threads share the state and touch their own entries alone.
 */
#ifndef HEDDLE_BASE_GATES_H
#define HEDDLE_BASE_GATES_H

#include "base/heap.h"
#include "base/views.h"

/* A processor: the gate that it carries out, and the gates that wait for it. */
struct gate_processor {
    uint32_t running; /* FLOW_NONE: none */
    uint32_t last;    /* the gate that began or came to wait last */
};

struct gate_state {
    const struct gates *gates;
    uint32_t *needs;                  /* [n_gates] flows and gates that each still needs */
    uint32_t *behind;                 /* [n_gates] the gate that waits behind it for its processor; FLOW_NONE: none */
    struct gate_processor *processor; /* [n_processors] */
};

/* Makes the state at the begin of a run; the caller frees it by gate_state_fini. Without gates nothing is allocated. */
void gate_state_init(struct gate_state *s, const struct gates *gates);
void gate_state_fini(struct gate_state *s);

/* Lets a gate that needs nothing begin, at `now`, with the heap of its host. */
void gates_begin(struct gate_state *s, struct heap *due, uint32_t gate, time_ps now);
/* Counts an end for each gate of `fed`, all of one host. */
void gates_feed(struct gate_state *s, struct heap *due, struct fed_gates fed, time_ps now);
/* Returns the first id that gates do not use in the heap of what is due. */
static inline uint32_t gates_ids(const struct gates *g) { return g->n_gated + 2 * g->n_gates; }
/* Takes what is due first, which must be something, and carries it out. Returns the place in gated[] of a flow that starts
 * now; FLOW_NONE: no flow does. */
uint32_t gates_take(struct gate_state *s, struct heap *due);

#endif
