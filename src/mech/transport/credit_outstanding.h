/* SPDX-License-Identifier: Apache-2.0 */
/* The credits that a receiver has outstanding: sent, and neither answered by data nor known to be lost. Used with
 * `credit_end: size` alone (credit_receiver.h).
 *
 * A credit leaves the set in one of four ways:
 *
 *   answered  data that used it arrives
 *   passed    data arrives that used a later credit of the same path. Links, and senders that keep credits, preserve
 *             the order of a path, so the credit was dropped or wasted
 *   expired   it is older than the receiver waits for an answer. The last credits of a path have no later one
 *   cleared   the sender stopped: it drops all credits that it has and that arrive
 *
 * Numbers that the receiver's own limiter refused are never in the set. A credit that left the set wrongly, because an
 * order was not preserved or an answer took longer, costs one credit more than needed; its answer then finds nothing.
 *
 * Credits lie in order of their numbers, and so of their times, in pages linked from the oldest to the newest. A page
 * is a cell of env->cells; the first stays to the end of the flow. Cost: a write for each credit; for each data frame a
 * walk from the oldest outstanding credit to the one it used, which is the oldest unless credits were lost or paths
 * differ in delay.
 */
#ifndef HEDDLE_MECH_TRANSPORT_CREDIT_OUTSTANDING_H
#define HEDDLE_MECH_TRANSPORT_CREDIT_OUTSTANDING_H

#include "base/cells.h"

struct credit_sent {
    time_ps at;
    uint32_t number;
    uint16_t path;
    bool gone; /* left the set, but an older one of another path did not */
};

struct credit_page {
    struct credit_page *next;
    struct credit_sent sent[];
};

struct credit_outstanding {
    struct credit_page *first, *last; /* NULL before the first credit */
    uint32_t n;                       /* credits in the set */
    uint16_t from, to;                /* place of the oldest in `first`, and of the next one in `last` */
};

/* Adds a credit with a number above all before; `cells` has room for one credit at least (credit_page_bytes). */
void credit_outstanding_add(struct credit_outstanding *o, struct cell_pool *cells, time_ps at, uint32_t number,
                            uint16_t path);
/* Takes out the credit with this number and all earlier ones of its path. Does nothing if it is not in the set. */
void credit_outstanding_answer(struct credit_outstanding *o, struct cell_pool *cells, uint32_t number);
/* Takes out all credits sent at `at` or before. */
void credit_outstanding_expire(struct credit_outstanding *o, struct cell_pool *cells, time_ps at);
void credit_outstanding_clear(struct credit_outstanding *o, struct cell_pool *cells); /* gives all pages back */

/* Returns when the oldest credit was sent; TIME_NONE if there is none. */
static inline time_ps credit_outstanding_oldest(const struct credit_outstanding *o) {
    return o->n > 0 ? o->first->sent[o->from].at : TIME_NONE;
}

/* Returns the least bytes of a cell for pages. */
static inline size_t credit_page_bytes(void) { return sizeof(struct credit_page) + 8 * sizeof(struct credit_sent); }

#endif
