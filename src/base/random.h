/* SPDX-License-Identifier: Apache-2.0 */
/* Counter-based random streams (Philox4x32-10 of Random123).
 *
 * The key of a stream is (seed, purpose, number of the node or link it serves), so it is independent of every other
 * stream: another scheme, thread or measurement never changes its values. No libm: exponentials come from a fixed-point
 * logarithm, so every machine draws the same ones.
 */
#ifndef HEDDLE_BASE_RANDOM_H
#define HEDDLE_BASE_RANDOM_H

#include "base/types.h"

/* Append only: the numbers are part of every result. */
enum random_purpose {
    RANDOM_ARRIVALS = 1, /* workload: start times; number = workload entry */
    RANDOM_SIZES = 2,
    RANDOM_PAIRS = 3,
    RANDOM_PORTS = 4,    /* TCP source ports of flows */
    RANDOM_BALANCE = 5,  /* a switch's balancer; number = node */
    RANDOM_HASH = 6,     /* salt of a switch's ECMP hash */
    RANDOM_LOSS = 7,     /* gray links; number = global port */
    RANDOM_FAILURES = 8, /* fail_random; number = entry */
    RANDOM_HOST = 9,     /* a host's initial sequence numbers, jitter */
    RANDOM_MARK = 10,    /* marking decisions of a port */
    RANDOM_JITTER = 11,  /* gaps between a flow's credits; number = flow */
    RANDOM_CREDIT = 12,  /* a NIC's choice of the flow whose credit leaves; number = global port */
    RANDOM_SPRAY = 13,   /* paths of a flow's credits; number = flow */
    RANDOM_CLASS = 14,   /* workload: priorities of a host's queries */
    RANDOM_TIES = 15,    /* order of events at one place at one instant (base/tie.h) */
    RANDOM_IMPAIR = 17,  /* what an operator adds to a live link; number = global port, +2^32: towards it */
    RANDOM_DELAY = 16,   /* delays of a NIC's frames (host.jitter); number = global port */
    RANDOM_DROP = 18,    /* credits that a full queue drops (switch.credit_drop); number = global port */
    RANDOM_SKEW = 19,    /* workload: which ranks of an all-to-all get most; number = entry, iteration, layer */
    RANDOM_NIC = 20,     /* the pair of NICs that a flow uses (host.bonding); number = flow << 32 | ports of the pair */
};

struct random_stream {
    uint32_t key[2];
    uint32_t counter[4];
    uint32_t out[4];
    uint32_t left;
};

void random_init(struct random_stream *s, uint64_t seed, enum random_purpose purpose, uint64_t number);
/* A stream with the same numbers in less than half of the memory, for hundreds of thousands of owners: the caller passes seed, purpose
 * and number again at each draw. A zeroed lane is at the start of its stream. */
struct random_lane {
    uint32_t out[4];
    uint32_t drawn;
};
uint32_t random_lane_u32(struct random_lane *s, uint64_t seed, enum random_purpose purpose, uint64_t number);
void random_refill(struct random_stream *s);
static inline uint32_t random_u32(struct random_stream *s) {
    if (s->left == 0) random_refill(s);
    return s->out[4 - s->left--];
}
static inline uint64_t random_u64(struct random_stream *s) {
    uint64_t high = random_u32(s);
    return high << 32 | random_u32(s);
}
/* Draws again while a product of random_below lies in the surplus; returns the result. */
uint64_t random_below_again(struct random_stream *s, uint64_t n, uint128 product);
/* Returns a number uniform in [0, n), unbiased; n >= 1. Lemire, "Fast Random Integer Generation in an Interval" (2019): the
 * high word of a product is the result; low words under 2^64 mod n are the surplus that would bias it. */
static inline uint64_t random_below(struct random_stream *s, uint64_t n) {
    uint128 product = (uint128)random_u64(s) * n;
    return __builtin_expect((uint64_t)product < n, 0) ? random_below_again(s, n, product) : (uint64_t)(product >> 64);
}
uint32_t random_fraction_q32(struct random_stream *s);         /* uniform in [0, 2^32) / 2^32 */
bool random_chance_ppb(struct random_stream *s, uint32_t ppb); /* true with probability ppb / 1e9 */
/* Draws from an exponential distribution with this mean, rounded to an integer; relative error below 2^-30. */
int64_t random_exponential(struct random_stream *s, int64_t mean);
/* Returns -ln(u) in Q32 for u = x / 2^32, 0 < x < 2^32: the logarithm of random_exponential. */
int64_t neg_log_q32(uint32_t x);
/* Returns one value for (seed, purpose, number), which no stream yields. For salts. */
uint64_t random_key(uint64_t seed, enum random_purpose purpose, uint64_t number);

#endif
