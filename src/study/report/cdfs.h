/* SPDX-License-Identifier: Apache-2.0 */
/* Distributions of a point, over the runs of all its seeds.
 *
 * A CDF is a list of values at fixed shares (the grid). Each is a value that occurred, found by nearest rank. Flows and
 * queries are the finished ones that count in the results (measure.from, measure.starts).
 *
 *  {"cdfs": {"fct_us": {"mice": {"n": N, "v": [...]}, ...}, "slowdown": ..., "reorder": ..., "query_us": ...,
 *            "queue_max_bytes": {"uplink": ...}, "queue_bytes": ..., "paused_share": ..., "imbalance": {"tor": ...}},
 *   "by_size": {"p50": [[least bytes, median bytes, most bytes, n, slowdown, low, high], ...], "p95": ..., "p99": ...}}
 *
 * Buckets of flow sizes hold equal counts, at most SIZE_BUCKETS, and each as many flows as its percentile needs: low and high,
 * the 95 % interval of a percentile by ranks, lie within them. A list is empty if the flows fill fewer than two buckets.
 */
#ifndef HEDDLE_STUDY_REPORT_CDFS_H
#define HEDDLE_STUDY_REPORT_CDFS_H

#include "study/series/points.h"

#define SIZE_BUCKETS 20 /* at most */

/* Shares at which CDFs are given: a finer grid where the page has few points. */
struct grid {
    double share[160];
    size_t n;
};
void grid_fill(struct grid *g, size_t n_points);

/* Computes the distributions. Returns NULL after filling *d. */
json_t *point_distributions(const struct store_reader *r, const struct point *p, const struct grid *g, struct diag *d);

#endif
