/* SPDX-License-Identifier: Apache-2.0 */
/* A switch's view of the routes in force: next hops from any switch to any rack at the time of the query.
 *
 * Expeditus queries only its own switch (its forwarding table, EXP-46); Clairvoyant queries all. Time never goes back.
 */
#ifndef HEDDLE_MECH_BALANCE_FIB_H
#define HEDDLE_MECH_BALANCE_FIB_H

#include "base/views.h"

struct fib {
    const struct path_view *paths;
    uint32_t state; /* index of the state in force at the last query */
};

/* Returns the number of next hops and sets *port to them. 0: no route, no such rack, or the switch is the rack's
 * own. */
static inline uint16_t fib_hops(struct fib *f, uint32_t node, uint32_t leaf, time_ps now, const uint16_t **port) {
    const struct path_view *v = f->paths;
    if (leaf >= v->n_leaves) return 0;
    while (f->state + 1 < v->n_states && v->state[f->state + 1].from <= now) f->state++;
    const struct route_row *row = &v->state[f->state].row[node - v->n_hosts];
    const uint16_t *to = &row->to_leaf[leaf];
    if (*to == ROUTE_NONE) return 0;
    *port = to;
    if (!(*to & ROUTE_SET)) return 1;
    const struct next_hops *set = &row->set[*to & ~ROUTE_SET];
    *port = set->port;
    return set->n;
}

#endif
