/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle report RESULTS.db --text`: a summary for the terminal, of any width from 40 columns on.
 *
 * For each experiment: how many runs are done, what is swept, for each combination of the other values a table of the
 * compared schemes (means over seeds, difference to the first), and the claims: met, known not to be, news.
 */
#ifndef HEDDLE_STUDY_PRINT_REPORT_TEXT_H
#define HEDDLE_STUDY_PRINT_REPORT_TEXT_H

#include "study/store/store_reader.h"

#include <stdio.h>

/* False after filling *d: the store holds no experiment, or none of its runs has finished. */
bool report_text(const struct store_reader *r, int width, FILE *out, struct diag *d);

#endif
