/* SPDX-License-Identifier: Apache-2.0 */
/* Limits and thresholds of ports, as each admission sets them. */
#include "mech/admit/admissions.h"

#include "unit.h"

#define GBPS 1000000000LL
#define BUFFER 225000

static struct admit_limits limits(const struct admit_ops *ops, int64_t rate_bps) {
    const struct admit_config all = {
        .ops = ops, .ecn_bytes_per_10g = 99970, .phantom_bytes_per_10g = 10000, .phantom_drain_ppb = 950000000};
    return admit_limits_of(&all, BUFFER, rate_bps);
}

static void limits__every_row_takes_in_what_the_buffer_holds(void **state) {
    (void)state;
    size_t n;
    const struct admit_ops *const *row = admissions(&n);
    for (size_t i = 0; i < n; i++) assert_int_equal(limits(row[i], 10 * GBPS).limit_bytes, BUFFER);
}

/* Each admission marks in its own way only, whatever else is set. */
static void limits__mark_as_the_row_says(void **state) {
    (void)state;
    struct admit_limits tail = limits(&admit_droptail, 40 * GBPS), ecn = limits(&admit_ecn, 40 * GBPS),
                        phantom = limits(&admit_phantom, 40 * GBPS);
    assert_int_equal(tail.mark_bytes + tail.phantom_bytes, 0);
    assert_int_equal(ecn.mark_bytes, 4 * 99970);
    assert_int_equal(ecn.phantom_bytes, 0);
    assert_int_equal(phantom.mark_bytes, 0);
    assert_int_equal(phantom.phantom_bytes, 40000);
    assert_int_equal(phantom.phantom_drain_ppb, 950000000);
}

static void limits__a_threshold_of_every_rate(void **state) {
    (void)state;
    const struct admit_config s = {.ops = &admit_ecn, .ecn_bytes = 30000, .ecn_bytes_per_10g = 99970};
    assert_int_equal(admit_limits_of(&s, BUFFER, GBPS).mark_bytes, 30000);
    assert_int_equal(admit_limits_of(&s, BUFFER, 400 * GBPS).mark_bytes, 30000);
}

static void limits__without_a_row_those_of_drop_tail(void **state) {
    (void)state;
    const struct admit_config none = {.ecn_bytes = 30000};
    assert_int_equal(admit_limits_of(&none, BUFFER, GBPS).limit_bytes, BUFFER);
    assert_int_equal(admit_limits_of(&none, BUFFER, GBPS).mark_bytes, 0);
}

static void scaled__is_exact_at_every_rate(void **state) {
    (void)state;
    assert_int_equal(admit_scaled(99970, 10 * GBPS), 99970);
    assert_int_equal(admit_scaled(99970, GBPS), 9997);
    assert_int_equal(admit_scaled(1LL << 40, 400 * GBPS), 40LL << 40); /* the product needs more than 64 bits */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(limits__every_row_takes_in_what_the_buffer_holds),
        UNIT(limits__mark_as_the_row_says),
        UNIT(limits__a_threshold_of_every_rate),
        UNIT(limits__without_a_row_those_of_drop_tail),
        UNIT(scaled__is_exact_at_every_rate),
    };
    return RUN_UNITS(tests);
}
