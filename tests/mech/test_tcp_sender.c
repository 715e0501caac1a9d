/* SPDX-License-Identifier: Apache-2.0 */
/* The sender of TCP at the limits of its rules, in the world of tcp_world.h with 1 ms each way. */
#include "tcp_world.h"

#include <string.h>

/* With fast retransmit off only the first two duplicates release a segment each: d18 and d19, not d20. */
static void limited_transmit__two_segments_at_most(void **state) {
    (void)state;
    struct world *w = flow_of(30);
    w->params[TCP_PARAM_FAST_RETRANSMIT] = 0;
    w->lose = "d4";
    world_open(w);
    world_run(w, 5 * PS_PER_MS);
    assert_int_equal(w->sender.dupacks, 5);
    assert_int_equal(w->sender.snd_nxt, 20 * MSS);
    world_finish(w);
    world_free(w);
}

/* ssthresh is half of the flight at the first timeout, ten segments, and stays when the retransmission is lost too (RFC
 * 5681, 3.1). */
static void second_timeout__holds_ssthresh(void **state) {
    (void)state;
    struct world *w = flow_of(10);
    w->lose = "d0 d1 d2 d3 d4 d5 d6 d7 d8 d9 d0*";
    world_open(w);
    world_run(w, 32 * PS_PER_MS);
    assert_int_equal(w->sender.timeouts, 2);
    assert_int_equal(w->sender.ssthresh_bytes, 5 * MSS);
    world_finish(w);
    world_free(w);
}

/* Round trips take 2 and 9 ms. The ACK of d1* comes 2 ms after it, not sooner than the least round trip, so d1 counts
 * as lost. */
static void timeout__is_judged_by_the_least_round_trip(void **state) {
    (void)state;
    struct world *w = flow_of(2);
    w->params[TCP_PARAM_INITIAL_WINDOW] = 1;
    w->slow = "d0";
    w->slow_by = 7 * PS_PER_MS;
    w->lose = "d1";
    world_open(w);
    world_finish(w);
    assert_true(w->sender.rtt.srtt_ps > 2 * PS_PER_MS);
    assert_int_equal(w->tally.data_timeouts, 1);
    assert_int_equal(w->tally.spurious_timeouts, 0);
    world_free(w);
}

/* The first window arrives 11 ms late, after a timeout has sent it again. The duplicates that follow are at the
 * recovery point and start no recovery (RFC 6582, 3.2 step 1). */
static void newreno_without_sack__duplicates_of_a_repair_are_no_loss(void **state) {
    (void)state;
    struct world *w = flow_of(40);
    w->params[TCP_PARAM_SACK] = 0;
    w->slow = "d0 d1 d2 d3 d4 d5 d6 d7 d8 d9";
    w->slow_by = 11 * PS_PER_MS;
    world_open(w);
    world_finish(w);
    assert_int_equal(w->tally.data_timeouts, 1);
    assert_true(w->tally.duplicate_pkts >= 3);
    assert_int_equal(w->tally.fast_recoveries, 0);
    world_free(w);
}

/* The window in a SYN-ACK is not scaled: it allows 65,535 B, 511 segments of 128 B. A scaled one would allow 512. */
static void syn_ack__announces_64_kb_at_most(void **state) {
    (void)state;
    struct world *w = flow_of(100);
    w->params[TCP_PARAM_MSS] = 128;
    w->params[TCP_PARAM_INITIAL_WINDOW] = 600;
    w->quiet = true;
    world_open(w);
    world_run(w, 2 * PS_PER_MS);
    assert_int_equal(w->sender.snd_nxt, 511 * 128);
    world_finish(w);
    world_free(w);
}

/* Only new data is ECN-capable. A switch can mark neither retransmissions nor the handshake nor pure ACKs (RFC 3168,
 * 6.1.5, 6.1.1, 6.1.4). */
static void ecn__only_new_data_is_capable(void **state) {
    (void)state;
    struct world *w = flow_of(12);
    w->params[TCP_PARAM_ECN] = 1;
    w->lose = "d4";
    w->mark = "S SA A a1 a4 d4*";
    world_open(w);
    world_finish(w);
    assert_int_equal(w->tally.retransmitted_pkts, 1);
    assert_int_equal(w->tally.marked_pkts, 0);
    assert_int_equal(w->counters[TCP_ECN_CUTS], 0);
    world_free(w);
}

/* Its peer declines ECN in the SYN-ACK: data is not ECN-capable. */
static void ecn__off_when_the_peer_declines(void **state) {
    (void)state;
    struct world *w = flow_of(3);
    w->params[TCP_PARAM_ECN] = 1;
    w->mark = "d0 d1 d2";
    world_open(w);
    int64_t without[TCP_N_PARAMS];
    memcpy(without, w->params, sizeof without);
    without[TCP_PARAM_ECN] = 0;
    w->env[SIDE_RECEIVER].params = without;
    world_finish(w);
    assert_int_equal(w->tally.marked_pkts, 0);
    world_free(w);
}

static bool fin_of(struct world *w, struct packet *p) {
    *p = (struct packet){.ext = EXT_NONE, .path = PATH_NONE};
    return w->ops->sender->farewell(&w->sender, &w->env[SIDE_SENDER], p);
}

/* FIN ->  <- FIN-ACK  ACK ->, and nothing more. */
static void fin__three_frames_close_a_connection(void **state) {
    (void)state;
    struct world *w = world_new(3);
    struct packet fin, fin_ack = {.ext = EXT_NONE}, ack = {.ext = EXT_NONE}, none = {.ext = EXT_NONE};
    w->params[TCP_PARAM_FIN] = 1;
    w->quiet = true;
    world_open(w);
    world_finish(w);
    uint32_t end = w->sender_isn + 1 + (uint32_t)w->bytes;
    assert_true(fin_of(w, &fin));
    assert_int_equal(fin.tcp_flags, TCP_FIN | TCP_ACK);
    assert_int_equal(fin.seq, end);
    assert_int_equal(fin.ack, w->receiver_isn + 1);
    assert_int_equal(fin.wire_bytes, WIRE_MIN_BYTES);
    w->env[SIDE_RECEIVER].peer_isn = w->sender_isn;
    w->env[SIDE_SENDER].peer_isn = w->receiver_isn;
    assert_true(w->ops->base->answer_closed(&w->env[SIDE_RECEIVER], w->now, &fin, &fin_ack));
    assert_int_equal(fin_ack.tcp_flags, TCP_FIN | TCP_ACK);
    assert_int_equal(fin_ack.seq, w->receiver_isn + 1);
    assert_int_equal(fin_ack.ack, end + 1);
    assert_true(w->ops->base->answer_closed(&w->env[SIDE_SENDER], w->now, &fin_ack, &ack));
    assert_int_equal(ack.tcp_flags, TCP_ACK);
    assert_int_equal(ack.seq, end + 1);
    assert_int_equal(ack.ack, w->receiver_isn + 2);
    assert_false(w->ops->base->answer_closed(&w->env[SIDE_RECEIVER], w->now, &ack, &none));
    world_free(w);
}

static void fin__not_unless_asked_for_and_not_before_the_last_flow(void **state) {
    (void)state;
    struct world *w = world_new(3);
    struct packet p;
    w->quiet = true;
    world_open(w);
    world_finish(w);
    assert_false(fin_of(w, &p));
    w->params[TCP_PARAM_FIN] = 1;
    assert_true(fin_of(w, &p));
    w->env[SIDE_SENDER].stays_open = true;
    assert_false(fin_of(w, &p));
    world_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limited_transmit__two_segments_at_most),
        cmocka_unit_test(second_timeout__holds_ssthresh),
        cmocka_unit_test(timeout__is_judged_by_the_least_round_trip),
        cmocka_unit_test(newreno_without_sack__duplicates_of_a_repair_are_no_loss),
        cmocka_unit_test(syn_ack__announces_64_kb_at_most),
        cmocka_unit_test(ecn__only_new_data_is_capable),
        cmocka_unit_test(ecn__off_when_the_peer_declines),
        cmocka_unit_test(fin__three_frames_close_a_connection),
        cmocka_unit_test(fin__not_unless_asked_for_and_not_before_the_last_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
