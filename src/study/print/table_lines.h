/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a table of results (study/table/table.h) as lines: the closing table of `heddle run`, and `heddle report --text`.
 *
 *    Means over 3 seeds, +- the half-width of the 95 % interval; * the best, where intervals part.
 *
 *    flow completion times
 *      switch.balance      mice 95th     mice mean           mice 99th    elephant mean
 *      1 ecmp          600 us  +-19%  245 us +-49%  4.15 ms 0..17.4 ms  10.2 ms  +-0.7%
 *      2 expeditus     260 us* +-11%  125 us +-22%   544 us      +-40%  6.85 ms* +-9.7%
 *        against ecmp   -57 %  +-8.6   -49 %  +-26    -87 %  -100..-48    -33 %   +-6.2
 *
 * Columns that do not fit the width stand in a further block below. Names of rows are whole: one that is too long has a line
 * of its own. Without intervals the change stands beside the value.
 */
#ifndef HEDDLE_STUDY_PRINT_TABLE_LINES_H
#define HEDDLE_STUDY_PRINT_TABLE_LINES_H

#include "study/table/table.h"

#include <stdio.h>

#define LINES_WIDTH_MIN 40
#define LINES_WIDTH 100 /* where nothing says how wide the output is: a file, a pipe */

/* Prints all groups, what is missing from rows, the notes, and which further metrics there are. */
void table_lines_print(const struct table *t, int width, FILE *out);

#endif
