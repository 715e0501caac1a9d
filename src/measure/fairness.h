/* Jain's fairness index of rates: (sum x)^2 / (n sum x^2), 1/n when one takes all, 1 when all are equal. */
#ifndef HEDDLE_MEASURE_FAIRNESS_H
#define HEDDLE_MEASURE_FAIRNESS_H

#include "base/types.h"

/* In parts per million, rounded down. Rates are not negative, n is at most 2^20. False when all are 0 or n = 0: there
 * is no index. */
bool fairness_jain_ppm(const int64_t *rate, size_t n, int64_t *ppm);

#endif
