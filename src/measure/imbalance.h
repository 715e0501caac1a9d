/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput imbalance of a switch's uplinks (EXP-F16): (max - min) / mean of the bytes that each sent in an interval.
 *
 * The maximum possible is the number of uplinks: all bytes on one. A single flow in a network that drains makes that
 * maximum under every scheme, so only loaded intervals count: those in which the uplinks together carried a share of
 * what they can, and that end before arrivals do. Intervals in which none sent anything say nothing and are left out,
 * as are switches with fewer than two uplinks.
 */
#ifndef HEDDLE_MEASURE_IMBALANCE_H
#define HEDDLE_MEASURE_IMBALANCE_H

#include "measure/result.h"

/* In parts per million, rounded down; false when nothing was sent or n < 2. */
bool imbalance_ppm(const uint64_t *bytes, size_t n, int64_t *ppm);

/* The values of one thread. */
struct imbalance_log {
    struct imbalance_sample *sample;
    size_t n, room;
};
void imbalance_log_fini(struct imbalance_log *log);
/* The bytes that each of the n uplinks of `node` sent in the interval that ends at `at`; it is light if they are fewer
 * than `least` together. */
void imbalance_add(struct imbalance_log *log, time_ps at, uint32_t node, const uint64_t *bytes, size_t n,
                   uint64_t least);

/* When arrivals end: the last start of a flow, up to which intervals count. TIME_NONE, so that all do, if flows without
 * an end go on, or if all flows start within the first `period`. */
time_ps imbalance_until(const struct flow *flow, const struct flow_tally *tally, uint32_t n, span_ps period);

/* The values of n logs that are not light, of intervals that end by `until`, into r->imbalance, sorted by (at, node),
 * and their summaries by tier into r->imbalance_ppm; r->imbalance_of counts the others too. tier_of gives the tier of a
 * node. The logs are left empty. */
void imbalance_merge(struct imbalance_log *log, size_t n, time_ps until,
                     enum tier (*tier_of)(const void *context, uint32_t node), const void *context,
                     struct run_result *r);

#endif
