/* SPDX-License-Identifier: Apache-2.0 */
/* Which arrivals of a run count in its statistics (measure.from, measure.until, measure.starts).
 *
 * An arrival is a flow, or a query by the start of its request. Arrivals are ordered by time, then by number;
 * arrivals that never started come last and do not count. Arrival k of the n that started counts if it started at
 * `from` or later and before `until`, and if
 *     starts_from_ppb x n <= k x 10^9 < starts_to_ppb x n
 * in exact integers, so that the parts of a run neither overlap nor leave a gap.
 *
 * Everything that speaks of "the flows that count" asks here: the results of a run (flows.h, goodput.h, queries.h),
 * figures and the report page (study/series).
 */
#ifndef HEDDLE_MEASURE_SELECTION_H
#define HEDDLE_MEASURE_SELECTION_H

#include "base/types.h"

struct selection {
    time_ps from, until;                    /* keeps arrivals that start in [from, until); until TIME_NONE = no end */
    int64_t starts_from_ppb, starts_to_ppb; /* share of the arrivals in order: keeps [from, to); 0 and PPB = all */
};

/* Initialiser of a selection of every arrival that started. */
#define SELECTION_ALL                                                                                                  \
    { .from = INT64_MIN, .until = TIME_NONE, .starts_to_ppb = PPB }

/* Returns whether the arrival that started at `start`, at place `place` of the `n` that started, counts. */
bool selection_has(const struct selection *s, time_ps start, uint32_t place, uint32_t n);

/* Returns whether the selection depends on the places of arrivals: with false, any place will do. */
bool selection_needs_places(const struct selection *s);

/* Returns the place of each of n arrivals, which start at start[n] (TIME_NONE: it never started), and sets
 * *n_started. The caller frees it. O(n log n) time. */
uint32_t *arrival_places(const time_ps *start, uint32_t n, uint32_t *n_started);

#endif
