/* SPDX-License-Identifier: Apache-2.0 */
/* Phantom queue: the queue that a link slower than the real one would have (HULL, NSDI 2012).
 *
 * A counter of wire bytes, drained at a share of the link's rate (0.95, XP-27). A frame adds its wire bytes as
 * it leaves the port, ACKs and frames that are not ECN-capable too (AM-12). It is marked CE if it is ECN-capable
 * and finds more than the threshold. Nothing is stored or dropped: the real queue stays nearly empty because senders
 * keep their total rate below that share.
 *
 * The counter is kept as time: `drained_at` is when it would be 0. So a frame costs a comparison, a multiplication and
 * no division, and no timer is needed. Byte times have 16 bits of fraction: the drain is exact to a part in a million
 * up to 400 Gbps.
 *
 * A port calls phantom_pass once for each frame that the link takes, in the order of departure, with the instant at
 * which the frame's first bit leaves. An analytic port knows that instant at enqueue: now + backlog; one with classes
 * calls at service. Frames that the buffer refuses do not count.
 *
 *     phantom_init(&x->phantom, rate_bps, drain_ppb, threshold_bytes);       at start; else phantom_set
 *     if (phantom_pass(&x->phantom, depart - serialization, pkt)) x->marked++;
 *
 * threshold_bytes: as admit_limits_of computes it for the port's rate (mech/admit/admit.h). drain_ppb: parts per
 * thousand million, default PHANTOM_DRAIN_PPB.
 */
#ifndef HEDDLE_MECH_ADMIT_PHANTOM_H
#define HEDDLE_MECH_ADMIT_PHANTOM_H

#include "wire/packet.h"

#define PHANTOM_DRAIN_PPB 950000000

struct phantom {
    time_ps drained_at;
    uint64_t ps_per_byte_q16; /* time of a byte on the slower link */
    span_ps threshold_ps;     /* threshold as time of the slower link */
    uint64_t rest_q16;        /* fraction of a picosecond, carried */
};

/* Changes rate or threshold; the bytes in the counter stay, and drain at the new rate. drain_ppb > 0, rate_bps > 0. */
void phantom_set(struct phantom *q, time_ps now, int64_t rate_bps, int64_t drain_ppb, int64_t threshold_bytes);
/* Creates an empty counter. */
void phantom_init(struct phantom *q, int64_t rate_bps, int64_t drain_ppb, int64_t threshold_bytes);
/* Returns the wire bytes in the counter, rounded down; for tests and samples. */
int64_t phantom_bytes(const struct phantom *q, time_ps now);

/* Counts the frame; returns true if it marks it. A frame that arrived marked is not marked again. */
static inline bool phantom_pass(struct phantom *q, time_ps leaves_at, struct packet *p) {
    time_ps from = q->drained_at > leaves_at ? q->drained_at : leaves_at;
    uint64_t more = p->wire_bytes * q->ps_per_byte_q16 + q->rest_q16;
    q->drained_at = from + (span_ps)(more >> 16);
    q->rest_q16 = more & 0xffff;
    if (__builtin_expect(from - leaves_at <= q->threshold_ps, 1)) return false;
    uint8_t ecn = p->tos & ECN_MASK;
    if (ecn == ECN_NOT || ecn == ECN_CE) return false;
    p->tos |= ECN_CE;
    return true;
}

#endif
