/* SPDX-License-Identifier: Apache-2.0 */
/* The largest number of bytes that a switch holds at one time: in its ingress queues and its crossbar, in its egress queues,
 * and on its wires, as the backlogs of node/port.h count them.
 *
 * A switch holds most just after a frame has arrived. Adding up all queues at every arrival would cost too much, and keeping
 * the sum would cost an event for every frame that leaves an analytic port. So an upper bound is kept: the sum when it was
 * last taken, and the bytes of all frames since. Only a frame that lifts the bound over the largest sum so far can set a new
 * one, and only then the sum is taken again. The result is exact, and the same whichever way a driver runs the switch:
 *
 *    analytic ports     the sum is taken after the frame has its departure
 *    ports with classes it is taken before the frame joins its queue, when all services that are due have been carried out
 *                       (a driver that defers services asks switch_fills first), and the frame is added if it is not refused
 *    a crossbar         likewise, before the frame joins its ingress queue
 *
 * Frames that a switch makes itself lift the bound, and count from the next arrival on; credits and pause frames only while
 * they are on the wire. Nothing here has an effect on any frame. Cost: an addition and a comparison for each frame.
 */
#ifndef HEDDLE_NODE_BUFFER_H
#define HEDDLE_NODE_BUFFER_H

#include "wire/packet.h"

struct fabric_switch;

struct buffer_watch {
    int64_t bound_bytes; /* at least what the switch holds */
    int64_t max_bytes;   /* the largest sum so far */
};

/* Returns whether the switch may hold more than ever with this frame; does not count it. */
static inline bool buffer_may_grow(const struct buffer_watch *b, const struct packet *p) {
    return b->bound_bytes + p->wire_bytes > b->max_bytes;
}

/* Counts a frame in the bound. Returns whether the switch may hold more than ever with it: the sum is to be taken. */
static inline bool buffer_fills(struct buffer_watch *b, const struct packet *p) {
    return __builtin_expect((b->bound_bytes += p->wire_bytes) > b->max_bytes, 0);
}

/* Makes the next frame take the sum: after a change of rate a backlog in time is another one in bytes. */
static inline void buffer_forget(struct buffer_watch *b) { b->bound_bytes = INT64_MAX / 2; }

/* Returns the bytes that the switch holds at `now`; services before it must have been carried out. */
int64_t switch_held_bytes(const struct fabric_switch *sw, time_ps now);
/* Takes over a sum. */
void switch_note_held(struct fabric_switch *sw, int64_t bytes);
/* Returns the largest sum so far, and begins it anew with the sum of `now`; services before it must have been carried out. */
int64_t switch_most_restart(struct fabric_switch *sw, time_ps now);

#endif
