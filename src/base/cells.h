/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of equal cells for what only few need, such as the scoreboard of a connection in recovery.
 * Single-threaded; cells are zeroed when handed out; memory is returned when the pool ends. */
#ifndef HEDDLE_BASE_CELLS_H
#define HEDDLE_BASE_CELLS_H

#include "base/types.h"

struct cell_pool {
    size_t cell_bytes;
    void *free_head;
    void **block;
    size_t n_blocks;
    uint64_t bytes;
    uint64_t in_use, peak;
};

void cell_pool_init(struct cell_pool *pool, size_t cell_bytes); /* rounded up to 64 B */
void cell_pool_fini(struct cell_pool *pool);
void *cell_get(struct cell_pool *pool);
void cell_put(struct cell_pool *pool, void *cell);
uint64_t cell_pool_bytes(const struct cell_pool *pool);

#endif
