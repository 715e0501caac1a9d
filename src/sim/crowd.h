/* SPDX-License-Identifier: Apache-2.0 */
/* How many flows a run has open at a time, and the memory that they take: an estimate from the configuration.
 *
 * A flow is open for as long as its bytes take on its sender's link, times a factor. While it is open it has two ends,
 * and frames: those of a round trip, and those in a queue. How many wait in a queue follows from what stops the sender
 * (a full buffer, marks, delay, credits), from how long it has had, and from how much of their time hosts send. The
 * constants were chosen so that the estimate fits what runs used; docs/scale.md has both.
 */
#ifndef HEDDLE_SIM_CROWD_H
#define HEDDLE_SIM_CROWD_H

#include "sim/world.h"

struct crowd {
    span_ps lasts;       /* length of the run */
    int64_t busy_ppb;    /* share of the time in which hosts send, on average, while flows start; may exceed 1 */
    uint64_t open_bytes; /* most bytes of flows that are open at the same time: their ends and their frames */
};

struct crowd crowd_of(const struct world_config *config);

#endif
