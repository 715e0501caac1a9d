/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the result at the end of a run: totals, conservation, the digest. */
#ifndef HEDDLE_SIM_OBSERVE_COLLECT_H
#define HEDDLE_SIM_OBSERVE_COLLECT_H

#include "sim/build.h"

/* Fills *r; with a group, the *r of its leader. Returns false if the run does not count; r->failure says why (stuck
 * flows, broken conservation, a slowdown below 1, a file that could not be written). */
bool world_collect(struct world *w, struct run_result *r);

/* Fills the rows of ports, and then those of switches (r->buffer), over the nodes of this rank. */
void collect_ports(struct world *w, struct run_result *r);
void collect_buffers(struct world *w, struct run_result *r);

#endif
