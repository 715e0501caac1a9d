/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/starts.h"

#include "base/memory.h"
#include "base/tie.h"

#include <stdlib.h>
#include <string.h>

struct ranked {
    uint32_t rank, flow;
};

static int by_rank(const void *pa, const void *pb) {
    const struct ranked *a = pa, *b = pb;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    return a->flow < b->flow ? -1 : a->flow > b->flow;
}

/* Orders flows that start together by the rank of their hash. */
static void starts_draw(uint32_t *flow, uint32_t n, time_ps at, uint64_t tie_key) {
    if (n < 2) return;
    struct ranked *r = memory_get(n, sizeof *r);
    for (uint32_t i = 0; i < n; i++) r[i] = (struct ranked){tie_rank(tie_key, at, flow[i]), flow[i]};
    qsort(r, n, sizeof *r, by_rank);
    for (uint32_t i = 0; i < n; i++) flow[i] = r[i].flow;
    free(r);
}

void starts_order(uint32_t *flow, uint32_t n, const struct flow *flows, uint64_t tie_key) {
    for (uint32_t i = 0, end; i < n; i = end) {
        time_ps at = flows[flow[i]].start;
        for (end = i + 1; end < n && flows[flow[end]].start == at;) end++;
        starts_draw(flow + i, end - i, at, tie_key);
    }
}

uint32_t *starts_of_gates(const struct gates *gates, uint64_t tie_key) {
    if (!gates->n_gated) return NULL;
    uint32_t *gated = memory_get(gates->n_gated, sizeof *gated);
    memcpy(gated, gates->gated, gates->n_gated * sizeof *gated);
    for (uint32_t g = 0; g < gates->n_gates; g++)
        starts_draw(gated + gates->gate[g].first, gates->gate[g].n, 0, tie_key);
    return gated;
}
