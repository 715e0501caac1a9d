/* SPDX-License-Identifier: Apache-2.0 */
/* Bins for the out-of-order degree of data frames: how many frames a receiver holds out of order when a frame arrives.
 *
 * A frame that arrives in its turn has degree 0. Degrees 0 to 3 have a bin each; the other bins double: 4 to 7, 8 to
 * 15, ... 128 to 255, and the last takes 256 and more. A transport that counts degrees says in its table which of its
 * counters are these bins; the world adds them up in run_result.degree_frames.
 */
#ifndef HEDDLE_BASE_DEGREES_H
#define HEDDLE_BASE_DEGREES_H

#include "base/types.h"

#define DEGREE_BINS 11

/* Returns the bin of a degree. */
static inline uint32_t degree_bin(uint32_t degree) {
    if (degree < 4) return degree;
    uint32_t log2 = 31 - (uint32_t)__builtin_clz(degree);
    return log2 > 8 ? DEGREE_BINS - 1 : log2 + 2;
}

/* Returns the least degree of a bin. */
static inline uint32_t degree_least(uint32_t bin) { return bin < 4 ? bin : 1u << (bin - 2); }

/* Returns the largest degree of a bin; the last bin is taken to end at 511. */
static inline uint32_t degree_most(uint32_t bin) { return degree_least(bin + 1) - 1; }

#endif
