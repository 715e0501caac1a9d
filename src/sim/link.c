/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/link.h"

#include "base/memory.h"

#include <stdlib.h>

static struct ring_entry *ring_get(uint32_t size) {
    return memory_grow(NULL, size, sizeof(struct ring_entry)); /* every entry is written before it is read */
}

void link_create(struct link_out *out, struct link_in *in) {
    in->ring = out->ring = ring_get(RING_FIRST_SIZE);
    in->mask = out->mask = RING_FIRST_SIZE - 1;
    in->head = out->tail = out->head_seen = 0;
    in->ring[0] = (struct ring_entry){.at = TIME_NONE};
}

void link_destroy(struct link_in *in) {
    free(in->ring);
    in->ring = NULL;
}

void link_grow(struct link_out *out, struct link_in *in) {
    uint32_t size = 2 * (out->mask + 1);
    struct ring_entry *ring = ring_get(size);
    for (uint32_t i = in->head; i != out->tail; i++) ring[i & (size - 1)] = in->ring[i & in->mask];
    ring[out->tail & (size - 1)] = (struct ring_entry){.at = TIME_NONE};
    free(in->ring);
    in->ring = out->ring = ring;
    in->mask = out->mask = size - 1;
}
