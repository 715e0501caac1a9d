/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/imbalance.h"

#include "base/memory.h"
#include "measure/flows.h"

#include <stdlib.h>

bool imbalance_ppm(const uint64_t *bytes, size_t n, int64_t *ppm) {
    if (n < 2) return false;
    uint64_t least = bytes[0], most = bytes[0];
    uint128 sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] < least) least = bytes[i];
        if (bytes[i] > most) most = bytes[i];
        sum += bytes[i];
    }
    if (sum == 0) return false;
    *ppm = (int64_t)((uint128)(most - least) * n * PPM / sum);
    return true;
}

void imbalance_log_fini(struct imbalance_log *log) {
    free(log->sample);
    *log = (struct imbalance_log){0};
}

void imbalance_add(struct imbalance_log *log, time_ps at, uint32_t node, const uint64_t *bytes, size_t n,
                   uint64_t least) {
    int64_t ppm;
    uint128 sum = 0;
    if (!imbalance_ppm(bytes, n, &ppm)) return;
    if (log->n == log->room) {
        log->room = log->room ? 2 * log->room : 256;
        log->sample = memory_grow(log->sample, log->room, sizeof *log->sample);
    }
    for (size_t i = 0; i < n; i++) sum += bytes[i];
    log->sample[log->n++] = (struct imbalance_sample){at, node, sum < least, ppm};
}

time_ps imbalance_until(const struct flow *flow, struct tallies tally, uint32_t n, span_ps period) {
    time_ps last = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (tally_started_at(tally, i) == TIME_NONE) continue;
        if (flow[i].bytes == UINT64_MAX) return TIME_NONE;
        last = max_i64(last, tally_started_at(tally, i));
    }
    return last < period ? TIME_NONE : last;
}

static int sample_compare(const void *a, const void *b) {
    const struct imbalance_sample *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

struct summary imbalance_within(const struct run_result *r, time_ps from, time_ps to, enum tier tier,
                                node_tier *tier_of, const void *context) {
    int64_t *value = memory_get(r->n_imbalance, sizeof *value);
    size_t n = 0;
    for (size_t i = 0; i < r->n_imbalance; i++) {
        const struct imbalance_sample *x = &r->imbalance[i];
        if (x->at >= from && x->at <= to && tier_of(context, x->node) == tier) value[n++] = x->value_ppm;
    }
    struct summary s = summary_of(value, n);
    free(value);
    return s;
}

/* Appends the samples of a log that count to r->imbalance, which has `at` of them; returns the new number. */
static size_t log_take(const struct imbalance_log *log, time_ps until, size_t at, node_tier *tier_of,
                       const void *context, struct run_result *r) {
    for (size_t i = 0; i < log->n; i++) {
        const struct imbalance_sample *s = &log->sample[i];
        r->imbalance_of[tier_of(context, s->node)]++;
        if (!s->is_light && s->at <= until) r->imbalance[at++] = *s;
    }
    return at;
}

void imbalance_merge(struct imbalance_log *log, size_t n, time_ps until, node_tier *tier_of, const void *context,
                     struct run_result *r) {
    size_t all = 0, at = 0;
    for (size_t i = 0; i < n; i++) all += log[i].n;
    r->imbalance = memory_get(all, sizeof *r->imbalance);
    for (size_t i = 0; i < n; i++) {
        at = log_take(&log[i], until, at, tier_of, context, r);
        imbalance_log_fini(&log[i]);
    }
    r->n_imbalance = at;
    if (at > 1) qsort(r->imbalance, at, sizeof *r->imbalance, sample_compare);
    for (int tier = 0; tier < TIER_COUNT; tier++) {
        r->imbalance_ppm[tier] = imbalance_within(r, 0, TIME_NONE, (enum tier)tier, tier_of, context);
    }
}
