/* SPDX-License-Identifier: Apache-2.0 */
/* Explains the columns of tables for a terminal: what `--columns help` prints. */
#ifndef HEDDLE_STUDY_PRINT_COLUMNS_HELP_H
#define HEDDLE_STUDY_PRINT_COLUMNS_HELP_H

#include <stdio.h>

/* Prints each column that tables choose by themselves, with its metric, unit and meaning, folded at the width. */
void columns_help_print(int width, FILE *out);

#endif
