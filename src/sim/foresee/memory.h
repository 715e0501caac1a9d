/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a run, estimated from its configuration before it starts.
 *
 * A rank has the whole fabric and all flows, and its part of the nodes. The growth of queues and connections is a rough estimate
 * (sim/foresee/crowd.h).
 */
#ifndef HEDDLE_SIM_FORESEE_MEMORY_H
#define HEDDLE_SIM_FORESEE_MEMORY_H

#include "sim/engine/config.h"

/* Returns the most bytes that a run will use on any of `ranks` ranks, its fabric and flows included. ranks: 1 for a single
 * process. observed: bytes that observers keep of each node. */
uint64_t memory_foreseen(const struct world_config *config, uint32_t ranks, uint64_t observed);
/* Returns the part of these bytes for each flow of the list. */
uint64_t world_flow_bytes(void);
/* Returns the part of these bytes for each port, with its part of the fabric. Needs no fabric yet. */
uint64_t world_port_bytes(void);

#endif
