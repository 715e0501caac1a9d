/* SPDX-License-Identifier: Apache-2.0 */
/* The order of flows that start at one host at the same instant (AM-33).
 *
 * Start times are not changed. If several flows start at the same instant, the hash of (seed, instant, flow) orders
 * their connections in the NIC's round (base/tie.h), so that no flow is favoured for its place in the experiment file.
 */
#ifndef HEDDLE_SIM_STARTS_H
#define HEDDLE_SIM_STARTS_H

#include "workload/workload.h"

/* Orders the flows of each instant among `n` flow numbers, which are sorted by start. */
void starts_order(uint32_t *flow, uint32_t n, const struct flow *flows, uint64_t tie_key);

/* Returns the flows of all gates, those of one gate in the order of their ranks; they start together when it opens. The
 * caller frees it. */
uint32_t *starts_of_gates(const struct gates *gates, uint64_t tie_key);

#endif
