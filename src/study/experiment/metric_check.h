/* SPDX-License-Identifier: Apache-2.0 */
/* Is what an expectation or a figure names a number of a result? */
#ifndef HEDDLE_STUDY_EXPERIMENT_METRIC_CHECK_H
#define HEDDLE_STUDY_EXPERIMENT_METRIC_CHECK_H

#include "study/experiment/experiment.h"

/* Returns true if `path` is a number in the result of some run; runs differ in their classes of sizes and queries.
 * Counters are known only after a run: every path under `counters` is taken. Else false after filling *d with the nearest
 * known path; `n` is where the path is written. */
bool metric_check(const struct experiment *e, const char *path, const struct tree_node *n, struct diag *d);

#endif
