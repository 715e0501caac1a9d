/* SPDX-License-Identifier: Apache-2.0 */
/* The order of flows that start at one host at the same instant (CLAIMS AM-33).
 *
 * Starts keep their instants. Where several fall on one, the hash of (seed, instant, flow) says which connection stands
 * first in the NIC's round (base/tie.h), so that no flow is favoured for its place in the experiment file.
 */
#ifndef HEDDLE_SIM_STARTS_H
#define HEDDLE_SIM_STARTS_H

#include "workload/workload.h"

/* Orders `n` numbers of flows, sorted by their start, among those of one instant. */
void starts_order(uint32_t *flow, uint32_t n, const struct flow *flows, uint64_t tie_key);

/* Returns the flows of all gates, those of one gate in the order of their ranks; they open at one instant together. The
 * caller frees it. */
uint32_t *starts_of_gates(const struct gates *gates, uint64_t tie_key);

#endif
