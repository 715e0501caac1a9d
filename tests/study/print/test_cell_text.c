/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a cell: values, changes, and their intervals. */
#include "study/print/cell_text.h"

#include "unit.h"

#include <math.h>
#include <string.h>

static const struct metric_column times = {.unit = UNIT_US}, shares = {.unit = UNIT_SHARE},
                                  counts = {.unit = UNIT_COUNT}, growth = {.unit = UNIT_NUMBER, .is_signed = true};

static struct estimate with_half(double value, double half) {
    return (struct estimate){value, half / 4, value - half, value + half, 3, 1};
}

static const struct estimate none = {NAN, NAN, NAN, NAN, 0, 1};

/* Checks the words of a value with this interval. */
static void assert_value(struct estimate e, const struct metric_column *column, const char *value,
                         const char *interval) {
    struct cell_kinds kinds = {0};
    struct cell_text text;
    cell_text_make(&(struct table_cell){.value = e, .change = none}, column, &text, &kinds);
    assert_string_equal(text.value, value);
    assert_string_equal(text.interval, interval);
    assert_string_equal(text.change, "");
}

static void cell_text__value_with_its_interval(void **state) {
    (void)state;
    assert_value(with_half(412, 12.8), &times, "412 us", "+-3.1%");
    assert_value(with_half(412, 80), &times, "412 us", "+-19%");
    assert_value(with_half(412, 0.01), &times, "412 us", "+-<0.1%");
    assert_value(with_half(412, 0), &times, "412 us", "+-0%");
    assert_value((struct estimate){412, NAN, NAN, NAN, 1, 1}, &times, "412 us", "");
    assert_value(with_half(0, 0), &counts, "0", "");
    assert_value(none, &times, "-", "");
}

/* An interval that reaches 0 is a range; a value that may be negative has its half-width. */
static void cell_text__interval_that_reaches_0(void **state) {
    (void)state;
    struct estimate e = {4150, 3000, 0, 17400, 3, 1};
    assert_value(e, &times, "4.15 ms", "0..17.4 ms");
    assert_value(with_half(-2, 5), &growth, "-2", "+-5");
}

static void assert_change(struct estimate change, enum claim_form form, const struct metric_column *column,
                          const char *expected, const char *interval) {
    struct cell_kinds kinds = {0};
    struct cell_text text;
    const struct table_cell cell = {.value = with_half(1, 0.1), .change = change, .form = form};
    cell_text_make(&cell, column, &text, &kinds);
    assert_string_equal(text.change, expected);
    assert_string_equal(text.change_interval, interval);
    assert_true(kinds.changes);
}

static void cell_text__change_in_percent(void **state) {
    (void)state;
    assert_change(with_half(-0.49, 0.06), FORM_CHANGE, &times, "-49 %", "+-6.0");
    assert_change(with_half(0.027, 0.12), FORM_CHANGE, &times, "+2.7 %", "+-12");
    assert_change(with_half(0.0994, 0.0994), FORM_CHANGE, &times, "+9.9 %", "+-9.9"); /* one decimal below ten */
    assert_change(with_half(0.0996, 0.0996), FORM_CHANGE, &times, "+10 %", "+-10");
    assert_change(with_half(-0.0004, 0.0006), FORM_CHANGE, &times, "0 %", "+-0.1");
    assert_change(with_half(-0.0006, 0.0004), FORM_CHANGE, &times, "-0.1 %", "+-<0.1");
    assert_change(with_half(0.0001, 0.0001), FORM_CHANGE, &times, "0 %", "+-<0.1");
    assert_change((struct estimate){-0.87, 0.2, -1, -0.48, 3, 1}, FORM_CHANGE, &times, "-87 %", "-100..-48");
    assert_change((struct estimate){-0.49, NAN, NAN, NAN, 1, 1}, FORM_CHANGE, &times, "-49 %", "");
    assert_change(with_half(-1, 0), FORM_CHANGE, &counts, "-100 %", "+-0");
    assert_change(with_half(0, 0), FORM_CHANGE, &times, "same", "");
}

/* 630 ms that become 2.96 ms are 1/213 of it, not -100 %. */
static void cell_text__change_too_large_for_a_percentage(void **state) {
    (void)state;
    double left = 2.96 / 630;
    assert_change(with_half(left - 1, left / 10), FORM_CHANGE, &times, "1/213", "+-10%");
    assert_change(with_half(1 / left - 1, 1 / left / 5), FORM_CHANGE, &times, "213x", "+-20%");
    assert_change((struct estimate){left - 1, left, -1, 2 * left - 1, 3, 1}, FORM_CHANGE, &times, "1/213", "0..1/106");
    assert_change(with_half(-0.94, 0.002), FORM_CHANGE, &times, "-94 %", "+-0.2");
    assert_change(with_half(8.9, 0.1), FORM_CHANGE, &times, "+890 %", "+-10");
}

static void cell_text__differences(void **state) {
    (void)state;
    assert_change(with_half(0.031, 0.00234), FORM_DIFFERENCE, &shares, "+3.1 pp", "+-0.23");
    assert_change(with_half(-0.00575, 0.0001), FORM_DIFFERENCE, &shares, "-0.575 pp", "+-0.01");
    assert_change(with_half(2076, 336.4), FORM_DIFFERENCE, &counts, "+2076", "+-336");
    assert_change(with_half(10800, 510), FORM_DIFFERENCE, &times, "+10.8 ms", "+-510 us");
    assert_change(with_half(0, 0), FORM_DIFFERENCE, &counts, "same", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(cell_text__value_with_its_interval),
        UNIT(cell_text__interval_that_reaches_0),
        UNIT(cell_text__change_in_percent),
        UNIT(cell_text__change_too_large_for_a_percentage),
        UNIT(cell_text__differences),
    };
    return RUN_UNITS(tests);
}
