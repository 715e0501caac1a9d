/* SPDX-License-Identifier: Apache-2.0 */
/* A binary min-heap of (key, id): the least key comes first, equal keys in the order of id. Never on the packet path.
 *
 * The order of the pops depends only on the entries, not on the order of the pushes. A (key, id) pair may be in the
 * heap more than once. Cost: push and pop O(log n). Memory doubles when full; heap_fini frees it.
 */
#ifndef HEDDLE_BASE_HEAP_H
#define HEDDLE_BASE_HEAP_H

#include "base/memory.h"
#include "base/types.h"

#include <stdlib.h>

struct heap_entry {
    time_ps key;
    uint32_t id;
};

struct heap {
    struct heap_entry *entry;
    size_t n, room;
};

static inline void heap_init(struct heap *h) { *h = (struct heap){0}; }

static inline void heap_fini(struct heap *h) {
    free(h->entry);
    heap_init(h);
}

static inline bool heap_is_before(struct heap_entry a, struct heap_entry b) {
    return a.key < b.key || (a.key == b.key && a.id < b.id);
}

static inline void heap_push(struct heap *h, time_ps key, uint32_t id) {
    if (h->n == h->room) {
        h->room = h->room ? 2 * h->room : 16;
        h->entry = (struct heap_entry *)memory_grow(h->entry, h->room, sizeof *h->entry);
    }
    struct heap_entry e = {key, id};
    size_t at = h->n++;
    while (at > 0 && heap_is_before(e, h->entry[(at - 1) / 2])) {
        h->entry[at] = h->entry[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->entry[at] = e;
}

/* Returns the next entry, or NULL; the pointer is valid until the next push or pop. */
static inline const struct heap_entry *heap_top(const struct heap *h) { return h->n ? h->entry : NULL; }

/* Removes and returns the next entry; the heap must not be empty. */
static inline struct heap_entry heap_pop(struct heap *h) {
    struct heap_entry top = h->entry[0], e = h->entry[--h->n];
    size_t at = 0;
    for (size_t child = 1; child < h->n; child = 2 * at + 1) {
        if (child + 1 < h->n && heap_is_before(h->entry[child + 1], h->entry[child])) child++;
        if (!heap_is_before(h->entry[child], e)) break;
        h->entry[at] = h->entry[child];
        at = child;
    }
    h->entry[at] = e;
    return top;
}

#endif
