/* Throughput imbalance of a switch's uplinks (EXP-F16): (max - min) / mean of the bytes that each sent in an interval.
 *
 * The maximum possible is the number of uplinks: all bytes on one. Intervals in which none sent anything say nothing
 * and are left out, as are switches with fewer than two uplinks.
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
/* The bytes that each of the n uplinks of `node` sent in the interval that ends at `at`. */
void imbalance_add(struct imbalance_log *log, time_ps at, uint32_t node, const uint64_t *bytes, size_t n);

/* All values of n logs into r->imbalance, sorted by (at, node), and their summaries by tier into r->imbalance_ppm;
 * tier_of gives the tier of a node. The logs are left empty. */
void imbalance_merge(struct imbalance_log *log, size_t n, enum tier (*tier_of)(const void *context, uint32_t node),
                     const void *context, struct run_result *r);

#endif
