/* SPDX-License-Identifier: Apache-2.0 */
/* The arrivals of a slot at one node, in order: by time, frames of one instant by the hash of base/tie.h.
 *
 * It is gathered port by port, each in order already. A few are sorted by (time, port) by insertion; many, at a switch
 * of 40 ports whose links are all busy, go into buckets by their time first. Then frames of one instant, which stand
 * together, are put in the order of their ranks; those of one port keep the order in which they were gathered.
 */
#ifndef HEDDLE_SIM_ARRIVALS_H
#define HEDDLE_SIM_ARRIVALS_H

#include "base/tie.h"
#include "node/switch.h"

#define ARRIVALS_FEW 24

/* Two keys of one instant. */
static inline bool arrivals_are_tied(uint64_t a, uint64_t b) { return (a ^ b) >> 16 == 0; }

/* Sorts n arrivals by their keys; returns whether two of them are of one instant. Most are in order already. */
static inline bool arrivals_insert(struct arrival *a, uint32_t n) {
    bool tied = false;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t j = i;
        if (a[j - 1].key > a[i].key) {
            struct arrival x = a[i];
            for (; j && a[j - 1].key > x.key; j--) a[j] = a[j - 1];
            a[j] = x;
            tied |= arrivals_are_tied(a[j + 1].key, x.key);
        }
        if (j && __builtin_expect(arrivals_are_tied(a[j - 1].key, a[j].key), 0)) tied = true;
    }
    return tied;
}

/* Sorts from one array into the other, [n] both; all of them are before `span` since the start of the slot. True as
 * above. */
bool arrivals_spread(const struct arrival *from, struct arrival *to, uint32_t n, span_ps span);

/* A node's ties: the run's key, the node's first global port, and the start of the slot. */
struct tie_place {
    uint64_t key;
    time_ps start;
    uint32_t first_port;
};

/* Puts the frames of one instant among n arrivals, sorted by their keys, in the order of their ranks. */
void arrivals_break_ties(struct arrival *a, uint32_t n, const struct tie_place *place);

#endif
