/* SPDX-License-Identifier: Apache-2.0 */
/* How many flows a run has open at a time, and the memory that they take: an estimate from the configuration.
 *
 * A flow is open for as long as its bytes take on its sender's link, times a factor that grows with the load of the most
 * loaded tier of links. Where that tier is offered more than it carries, flows pile up for as long as others come. While a flow
 * is open it has two ends, and frames: those of a round trip, and those in a queue. How many wait in a queue follows from what
 * stops the sender (a full buffer, marks, delay, credits), from how long it has had, and from how much of their time hosts
 * send. Flows that share a host share its frames. The constants were chosen so that the estimate fits what some runs used;
 * docs/scale.md has these, and runs that it was then tried on.
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
