/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/fairness.h"

#include "unit.h"

#define N 100000

static void jain_is(const int64_t *rate, size_t n, int64_t expected) {
    int64_t ppm;
    assert_true(fairness_jain_ppm(rate, n, &ppm));
    assert_int_equal(ppm, expected);
}

static void fairness_jain__equal_rates(void **state) {
    (void)state;
    const int64_t small[] = {3, 3, 3, 3}, large[] = {400000000000, 400000000000}, most[] = {INT64_MAX, INT64_MAX};
    jain_is(small, 4, 1000000);
    jain_is(large, 2, 1000000);
    jain_is(most, 2, 1000000);
}

static void fairness_jain__one_takes_all(void **state) {
    (void)state;
    const int64_t rate[] = {0, 10000000000, 0, 0, 0}, first[] = {INT64_MAX, 0, 0, 0, 0};
    jain_is(rate, 5, 200000);
    jain_is(first, 5, 200000);
}

/* (1 + 2 + 3)^2 / (3 x 14) = 36/42. */
static void fairness_jain__hand_computed(void **state) {
    (void)state;
    const int64_t rate[] = {1, 2, 3}, scaled[] = {1LL << 60, 2LL << 60, 3LL << 60};
    jain_is(rate, 3, 857142);
    jain_is(scaled, 3, 857142);
}

/* Half of very many flows receive nothing. */
static void fairness_jain__many_fast_rates(void **state) {
    (void)state;
    static int64_t rate[N];
    for (int i = 0; i < N; i++) rate[i] = i % 2 ? 400000000000 : 0;
    jain_is(rate, N, 500000);
}

static void fairness_jain__no_index(void **state) {
    (void)state;
    const int64_t none[] = {0, 0};
    int64_t ppm;
    assert_false(fairness_jain_ppm(none, 2, &ppm));
    assert_false(fairness_jain_ppm(none, 0, &ppm));
}

/* Two flows; the second starts within the first interval, and the third interval is silent. The index is 1 for a single
 * flow, then 10/3 : 1 gives (13/3)^2 / (2 x (109/9)) = 169/218. */
static void fairness_interval__flows_that_were_open_throughout(void **state) {
    (void)state;
    struct flow flow[] = {{.start = 0, .stop = TIME_NONE}, {.start = 5, .stop = TIME_NONE}};
    struct flow_tally tally[2] = {{.finished_at = TIME_NONE}, {.finished_at = TIME_NONE}};
    struct fairness_total all = {.interval = 10}, late = {.interval = 10};
    struct flow_meter m;
    int64_t ppm;
    flow_meter_init(&m, flow, tallies_of(tally), 2);
    const int64_t received[][2] = {{1000, 7}, {2000, 307}, {2000, 307}, {3000, 1307}};
    for (int i = 0; i < 4; i++) {
        tally[0].received_bytes = received[i][0];
        tally[1].received_bytes = received[i][1];
        flow_meter_step(&m, 10 * (i + 1));
        if (!fairness_interval_ppm(&m, &ppm)) continue;
        fairness_add(&all, ppm);
        if (m.from >= 25) fairness_add(&late, ppm);
    }
    assert_int_equal(all.intervals, 3);
    assert_int_equal(all.min_ppm, 169 * 1000000LL / 218);
    assert_int_equal(all.sum_ppm, 1000000 + 775229 + 1000000);
    assert_int_equal(late.intervals, 1);
    assert_int_equal(late.min_ppm, 1000000);
    flow_meter_fini(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(fairness_jain__equal_rates),   UNIT(fairness_jain__one_takes_all),
        UNIT(fairness_jain__hand_computed), UNIT(fairness_jain__many_fast_rates),
        UNIT(fairness_jain__no_index),      UNIT(fairness_interval__flows_that_were_open_throughout),
    };
    return RUN_UNITS(tests);
}
