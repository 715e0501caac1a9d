/* SPDX-License-Identifier: Apache-2.0 */
#include "node/deadlines.h"

#include "base/memory.h"
#include "node/host.h"

#include <stdlib.h>
#include <string.h>

#define ARITY 4
#define LEAD (ARITY - 1) /* entries left free in front, so that the children of a node fill one cache line */
_Static_assert(ARITY * sizeof(struct deadline) == CACHE_LINE, "the children of a node are one line");

#define FEW 256 /* entries that a heap may have anyway: four levels below the top, less than the first-level cache */

void deadlines_init(struct deadlines *h, size_t place_at) {
    *h = (struct deadlines){.place_at = (uint32_t)place_at, .limit = FEW, .next = TIME_NONE};
}

static void heap_free(struct deadlines *h) {
    if (h->entry) free(h->entry - LEAD);
}

void deadlines_fini(struct deadlines *h) {
    heap_free(h);
    calendar_destroy(h->later);
}

uint64_t deadlines_bytes(const struct deadlines *h) {
    return h->size * sizeof(struct deadline) + (h->later ? calendar_bytes(h->later) : 0);
}

static bool tie_before(const struct connection *a, const struct connection *b) {
    return a->flow != b->flow ? a->flow < b->flow : a->side < b->side;
}

/* Returns 1 or 0. The result is unpredictable, so callers compute with it instead of branching. */
static inline uint32_t deadline_before(const struct deadline *a, const struct deadline *b) {
    if (__builtin_expect(a->at == b->at, 0)) return tie_before(a->of, b->of);
    return a->at < b->at;
}

static uint32_t parent_of(uint32_t place) { return (place - 1) / ARITY; }

static inline void deadlines_put(struct deadlines *h, uint32_t place, struct deadline d) {
    h->entry[place] = d;
    *deadline_place(d.of, h->place_at) = place;
}

/* Puts `d` at `place`, or further up if it is earlier than its parents. */
static void deadlines_up(struct deadlines *h, uint32_t place, struct deadline d) {
    for (; place && deadline_before(&d, &h->entry[parent_of(place)]); place = parent_of(place))
        deadlines_put(h, place, h->entry[parent_of(place)]);
    deadlines_put(h, place, d);
}

/* Returns the place of the earliest of `n` children, the first of which is at `child`. */
static inline uint32_t earliest_child(const struct deadlines *h, uint32_t child, uint32_t n) {
    const struct deadline *c = &h->entry[child];
    uint32_t first = 0;
    for (uint32_t i = 1; i < n; i++) first += (i - first) * deadline_before(&c[i], &c[first]);
    return child + first;
}

/* Fills the free `place`: moves the earliest child up, level by level, to a place without children, and puts `d` there.
 * `d` is the last entry of the heap, or one that has moved later, so it rarely rises from there. */
static void deadlines_fill(struct deadlines *h, uint32_t place, struct deadline d) {
    for (uint32_t child; (child = ARITY * place + 1) < h->n; place = child) {
        uint32_t n = h->n - child;
        child = n < ARITY ? earliest_child(h, child, n) : earliest_child(h, child, ARITY);
        deadlines_put(h, place, h->entry[child]);
    }
    deadlines_up(h, place, d);
}

static void deadlines_grow(struct deadlines *h) {
    uint32_t size = h->size ? 2 * h->size : 5;
    struct deadline *lines = memory_get_lines(size + LEAD, sizeof *lines);
    if (h->n) memcpy(lines + LEAD, h->entry, h->n * sizeof *lines);
    heap_free(h);
    h->entry = lines + LEAD;
    h->size = size;
}

static void heap_add(struct deadlines *h, struct deadline d) {
    if (h->n == h->size) deadlines_grow(h);
    deadlines_up(h, h->n++, d);
}

/* ---- the calendar ---- */

/* Moves the earliest bucket into the heap, which must be empty; the calendar must not be. */
static void deadlines_refill(struct deadlines *h) {
    struct bucket *b = calendar_take(h->later);
    for (uint32_t i = 0; i < b->n; i++) heap_add(h, b->entry[i]);
    calendar_taken(h->later, b);
    h->later->horizon = h->later->n ? h->later->from : TIME_NONE;
    h->limit = h->n < FEW / 2 ? FEW : 2 * h->n;
}

static __attribute__((noinline)) void deadlines_spread(struct deadlines *h) {
    if (!h->later) h->later = calendar_create(h->place_at);
    uint32_t n = h->n;
    h->n = 0;
    calendar_spread(h->later, h->entry, n);
    deadlines_refill(h);
}

/* ---- changes ---- */

static void deadlines_changed(struct deadlines *h) { h->next = h->n ? h->entry[0].at : TIME_NONE; }

void deadlines_add(struct deadlines *h, struct connection *c, time_ps at) {
    struct deadline d = {at, c};
    if (__builtin_expect(h->later && at >= h->later->horizon, 0)) {
        calendar_add(h->later, d);
        return;
    }
    heap_add(h, d);
    if (__builtin_expect(h->n > h->limit, 0)) deadlines_spread(h);
    deadlines_changed(h);
}

void deadlines_hasten(struct deadlines *h, struct connection *c, time_ps at) {
    uint32_t place = *deadline_place(c, h->place_at);
    if (__builtin_expect(place & PLACE_IN_CALENDAR, 0)) {
        calendar_remove(h->later, place);
        deadlines_add(h, c, at);
        return;
    }
    deadlines_up(h, place, (struct deadline){at, c});
    deadlines_changed(h);
}

void deadlines_remove(struct deadlines *h, struct connection *c) {
    uint32_t place = *deadline_place(c, h->place_at);
    if (place == PLACE_NONE) return;
    *deadline_place(c, h->place_at) = PLACE_NONE;
    if (__builtin_expect(place & PLACE_IN_CALENDAR, 0)) {
        calendar_remove(h->later, place);
        return;
    }
    struct deadline last = h->entry[--h->n];
    if (last.of != c) deadlines_fill(h, place, last);
    if (h->n == 0 && h->later && h->later->horizon != TIME_NONE) {
        if (h->later->n)
            deadlines_refill(h);
        else
            h->later->horizon = TIME_NONE;
    }
    deadlines_changed(h);
}

void deadlines_move(struct deadlines *h, struct connection *c, time_ps at) {
    if (__builtin_expect(h->later != NULL, 0)) {
        deadlines_remove(h, c);
        deadlines_add(h, c, at);
        return;
    }
    if (h->n > 1)
        deadlines_fill(h, *deadline_place(c, h->place_at), (struct deadline){at, c});
    else
        h->entry[0].at = at;
    deadlines_changed(h);
}

bool deadlines_one_due(const struct deadlines *h, time_ps now) {
    if (h->next > now || (h->later && h->later->horizon <= now)) return false;
    for (uint32_t i = 1; i <= ARITY && i < h->n; i++)
        if (h->entry[i].at <= now) return false;
    return true;
}
