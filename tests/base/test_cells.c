/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cells.h"

#include "unit.h"

#include <string.h>

static void cell_pool_init__rounds_up_to_a_line(void **state) {
    (void)state;
    struct cell_pool pool;
    const size_t asked[] = {1, 64, 65, 200}, given[] = {64, 64, 128, 256};
    for (int i = 0; i < 4; i++) {
        cell_pool_init(&pool, asked[i]);
        assert_int_equal(pool.cell_bytes, given[i]);
        assert_int_equal(cell_pool_bytes(&pool), 0);
    }
}

static void cell_get__zeroed_again_after_use(void **state) {
    (void)state;
    struct cell_pool pool;
    cell_pool_init(&pool, 100);
    const char zero[100] = {0};
    char *cell = cell_get(&pool);
    assert_int_equal((uintptr_t)cell % 64, 0);
    assert_memory_equal(cell, zero, 100);
    memset(cell, 0xff, 100);
    cell_put(&pool, cell);
    assert_ptr_equal(cell_get(&pool), cell);
    assert_memory_equal(cell, zero, 100);
    cell_pool_fini(&pool);
}

/* 3,000 cells of 128 B need six blocks; each keeps what was written into it. */
static void cell_get__cells_do_not_overlap(void **state) {
    (void)state;
    enum { N = 3000 };
    static int *cell[N];
    struct cell_pool pool;
    cell_pool_init(&pool, 128);
    for (int i = 0; i < N; i++) {
        cell[i] = cell_get(&pool);
        for (int j = 0; j < 32; j++) cell[i][j] = i;
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 32; j++) assert_int_equal(cell[i][j], i);
    }
    assert_int_equal(pool.n_blocks, 6);
    assert_int_equal(pool.in_use, N);
    for (int i = 0; i < N; i++) cell_put(&pool, cell[i]);
    assert_int_equal(pool.in_use, 0);
    assert_int_equal(pool.peak, N);
    assert_in_range(cell_pool_bytes(&pool), 6 * 65536, 6 * 65536 + 4096);
    cell_pool_fini(&pool);
    assert_int_equal(cell_pool_bytes(&pool), 0);
}

static void cell_get__a_cell_larger_than_a_block(void **state) {
    (void)state;
    struct cell_pool pool;
    cell_pool_init(&pool, 1000000);
    char *cell = cell_get(&pool);
    cell[999999] = 1;
    assert_true(cell_pool_bytes(&pool) >= 1000000);
    cell_pool_fini(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(cell_pool_init__rounds_up_to_a_line),
        UNIT(cell_get__zeroed_again_after_use),
        UNIT(cell_get__cells_do_not_overlap),
        UNIT(cell_get__a_cell_larger_than_a_block),
    };
    return RUN_UNITS(tests);
}
