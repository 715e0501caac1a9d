/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a table of results (study/table/table.h) as lines: the closing table of `heddle run`, and `heddle report --text`.
 *
 *    Means over 3 seeds, +- the half-width of the 95 % interval; * is the best, where intervals part.
 *
 *    flow completion times
 *                          mice           mice       elephant
 *      switch.balance      mean           99th           mean
 *      1 ecmp        245 us  +-3.1%  4.15 ms  +-9%  10.2 ms  +-2%
 *      2 expeditus   125 us* +-2.5%   544 us* +-5%  6.85 ms* +-3%
 *        against ecmp  -49 % +-2.2     -87 % +-0.9    -33 % +-1.9
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
