/* SPDX-License-Identifier: Apache-2.0 */
/* Windows: in one no frame that is sent arrives at another partition (sim/parallel/division.h). Where they end, and what they are
 * worth: how many threads and ranks a run can use, before it starts. */
#ifndef HEDDLE_SIM_PARALLEL_WINDOWS_H
#define HEDDLE_SIM_PARALLEL_WINDOWS_H

#include "sim/engine/world.h"

/* Returns the end of the window that begins at `start`: no frame sent in it arrives in it at another partition. It ends with a
 * slot of the wheel, because a slot that is cut is run twice. */
time_ps window_end(const struct world *w, const struct wheel *wheel, time_ps start, time_ps epoch);

/* Returns why so many ranks of so many threads cannot carry out this run together; NULL if they can. */
const char *world_refuses_ranks(const struct world_config *config, uint32_t ranks, uint32_t threads);

/* Returns the full frames that all sending hosts together can put on their links in a window of so many ranks
 * of so many threads, by rates and delays alone. 0: the fabric cannot be cut. */
uint64_t world_window_frames(const struct world_config *config, uint32_t ranks, uint32_t threads);

/* Returns how many threads of each rank pay for this fabric and load, by world_window_frames. */
uint32_t world_useful_threads(const struct world_config *config, uint32_t ranks);

/* How many windows of that length a run has that has events all the time: `each` in every period, since each epoch ends one.
 * Epochs of samples are left out. */
struct window_count {
    span_ps period;
    int64_t each;
};
struct window_count windows_count(const struct world_config *config, span_ps window);

#endif
