/* SPDX-License-Identifier: Apache-2.0 */
/* What a partition tells all others, and the grids of time on which they meet (sim/epoch.h). */
#ifndef HEDDLE_SIM_ENGINE_NOTICE_H
#define HEDDLE_SIM_ENGINE_NOTICE_H

#include "base/types.h"

#define LAST_NO_FLOW (-1) /* partition.last of a partition that receives no flow */

/* The message of a partition to all others at the end of an interval. */
struct notice {
    time_ps next; /* no event before this time among those it has and those it has sent */
    uint64_t flows_done, flows_started, bytes, hops, work_done;
    uint64_t given_up; /* whoever watches the run wants its end */
    time_ps last;      /* the latest of partition.last; of a meeting only */
};

/* A run ends at a multiple of this. */
#define END_EPOCH (100 * PS_PER_US)

/* Returns the next multiple of the period; TIME_NONE without a period. */
static inline time_ps epoch_after(time_ps now, span_ps period) {
    return period ? (now / period + 1) * period : TIME_NONE;
}

/* Returns whether a multiple of the period is at `now`. */
static inline bool epoch_is_due(time_ps now, span_ps period) { return period && now % period == 0; }

#endif
