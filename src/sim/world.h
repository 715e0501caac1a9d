/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated world: a fabric, its hosts and switches, and the run of one experiment in it.
 *
 * study fills a `struct world_config` and calls `world_run`. Nothing here reads a file; only captures are written.
 */
#ifndef HEDDLE_SIM_WORLD_H
#define HEDDLE_SIM_WORLD_H

#include "sim/engine/config.h"

/* Returns why so many ranks of so many threads cannot carry out this run together; NULL if they can. */
const char *world_refuses_ranks(const struct world_config *config, uint32_t ranks, uint32_t threads);

enum world_outcome { WORLD_DONE, WORLD_FAILED, WORLD_ABANDONED };

/* Runs to the end. With a group all its ranks call it; only its leader gets the whole result. On WORLD_FAILED r->failure
 * says why; the rest of *r is still filled. */
enum world_outcome world_run(const struct world_config *config, struct run_result *r);

/* Summarises the flows and queries of a run that was carried out elsewhere, from r->tally[flows->n]; the run ended at
 * `end`, and r->averaged is set. */
void world_summarise(const struct world_config *config, time_ps end, struct run_result *r);
/* Summarises links and queues, from r->port[] of all ports by global number. */
void world_summarise_ports(const struct world_config *config, struct run_result *r);

/* Returns the most bytes that world_run will use on any of `ranks` ranks, its fabric and flows included, estimated from
 * the configuration. A rank has the whole fabric and all flows, and its part of the nodes. The growth of queues and
 * connections is a rough estimate. ranks: 1 for a single process. */
uint64_t world_memory_foreseen(const struct world_config *config, uint32_t ranks);
/* Returns the part of these bytes for each flow of the list. */
uint64_t world_flow_bytes(void);
/* Returns the part of these bytes for each port, with its part of the fabric. Needs no fabric yet. */
uint64_t world_port_bytes(void);

/* Returns a lower bound of a flow's FCT (DESIGN section 3, slowdown). */
int64_t world_flow_bound(const struct world_config *config, const struct flow *flow);

/* Returns the full frames that all sending hosts together can put on their links in a window of so many ranks
 * of so many threads, by rates and delays alone. 0: the fabric cannot be cut. */
uint64_t world_window_frames(const struct world_config *config, uint32_t ranks, uint32_t threads);

/* Returns how many threads of each rank pay for this fabric and load, by world_window_frames. */
uint32_t world_useful_threads(const struct world_config *config, uint32_t ranks);

#endif
