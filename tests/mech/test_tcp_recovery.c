/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of flows that lose segments and repair them by fast recovery, with SACK and without. tcp_world.h explains the
 * notation. */
#include "tcp_world.h"

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

/* One recovery repairs three losses of one window: d4 at once, d6 and d9 as the pipe empties (cwnd 7). */
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

/* d7 and the last segment are lost. a11 is below the recovery point, and nothing above d11 is SACKed, so the rescue
 * retransmission saves a timeout (RFC 6675, NextSeg rule 4). */
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

/* Two duplicates start no recovery. */
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

/* Six duplicates start no recovery with a threshold of 7, and none do with fast retransmit off. */
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

/* With fast retransmit off only the timeout repairs a loss, and SACKed segments are not sent again. The timer last
 * started with a4, at 4 ms. The timeout leaves a cwnd of one segment; a6 makes it two: d6 and new data. */
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

/* Partial ACKs retransmit the next hole at once, one per round trip, within the same recovery. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(single_loss__fast_recovery_then_congestion_avoidance),
        UNIT(three_losses_in_a_window__one_recovery),
        UNIT(lost_tail_of_a_recovery__is_rescued),
        UNIT(reordering_below_the_threshold__retransmits_nothing),
        UNIT(dupack_threshold__is_a_parameter),
        UNIT(fast_retransmit_off__only_the_timeout_repairs),
        UNIT(newreno_without_sack__single_loss),
        UNIT(newreno_without_sack__partial_ack_retransmits_the_next_hole),
    };
    return RUN_UNITS(tests);
}
