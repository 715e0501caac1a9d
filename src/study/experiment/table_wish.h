/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of a table of results asks for: by `table` in the experiment file, or by --columns and --baseline.
 *
 *     table: {columns: [fct_us.all.p99, packets.dropped], baseline: ecmp}
 *
 * It is no part of a run's identity: changing it leaves stored runs valid. The store keeps the block, so that reports
 * show the columns that the run has shown.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_TABLE_WISH_H
#define HEDDLE_STUDY_EXPERIMENT_TABLE_WISH_H

#include "study/experiment/experiment.h"

struct table_wish {
    char **column; /* paths of metrics [n_columns]; none: the columns that matter for the results */
    size_t n_columns;
    char *baseline; /* name of a row, or its number from 1 on; NULL: none */
};

/* Fills *w from a block; NULL or null: no wish. False after filling *d. table_wish_free frees what *w holds. */
bool table_wish_read(const struct tree_node *block, struct table_wish *w, struct diag *d);
/* Fills *w from the options: columns are separated by commas in each of n texts. baseline may be NULL. */
void table_wish_of_words(const char *const *columns, size_t n, const char *baseline, struct table_wish *w);
/* Gives a wish the parts that it lacks and `other` has. */
void table_wish_complete(struct table_wish *w, const struct table_wish *other);
void table_wish_free(struct table_wish *w);

/* Returns whether the columns are numbers of some run's result, and the baseline a value of the rows or the number of a row.
 * False after filling *d with the nearest name. The place of the error is `where`, such as "--columns". */
bool table_wish_check(const struct table_wish *w, const struct experiment *e, const struct tree_node *where,
                      struct diag *d);

/* Checks the block of an experiment. False after filling *d. A profile or --set may leave out the row of the baseline: then the
 * table has its first rows as baselines. */
bool table_block_check(const struct experiment *e, struct diag *d);

#endif
