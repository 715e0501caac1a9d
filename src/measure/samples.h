/* SPDX-License-Identifier: Apache-2.0 */
/* Samples over time, bounded in size: queues and links at the multiples of a period.
 *
 * When the bound is reached, every second period is dropped, from the past and for the future. The periods that stay
 * depend only on the bound, the number of series (ports sampled by all threads together) and the time reached. So the
 * stores of all threads drop the same periods, and the result does not depend on the number of threads. There is one
 * store per thread and period.
 */
#ifndef HEDDLE_MEASURE_SAMPLES_H
#define HEDDLE_MEASURE_SAMPLES_H

#include "measure/result.h"

#define SAMPLES_DEFAULT_MAX 1000000

struct samples {
    struct sample *sample; /* in the order of adding */
    size_t n, room;
    span_ps period;
    uint64_t max_periods; /* most periods kept, 2 or more */
    uint64_t stride;      /* a power of two; periods are kept whose number is a multiple of it */
};

/* max_samples: bound on the samples of all stores of this period (0 = SAMPLES_DEFAULT_MAX); series: samples per period
 * of all these stores. */
void samples_init(struct samples *s, span_ps period, uint64_t max_samples, uint64_t series);
void samples_fini(struct samples *s);

/* Begins a period, before its samples are added: drops periods if the bound is reached. False: this period is left out.
 * `at` is a multiple of the period and must not decrease. */
bool samples_begin(struct samples *s, time_ps at);
void samples_add(struct samples *s, time_ps at, uint32_t port, enum sample_kind kind, int64_t value);

/* Moves all samples of n stores to r->sample, sorted by (at, port, kind), and sets r->samples_thinned. The stores are
 * left empty. */
void samples_merge(struct samples *store, size_t n, struct run_result *r);

#endif
