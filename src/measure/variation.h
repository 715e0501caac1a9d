/* SPDX-License-Identifier: Apache-2.0 */
/* Variation of a flow's goodput over time: the coefficient of variation of the bytes that it received per interval.
 * It is the standard deviation (of the population of all intervals, not of a sample) divided by the mean.
 */
#ifndef HEDDLE_MEASURE_VARIATION_H
#define HEDDLE_MEASURE_VARIATION_H

#include "measure/flow_meter.h"
#include "measure/result.h"

/* The intervals of one flow. */
struct variation {
    uint64_t n, sum; /* intervals, and bytes in all of them */
    uint128 squares; /* sum of the squares of the bytes per interval */
};

static inline void variation_add(struct variation *v, int64_t bytes) {
    v->n++;
    v->sum += (uint64_t)bytes;
    v->squares += (uint128)bytes * (uint128)bytes;
}

/* Sets *ppm to the variation in parts per million, rounded down. False with fewer than two intervals, or if nothing was
 * received. */
bool variation_ppm(const struct variation *v, int64_t *ppm);

/* Adds the meter's last interval for every flow that was open during the whole interval. Adds nothing if it began
 * before `from`. of_flow: [n_flows]. */
void variation_step(struct variation *of_flow, const struct flow_meter *m, time_ps from);

/* Summarises the variation of the flows that have one. */
struct summary variation_summary(const struct variation *of_flow, uint32_t n_flows);

#endif
