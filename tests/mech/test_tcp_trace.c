/* SPDX-License-Identifier: Apache-2.0 */
/* Whole flows, frame by frame, against traces worked out by hand from the RFCs. One way takes 1 ms, sending takes no
 * time, so each line is what leaves at one instant. tcp_world.h explains the notation. */
#include "tcp_world.h"

static struct world *flow_of(uint64_t segments) {
    struct world *w = world_new(segments);
    w->delay = PS_PER_MS;
    return w;
}

/* --- connection and growth ------------------------------------------------------------------------------------- */

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

/* The answer to a query rides on the connection that the query opened. */
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

/* The whole first window is lost, and its first ACK: nothing but timeouts, no SYN. */
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

/* What was agreed on when the connection was opened still holds. */
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

/* IW 10 (RFC 6928), then two segments for each ACK. */
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

/* With an ACK for two segments the window still doubles (RFC 3465, L = 2). The odd third waits for the timer, here
 * 1 ms; the last segment of the flow does not wait. */
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
    assert_int_equal(w->tally.cwnd_bytes, 10 * MSS); /* never the limit, so it never grew */
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

/* --- fast recovery --------------------------------------------------------------------------------------------- */

/* d0-d9 leave, d4 is lost. a1-a4 make cwnd 14: d10-d17. Two duplicates let d18 and d19 out (limited transmit). The
 * third halves: flight without limited transmit 14, ssthresh = cwnd = 7. pipe: 16 in flight - 3 SACKed - 1 lost + 1
 * retransmitted = 13, and 11 after the round. As it falls below 7, new data goes: d20 and on. a20 ends recovery at cwnd
 * 7; congestion avoidance sends 7, 8, 9 segments a round. */
static void single_loss__fast_recovery_then_congestion_avoidance(void **state) {
    (void)state;
    struct world *w = flow_of(44);
    w->lose = "d4";
    world_expect(
        w, "0us: S\n"
           "1000us: SA\n"
           "2000us: d0 d1 d2 d3 d4! d5 d6 d7 d8 d9\n"
           "3000us: a1 a2 a3 a4 a4[5] a4[5-6] a4[5-7] a4[5-8] a4[5-9]\n"
           "4000us: d10 d11 d12 d13 d14 d15 d16 d17 d18 d19 d4*\n"
           "5000us: a4[5-10] a4[5-11] a4[5-12] a4[5-13] a4[5-14] a4[5-15] a4[5-16] a4[5-17] a4[5-18] a4[5-19] a20\n"
           "6000us: d20 d21 d22 d23 d24 d25 d26\n"
           "7000us: a21 a22 a23 a24 a25 a26 a27\n"
           "8000us: d27 d28 d29 d30 d31 d32 d33 d34\n"
           "9000us: a28 a29 a30 a31 a32 a33 a34 a35\n"
           "10000us: d35 d36 d37 d38 d39 d40 d41 d42 d43\n"
           "11000us: a36 a37 a38 a39 a40 a41 a42 a43 a44");
    assert_int_equal(w->tally.fast_recoveries, 1);
    assert_int_equal(w->tally.retransmitted_pkts, 1);
    assert_int_equal(w->tally.data_timeouts, 0);
    assert_int_equal(w->tally.reordered_pkts, 0); /* d4* is a retransmission, not a late frame */
    assert_int_equal(w->tally.max_reorder_pkts, 15);
    world_free(w);
}

/* Three losses of one window are repaired in one recovery: d4 at once, d6 and d9 when pipe has room (cwnd 7). */
static void three_losses_in_a_window__one_recovery(void **state) {
    (void)state;
    struct world *w = flow_of(26);
    w->lose = "d4 d6 d9";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4! d5 d6! d7 d8 d9!\n"
                    "3000us: a1 a2 a3 a4 a4[5] a4[7,5] a4[7-8,5]\n"
                    "4000us: d10 d11 d12 d13 d14 d15 d16 d17 d18 d19 d4*\n"
                    "5000us: a4[10,7-8,5] a4[10-11,7-8,5] a4[10-12,7-8,5] a4[10-13,7-8,5] a4[10-14,7-8,5] "
                    "a4[10-15,7-8,5] a4[10-16,7-8,5] a4[10-17,7-8,5] a4[10-18,7-8,5] a4[10-19,7-8,5] a6[10-19,7-8]\n"
                    "6000us: d6* d9* d20 d21 d22 d23 d24\n"
                    "7000us: a9[10-19] a20 a21 a22 a23 a24 a25\n"
                    "8000us: d25\n"
                    "9000us: a26");
    assert_int_equal(w->tally.fast_recoveries, 1);
    assert_int_equal(w->tally.retransmitted_pkts, 3);
    assert_int_equal(w->tally.data_timeouts, 0);
    world_free(w);
}

/* d7 and the very last segment are lost: a11 ends short of the recovery point, nothing is SACKed above d11, so the
 * rescue retransmission saves a timeout (RFC 6675, NextSeg rule 4). */
static void lost_tail_of_a_recovery__is_rescued(void **state) {
    (void)state;
    struct world *w = flow_of(12);
    w->lose = "d7 d11";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4 d5 d6 d7! d8 d9\n"
                    "3000us: a1 a2 a3 a4 a5 a6 a7 a7[8] a7[8-9]\n"
                    "4000us: d10 d11!\n"
                    "5000us: a7[8-10]\n"
                    "6000us: d7*\n"
                    "7000us: a11\n"
                    "8000us: d11*\n"
                    "9000us: a12");
    assert_int_equal(w->counters[TCP_RESCUES], 1);
    assert_int_equal(w->tally.data_timeouts, 0);
    world_free(w);
}

/* Nothing but two duplicates: no recovery. */
static void reordering_below_the_threshold__retransmits_nothing(void **state) {
    (void)state;
    struct world *w = flow_of(12);
    w->slow = "d7";
    w->slow_by = PS_PER_US;
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4 d5 d6 d7 d8 d9\n"
                    "3000us: a1 a2 a3 a4 a5 a6 a7 a7[8] a7[8-9]\n"
                    "3001us: a10\n"
                    "4000us: d10 d11\n"
                    "5000us: a11 a12");
    assert_int_equal(w->tally.retransmitted_pkts, 0);
    assert_int_equal(w->tally.reordered_pkts, 1);
    assert_int_equal(w->tally.max_reorder_pkts, 2);
    assert_int_equal(w->tally.duplicate_pkts, 0);
    world_free(w);
}

/* A higher threshold takes six duplicates; with fast retransmit off any number. */
static void dupack_threshold__is_a_parameter(void **state) {
    (void)state;
    for (int off = 0; off < 2; off++) {
        struct world *w = flow_of(10);
        w->params[off ? TCP_PARAM_FAST_RETRANSMIT : TCP_PARAM_DUPACK_THRESHOLD] = off ? 0 : 7;
        w->slow = "d3";
        w->slow_by = PS_PER_US;
        world_expect(w, "0us: S\n"
                        "1000us: SA\n"
                        "2000us: d0 d1 d2 d3 d4 d5 d6 d7 d8 d9\n"
                        "3000us: a1 a2 a3 a3[4] a3[4-5] a3[4-6] a3[4-7] a3[4-8] a3[4-9]\n"
                        "3001us: a10");
        world_free(w);
    }
}

/* With fast retransmit off a loss waits for the timeout; what is SACKed is not sent again. The timer last started with
 * a4, at 4 ms. After it cwnd is one segment; a6 makes it two: d6 and new data. */
static void fast_retransmit_off__only_the_timeout_repairs(void **state) {
    (void)state;
    struct world *w = flow_of(22);
    w->params[TCP_PARAM_FAST_RETRANSMIT] = 0;
    w->params[TCP_PARAM_LIMITED_TRANSMIT] = 0;
    w->lose = "d4 d6";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4! d5 d6! d7 d8 d9\n"
                    "3000us: a1 a2 a3 a4 a4[5] a4[7,5] a4[7-8,5] a4[7-9,5]\n"
                    "4000us: d10 d11 d12 d13 d14 d15 d16 d17\n"
                    "5000us: a4[7-10,5] a4[7-11,5] a4[7-12,5] a4[7-13,5] a4[7-14,5] a4[7-15,5] a4[7-16,5] a4[7-17,5]\n"
                    "14000us: RTO d4*\n"
                    "15000us: a6[7-17]\n"
                    "16000us: d6* d18\n"
                    "17000us: a18 a19\n"
                    "18000us: d19 d20 d21\n"
                    "19000us: a20 a21 a22");
    assert_int_equal(w->tally.fast_recoveries, 0);
    assert_int_equal(w->tally.data_timeouts, 1);
    world_free(w);
}

/* RFC 6582 without SACK. IW 3, so d3-d8 are in flight when d4 is lost: a4 makes cwnd 7. Duplicates 1 and 2 let d11 and
 * d12 out; the third halves (flight 7, ssthresh 3.5) and cwnd = ssthresh + 3 is full. In the next round four more
 * inflate it: nothing fits below flight 9. a13 acknowledges all: cwnd 3.5. */
static void newreno_without_sack__single_loss(void **state) {
    (void)state;
    struct world *w = flow_of(19);
    w->params[TCP_PARAM_SACK] = 0;
    w->params[TCP_PARAM_INITIAL_WINDOW] = 3;
    w->lose = "d4";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2\n"
                    "3000us: a1 a2 a3\n"
                    "4000us: d3 d4! d5 d6 d7 d8\n"
                    "5000us: a4 a4 a4 a4 a4\n"
                    "6000us: d9 d10 d11 d12 d4*\n"
                    "7000us: a4 a4 a4 a4 a13\n"
                    "8000us: d13 d14 d15\n"
                    "9000us: a14 a15 a16\n"
                    "10000us: d16 d17 d18\n"
                    "11000us: a17 a18 a19");
    assert_int_equal(w->tally.fast_recoveries, 1);
    world_free(w);
}

/* Partial ACKs retransmit the next hole at once, one a round trip, without leaving recovery. */
static void newreno_without_sack__partial_ack_retransmits_the_next_hole(void **state) {
    (void)state;
    struct world *w = flow_of(20);
    w->params[TCP_PARAM_SACK] = 0;
    w->lose = "d4 d6";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4! d5 d6! d7 d8 d9\n"
                    "3000us: a1 a2 a3 a4 a4 a4 a4 a4\n"
                    "4000us: d10 d11 d12 d13 d14 d15 d16 d17 d18 d19 d4*\n"
                    "5000us: a4 a4 a4 a4 a4 a4 a4 a4 a4 a4 a6\n"
                    "6000us: d6*\n"
                    "7000us: a20");
    assert_int_equal(w->tally.fast_recoveries, 1);
    assert_int_equal(w->tally.data_timeouts, 0);
    world_free(w);
}

/* --- timeouts -------------------------------------------------------------------------------------------------- */

/* The SYN's timeout is the initial RTO, by default the minimum RTO of 10 ms (CLAIMS AM-2). One lost SYN leaves the
 * initial window alone. */
static void lost_syn__is_sent_again(void **state) {
    (void)state;
    struct world *w = flow_of(2);
    w->lose = "S";
    world_expect(w, "0us: S!\n"
                    "10000us: RTO S\n"
                    "11000us: SA\n"
                    "12000us: d0 d1\n"
                    "13000us: a1 a2");
    assert_int_equal(w->tally.syn_timeouts, 1);
    assert_int_equal(w->tally.data_timeouts, 0);
    world_free(w);
}

/* Doubling: 10 + 20 ms. After two lost SYNs the window starts with one segment. */
static void two_lost_syns__backoff_and_a_window_of_one(void **state) {
    (void)state;
    struct world *w = flow_of(3);
    w->lose = "S S";
    world_expect(w, "0us: S!\n"
                    "10000us: RTO S!\n"
                    "30000us: RTO S\n"
                    "31000us: SA\n"
                    "32000us: d0\n"
                    "33000us: a1\n"
                    "34000us: d1 d2\n"
                    "35000us: a2 a3");
    world_free(w);
}

static void initial_rto__is_a_parameter(void **state) {
    (void)state;
    struct world *w = flow_of(1);
    w->params[TCP_PARAM_INITIAL_RTO] = 50 * PS_PER_MS;
    w->lose = "S d0"; /* no sample from the SYN that was sent again, so the data waits as long */
    world_expect(w, "0us: S!\n"
                    "50000us: RTO S\n"
                    "51000us: SA\n"
                    "52000us: d0!\n"
                    "101000us: timer SA\n"
                    "102000us: RTO d0* A\n"
                    "103000us: a1");
    world_free(w);
}

/* The sender's SYN and the receiver's SYN-ACK time out side by side; the SYN-ACK that comes twice is answered. */
static void lost_syn_ack__either_end_repairs(void **state) {
    (void)state;
    struct world *w = flow_of(2);
    w->lose = "SA";
    world_expect(w, "0us: S\n"
                    "1000us: SA!\n"
                    "10000us: RTO S\n"
                    "11000us: timer SA SA\n"
                    "12000us: d0 d1 A\n"
                    "13000us: a1 a2");
    assert_int_equal(w->tally.synack_timeouts, 1);
    assert_int_equal(w->tally.syn_timeouts, 1);
    world_free(w);
}

/* No duplicates follow the last segments: the timeout, 10 ms after the last ACK for new data. */
static void tail_loss__timeout_and_slow_start(void **state) {
    (void)state;
    struct world *w = flow_of(10);
    w->lose = "d7 d8 d9";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4 d5 d6 d7! d8! d9!\n"
                    "3000us: a1 a2 a3 a4 a5 a6 a7\n"
                    "14000us: RTO d7*\n"
                    "15000us: a8\n"
                    "16000us: d8* d9*\n"
                    "17000us: a9 a10");
    assert_int_equal(w->tally.data_timeouts, 1);
    assert_int_equal(w->tally.spurious_timeouts, 0);
    world_free(w);
}

/* The retransmission is lost too: fast recovery cannot see that; the timer runs since a4. */
static void lost_retransmission__timeout(void **state) {
    (void)state;
    struct world *w = flow_of(12);
    w->lose = "d4 d4*";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4! d5 d6 d7 d8 d9\n"
                    "3000us: a1 a2 a3 a4 a4[5] a4[5-6] a4[5-7] a4[5-8] a4[5-9]\n"
                    "4000us: d10 d11 d4*!\n"
                    "5000us: a4[5-10] a4[5-11]\n"
                    "14000us: RTO d4*\n"
                    "15000us: a12");
    assert_int_equal(w->tally.retransmitted_pkts, 2);
    world_free(w);
}

/* 10, 20, 40 ms, held at max_rto 40 ms; the receiver's SYN-ACK, whose ACK was lost with d0, is on a timer of its own.
 */
static void backoff__doubles_up_to_max_rto(void **state) {
    (void)state;
    struct world *w = flow_of(1);
    w->params[TCP_PARAM_MAX_RTO] = 40 * PS_PER_MS;
    w->lose = "d0 d0* d0* d0* A";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0!\n"
                    "11000us: timer SA\n"
                    "12000us: RTO d0*! A!\n"
                    "31000us: timer SA\n"
                    "32000us: RTO d0*! A\n"
                    "72000us: RTO d0*!\n"
                    "112000us: RTO d0*\n"
                    "113000us: a1");
    assert_int_equal(w->tally.data_timeouts, 4);
    world_free(w);
}

/* d1 comes after the timeout but before its retransmission could: the ACK comes 1.5 ms after it, the RTT is 2 ms. */
static void late_original__timeout_counts_as_spurious(void **state) {
    (void)state;
    struct world *w = flow_of(2);
    w->slow = "d1";
    w->slow_by = 11500 * PS_PER_US;
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1\n"
                    "3000us: a1\n"
                    "14000us: RTO d1*\n"
                    "14500us: a2\n"
                    "15000us: a2");
    assert_int_equal(w->tally.spurious_timeouts, 1);
    world_free(w);
}

/* All but the receiver's last ACK arrived: it is closed and answers what comes without state. */
static void lost_last_ack__closed_receiver_answers(void **state) {
    (void)state;
    struct world *w = flow_of(2);
    w->lose = "a2";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1\n"
                    "3000us: a1 a2!\n"
                    "14000us: RTO d1*\n"
                    "15000us: a2");
    assert_int_equal(w->tally.finished_at, 3 * PS_PER_MS);
    world_free(w);
}

/* A closed receiver that knows the sender's ISN acknowledges all; one that does not, what came. */
static void lost_last_acks__cost_one_timeout(void **state) {
    (void)state;
    for (int forgetful = 0; forgetful < 2; forgetful++) {
        struct world *w = flow_of(3);
        w->forgetful = forgetful;
        w->lose = "a2 a3";
        world_expect(w, forgetful ? "0us: S\n"
                                    "1000us: SA\n"
                                    "2000us: d0 d1 d2\n"
                                    "3000us: a1 a2! a3!\n"
                                    "14000us: RTO d1*\n"
                                    "15000us: a2\n"
                                    "16000us: d2*\n"
                                    "17000us: a3"
                                  : "0us: S\n"
                                    "1000us: SA\n"
                                    "2000us: d0 d1 d2\n"
                                    "3000us: a1 a2! a3!\n"
                                    "14000us: RTO d1*\n"
                                    "15000us: a3");
        world_free(w);
    }
}

static void lost_acks__later_ones_cover_them(void **state) {
    (void)state;
    struct world *w = flow_of(12);
    w->lose = "a1 a2 a3 a5";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1 d2 d3 d4 d5 d6 d7 d8 d9\n"
                    "3000us: a1! a2! a3! a4 a5! a6 a7 a8 a9 a10\n"
                    "4000us: d10 d11\n"
                    "5000us: a11 a12");
    world_free(w);
}

/* What the report of stuck flows prints. */
static void describe__says_where_both_ends_stand(void **state) {
    (void)state;
    struct world *w = flow_of(10);
    w->lose = "d4 d4*";
    char line[512];
    world_open(w);
    world_run(w, 5 * PS_PER_MS);
    w->ops->sender->describe(&w->sender, &w->env[SIDE_SENDER], line, sizeof line);
    assert_string_equal(line, "sender recovery: acked 5840 sent 14600 of 14600 B, cwnd 4380 rwnd 1999872 B, pipe 1, "
                              "dupacks 5, 0 timeouts in a row, rto at 14000000000 ps");
    w->ops->receiver->describe(&w->receiver, &w->env[SIDE_RECEIVER], line, sizeof line);
    assert_string_equal(line, "receiver established: in order 5840 of 14600 B, held out of order 5, acks due 0");
    world_finish(w);
    world_free(w);
}

/* --- ECN ------------------------------------------------------------------------------------------------------- */

/* d3 is marked. a1-a3 make cwnd 13; a4e cuts it to 6.5 once, although echoes go on until CWR comes with d16, the first
 * new data. No growth on echoes: six segments a round, then seven. */
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

/* A window of one segment stays one (CLAIMS AM-2). */
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
        cmocka_unit_test(handshake__first_data_carries_the_ack),
        cmocka_unit_test(established__data_at_once),
        cmocka_unit_test(established__timeouts_repair_the_first_window),
        cmocka_unit_test(established__ecn_is_agreed_on),
        cmocka_unit_test(slow_start__doubles_each_round),
        cmocka_unit_test(delayed_ack__every_second_segment_or_the_timer),
        cmocka_unit_test(receive_window__bounds_the_flight),
        cmocka_unit_test(short_last_segment__is_sent_and_acknowledged),
        cmocka_unit_test(single_loss__fast_recovery_then_congestion_avoidance),
        cmocka_unit_test(three_losses_in_a_window__one_recovery),
        cmocka_unit_test(lost_tail_of_a_recovery__is_rescued),
        cmocka_unit_test(reordering_below_the_threshold__retransmits_nothing),
        cmocka_unit_test(dupack_threshold__is_a_parameter),
        cmocka_unit_test(fast_retransmit_off__only_the_timeout_repairs),
        cmocka_unit_test(newreno_without_sack__single_loss),
        cmocka_unit_test(newreno_without_sack__partial_ack_retransmits_the_next_hole),
        cmocka_unit_test(lost_syn__is_sent_again),
        cmocka_unit_test(two_lost_syns__backoff_and_a_window_of_one),
        cmocka_unit_test(initial_rto__is_a_parameter),
        cmocka_unit_test(lost_syn_ack__either_end_repairs),
        cmocka_unit_test(tail_loss__timeout_and_slow_start),
        cmocka_unit_test(lost_retransmission__timeout),
        cmocka_unit_test(backoff__doubles_up_to_max_rto),
        cmocka_unit_test(late_original__timeout_counts_as_spurious),
        cmocka_unit_test(lost_last_ack__closed_receiver_answers),
        cmocka_unit_test(lost_last_acks__cost_one_timeout),
        cmocka_unit_test(lost_acks__later_ones_cover_them),
        cmocka_unit_test(describe__says_where_both_ends_stand),
        cmocka_unit_test(ecn__one_cut_a_window_and_echo_until_cwr),
        cmocka_unit_test(ecn__cut_leaves_one_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
