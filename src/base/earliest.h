/* SPDX-License-Identifier: Apache-2.0 */
/* The earliest of a fixed number of times, as a tournament tree. Each place has a time; `earliest_time` is the least of
 * them, `earliest_place` the first place that has it. Setting a time costs log2 n steps without a branch to guess: where
 * the winner stops changing is as good as random.
 *
 *               at[1] = min(at[2], at[3])          the winner
 *          at[2]          at[3]
 *       at[4] at[5]    at[6] at[7]                 the times of the places 0 .. 3, for `leaves` = 4
 */
#ifndef HEDDLE_BASE_EARLIEST_H
#define HEDDLE_BASE_EARLIEST_H

#include "base/memory.h"
#include "base/types.h"

#include <stdlib.h>

struct earliest {
    time_ps *at;
    uint32_t leaves; /* a power of two, at least the number of places */
};

/* Allocates the tree; all times are TIME_NONE. */
static inline void earliest_init(struct earliest *e, uint32_t places) {
    e->leaves = 1;
    while (e->leaves < places) e->leaves *= 2;
    e->at = (time_ps *)memory_get_lines(2ul * e->leaves, sizeof *e->at);
    for (uint32_t i = 0; i < 2 * e->leaves; i++) e->at[i] = TIME_NONE;
}

static inline void earliest_fini(struct earliest *e) { free(e->at); }
static inline uint64_t earliest_bytes(const struct earliest *e) { return 2ull * e->leaves * sizeof *e->at; }

static inline time_ps earliest_time(const struct earliest *e) { return e->at[1]; }
static inline time_ps earliest_of(const struct earliest *e, uint32_t place) { return e->at[e->leaves + place]; }

static inline void earliest_set(struct earliest *e, uint32_t place, time_ps at) {
    e->at[e->leaves + place] = at;
    for (uint32_t i = e->leaves + place; i > 1; i /= 2) {
        at = min_i64(at, e->at[i ^ 1]);
        e->at[i / 2] = at;
    }
}

static inline uint32_t earliest_place(const struct earliest *e) {
    uint32_t i = 1;
    while (i < e->leaves) i = 2 * i + (e->at[2 * i] != e->at[1]);
    return i - e->leaves;
}

#endif
