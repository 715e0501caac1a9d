/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs: instants of a grid at which all partitions stand still and something is seen that no single node may see.
 *
 * The grids depend on the experiment alone, not on threads nor delays: the end of the run (every 100 us: a run ends at
 * the first epoch after its last flow), samples, imbalance, rates of flows, rings of paused ports, and the board of
 * link loads that Clairvoyant reads.
 */
#ifndef HEDDLE_SIM_EPOCH_H
#define HEDDLE_SIM_EPOCH_H

#include "sim/build.h"

#define END_EPOCH (100 * PS_PER_US)

/* The next multiple of the period; TIME_NONE without one. */
static inline time_ps epoch_after(time_ps now, span_ps period) {
    return period ? (now / period + 1) * period : TIME_NONE;
}

/* Returns the length of the intervals over which imbalance is measured. */
span_ps imbalance_period(const struct world *w);

/* The next epoch after `now`; idle stretches are skipped where no epoch would see anything new. */
time_ps epoch_next(const struct world *w, time_ps now, const struct notice *all);

/* Does the work of an epoch for the nodes of one partition. */
void epoch_work(struct world *w, struct partition *part, time_ps now);

/* Whether the run ends here; by partition 0 alone. */
void epoch_decide(struct world *w, time_ps now, const struct notice *all);

#endif
