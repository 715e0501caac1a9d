#include "node/deadlines.h"

#include "base/memory.h"
#include "node/host.h"

#include <stdlib.h>
#include <string.h>

#define ARITY 4
#define LEAD (ARITY - 1) /* entries left free in front, so that the children of a node fill one cache line */
_Static_assert(ARITY * sizeof(struct deadline) == CACHE_LINE, "the children of a node are one line");

void deadlines_init(struct deadlines *h, size_t place_at) { *h = (struct deadlines){.place_at = (uint32_t)place_at}; }

void deadlines_fini(struct deadlines *h) {
    if (h->entry) free(h->entry - LEAD);
}

static bool tie_before(const struct connection *a, const struct connection *b) {
    return a->flow != b->flow ? a->flow < b->flow : a->side < b->side;
}

/* 1 or 0: which of two comes first nobody can foresee, so no branch hangs on it. */
static inline uint32_t deadline_before(const struct deadline *a, const struct deadline *b) {
    if (__builtin_expect(a->at == b->at, 0)) return tie_before(a->of, b->of);
    return a->at < b->at;
}

static uint32_t parent_of(uint32_t place) { return (place - 1) / ARITY; }

static inline uint32_t *place_of(const struct deadlines *h, struct connection *c) {
    return (uint32_t *)((char *)c + h->place_at);
}

static inline void deadlines_put(struct deadlines *h, uint32_t place, struct deadline d) {
    h->entry[place] = d;
    *place_of(h, d.of) = place;
}

/* `d` stands at `place` or further up. */
static void deadlines_up(struct deadlines *h, uint32_t place, struct deadline d) {
    for (; place && deadline_before(&d, &h->entry[parent_of(place)]); place = parent_of(place))
        deadlines_put(h, place, h->entry[parent_of(place)]);
    deadlines_put(h, place, d);
}

/* The earliest of the `n` children whose first stands at `child`. */
static inline uint32_t earliest_child(const struct deadlines *h, uint32_t child, uint32_t n) {
    const struct deadline *c = &h->entry[child];
    uint32_t first = 0;
    for (uint32_t i = 1; i < n; i++) first += (i - first) * deadline_before(&c[i], &c[first]);
    return child + first;
}

/* A place without an entry is filled from below, down to where it has no children, and `d` goes there: it comes from
 * the end of the heap, and hardly rises again. */
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
    deadlines_fini(h);
    h->entry = lines + LEAD;
    h->size = size;
}

void deadlines_add(struct deadlines *h, struct connection *c, time_ps at) {
    if (h->n == h->size) deadlines_grow(h);
    deadlines_up(h, h->n++, (struct deadline){at, c});
}

void deadlines_hasten(struct deadlines *h, struct connection *c, time_ps at) {
    deadlines_up(h, *place_of(h, c), (struct deadline){at, c});
}

void deadlines_remove(struct deadlines *h, struct connection *c) {
    uint32_t place = *place_of(h, c);
    if (place == UINT32_MAX) return;
    *place_of(h, c) = UINT32_MAX;
    struct deadline last = h->entry[--h->n];
    if (last.of != c) deadlines_fill(h, place, last);
}
