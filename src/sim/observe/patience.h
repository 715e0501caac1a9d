/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run waits for a byte of a flow before it counts as stuck.
 *
 * Stuck is a run in which, while flows are open, no flow byte has arrived for 10 times the largest of
 *
 *   the longest RTO (max_rto of the transports; at least 1 s)
 *   the slowest base round trip of a flow, with full frames
 *   a full frame on the slowest link, reduced rates included
 *   the longest gap that an application makes of itself: between its datagrams or bursts, or between a flow that ends and
 *   the one that follows it
 *   the time after which a watchdog ends a pause (mech/flowctl/pause_watchdog.h)
 *
 * counted from the last byte, and not before the last start of a flow or the last repair that was still due. Stuck is also a
 * run without `until` that has no event left.
 */
#ifndef HEDDLE_SIM_OBSERVE_PATIENCE_H
#define HEDDLE_SIM_OBSERVE_PATIENCE_H

#include "sim/engine/world.h"

struct patience {
    span_ps longest_rto;
    span_ps
        silence; /* allowed time without a byte; 0: not computed yet, since no run has been silent for 10 longest RTOs */
    time_ps due; /* last start or repair */
};

/* Creates w->patience. */
void patience_init(struct world *w);

/* Returns the longest RTO of the transports, at least 1 s. */
span_ps patience_rto(const struct world_config *c);
/* Returns 10 times the largest of the times above. Cost: a path walk for each pair of racks between which flows run. */
span_ps patience_silence(const struct world_config *c);
/* Returns the last start of a flow, or event that may give it a path back, before the run's end; 0: none. */
time_ps patience_due(const struct world_config *c);

/* Returns whether the run has waited in vain: by `now` no byte has arrived since `last`. */
bool patience_is_over(struct world *w, time_ps now, time_ps last);

#endif
