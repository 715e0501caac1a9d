/* SPDX-License-Identifier: Apache-2.0 */
/* The tournament of times: after every change its winner equals the minimum found by a linear search. */
#include "base/earliest.h"
#include "base/random.h"
#include "unit.h"

static void earliest__is_none_at_first(void **state) {
    (void)state;
    struct earliest e;
    earliest_init(&e, 3);
    assert_int_equal(earliest_time(&e), TIME_NONE);
    assert_int_equal(earliest_of(&e, 2), TIME_NONE);
    earliest_fini(&e);
}

static void earliest__ties_go_to_the_first_place(void **state) {
    (void)state;
    struct earliest e;
    earliest_init(&e, 5);
    for (uint32_t place = 5; place-- > 1;) earliest_set(&e, place, 7);
    assert_int_equal(earliest_time(&e), 7);
    assert_int_equal(earliest_place(&e), 1);
    earliest_set(&e, 1, TIME_NONE);
    assert_int_equal(earliest_place(&e), 2);
    earliest_fini(&e);
}

static void earliest__one_place(void **state) {
    (void)state;
    struct earliest e;
    earliest_init(&e, 1);
    earliest_set(&e, 0, 5);
    assert_int_equal(earliest_time(&e), 5);
    assert_int_equal(earliest_place(&e), 0);
    earliest_fini(&e);
}

static void earliest__agrees_with_a_search(void **state) {
    (void)state;
    enum { PLACES = 37 };
    time_ps at[PLACES];
    struct random_stream random;
    struct earliest e;
    random_init(&random, 1, RANDOM_HOST, 0);
    earliest_init(&e, PLACES);
    for (uint32_t i = 0; i < PLACES; i++) at[i] = TIME_NONE;
    for (int step = 0; step < 20000; step++) {
        uint32_t place = (uint32_t)random_below(&random, PLACES), first = 0;
        at[place] = random_below(&random, 4) ? (time_ps)random_below(&random, 50) : TIME_NONE;
        earliest_set(&e, place, at[place]);
        for (uint32_t i = 1; i < PLACES; i++)
            if (at[i] < at[first]) first = i;
        assert_int_equal(earliest_time(&e), at[first]);
        assert_int_equal(earliest_of(&e, place), at[place]);
        if (at[first] != TIME_NONE) assert_int_equal(earliest_place(&e), first);
    }
    earliest_fini(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(earliest__is_none_at_first),
        UNIT(earliest__ties_go_to_the_first_place),
        UNIT(earliest__one_place),
        UNIT(earliest__agrees_with_a_search),
    };
    return RUN_UNITS(tests);
}
