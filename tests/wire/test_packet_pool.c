/* SPDX-License-Identifier: Apache-2.0 */
#include "wire/packet_pool.h"

#include "base/memory.h"
#include "huge_pages.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void packet_get__lowest_first_then_last_put(void **state) {
    (void)state;
    struct packet_pool pool;
    packet_pool_init(&pool);
    uint32_t a = packet_get(&pool), b = packet_get(&pool);
    assert_int_equal(a, 0);
    assert_int_equal(b, 1);
    packet_at(&pool, a)->ext = EXT_NONE;
    packet_put(&pool, a);
    assert_int_equal(packet_get(&pool), a);
    assert_int_equal(pool.in_use, 2);
    packet_pool_fini(&pool);
}

/* A pool of several blocks: every descriptor has a cache line of its own, and its address never changes while the pool
 * grows. */
static void packet_get__descriptors_never_move(void **state) {
    (void)state;
    const uint32_t n = 3 * POOL_BLOCK + 1;
    struct packet_pool pool;
    packet_pool_init(&pool);
    struct packet **at = malloc(n * sizeof(struct packet *));
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(packet_get(&pool), i);
        at[i] = packet_at(&pool, i);
        assert_int_equal((uintptr_t)at[i] % 64, 0);
        *at[i] = (struct packet){.serial = i, .ext = EXT_NONE};
    }
    for (uint32_t i = 0; i < n; i++) {
        assert_ptr_equal(packet_at(&pool, i), at[i]);
        assert_int_equal(at[i]->serial, i);
        packet_put(&pool, i);
    }
    assert_int_equal(pool.n_blocks, 4);
    assert_int_equal(pool.in_use, 0);
    assert_int_equal(pool.peak, n);
    assert_in_range(packet_pool_bytes(&pool), 4 * POOL_BLOCK * 64, 4 * POOL_BLOCK * 64 + 64);
    free(at);
    packet_pool_fini(&pool);
    assert_int_equal(packet_pool_bytes(&pool), 0);
}

/* After 32 blocks, eight MiB, each is eight times as large. The lowest index still comes first, and all of it is usable. */
static void packet_pool_grow__large_blocks(void **state) {
    (void)state;
    const uint32_t n = 40 * POOL_BLOCK;
    struct packet_pool pool;
    packet_pool_init(&pool);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(packet_get(&pool), i);
        *packet_at(&pool, i) = (struct packet){.serial = i, .ext = EXT_NONE};
        assert_int_equal(pool.n_blocks, i < 32 * POOL_BLOCK ? i / POOL_BLOCK + 1 : 40);
    }
    for (uint32_t i = 0; i < n; i++) assert_int_equal(packet_at(&pool, i)->serial, i);
    assert_int_equal((uintptr_t)packet_at(&pool, 32 * POOL_BLOCK) % (8 * POOL_BLOCK * sizeof(struct packet)), 0);
    packet_get(&pool);
    assert_int_equal(pool.n_blocks, 48);
    packet_pool_fini(&pool);
}

/* Beyond the small blocks all frames are on huge pages where the system has them, the first ones too. */
static void packet_pool_grow__on_huge_pages(void **state) {
    (void)state;
    skip_without_huge_pages();
    struct packet_pool pool;
    packet_pool_init(&pool);
    for (uint32_t i = 0; i < 32 * POOL_BLOCK; i++) packet_get(&pool);
    assert_false(is_advised(packet_at(&pool, 0)));
    packet_get(&pool);
    assert_true(is_advised(packet_at(&pool, 0)) && is_advised(packet_at(&pool, 32 * POOL_BLOCK)));
    packet_pool_fini(&pool);
}

static void packet_put__returns_the_extension_too(void **state) {
    (void)state;
    struct packet_pool pool;
    packet_pool_init(&pool);
    uint32_t index = packet_get(&pool), ext = packet_ext_get(&pool);
    packet_at(&pool, index)->ext = ext;
    packet_ext_at(&pool, ext)->n_sack = 3;
    packet_ext_at(&pool, ext)->tag.entries = 7;
    assert_int_equal(pool.ext_in_use, 1);
    packet_put(&pool, index);
    assert_int_equal(pool.ext_in_use, 0);
    assert_int_equal(packet_ext_get(&pool), ext);
    assert_int_equal(packet_ext_at(&pool, ext)->n_sack, 0);
    assert_int_equal(packet_ext_at(&pool, ext)->tag.entries, 0);
    packet_pool_fini(&pool);
}

static void packet_ext_get__grows_and_keeps_what_was_given(void **state) {
    (void)state;
    const uint32_t n = POOL_BLOCK + 5;
    struct packet_pool pool;
    packet_pool_init(&pool);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(packet_ext_get(&pool), i);
        packet_ext_at(&pool, i)->sack[0].begin = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(packet_ext_at(&pool, i)->sack[0].begin, i);
        packet_ext_put(&pool, i);
    }
    assert_int_equal(pool.n_ext_blocks, 2);
    assert_int_equal(pool.ext_in_use, 0);
    assert_int_equal(pool.ext_peak, n);
    packet_pool_fini(&pool);
}

/* Wide cells have numbers and blocks of their own; all bytes of each are usable, to the last cell of a block. */
static void packet_ext_get_wide__has_room_for_the_longest_tag(void **state) {
    (void)state;
    const uint32_t n = pool_per_block(POOL_WIDE) + 1;
    struct packet_pool pool;
    packet_pool_init(&pool);
    uint32_t *ext = malloc(n * sizeof *ext), narrow = packet_ext_get(&pool);
    assert_int_equal(packet_ext_kind(narrow), POOL_SHORT);
    for (uint32_t i = 0; i < n; i++) {
        ext[i] = packet_ext_get_wide(&pool);
        assert_int_equal(packet_ext_kind(ext[i]), POOL_WIDE);
        memset(packet_ext_at(&pool, ext[i]), (int)(i % 251), sizeof(struct packet_ext));
    }
    assert_int_equal(packet_ext_at(&pool, narrow)->n_sack, 0);
    assert_int_equal(pool.n_ext_blocks, 3);
    for (uint32_t i = 0; i < n; i++) {
        const struct packet_ext *cell = packet_ext_at(&pool, ext[i]);
        assert_int_equal(cell->sack[0].begin % 256, i % 251);
        assert_int_equal(cell->tag.load[TAG_MAX_ENTRIES - 1], i % 251);
        packet_ext_put(&pool, ext[i]);
    }
    packet_ext_put(&pool, narrow);
    assert_int_equal(pool.ext_in_use, 0);
    assert_int_equal(packet_ext_get(&pool), narrow);
    assert_int_equal(packet_ext_get_wide(&pool), ext[n - 1]);
    free(ext);
    packet_pool_fini(&pool);
}

/* A frame that gets a tag keeps what its short cell had; the cell is free then. A wide cell stays the same. */
static void packet_ext_widen__keeps_what_the_cell_had(void **state) {
    (void)state;
    struct packet_pool pool;
    packet_pool_init(&pool);
    uint32_t narrow = packet_ext_get(&pool);
    struct packet_ext *cell = packet_ext_at(&pool, narrow);
    cell->sack[3] = (struct sack_block){7, 9};
    cell->stamp = 11;
    cell->n_sack = 4;
    uint32_t wide = packet_ext_widen(&pool, narrow);
    assert_int_equal(packet_ext_kind(wide), POOL_WIDE);
    cell = packet_ext_at(&pool, wide);
    assert_int_equal(cell->sack[3].end, 9);
    assert_int_equal(cell->stamp, 11);
    assert_int_equal(cell->n_sack, 4);
    assert_int_equal(cell->tag.entries, 0);
    assert_int_equal(pool.ext_in_use, 1);
    assert_int_equal(packet_ext_get(&pool), narrow);
    assert_int_equal(packet_ext_widen(&pool, wide), wide);
    uint32_t fresh = packet_ext_widen(&pool, EXT_NONE);
    assert_int_equal(packet_ext_kind(fresh), POOL_WIDE);
    assert_int_equal(packet_ext_at(&pool, fresh)->n_sack, 0);
    packet_pool_fini(&pool);
}

/* After eight blocks of short cells the next eight fill a huge page. */
static void packet_ext_get__large_blocks(void **state) {
    (void)state;
    const uint32_t n = 16 * POOL_BLOCK;
    struct packet_pool pool;
    packet_pool_init(&pool);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(packet_ext_get(&pool), i);
        assert_int_equal(pool.n_ext_blocks, i < 8 * POOL_BLOCK ? i / POOL_BLOCK + 1 : 16);
        packet_ext_at(&pool, i)->stamp = i;
    }
    for (uint32_t i = 0; i < n; i++) assert_int_equal(packet_ext_at(&pool, i)->stamp, i);
    assert_int_equal((uintptr_t)packet_ext_at(&pool, 8 * POOL_BLOCK) % HUGE_PAGE, 0);
    packet_ext_get(&pool);
    assert_int_equal(pool.n_ext_blocks, 24);
    packet_pool_fini(&pool);
}

/* Pools that share memory: an index names the same frame in both, and whoever has a frame puts it back. The memory stays
 * until the last of them goes. */
static void packet_pool_share__a_frame_changes_hands(void **state) {
    (void)state;
    struct packet_pool one, two;
    packet_pool_init(&one);
    packet_pool_share(&two, &one);
    uint32_t index = packet_get(&one), ext = packet_ext_get(&one);
    *packet_at(&one, index) = (struct packet){.serial = 7, .ext = ext};
    packet_ext_at(&one, ext)->n_sack = 3;
    assert_int_not_equal(packet_get(&two), index);
    packet_pool_gave(&one, 1, 1);
    packet_pool_got(&two, 1, 1);
    assert_int_equal(one.in_use + one.ext_in_use, 0);
    assert_int_equal(two.in_use, 2);
    assert_int_equal(two.ext_in_use, 1);
    assert_int_equal(two.peak, 2);
    assert_int_equal(two.ext_peak, 1);
    packet_pool_fini(&one);
    assert_int_equal(packet_at(&two, index)->serial, 7);
    assert_int_equal(packet_ext_at(&two, ext)->n_sack, 3);
    packet_put(&two, index);
    assert_int_equal(packet_get(&two), index);
    assert_int_equal(packet_ext_get(&two), ext);
    packet_pool_fini(&two);
}

/* What each of them took from the memory is its own, in bytes too. */
static void packet_pool_share__blocks_are_those_of_who_took_them(void **state) {
    (void)state;
    struct packet_pool one, two;
    packet_pool_init(&one);
    packet_pool_share(&two, &one);
    assert_int_equal(packet_get(&one), 0);
    assert_int_equal(packet_get(&two), POOL_BLOCK);
    assert_int_equal(packet_ext_get(&two), 0);
    assert_int_equal(packet_ext_get(&one), POOL_BLOCK);
    for (uint32_t i = 0; i < POOL_BLOCK; i++) packet_get(&one);
    assert_int_equal(one.n_blocks, 2);
    assert_int_equal(two.n_blocks, 1);
    assert_true(packet_pool_bytes(&one) - packet_pool_bytes(&two) == POOL_BLOCK * sizeof(struct packet));
    packet_pool_fini(&two);
    packet_pool_fini(&one);
}

/* Free descriptors and cells go over by their numbers, as many as there are. */
static void packet_pool_take_free__no_more_than_there_are(void **state) {
    (void)state;
    uint32_t index[POOL_BLOCK + 1], ext[POOL_BLOCK + 1];
    struct packet_pool one, two;
    packet_pool_init(&one);
    packet_pool_share(&two, &one);
    assert_int_equal(packet_pool_take_free(&one, POOL_DESCRIPTOR, index, 5), 0);
    assert_int_equal(packet_pool_take_free(&one, POOL_SHORT, ext, 5), 0);
    packet_get(&one);
    packet_ext_get(&one);
    assert_int_equal(packet_pool_take_free(&one, POOL_DESCRIPTOR, index, 5), 5);
    packet_pool_put_free(&two, POOL_DESCRIPTOR, index, 5);
    assert_int_equal(packet_pool_take_free(&one, POOL_DESCRIPTOR, index, POOL_BLOCK + 1), POOL_BLOCK - 1 - 5);
    packet_pool_put_free(&two, POOL_DESCRIPTOR, index, POOL_BLOCK - 1 - 5);
    assert_int_equal(packet_pool_take_free(&one, POOL_SHORT, ext, POOL_BLOCK + 1), POOL_BLOCK - 1);
    packet_pool_put_free(&two, POOL_SHORT, ext, POOL_BLOCK - 1);
    for (uint32_t i = 0; i < POOL_BLOCK - 1; i++) {
        packet_at(&two, packet_get(&two))->ext = EXT_NONE;
        packet_ext_get(&two);
    }
    assert_int_equal(two.n_blocks + two.n_ext_blocks, 0);
    packet_get(&two);
    packet_ext_get(&two);
    assert_int_equal(two.n_blocks + two.n_ext_blocks, 2);
    assert_int_equal(two.in_use, POOL_BLOCK);
    packet_pool_fini(&one);
    packet_pool_fini(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(packet_get__lowest_first_then_last_put),
        UNIT(packet_get__descriptors_never_move),
        UNIT(packet_pool_grow__large_blocks),
        UNIT(packet_pool_grow__on_huge_pages),
        UNIT(packet_put__returns_the_extension_too),
        UNIT(packet_ext_get__grows_and_keeps_what_was_given),
        UNIT(packet_ext_get_wide__has_room_for_the_longest_tag),
        UNIT(packet_ext_widen__keeps_what_the_cell_had),
        UNIT(packet_ext_get__large_blocks),
        UNIT(packet_pool_share__a_frame_changes_hands),
        UNIT(packet_pool_share__blocks_are_those_of_who_took_them),
        UNIT(packet_pool_take_free__no_more_than_there_are),
    };
    return RUN_UNITS(tests);
}
