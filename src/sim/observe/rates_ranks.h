/* SPDX-License-Identifier: Apache-2.0 */
/* Measurements of flows over time (sim/observe/rates.h) where several ranks carry out a run.
 *
 * A rank knows what the receivers of its own hosts have. When a measurement is due each rank sends the leader the counts
 * of its receivers that have changed since the last one, and the leader writes them into its own tallies. So the leader
 * measures all flows as a single process does. Cost: a visit to each open flow, and 24 bytes for each whose count changed.
 */
#ifndef HEDDLE_SIM_OBSERVE_RATES_RANKS_H
#define HEDDLE_SIM_OBSERVE_RATES_RANKS_H

#include "sim/engine/world.h"

/* A flow that a host of this rank receives, from its start to its end. */
struct received_flow {
    uint32_t flow;
    int64_t told_bytes; /* what the leader knows */
};

struct rates_ranks {
    uint32_t next; /* first flow that had not started when ranks shared last */
    struct received_flow *open;
    uint32_t n_open, room;
};

/* Brings the leader's tallies up to date at an epoch. One thread of each rank calls it. */
void rates_ranks_share(struct rates_ranks *r, struct world *w, time_ps now);

#endif
