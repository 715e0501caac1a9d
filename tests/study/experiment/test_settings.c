/* SPDX-License-Identifier: Apache-2.0 */
/* Settings as JSON: comparison by value, and their text. */
#include "study/experiment/settings.h"
#include "unit.h"

static void match__numbers_by_value_and_every_key(void **state) {
    (void)state;
    json_t *settings = json_pack("{s:i, s:s}", "workload.0.load", 1, "scheme", "dctcp");
    json_t *same = json_pack("{s:f}", "workload.0.load", 1.0), *other = json_pack("{s:s}", "scheme", "hull");
    json_t *more = json_pack("{s:s, s:i}", "scheme", "dctcp", "run.seed", 1);
    assert_true(settings_match(settings, same));
    assert_true(settings_match(settings, NULL));
    assert_false(settings_match(settings, other));
    assert_false(settings_match(settings, more));
    json_decref(settings);
    json_decref(same);
    json_decref(other);
    json_decref(more);
}

static void text__keys_and_values(void **state) {
    (void)state;
    char buf[64];
    json_t *settings = json_pack("{s:f, s:s, s:b}", "workload.0.load", 0.5, "scheme", "dctcp", "switch.push_out", 1);
    settings_text(settings, buf, sizeof buf);
    assert_string_equal(buf, "workload.0.load 0.5, scheme dctcp, switch.push_out true");
    json_decref(settings);
}

static void assert_number(double value, const char *expected) {
    char buf[64];
    json_t *number = json_real(value);
    setting_text(number, buf, sizeof buf);
    assert_string_equal(buf, expected);
    json_decref(number);
}

/* Numbers stand as a file would have them: whole, and without an exponent. */
static void text__of_numbers(void **state) {
    (void)state;
    assert_number(1000000, "1000000");
    assert_number(1234567, "1234567");
    assert_number(0.25, "0.25");
    assert_number(1e-5, "0.00001");
    assert_number(0, "0");
}

static void assert_row_key(const char *axes, const char *expected) {
    json_t *o = json_loads(axes, 0, NULL);
    assert_string_equal(settings_row_key(o), expected);
    json_decref(o);
}

/* Rows are what is compared: schemes, else names, else numbers, of several axes the innermost; the others make groups. */
static void row_key__of_axes(void **state) {
    (void)state;
    assert_row_key("{\"load\": [0.3, 0.6], \"scheme\": [\"a\", \"b\"]}", "scheme");
    assert_row_key("{\"load\": [0.3, 0.6], \"switch.crossbar\": [\"a\", \"b\"]}", "switch.crossbar");
    assert_row_key("{\"scheme\": [\"a\"], \"load\": [0.3, 0.6], \"run.seed\": [1, 2]}", "load");
    assert_row_key("{\"fabric.rate\": [\"1Gbps\", \"10Gbps\"], \"load\": [0.3, 0.6]}", "load");
    assert_row_key("{\"window\": [3, 10], \"hosts\": [8, 16], \"min_rto\": [\"1ms\", \"5ms\"], \"run.seed\": [1, 2]}",
                   "min_rto");
    assert_row_key("{\"window\": [3, 10], \"hosts\": [8], \"run.seed\": [1, 2]}", "window");
    assert_row_key("{\"run.seed\": [1, 2], \"load\": [0.3]}", "load");
    assert_row_key("{\"run.seed\": [1, 2]}", "run.seed");
}

static void comparison__words_that_both_sides_name_stand_alone(void **state) {
    (void)state;
    char buf[128];
    json_t *subject = json_pack("{s:s, s:f}", "scheme", "hull", "workload.0.load", 0.5);
    json_t *against = json_pack("{s:s}", "scheme", "dctcp");
    comparison_text(subject, against, buf, sizeof buf);
    assert_string_equal(buf, "hull, workload.0.load 0.5 against dctcp");
    comparison_text(against, NULL, buf, sizeof buf);
    assert_string_equal(buf, "scheme dctcp");
    comparison_text(NULL, NULL, buf, sizeof buf);
    assert_string_equal(buf, "");
    json_decref(subject);
    json_decref(against);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(match__numbers_by_value_and_every_key),
        UNIT(text__keys_and_values),
        UNIT(text__of_numbers),
        UNIT(row_key__of_axes),
        UNIT(comparison__words_that_both_sides_name_stand_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
