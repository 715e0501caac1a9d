/* What a slot brings to one node, put in order: by time, frames of one instant by the hash of base/tie.h.
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

static inline void arrivals_insert(struct arrival *a, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        struct arrival x = a[i];
        uint32_t j = i;
        for (; j && a[j - 1].key > x.key; j--) a[j] = a[j - 1];
        a[j] = x;
    }
}

/* From one array into the other, [n] both; all of them are before `span` since the start of the slot. */
void arrivals_spread(const struct arrival *from, struct arrival *to, uint32_t n, span_ps span);

/* A node's ties: the run's key, the node's first global port, and the start of the slot. */
struct tie_place {
    uint64_t key;
    time_ps start;
    uint32_t first_port;
};

/* Puts the frames of one instant from `first` on in the order of their ranks; returns the first after them. */
uint32_t arrivals_break_tie(struct arrival *a, uint32_t first, uint32_t n, const struct tie_place *place);

/* Puts all ties among n arrivals, sorted by their keys, in order. */
static inline void arrivals_break_ties(struct arrival *a, uint32_t n, const struct tie_place *place) {
    for (uint32_t i = 1; i < n; i++)
        if (__builtin_expect((a[i].key ^ a[i - 1].key) >> 16 == 0, 0)) i = arrivals_break_tie(a, i - 1, n, place);
}

#endif
