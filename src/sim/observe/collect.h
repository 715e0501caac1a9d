/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the result at the end of a run: totals, conservation, the digest.
 *
 * A rank collects what its own nodes say; then the leader, which has added up what the ranks collected (sim/parallel/merge.h),
 * concludes over the whole run.
 */
#ifndef HEDDLE_SIM_OBSERVE_COLLECT_H
#define HEDDLE_SIM_OBSERVE_COLLECT_H

#include "measure/timeline.h"
#include "sim/engine/world.h"
#include "sim/observe/collect_pauses.h"
#include "sim/observe/collect_phases.h"
#include "sim/observe/stuck.h"

/* What the nodes say beside the result: stuck flows, pause frames, and the timelines of each partition. */
struct collected {
    struct stuck_flows stuck;
    struct pause_frames pauses;
    struct phase_sums phases;
    struct timeline *line; /* [n_partitions] */
};

/* Fills *r and *c with what the nodes of this rank say, and closes observers and open ends. */
void collect_begin(struct world *w, struct collected *c, struct run_result *r);

/* Concludes the run, on its leader. Returns false if the run does not count; r->failure says why (stuck flows, broken
 * conservation, a slowdown below 1, a file that could not be written). */
bool collect_end(struct world *w, struct collected *c, struct run_result *r);

void collected_free(const struct world *w, struct collected *c);

#endif
