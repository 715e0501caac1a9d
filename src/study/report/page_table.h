/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of the page: a table of results (study/table/table.h) for all experiments of one name, which the page
 * draws as HTML.
 *
 *  {"key": compared key or null, "columns": paths, "heads": [[words, -1 if less is better, 1 if more is], ...],
 *   "further": paths that are quoted next, "empty": paths that were asked for and have no value, "notes": text, "asked": the baseline that was asked for, {"name": TEXT} or {"row": index}, or null,
 *   "rows": [{"settings": without the seed, "baseline": index of a row, "cells": [[mean, low, high, n, 1 if it is the best],
 *             ... or null], "against": {index of a row: [[form, figure, low, high], ... or null]}}]}
 *
 * low and high are null where there is no interval. `form` is "change" or "difference". Each row is compared with all rows
 * of the table, as long as these are few; else with those of its group, or with its baseline alone. Experiments of one name
 * from several stores are one table, in which the store is a setting. The page groups the rows, and shows the comparison
 * with the row that its reader chooses.
 */
#ifndef HEDDLE_STUDY_REPORT_PAGE_TABLE_H
#define HEDDLE_STUDY_REPORT_PAGE_TABLE_H

#include "study/experiment/table_wish.h"
#include "study/store/store_reader.h"

/* Returns {name of an experiment: its table} over all stores. `wish`: what the command line asks of the tables; the `table`
 * blocks of the experiments give what it lacks. Returns NULL after filling *d if its baseline is a row of no table. */
json_t *page_tables(struct store_reader *const *reader, size_t n, const struct table_wish *wish, struct diag *d);

/* Returns the two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom, as far as the runs of any
 * point need them: for the intervals of metrics that a reader chooses. */
json_t *page_quantiles(struct store_reader *const *reader, size_t n);

#endif
