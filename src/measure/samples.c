/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/samples.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void samples_init(struct samples *s, span_ps period, uint64_t max_samples, uint64_t series) {
    if (max_samples == 0) max_samples = SAMPLES_DEFAULT_MAX;
    uint64_t periods = series ? max_samples / series : max_samples;
    *s = (struct samples){.period = period, .max_periods = periods < 2 ? 2 : periods, .stride = 1};
}

void samples_fini(struct samples *s) {
    free(s->sample);
    s->sample = NULL;
    s->n = s->room = 0;
}

static bool is_kept(const struct samples *s, time_ps at, uint64_t stride) {
    return (uint64_t)(at / s->period) % stride == 0;
}

static void thin(struct samples *s, uint64_t stride) {
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (is_kept(s, s->sample[i].at, stride)) s->sample[kept++] = s->sample[i];
    }
    s->n = kept;
    s->stride = stride;
}

/* With a stride, number / stride + 1 periods are kept up to this one: the multiples of the stride from 0 on. */
bool samples_begin(struct samples *s, time_ps at) {
    uint64_t number = (uint64_t)(at / s->period), stride = s->stride;
    while (number / stride + 1 > s->max_periods) stride *= 2;
    if (stride != s->stride) thin(s, stride);
    return is_kept(s, at, stride);
}

void samples_add(struct samples *s, time_ps at, uint32_t port, enum sample_kind kind, int64_t value) {
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->sample = memory_grow(s->sample, s->room, sizeof *s->sample);
    }
    s->sample[s->n++] = (struct sample){at, port, kind, value};
}

static int sample_compare(const void *a, const void *b) {
    const struct sample *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->port != y->port) return x->port < y->port ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Brings all stores of a period to the same stride. A store without samples in late periods may have a smaller one. */
static void thin_alike(struct samples *store, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t stride = store[i].stride;
        for (size_t j = 0; j < n; j++) {
            if (store[j].period == store[i].period && store[j].stride > stride) stride = store[j].stride;
        }
        if (stride != store[i].stride) thin(&store[i], stride);
    }
}

void samples_merge(struct samples *store, size_t n, struct run_result *r) {
    thin_alike(store, n);
    size_t all = 0, at = 0;
    for (size_t i = 0; i < n; i++) all += store[i].n;
    r->sample = memory_get(all, sizeof *r->sample);
    r->n_samples = all;
    r->samples_thinned = false;
    for (size_t i = 0; i < n; i++) {
        if (store[i].n > 0) memcpy(r->sample + at, store[i].sample, store[i].n * sizeof *r->sample);
        at += store[i].n;
        r->samples_thinned |= store[i].stride > 1;
        samples_fini(&store[i]);
    }
    if (all > 1) qsort(r->sample, all, sizeof *r->sample, sample_compare);
}
