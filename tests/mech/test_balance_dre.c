/* SPDX-License-Identifier: Apache-2.0 */
/* DRE (mech/balance/dre.h): EXP-8..EXP-10. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "mech/balance/dre.h"

#define T_DRE (20 * PS_PER_US)
#define FULL (200 * PS_PER_US)
#define FRAME_10G 1230400 /* 1538 B at 10 Gbps */

static struct dre_params paper_params(void) { return dre_params_make(T_DRE, PPB / 10); }

static void dre_params_make__full_load_is_period_over_alpha(void **state) {
    (void)state;
    assert_int_equal(paper_params().full_ps, FULL); /* 250,000 B at 10 Gbps */
    assert_int_equal(dre_params_make(T_DRE, PPB).keep_q32, 0);
    assert_int_equal(dre_params_make(T_DRE, PPB / 2).keep_q32, 1u << 31);
}

static void dre_advance__idle_link_stays_zero(void **state) {
    (void)state;
    struct dre_params p = paper_params();
    struct load_meter m = {0};
    dre_advance(&m, &p, 0, PS_PER_S);
    assert_int_equal(m.x_ps, 0);
    assert_int_equal(m.next_tick, PS_PER_S + T_DRE);
}

static void dre_advance__counts_busy_time_only(void **state) {
    (void)state;
    struct dre_params p = paper_params();
    struct load_meter m = {0};
    dre_advance(&m, &p, 0, 1000);
    dre_advance(&m, &p, 5000, 9000); /* busy for 4 ns from 1 ns on */
    assert_int_equal(m.x_ps, 4000);
    dre_advance(&m, &p, 5000, 12000);
    assert_int_equal(m.x_ps, 4000);
}

static void dre_advance__splits_busy_time_at_the_tick(void **state) {
    (void)state;
    struct dre_params p = dre_params_make(T_DRE, PPB / 2); /* alpha 1/2: exact by hand */
    struct load_meter m = {0};
    dre_advance(&m, &p, 0, T_DRE - 4000);
    dre_advance(&m, &p, T_DRE + 6000, T_DRE + 6000); /* 4 ns before the tick are halved, 6 ns after it are not */
    assert_int_equal(m.x_ps, 2000 + 6000);
}

static void dre_count__a_frame_at_the_tick_comes_after_it(void **state) {
    (void)state;
    struct dre_params p = dre_params_make(T_DRE, PPB / 2);
    struct load_meter m = {0};
    dre_count(&m, &p, 1000, T_DRE);
    assert_int_equal(m.x_ps, 1000);
    assert_int_equal(dre_read(&m, &p, 0, 2 * T_DRE - 1), 1000);
    assert_int_equal(dre_read(&m, &p, 0, 2 * T_DRE), 500);
}

/* EXP-9: at a constant share u of the rate C, X settles near u * C * T_dre / alpha. X ripples between (1 - alpha) of
 * that and one frame more than that. */
static void dre_count__constant_rate_converges(void **state) {
    (void)state;
    struct dre_params p = paper_params();
    for (int percent = 10; percent <= 100; percent += 10) {
        struct load_meter m = {0};
        span_ps gap = (span_ps)FRAME_10G * 100 / percent;
        time_ps now = 0;
        for (int i = 0; i < 4000; i++) dre_count(&m, &p, FRAME_10G, now += gap);
        int64_t want = FULL / 100 * percent;
        assert_in_range(m.x_ps, want - want / 10 - FRAME_10G, want + FRAME_10G);
    }
}

static void dre_advance__full_load_reaches_full(void **state) {
    (void)state;
    struct dre_params p = paper_params();
    struct load_meter m = {0};
    time_ps now = 300 * T_DRE - 1;
    dre_advance(&m, &p, TIME_NONE, now);
    assert_in_range(m.x_ps, FULL - 10000, FULL);
    assert_int_equal(dre_read(&m, &p, TIME_NONE, now + T_DRE), m.x_ps); /* settled */
}

/* Reading the register more often leaves it the same to the picosecond. */
static void dre_advance__any_split_gives_the_same_bits(void **state) {
    (void)state;
    struct dre_params p = paper_params();
    struct random_stream r;
    random_init(&r, 7, RANDOM_HOST, 0);
    struct load_meter once = {0}, often = {0};
    time_ps now = 0, busy_until = 0;
    for (int i = 0; i < 20000; i++) {
        time_ps next = now + (time_ps)random_below(&r, i % 50 == 0 ? 300 * T_DRE : 3 * T_DRE);
        for (int k = 0; k < 3; k++) {
            now += (time_ps)random_below(&r, (uint64_t)(next - now) + 1);
            dre_advance(&often, &p, busy_until, now);
        }
        now = next;
        dre_advance(&often, &p, busy_until, now);
        dre_advance(&once, &p, busy_until, now);
        assert_int_equal(once.x_ps, often.x_ps);
        assert_int_equal(once.next_tick, often.next_tick);
        busy_until = max_i64(busy_until, now) + (time_ps)random_below(&r, 20 * FRAME_10G);
    }
}

static void dre_advance__long_idle_reads_zero(void **state) {
    (void)state;
    struct dre_params p = paper_params();
    struct load_meter m = {0};
    dre_count(&m, &p, FULL, 0);
    assert_in_range(dre_read(&m, &p, 0, 64 * T_DRE), 1, FULL / 100);
    assert_int_equal(dre_read(&m, &p, 0, 250 * T_DRE), 0);
    assert_int_equal(m.next_tick, 251 * T_DRE);
}

static void dre_egress__ports_with_events_count_for_themselves(void **state) {
    (void)state;
    struct dre_params p = paper_params();
    uint32_t drain[8] = {0};
    struct port_view v = {.busy_until = 5000};
    assert_int_equal(dre_egress(&v, &p, 6000), 5000);
    struct port_view queued = {.busy_until = 5000, .drain_bytes = drain};
    assert_int_equal(dre_egress(&queued, &p, 6000), 0);
}

static void dre_quantize__boundaries_and_saturation(void **state) {
    (void)state;
    for (int level = 1; level < 8; level++) {
        assert_int_equal(dre_quantize(level * (FULL / 8) - 1, FULL), level - 1);
        assert_int_equal(dre_quantize(level * (FULL / 8), FULL), level);
    }
    assert_int_equal(dre_quantize(0, FULL), 0);
    assert_int_equal(dre_quantize(FULL, FULL), 7);
    assert_int_equal(dre_quantize(50 * (int64_t)FULL, FULL), 7);
    assert_int_equal(dre_quantize(3, 7), 3); /* floor(24 / 7): a full load that is no multiple of 8 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dre_params_make__full_load_is_period_over_alpha),
        cmocka_unit_test(dre_advance__idle_link_stays_zero),
        cmocka_unit_test(dre_advance__counts_busy_time_only),
        cmocka_unit_test(dre_advance__splits_busy_time_at_the_tick),
        cmocka_unit_test(dre_count__a_frame_at_the_tick_comes_after_it),
        cmocka_unit_test(dre_count__constant_rate_converges),
        cmocka_unit_test(dre_advance__full_load_reaches_full),
        cmocka_unit_test(dre_advance__any_split_gives_the_same_bits),
        cmocka_unit_test(dre_advance__long_idle_reads_zero),
        cmocka_unit_test(dre_egress__ports_with_events_count_for_themselves),
        cmocka_unit_test(dre_quantize__boundaries_and_saturation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
