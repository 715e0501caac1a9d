/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors and extension cells, one pool per partition.
 *
 * Descriptors lie in one range of addresses, which is reserved at the start and gets memory block by block. A 32-bit
 * index names a descriptor, and one shift and add finds it. The free list is a stack through `next`, so packet_get
 * returns the cache line touched last. Single-threaded: a frame that crosses partitions is copied and freed on its
 * side. Cost: get 3 loads, put 2 stores. When the free list is empty a block of 4,096 is added, beyond 8 MiB eight.
 */
#ifndef HEDDLE_WIRE_PACKET_POOL_H
#define HEDDLE_WIRE_PACKET_POOL_H

#include "wire/packet.h"

#define POOL_BLOCK_SHIFT 12
#define POOL_BLOCK (1u << POOL_BLOCK_SHIFT)
#define POOL_MAX_PACKETS (1u << 27) /* 8 GiB of descriptors */

struct packet_pool {
    struct packet *cell; /* [POOL_MAX_PACKETS] reserved, the first n_blocks blocks usable */
    void *range;         /* all reserved addresses */
    struct packet_ext **ext_block;
    uint32_t n_blocks, n_ext_blocks;
    uint32_t free_head, ext_free_head; /* UINT32_MAX when empty */
    uint32_t *ext_next;
    uint64_t in_use, peak, ext_in_use, ext_peak;
};

void packet_pool_init(struct packet_pool *pool);
void packet_pool_fini(struct packet_pool *pool);
void packet_pool_grow(struct packet_pool *pool);   /* aborts with a message when memory is exhausted */
uint32_t packet_ext_get(struct packet_pool *pool); /* zeroed n_sack and tag.entries */
void packet_ext_put(struct packet_pool *pool, uint32_t ext);
uint64_t packet_pool_bytes(const struct packet_pool *pool);

static inline struct packet *packet_at(const struct packet_pool *pool, uint32_t index) { return &pool->cell[index]; }
static inline uint32_t packet_index(const struct packet_pool *pool, const struct packet *p) {
    return (uint32_t)(p - pool->cell);
}

static inline struct packet_ext *packet_ext_at(const struct packet_pool *pool, uint32_t ext) {
    return &pool->ext_block[ext >> POOL_BLOCK_SHIFT][ext & (POOL_BLOCK - 1)];
}

/* Hands out a descriptor with undefined contents. */
static inline uint32_t packet_get(struct packet_pool *pool) {
    if (__builtin_expect(pool->free_head == UINT32_MAX, 0)) packet_pool_grow(pool);
    uint32_t index = pool->free_head;
    pool->free_head = packet_at(pool, index)->next;
    if (++pool->in_use > pool->peak) pool->peak = pool->in_use;
    return index;
}

/* Takes a descriptor back, its extension cell too. */
static inline void packet_put(struct packet_pool *pool, uint32_t index) {
    struct packet *p = packet_at(pool, index);
    if (__builtin_expect(p->ext != EXT_NONE, 0)) packet_ext_put(pool, p->ext);
    p->next = pool->free_head;
    pool->free_head = index;
    pool->in_use--;
}

#endif
