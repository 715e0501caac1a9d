/* What a slot brings to one node, put in order: by time, then port, in which order it was gathered if both are equal.
 *
 * It is gathered port by port, each in order already. A few are sorted by insertion; many, at a switch of 40 ports
 * whose links are all busy, go into buckets by their time first.
 */
#ifndef HEDDLE_SIM_ARRIVALS_H
#define HEDDLE_SIM_ARRIVALS_H

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

#endif
