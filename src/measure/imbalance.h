/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput imbalance of a switch's uplinks (EXP-F16): (max - min) / mean of the bytes that each sent in an interval.
 *
 * The maximum possible is the number of uplinks: all bytes on one uplink. A single flow in a network that drains causes
 * this maximum under every scheme. So only loaded intervals count: those in which the uplinks together carried at least
 * a given share of their capacity, and that end before the last flow starts. Intervals without any bytes are left out,
 * and so are switches with fewer than two uplinks.
 */
#ifndef HEDDLE_MEASURE_IMBALANCE_H
#define HEDDLE_MEASURE_IMBALANCE_H

#include "measure/result.h"

/* Sets *ppm to the imbalance in parts per million, rounded down; false if nothing was sent or n < 2. */
bool imbalance_ppm(const uint64_t *bytes, size_t n, int64_t *ppm);

/* The samples of one thread. */
struct imbalance_log {
    struct imbalance_sample *sample;
    size_t n, room;
};
void imbalance_log_fini(struct imbalance_log *log);
/* Adds the imbalance of the bytes that the n uplinks of `node` sent in the interval that ends at `at`. The interval is
 * light if their sum is below `least`. */
void imbalance_add(struct imbalance_log *log, time_ps at, uint32_t node, const uint64_t *bytes, size_t n,
                   uint64_t least);

/* Returns the last start of a flow, up to which intervals count. Returns TIME_NONE, so that all intervals count, if a
 * flow without an end has started or if all flows start within the first `period`. */
time_ps imbalance_until(const struct flow *flow, struct tallies tally, uint32_t n, span_ps period);

/* Moves the samples of n logs that are not light and end by `until` to r->imbalance, sorted by (at, node), and
 * summarises them by tier in r->imbalance_ppm. r->imbalance_of counts all samples by tier. tier_of returns the tier of
 * a node. The logs are left empty. */
typedef enum tier node_tier(const void *context, uint32_t node);
void imbalance_merge(struct imbalance_log *log, size_t n, time_ps until, node_tier *tier_of, const void *context,
                     struct run_result *r);

/* Summarises the samples of r->imbalance of one tier that end in [from, to]. */
struct summary imbalance_within(const struct run_result *r, time_ps from, time_ps to, enum tier tier,
                                node_tier *tier_of, const void *context);

#endif
