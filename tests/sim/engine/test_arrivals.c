/* SPDX-License-Identifier: Apache-2.0 */
/* The order within a slot: arrivals come by time, then by port, then in the order of gathering. */
#include "base/random.h"
#include "sim/engine/arrivals.h"
#include "unit.h"

#define MOST 5000

static struct arrival gathered[MOST], sorted[MOST], model[MOST];

static void expect_the_order_of_insertion(uint32_t n, span_ps span) {
    for (uint32_t i = 0; i < n; i++) {
        gathered[i].packet = i;
        model[i] = gathered[i];
        sorted[i] = (struct arrival){0};
    }
    bool tied = arrivals_insert(model, n), is_tied = false;
    assert_int_equal(arrivals_spread(gathered, sorted, n, span), tied);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(sorted[i].key, model[i].key);
        assert_int_equal(sorted[i].packet, model[i].packet);
        if (i) assert_true(sorted[i - 1].key <= sorted[i].key);
        is_tied |= i && sorted[i - 1].key >> 16 == sorted[i].key >> 16;
    }
    assert_int_equal(tied, is_tied);
}

static void arrivals_spread__at_random_times(void **state) {
    (void)state;
    struct random_stream random;
    random_init(&random, 1, RANDOM_HOST, 0);
    for (uint32_t round = 0; round < 100; round++) {
        uint32_t n = random_u32(&random) % MOST;
        span_ps span = 1 + random_u32(&random) % 5000000;
        for (uint32_t i = 0; i < n; i++)
            gathered[i].key = (uint64_t)(random_u32(&random) % (uint64_t)span) << 16 | random_u32(&random) % 40;
        expect_the_order_of_insertion(n, span);
    }
}

/* The shortest slot, the first and last instant of a slot, and all arrivals at one instant. */
static void arrivals_spread__edges(void **state) {
    (void)state;
    const span_ps spans[] = {1, 255, 256, 257, 1ll << 40};
    for (uint32_t s = 0; s < sizeof spans / sizeof *spans; s++) {
        for (uint32_t i = 0; i < 50; i++) gathered[i].key = (i % 2 ? (uint64_t)spans[s] - 1 : 0) << 16 | (49 - i);
        expect_the_order_of_insertion(50, spans[s]);
    }
}

/* Three frames in every order, with and without equal times: only the return value tells whether there are ties to
 * break. */
static void arrivals_insert__tells_of_ties(void **state) {
    (void)state;
    static const uint8_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const uint64_t times[][3] = {{1, 2, 3}, {1, 1, 2}, {1, 2, 2}, {5, 5, 5}};
    for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            for (uint32_t i = 0; i < 3; i++) model[i].key = times[t][orders[o][i]] << 16 | orders[o][i];
            assert_int_equal(arrivals_insert(model, 3), t > 0);
        }
    }
    model[0].key = 7;
    assert_false(arrivals_insert(model, 1));
    assert_false(arrivals_insert(model, 0));
}

static void arrivals_spread__equal_keys_stay_in_their_order(void **state) {
    (void)state;
    for (uint32_t i = 0; i < MOST; i++) gathered[i].key = (uint64_t)(i % 3) << 16 | 7;
    expect_the_order_of_insertion(MOST, 4);
    for (uint32_t i = 1; i < MOST; i++)
        if (sorted[i].key == sorted[i - 1].key) assert_true(sorted[i].packet > sorted[i - 1].packet);
}

/* ---- frames of one instant ---- */

static const struct tie_place place = {.key = 5, .start = 1000000, .first_port = 70};

static uint32_t rank_of(const struct arrival *a) {
    return tie_rank(place.key, place.start + (time_ps)(a->key >> 16), place.first_port + (a->key & 0xffff));
}

static void expect_ties_broken(struct arrival *a, uint32_t n) {
    assert_true(arrivals_insert(a, n));
    arrivals_break_ties(a, n, &place);
    for (uint32_t i = 1; i < n; i++) {
        assert_true(a[i - 1].key >> 16 <= a[i].key >> 16);
        if (a[i - 1].key >> 16 != a[i].key >> 16) continue;
        assert_true(rank_of(&a[i - 1]) <= rank_of(&a[i]));
        if (a[i - 1].key == a[i].key) assert_true(a[i - 1].packet < a[i].packet);
    }
}

/* Groups of one, two and many frames; the last group ends the list. */
static void arrivals_break_ties__by_rank(void **state) {
    (void)state;
    static const uint32_t groups[] = {1, 2, 1, 1, 40, 2, 3, 1, 1500, 1, 2};
    uint32_t n = 0;
    for (uint32_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (uint32_t p = 0; p < groups[g]; p++, n++)
            gathered[n] = (struct arrival){.key = (uint64_t)(100 * g) << 16 | p, .packet = n};
    expect_ties_broken(gathered, n);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < n; i++) moved += gathered[i].packet != i;
    assert_true(moved > 1400);
}

static void arrivals_break_ties__frames_of_one_port_keep_their_order(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 200; i++) gathered[i] = (struct arrival){.key = 9ull << 16 | i / 20, .packet = i};
    expect_ties_broken(gathered, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals_spread__at_random_times),
        cmocka_unit_test(arrivals_spread__edges),
        cmocka_unit_test(arrivals_insert__tells_of_ties),
        cmocka_unit_test(arrivals_spread__equal_keys_stay_in_their_order),
        cmocka_unit_test(arrivals_break_ties__by_rank),
        cmocka_unit_test(arrivals_break_ties__frames_of_one_port_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
