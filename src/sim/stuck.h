/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run is stuck: which ports wait for each other or are paused, which flows are open, in what state, and which
 * queues hold their frames. */
#ifndef HEDDLE_SIM_STUCK_H
#define HEDDLE_SIM_STUCK_H

#include "sim/build.h"

/* Writes one paragraph on it, with the first few open flows, into buf. Pauses and rings of *r must have been
 * collected. In a group of ranks the leader calls it after the merge, and the flows are not described. */
void stuck_describe(const struct world *w, const struct run_result *r, char *buf, size_t size);

#endif
