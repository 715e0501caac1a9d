/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle report RESULTS.db --text`: a summary for the terminal, of any width from 40 columns on.
 *
 * For each experiment: the number of finished runs, the swept keys, for each combination of the other values a table of
 * the compared schemes (means over seeds, difference to the first), and the claims: met, known not to hold, changed.
 */
#ifndef HEDDLE_STUDY_PRINT_REPORT_TEXT_H
#define HEDDLE_STUDY_PRINT_REPORT_TEXT_H

#include "study/store/store_reader.h"

#include <stdio.h>

/* Prints the summary. Returns false after filling *d: the store holds no experiment, or no finished run. */
bool report_text(const struct store_reader *r, int width, FILE *out, struct diag *d);

#endif
