/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/packet_pool.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define BLOCK_BYTES ((size_t)POOL_BLOCK * sizeof(struct packet))
#define SMALL_BLOCKS 32 /* 8 MiB: blocks are small so far, because a huge page may be nearly unused */
#define LARGE_BLOCKS (uint32_t)(HUGE_PAGE / BLOCK_BYTES)
#define MOST_BYTES ((size_t)POOL_MAX_PACKETS * sizeof(struct packet))
#define RESERVED_BYTES (MOST_BYTES + HUGE_PAGE) /* so that it can begin at a huge page */

void packet_pool_init(struct packet_pool *pool) {
    *pool = (struct packet_pool){.free_head = UINT32_MAX, .ext_free_head = UINT32_MAX};
    void *range = mmap(NULL, RESERVED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
        memory_out("too few addresses: %zu MB of them (not of memory) are reserved for frames; raise the limit (ulimit "
                   "-v) or lower --threads",
                   MOST_BYTES / 1000000);
    pool->range = range;
    pool->cell = (struct packet *)(((uintptr_t)range + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
}

void packet_pool_fini(struct packet_pool *pool) {
    if (pool->range) munmap(pool->range, RESERVED_BYTES);
    for (uint32_t i = 0; i < pool->n_ext_blocks; i++) free(pool->ext_block[i]);
    free(pool->ext_block);
    free(pool->ext_next);
    *pool = (struct packet_pool){.free_head = UINT32_MAX, .ext_free_head = UINT32_MAX};
}

/* The first blocks are small; later ones fill a huge page each. The frames of large fabrics take a hundred MB and more, in
 * random access. New cells join the free list so that the lowest index is handed out first. */
void packet_pool_grow(struct packet_pool *pool) {
    uint32_t n = pool->n_blocks < SMALL_BLOCKS ? 1 : LARGE_BLOCKS, first = pool->n_blocks << POOL_BLOCK_SHIFT;
    if (first == POOL_MAX_PACKETS)
        memory_out("too many frames on their way at once: more than %u", (unsigned)POOL_MAX_PACKETS);
    if (mprotect(&pool->cell[first], n * BLOCK_BYTES, PROT_READ | PROT_WRITE))
        memory_out(
            "memory ran out: none for more frames; lower --jobs, raise the limit or make the experiment smaller");
    if (n == LARGE_BLOCKS) memory_ask_for_huge_pages(&pool->cell[first], HUGE_PAGE, false);
    if (pool->n_blocks == SMALL_BLOCKS) memory_ask_for_huge_pages(pool->cell, SMALL_BLOCKS * BLOCK_BYTES, true);
    pool->n_blocks += n;
    for (uint32_t i = n * POOL_BLOCK; i-- > 0;) {
        pool->cell[first + i].next = pool->free_head;
        pool->free_head = first + i;
    }
}

static void packet_ext_grow(struct packet_pool *pool) {
    struct packet_ext *cells = memory_get_lines(POOL_BLOCK, sizeof *cells);
    pool->ext_block = memory_grow(pool->ext_block, pool->n_ext_blocks + 1, sizeof *pool->ext_block);
    pool->ext_block[pool->n_ext_blocks] = cells;
    uint32_t first = pool->n_ext_blocks++ << POOL_BLOCK_SHIFT;
    pool->ext_next = memory_grow(pool->ext_next, (size_t)first + POOL_BLOCK, sizeof *pool->ext_next);
    for (uint32_t i = POOL_BLOCK; i-- > 0;) {
        pool->ext_next[first + i] = pool->ext_free_head;
        pool->ext_free_head = first + i;
    }
}

uint32_t packet_ext_get(struct packet_pool *pool) {
    if (pool->ext_free_head == UINT32_MAX) packet_ext_grow(pool);
    uint32_t ext = pool->ext_free_head;
    pool->ext_free_head = pool->ext_next[ext];
    if (++pool->ext_in_use > pool->ext_peak) pool->ext_peak = pool->ext_in_use;
    struct packet_ext *cell = packet_ext_at(pool, ext);
    cell->n_sack = 0;
    cell->tag.entries = 0;
    return ext;
}

void packet_ext_put(struct packet_pool *pool, uint32_t ext) {
    pool->ext_next[ext] = pool->ext_free_head;
    pool->ext_free_head = ext;
    pool->ext_in_use--;
}

uint64_t packet_pool_bytes(const struct packet_pool *pool) {
    uint64_t block = BLOCK_BYTES;
    uint64_t ext_block = POOL_BLOCK * (sizeof(struct packet_ext) + sizeof *pool->ext_next) + sizeof *pool->ext_block;
    return pool->n_blocks * block + pool->n_ext_blocks * ext_block;
}
