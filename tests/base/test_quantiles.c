/* SPDX-License-Identifier: Apache-2.0 */
#include "base/quantiles.h"

#include "base/random.h"
#include "unit.h"

static int64_t at(const struct quantiles *q, int64_t p_ppb) {
    int64_t value = -1;
    assert_true(quantiles_at(q, p_ppb, &value));
    return value;
}

/* The textbook example of nearest rank: ranks 1, 2, 2, 3 and 5 of five values. */
static void quantiles_at__textbook(void **state) {
    (void)state;
    int64_t values[] = {40, 15, 50, 20, 35};
    struct quantiles q = quantiles_of(values, 5);
    assert_int_equal(at(&q, PPB / 100 * 5), 15);
    assert_int_equal(at(&q, PPB / 100 * 30), 20);
    assert_int_equal(at(&q, PPB / 100 * 40), 20);
    assert_int_equal(at(&q, PPB / 100 * 50), 35);
    assert_int_equal(at(&q, PPB), 50);
    assert_int_equal(at(&q, 0), 15);
}

/* The p-th percentile of 1..1000 is 10 p; a quantile one ppb higher takes the next rank. */
static void quantiles_at__rank_is_exact(void **state) {
    (void)state;
    int64_t values[1000];
    for (int i = 0; i < 1000; i++) values[i] = 1000 - i;
    struct quantiles q = quantiles_of(values, 1000);
    for (int64_t percent = 1; percent < 100; percent++) {
        assert_int_equal(at(&q, percent * PPB / 100), 10 * percent);
        assert_int_equal(at(&q, percent * PPB / 100 + 1), 10 * percent + 1);
    }
}

static void quantiles_at__one_value_is_every_percentile(void **state) {
    (void)state;
    int64_t value = -7;
    struct quantiles q = quantiles_of(&value, 1);
    assert_int_equal(at(&q, 0), -7);
    assert_int_equal(at(&q, PPB / 2), -7);
    assert_int_equal(at(&q, PPB), -7);
}

static void quantiles_at__of_nothing_is_null(void **state) {
    (void)state;
    int64_t value = 99;
    struct quantiles q = quantiles_of(NULL, 0);
    assert_false(quantiles_at(&q, PPB / 2, &value));
    assert_int_equal(value, 99);
}

/* At least a share p of the values is not above the p-quantile, and less than p is below it. */
static void quantiles_at__splits_random_values(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 3, RANDOM_SIZES, 0);
    for (int round = 0; round < 200; round++) {
        int64_t values[97];
        size_t n = 1 + random_below(&s, 97);
        for (size_t i = 0; i < n; i++) values[i] = (int64_t)random_below(&s, 30) - 15;
        struct quantiles q = quantiles_of(values, n);
        int64_t p = 1 + (int64_t)random_below(&s, PPB), value = at(&q, p);
        int64_t below = 0, not_above = 0;
        for (size_t i = 0; i < n; i++) {
            below += values[i] < value;
            not_above += values[i] <= value;
        }
        assert_true(not_above * PPB >= p * (int64_t)n);
        assert_true(below * PPB < p * (int64_t)n);
    }
}

/* The result equals qsort's, for any number of values and for both signs. */
static void quantiles_of__sorts_many_values(void **state) {
    (void)state;
    static int64_t values[3000];
    const int shifts[] = {0, 10, 40, 63};
    for (int k = 0; k < 4; k++) {
        for (size_t n = 254; n < 3000; n += 1 + n / 3) {
            uint64_t x = 88172645463325252u + n, sum = 0, after = 0;
            for (size_t i = 0; i < n; i++) {
                x ^= x << 13, x ^= x >> 7, x ^= x << 17;
                values[i] = (int64_t)x >> shifts[k];
                if (i % 100 == 7) values[i] = i % 200 == 7 ? INT64_MAX : INT64_MIN;
                sum += (uint64_t)values[i] * (uint64_t)values[i];
            }
            quantiles_of(values, n);
            for (size_t i = 0; i < n; i++) after += (uint64_t)values[i] * (uint64_t)values[i];
            assert_true(after == sum);
            for (size_t i = 1; i < n; i++) assert_true(values[i - 1] <= values[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(quantiles_of__sorts_many_values),  UNIT(quantiles_at__textbook),
        UNIT(quantiles_at__rank_is_exact),      UNIT(quantiles_at__one_value_is_every_percentile),
        UNIT(quantiles_at__of_nothing_is_null), UNIT(quantiles_at__splits_random_values),
    };
    return RUN_UNITS(tests);
}
