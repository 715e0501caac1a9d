/* SPDX-License-Identifier: Apache-2.0 */
/* The lower bound of a flow's FCT, by which slowdown is measured (DESIGN section 3). */
#ifndef HEDDLE_SIM_OBSERVE_FLOW_BOUND_H
#define HEDDLE_SIM_OBSERVE_FLOW_BOUND_H

#include "sim/engine/config.h"

/* Returns the bound; 0 for an endless flow. */
int64_t world_flow_bound(const struct world_config *config, const struct flow *flow);
/* Returns the wire bytes of a flow's data frames; 0 for an endless flow. */
uint64_t world_flow_wire_bytes(const struct world_config *config, const struct flow *flow);

#endif
