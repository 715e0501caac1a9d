/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that expectations and figures name numbers of a result. */
#ifndef HEDDLE_STUDY_EXPERIMENT_METRIC_CHECK_H
#define HEDDLE_STUDY_EXPERIMENT_METRIC_CHECK_H

#include "study/experiment/experiment.h"

/* Returns true if `path` is a number in the result of some run; runs differ in their classes of sizes and queries.
 * Accepts every path under `counters`, since counters are known only after a run. Otherwise returns false after filling
 * *d with the nearest known path and the place of `n`, where the path is written. */
bool metric_check(const struct experiment *e, const char *path, const struct tree_node *n, struct diag *d);
/* Returns true if `path` is a number in this result, otherwise false as metric_check does. */
bool metric_check_in(const json_t *result, const char *path, const struct tree_node *n, struct diag *d);

/* Returns true if `path` is a number in one of n results, an element of which may be NULL, or if there is no result. Otherwise
 * returns false after filling *d in the same way. */
bool metric_check_results(const json_t *const *result, size_t n, const char *path, const struct tree_node *where,
                          struct diag *d);

#endif
