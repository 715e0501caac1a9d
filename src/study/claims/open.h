/* SPDX-License-Identifier: Apache-2.0 */
/* Tells where further seeds may decide something, for `heddle run --budget`.
 *
 * A run is open if the results that are there leave one of these undecided:
 *    - an expectation that needs it. It is judged over the seeds whose runs all have results: there is one seed, or the
 *      interval is too wide for a verdict (study/claims/verdict.h).
 *    - its row in the table of `heddle run`. A row is compared with the other rows of its group in the first metric of
 *      the table that both have: the intervals overlap, or one of them has none.
 *
 * A run is not open if further seeds would narrow nothing: where all seeds gave the same run (study/claims/freedom.h),
 * where the metric cannot be measured, and for an expectation with `every`, which needs no interval.
 */
#ifndef HEDDLE_STUDY_CLAIMS_OPEN_H
#define HEDDLE_STUDY_CLAIMS_OPEN_H

#include "study/claims/expect.h"

/* Sets open[i] for each run of the experiment; result[i] is its --json object, NULL if there is none. */
void claims_open(const struct expectations *x, const struct experiment *e, json_t *const *result, bool *open);

#endif
