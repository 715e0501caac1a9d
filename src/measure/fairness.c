/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/fairness.h"

#include "base/memory.h"

#include <stdlib.h>

#define RATES_FEW (1 << 20)
#define RATE_BITS 42      /* with 2^20 rates the squared sum has at most 124 bits */
#define RATE_BITS_MANY 30 /* with 2^32 rates it has at most 124 bits too */

/* Returns by how many bits to shift rates right so that the sums fit. The error, at most 2^-29 of the largest rate, is
 * far below an index in ppm. */
static int shift_for(const int64_t *rate, size_t n) {
    int64_t most = 0;
    int bits = n > RATES_FEW ? RATE_BITS_MANY : RATE_BITS;
    for (size_t i = 0; i < n; i++) most = max_i64(most, rate[i]);
    int shift = 0;
    while (most >> shift >= 1LL << bits) shift++;
    return shift;
}

bool fairness_jain_ppm(const int64_t *rate, size_t n, int64_t *ppm) {
    int shift = shift_for(rate, n);
    uint128 sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        uint128 x = (uint128)(rate[i] >> shift);
        sum += x;
        squares += x * x;
    }
    if (squares == 0) return false;
    uint128 numerator = sum * sum, denominator = squares * n;
    while (numerator >> 107) { /* the product with PPM must fit */
        numerator >>= 1;
        denominator >>= 1;
    }
    *ppm = min_i64((int64_t)(numerator * PPM / denominator), PPM);
    return true;
}

bool fairness_interval_ppm(const struct flow_meter *m, int64_t *ppm) {
    int64_t *bytes = memory_get(m->n_open, sizeof *bytes);
    size_t n = 0;
    for (uint32_t i = 0; i < m->n_open; i++)
        if (flow_meter_is_whole(m, &m->open[i])) bytes[n++] = m->open[i].bytes;
    bool any = fairness_jain_ppm(bytes, n, ppm);
    free(bytes);
    return any;
}

void fairness_add(struct fairness_total *total, int64_t ppm) {
    total->min_ppm = total->intervals ? min_i64(total->min_ppm, ppm) : ppm;
    total->sum_ppm += (uint64_t)ppm;
    total->intervals++;
}
