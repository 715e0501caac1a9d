/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs: instants of a grid at which all partitions stand still, for work that reads more than one node.
 *
 * The grids depend on the experiment alone, not on threads nor delays: the end of the run (every 100 us: a run ends at
 * the first epoch after its last flow), samples, imbalance, rates of flows, rings of paused ports, and the board of
 * link loads that Clairvoyant reads. Further epochs, at no grid, are measure.from and the end of the last flow
 * (sim/observe/last_flow.h).
 */
#ifndef HEDDLE_SIM_EPOCH_H
#define HEDDLE_SIM_EPOCH_H

#include "sim/engine/notice.h"
#include "sim/engine/world.h"

/* Returns the next epoch after `now`; skips idle stretches in which no epoch would find anything new. */
time_ps epoch_next(const struct world *w, time_ps now, const struct notice *all);

/* Does the work of an epoch for the nodes of one partition. */
void epoch_work(struct world *w, struct partition *part, time_ps now, const struct notice *all);

/* Brings together what the partitions of all ranks wrote for each other, after all of this rank have done their work.
 * One thread of each rank calls it; board_is_due says, to all threads, whether there is any. */
bool board_is_due(const struct world *w, time_ps now);
void board_share(struct world *w);

/* Decides whether the run ends here. One thread of each rank calls it; all decide the same. */
void epoch_decide(struct world *w, time_ps now, const struct notice *all);

#endif
