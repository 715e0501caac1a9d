/* SPDX-License-Identifier: Apache-2.0 */
/* Exact decimals, as CDF and trace files write them. */
#include "workload/files/columns.h"

#include "unit.h"

#include <string.h>

static struct decimal parsed(const char *text, size_t used) {
    struct decimal v;
    assert_int_equal(decimal_parse(text, strlen(text), &v), used);
    return v;
}

static void parse__mantissa_and_exponent(void **state) {
    (void)state;
    struct decimal v = parsed("-12.50e+3 us", 9);
    assert_int_equal(v.mantissa, -1250);
    assert_int_equal(v.exponent, 1);
    v = parsed("7e-12", 5);
    assert_int_equal(v.mantissa, 7);
    assert_int_equal(v.exponent, -12);
    v = parsed("3em", 1); /* a unit, no exponent */
    assert_int_equal(v.mantissa, 3);
    assert_int_equal(v.exponent, 0);
}

/* An exponent above 400 counts as 400; its further digits are read and ignored. */
static void parse__huge_exponents_are_cut(void **state) {
    (void)state;
    assert_int_equal(parsed("1e400", 5).exponent, 400);
    assert_int_equal(parsed("1e4001", 6).exponent, 400);
    assert_int_equal(parsed("1e-4001", 7).exponent, -400);
    assert_int_equal(parsed("1e3999", 6).exponent, 3999);
    assert_int_equal(parsed("1e399999999999999999999999", 26).exponent, 3999);
}

/* Digits beyond the eighteenth are dropped; the magnitude is kept, up to ten to the 400. */
static void parse__long_numbers(void **state) {
    (void)state;
    char text[1001];
    memset(text, '9', 1000);
    text[1000] = '\0';
    struct decimal v;
    assert_int_equal(decimal_parse(text, 30, &v), 30);
    assert_int_equal(v.mantissa, 999999999999999999);
    assert_int_equal(v.exponent, 12);
    assert_int_equal(decimal_parse(text, 1000, &v), 1000);
    assert_int_equal(v.exponent, 400);
}

static void scaled__rounds_to_nearest(void **state) {
    (void)state;
    int64_t out = 0;
    assert_true(decimal_scaled((struct decimal){15, -1}, 0, &out));
    assert_int_equal(out, 2);
    assert_true(decimal_scaled((struct decimal){-15, -1}, 0, &out));
    assert_int_equal(out, -2);
    assert_true(decimal_scaled((struct decimal){14, -1}, 0, &out));
    assert_int_equal(out, 1);
    assert_true(decimal_scaled((struct decimal){14, -1}, 3, &out));
    assert_int_equal(out, 1400);
    assert_true(decimal_scaled((struct decimal){14, -2}, 2, &out));
    assert_int_equal(out, 14);
}

static void scaled__under_any_mantissa_is_zero(void **state) {
    (void)state;
    int64_t out = 5;
    assert_true(decimal_scaled((struct decimal){INT64_MAX, -40}, 0, &out));
    assert_int_equal(out, 0);
    out = 5;
    assert_true(decimal_scaled((struct decimal){INT64_MIN + 1, -40}, 20, &out));
    assert_int_equal(out, 0);
}

static void scaled__too_large_is_refused(void **state) {
    (void)state;
    int64_t out;
    assert_false(decimal_scaled((struct decimal){1, 400}, 0, &out));
    assert_false(decimal_scaled((struct decimal){1, 19}, 0, &out));
    assert_true(decimal_scaled((struct decimal){1, 18}, 0, &out));
    assert_int_equal(out, 1000000000000000000);
    assert_true(decimal_scaled((struct decimal){0, 400}, 0, &out));
    assert_int_equal(out, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(parse__mantissa_and_exponent),
        UNIT(parse__huge_exponents_are_cut),
        UNIT(parse__long_numbers),
        UNIT(scaled__rounds_to_nearest),
        UNIT(scaled__under_any_mantissa_is_zero),
        UNIT(scaled__too_large_is_refused),
    };
    return RUN_UNITS(tests);
}
