/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that the open flows of a run take at most: a bound from the configuration, before the run.
 *
 * The bound is loose by design, since a run that is refused for want of memory costs nothing, and a run that is killed costs
 * all. A flow counts as open for four times as long as its bytes take on its sender's link, and for a round trip more. Where
 * a tier of links is offered nearly what it carries, or more, flows pile up: a flow then counts for longer, in proportion to
 * the excess, to the time since the first flow, and to its own size up to the mean. While a flow is open it has two ends,
 * what these keep to repair losses, and frames. Its frames fill a round trip and the queue at which its sender stops (a full
 * buffer, marks, queues of credits), unless its size or its window is smaller. Flows of one sender share the frames of its
 * link, and flows of one sender or receiver share a queue. Flows that wait for others start when those would have ended at that
 * pace (starts.h).
 *
 * docs/scale.md compares the bound with what runs used: it lies between 1 and 2 times that.
 */
#ifndef HEDDLE_SIM_FORESEE_CROWD_H
#define HEDDLE_SIM_FORESEE_CROWD_H

#include "sim/engine/config.h"

struct crowd {
    span_ps lasts;       /* length of the run */
    uint64_t open_bytes; /* most bytes of flows that are open at the same time: their ends and their frames */
};

struct crowd crowd_of(const struct world_config *config);

#endif
