/* SPDX-License-Identifier: Apache-2.0 */
/* Exact percentiles by nearest rank: the value at rank ceil(p n) of the sorted values, so always one that occurred.
 *
 * quantiles_of sorts once, in place; after that a percentile costs one load.
 */
#ifndef HEDDLE_BASE_QUANTILES_H
#define HEDDLE_BASE_QUANTILES_H

#include "base/types.h"

struct quantiles {
    const int64_t *sorted; /* the caller's array */
    size_t n;
};

/* Sorts `values` in place and keeps pointing to them. */
struct quantiles quantiles_of(int64_t *values, size_t n);

/* Sets *value to the p-quantile, 0 <= p_ppb <= PPB: p95 is 950'000'000, the minimum 0, the maximum PPB. Without values
 * it returns false and leaves *value alone (null in the results). */
bool quantiles_at(const struct quantiles *q, int64_t p_ppb, int64_t *value);

#endif
