/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a balancer's tables as text: "paths: id 5, port 2, ...\n" for each. */
#ifndef TESTS_TABLE_ROWS_H
#define TESTS_TABLE_ROWS_H

#include <stdio.h>
#include <string.h>

#include "mech/balance/balance.h"

static inline void table_row_add(void *to, const char *table, const struct balance_cell *cell, size_t n) {
    char *text = to;
    for (size_t i = 0; i < n; i++)
        sprintf(text + strlen(text), "%s%s%s %lld", i ? "" : table, i ? ", " : ": ", cell[i].column,
                (long long)cell[i].value);
    strcat(text, "\n");
}

/* Returns rows that are appended to `text`, which has room for all of them. */
static inline struct balance_rows table_rows_into(char *text) {
    text[0] = '\0';
    return (struct balance_rows){.to = text, .row = table_row_add};
}

#endif
