/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table that are named by the values of their axes, side by side:
 *
 *       initial_
 *       window    hosts  min_rto
 *     1 3         8      1ms
 *     2                  5ms
 *     3           16     1ms
 *
 * An axis is a swept key with several values; the others, which all rows share, are said once. Its head is the key without the
 * levels that it does not need to be told from the other axes. A value is left out where it and all values before it are
 * those of the row above. The axis that the table compares (table.key) stands last.
 */
#ifndef HEDDLE_STUDY_PRINT_ROW_AXES_H
#define HEDDLE_STUDY_PRINT_ROW_AXES_H

#include "study/table/table.h"

#include <stdio.h>

#define ROW_AXES_MAX 8
#define ROW_AXIS_TEXT 128
#define ROW_AXIS_HEADS 4

struct row_axis {
    const char *key;
    const char *name; /* its last levels */
    char head[ROW_AXIS_HEADS][ROW_AXIS_TEXT];
    int n_head, width;
};

struct row_axes {
    const struct table *t;
    struct row_axis axis[ROW_AXES_MAX];
    int n, number; /* number: digits of the largest number of a row */
    int width;     /* of the number and all axes, without blanks around them */
    int n_head;    /* lines of the largest head */
};

/* Fills *a. Returns false if the rows have more than ROW_AXES_MAX axes, or these are wider than `most` columns. */
bool row_axes_make(const struct table *t, int most, struct row_axes *a);

/* Prints the keys of the axes in full, and the settings that all rows share; a line each, folded at the width. */
void row_axes_explain(const struct row_axes *a, int width, FILE *out);
/* Writes a line of the head, from 0 to n_head - 1, padded to the width. */
void row_axes_head(const struct row_axes *a, int line, char *buf, size_t size);
/* Writes number and values of a row, padded to the width. `above`: the row in the line above; table.n_rows: none. */
void row_axes_text(const struct row_axes *a, size_t row, size_t above, char *buf, size_t size);

#endif
