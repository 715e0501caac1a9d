/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/link.h"

#include "base/memory.h"

#include <stdlib.h>

void link_init(struct link *l, uint32_t node, uint16_t port, bool is_timer) {
    *l = (struct link){.node = node, .port = port, .bits = LINK_SMALL_BITS, .is_timer = is_timer};
    l->ring = l->small;
}

void link_fini(struct link *l) {
    if (l->ring != l->small) free(l->ring);
    l->ring = NULL;
}

void link_grow(struct link *l) {
    uint32_t size = 2u << l->bits;
    uint32_t *ring = memory_get(size, sizeof *ring);
    for (uint32_t i = l->head; i != l->tail; i++) ring[i & (size - 1)] = *link_entry(l, i);
    link_fini(l);
    l->ring = ring;
    l->bits++;
}

void link_shrink(struct link *l) {
    link_fini(l);
    l->ring = l->small;
    l->bits = LINK_SMALL_BITS;
}

uint64_t link_bytes(const struct link *l) { return l->ring == l->small ? 0 : sizeof *l->ring << l->bits; }
