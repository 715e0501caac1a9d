/* SPDX-License-Identifier: Apache-2.0 */
/* Equal-cost choices of the routes: next hops of a switch for a rack, and the number of paths that a credit may pin
 * between two NICs. */
#ifndef HEDDLE_FABRIC_CHOICES_H
#define HEDDLE_FABRIC_CHOICES_H

#include "fabric/fabric.h"

/* Sets *port to the next hops of switch s (node n_hosts + s) for a rack in a settled state; returns their number. 0: no
 * path, or the switch's own rack. */
static inline uint16_t fabric_hops(const struct fabric *f, uint32_t state, uint32_t s, uint32_t leaf,
                                   const uint16_t **port) {
    const struct route_row *row = &f->paths.state[state].row[s];
    const uint16_t *to = &row->to_leaf[leaf];
    if (*to == ROUTE_NONE) return 0;
    *port = to;
    if (!(*to & ROUTE_SET)) return 1;
    const struct next_hops *set = &row->set[*to & ~ROUTE_SET];
    *port = set->port;
    return set->n;
}

/* Sets the number of uplinks that frames between two NICs (fabric/nics.h) can choose among in state 0: choices[0] at the source's
 * leaf, choices[1] at the agg behind it (the most of all such aggs). 1 = no choice. A path number (SP-3) names one of
 * choices[0] x choices[1] paths; a switch with fewer next hops after a failure takes the number modulo those. */
void fabric_path_choices(const struct fabric *f, uint32_t src_nic, uint32_t dst_nic, uint16_t choices[2]);

#endif
