/* SPDX-License-Identifier: Apache-2.0 */
/* Which arrivals count: by time, and by their place in the order of arrival. */
#include "measure/selection.h"
#include "unit.h"

#include <stdlib.h>

/* Returns the places of n arrivals, started at 0, 1, 2 ..., that count, as digits of a decimal number: 234. */
static uint32_t counted(struct selection s, uint32_t n) {
    uint32_t digits = 0;
    for (uint32_t i = 0; i < n; i++) digits = selection_has(&s, i, i, n) ? 10 * digits + i : digits;
    return digits;
}

static void selection_has__arrivals_from_a_time_on(void **state) {
    (void)state;
    assert_int_equal(counted((struct selection){.from = 6, .until = TIME_NONE, .starts_to_ppb = PPB}, 10), 6789);
    assert_int_equal(counted((struct selection)SELECTION_ALL, 4), 123); /* and 0 */
}

/* A time at which one part ends and the next begins belongs to the next. */
static void selection_has__arrivals_until_a_time(void **state) {
    (void)state;
    assert_int_equal(counted((struct selection){.from = 2, .until = 6, .starts_to_ppb = PPB}, 10), 2345);
    assert_int_equal(counted((struct selection){.from = 6, .until = 6, .starts_to_ppb = PPB}, 10), 0);
}

/* Neighbouring parts share no arrival and leave none out, also where their edges fall between arrivals. */
static void selection_has__parts_meet(void **state) {
    (void)state;
    assert_int_equal(
        counted((struct selection){.starts_from_ppb = 200000000, .until = TIME_NONE, .starts_to_ppb = 800000000}, 10),
        234567);
    for (uint32_t n = 1; n < 40; n++) {
        struct selection first = {.until = TIME_NONE, .starts_to_ppb = 333333333},
                         rest = {.starts_from_ppb = 333333333, .until = TIME_NONE, .starts_to_ppb = PPB};
        for (uint32_t i = 0; i < n; i++)
            assert_int_equal(selection_has(&first, 0, i, n) + selection_has(&rest, 0, i, n), 1);
    }
}

/* Products of 64 bits are not enough for the largest runs. */
static void selection_has__is_exact_for_many_arrivals(void **state) {
    (void)state;
    const uint32_t n = 4000000000u;
    struct selection half = {.starts_from_ppb = PPB / 2 + 1, .until = TIME_NONE, .starts_to_ppb = PPB};
    assert_false(selection_has(&half, 0, 2000000003, n));
    assert_true(selection_has(&half, 0, 2000000004, n));
}

static void selection_has__not_one_that_never_started(void **state) {
    (void)state;
    struct selection all = SELECTION_ALL;
    assert_true(selection_has(&all, TIME_NONE - 1, 0, 1));
    assert_false(selection_has(&all, TIME_NONE, 0, 1));
}

static void selection_needs_places__only_of_a_share(void **state) {
    (void)state;
    assert_false(selection_needs_places(&(struct selection){.from = 5, .until = TIME_NONE, .starts_to_ppb = PPB}));
    assert_true(
        selection_needs_places(&(struct selection){.starts_from_ppb = 1, .until = TIME_NONE, .starts_to_ppb = PPB}));
    assert_true(selection_needs_places(&(struct selection){.until = TIME_NONE, .starts_to_ppb = PPB - 1}));
}

/* By time, then by number; arrivals that never started are last. */
static void arrival_places__by_time_then_number(void **state) {
    (void)state;
    const time_ps start[] = {7, TIME_NONE, 3, 7, 0};
    const uint32_t expected[] = {2, 4, 1, 3, 0};
    uint32_t n_started, *place = arrival_places(start, 5, &n_started);
    assert_int_equal(n_started, 4);
    assert_memory_equal(place, expected, sizeof expected);
    free(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(selection_has__arrivals_from_a_time_on),
        UNIT(selection_has__arrivals_until_a_time),
        UNIT(selection_has__parts_meet),
        UNIT(selection_has__is_exact_for_many_arrivals),
        UNIT(selection_has__not_one_that_never_started),
        UNIT(selection_needs_places__only_of_a_share),
        UNIT(arrival_places__by_time_then_number),
    };
    return RUN_UNITS(tests);
}
