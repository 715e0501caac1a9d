/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run is stuck: which hosts failures have cut off, which ports wait for each other or are paused, which flows are open,
 * in what state, and which queues hold their frames. */
#ifndef HEDDLE_SIM_OBSERVE_STUCK_H
#define HEDDLE_SIM_OBSERVE_STUCK_H

#include "sim/engine/world.h"

#define STUCK_NAMED 3

struct stuck_flow {
    uint32_t flow, where; /* where: the node that holds one of its frames, or receives it next */
    uint64_t frames;      /* in queues and on links */
    int64_t received_bytes;
    char state[200]; /* of its sender, or of its receiver */
};

/* The first few open flows. */
struct stuck_flows {
    uint32_t n;
    struct stuck_flow flow[STUCK_NAMED];
};

/* Finds them, before ends are closed. All ranks of a group call it, and get the same. */
void stuck_find(const struct world *w, struct stuck_flows *s);

/* Writes one paragraph on why the run is stuck into buf. Pauses and rings of *r must have been collected, and those of
 * all ranks merged. */
void stuck_describe(const struct world *w, const struct run_result *r, const struct stuck_flows *s, char *buf,
                    size_t size);

#endif
