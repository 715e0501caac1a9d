/* SPDX-License-Identifier: Apache-2.0 */
/* Brings the parts of a result together, after a run that several ranks carried out.
 *
 * Each rank collects over its own nodes, and all else adds nothing: sums of all ranks are the sums of the run. Fields
 * that are not zero at first (times of a flow's ends) count from the rank that has the flow's source or destination.
 */
#ifndef HEDDLE_SIM_PARALLEL_MERGE_H
#define HEDDLE_SIM_PARALLEL_MERGE_H

#include "measure/timeline.h"
#include "sim/build.h"

/* All ranks of the group call it. The leader adds the others' parts to *r and to the tallies, samples, logs and lines
 * of *w; `line` has a list per partition. */
void world_merge(struct world *w, struct run_result *r, struct timeline *line);

#endif
