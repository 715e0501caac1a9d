/* SPDX-License-Identifier: Apache-2.0 */
/* Jain's fairness index of rates: (sum x)^2 / (n sum x^2). It is 1/n if one flow has everything, 1 if all are equal. */
#ifndef HEDDLE_MEASURE_FAIRNESS_H
#define HEDDLE_MEASURE_FAIRNESS_H

#include "measure/flow_meter.h"
#include "measure/result.h"

/* Sets *ppm to the index in parts per million, rounded down. Rates must not be negative; n is at most 2^32. False if
 * all rates are 0 or n is 0: there is no index. */
bool fairness_jain_ppm(const int64_t *rate, size_t n, int64_t *ppm);

/* Adds to *total the index over the flows that were open during the meter's whole last interval. Adds nothing if there
 * is no index, or if the interval began before `from`. */
void fairness_step(struct fairness_total *total, const struct flow_meter *m, time_ps from);

#endif
