/* SPDX-License-Identifier: Apache-2.0 */
/* Order of events that happen at one place at the same instant (AM-32, AM-33).
 *
 * Equal links carry equal frames in equal times, so frames of several ports arrive together again and again. An order
 * by port number would let the lowest port always win. A keyed hash of (seed, time, place) orders them instead: each
 * tie has a new random order, another seed gives other orders, and neither threads nor observers change them.
 *
 * Cost: two multiplications per tied event; nothing without a tie.
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

/* Returns the rank of `place` in a tie at the instant `at`: the lowest rank comes first, equal ranks go by place. A
 * place is a port's global number or a flow's number; it must be in no other tie at that instant. */
static inline uint32_t tie_rank(uint64_t key, time_ps at, uint64_t place) {
    uint64_t x = tie_fold((uint64_t)at ^ key, 0x9e3779b97f4a7c15ull);
    return (uint32_t)(tie_fold(x ^ (place + 1) * 0xd1b54a32d192ed03ull, 0x9fb21c651e98df25ull ^ key) >> 32);
}

#endif
