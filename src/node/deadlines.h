/* The deadlines of a host's connections: a heap by time, then flow, then side. Its members know their place in it.
 *
 * Four children to a node, which fill one cache line: of a heap of thousands only the top stays in the cache, and each
 * level below costs a miss, so half the levels of a binary heap are half the cost. The time stands beside whose it is:
 * the heap is put in order without a look at the connections.
 */
#ifndef HEDDLE_NODE_DEADLINES_H
#define HEDDLE_NODE_DEADLINES_H

#include "base/types.h"

struct connection;

struct deadline {
    time_ps at;
    struct connection *of;
};

/* All zero: empty. */
struct deadlines {
    struct deadline *entry; /* entry[0] is the earliest */
    uint32_t n, size;
};

void deadlines_fini(struct deadlines *h);
/* At c->timer_at; c->heap_place is UINT32_MAX before. */
void deadlines_add(struct deadlines *h, struct connection *c);
/* c->timer_at is earlier now. */
void deadlines_hasten(struct deadlines *h, const struct connection *c);
/* Nothing if it does not stand there. */
void deadlines_remove(struct deadlines *h, struct connection *c);

#endif
