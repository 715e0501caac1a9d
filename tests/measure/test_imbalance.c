/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/imbalance.h"

#include "unit.h"

static void imbalance_is(const uint64_t *bytes, size_t n, int64_t expected) {
    int64_t ppm;
    assert_true(imbalance_ppm(bytes, n, &ppm));
    assert_int_equal(ppm, expected);
}

static void imbalance_ppm__equal_is_none(void **state) {
    (void)state;
    const uint64_t equal[] = {5, 5, 5};
    imbalance_is(equal, 3, 0);
}

/* EXP-F16.2: the maximum is the number of uplinks, 6 or 3. */
static void imbalance_ppm__all_on_one_is_the_number_of_uplinks(void **state) {
    (void)state;
    const uint64_t six[] = {0, 0, 0, 1000000000000, 0, 0}, three[] = {7, 0, 0};
    imbalance_is(six, 6, 6000000);
    imbalance_is(three, 3, 3000000);
}

/* (30 - 10) / 20. */
static void imbalance_ppm__hand_computed(void **state) {
    (void)state;
    const uint64_t bytes[] = {10, 20, 30}, thirds[] = {1, 2};
    imbalance_is(bytes, 3, 1000000);
    imbalance_is(thirds, 2, 666666);
}

static void imbalance_ppm__says_nothing(void **state) {
    (void)state;
    const uint64_t none[] = {0, 0}, one[] = {5};
    int64_t ppm;
    assert_false(imbalance_ppm(none, 2, &ppm));
    assert_false(imbalance_ppm(one, 1, &ppm));
    assert_false(imbalance_ppm(none, 0, &ppm));
}

static enum tier tier_by_number(const void *context, uint32_t node) {
    assert_string_equal(context, "context");
    return node < 10 ? TIER_LEAF : TIER_AGG;
}

static void imbalance_merge__order_and_summaries_by_tier(void **state) {
    (void)state;
    const uint64_t even[] = {1, 1}, odd[] = {0, 1}, none[] = {0, 0};
    struct imbalance_log log[2] = {0};
    imbalance_add(&log[0], 20, 3, even, 2, 0);
    imbalance_add(&log[0], 20, 4, none, 2, 0); /* left out */
    imbalance_add(&log[0], 10, 12, odd, 2, 0);
    imbalance_add(&log[1], 20, 2, odd, 2, 0);
    struct run_result r = {0};
    imbalance_merge(log, 2, TIME_NONE, tier_by_number, "context", &r);
    assert_int_equal(r.n_imbalance, 3);
    assert_int_equal(r.imbalance[0].node, 12);
    assert_int_equal(r.imbalance[1].node, 2);
    assert_int_equal(r.imbalance[2].node, 3);
    assert_int_equal(r.imbalance_ppm[TIER_LEAF].n, 2);
    assert_int_equal(r.imbalance_ppm[TIER_LEAF].mean, 1000000);
    assert_int_equal(r.imbalance_ppm[TIER_LEAF].max, 2000000);
    assert_int_equal(r.imbalance_ppm[TIER_AGG].n, 1);
    assert_int_equal(r.imbalance_ppm[TIER_CORE].n, 0);
    run_result_free(&r);
}

/* Intervals with little traffic, or after the last arrival, do not count: EXP-F16's maxima came from the draining
 * network alone. */
static void imbalance_merge__light_and_late_intervals_do_not_count(void **state) {
    (void)state;
    const uint64_t busy[] = {40, 60}, light[] = {0, 49};
    struct imbalance_log log = {0};
    imbalance_add(&log, 10, 3, busy, 2, 50);
    imbalance_add(&log, 20, 3, light, 2, 50);
    imbalance_add(&log, 30, 3, busy, 2, 100);
    imbalance_add(&log, 40, 3, busy, 2, 50); /* after the last arrival */
    struct run_result r = {0};
    imbalance_merge(&log, 1, 30, tier_by_number, "context", &r);
    assert_int_equal(r.n_imbalance, 2);
    assert_int_equal(r.imbalance[0].at, 10);
    assert_int_equal(r.imbalance[1].at, 30);
    assert_int_equal(r.imbalance_ppm[TIER_LEAF].n, 2);
    assert_int_equal(r.imbalance_ppm[TIER_LEAF].max, 400000);
    assert_int_equal(r.imbalance_of[TIER_LEAF], 4);
    assert_int_equal(imbalance_within(&r, 10, 30, TIER_LEAF, tier_by_number, "context").n, 2);
    assert_int_equal(imbalance_within(&r, 11, 30, TIER_LEAF, tier_by_number, "context").n, 1);
    assert_int_equal(imbalance_within(&r, 10, 29, TIER_LEAF, tier_by_number, "context").n, 1);
    assert_int_equal(imbalance_within(&r, 10, 30, TIER_AGG, tier_by_number, "context").n, 0);
    run_result_free(&r);
}

static void imbalance_until__the_last_start(void **state) {
    (void)state;
    struct flow flow[3] = {{.bytes = 1}, {.bytes = 1}, {.bytes = 1}};
    struct flow_tally tally[3] = {{.started_at = 5}, {.started_at = 70}, {.started_at = TIME_NONE}};
    assert_int_equal(imbalance_until(flow, tallies_of(tally), 3, 50), 70);
    assert_true(imbalance_until(flow, tallies_of(tally), 3, 71) == TIME_NONE); /* all within the first interval */
    flow[0].bytes = UINT64_MAX;
    assert_true(imbalance_until(flow, tallies_of(tally), 3, 50) == TIME_NONE);
}

/* Two samples, the later first. */
static void imbalance_merge__orders_even_two(void **state) {
    (void)state;
    const uint64_t odd[] = {0, 1};
    struct imbalance_log log[2] = {0};
    imbalance_add(&log[0], 20, 3, odd, 2, 1);
    imbalance_add(&log[1], 10, 2, odd, 2, 1);
    struct run_result r = {0};
    imbalance_merge(log, 2, 20, tier_by_number, "context", &r);
    assert_int_equal(r.n_imbalance, 2);
    assert_int_equal(r.imbalance[0].at, 10);
    assert_int_equal(r.imbalance[1].at, 20);
    run_result_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(imbalance_ppm__equal_is_none),
        UNIT(imbalance_ppm__all_on_one_is_the_number_of_uplinks),
        UNIT(imbalance_ppm__hand_computed),
        UNIT(imbalance_ppm__says_nothing),
        UNIT(imbalance_merge__order_and_summaries_by_tier),
        UNIT(imbalance_merge__light_and_late_intervals_do_not_count),
        UNIT(imbalance_until__the_last_start),
        UNIT(imbalance_merge__orders_even_two),
    };
    return RUN_UNITS(tests);
}
