/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of queries and of sets of queries. */
#include "study/metrics/rows.h"

static const struct query_totals *totals(const struct metric_cell *c) { return &c->outcome->result.queries; }

/* Returns the summary of key `size` of SIZE: 0 is `all`, then one per size. */
static const struct summary *of_size(const struct query_times *t, uint32_t size) {
    return size == 0 ? &t->all : &t->size[size - 1];
}

static const struct summary *by_size(const struct metric_cell *c) {
    return of_size(&c->outcome->result.queries.times, c->at[0]);
}

static const struct summary *by_priority(const struct metric_cell *c) {
    return of_size(&c->outcome->result.queries.priority[c->at[0]], c->at[1]);
}

static const struct summary *fifth(const struct metric_cell *c) { return &c->outcome->result.queries.fifth[c->at[0]]; }

static const struct summary *sets(const struct metric_cell *c) {
    return c->at[0] == 0 ? &c->outcome->result.queries.sets : &c->outcome->result.queries.fanout[c->at[0] - 1];
}

static json_t *unfinished(const struct metric_cell *c) {
    return metric_count(totals(c)->started - totals(c)->finished);
}

static json_t *over_10ms(const struct metric_cell *c) { return metric_share(totals(c)->over, totals(c)->times.all.n); }

static json_t *sets_over(const struct metric_cell *c) { return metric_share(totals(c)->sets_over, totals(c)->sets.n); }

/* ---- timeouts ---- */

static json_t *group_share(const uint64_t group[QUERY_TIMEOUTS], uint32_t timeouts) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < QUERY_TIMEOUTS; i++) all += group[i];
    return metric_share(group[timeouts], all);
}

static json_t *without_timeouts(const struct metric_cell *c) { return group_share(totals(c)->timeouts, 0); }

static json_t *with_timeouts(const struct metric_cell *c) { return group_share(totals(c)->timeouts, 1 + c->at[0]); }

static json_t *tail_without_timeouts(const struct metric_cell *c) { return group_share(totals(c)->timeouts_p99, 0); }

static json_t *tail_with_timeouts(const struct metric_cell *c) {
    return group_share(totals(c)->timeouts_p99, 1 + c->at[0]);
}

/* ---- the rows ---- */

static const struct metric rows[] = {
    {"queries.started", UNIT_COUNT, METRIC_NEITHER, "queries started", COUNT(queries.started),
     .doc = "queries whose request started"},
    {"queries.finished", UNIT_COUNT, METRIC_NEITHER, "queries finished", COUNT(queries.finished),
     .doc = "started queries whose response arrived whole"},
    {"queries.unfinished", UNIT_COUNT, METRIC_NEITHER, "queries unfinished", VALUE(unfinished),
     .doc = "started queries that are not finished"},
    {"queries.SIZE.STAT", UNIT_US, METRIC_LESS, "query time SIZE STAT", SUMMARY_OF(by_size, PER_US),
     .head = "SIZE STAT",
     .doc =
         "time from the start of the request to the arrival of the last byte of the response at the client, over the "
         "finished queries of the size"},
    {"queries.over_10ms", UNIT_SHARE, METRIC_LESS, "queries over 10 ms", VALUE(over_10ms),
     .doc = "share of queries that took longer than 10 ms"},
    {"queries.by_priority.PRIORITY.SIZE.STAT", UNIT_US, METRIC_LESS, "query time priority PRIORITY SIZE STAT",
     SUMMARY_OF(by_priority, PER_US), .doc = "query time over the queries of one priority"},
    {"queries.fifths.FIFTH.STAT", UNIT_US, METRIC_LESS, "query time fifth FIFTH STAT", SUMMARY_OF(fifth, PER_US),
     .doc = "query time over one fifth of the queries, by the order of their starts. If the last fifth is much slower "
            "than the first, the queues grew all the time and the load is too high"},
    {"queries.sets.FANOUT.STAT", UNIT_US, METRIC_LESS, "set time FANOUT STAT", SUMMARY_OF(sets, PER_US),
     .doc = "time from the first request of a set (a web request, or a round of an incast) to its last response, over "
            "the finished sets of so many queries"},
    {"queries.sets.over_200ms", UNIT_SHARE, METRIC_LESS, "sets over 200 ms", VALUE(sets_over),
     .doc = "share of sets that took longer than 200 ms"},
    {"queries.timeouts.share.0", UNIT_SHARE, METRIC_MORE, "queries without timeouts", VALUE(without_timeouts),
     .doc = "share of queries without any timeout, whether of a SYN, a SYN-ACK or data, in both flows"},
    {"queries.timeouts.share.TIMEOUTS", UNIT_SHARE, METRIC_LESS, "queries with timeouts TIMEOUTS", VALUE(with_timeouts),
     .doc = "share of queries with so many timeouts"},
    {"queries.timeouts.of_p99.0", UNIT_SHARE, METRIC_NEITHER, "slowest queries without timeouts",
     VALUE(tail_without_timeouts),
     .doc = "share without any timeout among the queries at or above the 99th percentile. With the next row it says "
            "what the tail is made of"},
    {"queries.timeouts.of_p99.TIMEOUTS", UNIT_SHARE, METRIC_NEITHER, "slowest queries with timeouts TIMEOUTS",
     VALUE(tail_with_timeouts), .doc = "share with so many timeouts among the queries at or above the 99th percentile"},
};

METRIC_PART(query, rows);
