/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines of a host's connections, for their timers or for their next credits: a heap ordered by time, then flow,
 * then side. Each connection holds the place of its deadline, so that it can be removed.
 *
 * A node has four children, which fill one cache line. In a heap of thousands only the top stays in the cache and each
 * level below costs a miss; with half the levels of a binary heap it costs half as much. An entry has its time beside
 * the pointer to its connection, so that sorting does not touch the connections.
 *
 * With hundreds of deadlines only those before a horizon are in the heap; the others are in a calendar
 * (node/calendar.h), from which the heap takes a bucket when it is empty. So entry[0] is always the earliest of all. Its
 * time is kept beside the heap, where a host looks for it with every frame.
 */
#ifndef HEDDLE_NODE_DEADLINES_H
#define HEDDLE_NODE_DEADLINES_H

#include "node/calendar.h"

struct deadlines {
    struct deadline *entry; /* entry[0] is the earliest; n = 0: there are no deadlines, in the calendar neither */
    uint32_t n, size;
    uint32_t place_at;      /* offset in a connection of its place, a uint32_t; PLACE_NONE: it has no deadline here */
    uint32_t limit;         /* largest heap; above it the deadlines are spread over the calendar */
    time_ps next;           /* the earliest deadline; TIME_NONE */
    struct calendar *later; /* NULL: none yet. Deadlines from later->horizon on are there; TIME_NONE: none is */
};

void deadlines_init(struct deadlines *h, size_t place_at);
void deadlines_fini(struct deadlines *h);
uint64_t deadlines_bytes(const struct deadlines *h);
/* Adds the deadline of a connection, which must have none here. */
void deadlines_add(struct deadlines *h, struct connection *c, time_ps at);
/* Moves the deadline of a connection, which must have one here, to an earlier time. */
void deadlines_hasten(struct deadlines *h, struct connection *c, time_ps at);
/* Moves the deadline of a connection, which must have one here, to another time. */
void deadlines_move(struct deadlines *h, struct connection *c, time_ps at);
/* Removes the deadline of a connection; does nothing if it has none here. */
void deadlines_remove(struct deadlines *h, struct connection *c);

/* Returns the earliest deadline, or TIME_NONE. */
static inline time_ps deadlines_next(const struct deadlines *h) { return h->next; }
/* Returns whether one deadline is due at `now`, and no more. May also return false when the calendar holds deadlines of
 * that time, since it does not look at them. */
bool deadlines_one_due(const struct deadlines *h, time_ps now);

#endif
