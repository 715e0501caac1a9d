#include "measure/imbalance.h"

#include "base/memory.h"
#include "measure/flows.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;
#define PPM 1000000

bool imbalance_ppm(const uint64_t *bytes, size_t n, int64_t *ppm) {
    if (n < 2) return false;
    uint64_t least = bytes[0], most = bytes[0];
    wide sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] < least) least = bytes[i];
        if (bytes[i] > most) most = bytes[i];
        sum += bytes[i];
    }
    if (sum == 0) return false;
    *ppm = (int64_t)((wide)(most - least) * n * PPM / sum);
    return true;
}

void imbalance_log_fini(struct imbalance_log *log) {
    free(log->sample);
    *log = (struct imbalance_log){0};
}

void imbalance_add(struct imbalance_log *log, time_ps at, uint32_t node, const uint64_t *bytes, size_t n) {
    int64_t ppm;
    if (!imbalance_ppm(bytes, n, &ppm)) return;
    if (log->n == log->room) {
        log->room = log->room ? 2 * log->room : 256;
        log->sample = memory_grow(log->sample, log->room, sizeof *log->sample);
    }
    log->sample[log->n++] = (struct imbalance_sample){at, node, ppm};
}

static int sample_compare(const void *a, const void *b) {
    const struct imbalance_sample *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static struct summary tier_summary(const struct run_result *r, enum tier tier,
                                   enum tier (*tier_of)(const void *context, uint32_t node), const void *context) {
    int64_t *value = memory_get(r->n_imbalance, sizeof *value);
    size_t n = 0;
    for (size_t i = 0; i < r->n_imbalance; i++) {
        if (tier_of(context, r->imbalance[i].node) == tier) value[n++] = r->imbalance[i].value_ppm;
    }
    struct summary s = summary_of(value, n);
    free(value);
    return s;
}

void imbalance_merge(struct imbalance_log *log, size_t n, enum tier (*tier_of)(const void *context, uint32_t node),
                     const void *context, struct run_result *r) {
    size_t all = 0, at = 0;
    for (size_t i = 0; i < n; i++) all += log[i].n;
    r->imbalance = memory_get(all, sizeof *r->imbalance);
    r->n_imbalance = all;
    for (size_t i = 0; i < n; i++) {
        if (log[i].n > 0) memcpy(r->imbalance + at, log[i].sample, log[i].n * sizeof *r->imbalance);
        at += log[i].n;
        imbalance_log_fini(&log[i]);
    }
    if (all > 1) qsort(r->imbalance, all, sizeof *r->imbalance, sample_compare);
    for (int tier = 0; tier < TIER_COUNT; tier++) {
        r->imbalance_ppm[tier] = tier_summary(r, (enum tier)tier, tier_of, context);
    }
}
