/* SPDX-License-Identifier: Apache-2.0 */
/* Links as the simulator sees them: rings of frames in flight.
 *
 * A ring holds the frames that the sender has put on a link, in the order of arrival. That includes queued frames: an
 * analytic port knows at enqueue when a frame will arrive. Sending and receiving ends lie in separate arrays, each in
 * the order of its own node's ports. The entry after the last holds TIME_NONE, so the receiver needs no count. The ring
 * of a link between partitions belongs to the receiving side; the sender's end only tells where frames go
 * (sim/exchange.h).
 */
#ifndef HEDDLE_SIM_LINK_H
#define HEDDLE_SIM_LINK_H

#include "base/types.h"

struct ring_entry {
    time_ps at; /* when the last bit has arrived (and, at a host, passed up the stack) */
    uint32_t packet;
    uint32_t far; /* it arrives beyond the wheel's reach: the receiver marks its slot once it is first */
};

struct link_out {            /* sending end, half a cache line */
    struct ring_entry *ring; /* NULL: the receiver is in another partition */
    span_ps delay;           /* propagation, and the receiving host's delay up the stack */
    uint32_t tail, mask;
    uint32_t head_seen; /* receiver's head when the sender last read it */
    uint32_t input;     /* input of the receiving partition */
};

struct link_in { /* receiving end; a node's timers are an input too, without a ring */
    struct ring_entry *ring;
    uint32_t head, mask;
    uint32_t node; /* index in the partition's node list */
    uint16_t port;
    uint16_t is_timer;
    span_ps stack; /* the host's part of `delay` */
};

#define RING_FIRST_SIZE 8

/* Creates an empty ring; sets both ends. */
void link_create(struct link_out *out, struct link_in *in);
void link_destroy(struct link_in *in);
/* Doubles a ring that is full. */
void link_grow(struct link_out *out, struct link_in *in);

/* Puts a frame on the link. */
static inline void link_push(struct link_out *out, struct link_in *ins, time_ps at, uint32_t packet, uint32_t far) {
    if (__builtin_expect(out->tail - out->head_seen >= out->mask, 0)) {
        struct link_in *in = &ins[out->input];
        out->head_seen = in->head;
        if (out->tail - out->head_seen >= out->mask) link_grow(out, in);
    }
    out->ring[(out->tail + 1) & out->mask].at = TIME_NONE;
    struct ring_entry *e = &out->ring[out->tail++ & out->mask];
    e->at = at;
    e->packet = packet;
    e->far = far;
}

static inline uint32_t link_length(const struct link_in *in) {
    uint32_t n = 0;
    while (in->ring && in->ring[(in->head + n) & in->mask].at != TIME_NONE) n++;
    return n;
}

#endif
