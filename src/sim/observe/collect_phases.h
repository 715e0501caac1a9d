/* SPDX-License-Identifier: Apache-2.0 */
/* Phases of a run (measure.phases): counts, averages and maxima of their time, from the marks at their edges (sim/observe/marks.h), and the
 * flows and queries that start in them.
 *
 * Every flow that starts in [from, to) counts, whether measure.from, measure.until and measure.starts leave it out or not.
 */
#ifndef HEDDLE_SIM_OBSERVE_COLLECT_PHASES_H
#define HEDDLE_SIM_OBSERVE_COLLECT_PHASES_H

#include "measure/flows.h"
#include "measure/queries.h"
#include "sim/engine/world.h"

/* What the nodes of this rank counted in each phase; ranks add theirs up. */
struct phase_sums {
    struct port_total *port;     /* [n_phases * n_ports] */
    struct buffer_total *buffer; /* [n_phases * n_switches] */
    struct phase_counts *counts; /* [n_phases] */
    int64_t *received;           /* [n_phases * n_hosts] payload bytes */
    size_t port_bytes, buffer_bytes, counts_bytes, received_bytes;
};

/* Fills *s from the marks, which are all taken; phase_sums_free frees it. */
void phase_sums_collect(const struct world *w, struct phase_sums *s);
void phase_sums_free(struct phase_sums *s);

/* Fills r->phase with times, flows and queries; r->averaged and r->tally are set. `facts` are those of all flows. */
void phases_summarise(const struct world_config *config, const struct flow_facts *facts,
                      const struct query_log *queries, time_ps end, struct run_result *r);
/* Fills the averages of r->phase, from the sums of all ranks. */
void phases_conclude(const struct world *w, const struct phase_sums *s, struct run_result *r);

#endif
