/* SPDX-License-Identifier: Apache-2.0 */
/* The closing table that `heddle run` prints after the runs. */
#ifndef HEDDLE_STUDY_PRINT_TABLE_H
#define HEDDLE_STUDY_PRINT_TABLE_H

#include "study/claims/expect.h"
#include "study/experiment/table_wish.h"

#include <stdio.h>

/* How the table is printed. */
struct table_print_options {
    const struct table_wish *wish; /* of the command line; the experiment's `table` gives what it lacks. NULL: none */
    int width;                     /* of the terminal; 0: LINES_WIDTH */
};

/* Prints the title, the table of results (study/print/table_lines.h), the claims, which runs are missing, and the path of
 * the results. */
void table_print(const struct experiment *e, json_t *const *result, const struct claim_outcome *claim, size_t n_claims,
                 const char *store_path, const struct table_print_options *o, FILE *out);

#endif
