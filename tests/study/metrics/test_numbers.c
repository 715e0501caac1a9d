/* SPDX-License-Identifier: Apache-2.0 */
/* How tables, texts and claims write numbers. */
#include "study/metrics/numbers.h"

#include "unit.h"

#include <math.h>
#include <string.h>

static void assert_plain(double value, int digits, const char *expected) {
    char buf[NUMBER_TEXT_MAX];
    assert_string_equal(number_plain(value, digits, buf, sizeof buf), expected);
}

static void number_plain__has_no_exponent(void **state) {
    (void)state;
    assert_plain(0, 4, "0");
    assert_plain(-0.0, 4, "0");
    assert_plain(16820, 4, "16,820");
    assert_plain(16820.4, 4, "16,820");
    assert_plain(9999, 4, "9999");
    assert_plain(1234567, 4, "1,234,567");
    assert_plain(-1234567, 4, "-1,234,567");
    assert_plain(0.000123, 4, "0.000123");
    assert_plain(0.30001, 4, "0.3");
    assert_plain(-3.5, 4, "-3.5");
    assert_plain(9.9996, 4, "10");
    assert_plain(1e21, 4, "1,000,000,000,000,000,000,000");
}

/* A buffer that is too small cuts a number, and nothing beyond it is written. */
static void number_plain__into_a_short_buffer(void **state) {
    (void)state;
    char buf[8] = "xxxxxxx";
    number_plain(1234567, 4, buf, 6);
    assert_int_equal(strlen(buf) < 6, 1);
    assert_int_equal(buf[6], 'x');
}

static void assert_text(enum metric_unit unit, double value, const char *expected) {
    char buf[NUMBER_TEXT_MAX];
    assert_string_equal(number_text(unit, value, buf, sizeof buf), expected);
}

/* A result of a damaged store may hold any number, and a number in it times its unit may be too large. */
static void number_text__of_what_is_no_number(void **state) {
    (void)state;
    for (int unit = 0; unit <= UNIT_PER_S; unit++) {
        char buf[NUMBER_TEXT_MAX];
        const double value[] = {INFINITY, -INFINITY, NAN, 1e308, -1e308};
        for (size_t i = 0; i < sizeof value / sizeof *value; i++)
            assert_in_range(strlen(number_text((enum metric_unit)unit, value[i], buf, sizeof buf)), 1, sizeof buf - 1);
    }
    assert_text(UNIT_MBPS, 1e305, "inf Tbps");
    assert_plain(INFINITY, 4, "inf");
}

static void number_text__of_each_unit(void **state) {
    (void)state;
    assert_text(UNIT_US, 244.7, "245 us");
    assert_text(UNIT_US, 0.25, "250 ns");
    assert_text(UNIT_US, 9980, "9.98 ms");
    assert_text(UNIT_US, 999.6, "1.00 ms");
    assert_text(UNIT_US, 5e9, "5000 s");
    assert_text(UNIT_US, 0, "0 s");
    assert_text(UNIT_S, 0.0125, "12.5 ms");
    assert_text(UNIT_MBPS, 6790, "6.79 Gbps");
    assert_text(UNIT_MBPS, -0.5, "-500 Kbps");
    assert_text(UNIT_GBPS, 0.439, "439 Mbps");
    assert_text(UNIT_BYTES, 225000, "225 KB");
    assert_text(UNIT_BYTES, 0, "0 B");
    assert_text(UNIT_SHARE, 0.0025, "0.25 %");
    assert_text(UNIT_SHARE, 1, "100 %");
    assert_text(UNIT_NUMBER, 0.6894, "0.689");
    assert_text(UNIT_TIMES, 3.2149, "3.21");
    assert_text(UNIT_TIMES, 2, "2.00");
    assert_text(UNIT_TIMES, 17.04, "17.0");
    assert_text(UNIT_PER_S, 2000, "2000/s");
}

/* Counts have all digits of their whole part as long as these are few. */
static void number_text__of_counts(void **state) {
    (void)state;
    assert_text(UNIT_COUNT, 16820, "16,820");
    assert_text(UNIT_COUNT, 2076.33, "2076");
    assert_text(UNIT_COUNT, 3.33333, "3.33");
    assert_text(UNIT_COUNT, 99999, "99,999");
    assert_text(UNIT_COUNT, 123456, "123 k");
    assert_text(UNIT_COUNT, 1.23e9, "1.23 G");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(number_plain__has_no_exponent), UNIT(number_plain__into_a_short_buffer),
        UNIT(number_text__of_each_unit),     UNIT(number_text__of_what_is_no_number),
        UNIT(number_text__of_counts),
    };
    return RUN_UNITS(tests);
}
