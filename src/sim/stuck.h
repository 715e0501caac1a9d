/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a run in which no frame moves: which ports wait for each other or stand paused, which flows are open, in
 * what state, and which queues hold their frames. */
#ifndef HEDDLE_SIM_STUCK_H
#define HEDDLE_SIM_STUCK_H

#include "sim/build.h"

/* One paragraph on it and the first few stuck flows into buf; pauses and rings of *r have been collected. */
void stuck_describe(const struct world *w, const struct run_result *r, char *buf, size_t size);

#endif
