/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated world: a fabric, its hosts and switches, and the run of one experiment in it.
 *
 * study fills a `struct world_config` and calls `world_run`. Nothing here reads a file; only captures are written.
 */
#ifndef HEDDLE_SIM_WORLD_H
#define HEDDLE_SIM_WORLD_H

#include "sim/engine/config.h"
#include "sim/foresee/memory.h"
#include "sim/observe/flow_bound.h"
#include "sim/observe/summarise.h"
#include "sim/parallel/windows.h"

enum world_outcome { WORLD_DONE, WORLD_FAILED, WORLD_ABANDONED };

/* Runs to the end. With a group all its ranks call it; only its leader gets the whole result. On WORLD_FAILED r->failure
 * says why; the rest of *r is still filled. */
enum world_outcome world_run(const struct world_config *config, struct run_result *r);

/* Returns the most bytes that world_run will use on any of `ranks` ranks (sim/foresee/memory.h). */
uint64_t world_memory_foreseen(const struct world_config *config, uint32_t ranks);

#endif
