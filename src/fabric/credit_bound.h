/* SPDX-License-Identifier: Apache-2.0 */
/* Largest backlog of a data queue where credits admit all data (ExpressPass, XP-9; SprayPass SP-23).
 *
 * Consider the data queue at port p of a switch. Its credits arrive over the same link in the other direction, no
 * faster than the credit limiter at the far end of the link lets them pass. A credit leaves the switch by port u and
 * reaches the sender; its data comes back over the same links. Let d be the time from the credit's arrival at the
 * switch to the arrival of the last bit of its data. At worst the data of a time d_max - d_min arrives at once, so the
 * queue needs
 *
 *     buffer(p) = rate(p) x window(p),     window(p) = d_max(p) - d_min(p) + burst(p)
 *
 * where burst is the time worth of credits that the limiter's bucket lets pass at once (168 bytes: two credits, so two
 * gaps of 1622 bytes). Let q be the far end's data port towards this switch over u, and `wait` the limiter's time for a
 * full credit queue:
 *
 *     d_min(p) = min over u of  84/rate(u) + delay(u) + d_min(q) + 84/rate(q) + delay(q)
 *     d_max(p) = max over u of  wait(u) + (1538 + 84)/rate(u) + delay(u) + d_max(q)
 *                               + window(q) + bucket/rate(q) + 1538/rate(q) + delay(q)
 *
 *     84/rate            a credit, or the smallest data frame        1538/rate    a full frame
 *     wait               queue x 84 bytes of credits leave (AM-39); in addition a data frame may be on the wire
 *     window(q)          time in which q's full queue drains: data has 1538/1622 of the rate, and the same share of
 *                        the frames that may arrive in a window; a bucket of credits goes before it
 *     d(host)            two traversals of the stack, and at most the time `hold` that a sender keeps a credit
 *
 * If credit sizes are drawn from 84 +- spread, the limiter lets more small credits pass: the window is 84/(84 - spread)
 * times as long, d_min has the smallest credit, and a queue for one credit may hold the largest. This presumes that drops
 * do not depend on size. A queue limited in bytes (AM-39) that is nearly always full refuses large credits more often, so
 * the credits that leave are smaller than 84 bytes on average, data exceeds the link by that share, and the data queue
 * grows above the bound for as long as that lasts. Runs report it (credits.queues_over_bound).
 *
 * u runs over the ports from which data for p may come: every other port if p is a downlink or leads to a peer,
 * downlinks and peer ports if p is an uplink. So ToR downlinks depend on agg downlinks, these on core downlinks, these
 * on agg uplinks, these on ToR uplinks, these on hosts. There is no bound where links between peers form a cycle, or
 * where credits have more than 84/1622 of a link.
 *
 * wait = queue x gap, gap = 84 B / (share x rate), unless the bucket is so shallow that it overflows while a data frame
 * is on the wire: then the tokens that may be lost are added for each credit. All rates and delays are nominal, as
 * built. The bound does not hold between a failure and its withdrawal (AM-11). Frames without credit (requests, unscheduled data) add to it (XP-13).
 */
#ifndef HEDDLE_FABRIC_CREDIT_BOUND_H
#define HEDDLE_FABRIC_CREDIT_BOUND_H

#include "fabric/fabric.h"

#define CREDIT_UNBOUNDED UINT64_MAX

struct credit_bound_spec {
    uint32_t credit_queue;    /* credits of 84 bytes that a port holds (XP-7) */
    uint32_t credit_spread;   /* credit sizes are 84 +- this many wire bytes (AM-20) */
    int64_t share_ppb;        /* credits' share of each link's rate; 0 = 84/1622 (XP-4) */
    int64_t burst_bytes;      /* depth of the token bucket (AM-9) */
    span_ps processing_delay; /* per stack traversal, each way (AM-15) */
    span_ps hold;             /* longest time a sender keeps a credit before it uses it (SP-12); 0: none */
};

struct credit_bound;
struct credit_bound *credit_bound_create(const struct fabric *f, const struct credit_bound_spec *spec);
void credit_bound_destroy(struct credit_bound *b);

/* Returns the wire bytes of data that can wait at a port, given by its global number; hosts' ports too. 0: no data can
 * arrive there; CREDIT_UNBOUNDED: no bound. */
uint64_t credit_bound_bytes(const struct credit_bound *b, uint32_t port);
/* Returns the largest bound of a tier's uplinks (peer ports included) or downlinks; 0 if there are none. */
uint64_t credit_bound_tier_bytes(const struct credit_bound *b, enum tier tier, bool upwards);
/* Sets *least and *most to d_min and d_max of a port; false if it has no bound or no data can arrive there. */
bool credit_bound_delays(const struct credit_bound *b, uint32_t port, span_ps *least, span_ps *most);

#endif
