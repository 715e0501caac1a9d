/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a tie: every place wins equally often, and the order differs between instants and between seeds. */
#include "base/tie.h"
#include "unit.h"

#define PLACES 8
#define ROUNDS 40000

static uint32_t winner(uint64_t key, time_ps at, uint32_t first, uint32_t n) {
    uint32_t who = 0;
    for (uint32_t p = 1; p < n; p++)
        if (tie_rank(key, at, first + p) < tie_rank(key, at, first + who)) who = p;
    return who;
}

/* Instants as on a link of 10 Gbps: multiples of a frame's serialization delay. */
static void tie_rank__every_place_wins_as_often(void **state) {
    (void)state;
    uint64_t key = tie_key(1);
    uint32_t wins[PLACES] = {0};
    for (uint32_t i = 0; i < ROUNDS; i++) wins[winner(key, 1230400ll * i, 100, PLACES)]++;
    for (uint32_t p = 0; p < PLACES; p++) assert_in_range(wins[p], ROUNDS / PLACES - 300, ROUNDS / PLACES + 300);
}

/* The six orders of three places are equally frequent: the winner tells nothing about the second place. */
static void tie_rank__every_order_comes_as_often(void **state) {
    (void)state;
    uint64_t key = tie_key(7);
    uint32_t seen[8] = {0};
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t r[3];
        for (uint32_t p = 0; p < 3; p++) r[p] = tie_rank(key, 67200ll * i, p);
        seen[(r[0] < r[1]) * 4 + (r[1] < r[2]) * 2 + (r[0] < r[2])]++;
    }
    uint32_t orders = 0;
    for (uint32_t k = 0; k < 8; k++) {
        if (!seen[k]) continue;
        orders++;
        assert_in_range(seen[k], ROUNDS / 6 - 350, ROUNDS / 6 + 350);
    }
    assert_int_equal(orders, 6);
}

/* The winner of one instant predicts neither the winner of the next instant nor that of the same instant under the next
 * seed. */
static void tie_rank__instants_and_seeds_are_independent(void **state) {
    (void)state;
    uint32_t again = 0, alike = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t now = winner(tie_key(3), 8000ll * i, 0, 2);
        again += now == winner(tie_key(3), 8000ll * (i + 1), 0, 2);
        alike += now == winner(tie_key(4), 8000ll * i, 0, 2);
    }
    assert_in_range(again, ROUNDS / 2 - 500, ROUNDS / 2 + 500);
    assert_in_range(alike, ROUNDS / 2 - 500, ROUNDS / 2 + 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tie_rank__every_place_wins_as_often),
        UNIT(tie_rank__every_order_comes_as_often),
        UNIT(tie_rank__instants_and_seeds_are_independent),
    };
    return RUN_UNITS(tests);
}
