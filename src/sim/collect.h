/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the result at the end of a run: totals, conservation, the digest. */
#ifndef HEDDLE_SIM_COLLECT_H
#define HEDDLE_SIM_COLLECT_H

#include "sim/build.h"

/* Fills *r. False: r->failure says why the run does not count (stuck flows, a broken law of conservation, a slowdown
 * below 1, a file that could not be written). */
bool world_collect(struct world *w, struct run_result *r);

/* Fills the ports, links and queues of *r by tier. */
void collect_ports(struct world *w, struct run_result *r);

#endif
