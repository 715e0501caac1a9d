/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of large runs: rows of `flow_blocks` (flow_block.h) in place of rows of `flows`.
 *
 * Up to STORE_FLOWS_AS_ROWS flows of a run are rows of `flows`, for every SQL tool to read. More of them are packed. A store with such
 * a run has schema STORE_SCHEMA_PACKED, so that no earlier program takes it for a run without flows. Other stores stay what they
 * are, without the table.
 *
 * Whoever reads a store through store_reader.h sees no difference: there the table `flows` of the store is hidden by a virtual
 * table of the same name, whose rows are those of either form. It has the same columns and answers questions about one run:
 * `WHERE run=?`, with or without `AND flow=?`, in the order of flows. Other questions fail ("no query solution").
 */
#ifndef HEDDLE_STUDY_STORE_PACKED_FLOWS_H
#define HEDDLE_STUDY_STORE_PACKED_FLOWS_H

#include "study/store/store_parts.h"
#include "study/store/store_reader.h"

/* Writes `n` flows of a run as blocks; fill(o, i, value) sets the FLOW_COLUMNS values of flow i. */
typedef void (*flow_values_fn)(const struct outcome *o, size_t i, int64_t *value);
bool packed_flows_write(struct store *s, int64_t run, const struct outcome *o, size_t n, flow_values_fn fill,
                        struct diag *d);
/* Deletes the blocks of a run, if there are any. */
bool packed_flows_clear(struct store *s, int64_t run, struct diag *d);

/* Hides the table `flows` of a store that has packed runs; of any other store it changes nothing. */
bool packed_flows_show(struct store_reader *r, struct diag *d);

#endif
