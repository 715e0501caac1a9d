/* SPDX-License-Identifier: Apache-2.0 */
#include "study/series/values.h"

#include "unit.h"

#include <stdlib.h>

/* Nearest rank: the value at rank ceil(share x n), at least the first. */
static void values_at__nearest_rank(void **state) {
    (void)state;
    struct values v = {0};
    for (int i = 100; i > 0; i--) values_add(&v, i);
    values_sort(&v);
    assert_true(values_at(&v, 0) == 1);
    assert_true(values_at(&v, 0.01) == 1);
    assert_true(values_at(&v, 0.07) == 7); /* 0.07 x 100 is more than 7 in doubles */
    assert_true(values_at(&v, 0.071) == 8);
    assert_true(values_at(&v, 0.5) == 50);
    assert_true(values_at(&v, 1) == 100);
    values_free(&v);
}

static void values_at__one_value_is_every_percentile(void **state) {
    (void)state;
    struct values v = {0};
    values_add(&v, 3);
    values_sort(&v);
    assert_true(values_at(&v, 0) == 3 && values_at(&v, 0.5) == 3 && values_at(&v, 1) == 3);
    values_free(&v);
}

/* With so many values the product with the share has no room left for what is taken off it. */
static void values_at__the_last_of_many(void **state) {
    (void)state;
    struct values v = {.at = calloc(20000000, sizeof *v.at), .n = 20000000};
    v.at[v.n - 1] = 7;
    assert_true(values_at(&v, 1) == 7);
    values_free(&v);
}

static void values_clear__begins_anew(void **state) {
    (void)state;
    struct values v = {0};
    values_sort(&v); /* none */
    values_add(&v, 9);
    values_clear(&v);
    values_add(&v, 2);
    assert_int_equal(v.n, 1);
    assert_true(v.at[0] == 2);
    values_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(values_at__nearest_rank),
        UNIT(values_at__one_value_is_every_percentile),
        UNIT(values_at__the_last_of_many),
        UNIT(values_clear__begins_anew),
    };
    return RUN_UNITS(tests);
}
