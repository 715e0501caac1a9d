/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of queues, links and pauses, and the imbalance of uplinks, which are taken at epochs.
 *
 * Each partition takes those of its own nodes, while all partitions stand still, into lists of its own: nothing is shared, and
 * the values do not depend on the number of threads or ranks.
 */
#ifndef HEDDLE_SIM_OBSERVE_SAMPLING_H
#define HEDDLE_SIM_OBSERVE_SAMPLING_H

#include "measure/imbalance.h"
#include "measure/samples.h"
#include "sim/engine/world.h"

struct sampling {
    uint64_t *sent_before;                   /* [n_ports] bytes at the last imbalance epoch */
    uint64_t *sent_sampled;                  /* [n_ports] bytes at the last link sample */
    span_ps *paused_sampled;                 /* [n_ports] at the last sample of pauses; NULL: no samples */
    struct samples *queues, *links, *pauses; /* [n_partitions] */
    struct imbalance_log *imbalance;         /* [n_partitions] */
};

/* Creates w->sampling; its nodes are not needed yet. */
void sampling_init(struct world *w);
void sampling_fini(struct world *w);

/* Returns the next epoch after `now` at which something is taken. */
time_ps sampling_next(const struct world *w, time_ps now);
/* Takes what is due at this epoch from the nodes of one partition. over: the last flow has ended; imbalance does not count any
 * more. */
void sampling_step(struct world *w, struct partition *part, time_ps now, bool over);

/* Merges the samples of all partitions, and `more`, into *r, and fills imbalance. */
void sampling_collect(struct world *w, struct samples *more, struct run_result *r);
/* Fills imbalance in each r->phase, which has been made. Intervals count that lie in the phase. */
void sampling_collect_phases(const struct world *w, struct run_result *r);

#endif
