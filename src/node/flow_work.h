/* SPDX-License-Identifier: Apache-2.0 */
/* What a flow adds to the progress of its run.
 *
 * Flows of a run differ: a training step has messages of kilobytes that stay in a rack and others of megabytes that cross
 * three tiers, and its phases have more of one kind or of the other. So progress counts bytes times the links of the nearest
 * path, which is the packet-hops foreseen but for a factor; three frames more stand for what opens and closes a flow. Bytes
 * of flows that are open count the mean links of all bytes, so that arriving bytes need no look at their path; a flow's end
 * corrects this. Sums are in bytes times links times 256, and may wrap in between. */
#ifndef HEDDLE_NODE_FLOW_WORK_H
#define HEDDLE_NODE_FLOW_WORK_H

#include "fabric/fabric.h"

/* Returns the work of a flow; 0 for one that the run does not wait for, and for one that a time stops, whose end says nothing. */
uint64_t flow_work(const struct fabric *f, const struct flow *flow);

/* Returns what the end of a flow adds to the work that its bytes have counted as, at links_q8 each. */
static inline uint64_t flow_work_at_end(const struct fabric *f, const struct flow *flow, uint64_t links_q8) {
    return flow_work(f, flow) - flow->bytes * links_q8;
}

#endif
