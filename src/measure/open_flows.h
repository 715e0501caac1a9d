/* SPDX-License-Identifier: Apache-2.0 */
/* How many flows are open over time: whether a run had settled (CLAIMS AM-28) or its queues still grew.
 *
 * A flow is open from its start to the arrival of its last byte. Counted are flows with an end that the run waits for.
 * Arrivals are those of workloads that offer a load: a shuffle or an incast starts, grows and ends, and never settles.
 * All is read off the tallies after the run, so it costs the simulator nothing: O(flows) time, no memory a flow.
 */
#ifndef HEDDLE_MEASURE_OPEN_FLOWS_H
#define HEDDLE_MEASURE_OPEN_FLOWS_H

#include "measure/flows.h"

/* The mean number of open flows in each of n equal parts of [from, to), in thousandths, into milli[n]; all 0 if the
 * time is too short to part. `end` is the end of the run: what is open then is open until then. */
void open_flows_mean(const struct flow_facts *facts, const struct flow_tally *tally, uint32_t n_flows, time_ps end,
                     time_ps from, time_ps to, size_t n, int64_t *milli);

/* Fills *o: over the arrivals of the flows that `selection` keeps, and over the whole run. */
void open_flows_measure(const struct flow_facts *facts, const struct flow_tally *tally, uint32_t n,
                        const struct flow_selection *selection, time_ps end, struct open_flows *o);

#endif
