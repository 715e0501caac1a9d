/* SPDX-License-Identifier: Apache-2.0 */
/* What flows got: payload bytes over completion time, in bits per second; of flows without an end over the time that
 * they had, until `stop` or the end of the run.
 *
 * A flow that had an end and did not reach it has no goodput. Jain's index is taken only over flows that are all equally
 * large, or all endless: goodputs of flows that differ in size say nothing of how evenly they share.
 */
#ifndef HEDDLE_MEASURE_GOODPUT_H
#define HEDDLE_MEASURE_GOODPUT_H

#include "measure/flows.h"

/* flow, tally: n each, in the order of the flow list. `end` is the end of the run. Fills goodput[class], the summary and
 * index of the selected flows of each class. O(n log n) time for each class. */
void goodput_summarise(const struct flow *flow, const struct flow_tally *tally, uint32_t n,
                       const struct flow_selection *selection, time_ps end, struct goodput goodput[FLOW_CLASSES]);

#endif
