/* SPDX-License-Identifier: Apache-2.0 */
/* The flows of a stored run, each with whether it counts in the run's results (measure.from, measure.starts).
 *
 *    static void add(void *to, const struct flow_row *x, bool counts) { ... }
 *    if (!run_flows_each(store, run, add, &sum, &d)) ...
 *
 * One pass over the table, two if a share of the arrivals is selected; memory is then 12 bytes for each flow. FCT and
 * slowdown are taken over the flows that count and have an FCT, reordering over the flows that received data and either
 * count or have no end.
 */
#ifndef HEDDLE_STUDY_SERIES_FLOWS_H
#define HEDDLE_STUDY_SERIES_FLOWS_H

#include "study/series/selection.h"

/* The columns that a visitor reads; all others of struct flow_row but flow, src and dst are STORE_NULL. */
#define RUN_FLOW_COLUMNS " start_ps bytes fct_ps bound_ps received_bytes max_reorder "

/* Takes a flow; *x lives until the function returns. */
typedef void flow_visitor(void *to, const struct flow_row *x, bool counts);

/* Calls `visit` with `to` for each flow, in the order of the table. False after filling *d. */
bool run_flows_each(const struct store_reader *r, const struct run_row *run, flow_visitor *visit, void *to,
                    struct diag *d);

/* Returns whether the flow has an end and reached it. */
bool flow_has_fct(const struct flow_row *x);
/* Returns whether the flow's reordering counts; on real frames nobody counts it. */
bool flow_has_reorder(const struct flow_row *x, bool counts);

/* Each sets *value from a flow that has an FCT; false if it has no such value. */
bool flow_fct_us(const struct flow_row *x, double *value);
bool flow_slowdown(const struct flow_row *x, double *value);
bool flow_goodput_mbps(const struct flow_row *x, double *value);

#endif
