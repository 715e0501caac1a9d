/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the generated pages (docs/keys.md, docs/results.md).
 *
 * A cell holds at most MARKDOWN_CELL characters, so that a page fits a screen without scrolling sideways. A longer text
 * is cut at the end of a clause, its cell ends in " ...", and the whole text stands in a list under the table, which
 * markdown_end writes. A | inside of a cell is escaped.
 */
#ifndef HEDDLE_STUDY_CONFIG_MARKDOWN_H
#define HEDDLE_STUDY_CONFIG_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

#define MARKDOWN_CELL 120
#define MARKDOWN_COLUMNS 8

struct markdown_table {
    FILE *out;
    FILE *list; /* writes `notes` */
    char *notes;
    size_t n_notes_bytes;
    const char *const *head;
    size_t n_columns;
};

/* Prints the heads, at most MARKDOWN_COLUMNS. `head` must outlive the table. */
void markdown_begin(struct markdown_table *t, FILE *out, const char *const *head, size_t n_columns);
/* Prints a cell for each column. The first one names the row in the list of cut texts. */
void markdown_row(struct markdown_table *t, const char *const *cell);
/* Prints the list of cut texts and frees what the table holds. */
void markdown_end(struct markdown_table *t);

/* Returns how many characters of a text a cell shows: all, or up to the last end of a clause that leaves room for
 * " ...". Clauses end at ". " and "; "; without any the text is cut at ": ", then ", ", then a blank. What stands in
 * parentheses or between backticks is not cut. */
size_t markdown_cut(const char *text);

#endif
