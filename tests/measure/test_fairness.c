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
    const int64_t rate[] = {0, 10000000000, 0, 0, 0};
    jain_is(rate, 5, 200000);
}

/* (1 + 2 + 3)^2 / (3 x 14) = 36/42. */
static void fairness_jain__hand_computed(void **state) {
    (void)state;
    const int64_t rate[] = {1, 2, 3}, scaled[] = {1LL << 60, 2LL << 60, 3LL << 60};
    jain_is(rate, 3, 857142);
    jain_is(scaled, 3, 857142);
}

/* Half of very many have nothing. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(fairness_jain__equal_rates),     UNIT(fairness_jain__one_takes_all), UNIT(fairness_jain__hand_computed),
        UNIT(fairness_jain__many_fast_rates), UNIT(fairness_jain__no_index),
    };
    return RUN_UNITS(tests);
}
