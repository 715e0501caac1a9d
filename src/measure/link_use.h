/* SPDX-License-Identifier: Apache-2.0 */
/* How links were used: mean, busiest and least, with credits and without, over links that belong together.
 *
 * Mean and maximum are over directions. The least is over links, each counted in its busier direction: the one that
 * carries only acknowledgements or credits says nothing about how well a link is used.
 */
#ifndef HEDDLE_MEASURE_LINK_USE_H
#define HEDDLE_MEASURE_LINK_USE_H

#include "measure/result.h"

/* Sums while adding; finished, what the struct says. */
struct link_sums {
    uint32_t n;
    int64_t all, data;         /* sums, ppb */
    int64_t all_max, data_max; /* and extremes */
    int64_t all_min, data_min; /* if any_least */
    bool any_least;
};

/* One direction. */
void link_use_add(struct link_sums *s, const struct port_total *t);
/* One link, known to have been added, by both its directions. */
void link_use_least(struct link_sums *s, const struct port_total *t, const struct port_total *back);
struct link_use link_use_of(const struct link_sums *s);

/* Share of a rate that `bytes` in that time are, ppb; 0 without any time. */
int64_t link_share_ppb(uint64_t bytes, int64_t rate_bps, span_ps time);

#endif
