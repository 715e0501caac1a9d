/* SPDX-License-Identifier: Apache-2.0 */
/* Cubic against RFC 9438 in long double. The test feeds the sender one ACK per segment, a window of them each RTT. */
#include "mech/transport/cubic.h"
#include "mech/transport/transports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#define MSS 1460u

static long double cube(long double x) { return x * x * x; }

/* Returns the cube root by Newton's method, from above. */
static long double root(long double x) {
    long double y = x > 1 ? x : 1;
    for (int i = 0; i < 400; i++) y = (2 * y + x / (y * y)) / 3;
    return y;
}

static void assert_near(long double got, long double want, long double slack) {
    if (got < want - slack || got > want + slack) {
        print_error("%Lf is not within %Lf of %Lf\n", got, slack, want);
        fail();
    }
}

/* --- arithmetic ------------------------------------------------------------------------------------------------ */

static void cube_root__is_exact(void **state) {
    (void)state;
    static const uint64_t y[] = {0, 1, 2, 3, 10, 999, 65535, 1ull << 30, (1ull << 40) + 12345};
    for (size_t i = 0; i < sizeof y / sizeof *y; i++) {
        uint128 x = (uint128)y[i] * y[i] * y[i];
        assert_int_equal(cubic_root(x), y[i]);
        assert_int_equal(cubic_root(x + 1), y[i] + (y[i] == 0)); /* 0 + 1 is a cube too */
        if (y[i] > 0) assert_int_equal(cubic_root(x - 1), y[i] - 1);
    }
}

static void ticks__are_2_to_the_minus_20_seconds(void **state) {
    (void)state;
    assert_int_equal(cubic_ticks(PS_PER_S), 1 << 20);
    assert_int_equal(cubic_ticks(1000 * PS_PER_S), 1000ll << 20);
    assert_int_equal(cubic_ticks(PS_PER_US), 1);
    assert_int_equal(cubic_ticks(INT64_MAX), 1 << 30);
}

static void k__as_equation_2(void **state) {
    (void)state;
    for (uint32_t segments = 1; segments < 100000; segments = segments * 3 + 1) {
        long double want = root(segments / 0.4L) * (1 << 20);
        assert_near(cubic_k_ticks(segments * MSS, MSS), want, 1.5L);
    }
}

/* Equation 1 from long before K to long after, exact to a byte and a millionth of the distance from W_max. */
static void window__as_equation_1(void **state) {
    (void)state;
    for (uint32_t w_max = 10; w_max <= 100000; w_max *= 10) {
        uint64_t k = cubic_k_ticks(w_max * 3 / 10 * MSS, MSS);
        for (int64_t t = 0; t < 3 * (int64_t)k; t += (int64_t)k / 37) {
            long double seconds = ((long double)t - (long double)k) / (1 << 20);
            long double want = (w_max + 0.4L * cube(seconds)) * MSS;
            long double away = want > w_max * (long double)MSS ? want - w_max * MSS : w_max * MSS - want;
            if (want < TCP_CWND_MAX) assert_near(cubic_window(t, k, w_max * MSS, MSS), want, 1.01L + away / 1e6L);
        }
    }
}

static void window__stays_in_its_range(void **state) {
    (void)state;
    assert_int_equal(cubic_window(0, 1 << 29, 10 * MSS, MSS), 0);
    assert_int_equal(cubic_window(1 << 30, 0, 10 * MSS, MSS), TCP_CWND_MAX);
}

/* --- behaviour ------------------------------------------------------------------------------------------------- */

struct rig {
    struct tcp_sender s;
    struct flow_env env;
    int64_t params[TCP_N_PARAMS];
    time_ps now;
};

/* Opens a sender that loses a segment at this window. */
static struct rig *after_loss(struct rig *r, uint32_t segments, span_ps rtt) {
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < TCP_N_PARAMS; i++) r->params[i] = tcp_params[i].def;
    r->env = (struct flow_env){.bytes = UINT64_MAX, .params = r->params, .row = &transport_cubic};
    transport_cubic.sender->open(&r->s, &r->env, 0);
    r->s.rtt.srtt_ps = rtt;
    r->s.cwnd_bytes = segments * MSS;
    r->now = PS_PER_S;
    r->s.congestion->on_loss(&r->s, segments * MSS, r->now);
    return r;
}

static void acks_until(struct rig *r, time_ps end, bool may_grow) {
    while (r->now < end) {
        struct tcp_ack ack = {.now = r->now, .acked_bytes = MSS, .may_grow = may_grow};
        r->s.congestion->on_ack(&r->s, &ack);
        r->now += r->s.rtt.srtt_ps * MSS / r->s.cwnd_bytes;
    }
}

static long double cwnd(const struct rig *r) { return (long double)r->s.cwnd_bytes / MSS; }

/* W_max 100, window 70 after the loss, K = cbrt(30 / 0.4) = 4.217 s: back at 100 then, flat around it, 130 at 2 K.
 * The target of each ACK is a round trip ahead, which the window reaches a round trip later. */
static void after_loss__concave_plateau_convex(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 100, 200 * PS_PER_MS);
    assert_near(cwnd(r), 70, 0.001L);
    time_ps start = r->now;
    span_ps k = 4217 * PS_PER_MS;
    static const long double part[] = {0.25L, 0.5L, 0.75L, 1, 1.25L, 1.5L, 2};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        acks_until(r, start + (span_ps)(part[i] * k), true);
        assert_near(cwnd(r), 100 + 0.4L * cube((part[i] - 1) * 4.217L), 1.5L);
    }
}

/* With a short RTT the Reno-friendly window governs: it grows by 9/17 of a segment per RTT from 7 to 10, then by one:
 * 10.2 after 6 RTTs, 16 after six more. */
static void short_rtt__grows_like_reno(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 10, 100 * PS_PER_US);
    time_ps start = r->now;
    acks_until(r, start + 3 * 100 * PS_PER_US, true);
    assert_near(cwnd(r), 7 + 3 * 9 / 17.0L, 0.4L);
    acks_until(r, start + 12 * 100 * PS_PER_US, true);
    assert_near(cwnd(r), 16.2L, 0.7L);
}

/* The second loss comes at 80, below the former 100: W_max is 80 * 0.85 = 68, not 80. From 56, K = cbrt(12 / 0.4)
 * = 3.107 s. */
static void fast_convergence__gives_way(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 100, 400 * PS_PER_MS);
    r->s.cwnd_bytes = 80 * MSS;
    r->s.congestion->on_loss(&r->s, 80 * MSS, r->now);
    assert_near(cwnd(r), 56, 0.001L);
    acks_until(r, r->now + 3107 * PS_PER_MS, true);
    assert_near(cwnd(r), 68, 1);
}

/* Five seconds in which the window is not the limit do not count. */
static void unused_window__time_stands_still(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 100, 200 * PS_PER_MS);
    time_ps start = r->now;
    acks_until(r, start + 1000 * PS_PER_MS, true);
    long double before = cwnd(r);
    acks_until(r, start + 6000 * PS_PER_MS, false);
    assert_near(cwnd(r), before, 0.001L);
    acks_until(r, start + 5000 * PS_PER_MS + 4217 * PS_PER_MS, true);
    assert_near(cwnd(r), 100, 1.5L);
}

/* ssthresh is 0.7 of the flight; congestion avoidance then starts with K = 0: convex at once, W_max = its start. */
static void timeout__next_epoch_has_no_k(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 100, 200 * PS_PER_MS);
    r->s.congestion->on_timeout(&r->s, 60 * MSS, r->now);
    assert_int_equal(r->s.ssthresh_bytes, 42 * MSS);
    r->s.cwnd_bytes = 42 * MSS;
    acks_until(r, r->now + 4 * PS_PER_S, true);
    assert_near(cwnd(r), 42 + 0.4L * cube(4), 1.5L);
}

static void reductions__have_floors(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 2, PS_PER_MS);
    assert_int_equal(r->s.cwnd_bytes, 2 * MSS);
    r->s.congestion->on_ecn(&r->s, MSS, r->now);
    assert_int_equal(r->s.cwnd_bytes, MSS);
}

/* Slow start doubles; no growth without use of the window. */
static void slow_start__below_ssthresh(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 100, PS_PER_MS);
    r->s.cwnd_bytes = 10 * MSS;
    for (int i = 0; i < 10; i++) {
        struct tcp_ack ack = {.now = r->now, .acked_bytes = MSS, .may_grow = true};
        r->s.congestion->on_ack(&r->s, &ack);
        ack.may_grow = false;
        r->s.congestion->on_ack(&r->s, &ack);
    }
    assert_int_equal(r->s.cwnd_bytes, 20 * MSS);
}

/* A second loss at the former W_max keeps W_max: the window is back at 100 after K = 4.217 s, not at 85. */
static void loss_at_the_former_maximum__keeps_it(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 100, 200 * PS_PER_MS);
    r->s.cwnd_bytes = 100 * MSS;
    r->s.congestion->on_loss(&r->s, 100 * MSS, r->now);
    acks_until(r, r->now + 4217 * PS_PER_MS, true);
    assert_near(cwnd(r), 100, 1.5L);
}

/* The target is at most 1.5 windows, however far W_cubic is ahead: half a segment per acknowledged segment. */
static void target__is_half_a_window_ahead_at_most(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 100, 200 * PS_PER_MS);
    struct tcp_ack ack = {.now = r->now, .acked_bytes = MSS, .may_grow = true};
    r->s.congestion->on_ack(&r->s, &ack);
    uint32_t before = r->s.cwnd_bytes;
    ack.now += 30 * PS_PER_S;
    r->s.congestion->on_ack(&r->s, &ack);
    assert_near(r->s.cwnd_bytes - before, MSS / 2, 1);
}

/* In large windows an ACK adds less than a byte, and the carried fractions add up: 9/17 of a segment per RTT where Reno
 * governs, equation 1 elsewhere. */
static void large_windows__fractions_of_a_byte_add_up(void **state) {
    (void)state;
    struct rig rig, *r = after_loss(&rig, 2000, 100 * PS_PER_US);
    acks_until(r, r->now + 100 * 100 * PS_PER_US, true);
    assert_near(cwnd(r), 1400 + 100 * 9 / 17.0L, 3);
    r = after_loss(&rig, 10000, 400 * PS_PER_MS);
    acks_until(r, r->now + 19574 * PS_PER_MS, true);
    assert_near(cwnd(r), 10000, 1.5L);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_root__is_exact),
        cmocka_unit_test(ticks__are_2_to_the_minus_20_seconds),
        cmocka_unit_test(k__as_equation_2),
        cmocka_unit_test(window__as_equation_1),
        cmocka_unit_test(window__stays_in_its_range),
        cmocka_unit_test(after_loss__concave_plateau_convex),
        cmocka_unit_test(short_rtt__grows_like_reno),
        cmocka_unit_test(fast_convergence__gives_way),
        cmocka_unit_test(unused_window__time_stands_still),
        cmocka_unit_test(timeout__next_epoch_has_no_k),
        cmocka_unit_test(reductions__have_floors),
        cmocka_unit_test(slow_start__below_ssthresh),
        cmocka_unit_test(loss_at_the_former_maximum__keeps_it),
        cmocka_unit_test(target__is_half_a_window_ahead_at_most),
        cmocka_unit_test(large_windows__fractions_of_a_byte_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
