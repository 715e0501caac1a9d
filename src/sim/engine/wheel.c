/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/wheel.h"

#include "base/memory.h"
#include "base/require.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *bitmaps(size_t words) { return memory_get(WHEEL_SLOTS * words, sizeof(uint64_t)); }

void wheel_init(struct wheel *w, uint32_t n_nodes, span_ps slot_ps) {
    memset(w, 0, sizeof *w);
    w->multiplier = UINT64_MAX / (uint64_t)slot_ps + 1;
    w->words = (n_nodes + 63) / 64;
    w->summary_words = (w->words + 63) / 64;
    w->bits = bitmaps(w->words);
    w->summary = bitmaps(w->summary_words);
    w->far1 = bitmaps(w->words);
    w->far2 = bitmaps(w->words);
    w->far_slot = SLOT_NONE;
}

void wheel_fini(struct wheel *w) {
    free(w->bits);
    free(w->summary);
    free(w->far1);
    free(w->far2);
}

uint64_t wheel_bytes(const struct wheel *w) { return (uint64_t)WHEEL_SLOTS * 8 * (3ull * w->words + w->summary_words); }

time_ps wheel_slot_end(const struct wheel *w, int64_t s) {
    uint128 next = (uint128)(uint64_t)(s + 1) << 64;
    return (time_ps)((next + w->multiplier - 1) / w->multiplier);
}

/* ---- far marks: blocks of 128 slots (ring 1), of 128 such blocks (ring 2) ---- */

static void far_set(uint64_t *ring, uint64_t *occupied, uint32_t words, int64_t block, uint32_t node) {
    uint32_t at = (uint32_t)block & (WHEEL_SLOTS - 1);
    ring[(size_t)at * words + (node >> 6)] |= 1ull << (node & 63);
    wheel_map_set(occupied, block);
}

void wheel_mark_far(struct wheel *w, int64_t slot, uint32_t node) {
    int64_t block = slot >> WHEEL_BLOCK_SHIFT, now = w->slot >> WHEEL_BLOCK_SHIFT;
    if (block - now <= WHEEL_NEAR) {
        far_set(w->far1, w->far1_occupied, w->words, block, node);
        w->far_slot = min_i64(w->far_slot, block << WHEEL_BLOCK_SHIFT);
        return;
    }
    block >>= WHEEL_BLOCK_SHIFT;
    now >>= WHEEL_BLOCK_SHIFT;
    if (block - now > WHEEL_NEAR) block = now + WHEEL_NEAR; /* it is due too early then, and marked again */
    far_set(w->far2, w->far2_occupied, w->words, block, node);
    w->far_slot = min_i64(w->far_slot, block << 2 * WHEEL_BLOCK_SHIFT);
}

static void far_drain(struct wheel *w, uint64_t *ring, uint64_t *occupied, int64_t block, wheel_due_fn due,
                      void *context) {
    uint32_t at = (uint32_t)block & (WHEEL_SLOTS - 1);
    if (!(occupied[at >> 6] >> (at & 63) & 1)) return;
    wheel_map_clear(occupied, block);
    uint64_t *words = &ring[(size_t)at * w->words];
    for (uint32_t i = 0; i < w->words; i++) {
        uint64_t bits = words[i];
        words[i] = 0;
        for (; bits; bits &= bits - 1) due(context, 64 * i + (uint32_t)__builtin_ctzll(bits));
    }
}

/* Returns the distance from `from` to the next set bit of a circular map, 0 .. WHEEL_SLOTS - 1; WHEEL_SLOTS if none is
 * set. */
static uint32_t map_distance(const uint64_t *map, uint32_t from) {
    uint32_t word = from >> 6 & (WHEEL_MAP - 1), shift = from & 63;
    uint64_t bits = map[word] >> shift;
    if (bits) return (uint32_t)__builtin_ctzll(bits);
    uint32_t distance = 64 - shift;
    for (uint32_t i = 1; i <= WHEEL_MAP; i++, distance += 64) {
        bits = map[(word + i) & (WHEEL_MAP - 1)];
        if (i == WHEEL_MAP) bits &= (1ull << shift) - 1;
        if (bits) return distance + (uint32_t)__builtin_ctzll(bits);
    }
    return WHEEL_SLOTS;
}

int64_t wheel_map_next(const uint64_t occupied[WHEEL_MAP], int64_t slot, unsigned shift) {
    int64_t block = slot >> shift;
    uint32_t d = map_distance(occupied, (uint32_t)block & (WHEEL_SLOTS - 1));
    if (d == WHEEL_SLOTS) return SLOT_NONE;
    return d == 0 ? slot : (block + d) << shift;
}

/* Drains the far marks of a block whose first slot is the present one. Ring 2 goes first, as some of its marks move to
 * ring 1. */
static __attribute__((noinline)) void wheel_drain(struct wheel *w, wheel_due_fn due, void *context) {
    if (wheel_map_next(w->far2_occupied, w->slot, 2 * WHEEL_BLOCK_SHIFT) == w->slot)
        far_drain(w, w->far2, w->far2_occupied, w->slot >> 2 * WHEEL_BLOCK_SHIFT, due, context);
    else
        far_drain(w, w->far1, w->far1_occupied, w->slot >> WHEEL_BLOCK_SHIFT, due, context);
    w->far_slot = min_i64(wheel_map_next(w->far1_occupied, w->slot, WHEEL_BLOCK_SHIFT),
                          wheel_map_next(w->far2_occupied, w->slot, 2 * WHEEL_BLOCK_SHIFT));
}

void wheel_rewind(struct wheel *w, int64_t slot) {
    REQUIRE(slot <= w->slot && w->slot - slot <= WHEEL_BACK);
    for (int64_t s = slot; s <= w->slot; s++) wheel_map_set(w->occupied, s);
    w->slot = slot;
}

int64_t wheel_next(const struct wheel *w) { return min_i64(wheel_map_next(w->occupied, w->slot, 0), w->far_slot); }

int64_t wheel_advance(struct wheel *w, int64_t last, wheel_due_fn due, void *context) {
    for (;;) {
        int64_t next = wheel_next(w);
        if (next > last) return SLOT_NONE;
        w->slot = next;
        if (w->far_slot != next) return next;
        wheel_drain(w, due, context);
    }
}
