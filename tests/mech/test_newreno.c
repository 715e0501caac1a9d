/* SPDX-License-Identifier: Apache-2.0 */
/* NewReno's window by hand (RFC 5681, RFC 3465). The test feeds ACKs to a sender, without a network. */
#include "mech/transport/tcp.h"
#include "mech/transport/transports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#define MSS 1460u

struct rig {
    struct tcp_sender s;
    struct flow_env env;
    int64_t params[TCP_N_PARAMS];
};

/* Opens a sender with this window, in congestion avoidance from `ssthresh` on. */
static struct tcp_sender *sender_of(struct rig *r, uint32_t cwnd, uint32_t ssthresh) {
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < TCP_N_PARAMS; i++) r->params[i] = tcp_params[i].def;
    r->env = (struct flow_env){.bytes = UINT64_MAX, .params = r->params, .row = &transport_newreno};
    transport_newreno.sender->open(&r->s, &r->env, 0);
    r->s.cwnd_bytes = cwnd * MSS;
    r->s.ssthresh_bytes = ssthresh * MSS;
    return &r->s;
}

/* Feeds n ACKs of this many segments. Returns the window after them in segments. */
static uint32_t acks(struct tcp_sender *s, int n, uint32_t segments, bool after_timeout) {
    struct tcp_ack ack = {.acked_bytes = segments * MSS, .may_grow = true, .after_timeout = after_timeout};
    for (int i = 0; i < n; i++) s->congestion->on_ack(s, &ack);
    return s->cwnd_bytes / MSS;
}

/* Slow start grows by the acknowledged bytes, at most two segments per ACK, after a timeout one. */
static void slow_start__counts_bytes(void **state) {
    (void)state;
    struct rig r;
    assert_int_equal(acks(sender_of(&r, 10, 100), 3, 1, false), 13);
    assert_int_equal(acks(sender_of(&r, 10, 100), 3, 2, false), 16);
    assert_int_equal(acks(sender_of(&r, 10, 100), 3, 8, false), 16);
    assert_int_equal(acks(sender_of(&r, 10, 100), 3, 8, true), 13);
}

/* With ACKs of three segments, 12 acknowledged ones make 10 into 11, and the 2 in excess count: 2 + 9 make it 12. */
static void congestion_avoidance__one_segment_a_window_and_the_rest_counts(void **state) {
    (void)state;
    struct rig r;
    struct tcp_sender *s = sender_of(&r, 10, 10);
    assert_int_equal(acks(s, 3, 3, false), 10);
    assert_int_equal(acks(s, 1, 3, false), 11);
    assert_int_equal(acks(s, 2, 3, false), 11);
    assert_int_equal(acks(s, 1, 3, false), 12);
}

/* A cut after nine of ten counted segments restarts the count: the next growth is five segments away, not one. */
static void reduction__starts_the_count_anew(void **state) {
    (void)state;
    struct rig r;
    struct tcp_sender *s = sender_of(&r, 10, 10);
    acks(s, 9, 1, false);
    s->congestion->on_loss(s, 10 * MSS, 0);
    assert_int_equal(s->cwnd_bytes, 5 * MSS);
    assert_int_equal(acks(s, 4, 1, false), 5);
    assert_int_equal(acks(s, 1, 1, false), 6);
}

/* Reductions take half of the flight, not of the window; at least two segments remain, for ECN one. */
static void reductions__halve_the_flight(void **state) {
    (void)state;
    struct rig r;
    struct tcp_sender *s = sender_of(&r, 20, 100);
    s->congestion->on_loss(s, 12 * MSS, 0);
    assert_int_equal(s->cwnd_bytes, 6 * MSS);
    s->congestion->on_loss(s, 3 * MSS, 0);
    assert_int_equal(s->cwnd_bytes, 2 * MSS);
    s->congestion->on_timeout(s, MSS, 0);
    assert_int_equal(s->ssthresh_bytes, 2 * MSS);
    s->congestion->on_ecn(s, MSS, 0);
    assert_int_equal(s->cwnd_bytes, MSS);
    assert_int_equal(s->ssthresh_bytes, MSS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_start__counts_bytes),
        cmocka_unit_test(congestion_avoidance__one_segment_a_window_and_the_rest_counts),
        cmocka_unit_test(reduction__starts_the_count_anew),
        cmocka_unit_test(reductions__halve_the_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
