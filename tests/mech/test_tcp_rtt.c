/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 6298 by hand, and Karn's rules in a sender. */
#include "mech/transport/tcp_rtt.h"
#include "mech/transport/transports.h"
#include "tcp_world.h"

#define US PS_PER_US

static void samples__by_hand(void **state) {
    (void)state;
    static const struct {
        span_ps sample, srtt, rttvar, rto;
    } row[] = {
        {100 * US, 100 * US, 50 * US, 300 * US},
        {140 * US, 105 * US, 47500000, 295 * US},      /* 3/4 50 + 1/4 40; 7/8 100 + 1/8 140 */
        {90 * US, 103125000, 39375000, 260625000},     /* 3/4 47.5 + 1/4 15; 105 - 15/8 */
        {1000 * US, 215234375, 253750000, 1230234375}, /* 3/4 39.375 + 1/4 896.875; 103.125 + 896.875/8 */
    };
    struct tcp_rtt r = {0};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        tcp_rtt_sample(&r, row[i].sample);
        assert_int_equal(r.srtt_ps, row[i].srtt);
        assert_int_equal(r.rttvar_ps, row[i].rttvar);
        assert_int_equal(tcp_rtt_rto(&r, 1, PS_PER_S), row[i].rto);
    }
    assert_int_equal(r.min_ps, 90 * US);
}

static void rto__is_held_between_its_bounds(void **state) {
    (void)state;
    struct tcp_rtt r = {0};
    tcp_rtt_sample(&r, 100 * US);
    assert_int_equal(tcp_rtt_rto(&r, 10 * PS_PER_MS, 60 * PS_PER_S), 10 * PS_PER_MS);
    assert_int_equal(tcp_rtt_rto(&r, 1, 200 * US), 200 * US);
}

/* The first sample comes from SYN and SYN-ACK. */
static void handshake__gives_a_sample(void **state) {
    (void)state;
    struct world *w = world_new(3);
    w->delay = 7 * PS_PER_MS;
    w->params[TCP_PARAM_INITIAL_RTO] = PS_PER_S;
    world_open(w);
    world_run(w, 14 * PS_PER_MS);
    assert_int_equal(w->sender.rtt.srtt_ps, 14 * PS_PER_MS);
    assert_int_equal(w->sender.rto_ps, 42 * PS_PER_MS);
    world_finish(w);
    world_free(w);
}

/* A retransmitted segment gives no sample, and the back-off lasts until the next sample. d0 is lost, so RTO goes from
 * 10 to 20 ms; the ACK of d0* measures nothing, that of d1 does. */
static void retransmission__no_sample_and_backoff_stays(void **state) {
    (void)state;
    struct world *w = world_new(2);
    w->delay = PS_PER_MS;
    w->params[TCP_PARAM_INITIAL_WINDOW] = 1;
    w->lose = "d0";
    world_open(w);
    world_run(w, 14 * PS_PER_MS);
    assert_int_equal(w->sender.snd_una, MSS);
    assert_int_equal(w->sender.rto_ps, 20 * PS_PER_MS);
    assert_int_equal(w->sender.rtt.rttvar_ps, PS_PER_MS); /* still the handshake's */
    world_finish(w);
    assert_int_equal(w->sender.rto_ps, 10 * PS_PER_MS);
    assert_int_equal(w->sender.rtt.rttvar_ps, 3 * PS_PER_MS / 4);
    world_free(w);
}

/* d10 is timed when d4* leaves, which ends the timing (Karn): the ACK of both gives no sample, though d4* took 7 ms. */
static void fast_retransmission__ends_the_timing(void **state) {
    (void)state;
    struct world *w = world_new(20);
    w->delay = PS_PER_MS;
    w->lose = "d4";
    w->slow = "d4*";
    w->slow_by = 5 * PS_PER_MS;
    world_open(w);
    world_finish(w);
    assert_int_equal(w->tally.fast_recoveries, 1);
    assert_int_equal(w->tally.data_timeouts, 0);
    assert_int_equal(w->sender.rtt.srtt_ps, 2 * PS_PER_MS);
    world_free(w);
}

/* ---- what a congestion control is told ---- */

static span_ps told[16];
static uint32_t n_told;

static void spy_on_ack(struct tcp_sender *s, const struct tcp_ack *ack) {
    if (n_told < 16) told[n_told++] = ack->rtt_ps;
    transport_newreno.congestion->on_ack(s, ack);
}

/* One segment per window is timed: only its ACK brings a sample. */
static void ack__brings_the_sample_of_the_timed_segment(void **state) {
    (void)state;
    struct tcp_congestion spy = *transport_newreno.congestion;
    struct transport_ops row = transport_newreno;
    struct world *w = world_new(6);
    spy.on_ack = spy_on_ack;
    row.congestion = &spy;
    w->ops = &row;
    w->delay = PS_PER_MS;
    w->params[TCP_PARAM_INITIAL_WINDOW] = 3;
    world_open(w);
    world_finish(w);
    assert_int_equal(n_told, 6);
    assert_int_equal(told[0], 2 * PS_PER_MS);
    assert_int_equal(told[1] + told[2], 0);
    assert_int_equal(told[3], 2 * PS_PER_MS); /* sample of the next window */
    world_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples__by_hand),
        cmocka_unit_test(rto__is_held_between_its_bounds),
        cmocka_unit_test(handshake__gives_a_sample),
        cmocka_unit_test(retransmission__no_sample_and_backoff_stays),
        cmocka_unit_test(fast_retransmission__ends_the_timing),
        cmocka_unit_test(ack__brings_the_sample_of_the_timed_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
