/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/variation.h"

#include "base/memory.h"
#include "measure/flows.h"

#include <stdlib.h>

#define ROOM_BITS 100 /* a variance of fewer bits is scaled up before its square root, so that the root has digits */

/* Returns the square root, rounded down. */
static uint64_t square_root(uint128 x) {
    uint64_t root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        uint128 tried = (uint128)(root | 1ULL << bit);
        if (tried * tried <= x) root = (uint64_t)tried;
    }
    return root;
}

/* deviation / mean = sqrt(n sum x^2 - (sum x)^2) / sum x */
bool variation_ppm(const struct variation *v, int64_t *ppm) {
    if (v->n < 2 || v->sum == 0) return false;
    uint128 spread = v->squares * v->n - (uint128)v->sum * v->sum, whole = v->sum;
    for (int i = 0; i < 20 && !(spread >> ROOM_BITS); i++) {
        spread <<= 2;
        whole <<= 1;
    }
    *ppm = (int64_t)((uint128)square_root(spread) * PPM / whole);
    return true;
}

void variation_step(struct variation *of_flow, const struct flow_meter *m, time_ps from) {
    if (m->from < from) return;
    for (uint32_t i = 0; i < m->n_open; i++)
        if (flow_meter_is_whole(m, &m->open[i])) variation_add(&of_flow[m->open[i].flow], m->open[i].bytes);
}

struct summary variation_summary(const struct variation *of_flow, uint32_t n_flows) {
    int64_t *ppm = memory_get(n_flows, sizeof *ppm);
    size_t n = 0;
    for (uint32_t i = 0; i < n_flows; i++) n += variation_ppm(&of_flow[i], &ppm[n]);
    struct summary s = summary_of(ppm, n);
    free(ppm);
    return s;
}
