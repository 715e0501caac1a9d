/* SPDX-License-Identifier: Apache-2.0 */
/* The queries of a stored run, and their sets, each with whether it counts in the run's results. Queries are selected
 * as flows are, by the order in which their requests start; a set counts if its first query does. */
#ifndef HEDDLE_STUDY_SERIES_QUERIES_H
#define HEDDLE_STUDY_SERIES_QUERIES_H

#include "study/series/selection.h"

/* Takes a query; *x lives until the function returns. */
typedef void query_visitor(void *to, const struct query_row *x, bool counts);

/* Calls `visit` with `to` for each query, in the order of the table. False after filling *d. */
bool run_queries_each(const struct store_reader *r, const struct run_row *run, query_visitor *visit, void *to,
                      struct diag *d);

/* The queries that one page asked for. */
struct query_set {
    int64_t part_of;    /* number of the set */
    uint32_t n, n_done; /* queries, and those of them with a time */
    int64_t start_ps, end_ps;
    bool counts;
};
typedef void set_visitor(void *to, const struct query_set *s);

/* Calls `visit` with `to` for each set, in the order of the table, where the queries of a set stand side by side.
 * False after filling *d. */
bool run_sets_each(const struct store_reader *r, const struct run_row *run, set_visitor *visit, void *to,
                   struct diag *d);

#endif
