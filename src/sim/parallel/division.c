/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/parallel/division.h"

#include "base/memory.h"
#include "node/port.h"
#include "sim/engine/flight.h"

#include <stdlib.h>

/* Returns the wire bytes of the smallest frame, which may be a credit (AM-20). */
static uint32_t least_frame(const struct world_config *c) { return WIRE_MIN_BYTES - c->hosts.credit.spread; }

/* Makes a window whole slots, because a slot that is cut by the end of a window is run twice: leaves out a rest of at most a
 * fourth, or else makes slots shorter. */
static void window_fit(struct division *v) {
    if (v->window == TIME_NONE) return;
    if (v->window % v->slot > v->window / 4) v->slot = v->window / (v->window / v->slot + 1);
    v->window -= v->window % v->slot;
}

/* Sets the slot, the window and the border. A link counts with its highest possible rate, that of any rate event
 * included: a lower rate only lengthens serialization. */
static void division_times(struct division *v, const struct world_config *c) {
    const struct fabric *f = c->fabric;
    int64_t fastest = 1;
    for (size_t i = 0; i < f->n_events; i++)
        if (f->event[i].kind == EVENT_RATE) fastest = max_i64(fastest, f->event[i].value);
    v->slot = FLIGHT_LONGEST_SLOT;
    v->window = TIME_NONE;
    for (uint32_t g = 0; g < f->paths.first_port[f->n_nodes]; g++) {
        const struct place_port *p = &f->paths.port[g];
        span_ps ahead = p->delay + port_serialize_slow(max_i64(p->rate_bps, fastest), least_frame(c));
        v->slot = min_i64(v->slot, ahead);
        if (v->part[p->node] == v->part[p->neighbour]) continue;
        v->window = min_i64(v->window, ahead);
        if (v->ranks == 1 || division_rank(v, p->node) != division_rank(v, p->neighbour)) v->border[p->node] = true;
    }
    window_fit(v);
}

void division_make(struct division *v, const struct world_config *config, uint32_t ranks, uint32_t threads) {
    const struct fabric *f = config->fabric;
    *v = (struct division){.ranks = ranks,
                           .part = memory_get(f->n_nodes, sizeof *v->part),
                           .border = memory_get(f->n_nodes, sizeof *v->border)};
    v->parts = fabric_partition(f, ranks * threads, v->part);
    v->first = memory_get(ranks + 1, sizeof *v->first);
    for (uint32_t r = 0; r <= ranks; r++) v->first[r] = (uint32_t)((uint64_t)r * v->parts / ranks);
    division_times(v, config);
}

void division_free(struct division *v) {
    free(v->part);
    free(v->border);
    free(v->first);
    *v = (struct division){0};
}

uint32_t division_rank(const struct division *v, uint32_t node) {
    uint32_t rank = (uint32_t)((uint64_t)v->part[node] * v->ranks / v->parts);
    while (v->part[node] >= v->first[rank + 1]) rank++;
    return rank;
}
