/* SPDX-License-Identifier: Apache-2.0 */
/* Who comes first when several things happen at one place at the same instant (CLAIMS AM-32, AM-33).
 *
 * Equal links carry equal frames for the same time, so frames of several ports arrive together again and again.
 * Ordering them by port number lets the lowest port win for ever. A keyed hash of (seed, time, place) orders them
 * instead: each tie is drawn anew, another seed draws other orders, and neither threads nor observers change them.
 *
 * Cost: two multiplications per thing that is tied; nothing without a tie.
 */
#ifndef HEDDLE_BASE_TIE_H
#define HEDDLE_BASE_TIE_H

#include "base/random.h"

static inline uint64_t tie_fold(uint64_t a, uint64_t b) {
    uint128 m = (uint128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Returns the key of a run's ties. */
static inline uint64_t tie_key(uint64_t seed) { return random_key(seed, RANDOM_TIES, 0); }

/* Returns the rank of `place` in the tie at `at`: the lowest comes first, equal ranks go by place. The place is one
 * that no other tie shares: a port's global number, or a flow's. */
static inline uint32_t tie_rank(uint64_t key, time_ps at, uint64_t place) {
    uint64_t x = tie_fold((uint64_t)at ^ key, 0x9e3779b97f4a7c15ull);
    return (uint32_t)(tie_fold(x ^ (place + 1) * 0xd1b54a32d192ed03ull, 0x9fb21c651e98df25ull ^ key) >> 32);
}

#endif
