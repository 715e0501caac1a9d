/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of `expect` that stand for several claims.
 *
 *     rows: [{...}, {...}]      a claim for each row: the keys of the block with those of the row laid over them. Maps merge,
 *                               other values replace; null leaves a key of the block out
 *     metric: [A, B]            a claim for each metric, of the block or of each row
 *
 *     table: {...}              a claim for each cell of a table of numbers (expect_table.h), of the block or of a row
 *
 * A block with rows and metrics makes the claims of its first row, one for each metric, then those of the second. Written out, the list
 * has a block for each claim, with the place of its row: all that reads it sees the claims as if each were stated alone.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_EXPECT_ROWS_H
#define HEDDLE_STUDY_EXPERIMENT_EXPECT_ROWS_H

#include "study/config/yaml_doc.h"

/* Writes out the blocks of `expect` in the tree. False after filling *d. */
bool expect_rows_write_out(struct tree_node *root, struct diag *d);

#endif
