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

/* Blocks of extension cells are of one kind each. */
#define EXT_BLOCK_BYTES ((size_t)POOL_BLOCK * sizeof(struct ext_line))
#define EXT_SMALL_BLOCKS 8 /* 2 MiB; later ones fill a huge page together */
#define EXT_LARGE_BLOCKS (uint32_t)(HUGE_PAGE / EXT_BLOCK_BYTES)

struct packet_store {
    pthread_mutex_t lock; /* of what follows; pools take blocks seldom */
    void *range;          /* all reserved addresses */
    struct packet *cell;
    struct ext_line *
        *ext_block; /* [2 * MOST_BLOCKS], never moved: other threads read it; wide cells in the second half */
    uint32_t n_blocks, n_short_blocks, n_wide_blocks, n_pools;
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
    store->ext_block = memory_map((size_t)2 * MOST_BLOCKS, sizeof *store->ext_block, false);
    return store;
}

static void ext_blocks_free(struct ext_line **block, uint32_t n) {
    for (uint32_t i = 0; i < n && i < EXT_SMALL_BLOCKS; i++) free(block[i]);
    for (uint32_t i = EXT_SMALL_BLOCKS; i < n; i += EXT_LARGE_BLOCKS) memory_unmap(block[i], HUGE_PAGE, 1, true);
}

static void store_end(struct packet_store *store) {
    munmap(store->range, RESERVED_BYTES);
    ext_blocks_free(store->ext_block, store->n_short_blocks);
    ext_blocks_free(store->ext_block + MOST_BLOCKS, store->n_wide_blocks);
    memory_unmap(store->ext_block, (size_t)2 * MOST_BLOCKS, sizeof *store->ext_block, false);
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
    free(pool->short_free.ext);
    free(pool->wide_free.ext);
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

/* Adds a block of extension cells, short or wide, to the store. Returns the number of its first line. */
static uint32_t store_grow_ext(struct packet_store *store, enum pool_kind kind, uint32_t *n) {
    pthread_mutex_lock(&store->lock);
    uint32_t *have = kind == POOL_WIDE ? &store->n_wide_blocks : &store->n_short_blocks;
    uint32_t first = (kind == POOL_WIDE ? MOST_BLOCKS : 0) + *have;
    *n = *have < EXT_SMALL_BLOCKS ? 1 : EXT_LARGE_BLOCKS;
    if (*have == MOST_BLOCKS)
        memory_out("too many extensions of frames on their way at once: more than %u", (unsigned)POOL_MAX_PACKETS);
    struct ext_line *lines = *n == 1 ? memory_get_lines(1, EXT_BLOCK_BYTES) : memory_map(HUGE_PAGE, 1, true);
    for (uint32_t i = 0; i < *n; i++) store->ext_block[first + i] = lines + (size_t)i * POOL_BLOCK;
    *have += *n;
    pthread_mutex_unlock(&store->lock);
    return first << POOL_BLOCK_SHIFT;
}

static void ext_list_room(struct ext_list *l, uint32_t n) {
    if (n <= l->size) return;
    l->size = (uint32_t)max_i64(n, l->size + POOL_BLOCK);
    l->ext = memory_grow(l->ext, l->size, sizeof *l->ext);
}

static void ext_list_put(struct ext_list *l, const uint32_t *ext, uint32_t n) {
    ext_list_room(l, l->n + n);
    if (n) memcpy(&l->ext[l->n], ext, n * sizeof *ext);
    l->n += n;
}

static uint32_t ext_list_take(struct ext_list *l, uint32_t *ext, uint32_t n) {
    if (n > l->n) n = l->n;
    l->n -= n;
    if (n) memcpy(ext, &l->ext[l->n], n * sizeof *ext);
    return n;
}

static struct ext_list *free_list(struct packet_pool *pool, enum pool_kind kind) {
    return kind == POOL_WIDE ? &pool->wide_free : &pool->short_free;
}

/* The lowest number is handed out first. */
static void ext_grow(struct packet_pool *pool, enum pool_kind kind) {
    uint32_t n, first = store_grow_ext(pool->store, kind, &n), lines = kind == POOL_WIDE ? POOL_WIDE_LINES : 1;
    struct ext_list *l = free_list(pool, kind);
    pool->n_ext_blocks += n;
    ext_list_room(l, l->n + n * pool_per_block(kind));
    for (uint32_t block = n; block-- > 0;)
        for (uint32_t i = pool_per_block(kind); i-- > 0;) l->ext[l->n++] = first + block * POOL_BLOCK + i * lines;
}

static inline uint32_t ext_get(struct packet_pool *pool, enum pool_kind kind) {
    struct ext_list *l = free_list(pool, kind);
    if (l->n == 0) ext_grow(pool, kind);
    uint32_t ext = l->ext[--l->n];
    if (++pool->ext_in_use > pool->ext_peak) pool->ext_peak = pool->ext_in_use;
    struct packet_ext *cell = packet_ext_at(pool, ext);
    cell->n_sack = 0;
    cell->tag.entries = 0;
    return ext;
}

uint32_t packet_ext_get(struct packet_pool *pool) { return ext_get(pool, POOL_SHORT); }
uint32_t packet_ext_get_wide(struct packet_pool *pool) { return ext_get(pool, POOL_WIDE); }

void packet_ext_put(struct packet_pool *pool, uint32_t ext) {
    ext_list_put(free_list(pool, packet_ext_kind(ext)), &ext, 1); /* may be of another pool */
    pool->ext_in_use--;
}

uint32_t packet_ext_widen(struct packet_pool *pool, uint32_t ext) {
    if (ext == EXT_NONE) return packet_ext_get_wide(pool);
    if (packet_ext_kind(ext) == POOL_WIDE) return ext;
    uint32_t wide = packet_ext_get_wide(pool);
    memcpy(packet_ext_at(pool, wide), packet_ext_at(pool, ext), sizeof(struct ext_line));
    packet_ext_put(pool, ext);
    return wide;
}

uint64_t packet_pool_bytes(const struct packet_pool *pool) {
    uint64_t ext_block = EXT_BLOCK_BYTES + sizeof *pool->ext_block;
    uint64_t lists = (uint64_t)(pool->short_free.size + pool->wide_free.size) * sizeof(uint32_t);
    return pool->n_blocks * BLOCK_BYTES + pool->n_ext_blocks * ext_block + lists;
}

static uint32_t take_descriptors(struct packet_pool *pool, uint32_t *index, uint32_t n) {
    uint32_t taken = 0;
    for (; taken < n && pool->free_head != UINT32_MAX; taken++) {
        index[taken] = pool->free_head;
        pool->free_head = packet_at(pool, pool->free_head)->next;
    }
    return taken;
}

uint32_t packet_pool_take_free(struct packet_pool *pool, enum pool_kind kind, uint32_t *index, uint32_t n) {
    if (kind == POOL_DESCRIPTOR) return take_descriptors(pool, index, n);
    return ext_list_take(free_list(pool, kind), index, n);
}

void packet_pool_put_free(struct packet_pool *pool, enum pool_kind kind, const uint32_t *index, uint32_t n) {
    if (kind != POOL_DESCRIPTOR) {
        ext_list_put(free_list(pool, kind), index, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) packet_descriptor_put(pool, index[i]);
}
