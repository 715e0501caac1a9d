/* SPDX-License-Identifier: Apache-2.0 */
/* The arrivals of a slot at one node, in order: by time, frames of one instant by the hash of base/tie.h.
 *
 * Arrivals are gathered port by port, each port in order already. A few are sorted by (time, port) by insertion. Many,
 * as at a switch of 40 ports whose links are all busy, go into buckets by their time first. Then the frames of each
 * instant, which are adjacent, are sorted by rank; frames of one port keep the order in which they were gathered.
 */
#ifndef HEDDLE_SIM_ENGINE_ARRIVALS_H
#define HEDDLE_SIM_ENGINE_ARRIVALS_H

#include "base/tie.h"
#include "node/switch.h"

#define ARRIVALS_FEW 24

/* Returns whether two keys are of the same instant. */
static inline bool arrivals_are_tied(uint64_t a, uint64_t b) { return (a ^ b) >> 16 == 0; }

/* Sorts n arrivals by their keys; returns whether two of them are of the same instant. Most arrive in order, and stay
 * where they are. */
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

/* Sorts from one array into the other, both [n]. All arrivals lie within `span` of the start of the slot. Returns the
 * same as arrivals_insert. */
bool arrivals_spread(const struct arrival *from, struct arrival *to, uint32_t n, span_ps span);

/* What ranks ties at a node: the run's key, the node's first global port, and the start of the slot. */
struct tie_place {
    uint64_t key;
    time_ps start;
    uint32_t first_port;
};

/* Sorts the frames of each instant by rank, among n arrivals already sorted by their keys. */
void arrivals_break_ties(struct arrival *a, uint32_t n, const struct tie_place *place);

#endif
