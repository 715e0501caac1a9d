/* SPDX-License-Identifier: Apache-2.0 */
/* The best of several outcomes of one claim, for its `best` keys (study/claims/expect.h). */
#ifndef HEDDLE_STUDY_CLAIMS_BEST_H
#define HEDDLE_STUDY_CLAIMS_BEST_H

#include "study/claims/expect.h"

/* Returns a copy of one of n outcomes: among those of the verdict of all together the one whose figure is best. That verdict is
 * "holds" or "roughly" if some outcome has it; "does not hold" if all do not; "not measurable" if none is; else "not decided",
 * and then the figure is the best of all. The copy counts the runs of all. Without outcomes its n_seeds is 0. */
struct claim_outcome best_outcome(const struct claim_outcome *o, size_t n);

#endif
