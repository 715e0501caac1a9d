/* SPDX-License-Identifier: Apache-2.0 */
/* The closing table that `heddle run` prints after the runs. */
#ifndef HEDDLE_STUDY_PRINT_TABLE_H
#define HEDDLE_STUDY_PRINT_TABLE_H

#include "study/claims/expect.h"

#include <stdio.h>

/* Prints one table per combination of the other swept values. Rows are the compared schemes. Columns are flow
 * completion times of mice and elephants: the mean over seeds with the half-width of its 95 % interval, and the change
 * against the first row. The best of a column is marked if its interval overlaps no other. Then prints the claims and
 * the path of the results. */
void table_print(const struct experiment *e, json_t *const *result, const struct claim_outcome *claim, size_t n_claims,
                 const char *store_path, FILE *out);

#endif
