/* SPDX-License-Identifier: Apache-2.0 */
/* Number of open flows over time: it shows whether a run settled (AM-28) or its queues still grew.
 *
 * A flow is open from its start to the arrival of its last byte. Only flows with an end for which the run waits count.
 * Arrivals are flows of workloads that offer a lasting load; a shuffle or an incast starts, grows and ends, and never
 * settles. Computed from the tallies after the run, at no cost to the simulator: O(flows) time, no memory per flow.
 */
#ifndef HEDDLE_MEASURE_OPEN_FLOWS_H
#define HEDDLE_MEASURE_OPEN_FLOWS_H

#include "measure/flows.h"

/* Sets milli[i] to the mean number of open flows in part i of n equal parts of [from, to), in thousandths; all 0 if the
 * time is shorter than n ps. `end` is the end of the run; a flow that is still open then is open until `end`. */
void open_flows_mean(const struct flow_facts *facts, struct tallies tally, uint32_t n_flows, time_ps end, time_ps from,
                     time_ps to, size_t n, int64_t *milli);

/* Fills *o for the window of arrivals (from the first to the last start of the selected flows) and the whole run. */
void open_flows_measure(const struct flow_facts *facts, struct tallies tally, uint32_t n,
                        const struct flow_selection *selection, time_ps end, struct open_flows *o);

/* Returns whether the number of open flows climbs over the window: a straight line through its parts climbs by more than a
 * tenth of their mean, and by two flows at least. Exact in integers. A run that had not settled climbs; one that climbs may
 * have settled (study/results/settled.h has the rest of the rule). */
bool open_flows_climb(const struct open_flows *o);

#endif
