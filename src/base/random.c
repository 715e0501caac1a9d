/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"

#include <Random123/philox.h>
#include <string.h>

/* Layout of Philox's input: the key is the seed; the counter is the block's number (56 bits), the purpose (8) and the
 * stream's number (64). Philox is a bijection for each key, so no two streams share a block. */
enum { WORD_BLOCK_LOW, WORD_BLOCK_HIGH, WORD_NUMBER_LOW, WORD_NUMBER_HIGH };
#define PURPOSE_SHIFT 24
#define BLOCK_HIGH_MAX 0xffffffu

static void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    philox4x32_ctr_t c = {{counter[0], counter[1], counter[2], counter[3]}};
    philox4x32_key_t k = {{key[0], key[1]}};
    c = philox4x32_R(10, c, k);
    memcpy(out, c.v, sizeof c.v);
}

void random_init(struct random_stream *s, uint64_t seed, enum random_purpose purpose, uint64_t number) {
    *s = (struct random_stream){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}};
    s->counter[WORD_BLOCK_HIGH] = (uint32_t)purpose << PURPOSE_SHIFT;
    s->counter[WORD_NUMBER_LOW] = (uint32_t)number;
    s->counter[WORD_NUMBER_HIGH] = (uint32_t)(number >> 32);
}

void random_refill(struct random_stream *s) {
    philox(s->counter, s->key, s->out);
    if (++s->counter[WORD_BLOCK_LOW] == 0) s->counter[WORD_BLOCK_HIGH]++;
    s->left = 4;
}

uint32_t random_lane_u32(struct random_lane *s, uint64_t seed, enum random_purpose purpose, uint64_t number) {
    uint32_t place = s->drawn++ & 3;
    if (place == 0) {
        struct random_stream block;
        random_init(&block, seed, purpose, number);
        block.counter[WORD_BLOCK_LOW] = (s->drawn - 1) / 4;
        philox(block.counter, block.key, s->out);
    }
    return s->out[place];
}

uint64_t random_below_again(struct random_stream *s, uint64_t n, uint128 product) {
    uint64_t surplus = -n % n;
    while ((uint64_t)product < surplus) product = (uint128)random_u64(s) * n;
    return (uint64_t)(product >> 64);
}

uint32_t random_fraction_q32(struct random_stream *s) { return random_u32(s); }

bool random_chance_ppb(struct random_stream *s, uint32_t ppb) { return random_below(s, PPB) < ppb; }

#define LN2_Q64 0xb17217f7d1cf79acull /* ln 2 */
#define HALF_SQRT_Q32 0xb504f334ull   /* 1 / sqrt 2, rounded up */
#define ODD_TERM(i) ((1ull << 63) / (2 * (i) + 1))

/* Returns 2 atanh(z) for z < 3 - 2 sqrt 2: the odd power series to z^17, whose remainder is below 2^-48 of the sum. */
static uint128 twice_atanh_q64(uint64_t z_q66) {
    static const uint64_t odd_q63[] = {ODD_TERM(0), ODD_TERM(1), ODD_TERM(2), ODD_TERM(3), ODD_TERM(4),
                                       ODD_TERM(5), ODD_TERM(6), ODD_TERM(7), ODD_TERM(8)};
    uint64_t square_q64 = (uint64_t)((uint128)z_q66 * z_q66 >> 68);
    uint64_t sum_q63 = odd_q63[8];
    for (int i = 7; i >= 0; i--) sum_q63 = odd_q63[i] + (uint64_t)((uint128)sum_q63 * square_q64 >> 64);
    return (uint128)z_q66 * sum_q63 >> 64;
}

/* Returns -ln(x / 2^32) with a relative error below 2^-30: x = y / 2^k with y / 2^32 in [1/sqrt 2, sqrt 2), so that
 * -ln = k ln 2 - 2 atanh((y - 2^32) / (y + 2^32)) has no cancellation. */
static uint128 neg_log_q64(uint32_t x) {
    int k = __builtin_clz(x);
    if ((uint64_t)x << k < HALF_SQRT_Q32) k++;
    uint64_t y = (uint64_t)x << k, one = 1ull << 32;
    uint64_t apart = y > one ? y - one : one - y;
    uint128 part = twice_atanh_q64((uint64_t)(((uint128)apart << 66) / (y + one)));
    uint128 whole = (uint128)LN2_Q64 * (unsigned)k;
    return y > one ? whole - part : whole + part;
}

int64_t neg_log_q32(uint32_t x) { return (int64_t)((neg_log_q64(x) + (1u << 31)) >> 32); }

int64_t random_exponential(struct random_stream *s, int64_t mean) {
    uint32_t x;
    do x = random_u32(s);
    while (x == 0);
    uint128 log_q64 = neg_log_q64(x);
    uint64_t whole = (uint64_t)(log_q64 >> 64), part_q64 = (uint64_t)log_q64;
    uint64_t rounded = (uint64_t)(((uint128)(uint64_t)mean * part_q64 + (1ull << 63)) >> 64);
    return (int64_t)((uint64_t)mean * whole + rounded);
}

/* Takes the last block of the stream (purpose, number), which no stream ever reaches. */
uint64_t random_key(uint64_t seed, enum random_purpose purpose, uint64_t number) {
    struct random_stream s;
    random_init(&s, seed, purpose, number);
    s.counter[WORD_BLOCK_LOW] = UINT32_MAX;
    s.counter[WORD_BLOCK_HIGH] |= BLOCK_HIGH_MAX;
    return random_u64(&s);
}
