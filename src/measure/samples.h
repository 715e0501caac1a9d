/* SPDX-License-Identifier: Apache-2.0 */
/* Samples over time, bounded in size: queues and links at the multiples of a period.
 *
 * When the bound is reached every second period is dropped, from the past and for the future. Which periods stay
 * depends only on the bound, the number of series (ports sampled, of all threads together) and the time reached, so
 * threads that keep a store each thin alike and the result does not depend on their number. One store per thread and
 * kind of period.
 */
#ifndef HEDDLE_MEASURE_SAMPLES_H
#define HEDDLE_MEASURE_SAMPLES_H

#include "measure/result.h"

#define SAMPLES_DEFAULT_MAX 1000000

struct samples {
    struct sample *sample; /* in the order of adding */
    size_t n, room;
    span_ps period;
    uint64_t max_periods; /* kept at most; at least 2 */
    uint64_t stride;      /* a power of two: periods kept are its multiples */
};

/* max_samples: bound over all stores of this period together (0 = SAMPLES_DEFAULT_MAX); series: samples per period over
 * all of them. */
void samples_init(struct samples *s, span_ps period, uint64_t max_samples, uint64_t series);
void samples_fini(struct samples *s);

/* Call at each period before its samples: thins if need be; false: this period is one of those left out. `at` is a
 * multiple of the period and never goes back. */
bool samples_begin(struct samples *s, time_ps at);
void samples_add(struct samples *s, time_ps at, uint32_t port, enum sample_kind kind, int64_t value);

/* All samples of n stores into r->sample, sorted by (at, port, kind), and r->samples_thinned. The stores are left
 * empty. */
void samples_merge(struct samples *store, size_t n, struct run_result *r);

#endif
