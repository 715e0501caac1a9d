/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of all commands that print a table of results: --columns, --baseline, and the width of the terminal. */
#ifndef HEDDLE_CMD_TABLE_REQUEST_H
#define HEDDLE_CMD_TABLE_REQUEST_H

#include "cmd/command.h"
#include "study/experiment/table_wish.h"

struct table_words {
    struct word_list columns;
    const char *baseline;
};

/* Rows of the table, for a request with a member `struct table_words table`. */
#define TABLE_OPTIONS(request)                                                                                         \
    WORD(request, table.columns, "columns", 0, "METRIC,...", VALUE_TEXT,                                               \
         "columns of the table: paths of the --json object, such as fct_us.all.p99,packets.dropped, or help, which "   \
         "explains them; without it the metrics that matter for the results, or `table` of the file"),                 \
        WORD(request, table.baseline, "baseline", 0, "ROW", VALUE_TEXT,                                                \
             "compares all rows with this one, by its name, or by its number for the rows of all groups; without it "  \
             "with the first row of each group")

/* Returns whether the words are `--columns help`, after printing what columns mean. */
bool table_words_help(const struct table_words *words);

/* Fills *w, which table_wish_free ends, with what the words ask for. */
void table_words_take(const struct table_words *words, struct table_wish *w);

/* Returns whether all that the words ask for is to be had of the experiment. False after filling *d. */
bool table_words_check(const struct table_wish *w, const struct experiment *e, struct diag *d);

/* Returns the value of COLUMNS, or the width of the terminal that standard output is; LINES_WIDTH if it is none. */
int terminal_width(void);

#endif
