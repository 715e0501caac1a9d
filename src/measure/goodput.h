/* SPDX-License-Identifier: Apache-2.0 */
/* Goodput of flows: payload bytes over completion time, in bits per second. For a flow without an end the time is from
 * its start to its `stop` or the end of the run.
 *
 * A flow with an end that did not reach it has no goodput. Jain's index is computed only if all flows have the same
 * size or all have no end: goodputs of flows of different sizes say nothing about fairness.
 */
#ifndef HEDDLE_MEASURE_GOODPUT_H
#define HEDDLE_MEASURE_GOODPUT_H

#include "measure/flows.h"

/* flow, tally: n each, in the order of the flow list. `end` is the end of the run. Sets goodput[class] to the summary
 * and index of the selected flows of each class. O(n log n) time for each class. */
void goodput_summarise(const struct flow *flow, struct tallies tally, uint32_t n,
                       const struct flow_selection *selection, time_ps end, struct goodput goodput[FLOW_CLASSES]);

#endif
