/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/table_request.h"

#include "study/print/columns_help.h"
#include "study/print/table_lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool table_words_help(const struct table_words *words) {
    if (words->columns.n != 1 || strcmp(words->columns.item[0], "help") != 0) return false;
    columns_help_print(terminal_width(), stdout);
    return true;
}

void table_words_take(const struct table_words *words, struct table_wish *w) {
    table_wish_of_words(words->columns.item, words->columns.n, words->baseline, w);
}

bool table_words_check(const struct table_wish *w, const struct experiment *e, struct diag *d) {
    const struct table_wish columns = {.column = w->column, .n_columns = w->n_columns}, row = {.baseline = w->baseline};
    const struct tree_node of_columns = {.file = "--columns"}, of_row = {.file = "--baseline"};
    return table_wish_check(&columns, e, &of_columns, d) && table_wish_check(&row, e, &of_row, d);
}

int terminal_width(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int asked = columns ? atoi(columns) : 0;
    if (asked > 0) return asked;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : LINES_WIDTH;
}
