/* SPDX-License-Identifier: Apache-2.0 */
/* The values behind a summary of a run's result: each FCT behind fct_us.mice, each response behind queries.8KB.
 *
 *    struct distribution x = {0};
 *    for each run: if (!distribution_add(&x, store, run, "slowdown.mice", false, &d)) ...
 *    values_sort(&x.values); p99 = values_at(&x.values, 0.99);
 *    distribution_free(&x);
 *
 * The table that ends distribution.c names the summaries whose values are stored. Values have the unit of the metric.
 * Their number must be the `n` of the result: values of another run would have crept in otherwise.
 */
#ifndef HEDDLE_STUDY_SERIES_DISTRIBUTION_H
#define HEDDLE_STUDY_SERIES_DISTRIBUTION_H

#include "base/degrees.h"
#include "study/series/values.h"
#include "study/store/store_reader.h"

struct distribution {
    struct values values;
    double frames[DEGREE_BINS]; /* counts in bins, of reorder.frames, which has no values */
};

/* Adds the values behind the summary `metric`, such as "fct_us.mice". `bins`: the caller can show counts in bins,
 * too. False after filling *d: the store does not hold the values, or their number differs from the result's. */
bool distribution_add(struct distribution *x, const struct store_reader *r, const struct run_row *run,
                      const char *metric, bool bins, struct diag *d);
void distribution_free(struct distribution *x);

/* Takes the imbalance of a switch over one interval; `place` is the word of its name: tor, agg, leaf, spine, "?"
 * without one. */
typedef void imbalance_visitor(void *to, const char *place, double value);
/* Calls `visit` with `to` for each interval. False after filling *d. */
bool run_imbalance_each(const struct store_reader *r, const struct run_row *run, imbalance_visitor *visit, void *to,
                        struct diag *d);

#endif
