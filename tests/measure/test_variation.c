/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/variation.h"

#include "unit.h"

static struct variation of(const int64_t *bytes, size_t n) {
    struct variation v = {0};
    for (size_t i = 0; i < n; i++) variation_add(&v, bytes[i]);
    return v;
}

static void varies_by(const int64_t *bytes, size_t n, int64_t expected) {
    struct variation v = of(bytes, n);
    int64_t ppm;
    assert_true(variation_ppm(&v, &ppm));
    assert_int_equal(ppm, expected);
}

static void variation_ppm__even_is_none(void **state) {
    (void)state;
    const int64_t even[] = {7, 7, 7};
    varies_by(even, 3, 0);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, deviation 2. */
static void variation_ppm__hand_computed(void **state) {
    (void)state;
    const int64_t x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    varies_by(x, 8, 400000);
    const int64_t on_and_off[] = {0, 1000, 0, 1000};
    varies_by(on_and_off, 4, 1000000);
}

/* 1 and 2 bytes: deviation 1/2, mean 3/2. Small values keep their precision, and large ones do not overflow. */
static void variation_ppm__of_any_size(void **state) {
    (void)state;
    const int64_t small[] = {1, 2}, large[] = {1LL << 50, 2LL << 50};
    varies_by(small, 2, 333333);
    varies_by(large, 2, 333333);
}

/* A million intervals of a second that alternate between 800 Gbps and nothing. */
static void variation_ppm__many_fast_intervals(void **state) {
    (void)state;
    struct variation v = {0};
    int64_t ppm;
    for (int i = 0; i < 1000000; i++) variation_add(&v, i % 2 ? 100000000000 : 0);
    assert_true(variation_ppm(&v, &ppm));
    assert_int_equal(ppm, 1000000);
}

static void variation_ppm__there_is_none(void **state) {
    (void)state;
    const int64_t one[] = {7}, nothing[] = {0, 0, 0};
    struct variation v = of(one, 1);
    int64_t ppm;
    assert_false(variation_ppm(&v, &ppm));
    v = of(nothing, 3);
    assert_false(variation_ppm(&v, &ppm));
    v = of(NULL, 0);
    assert_false(variation_ppm(&v, &ppm));
}

/* ---- flows over time ---- */

/* Three flows: flow 0 receives 10 and 30 bytes in turn; flow 1 always 5 and starts within the second interval; flow 2
 * ends in the third. */
static struct summary three_flows(time_ps from) {
    const struct flow flow[] = {{.start = 0, .bytes = UINT64_MAX, .stop = TIME_NONE},
                                {.start = 0, .bytes = 15, .stop = TIME_NONE},
                                {.start = 150, .bytes = UINT64_MAX, .stop = TIME_NONE}};
    struct flow_tally tally[] = {{.finished_at = TIME_NONE}, {.finished_at = TIME_NONE}, {.finished_at = TIME_NONE}};
    struct variation v[3] = {0};
    struct flow_meter m;
    flow_meter_init(&m, flow, tallies_of(tally), 3);
    for (time_ps now = 100; now <= 600; now += 100) {
        tally[0].received_bytes += now % 200 ? 10 : 30;
        if (now <= 300) tally[1].received_bytes += 5;
        if (now == 300) tally[1].finished_at = 250;
        if (now >= 200) tally[2].received_bytes += now == 200 ? 1 : 5;
        flow_meter_step(&m, now);
        variation_step(v, &m, from);
    }
    flow_meter_fini(&m);
    return variation_summary(v, 3);
}

/* Flow 0 gives 10 / 20; the other flows are even in their whole intervals. */
static void variation_step__whole_intervals_of_open_flows(void **state) {
    (void)state;
    struct summary s = three_flows(0);
    assert_int_equal(s.n, 3);
    assert_int_equal(s.max, 500000);
    assert_int_equal(s.p50, 0);
    assert_int_equal(s.mean, 166667);
}

/* From 100 on flow 1 has one whole interval and so no variation; an interval that begins before that does not count. */
static void variation_step__only_from_then_on(void **state) {
    (void)state;
    assert_int_equal(three_flows(100).n, 2);
    assert_int_equal(three_flows(101).n, 2);
    struct summary late = three_flows(300); /* 30, 10, 30 of flow 0: deviation 9.43, mean 23.3 */
    assert_int_equal(late.n, 2);
    assert_int_equal(late.max, 404061);
    assert_int_equal(three_flows(500).n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(variation_ppm__even_is_none),       UNIT(variation_ppm__hand_computed),
        UNIT(variation_ppm__of_any_size),        UNIT(variation_ppm__many_fast_intervals),
        UNIT(variation_ppm__there_is_none),      UNIT(variation_step__whole_intervals_of_open_flows),
        UNIT(variation_step__only_from_then_on),
    };
    return RUN_UNITS(tests);
}
