/* SPDX-License-Identifier: Apache-2.0 */
#include "base/units.h"

#include "base/random.h"
#include "unit.h"

#include <string.h>

static int64_t parsed(enum param_type type, const char *text) {
    char why[256] = "";
    int64_t value = -1;
    if (!units_parse(type, text, &value, why, sizeof why)) fail_msg("%s: %s", text, why);
    return value;
}

static void refused(enum param_type type, const char *text, const char *reason) {
    char why[256] = "";
    int64_t value = 77;
    if (units_parse(type, text, &value, why, sizeof why)) fail_msg("'%s' was read as %lld", text, (long long)value);
    assert_string_equal(why, reason);
    assert_int_equal(value, 77);
}

static void units_parse__times(void **state) {
    (void)state;
    assert_int_equal(parsed(PARAM_TIME, "2us"), 2000000);
    assert_int_equal(parsed(PARAM_TIME, "0.5 ns"), 500);
    assert_int_equal(parsed(PARAM_TIME, "1ps"), 1);
    assert_int_equal(parsed(PARAM_TIME, "10ms"), 10 * PS_PER_MS);
    assert_int_equal(parsed(PARAM_TIME, "1.000000000001s"), PS_PER_S + 1);
    assert_int_equal(parsed(PARAM_TIME, "1e-3s"), PS_PER_MS);
    assert_int_equal(parsed(PARAM_TIME, "-3us"), -3 * PS_PER_US);
    assert_int_equal(parsed(PARAM_TIME, "9223372.036854775807s"), INT64_MAX);
}

static void units_parse__sizes(void **state) {
    (void)state;
    assert_int_equal(parsed(PARAM_BYTES, "250KB"), 250000);
    assert_int_equal(parsed(PARAM_BYTES, "1MB"), 1000000);
    assert_int_equal(parsed(PARAM_BYTES, "128KiB"), 131072);
    assert_int_equal(parsed(PARAM_BYTES, "0.5KiB"), 512);
    assert_int_equal(parsed(PARAM_BYTES, "1.5MiB"), 1572864);
    assert_int_equal(parsed(PARAM_BYTES, "38B"), 38);
}

static void units_parse__rates(void **state) {
    (void)state;
    assert_int_equal(parsed(PARAM_RATE, "10Gbps"), 10000000000);
    assert_int_equal(parsed(PARAM_RATE, "2.5Gbps"), 2500000000);
    assert_int_equal(parsed(PARAM_RATE, "100Mbps"), 100000000);
    assert_int_equal(parsed(PARAM_RATE, "1bps"), 1);
}

static void units_parse__frequencies(void **state) {
    (void)state;
    assert_int_equal(parsed(PARAM_FREQUENCY, "10000/s"), 10000000);
    assert_int_equal(parsed(PARAM_FREQUENCY, "0.5 /s"), 500);
    assert_int_equal(parsed(PARAM_FREQUENCY, "0"), 0);
    refused(PARAM_FREQUENCY, "2000", "'2000' has no unit; write /s, such as 2000/s");
    refused(PARAM_FREQUENCY, "0.0001/s", "'0.0001/s' is finer than one in a thousand seconds");
    char text[UNITS_TEXT_MAX];
    assert_string_equal(units_print(PARAM_FREQUENCY, 333000, text, sizeof text), "333/s");
}

static void units_parse__fractions(void **state) {
    (void)state;
    assert_int_equal(parsed(PARAM_FRACTION, "0.1"), PPB / 10);
    assert_int_equal(parsed(PARAM_FRACTION, "0.01%"), PPB / 10000);
    assert_int_equal(parsed(PARAM_FRACTION, "100%"), PPB);
    assert_int_equal(parsed(PARAM_FRACTION, "1e-6"), 1000);
    assert_int_equal(parsed(PARAM_FRACTION, ".5"), PPB / 2);
}

static void units_parse__counts(void **state) {
    (void)state;
    assert_int_equal(parsed(PARAM_COUNT, "65536"), 65536);
    assert_int_equal(parsed(PARAM_COUNT, "1e6"), 1000000);
    assert_int_equal(parsed(PARAM_COUNT, "-1"), -1);
    assert_int_equal(parsed(PARAM_COUNT, "3.000000000000000000000000000000000000000"), 3);
    assert_int_equal(parsed(PARAM_COUNT, "9223372036854775807"), INT64_MAX);
}

static void units_parse__zero_needs_no_unit(void **state) {
    (void)state;
    assert_int_equal(parsed(PARAM_TIME, "0"), 0);
    assert_int_equal(parsed(PARAM_RATE, "0.0"), 0);
    assert_int_equal(parsed(PARAM_BYTES, "0e5"), 0);
}

static void units_parse__missing_unit(void **state) {
    (void)state;
    refused(PARAM_TIME, "10", "'10' has no unit; write ps, ns, us, ms or s, such as 20us");
    refused(PARAM_RATE, "10", "'10' has no unit; write bps, Kbps, Mbps, Gbps or Tbps, such as 10Gbps");
    refused(PARAM_BYTES, "1500 ",
            "'1500 ' has no unit; write B, KB, MB, GB, TB (thousands) or KiB, MiB, GiB (1024), such as 250KB");
}

static void units_parse__wrong_unit(void **state) {
    (void)state;
    refused(PARAM_TIME, "10Gbps", "'Gbps' is no unit of a time; write ps, ns, us, ms or s, such as 20us");
    refused(PARAM_RATE, "10Gb", "'Gb' is no unit of a rate; write bps, Kbps, Mbps, Gbps or Tbps, such as 10Gbps");
    refused(PARAM_COUNT, "5us", "'us' is no unit of a count; write no unit, such as 10");
    refused(PARAM_COUNT, "1e", "'e' is no unit of a count; write no unit, such as 10");
    refused(PARAM_FRACTION, "5 percent",
            "'percent' is no unit of a fraction; write a plain number or %, such as 0.1 or 10%");
    refused(PARAM_TIME, "0Gbps", "'Gbps' is no unit of a time; write ps, ns, us, ms or s, such as 20us");
}

static void units_parse__no_number(void **state) {
    (void)state;
    refused(PARAM_TIME, "", "'' is not a time; write one such as 20us");
    refused(PARAM_TIME, "us", "'us' is not a time; write one such as 20us");
    refused(PARAM_RATE, "fast", "'fast' is not a rate; write one such as 10Gbps");
    refused(PARAM_COUNT, ".", "'.' is not a count; write one such as 10");
    refused(PARAM_COUNT, "-", "'-' is not a count; write one such as 10");
}

static void units_parse__finer_than_the_base_unit(void **state) {
    (void)state;
    refused(PARAM_TIME, "0.5ps", "'0.5ps' is finer than a picosecond");
    refused(PARAM_TIME, "1e-13s", "'1e-13s' is finer than a picosecond");
    refused(PARAM_BYTES, "0.0001KB", "'0.0001KB' is no whole number of bytes");
    refused(PARAM_BYTES, "0.1KiB", "'0.1KiB' is no whole number of bytes");
    refused(PARAM_FRACTION, "0.0123456789", "'0.0123456789' has more than nine decimals (seven in %)");
    refused(PARAM_COUNT, "1.5", "'1.5' is no whole number");
    refused(PARAM_COUNT, "1e-999999999999", "'1e-999999999999' is no whole number");
}

static void units_parse__too_large(void **state) {
    (void)state;
    refused(PARAM_COUNT, "9223372036854775808", "'9223372036854775808' is too large; the most is 9223372036854775807");
    refused(PARAM_TIME, "1e7s", "'1e7s' is too large; the most is 9223372036854775807ps");
    refused(PARAM_COUNT, "1e999999999999", "'1e999999999999' is too large; the most is 9223372036854775807");
    refused(PARAM_COUNT, "99999999999999999999999999999999999999999999",
            "'9999999999999999999999999999999999999999' is too large; the most is 9223372036854775807");
}

static void prints(enum param_type type, int64_t value, const char *text) {
    char buf[UNITS_TEXT_MAX];
    assert_string_equal(units_print(type, value, buf, sizeof buf), text);
}

static void units_print__shortest_form(void **state) {
    (void)state;
    prints(PARAM_TIME, 2 * PS_PER_US, "2us");
    prints(PARAM_TIME, 1500, "1.5ns");
    prints(PARAM_TIME, 100 * PS_PER_US, "100us");
    prints(PARAM_TIME, 1, "1ps");
    prints(PARAM_TIME, 0, "0s");
    prints(PARAM_TIME, -PS_PER_MS, "-1ms");
    prints(PARAM_BYTES, 225000, "225KB");
    prints(PARAM_BYTES, 131072, "128KiB");
    prints(PARAM_BYTES, 1500, "1500B");
    prints(PARAM_RATE, 10000000000, "10Gbps");
    prints(PARAM_RATE, 2500000000, "2.5Gbps");
    prints(PARAM_FRACTION, PPB / 10000, "0.01%");
    prints(PARAM_FRACTION, PPB, "1");
    prints(PARAM_FRACTION, 0, "0");
    prints(PARAM_COUNT, 65536, "65536");
    prints(PARAM_COUNT, INT64_MIN + 1, "-9223372036854775807");
}

static void round_trip(enum param_type type, int64_t value) {
    char buf[UNITS_TEXT_MAX];
    units_print(type, value, buf, sizeof buf);
    assert_true(strlen(buf) + 1 < sizeof buf);
    if (parsed(type, buf) != value) fail_msg("%s is not %lld", buf, (long long)value);
}

static void units_print__reads_back(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 2, RANDOM_SIZES, 0);
    for (int type = PARAM_COUNT; type <= PARAM_FRACTION; type++) {
        round_trip((enum param_type)type, INT64_MAX);
        round_trip((enum param_type)type, -INT64_MAX);
        for (int i = 0; i < 3000; i++) {
            int64_t value = (int64_t)(random_u64(&s) >> (1 + random_below(&s, 63)));
            int64_t scale = 1;
            for (uint64_t zeros = random_below(&s, 13); zeros > 0; zeros--) scale *= 10;
            round_trip((enum param_type)type, value);
            round_trip((enum param_type)type, -value);
            round_trip((enum param_type)type, value % 1000 * scale);
        }
    }
}

static const struct param timeout = {
    .name = "pst_timeout", .type = PARAM_TIME, .def = 100 * PS_PER_MS, .min = PS_PER_US, .max = PS_PER_S};
static const struct param flows = {.name = "flows", .type = PARAM_COUNT, .def = 0, .min = 1, .max = INT64_MAX};
static const struct param sack = {.name = "sack", .type = PARAM_BOOL, .def = 1, .min = 0, .max = 1};
static const struct param queue = {.name = "queue", .type = PARAM_QUEUE, .def = 0, .min = 1518, .max = INT64_MAX / 2};
static const struct param nic = {
    .name = "nic", .type = PARAM_CHOICE, .def = 0, .min = 0, .max = 1, .choices = "pull|fifo"};

static void param_is(const struct param *p, const char *text, int64_t want) {
    char why[256], buf[UNITS_TEXT_MAX];
    int64_t value = -1;
    assert_true(param_parse(p, text, &value, why, sizeof why));
    assert_int_equal(value, want);
    assert_string_equal(param_print(p, value, buf, sizeof buf), text);
}

static void param_is_not(const struct param *p, const char *text, const char *reason) {
    char why[256] = "";
    int64_t value;
    assert_false(param_parse(p, text, &value, why, sizeof why));
    assert_string_equal(why, reason);
}

static void param_parse__each_kind(void **state) {
    (void)state;
    param_is(&timeout, "500us", 500 * PS_PER_US);
    param_is(&flows, "10000", 10000);
    param_is(&sack, "true", 1);
    param_is(&sack, "false", 0);
    param_is(&nic, "pull", 0);
    param_is(&queue, "20KB", 20000);
    param_is(&queue, "100 frames", -100);
    param_is(&queue, "1 frame", -1);
    param_is(&nic, "fifo", 1);
}

static void param_parse__range(void **state) {
    (void)state;
    param_is(&timeout, "1us", PS_PER_US);
    param_is(&timeout, "1s", PS_PER_S);
    param_is_not(&timeout, "999ns", "'999ns' is out of range; write 1us to 1s");
    param_is_not(&timeout, "2s", "'2s' is out of range; write 1us to 1s");
    param_is_not(&flows, "0", "'0' is out of range; write at least 1");
}

static void param_parse__names(void **state) {
    (void)state;
    param_is_not(&queue, "100",
                 "'100' has no unit; write B, KB, MB, GB (thousands), KiB, MiB, GiB (1024) or frames, such as 250KB or "
                 "100 frames");
    param_is_not(&queue, "0 frames", "'0 frames' is out of range; write 1 to 1000000 frames");
    param_is_not(&queue, "1.5 frames", "'1.5 frames' is out of range; write 1 to 1000000 frames");
    param_is_not(&queue, "100B", "'100B' is out of range; write 1518B to 4611686018427387903B");
    param_is_not(&nic, "pul", "'pul' is unknown; did you mean 'pull'? (one of: pull, fifo)");
    param_is_not(&nic, "pull|fifo", "'pull|fifo' is unknown; write one of: pull, fifo");
    param_is_not(&nic, "", "'' is unknown; write one of: pull, fifo");
    param_is_not(&sack, "yes", "'yes' is neither true nor false");
}

/* The error of an unknown choice names the nearest one, also if the table has more rows than fit into a line. */
static void param_parse__finds_the_nearest_of_many_choices(void **state) {
    (void)state;
    const struct param many = {.name = "kind",
                               .type = PARAM_CHOICE,
                               .choices = "a1|b2|c3|d4|e5|f6|g7|h8|i9|j10|k11|l12|m13|n14|o15|p16|expeditus"};
    int64_t value;
    char why[256];
    assert_false(param_parse(&many, "expiditus", &value, why, sizeof why));
    assert_non_null(strstr(why, "did you mean 'expeditus'?"));
    assert_true(param_parse(&many, "expeditus", &value, why, sizeof why));
    assert_int_equal(value, 16);
}

/* Four digits: the fifth rounds, a half goes up, and a value that has four stays. */
static void units_rounded__to_four_digits(void **state) {
    (void)state;
    static const int64_t rows[][2] = {
        {0, 0},           {7, 7},           {9999, 9999},          {10000, 10000},  {10004, 10000},
        {10005, 10010},   {12344, 12340},   {99994, 99990},        {99995, 100000}, {100005, 100000},
        {100040, 100000}, {100050, 100100}, {123456789, 123500000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_int_equal(units_rounded(rows[i][0]), rows[i][1]);
}

/* Three digits, and never less than the value. */
static void units_rounded_up__to_three_digits(void **state) {
    (void)state;
    static const int64_t rows[][2] = {{0, 0},       {7, 7},       {999, 999},     {1000, 1000},
                                      {1001, 1010}, {1010, 1010}, {12301, 12400}, {123456789, 124000000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_int_equal(units_rounded_up(rows[i][0]), rows[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(param_parse__finds_the_nearest_of_many_choices),
        UNIT(units_parse__times),
        UNIT(units_parse__sizes),
        UNIT(units_parse__rates),
        UNIT(units_parse__fractions),
        UNIT(units_parse__frequencies),
        UNIT(units_parse__counts),
        UNIT(units_parse__zero_needs_no_unit),
        UNIT(units_parse__missing_unit),
        UNIT(units_parse__wrong_unit),
        UNIT(units_parse__no_number),
        UNIT(units_parse__finer_than_the_base_unit),
        UNIT(units_parse__too_large),
        UNIT(units_print__shortest_form),
        UNIT(units_print__reads_back),
        UNIT(units_rounded__to_four_digits),
        UNIT(units_rounded_up__to_three_digits),
        UNIT(param_parse__each_kind),
        UNIT(param_parse__range),
        UNIT(param_parse__names),
    };
    return RUN_UNITS(tests);
}
