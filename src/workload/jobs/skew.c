/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/jobs/skew.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>

#define LN2_Q32 2977044472u /* ln 2 */
#define TERMS 24            /* of the series of exp for less than ln 2: the next one is below 2^-62 */

/* Returns exp(-x / 2^32) in Q62, for x below ln 2: 1 - x + x^2 / 2 - ... */
static uint64_t exp_part_q62(uint64_t x_q32) {
    uint64_t sum = 1ull << 62, term = sum;
    for (unsigned i = 1; i <= TERMS; i++) {
        term = (uint64_t)((uint128)term * x_q32 >> 32) / i;
        sum = i % 2 ? sum - term : sum + term;
    }
    return sum;
}

uint64_t skew_weight_q32(uint32_t k, int64_t exponent_ppb) {
    uint64_t log_q32 = (uint64_t)(neg_log_q32(1) - neg_log_q32(k)); /* ln k = ln(k / 2^32) - ln(1 / 2^32) */
    uint64_t x_q32 = (uint64_t)((uint128)log_q32 * (uint64_t)exponent_ppb / PPB);
    uint64_t halvings = x_q32 / LN2_Q32;
    return halvings < 32 ? exp_part_q62(x_q32 % LN2_Q32) >> (30 + halvings) : 0;
}

/* Returns the members in the order of their popularity. */
static uint32_t *order_draw(uint32_t n, uint64_t seed, uint64_t number) {
    uint32_t *order = memory_get(n, sizeof *order);
    struct random_stream r;
    random_init(&r, seed, RANDOM_SKEW, number);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)random_below(&r, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    return order;
}

void skew_draw(struct skew *s, uint32_t n, uint64_t seed, uint64_t number) {
    uint32_t *order = order_draw(n, seed, number);
    s->n = n;
    s->until = memory_get((size_t)n + 1, sizeof *s->until);
    for (uint32_t k = 0; k < n; k++) s->until[order[k] + 1] = skew_weight_q32(k + 1, s->exponent_ppb);
    for (uint32_t m = 0; m < n; m++) s->until[m + 1] += s->until[m];
    free(order);
}

void skew_fini(struct skew *s) {
    free(s->until);
    s->until = NULL;
}

/* Rounds the sums and not the shares, so that these add up. */
uint64_t *skew_shares(const struct skew *s, uint64_t bytes) {
    uint64_t *share = memory_get(s->n, sizeof *share), before = 0;
    for (uint32_t m = 0; m < s->n; m++) {
        uint64_t until = (uint64_t)((uint128)(bytes - s->n) * s->until[m + 1] / s->until[s->n]);
        share[m] = 1 + until - before;
        before = until;
    }
    return share;
}
