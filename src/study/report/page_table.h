/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of the page: a table of results (study/table/table.h) for all experiments of one name, which the page
 * draws as HTML.
 *
 *  {"key": compared key or null, "quoted": paths that are quoted most, those of queries first,
 *   "columns": the first of them, which the table shows, "notes": text,
 *   "rows": [{"settings": without the seed, "cells": [[mean, low, high, n, 1 if it is the best], ... or null]}]}
 *
 * low and high are null where there is no interval. Experiments of one name from several stores are one table, in
 * which the store is a setting. The page groups the rows, and compares them with the row that its reader chooses.
 */
#ifndef HEDDLE_STUDY_REPORT_PAGE_TABLE_H
#define HEDDLE_STUDY_REPORT_PAGE_TABLE_H

#include "study/store/store_reader.h"

/* Returns {name of an experiment: its table} over all stores. */
json_t *page_tables(struct store_reader *const *reader, size_t n);

/* Returns the two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom, as far as the runs of any
 * point need them: for the intervals of metrics that a reader chooses. */
json_t *page_quantiles(struct store_reader *const *reader, size_t n);

#endif
