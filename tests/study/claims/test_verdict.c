/* SPDX-License-Identifier: Apache-2.0 */
#include "study/claims/verdict.h"

#include "study_test.h"

#include <math.h>

static enum verdict judge(double value, double standard_error, double low, double high) {
    struct estimate e = {value, standard_error, value - 2 * standard_error, value + 2 * standard_error, 9, 1};
    return verdict_of(&e, low, high, false);
}

/* The nearest bound is at a distance of 3: a standard error of 1 decides, a larger one does not. */
static void verdict_of__needs_a_third_of_the_distance(void **state) {
    (void)state;
    assert_int_equal(judge(5, 1, 2, 100), VERDICT_HOLDS);
    assert_int_equal(judge(5, 1.01, 2, 100), VERDICT_UNDECIDED);
    assert_int_equal(judge(5, 1, -100, 8), VERDICT_HOLDS);
    assert_int_equal(judge(5, 1.01, -100, 8), VERDICT_UNDECIDED);
    assert_int_equal(judge(5, 1, 8, 100), VERDICT_FAILS);
    assert_int_equal(judge(5, 1.01, 8, 100), VERDICT_UNDECIDED);
    assert_int_equal(judge(5, 1, -100, 2), VERDICT_FAILS);
    assert_int_equal(judge(5, 1.01, -100, 2), VERDICT_UNDECIDED);
}

static void verdict_of__open_ends(void **state) {
    (void)state;
    assert_int_equal(judge(5, 1, -HUGE_VAL, 8), VERDICT_HOLDS);
    assert_int_equal(judge(5, 1, 2, HUGE_VAL), VERDICT_HOLDS);
    assert_int_equal(judge(5, 1000, -HUGE_VAL, HUGE_VAL), VERDICT_HOLDS);
}

/* On a bound the distance is 0: only runs without any spread decide. */
static void verdict_of__on_a_bound(void **state) {
    (void)state;
    assert_int_equal(judge(0, 0, 0, 0), VERDICT_HOLDS);
    assert_int_equal(judge(0, 0.001, 0, 9), VERDICT_UNDECIDED);
}

static void verdict_of__one_seed_decides_nothing(void **state) {
    (void)state;
    struct estimate one = {5, NAN, NAN, NAN, 1, 1}, none = {NAN, NAN, NAN, NAN, 3, 1};
    assert_int_equal(verdict_of(&one, 0, 10, false), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&none, 0, 10, false), VERDICT_UNMEASURED);
}

static void verdict_of__a_wider_range_holds_roughly(void **state) {
    (void)state;
    struct estimate e = {5, 0.1, 4.8, 5.2, 9, 1};
    assert_int_equal(verdict_of(&e, 0, 10, true), VERDICT_ROUGHLY);
    assert_int_equal(verdict_of(&e, 7, 10, true), VERDICT_FAILS);
    assert_int_equal(verdict_of_every(true, true, true), VERDICT_ROUGHLY);
    assert_int_equal(verdict_of_every(true, true, false), VERDICT_HOLDS);
    assert_int_equal(verdict_of_every(true, false, true), VERDICT_FAILS);
    assert_int_equal(verdict_of_every(false, false, false), VERDICT_UNMEASURED);
}

static void verdict_recorded__words(void **state) {
    (void)state;
    static const char *const words[] = {"true", "roughly", "false", "undecided", "unmeasured"};
    enum verdict v;
    for (size_t i = 0; i < 5; i++) {
        assert_true(verdict_recorded(words[i], &v));
        assert_int_equal(v, i);
    }
    assert_false(verdict_recorded("maybe", &v));
    assert_string_equal(verdict_word(VERDICT_UNDECIDED), "not decided");
    assert_true(verdict_is_as(VERDICT_ROUGHLY, VERDICT_HOLDS));
    assert_true(verdict_is_as(VERDICT_HOLDS, VERDICT_ROUGHLY));
    assert_true(verdict_is_as(VERDICT_FAILS, VERDICT_FAILS));
    assert_false(verdict_is_as(VERDICT_FAILS, VERDICT_UNDECIDED));
    assert_false(verdict_is_as(VERDICT_UNDECIDED, VERDICT_HOLDS));
    assert_false(verdict_is_as(VERDICT_HOLDS, VERDICT_FAILS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(verdict_of__needs_a_third_of_the_distance),
        UNIT(verdict_of__open_ends),
        UNIT(verdict_of__on_a_bound),
        UNIT(verdict_of__one_seed_decides_nothing),
        UNIT(verdict_of__a_wider_range_holds_roughly),
        UNIT(verdict_recorded__words),
    };
    return RUN_UNITS(tests);
}
