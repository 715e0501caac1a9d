/* SPDX-License-Identifier: Apache-2.0 */
/* Utilisation of a group of links: mean, maximum and minimum, with and without credits.
 *
 * Mean and maximum are over directions. The minimum is over links, each with its busier direction, because a direction
 * that carries only acknowledgements or credits says nothing about how well a link is used.
 */
#ifndef HEDDLE_MEASURE_LINK_USE_H
#define HEDDLE_MEASURE_LINK_USE_H

#include "measure/result.h"

/* Sums and extremes of the directions added so far, in ppb: of all bytes, and without credits. */
struct link_sums {
    uint32_t n; /* directions added; for the watched links, links */
    int64_t all, data;
    int64_t all_max, data_max;
    int64_t all_min, data_min; /* valid if any_least */
    bool any_least;            /* link_use_least has been called */
};

/* Adds one direction to sums and maxima. */
void link_use_add(struct link_sums *s, const struct port_total *t);
/* Adds one link, given by both directions, to the minima. */
void link_use_least(struct link_sums *s, const struct port_total *t, const struct port_total *back);
struct link_use link_use_of(const struct link_sums *s);

/* Returns the share of a rate that `bytes` in `time` use, in ppb; 0 if the rate or the time is 0. */
int64_t link_share_ppb(uint64_t bytes, int64_t rate_bps, span_ps time);

#endif
