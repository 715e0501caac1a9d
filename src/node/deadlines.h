/* SPDX-License-Identifier: Apache-2.0 */
/* What comes when to a host's connections, their timers or their next credits: a heap by time, then flow, then side.
 * Its members know their place in it.
 *
 * Four children to a node, which fill one cache line: of a heap of thousands only the top stays in the cache, and each
 * level below costs a miss, so half the levels of a binary heap are half the cost. The time stands beside whose it is:
 * the heap is put in order without a look at the connections.
 *
 * With hundreds of them only those of the near future are in the heap, before `horizon`; the others lie in a calendar
 * (node/calendar.h) until it is empty. So the earliest of all is always entry[0].
 */
#ifndef HEDDLE_NODE_DEADLINES_H
#define HEDDLE_NODE_DEADLINES_H

#include "node/calendar.h"

struct deadlines {
    struct deadline *entry; /* entry[0] is the earliest; n = 0: there are none at all */
    uint32_t n, size;
    uint32_t place_at; /* offset in a connection of its place, a uint32_t; PLACE_NONE there: not among these */
    uint32_t limit;    /* so many in the heap are too many */
    time_ps horizon;   /* from here on they are in the calendar; TIME_NONE: it holds none */
    struct calendar *later;
};

void deadlines_init(struct deadlines *h, size_t place_at);
void deadlines_fini(struct deadlines *h);
uint64_t deadlines_bytes(const struct deadlines *h);
/* It must not stand there. */
void deadlines_add(struct deadlines *h, struct connection *c, time_ps at);
/* It does, and comes earlier now. */
void deadlines_hasten(struct deadlines *h, struct connection *c, time_ps at);
/* Nothing if it does not stand there. */
void deadlines_remove(struct deadlines *h, struct connection *c);

/* Of the earliest; TIME_NONE: there is none. */
static inline time_ps deadlines_next(const struct deadlines *h) { return h->n ? h->entry[0].at : TIME_NONE; }

#endif
