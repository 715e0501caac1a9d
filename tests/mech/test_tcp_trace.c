/* SPDX-License-Identifier: Apache-2.0 */
/* Whole flows, frame by frame, against traces worked out by hand from the RFCs: connection, growth of the window, and
 * ECN. One way takes 1 ms and sending takes no time, so each line holds the frames that leave at one instant.
 * tcp_world.h explains the notation. test_tcp_recovery.c and test_tcp_timeouts.c hold the traces with losses. */
#include "tcp_world.h"

/* ---- connection and growth ---- */

static void handshake__first_data_carries_the_ack(void **state) {
    (void)state;
    struct world *w = flow_of(1);
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0\n"
                    "3000us: a1");
    assert_int_equal(w->tally.first_data_at, 2 * PS_PER_MS); /* the handshake ends there */
    assert_int_equal(w->tally.finished_at, 3 * PS_PER_MS);
    assert_int_equal(w->tally.acked_at, 4 * PS_PER_MS);
    world_free(w);
}

/* The answer to a query uses the connection that the query opened. */
static void established__data_at_once(void **state) {
    (void)state;
    struct world *w = flow_of(4);
    w->established = true;
    w->params[TCP_PARAM_INITIAL_WINDOW] = 3;
    world_expect(w, "0us: d0 d1 d2\n"
                    "1000us: a1 a2 a3\n"
                    "2000us: d3\n"
                    "3000us: a4");
    assert_int_equal(w->tally.first_data_at, 0);
    assert_int_equal(w->tally.finished_at, 3 * PS_PER_MS);
    world_free(w);
}

/* The first window and its first ACK are lost: timeouts repair them without a SYN. */
static void established__timeouts_repair_the_first_window(void **state) {
    (void)state;
    struct world *w = flow_of(2);
    w->established = true;
    w->lose = "d0 d1 a1";
    world_expect(w, "0us: d0! d1!\n"
                    "10000us: RTO d0*\n"
                    "11000us: a1!\n"
                    "30000us: RTO d0*\n"
                    "31000us: a1\n"
                    "32000us: d1*\n"
                    "33000us: a2");
    assert_int_equal(w->tally.data_timeouts, 2);
    assert_int_equal(w->tally.syn_timeouts, 0);
    world_free(w);
}

/* ECN as agreed when the connection opened still holds. */
static void established__ecn_is_agreed_on(void **state) {
    (void)state;
    struct world *w = flow_of(3);
    w->established = true;
    w->params[TCP_PARAM_ECN] = 1;
    w->params[TCP_PARAM_INITIAL_WINDOW] = 2;
    w->mark = "d0";
    world_expect(w, "0us: d0 d1\n"
                    "1000us: a1e a2e\n"
                    "2000us: d2w\n"
                    "3000us: a3");
    assert_int_equal(w->counters[TCP_ECN_CUTS], 1);
    world_free(w);
}

/* The first window is IW 10 (RFC 6928); then each ACK releases two segments. */
static void slow_start__doubles_each_round(void **state) {
    (void)state;
    struct world *w = flow_of(45);
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4 d5 d6 d7 d8 d9\n"
                    "3000us: a1 a2 a3 a4 a5 a6 a7 a8 a9 a10\n"
                    "4000us: d10 d11 d12 d13 d14 d15 d16 d17 d18 d19 d20 d21 d22 d23 d24 d25 d26 d27 d28 d29\n"
                    "5000us: a11 a12 a13 a14 a15 a16 a17 a18 a19 a20 a21 a22 a23 a24 a25 a26 a27 a28 a29 a30\n"
                    "6000us: d30 d31 d32 d33 d34 d35 d36 d37 d38 d39 d40 d41 d42 d43 d44\n"
                    "7000us: a31 a32 a33 a34 a35 a36 a37 a38 a39 a40 a41 a42 a43 a44 a45");
    world_free(w);
}

/* With one ACK per two segments the window still doubles (RFC 3465, L = 2). The ACK of an odd third segment is delayed
 * until the timer, here 1 ms; that of the last segment is not. */
static void delayed_ack__every_second_segment_or_the_timer(void **state) {
    (void)state;
    struct world *w = flow_of(10);
    w->params[TCP_PARAM_INITIAL_WINDOW] = 3;
    w->params[TCP_PARAM_DELAYED_ACK] = 2;
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2\n"
                    "3000us: a2\n"
                    "4000us: timer a3 d3 d4 d5 d6\n"
                    "5000us: d7 d8 a5 a7\n"
                    "6000us: a9 d9\n"
                    "7000us: a10");
    world_free(w);
}

/* 8000 B are 31 units of 256 B: 7936 B, five segments. */
static void receive_window__bounds_the_flight(void **state) {
    (void)state;
    struct world *w = flow_of(12);
    w->params[TCP_PARAM_RECEIVE_WINDOW] = 8000;
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4\n"
                    "3000us: a1 a2 a3 a4 a5\n"
                    "4000us: d5 d6 d7 d8 d9\n"
                    "5000us: a6 a7 a8 a9 a10\n"
                    "6000us: d10 d11\n"
                    "7000us: a11 a12");
    assert_int_equal(w->tally.cwnd_bytes, 10 * MSS); /* cwnd is never the limit, so it does not grow */
    world_free(w);
}

static void short_last_segment__is_sent_and_acknowledged(void **state) {
    (void)state;
    struct world *w = flow_of(0);
    w->bytes = 2 * MSS + 7;
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2\n"
                    "3000us: a1 a2 a3");
    world_free(w);
}

/* ---- ECN ---- */

/* d3 is marked. a1-a3 make cwnd 13. a4e cuts it to 6.5, once, although echoes last until CWR comes with d16, the first
 * new data. ACKs with an echo do not grow the window: six segments per round, then seven. */
static void ecn__one_cut_a_window_and_echo_until_cwr(void **state) {
    (void)state;
    struct world *w = flow_of(35);
    w->params[TCP_PARAM_ECN] = 1;
    w->mark = "d3 d5";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4 d5 d6 d7 d8 d9\n"
                    "3000us: a1 a2 a3 a4e a5e a6e a7e a8e a9e a10e\n"
                    "4000us: d10 d11 d12 d13 d14 d15\n"
                    "5000us: a11e a12e a13e a14e a15e a16e\n"
                    "6000us: d16w d17 d18 d19 d20 d21\n"
                    "7000us: a17 a18 a19 a20 a21 a22\n"
                    "8000us: d22 d23 d24 d25 d26 d27\n"
                    "9000us: a23 a24 a25 a26 a27 a28\n"
                    "10000us: d28 d29 d30 d31 d32 d33 d34\n"
                    "11000us: a29 a30 a31 a32 a33 a34 a35");
    assert_int_equal(w->counters[TCP_ECN_CUTS], 1);
    assert_int_equal(w->tally.marked_pkts, 2);
    world_free(w);
}

/* A window of one segment stays one (AM-2). */
static void ecn__cut_leaves_one_segment(void **state) {
    (void)state;
    struct world *w = flow_of(3);
    w->params[TCP_PARAM_ECN] = 1;
    w->params[TCP_PARAM_INITIAL_WINDOW] = 1;
    w->mark = "d0";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0\n"
                    "3000us: a1e\n"
                    "4000us: d1w\n"
                    "5000us: a2\n"
                    "6000us: d2\n"
                    "7000us: a3");
    world_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(handshake__first_data_carries_the_ack),
        UNIT(established__data_at_once),
        UNIT(established__timeouts_repair_the_first_window),
        UNIT(established__ecn_is_agreed_on),
        UNIT(slow_start__doubles_each_round),
        UNIT(delayed_ack__every_second_segment_or_the_timer),
        UNIT(receive_window__bounds_the_flight),
        UNIT(short_last_segment__is_sent_and_acknowledged),
        UNIT(ecn__one_cut_a_window_and_echo_until_cwr),
        UNIT(ecn__cut_leaves_one_segment),
    };
    return RUN_UNITS(tests);
}
