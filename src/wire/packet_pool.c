/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/packet_pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCK_BYTES ((size_t)POOL_BLOCK * sizeof(struct packet))
#define SMALL_BLOCKS 32 /* 8 MiB: blocks are small so far, because a huge page may be nearly unused */
#define LARGE_BLOCKS (uint32_t)(HUGE_PAGE / BLOCK_BYTES)
#define MOST_BYTES ((size_t)POOL_MAX_PACKETS * sizeof(struct packet))
#define RESERVED_BYTES (MOST_BYTES + HUGE_PAGE) /* so that it can begin at a huge page */
#define MOST_BLOCKS (POOL_MAX_PACKETS / POOL_BLOCK)

struct packet_store {
    pthread_mutex_t lock; /* of what follows; pools take blocks seldom */
    void *range;          /* all reserved addresses */
    struct packet *cell;
    struct packet_ext **ext_block; /* [MOST_BLOCKS], never moved: other threads read it */
    uint32_t n_blocks, n_ext_blocks, n_pools;
};

static struct packet_store *store_new(void) {
    struct packet_store *store = memory_get(1, sizeof *store);
    void *range = mmap(NULL, RESERVED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
        memory_out("too few addresses: %zu MB of them (not of memory) are reserved for frames; raise the limit (ulimit "
                   "-v)",
                   MOST_BYTES / 1000000);
    pthread_mutex_init(&store->lock, NULL);
    store->range = range;
    store->cell = (struct packet *)(((uintptr_t)range + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    store->ext_block = memory_map(MOST_BLOCKS, sizeof *store->ext_block, false);
    return store;
}

static void store_end(struct packet_store *store) {
    munmap(store->range, RESERVED_BYTES);
    for (uint32_t i = 0; i < store->n_ext_blocks; i++) free(store->ext_block[i]);
    memory_unmap(store->ext_block, MOST_BLOCKS, sizeof *store->ext_block, false);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

static void pool_begin(struct packet_pool *pool, struct packet_store *store) {
    *pool = (struct packet_pool){
        .cell = store->cell, .ext_block = store->ext_block, .store = store, .free_head = UINT32_MAX};
    pthread_mutex_lock(&store->lock);
    store->n_pools++;
    pthread_mutex_unlock(&store->lock);
}

void packet_pool_init(struct packet_pool *pool) { pool_begin(pool, store_new()); }

void packet_pool_share(struct packet_pool *pool, const struct packet_pool *other) { pool_begin(pool, other->store); }

void packet_pool_fini(struct packet_pool *pool) {
    if (pool->store) {
        pthread_mutex_lock(&pool->store->lock);
        uint32_t left = --pool->store->n_pools;
        pthread_mutex_unlock(&pool->store->lock);
        if (left == 0) store_end(pool->store);
    }
    free(pool->ext_free);
    *pool = (struct packet_pool){.free_head = UINT32_MAX};
}

/* Makes the next blocks usable; returns the first, and in *n their number. The first blocks are small; later ones fill a
 * huge page each: the frames of large fabrics take a hundred MB and more, in random access. */
static uint32_t store_grow(struct packet_store *store, uint32_t *n) {
    pthread_mutex_lock(&store->lock);
    uint32_t first = store->n_blocks;
    *n = first < SMALL_BLOCKS ? 1 : LARGE_BLOCKS;
    if (first == MOST_BLOCKS)
        memory_out("too many frames on their way at once: more than %u", (unsigned)POOL_MAX_PACKETS);
    struct packet *cell = &store->cell[(size_t)first * POOL_BLOCK];
    if (mprotect(cell, *n * BLOCK_BYTES, PROT_READ | PROT_WRITE))
        memory_out(
            "memory ran out: none for more frames; lower --jobs, raise the limit or make the experiment smaller");
    if (*n == LARGE_BLOCKS) memory_ask_for_huge_pages(cell, HUGE_PAGE, false);
    if (first == SMALL_BLOCKS) memory_ask_for_huge_pages(store->cell, SMALL_BLOCKS * BLOCK_BYTES, true);
    store->n_blocks += *n;
    pthread_mutex_unlock(&store->lock);
    return first;
}

/* New cells join the free list so that the lowest index is handed out first. */
void packet_pool_grow(struct packet_pool *pool) {
    uint32_t n, first = store_grow(pool->store, &n) << POOL_BLOCK_SHIFT;
    pool->n_blocks += n;
    for (uint32_t i = n * POOL_BLOCK; i-- > 0;) {
        pool->cell[first + i].next = pool->free_head;
        pool->free_head = first + i;
    }
}

static uint32_t store_grow_ext(struct packet_store *store) {
    struct packet_ext *cells = memory_get_lines(POOL_BLOCK, sizeof *cells);
    pthread_mutex_lock(&store->lock);
    if (store->n_ext_blocks == MOST_BLOCKS)
        memory_out("too many extensions of frames on their way at once: more than %u", (unsigned)POOL_MAX_PACKETS);
    uint32_t block = store->n_ext_blocks++;
    store->ext_block[block] = cells;
    pthread_mutex_unlock(&store->lock);
    return block;
}

static void ext_free_room(struct packet_pool *pool, uint32_t n) {
    if (n <= pool->ext_free_size) return;
    pool->ext_free_size = (uint32_t)max_i64(n, pool->ext_free_size + POOL_BLOCK);
    pool->ext_free = memory_grow(pool->ext_free, pool->ext_free_size, sizeof *pool->ext_free);
}

/* The lowest index is handed out first. */
static void packet_ext_grow(struct packet_pool *pool) {
    uint32_t first = store_grow_ext(pool->store) << POOL_BLOCK_SHIFT;
    ext_free_room(pool, ++pool->n_ext_blocks << POOL_BLOCK_SHIFT);
    for (uint32_t i = POOL_BLOCK; i-- > 0;) pool->ext_free[pool->n_ext_free++] = first + i;
}

uint32_t packet_ext_get(struct packet_pool *pool) {
    if (pool->n_ext_free == 0) packet_ext_grow(pool);
    uint32_t ext = pool->ext_free[--pool->n_ext_free];
    if (++pool->ext_in_use > pool->ext_peak) pool->ext_peak = pool->ext_in_use;
    struct packet_ext *cell = packet_ext_at(pool, ext);
    cell->n_sack = 0;
    cell->tag.entries = 0;
    return ext;
}

void packet_ext_put(struct packet_pool *pool, uint32_t ext) {
    if (pool->n_ext_free == pool->ext_free_size)
        ext_free_room(pool, pool->n_ext_free + 1); /* of another pool's cells */
    pool->ext_free[pool->n_ext_free++] = ext;
    pool->ext_in_use--;
}

uint64_t packet_pool_bytes(const struct packet_pool *pool) {
    uint64_t ext_block = POOL_BLOCK * sizeof(struct packet_ext) + sizeof *pool->ext_block;
    return pool->n_blocks * BLOCK_BYTES + pool->n_ext_blocks * ext_block + pool->ext_free_size * sizeof *pool->ext_free;
}

uint32_t packet_pool_take_free(struct packet_pool *pool, uint32_t *index, uint32_t n) {
    uint32_t taken = 0;
    for (; taken < n && pool->free_head != UINT32_MAX; taken++) {
        index[taken] = pool->free_head;
        pool->free_head = packet_at(pool, pool->free_head)->next;
    }
    return taken;
}

void packet_pool_put_free(struct packet_pool *pool, const uint32_t *index, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        packet_at(pool, index[i])->next = pool->free_head;
        pool->free_head = index[i];
    }
}

uint32_t packet_pool_take_free_ext(struct packet_pool *pool, uint32_t *ext, uint32_t n) {
    if (n > pool->n_ext_free) n = pool->n_ext_free;
    pool->n_ext_free -= n;
    if (n) memcpy(ext, &pool->ext_free[pool->n_ext_free], n * sizeof *ext);
    return n;
}

void packet_pool_put_free_ext(struct packet_pool *pool, const uint32_t *ext, uint32_t n) {
    ext_free_room(pool, pool->n_ext_free + n);
    if (n) memcpy(&pool->ext_free[pool->n_ext_free], ext, n * sizeof *ext);
    pool->n_ext_free += n;
}
