/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs: instants of a grid at which all partitions stand still, for work that reads more than one node.
 *
 * The grids depend on the experiment alone, not on threads nor delays: the end of the run (every 100 us: a run ends at
 * the first epoch after its last flow), samples, imbalance, rates of flows, rings of paused ports, and the board of
 * link loads that Clairvoyant reads. Further epochs, at no grid, are measure.from and the end of the last flow
 * (sim/last_flow.h).
 */
#ifndef HEDDLE_SIM_EPOCH_H
#define HEDDLE_SIM_EPOCH_H

#include "sim/build.h"

#define END_EPOCH (100 * PS_PER_US)

/* Returns the next multiple of the period; TIME_NONE without a period. */
static inline time_ps epoch_after(time_ps now, span_ps period) {
    return period ? (now / period + 1) * period : TIME_NONE;
}

/* Returns the length of the intervals over which imbalance is measured. */
span_ps imbalance_period(const struct world *w);

/* Returns the next epoch after `now`; skips idle stretches in which no epoch would find anything new. */
time_ps epoch_next(const struct world *w, time_ps now, const struct notice *all);

/* Returns the end of the window that begins at `start`: no frame sent in it arrives in it at another partition. It ends with a
 * slot of the wheel, because a slot that is cut is run twice. */
time_ps window_end(const struct world *w, const struct wheel *wheel, time_ps start, time_ps epoch);

/* How many windows a run has that has events all the time: so many in each period, since each epoch ends one. */
struct epoch_windows {
    span_ps period;
    int64_t each;
};
/* Returns them for windows of that length. Epochs of samples are left out. */
struct epoch_windows epoch_windows_of(const struct world_config *c, span_ps window);

/* Does the work of an epoch for the nodes of one partition. */
void epoch_work(struct world *w, struct partition *part, time_ps now, const struct notice *all);

/* Brings together what the partitions of all ranks wrote for each other, after all of this rank have done their work.
 * One thread of each rank calls it; board_is_due says, to all threads, whether there is any. */
bool board_is_due(const struct world *w, time_ps now);
void board_share(struct world *w);

/* Decides whether the run ends here. One thread of each rank calls it; all decide the same. */
void epoch_decide(struct world *w, time_ps now, const struct notice *all);

#endif
