/* SPDX-License-Identifier: Apache-2.0 */
/* From the tallies of a run's flows to the completion times of its queries.
 *
 * A query takes from the start of its request to the arrival of the last byte of its response at the client; a set
 * from its first request to its last response. Queries that have not finished are counted, and have no time; a set has
 * one when all its queries have. Which count is said as for flows, by the order in which requests start.
 */
#ifndef HEDDLE_MEASURE_QUERIES_H
#define HEDDLE_MEASURE_QUERIES_H

#include "measure/flows.h"

struct query_selection {
    time_ps from;
    int64_t starts_from_ppb, starts_to_ppb;
    struct query_classes classes;
};

/* The queries of a run, whose flows and their tallies are in the order of the flow list. */
struct query_log {
    const struct query *query;
    uint32_t n;
    const struct flow *flow;
    const struct flow_tally *tally;
};

/* TIME_NONE: it has not finished. */
span_ps query_time(const struct query_log *l, uint32_t i);
/* Returns the timeouts of query i: of SYNs, SYN-ACKs and data, in both its flows. */
uint32_t query_timeouts(const struct query_log *l, uint32_t i);

void queries_summarise(const struct query_log *l, const struct query_selection *s, struct query_totals *t);

#endif
