/* SPDX-License-Identifier: Apache-2.0 */
/* The closing table: what a person wants to know after the runs. */
#ifndef HEDDLE_STUDY_PRINT_TABLE_H
#define HEDDLE_STUDY_PRINT_TABLE_H

#include "study/claims/expect.h"

#include <stdio.h>

/* Per combination of the other swept values: the compared schemes as rows, flow completion times of mice and elephants
 * (means over seeds with the half-width of their 95 % interval) and the difference against the first row; then the
 * claims, and where the results are. The best of a column is marked where its interval has no point in common with
 * another. */
void table_print(const struct experiment *e, json_t *const *result, const struct claim_outcome *claim, size_t n_claims,
                 const char *store_path, FILE *out);

#endif
