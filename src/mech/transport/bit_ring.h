/* SPDX-License-Identifier: Apache-2.0 */
/* A set of segments inside a window that slides upwards: one bit each, in a ring of a power of two bits (64 at least).
 *
 * Segments are numbered from the start of the flow in 64 bits; bit i & mask of the ring stands for segment i. The user
 * keeps the window (lowest to highest segment of interest) no wider than the ring, and clears the segments that leave
 * the window. All walks go word by word.
 */
#ifndef HEDDLE_MECH_TRANSPORT_BIT_RING_H
#define HEDDLE_MECH_TRANSPORT_BIT_RING_H

#include "base/types.h"

/* Returns the bits of [at, end) inside the word that holds segment `at`. */
static inline uint64_t ring_mask(uint64_t at, uint64_t end) {
    uint64_t low = ~0ull << (at & 63), left = 64 - (at & 63);
    return end - at >= left ? low : low & ((1ull << (end & 63)) - 1);
}

static inline uint64_t *ring_word(uint64_t *bits, uint32_t mask, uint64_t at) { return &bits[(at & mask) >> 6]; }

static inline bool ring_has(const uint64_t *bits, uint32_t mask, uint64_t at) {
    return bits[(at & mask) >> 6] >> (at & 63) & 1;
}

static inline uint64_t ring_next_word(uint64_t at) { return (at | 63) + 1; }

static inline void ring_set(uint64_t *bits, uint32_t mask, uint64_t at, uint64_t end) {
    for (; at < end; at = ring_next_word(at)) *ring_word(bits, mask, at) |= ring_mask(at, end);
}

static inline void ring_clear(uint64_t *bits, uint32_t mask, uint64_t at, uint64_t end) {
    for (; at < end; at = ring_next_word(at)) *ring_word(bits, mask, at) &= ~ring_mask(at, end);
}

static inline uint32_t ring_count(const uint64_t *bits, uint32_t mask, uint64_t at, uint64_t end) {
    uint32_t n = 0;
    for (; at < end; at = ring_next_word(at))
        n += (uint32_t)__builtin_popcountll(bits[(at & mask) >> 6] & ring_mask(at, end));
    return n;
}

/* Returns the lowest segment in [at, end) that is in the set (flip 0) or not in it (flip ~0); end if there is none. */
static inline uint64_t ring_next(const uint64_t *bits, uint32_t mask, uint64_t at, uint64_t end, uint64_t flip) {
    for (; at < end; at = ring_next_word(at)) {
        uint64_t word = (bits[(at & mask) >> 6] ^ flip) >> (at & 63);
        if (!word) continue;
        uint64_t found = at + (uint64_t)__builtin_ctzll(word);
        return found < end ? found : end;
    }
    return end;
}

/* Returns one more than the highest segment in [floor, end) that is in the set (flip 0) or not in it (flip ~0); floor
 * if there is none. */
static inline uint64_t ring_prev(const uint64_t *bits, uint32_t mask, uint64_t floor, uint64_t end, uint64_t flip) {
    while (end > floor) {
        uint64_t last = end - 1, word = (bits[(last & mask) >> 6] ^ flip) << (~last & 63);
        if (word) {
            uint64_t found = end - (uint64_t)__builtin_clzll(word);
            return found > floor ? found : floor;
        }
        end = last & ~63ull;
    }
    return floor;
}

/* Returns the number of bits of a ring for a window of n segments. */
static inline uint32_t ring_bits(uint64_t n) {
    uint32_t bits = 64;
    while (bits < n) bits *= 2;
    return bits;
}

#endif
