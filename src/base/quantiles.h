/* SPDX-License-Identifier: Apache-2.0 */
/* Exact percentiles by nearest rank: the value at rank ceil(p n) of the sorted values, always one that occurred.
 *
 * Sorts once, in place; then each question is one load. Of no values there is no percentile: the questions return
 * false and leave *value alone (null in the results).
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

/* The p-quantile, 0 <= p_ppb <= PPB: p95 is 950'000'000, the minimum 0, the maximum PPB. */
bool quantiles_at(const struct quantiles *q, int64_t p_ppb, int64_t *value);

#endif
