/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a table of results (study/table/table.h) as lines, for a terminal and for `heddle report --text`. */
#ifndef HEDDLE_STUDY_PRINT_TABLE_LINES_H
#define HEDDLE_STUDY_PRINT_TABLE_LINES_H

#include "study/metrics/numbers.h"
#include "study/table/table.h"

#include <stdio.h>

struct table_style {
    int width;    /* columns that do not fit go below; 0: all stand side by side */
    int name;     /* width of the names of rows; longer names are cut, unless `whole_names` */
    int cell;     /* width of a cell without its interval */
    int interval; /* further width in groups with intervals */
    enum number_style numbers;
    const char *change; /* format of a change in percent */
    bool whole_names;
    bool
        details; /* intervals, the mark of the best, what is missing from a row; no change of shares and plain numbers */
    bool only_used; /* leaves out the columns in which the group has nothing but 0 */
};

/* The closing table of `heddle run`. */
extern const struct table_style table_style_run;
/* A text of this width; its name column fits the table, up to 22 characters. */
struct table_style table_style_text(const struct table *t, int width);

/* Prints the heads and the rows of a group. */
void table_group_print(const struct table *t, size_t group, const struct table_style *s, FILE *out);
/* Returns whether any cell of the table shows a change. */
bool table_shows_change(const struct table *t, const struct table_style *s);

#endif
