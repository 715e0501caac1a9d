/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of equal cells for state that few flows hold at a time, such as the scoreboard of a connection in recovery.
 * Single-threaded. cell_get zeroes the cell. All memory is freed with the pool, by cell_pool_fini. */
#ifndef HEDDLE_BASE_CELLS_H
#define HEDDLE_BASE_CELLS_H

#include "base/types.h"

struct cell_pool {
    size_t cell_bytes;
    void *free_head;
    void **block;
    size_t n_blocks;
    uint64_t bytes;        /* memory of all cells */
    uint64_t in_use, peak; /* cells handed out now, and at most */
};

void cell_pool_init(struct cell_pool *pool, size_t cell_bytes); /* cell_bytes is rounded up to 64 B */
void cell_pool_fini(struct cell_pool *pool);
void *cell_get(struct cell_pool *pool);
void cell_put(struct cell_pool *pool, void *cell);
uint64_t cell_pool_bytes(const struct cell_pool *pool);

#endif
