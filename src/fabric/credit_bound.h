/* SPDX-License-Identifier: Apache-2.0 */
/* How much data a queue can hold where all data answers credits (ExpressPass, CLAIMS XP-9; SprayPass SP-23).
 *
 * Take the queue of data at port p of a switch. Its credits come in over the same link the other way, no faster than
 * the credit limiter at the link's far end lets them pass. A credit goes on over port u of the switch, reaches the
 * sender, and its data comes back over the same links. Let d be the time from the credit's arrival at the switch until
 * the last bit of its data arrives. At worst all data of a time d_max - d_min arrives at once, so the queue needs
 *
 *     buffer(p) = rate(p) x window(p),     window(p) = d_max(p) - d_min(p) + burst(p)
 *
 * where burst is what the limiter's bucket lets pass at once (168 bytes: two credits, so two gaps of 1622 bytes). With
 * q the far end's data port towards this switch over u, and `pace` the time in which the limiter lets a credit pass,
 *
 *     d_min(p) = min over u of  84/rate(u) + delay(u) + d_min(q) + 84/rate(q) + delay(q)
 *     d_max(p) = max over u of  queue x pace(u) + (1538 + 84)/rate(u) + delay(u) + d_max(q)
 *                               + window(q) + bucket/rate(q) + 1538/rate(q) + delay(q)
 *
 *     84/rate            a credit, or the least frame of data        1538/rate    a full frame
 *     queue x pace       all places of the credit queue are taken; a frame of data may hold the wire besides
 *     window(q)          time in which q's queue drains when full: data has 1538/1622 of the rate, and as much
 *                        of what may come in a window; a bucket of credits goes before it
 *     d(host)            two traversals of the stack, and at most `hold` that a sender keeps a credit
 *
 * Where sizes of credits are drawn from 84 +- spread the limiter lets more of the small ones pass: the window is
 * 84/(84 - spread) times as long, d_min has the smallest credit, and the places of the queue are taken by the largest.
 *
 * u goes over the ports that data for p may come from: any other for a port downwards, lower ones (and peers) for one
 * upwards. So ToR down depends on agg down, that on core down, that on agg up, that on ToR up, that on the host. Where
 * links between peers make a circle there is no bound, nor where credits have more than 84/1622 of a link.
 *
 * pace = gap = 84 B / (share x rate), unless the bucket is so shallow that tokens spill while a frame of data holds the
 * wire: then what may spill is added. All rates and delays are nominal, as built; between a failure and its withdrawal
 * the bound does not hold (AM-11). Frames that need no credit (requests, the unscheduled) come on top (XP-13).
 */
#ifndef HEDDLE_FABRIC_CREDIT_BOUND_H
#define HEDDLE_FABRIC_CREDIT_BOUND_H

#include "fabric/fabric.h"

#define CREDIT_UNBOUNDED UINT64_MAX

struct credit_bound_spec {
    uint32_t credit_queue;    /* credits that a port holds (XP-7) */
    uint32_t credit_spread;   /* sizes are 84 +- that many wire bytes (AM-20) */
    int64_t share_ppb;        /* of each link's rate for credits; 0 = 84/1622 (XP-4) */
    int64_t burst_bytes;      /* depth of the token bucket (AM-9) */
    span_ps processing_delay; /* per stack traversal, each way (AM-15) */
    span_ps hold;             /* longest time a sender keeps a credit before it uses it (SP-12); 0: none */
};

struct credit_bound;
struct credit_bound *credit_bound_create(const struct fabric *f, const struct credit_bound_spec *spec);
void credit_bound_destroy(struct credit_bound *b);

/* Wire bytes of data that can wait at a port, by its global number; hosts' ports too. 0: no data can come. */
uint64_t credit_bound_bytes(const struct credit_bound *b, uint32_t port);
/* The most of all ports of a tier that lead upwards (peers count as such) or downwards; 0 if there are none. */
uint64_t credit_bound_tier_bytes(const struct credit_bound *b, enum tier tier, bool upwards);
/* d_min and d_max of a port; false if it has no bound or no data can come. */
bool credit_bound_delays(const struct credit_bound *b, uint32_t port, span_ps *least, span_ps *most);

#endif
