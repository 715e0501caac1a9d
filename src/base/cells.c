/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cells.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 65536u /* size of the first blocks; each holds as many cells as fit, but at least one */

/* Returns the size of the next block: small until the small blocks add up to a huge page, then that. */
static size_t block_bytes(const struct cell_pool *pool) {
    return pool->n_blocks < HUGE_PAGE / BLOCK_BYTES ? BLOCK_BYTES : HUGE_PAGE;
}

static size_t cells_per_block(const struct cell_pool *pool, size_t bytes) {
    return pool->cell_bytes < bytes ? bytes / pool->cell_bytes : 1;
}

void cell_pool_init(struct cell_pool *pool, size_t cell_bytes) {
    if (cell_bytes == 0) cell_bytes = 1;
    *pool = (struct cell_pool){.cell_bytes = (cell_bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE};
}

void cell_pool_fini(struct cell_pool *pool) {
    for (size_t i = 0; i < pool->n_blocks; i++) free(pool->block[i]);
    free(pool->block);
    cell_pool_init(pool, pool->cell_bytes);
}

/* Adds a cell to the free list; the first word of a free cell points to the next one. */
static void cell_push(struct cell_pool *pool, void *cell) {
    *(void **)cell = pool->free_head;
    pool->free_head = cell;
}

static void cell_pool_grow(struct cell_pool *pool) {
    size_t bytes = block_bytes(pool), n = cells_per_block(pool, bytes);
    char *cells = bytes == HUGE_PAGE && n > 1 ? memory_get_large(bytes) : memory_get_lines(n, pool->cell_bytes);
    pool->bytes += n * pool->cell_bytes;
    pool->block = memory_grow(pool->block, pool->n_blocks + 1, sizeof *pool->block);
    pool->block[pool->n_blocks++] = cells;
    do cell_push(pool, cells + --n * pool->cell_bytes);
    while (n > 0);
}

void *cell_get(struct cell_pool *pool) {
    if (!pool->free_head) cell_pool_grow(pool);
    void *cell = pool->free_head;
    pool->free_head = *(void **)cell;
    memset(cell, 0, pool->cell_bytes);
    if (++pool->in_use > pool->peak) pool->peak = pool->in_use;
    return cell;
}

void cell_put(struct cell_pool *pool, void *cell) {
    cell_push(pool, cell);
    pool->in_use--;
}

uint64_t cell_pool_bytes(const struct cell_pool *pool) { return pool->bytes + pool->n_blocks * sizeof *pool->block; }
