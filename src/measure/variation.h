/* SPDX-License-Identifier: Apache-2.0 */
/* How much the goodput of one flow varies over time: the coefficient of variation of what it received in intervals,
 * the standard deviation (over all intervals, not a sample of them) divided by the mean.
 */
#ifndef HEDDLE_MEASURE_VARIATION_H
#define HEDDLE_MEASURE_VARIATION_H

#include "measure/flow_meter.h"
#include "measure/result.h"

/* The intervals of one flow. */
struct variation {
    uint64_t n, sum; /* bytes */
    uint128 squares; /* of them */
};

static inline void variation_add(struct variation *v, int64_t bytes) {
    v->n++;
    v->sum += (uint64_t)bytes;
    v->squares += (uint128)bytes * (uint128)bytes;
}

/* In parts per million, rounded down. False with fewer than two intervals, or if nothing was received in any. */
bool variation_ppm(const struct variation *v, int64_t *ppm);

/* The meter's last interval, for every flow that was open during the whole of it; nothing if it began before `from`.
 * of_flow: [n_flows]. */
void variation_step(struct variation *of_flow, const struct flow_meter *m, time_ps from);

/* Over the flows that have one. */
struct summary variation_summary(const struct variation *of_flow, uint32_t n_flows);

#endif
