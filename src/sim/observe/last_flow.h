/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the last flow, known at the instant itself and not at the next multiple of 100 us, so that averages over time
 * can end there (sim/observe/marks.h).
 *
 * A port cannot tell what it had sent at an instant that has passed. So the world stands still right after the last flow
 * ends, and finds that instant by lower bounds. At each epoch a partition knows, for the flows that its hosts receive, a
 * time before which they cannot all have ended:
 *
 *   a flow that has not begun needs the time of its bytes on its host's link, from its start
 *   a host cannot receive the bytes that all its flows lack faster than its link carries them
 *   a flow with a rate of its own needs the time of its bytes at that rate
 *   a flow of which a part is not on the host's link yet lasts for a slot at least (sim/engine/partition.h)
 *   a flow whose whole rest is on the host's link ends when that rest arrives
 *
 * The next epoch is right after the latest of these times. The last bound is exact, so the run never passes the end of its
 * last flow. The bounds of long flows grow with their bytes: a flow at a share s of its link's rate costs some
 * log(flow time / slot) / -log(1 - s) epochs. While less than a slot separates the bounds from the present there is an epoch
 * in each slot that has events.
 *
 * Without `until` these are the flows that the run waits for; with `until` all flows, and the search ends there. It
 * changes nothing in the run, and its outcome does not depend on the number of threads or ranks.
 */
#ifndef HEDDLE_SIM_OBSERVE_LAST_FLOW_H
#define HEDDLE_SIM_OBSERVE_LAST_FLOW_H

#include "sim/engine/notice.h"
#include "sim/engine/world.h"

/* The flows that hosts of one partition receive. */
struct last_flow {
    uint32_t *open, n_open; /* flows that had not ended at the last look */
    time_ps ended;          /* end of the last one that has; LAST_NO_FLOW */
};

struct last_flows {
    struct last_flow *of; /* [n_partitions] */
    uint64_t *lacks;      /* [n_hosts] for last_flow_look: 0 between its calls */
};

/* Creates w->last_flows and sets the first bounds. Call it when flows and partitions are built. */
void last_flow_init(struct world *w);
void last_flow_fini(struct world *w);

/* Brings part->last up to date at an epoch: while flows are open, a time before which they have not all ended, not before
 * `now`; afterwards the end of the last, before `now`. All events of the partition before `now` have been processed. */
void last_flow_look(const struct world *w, struct partition *part, time_ps now);

/* Returns whether all flows have ended by an epoch; all->last is the end of the last then. */
bool last_flow_is_over(const struct notice *all, time_ps now);
/* Returns the next epoch at which the last flow may have ended; TIME_NONE if it has. */
time_ps last_flow_next(const struct notice *all, time_ps now);

#endif
