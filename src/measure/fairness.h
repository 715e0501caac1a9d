/* SPDX-License-Identifier: Apache-2.0 */
/* Jain's fairness index of rates: (sum x)^2 / (n sum x^2). It is 1/n if one flow has everything, 1 if all are equal. */
#ifndef HEDDLE_MEASURE_FAIRNESS_H
#define HEDDLE_MEASURE_FAIRNESS_H

#include "measure/flow_meter.h"
#include "measure/result.h"

/* Sets *ppm to the index in parts per million, rounded down. Rates must not be negative; n is at most 2^32. False if
 * all rates are 0 or n is 0: there is no index. */
bool fairness_jain_ppm(const int64_t *rate, size_t n, int64_t *ppm);

/* Sets *ppm to the index over the flows that were open during the meter's whole last interval. False if there is none. */
bool fairness_interval_ppm(const struct flow_meter *m, int64_t *ppm);

/* Adds the index of an interval to *total. */
void fairness_add(struct fairness_total *total, int64_t ppm);

#endif
