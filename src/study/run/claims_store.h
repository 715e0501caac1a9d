/* SPDX-License-Identifier: Apache-2.0 */
/* Outcomes of expectations as rows of the results store. */
#ifndef HEDDLE_STUDY_RUN_CLAIMS_STORE_H
#define HEDDLE_STUDY_RUN_CLAIMS_STORE_H

#include "study/claims/expect.h"
#include "study/store/store.h"

/* Replaces the claims of an experiment, by its row. False after filling *d. */
bool claims_store(struct store *s, int64_t experiment, const struct claim_outcome *o, size_t n, struct diag *d);

#endif
