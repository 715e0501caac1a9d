/* SPDX-License-Identifier: Apache-2.0 */
/* Jain's fairness index of rates: (sum x)^2 / (n sum x^2), 1/n when one takes all, 1 when all are equal. */
#ifndef HEDDLE_MEASURE_FAIRNESS_H
#define HEDDLE_MEASURE_FAIRNESS_H

#include "measure/flow_meter.h"
#include "measure/result.h"

/* In parts per million, rounded down. Rates are not negative, n is at most 2^32. False when all are 0 or n = 0: there
 * is no index. */
bool fairness_jain_ppm(const int64_t *rate, size_t n, int64_t *ppm);

/* The index over the flows that were open during the meter's whole last interval, into *total; nothing if there is
 * none, or if the interval began before `from`. */
void fairness_step(struct fairness_total *total, const struct flow_meter *m, time_ps from);

#endif
