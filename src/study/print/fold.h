/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences folded at the width of a terminal. */
#ifndef HEDDLE_STUDY_PRINT_FOLD_H
#define HEDDLE_STUDY_PRINT_FOLD_H

#include <stdio.h>

/* Prints `text` in lines of at most `width` columns, as far as its words allow, after `indent` blanks. Lines after the first have
 * `hanging` blanks more. */
void fold_print(const char *text, int width, int indent, int hanging, FILE *out);

#endif
