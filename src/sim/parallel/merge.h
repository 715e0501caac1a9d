/* SPDX-License-Identifier: Apache-2.0 */
/* Brings the parts of a result together, after a run that several ranks carried out.
 *
 * Each rank collects over its own nodes, and all else adds nothing: sums of all ranks are the sums of the run. Fields
 * that are not zero at first (times of a flow's ends) count from the rank that has the flow's source or destination.
 */
#ifndef HEDDLE_SIM_PARALLEL_MERGE_H
#define HEDDLE_SIM_PARALLEL_MERGE_H

#include "measure/imbalance.h"
#include "measure/samples.h"
#include "measure/timeline.h"
#include "sim/engine/world.h"

#define MERGE_SAMPLES 3 /* lists of samples of a partition */
#define MERGE_SUMS 7

/* An array of 64-bit words that the ranks add up. */
struct merge_sum {
    void *words;
    size_t bytes; /* 0: it is not there */
};

/* What observers hold of a run. The lists have an element for each partition of all ranks. */
struct merge {
    struct merge_sum sum[MERGE_SUMS];
    uint32_t n_sums;
    struct samples *samples[MERGE_SAMPLES];
    struct imbalance_log *imbalance;
    struct timeline *line;
};

/* All ranks of the group call it. The leader adds the others' parts to *r, to the tallies of *w and to what *m names. */
void world_merge(struct world *w, struct run_result *r, const struct merge *m);

#endif
