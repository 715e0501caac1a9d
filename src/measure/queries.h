/* SPDX-License-Identifier: Apache-2.0 */
/* Completion times of a run's queries, from the tallies of its flows.
 *
 * The time of a query is from the start of its request to the arrival of the last byte of its response at the client;
 * that of a set is from its first request to its last response. Unfinished queries are counted but have no time; a set
 * has a time if all its queries have. Queries are selected as flows are, by the order in which their requests start.
 */
#ifndef HEDDLE_MEASURE_QUERIES_H
#define HEDDLE_MEASURE_QUERIES_H

#include "measure/flows.h"

struct query_selection {
    struct selection arrivals;
    struct query_classes classes;
};

/* The queries of a run, whose flows and their tallies are in the order of the flow list. */
struct query_log {
    const struct query *query;
    uint32_t n;
    const struct flow *flow;
    struct tallies tally;
};

/* Returns the completion time of query i, or TIME_NONE if it has not finished. */
span_ps query_time(const struct query_log *l, uint32_t i);
/* Returns the timeouts of query i: of SYNs, SYN-ACKs and data, in both its flows. */
uint32_t query_timeouts(const struct query_log *l, uint32_t i);

void queries_summarise(const struct query_log *l, const struct query_selection *s, struct query_totals *t);

#endif
