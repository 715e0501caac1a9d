/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of flows that repair losses by timeouts, in the handshake and later. tcp_world.h explains the notation. */
#include "tcp_world.h"

/* ---- the handshake ---- */

/* The SYN's timeout is the initial RTO, by default the minimum RTO of 10 ms (AM-2). One lost SYN does not change
 * the initial window. */
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

/* The timeout doubles: 10 + 20 ms. After two lost SYNs the window starts with one segment. */
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
    w->lose = "S d0"; /* a repeated SYN gives no sample, so data waits as long */
    world_expect(w, "0us: S!\n"
                    "50000us: RTO S\n"
                    "51000us: SA\n"
                    "52000us: d0!\n"
                    "101000us: timer SA\n"
                    "102000us: RTO d0* A\n"
                    "103000us: a1");
    world_free(w);
}

/* Unless it is given, the first timeout is twice the base round trip where that is more than min_rto: the SYN waits 2 x
 * 15 ms, and so does the data, since a repeated SYN gives no sample. max_rto limits it. */
static void initial_rto__auto_follows_the_pair(void **state) {
    (void)state;
    struct world *w = flow_of(1);
    w->trip = 15 * PS_PER_MS;
    w->lose = "S d0";
    world_expect(w, "0us: S!\n"
                    "30000us: RTO S\n"
                    "31000us: SA\n"
                    "32000us: d0!\n"
                    "61000us: timer SA\n"
                    "62000us: RTO d0* A\n"
                    "63000us: a1");
    struct flow_env env = w->env[SIDE_SENDER];
    env.full_frame_ns = 1000000; /* a full frame takes 1 ms longer */
    assert_int_equal(tcp_initial_rto(&env), 32 * PS_PER_MS);
    w->params[TCP_PARAM_MAX_RTO] = 20 * PS_PER_MS;
    assert_int_equal(tcp_initial_rto(&env), 20 * PS_PER_MS);
    w->params[TCP_PARAM_INITIAL_RTO] = 0; /* min_rto, whatever the pair */
    assert_int_equal(tcp_initial_rto(&env), 10 * PS_PER_MS);
    world_free(w);
}

/* The SYN waits for syn_rto, which doubles; the data after it, without a sample, for initial_rto. So does the data of a
 * flow on an open connection. */
static void syn_rto__is_apart_from_that_of_data(void **state) {
    (void)state;
    struct world *w = flow_of(1);
    w->params[TCP_PARAM_SYN_RTO] = 30 * PS_PER_MS;
    w->params[TCP_PARAM_INITIAL_RTO] = 5 * PS_PER_MS;
    w->lose = "S S d0 d0*";
    world_expect(w, "0us: S!\n"
                    "30000us: RTO S!\n"
                    "90000us: RTO S\n"
                    "91000us: SA\n"
                    "92000us: d0!\n"
                    "97000us: RTO d0*!\n"
                    "107000us: RTO d0*\n"
                    "108000us: a1");
    assert_int_equal(w->tally.syn_timeouts, 2);
    assert_int_equal(w->tally.data_timeouts, 2);
    assert_int_equal(w->counters[TCP_SPURIOUS_TIMEOUTS], 0);
    struct flow_env env = w->env[SIDE_SENDER];
    w->params[TCP_PARAM_MAX_RTO] = 20 * PS_PER_MS;
    assert_int_equal(tcp_syn_rto(&env), 20 * PS_PER_MS);
    world_free(w);
}

/* The SYN-ACK waits for syn_rto too. A sample from the handshake stands above initial_rto, for the first data: it waits
 * for min_rto, 10 ms. */
static void syn_rto__times_the_syn_ack(void **state) {
    (void)state;
    struct world *w = flow_of(1);
    w->params[TCP_PARAM_SYN_RTO] = 30 * PS_PER_MS;
    w->params[TCP_PARAM_INITIAL_RTO] = 5 * PS_PER_MS;
    w->lose = "d0 d0* d0*";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0!\n"
                    "12000us: RTO d0*!\n"
                    "31000us: timer SA\n"
                    "32000us: RTO d0*! A\n"
                    "72000us: RTO d0*\n"
                    "73000us: a1");
    assert_int_equal(w->tally.synack_timeouts, 1);
    world_free(w);
}

/* Without a sample from the handshake the first data waits for initial_rto, and its ACK gives the first sample: d3, of
 * the next window, waits for min_rto. */
static void handshake_sample__false_leaves_first_data_to_initial_rto(void **state) {
    (void)state;
    struct world *w = flow_of(1);
    w->params[TCP_PARAM_HANDSHAKE_SAMPLE] = 0;
    w->params[TCP_PARAM_SYN_RTO] = 60 * PS_PER_MS;
    w->params[TCP_PARAM_INITIAL_RTO] = 40 * PS_PER_MS;
    w->lose = "d0";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0!\n"
                    "42000us: RTO d0*\n"
                    "43000us: a1");
    world_free(w);
    w = flow_of(4);
    w->params[TCP_PARAM_INITIAL_WINDOW] = 2;
    w->params[TCP_PARAM_HANDSHAKE_SAMPLE] = 0;
    w->params[TCP_PARAM_INITIAL_RTO] = 40 * PS_PER_MS;
    w->lose = "d3";
    world_expect(w, "0us: S\n"
                    "1000us: SA\n"
                    "2000us: d0 d1\n"
                    "3000us: a1 a2\n"
                    "4000us: d2 d3!\n"
                    "5000us: a3\n"
                    "16000us: RTO d3*\n"
                    "17000us: a4");
    world_free(w);
}

/* No frame is lost. The handshake takes 40 ms and its timeouts come after 10 and 30 ms; the data has a timeout that
 * suits the pair. */
static void far_peer__syn_rto_too_short_is_spurious(void **state) {
    (void)state;
    struct world *w = flow_of(20);
    w->delay = 20 * PS_PER_MS;
    w->trip = 40 * PS_PER_MS;
    w->params[TCP_PARAM_SYN_RTO] = 10 * PS_PER_MS;
    w->quiet = true;
    world_open(w);
    world_finish(w);
    assert_int_equal(w->tally.syn_timeouts, 2);
    assert_int_equal(w->tally.synack_timeouts, 2);
    assert_int_equal(w->tally.data_timeouts, 0);
    assert_int_equal(w->counters[TCP_SPURIOUS_TIMEOUTS], 4);
    world_free(w);
}

/* SYN and SYN-ACK time out independently; the sender answers the second SYN-ACK. */
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

/* ---- data ---- */

/* No duplicates follow the last segments; the timeout comes 10 ms after the last ACK for new data. */
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

/* Fast recovery does not notice that the retransmission is lost too; the timer runs since a4. */
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

/* The timeout is 10, 20, 40 ms and stays at max_rto, 40 ms. The receiver's SYN-ACK, whose ACK was lost with d0, has a
 * timer of its own. */
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

/* d1 arrives after the timeout, but before its retransmission could: its ACK comes 1.5 ms after d1* left, sooner than
 * the RTT of 2 ms. */
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

/* The round trip takes 40 ms and the first timeouts 10, 20 and 40 ms. No frame is lost, so all of them are spurious:
 * two of the SYN, two of the SYN-ACK, two of the first data, and one of the data after it, for which no sample has
 * ended the backoff. */
static void far_peer__timeouts_before_any_answer_are_spurious(void **state) {
    (void)state;
    struct world *w = flow_of(20);
    w->delay = 20 * PS_PER_MS;
    w->trip = 40 * PS_PER_MS;
    w->params[TCP_PARAM_INITIAL_RTO] = 10 * PS_PER_MS;
    w->quiet = true;
    world_open(w);
    world_finish(w);
    assert_int_equal(w->tally.syn_timeouts, 2);
    assert_int_equal(w->tally.synack_timeouts, 2);
    assert_int_equal(w->tally.data_timeouts, 3);
    assert_int_equal(w->tally.spurious_timeouts, 5);
    assert_int_equal(w->tally.synack_spurious, 2);
    assert_int_equal(w->counters[TCP_SPURIOUS_TIMEOUTS], 7);
    world_free(w);
}

/* A SYN, a SYN-ACK or data that was lost is answered a round trip after its repetition, and not sooner. */
static void lost_frames__timeouts_are_not_spurious(void **state) {
    (void)state;
    static const char *const lost[] = {"S", "S S", "SA", "SA SA", "d0 A", "d0 d0*"};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        struct world *w = flow_of(1);
        w->trip = 2 * PS_PER_MS;
        w->lose = lost[i];
        w->quiet = true;
        world_open(w);
        world_finish(w);
        assert_true(w->tally.syn_timeouts + w->tally.synack_timeouts + w->tally.data_timeouts > 0);
        assert_int_equal(w->counters[TCP_SPURIOUS_TIMEOUTS], 0);
        world_free(w);
    }
}

/* Only the receiver's last ACK is lost: the receiver has closed and answers the retransmission without state. */
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

/* A closed receiver that knows the sender's ISN acknowledges everything; another one acknowledges the frame that
 * arrived. */
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

/* The lines that the report of stuck flows prints. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(lost_syn__is_sent_again),
        UNIT(two_lost_syns__backoff_and_a_window_of_one),
        UNIT(initial_rto__is_a_parameter),
        UNIT(initial_rto__auto_follows_the_pair),
        UNIT(syn_rto__is_apart_from_that_of_data),
        UNIT(syn_rto__times_the_syn_ack),
        UNIT(handshake_sample__false_leaves_first_data_to_initial_rto),
        UNIT(far_peer__syn_rto_too_short_is_spurious),
        UNIT(lost_syn_ack__either_end_repairs),
        UNIT(tail_loss__timeout_and_slow_start),
        UNIT(lost_retransmission__timeout),
        UNIT(backoff__doubles_up_to_max_rto),
        UNIT(late_original__timeout_counts_as_spurious),
        UNIT(far_peer__timeouts_before_any_answer_are_spurious),
        UNIT(lost_frames__timeouts_are_not_spurious),
        UNIT(lost_last_ack__closed_receiver_answers),
        UNIT(lost_last_acks__cost_one_timeout),
        UNIT(lost_acks__later_ones_cover_them),
        UNIT(describe__says_where_both_ends_stand),
    };
    return RUN_UNITS(tests);
}
