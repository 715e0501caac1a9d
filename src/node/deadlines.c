#include "node/deadlines.h"

#include "base/memory.h"
#include "node/host.h"

#include <stdlib.h>
#include <string.h>

#define ARITY 4
#define LEAD (ARITY - 1) /* entries left free in front, so that the children of a node fill one cache line */
_Static_assert(ARITY * sizeof(struct deadline) == CACHE_LINE, "the children of a node are one line");

void deadlines_fini(struct deadlines *h) {
    if (h->entry) free(h->entry - LEAD);
}

static bool deadline_before(const struct deadline *a, const struct deadline *b) {
    if (a->at != b->at) return a->at < b->at;
    if (a->of->flow != b->of->flow) return a->of->flow < b->of->flow;
    return a->of->side < b->of->side;
}

static uint32_t parent_of(uint32_t place) { return (place - 1) / ARITY; }

static void deadlines_put(struct deadlines *h, uint32_t place, struct deadline d) {
    h->entry[place] = d;
    d.of->heap_place = place;
}

static void deadlines_up(struct deadlines *h, uint32_t place) {
    struct deadline d = h->entry[place];
    for (; place && deadline_before(&d, &h->entry[parent_of(place)]); place = parent_of(place))
        deadlines_put(h, place, h->entry[parent_of(place)]);
    deadlines_put(h, place, d);
}

/* The earliest of the children of `place`; h->n: it has none. */
static uint32_t earliest_child(const struct deadlines *h, uint32_t place) {
    uint32_t child = ARITY * place + 1, end = child + ARITY, first = child;
    if (child >= h->n) return h->n;
    if (end > h->n) end = h->n;
    while (++child < end)
        if (deadline_before(&h->entry[child], &h->entry[first])) first = child;
    return first;
}

static void deadlines_down(struct deadlines *h, uint32_t place) {
    struct deadline d = h->entry[place];
    for (uint32_t child; (child = earliest_child(h, place)) < h->n; place = child) {
        if (!deadline_before(&h->entry[child], &d)) break;
        deadlines_put(h, place, h->entry[child]);
    }
    deadlines_put(h, place, d);
}

static void deadlines_grow(struct deadlines *h) {
    uint32_t size = h->size ? 2 * h->size : 5;
    struct deadline *lines = memory_get_lines(size + LEAD, sizeof *lines);
    if (h->n) memcpy(lines + LEAD, h->entry, h->n * sizeof *lines);
    deadlines_fini(h);
    h->entry = lines + LEAD;
    h->size = size;
}

void deadlines_add(struct deadlines *h, struct connection *c) {
    if (h->n == h->size) deadlines_grow(h);
    h->entry[h->n++] = (struct deadline){c->timer_at, c};
    deadlines_up(h, h->n - 1);
}

void deadlines_hasten(struct deadlines *h, const struct connection *c) {
    h->entry[c->heap_place].at = c->timer_at;
    deadlines_up(h, c->heap_place);
}

void deadlines_remove(struct deadlines *h, struct connection *c) {
    uint32_t place = c->heap_place;
    if (place == UINT32_MAX) return;
    c->heap_place = UINT32_MAX;
    struct deadline last = h->entry[--h->n];
    if (last.of == c) return;
    deadlines_put(h, place, last);
    deadlines_up(h, place);
    deadlines_down(h, last.of->heap_place);
}
