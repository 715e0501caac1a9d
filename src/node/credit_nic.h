/* SPDX-License-Identifier: Apache-2.0 */
/* Whose credit a host sends next: the credit limiter of its NIC (XP-5, CLAIMS AM-9, AM-10).
 *
 * Receivers make credits at a pace of their own; the limiter lets through 84/1622 of the link. Two sets:
 *
 *     later   receivers by the time of their next credit
 *     due     those whose time has come, by class
 *
 * When the limiter may send, one of the due of the highest class is picked, each with the same chance, and makes its
 * credit. Meanwhile the others' credits are refused, which costs nothing: a receiver counts them when it is touched.
 * Void credits (XP-23, host.void_credits) go before all others: one for each 1538 bytes on the wire that came here
 * without a credit, to whoever sent the last of them. It takes its share of the limiters on the way, and admits
 * nothing, so the queues that took in those bytes get to drain. It goes in the highest class: among the credits of the
 * others a fifth of them would be dropped (docs/claims-expresspass.md, XP-23). Credits of the NIC are marked as
 * those of any port (mech/admit/credit_mark.h); refused ones count as dropped.
 *
 * The size of each credit is drawn here, not where it is made: sizes are independent of flows, and the limiter has to
 * know the next one before it is known whose it is (AM-20, credit_config.spread). Void credits have sizes like
 * others.
 *
 * Cost: O(log n) a credit that leaves, whatever the number of those that do not.
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

/* Of the pick after next the connection is fetched, of the third the place where its name stands. */
#define CREDIT_DRAWS 3

struct credit_nic {
    struct credit_limiter limiter;
    struct credit_mark mark;
    struct random_stream random;
    struct deadlines later;
    struct credit_set due[MAX_CLASSES];
    uint32_t draw[CREDIT_DRAWS]; /* decide the next picks, drawn ahead so that who they will be can be fetched */
    uint32_t spread;             /* of the sizes, bytes */
    uint16_t next_bytes;         /* wire bytes of the next credit that leaves */
    uint8_t due_classes;         /* bit k: due[k] is not empty */
    uint64_t owed_bytes;         /* came without a credit, and no void credit has been sent for them yet */
    struct packet owed;          /* the void credit for the last of them */
};

/* Owned by the caller; NULL if the hosts' settings have no credits. */
struct credit_nic *credit_nic_create(const struct credit_config *config, int64_t rate_bps, uint64_t seed, uint32_t node,
                                     uint32_t port);
void credit_nic_destroy(struct credit_nic *n);
void credit_nic_set_rate(struct credit_nic *n, const struct credit_config *config, int64_t rate_bps, time_ps now);
uint64_t credit_nic_bytes(const struct credit_nic *n);

/* The connection's next credit is due at `at`; TIME_NONE: it has none. */
void credit_nic_arm(struct credit_nic *n, struct connection *c, time_ps at);
/* Who may send a credit now, taken out of its set; NULL: nobody, or the limiter says no. */
struct connection *credit_nic_pick(struct credit_nic *n, time_ps now);
/* The picked connection made a credit, after `refused` that did not leave. It gets its size. */
void credit_nic_sent(struct credit_nic *n, struct packet *credit, uint64_t refused, time_ps now);
/* A frame without a credit has come (credit_is_missing). */
void credit_nic_owe(struct credit_nic *n, const struct packet *p);
static inline bool credit_nic_owes(const struct credit_nic *n) { return n->owed_bytes >= CREDIT_DATA_WIRE_BYTES; }
/* The void credit that may leave now, all but origin, into *credit; false: none is owed, or the limiter says no. */
bool credit_nic_void(struct credit_nic *n, struct packet *credit, time_ps now);
/* Who will probably be picked the time after next, as far as is known: `who[0]` if as many come due until then as
 * leave, `who[1]` if one more does. False: nobody is due. Has the place of the name of the one after that fetched, and
 * the line of whoever comes due next. */
bool credit_nic_foresee(const struct credit_nic *n, struct connection *who[2]);
/* When credit_nic_pick or credit_nic_void may find one; TIME_NONE. */
time_ps credit_nic_next(const struct credit_nic *n);

#endif
