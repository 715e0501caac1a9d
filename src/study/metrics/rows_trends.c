/* SPDX-License-Identifier: Apache-2.0 */
/* Trends: a statistic of the flows and queries that start in the second half of the window of arrivals, over the same one of
 * the first half. */
#include "study/metrics/rows.h"

/* Returns second / first in parts per million; TIME_NONE, which is null in a result, if there is none. */
static int64_t ratio(int64_t first, int64_t second) {
    return first > 0 ? (int64_t)((int128)second * PPM / first) : TIME_NONE;
}

/* Returns the ratios of all statistics, valid until the next call. No values if one of the halves has none. */
static const struct summary *ratios(const struct summary *first, const struct summary *second) {
    static struct summary r;
    r = (struct summary){.n = first->n ? second->n : 0,
                         .mean = ratio(first->mean, second->mean),
                         .p50 = ratio(first->p50, second->p50),
                         .p95 = ratio(first->p95, second->p95),
                         .p99 = ratio(first->p99, second->p99),
                         .p999 = ratio(first->p999, second->p999),
                         .max = ratio(first->max, second->max)};
    return &r;
}

static const struct half_total *halves(const struct metric_cell *c) { return c->outcome->result.half; }

static const struct summary *times(const struct metric_cell *c) {
    return ratios(metric_field(c, metric_part_times(&halves(c)[0].flows, c->at[0])),
                  metric_field(c, metric_part_times(&halves(c)[1].flows, c->at[0])));
}

static const struct summary *counts(const struct metric_cell *c) {
    return ratios(metric_field(c, &halves(c)[0].counts), metric_field(c, &halves(c)[1].counts));
}

static const struct summary *queries_by_size(const struct query_times *t, uint32_t size) {
    return size == 0 ? &t->all : &t->size[size - 1];
}

static const struct summary *queries(const struct metric_cell *c) {
    return ratios(queries_by_size(&halves(c)[0].queries, c->at[0]), queries_by_size(&halves(c)[1].queries, c->at[0]));
}

static const struct metric rows[] = {
    {"trend.fct_us.CLASS.STAT", UNIT_TIMES, METRIC_NEITHER, "trend of FCT CLASS STAT",
     SUMMARY_IN(times, flow_times, fct_ps, PER_SHARE),
     .doc = "FCT of the flows that start in the second half of the window of arrivals (`open_flows.from_us` to "
            "`to_us`), over that of the first half: 1 where it does not depend on how long the run lasts. Null unless "
            "the number of open flows climbs over the window, as it does in every run that had not settled. An "
            "expectation about such runs takes it as the factor by which the figure may grow on. `n` is the number of "
            "flows of the second half"},
    {"trend.slowdown.CLASS.STAT", UNIT_TIMES, METRIC_NEITHER, "trend of slowdown CLASS STAT",
     SUMMARY_IN(times, flow_times, slowdown_ppm, PER_SHARE), .doc = "the same of the slowdown"},
    {"trend.handshake_us.CLASS.STAT", UNIT_TIMES, METRIC_NEITHER, "trend of handshake CLASS STAT",
     SUMMARY_IN(times, flow_times, handshake_ps, PER_SHARE), .doc = "the same of the handshake"},
    {"trend.data_us.CLASS.STAT", UNIT_TIMES, METRIC_NEITHER, "trend of FCT without handshake CLASS STAT",
     SUMMARY_IN(times, flow_times, data_ps, PER_SHARE), .doc = "the same of the FCT without handshake"},
    {"trend.queries.SIZE.STAT", UNIT_TIMES, METRIC_NEITHER, "trend of query time SIZE STAT",
     SUMMARY_OF(queries, PER_SHARE), .doc = "the same of the completion time of queries"},
    {"trend.reorder.STAT", UNIT_TIMES, METRIC_NEITHER, "trend of reorder degree STAT",
     SUMMARY_IN(counts, flow_counts, reorder_milli, PER_SHARE), .doc = "the same of the reorder degree of flows"},
    {"trend.credits.wasted_per_flow.STAT", UNIT_TIMES, METRIC_NEITHER, "trend of wasted credits per flow STAT",
     SUMMARY_IN(counts, flow_counts, wasted_milli, PER_SHARE), .doc = "the same of the credits that a flow wasted"},
    {"trend.credits.unfilled_bytes_per_flow.STAT", UNIT_TIMES, METRIC_NEITHER, "trend of unfilled bytes per flow STAT",
     SUMMARY_IN(counts, flow_counts, unfilled_milli, PER_SHARE),
     .doc = "the same of the bytes that its credits left unfilled"},
};

METRIC_PART(trend, rows);
