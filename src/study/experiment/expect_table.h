/* SPDX-License-Identifier: Apache-2.0 */
/* A claim about a table of numbers, as a paper prints one: a claim for each cell.
 *
 *     table:
 *       unit: KB                                  of the numbers; without it that of the metric
 *       within: 20%                               of the number, either way; [50%, 200%]: from half of it to twice
 *       columns: {workload.0.load: [0.4, 0.6]}    a swept key, with its value in each column
 *       rows: {workload.0.sizes: {web-search: [0.95, 1.31], web-server: [0.92, null]}}
 *
 * A cell is a claim `of` its row's and its column's value: `value` is the range about its number, in the unit of the metric,
 * and `paper` the number as printed ("0.95 KB"). null: the table has no number there. All other keys are those of the claim.
 */
#ifndef HEDDLE_STUDY_EXPERIMENT_EXPECT_TABLE_H
#define HEDDLE_STUDY_EXPERIMENT_EXPECT_TABLE_H

#include "study/config/yaml_doc.h"

/* Appends to `list` the claims of a claim with one metric and a `table`, row after row. Frees the claim. False after filling *d. */
bool expect_table_write_out(struct tree_node *list, struct tree_node *claim, struct diag *d);

#endif
