/* SPDX-License-Identifier: Apache-2.0 */
/* `heddle report RESULTS.db --text`: a summary for the terminal, of any width from 40 columns on.
 *
 * For each experiment: the number of finished runs, the swept keys, the table of results as `heddle run` prints it
 * (study/print/table_lines.h), and the claims: met, known not to hold, changed.
 */
#ifndef HEDDLE_STUDY_PRINT_REPORT_TEXT_H
#define HEDDLE_STUDY_PRINT_REPORT_TEXT_H

#include "study/experiment/table_wish.h"
#include "study/store/store_reader.h"

#include <stdio.h>

/* Prints the summary. `wish`: what the command line asks of the tables; the `table` blocks of the experiments give what it
 * lacks. NULL: nothing. Returns false after filling *d: the store holds no experiment or no finished run, or the baseline is a row of
 * no table. */
bool report_text(const struct store_reader *r, const struct table_wish *wish, int width, FILE *out, struct diag *d);

#endif
