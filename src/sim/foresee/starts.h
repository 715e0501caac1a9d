/* SPDX-License-Identifier: Apache-2.0 */
/* When the flows of a run would start if each took as long as is foreseen. The starts of flows that wait for others follow
 * from the closed loops of the run (base/gates.h), carried out without a network.
 */
#ifndef HEDDLE_SIM_FORESEE_STARTS_H
#define HEDDLE_SIM_FORESEE_STARTS_H

#include "sim/engine/config.h"

/* Returns how long a flow is open. */
typedef span_ps (*starts_span)(const struct world_config *config, const struct flow *flow);

/* Returns the start of each flow; 0 for one that never starts. The caller frees them. NULL if no flow waits for another. */
time_ps *starts_foreseen(const struct world_config *config, starts_span span);

#endif
