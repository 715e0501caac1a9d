/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes of a partition have work in which slot: three rings of bitmaps over the nodes.
 *
 * Ring 0 has a bitmap per slot for the next 252 slots, ring 1 one per 128 slots for later times, ring 2 one per 16,384.
 * Timers set bits ahead; for arrivals (sim/engine/flight.h) they are set when the slot comes. Setting a bit twice costs nothing.
 * A bit that was set too early is recognised when its slot comes. So bits are never removed, and moving a deadline costs
 * nothing.
 * A summary bit per 64-bit word lets a sparse slot of a large fabric be read in a few loads, and an occupancy map per
 * ring lets empty slots be skipped.
 *
 * The slot of a time is (t x M) >> 64 with M = ceil(2^64 / slot length): no division, monotone, and two times that are
 * a slot length apart never share a slot.
 */
#ifndef HEDDLE_SIM_ENGINE_WHEEL_H
#define HEDDLE_SIM_ENGINE_WHEEL_H

#include "base/types.h"

#define WHEEL_SLOTS 256
#define WHEEL_MAP (WHEEL_SLOTS / 64)
#define WHEEL_BACK 2                  /* slots that wheel_rewind may go back */
#define WHEEL_NEAR (254 - WHEEL_BACK) /* farthest slot ahead that ring 0 holds */
#define WHEEL_BLOCK_SHIFT 7           /* slots per block of the next ring */
#define SLOT_NONE INT64_MAX

struct wheel {
    uint64_t multiplier; /* M */
    int64_t slot;        /* the present slot: being processed, or processed last */
    uint32_t words, summary_words;
    uint64_t *bits;    /* [WHEEL_SLOTS][words] */
    uint64_t *summary; /* [WHEEL_SLOTS][summary_words] */
    uint64_t occupied[WHEEL_MAP];
    uint64_t *far1, *far2; /* [WHEEL_SLOTS][words] */
    uint64_t far1_occupied[WHEEL_MAP], far2_occupied[WHEEL_MAP];
    int64_t far_slot; /* first slot of the first block with far marks; SLOT_NONE */
};

/* Creates an empty wheel. slot_ps: the slot's length, at least 2. */
void wheel_init(struct wheel *w, uint32_t n_nodes, span_ps slot_ps);
void wheel_fini(struct wheel *w);
uint64_t wheel_bytes(const struct wheel *w);

static inline int64_t wheel_slot_of(const struct wheel *w, time_ps t) {
    return (int64_t)(((uint128)(uint64_t)t * w->multiplier) >> 64);
}

/* Returns the first instant after slot s. */
time_ps wheel_slot_end(const struct wheel *w, int64_t s);

/* Set and clear the bit of a slot, or of a block of slots, in a map of WHEEL_SLOTS bits. */
static inline void wheel_map_set(uint64_t map[WHEEL_MAP], int64_t slot) {
    map[slot >> 6 & (WHEEL_MAP - 1)] |= 1ull << (slot & 63);
}
static inline void wheel_map_clear(uint64_t map[WHEEL_MAP], int64_t slot) {
    map[slot >> 6 & (WHEEL_MAP - 1)] &= ~(1ull << (slot & 63));
}

static inline void wheel_set(struct wheel *w, int64_t slot, uint32_t node) {
    uint32_t at = (uint32_t)slot & (WHEEL_SLOTS - 1);
    w->bits[(size_t)at * w->words + (node >> 6)] |= 1ull << (node & 63);
    w->summary[(size_t)at * w->summary_words + (node >> 12)] |= 1ull << (node >> 6 & 63);
    wheel_map_set(w->occupied, slot);
}

/* Says that the marks of the present slot are being taken, so that wheel_advance goes on behind it, unless something is
 * marked there again. */
static inline void wheel_leave(struct wheel *w) { wheel_map_clear(w->occupied, w->slot); }

void wheel_mark_far(struct wheel *w, int64_t slot, uint32_t node);

/* Marks that the node has work at `slot`, which is not before the present one. */
static inline void wheel_mark_slot(struct wheel *w, int64_t slot, uint32_t node) {
    if (__builtin_expect(slot - w->slot <= WHEEL_NEAR, 1))
        wheel_set(w, slot, node);
    else
        wheel_mark_far(w, slot, node);
}

static inline void wheel_mark(struct wheel *w, time_ps t, uint32_t node) {
    wheel_mark_slot(w, wheel_slot_of(w, t), node);
}

/* Returns the first slot of the next marked block of a far ring, or `slot` if that is in it; SLOT_NONE if none is marked.
 * A block has 2^shift slots; ring 0 has blocks of one slot. */
int64_t wheel_map_next(const uint64_t occupied[WHEEL_MAP], int64_t slot, unsigned shift);

/* Goes to the next slot at or after the present one that has a mark, but not beyond `last`. On entering a block it
 * calls `due` for each of its far marks; `due` marks the node again, now nearer. Returns the slot, or SLOT_NONE. */
typedef void (*wheel_due_fn)(void *context, uint32_t node);
int64_t wheel_advance(struct wheel *w, int64_t last, wheel_due_fn due, void *context);

/* Goes back to an earlier slot, at most WHEEL_BACK. Marks of the slots from there on that nobody has taken are found again. */
void wheel_rewind(struct wheel *w, int64_t slot);

/* Returns the earliest slot with a mark, a lower bound for far marks; SLOT_NONE if there is none. */
int64_t wheel_next(const struct wheel *w);

/* ---- the marks of a slot ---- */

/* The words of a slot's bitmap that have bits set, of the first n_nodes nodes, one after the other. */
struct wheel_words {
    uint64_t *words, *summary, groups;
    uint32_t group, n_groups;
    uint32_t last_word; /* of which the lowest bits are wanted */
    uint64_t last_bits;
};

static inline uint64_t low_bits(uint32_t n) { return (1ull << n) - 1; }

static inline void wheel_words_begin(struct wheel_words *s, const struct wheel *w, int64_t slot, uint32_t n_nodes) {
    uint32_t at = (uint32_t)slot & (WHEEL_SLOTS - 1);
    *s = (struct wheel_words){.words = &w->bits[(size_t)at * w->words],
                              .summary = &w->summary[(size_t)at * w->summary_words],
                              .n_groups = ((n_nodes + 63) / 64 + 63) / 64,
                              .last_word = n_nodes / 64,
                              .last_bits = low_bits(n_nodes % 64)};
}

/* Sets *word and *bits to the next one; false: there are no more. If `take`, what was read is cleared. */
static inline bool wheel_words_next(struct wheel_words *s, uint32_t *word, uint64_t *bits, const bool take) {
    while (!s->groups) {
        if (s->group == s->n_groups) return false;
        uint64_t wanted =
            s->group == s->last_word >> 6 ? low_bits(s->last_word & 63) | 1ull << (s->last_word & 63) : UINT64_MAX;
        s->groups = s->summary[s->group] & wanted;
        if (take) s->summary[s->group] &= ~wanted;
        s->group++;
    }
    *word = 64 * (s->group - 1) + (uint32_t)__builtin_ctzll(s->groups);
    s->groups &= s->groups - 1;
    uint64_t wanted = *word == s->last_word ? s->last_bits : UINT64_MAX, rest = s->words[*word] & ~wanted;
    *bits = s->words[*word] & wanted;
    if (!take) return true;
    s->words[*word] = rest;
    if (rest) s->summary[*word >> 6] |= 1ull << (*word & 63);
    return true;
}

#endif
