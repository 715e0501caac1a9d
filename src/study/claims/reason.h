/* SPDX-License-Identifier: Apache-2.0 */
/* Why an outcome has no verdict, and how it reads beside what the file records.
 *
 * "not decided" has one of these reasons, or the last two together:
 *    2 of 4 runs are missing        their results are not there yet
 *    one seed                       so there is no standard error
 *    all seeds gave the same run    so there is none either
 *    too few seeds: 3 of about 9    the standard error is more than a third of the distance to the nearest bound; it
 *                                   falls with the root of the number of seeds, which gives the second number
 *    2 of 3 runs had not settled    and could move the figure over a bound if they went on
 * "not measurable" has a reason too: a run failed, flows had not finished, the results are older than the metric, the
 * metric has no value in these runs, or the figure divides by 0 (enum claim_lack). "holds" and "roughly" have the reason
 * "set inferred" if a choice of the set was inferred from the claim (`inferred`): it confirms the set, not the paper.
 */
#ifndef HEDDLE_STUDY_CLAIMS_REASON_H
#define HEDDLE_STUDY_CLAIMS_REASON_H

#include "study/claims/expect.h"

#define REASON_MAX 128

/* Writes why the outcome is not decided or not measurable; "set inferred" for a claim that
 * holds so; "" for any other verdict. Returns buf. */
const char *claim_reason(const struct claim_outcome *o, char buf[REASON_MAX]);

/* Writes "not decided (one seed), as recorded", "does not hold", "holds, recorded: not decided". `reason` and `recorded`
 * are NULL where there is none: nothing is said of a record then. Returns buf. */
const char *outcome_text(const char *verdict, const char *reason, const char *recorded, bool as_recorded, char *buf,
                         size_t size);

#endif
