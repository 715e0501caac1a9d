/* SPDX-License-Identifier: Apache-2.0 */
/* Which inputs of a partition have work in which slot: three rings of bitmaps over the inputs.
 *
 * An input is one arrival direction of a link, or a node's own timers. Ring 0 has a bitmap per slot for the next 252
 * slots, ring 1 one per 128 slots for later times, ring 2 one per 16,384. Setting a bit twice costs nothing. A bit that
 * was set too early is recognised when its slot comes. So bits are never removed, and moving a deadline costs nothing.
 * A summary bit per 64-bit word lets a sparse slot of a large fabric be read in a few loads, and an occupancy map per
 * ring lets empty slots be skipped.
 *
 * The slot of a time is (t x M) >> 64 with M = ceil(2^64 / slot length): no division, monotone, and two times that are
 * a slot length apart never share a slot.
 */
#ifndef HEDDLE_SIM_WHEEL_H
#define HEDDLE_SIM_WHEEL_H

#include "base/types.h"

#define WHEEL_SLOTS 256
#define WHEEL_MAP (WHEEL_SLOTS / 64)
#define WHEEL_GROUP 4096              /* inputs that a word of the summary covers */
#define WHEEL_BACK 2                  /* slots that wheel_rewind may go back */
#define WHEEL_NEAR (254 - WHEEL_BACK) /* farthest slot ahead that ring 0 holds */
#define WHEEL_BLOCK_SHIFT 7           /* slots per block of the next ring */
#define SLOT_NONE INT64_MAX

struct wheel {
    uint64_t multiplier; /* M */
    int64_t slot;        /* the present slot: being processed, or processed last */
    uint32_t n_inputs, words, summary_words;
    uint64_t *bits;    /* [WHEEL_SLOTS][words] */
    uint64_t *summary; /* [WHEEL_SLOTS][summary_words] */
    uint64_t occupied[WHEEL_MAP];
    uint64_t *far1, *far2; /* [WHEEL_SLOTS][words] */
    uint64_t far1_occupied[WHEEL_MAP], far2_occupied[WHEEL_MAP];
    int64_t far_slot; /* first slot of the first block with far marks; SLOT_NONE */
};

/* Creates an empty wheel. slot_ps: the slot's length, at least 2. */
void wheel_init(struct wheel *w, uint32_t n_inputs, span_ps slot_ps);
void wheel_fini(struct wheel *w);
uint64_t wheel_bytes(const struct wheel *w);

static inline int64_t wheel_slot_of(const struct wheel *w, time_ps t) {
    return (int64_t)(((uint128)(uint64_t)t * w->multiplier) >> 64);
}

/* Returns the first instant after slot s. */
time_ps wheel_slot_end(const struct wheel *w, int64_t s);

static inline void wheel_set(struct wheel *w, int64_t slot, uint32_t input) {
    uint32_t at = (uint32_t)slot & (WHEEL_SLOTS - 1);
    w->bits[(size_t)at * w->words + (input >> 6)] |= 1ull << (input & 63);
    w->summary[(size_t)at * w->summary_words + (input >> 12)] |= 1ull << (input >> 6 & 63);
    w->occupied[at >> 6] |= 1ull << (at & 63);
}

void wheel_mark_far(struct wheel *w, int64_t slot, uint32_t input);

/* Marks that the input has work at `slot`, which is not before the present one. */
static inline void wheel_mark_slot(struct wheel *w, int64_t slot, uint32_t input) {
    if (__builtin_expect(slot - w->slot <= WHEEL_NEAR, 1))
        wheel_set(w, slot, input);
    else
        wheel_mark_far(w, slot, input);
}

static inline void wheel_mark(struct wheel *w, time_ps t, uint32_t input) {
    wheel_mark_slot(w, wheel_slot_of(w, t), input);
}

/* Goes to the next slot at or after the present one that has a mark, but not beyond `last`. On entering a block it
 * calls `due` for each of its far marks; `due` marks the input again, now nearer. Returns the slot, or SLOT_NONE. */
typedef void (*wheel_due_fn)(void *context, uint32_t input);
int64_t wheel_advance(struct wheel *w, int64_t last, wheel_due_fn due, void *context);

/* Goes back to an earlier slot, at most WHEEL_BACK. Marks of the slots from there on that nobody has taken are found again. */
void wheel_rewind(struct wheel *w, int64_t slot);

/* Returns the earliest slot with a mark, a lower bound for far marks; SLOT_NONE if there is none. */
int64_t wheel_next(const struct wheel *w);

#endif
