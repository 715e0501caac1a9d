/* SPDX-License-Identifier: Apache-2.0 */
/* The credit limiter of a host's NIC, and the choice of the flow whose credit leaves next (XP-5, AM-9, AM-10).
 *
 * Each receiver makes credits at its own pace; the limiter lets through 84/1622 of the link. Two sets:
 *
 *     later   receivers sorted by the time of their next credit
 *     due     receivers whose next credit is due, by class
 *
 * When the limiter is ready, a receiver among those due in the highest class is picked, each with equal probability,
 * and makes its credit. The credits of the others are refused meanwhile. That costs nothing here: a receiver counts its
 * refused credits later, when it is touched for another reason.
 * Void credits (XP-23, host.void_credits) precede all others: one for every 1538 wire bytes that arrived without a
 * credit, sent to the source of the last such frame. A void credit takes its share of the limiters on the path and
 * admits nothing, so the queues that those bytes filled can drain. It has the highest class, since among the other
 * credits a fifth of the void credits would be dropped (docs/papers/checks.md, XP-23). The NIC marks credits as
 * any port does (mech/admit/credit_mark.h); refused credits count as dropped.
 *
 * The size of each credit is drawn here, not by its receiver: sizes are independent of flows, and the limiter must know
 * the next size before a receiver is picked (AM-20, credit_config.spread). Void credits have such sizes too.
 *
 * Cost: O(log n) per credit that leaves, nothing for refused ones.
 */
#ifndef HEDDLE_NODE_CREDIT_NIC_H
#define HEDDLE_NODE_CREDIT_NIC_H

#include "node/credit_class.h"
#include "node/deadlines.h"
#include "wire/credit_header.h"

struct connection;

enum credit_stand { CREDIT_NOWHERE, CREDIT_LATER, CREDIT_DUE };

struct credit_set {
    struct connection **at;
    uint32_t n, size;
};

/* Random numbers drawn ahead so that credit_nic_foresee can prefetch: for the next pick, the second and the third. */
#define CREDIT_DRAWS 3

struct credit_nic {
    struct credit_limiter limiter;
    struct credit_mark mark;
    struct random_stream random;
    struct deadlines later;
    struct credit_set due[MAX_CLASSES];
    uint32_t draw[CREDIT_DRAWS]; /* random numbers of the next picks */
    uint32_t spread;             /* spread of credit sizes, bytes */
    uint16_t next_bytes;         /* wire bytes of the next credit that leaves */
    uint8_t due_classes;         /* bit k: due[k] is not empty */
    uint64_t owed_bytes;         /* wire bytes that came without a credit, less those answered by void credits */
    struct packet owed;          /* the void credit for the last frame without a credit */
};

/* Returns the credits of a NIC, which the caller owns; NULL if hosts have no credits. */
struct credit_nic *credit_nic_create(const struct credit_config *config, int64_t rate_bps, uint64_t seed, uint32_t node,
                                     uint32_t port);
void credit_nic_destroy(struct credit_nic *n);
void credit_nic_set_rate(struct credit_nic *n, const struct credit_config *config, int64_t rate_bps, time_ps now);
uint64_t credit_nic_bytes(const struct credit_nic *n);

/* Sets the time at which the connection's next credit is due; TIME_NONE: it has none. */
void credit_nic_arm(struct credit_nic *n, struct connection *c, time_ps at);
/* Picks the connection that may send a credit now. NULL: no credit is due, or the limiter is not ready. The caller arms
 * the connection next. Until then it is in no set; a connection that alone is due stays where it was, as the first of
 * `later`, since it mostly gets a later time there. */
struct connection *credit_nic_pick(struct credit_nic *n, time_ps now);
/* Sets the size of the credit that the picked connection has made, and spends its tokens. `refused` is the number of
 * the connection's credits that were refused before it. */
void credit_nic_sent(struct credit_nic *n, struct packet *credit, uint64_t refused, time_ps now);
/* Counts a frame that came without a credit (credit_is_missing). */
void credit_nic_owe(struct credit_nic *n, const struct packet *p);
static inline bool credit_nic_owes(const struct credit_nic *n) { return n->owed_bytes >= CREDIT_DATA_WIRE_BYTES; }
/* Sets *credit, except its origin and TTL, to the void credit that leaves now. False: none is owed, or the limiter is
 * not ready. */
bool credit_nic_void(struct credit_nic *n, struct packet *credit, time_ps now);
/* Sets who[] to the connections that will probably be picked after the next one: who[0] if the due set keeps its size
 * until then, who[1] if it grows by one. False: none is due. Prefetches the pointer to the one after that, and the
 * connection that comes due next. */
bool credit_nic_foresee(const struct credit_nic *n, struct connection *who[2]);
/* Returns when credit_nic_pick or credit_nic_void may succeed; TIME_NONE: not before the next change. */
static inline time_ps credit_nic_next(const struct credit_nic *n) {
    time_ps first = n->due_classes || credit_nic_owes(n) ? 0 : deadlines_next(&n->later);
    return first == TIME_NONE ? TIME_NONE : max_i64(first, credit_limiter_ready_at(&n->limiter));
}

#endif
