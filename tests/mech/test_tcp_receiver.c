/* SPDX-License-Identifier: Apache-2.0 */
/* The receiver of TCP alone: its ACKs and their SACK blocks. */
#include "base/cells.h"
#include "mech/transport/tcp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define SIZE 500u /* segment size in the examples of RFC 2018 */

struct bench {
    int64_t params[TCP_N_PARAMS];
    struct packet_pool pool;
    struct cell_pool cells;
    struct flow_tally tally;
    uint64_t counters[TCP_N_COUNTERS];
    struct flow_env env;
    struct tcp_receiver receiver;
    uint32_t serial;
    char said[512];
};

/* Opens the receiver again and sends it a SYN. Returns the flags of the SYN-ACK. */
static uint8_t hand_shake(struct bench *b, uint8_t flags) {
    struct packet syn = {.seq = 4999, .tcp_flags = flags}, out = {.ext = EXT_NONE};
    memset(&b->receiver, 0, sizeof b->receiver);
    tcp_receiver_open(&b->receiver, &b->env, 0);
    tcp_receiver_on_packet(&b->receiver, &b->env, 0, &syn);
    assert_true(tcp_receiver_poll(&b->receiver, &b->env, 0, &out));
    assert_int_equal(out.ack, 5000);
    return out.tcp_flags;
}

/* Sets up a receiver whose handshake is done. Its next byte has sequence number 5000, as in RFC 2018. */
static int set_up(void **state) {
    static struct bench b;
    memset(&b, 0, sizeof b);
    for (size_t i = 0; i < TCP_N_PARAMS; i++) b.params[i] = tcp_params[i].def;
    b.params[TCP_PARAM_MSS] = SIZE;
    packet_pool_init(&b.pool);
    cell_pool_init(&b.cells, tcp_cell_bytes(b.params));
    b.env = (struct flow_env){.bytes = 100 * SIZE,
                              .params = b.params,
                              .pool = &b.pool,
                              .cells = &b.cells,
                              .tally = &b.tally,
                              .counters = b.counters,
                              .isn = 99};
    assert_int_equal(hand_shake(&b, TCP_SYN), TCP_SYN | TCP_ACK);
    *state = &b;
    return 0;
}

static int tear_down(void **state) {
    struct bench *b = *state;
    tcp_receiver_close(&b->receiver, &b->env);
    int left = b->cells.in_use != 0 || b->pool.ext_in_use != 0;
    packet_pool_fini(&b->pool);
    cell_pool_fini(&b->cells);
    return left;
}

static void arrives(struct bench *b, uint32_t seq) {
    struct packet p = {
        .seq = seq, .ack = 100, .tcp_flags = TCP_ACK, .payload_bytes = SIZE, .serial = ++b->serial, .ext = EXT_NONE};
    tcp_receiver_on_packet(&b->receiver, &b->env, 7, &p);
}

/* Polls all pending ACKs. Returns them as text: "5500 5500[6000-6500]". */
static const char *says(struct bench *b) {
    size_t n = 0;
    b->said[0] = '\0';
    for (;;) {
        struct packet p = {.ext = EXT_NONE};
        if (!tcp_receiver_poll(&b->receiver, &b->env, 7, &p)) return b->said;
        n += (size_t)snprintf(b->said + n, sizeof b->said - n, "%s%u", n ? " " : "", p.ack);
        if (!(p.shape & SHAPE_SACK)) continue;
        const struct packet_ext *ext = packet_ext_at(&b->pool, p.ext);
        for (uint32_t i = 0; i < ext->n_sack; i++)
            n += (size_t)snprintf(b->said + n, sizeof b->said - n, "%s%u-%u", i ? "," : "[", ext->sack[i].begin,
                                  ext->sack[i].end);
        n += (size_t)snprintf(b->said + n, sizeof b->said - n, "]");
        packet_ext_put(&b->pool, p.ext);
    }
}

/* Delivers a segment and compares the ACKs that answer it. */
static void answers(struct bench *b, uint32_t seq, const char *acks) {
    arrives(b, seq);
    assert_string_equal(says(b), acks);
}

/* RFC 2018, section 7, case 1: the first four arrive, the last four are lost. */
static void in_order__plain_acks(void **state) {
    struct bench *b = *state;
    answers(b, 5000, "5500");
    answers(b, 5500, "6000");
    assert_int_equal(b->cells.peak, 0);
}

/* Case 2: the first is lost, seven arrive. */
static void first_lost__one_growing_block(void **state) {
    struct bench *b = *state;
    answers(b, 5500, "5000[5500-6000]");
    answers(b, 6000, "5000[5500-6500]");
    answers(b, 6500, "5000[5500-7000]");
    arrives(b, 7000);
    arrives(b, 7500);
    arrives(b, 8000);
    answers(b, 8500, "5000[5500-9000] 5000[5500-9000] 5000[5500-9000] 5000[5500-9000]");
}

/* Case 3: the second, fourth, sixth and eighth are lost; then the fourth and the second come. */
static void every_other_lost__latest_block_first(void **state) {
    struct bench *b = *state;
    answers(b, 5000, "5500");
    answers(b, 6000, "5500[6000-6500]");
    answers(b, 7000, "5500[7000-7500,6000-6500]");
    answers(b, 8000, "5500[8000-8500,7000-7500,6000-6500]");
    answers(b, 6500, "5500[6000-7500,8000-8500]");
    answers(b, 5500, "7500[8000-8500]");
    answers(b, 7500, "8500");
    assert_int_equal(b->cells.in_use, 0);
}

/* An ACK holds four SACK blocks; as new ones come, the oldest is left out. */
static void fifth_block__pushes_the_oldest_out(void **state) {
    struct bench *b = *state;
    for (uint32_t i = 1; i <= 4; i++) arrives(b, 5000 + i * 1000);
    says(b);
    answers(b, 10000, "5000[10000-10500,9000-9500,8000-8500,7000-7500]");
    arrives(b, 10000);
    assert_int_equal(b->tally.duplicate_pkts, 1);
    assert_int_equal(b->tally.max_reorder_pkts, 5);
    says(b);
    answers(b, 5000, "5500[10000-10500,9000-9500,8000-8500,7000-7500]");
}

/* The NIC is busy: three pending ACKs keep their own numbers. */
static void waiting_acks__keep_their_numbers(void **state) {
    struct bench *b = *state;
    for (uint32_t i = 0; i < 3; i++) arrives(b, 5000 + i * SIZE);
    assert_string_equal(says(b), "5500 6000 6500");
}

/* A hole merges the pending ACKs into one, so that none of them looks like a duplicate. Duplicates keep their
 * number. */
static void waiting_acks__merge_when_order_breaks(void **state) {
    struct bench *b = *state;
    for (uint32_t i = 0; i < 3; i++) arrives(b, 5000 + i * SIZE);
    arrives(b, 7000);
    answers(b, 7500, "6500[7000-8000] 6500[7000-8000] 6500[7000-8000]");
    arrives(b, 8000);
    answers(b, 6500, "8500");
    arrives(b, 5000); /* a duplicate */
    answers(b, 8500, "8500 9000");
}

/* A short last segment makes the last of the pending ACKs advance by less than a full segment. */
static void waiting_acks__before_a_short_last_segment(void **state) {
    struct bench *b = *state;
    b->env.bytes = 2 * SIZE + 30;
    arrives(b, 5000);
    arrives(b, 5500);
    struct packet last = {.seq = 6000, .ack = 100, .tcp_flags = TCP_ACK, .payload_bytes = 30, .ext = EXT_NONE};
    tcp_receiver_on_packet(&b->receiver, &b->env, 9, &last);
    assert_false(tcp_receiver_is_done(&b->receiver, &b->env));
    assert_string_equal(says(b), "5500 6000 6030");
    assert_true(tcp_receiver_is_done(&b->receiver, &b->env));
    assert_int_equal(b->tally.finished_at, 9);
    assert_int_equal(b->tally.received_bytes, 1030);
}

/* Data that this sender cannot have sent changes nothing: at a wrong segment border, beyond the window, beyond the
 * flow. */
static void foreign_data__is_answered_and_dropped(void **state) {
    struct bench *b = *state;
    arrives(b, 5000);
    says(b);
    arrives(b, 5777);
    answers(b, 5500 + 2000000, "5500");
    b->env.bytes = 3 * SIZE;
    answers(b, 5000 + 4 * SIZE, "5500");
    assert_int_equal(b->tally.received_bytes, SIZE);
    assert_int_equal(b->cells.in_use, 0);
}

/* A frame is late if it was sent before the highest segment received; a retransmission was sent after that. */
static void reordered__counts_late_frames_but_no_retransmissions(void **state) {
    struct bench *b = *state;
    arrives(b, 5500);
    arrives(b, 5000); /* sent after 5500: a retransmission */
    assert_int_equal(b->tally.reordered_pkts, 0);
    b->serial += 10;
    arrives(b, 7000);
    struct packet late = {.seq = 6000, .ack = 100, .tcp_flags = TCP_ACK, .payload_bytes = SIZE, .serial = 5};
    tcp_receiver_on_packet(&b->receiver, &b->env, 8, &late);
    late.seq = 6500;
    tcp_receiver_on_packet(&b->receiver, &b->env, 8, &late);
    assert_int_equal(b->tally.reordered_pkts, 2);
    says(b);
}

/* The oldest of five blocks is also the highest. The ACK reports it again once the other four are in order. */
static void forgotten_block__is_said_when_the_others_are_gone(void **state) {
    struct bench *b = *state;
    for (uint32_t i = 5; i >= 1; i--) arrives(b, 5000 + i * 1000);
    says(b);
    arrives(b, 5000);
    for (uint32_t seq = 5500; seq < 9000; seq += 1000) arrives(b, seq);
    assert_string_equal(says(b), "9500[10000-10500]");
}

/* A segment below the highest one held counts as late only if its serial number is smaller. */
static void reordered__retransmission_between_held_ones_is_not(void **state) {
    struct bench *b = *state;
    arrives(b, 8000);
    arrives(b, 6000); /* sent after 8000 */
    assert_int_equal(b->tally.reordered_pkts, 0);
    says(b);
}

/* The receiver holds a segment that ends with the window, and drops one that begins there. */
static void window__takes_the_segment_that_fills_it(void **state) {
    struct bench *b = *state;
    tcp_receiver_close(&b->receiver, &b->env);
    b->params[TCP_PARAM_MSS] = 512;
    b->params[TCP_PARAM_RECEIVE_WINDOW] = 1024;
    hand_shake(b, TCP_SYN);
    struct packet p = {
        .seq = 5512, .ack = 100, .tcp_flags = TCP_ACK, .payload_bytes = 512, .serial = 1, .ext = EXT_NONE};
    tcp_receiver_on_packet(&b->receiver, &b->env, 7, &p);
    assert_string_equal(says(b), "5000[5512-6024]");
    p.seq = 6024;
    tcp_receiver_on_packet(&b->receiver, &b->env, 7, &p);
    assert_string_equal(says(b), "5000[5512-6024]");
}

/* Data that does not acknowledge our SYN-ACK belongs to another connection. */
static void handshake__needs_the_ack_of_the_syn_ack(void **state) {
    struct bench *b = *state;
    struct packet p = {.seq = 5000, .ack = 101, .tcp_flags = TCP_ACK, .payload_bytes = SIZE, .ext = EXT_NONE};
    tcp_receiver_on_packet(&b->receiver, &b->env, 7, &p);
    assert_int_equal(b->tally.received_bytes, 0);
    assert_string_equal(says(b), "");
    arrives(b, 5000);
    assert_string_equal(says(b), "5500");
}

/* Delivers a segment with these flags and this ECN field. Returns the flags of its ACK. */
static uint8_t answer_to(struct bench *b, uint32_t seq, uint8_t flags, uint8_t ecn) {
    struct packet p = {
        .seq = seq, .ack = 100, .tcp_flags = TCP_ACK | flags, .tos = ecn, .payload_bytes = SIZE, .ext = EXT_NONE};
    struct packet answer = {.ext = EXT_NONE};
    tcp_receiver_on_packet(&b->receiver, &b->env, 7, &p);
    assert_true(tcp_receiver_poll(&b->receiver, &b->env, 7, &answer));
    return answer.tcp_flags;
}

/* The echo lasts until CWR; a mark on the segment with CWR starts a new one (RFC 3168, 6.1.3). */
static void ecn__echo_until_cwr_unless_marked_again(void **state) {
    struct bench *b = *state;
    b->params[TCP_PARAM_ECN] = 1;
    assert_int_equal(hand_shake(b, TCP_SYN | TCP_ECE | TCP_CWR), TCP_SYN | TCP_ACK | TCP_ECE);
    assert_int_equal(answer_to(b, 5000, 0, ECN_ECT0), TCP_ACK);
    assert_int_equal(answer_to(b, 5500, 0, ECN_CE), TCP_ACK | TCP_ECE);
    assert_int_equal(answer_to(b, 6000, 0, ECN_ECT0), TCP_ACK | TCP_ECE);
    assert_int_equal(answer_to(b, 6500, TCP_CWR, ECN_CE), TCP_ACK | TCP_ECE);
    assert_int_equal(answer_to(b, 7000, TCP_CWR, ECN_ECT0), TCP_ACK);
    assert_int_equal(b->tally.marked_pkts, 2);
}

/* A SYN with ECE alone is no ECN-setup SYN (RFC 3168, 6.1.1): marks are counted, never echoed. */
static void ecn__needs_both_flags_of_the_syn(void **state) {
    struct bench *b = *state;
    b->params[TCP_PARAM_ECN] = 1;
    assert_int_equal(hand_shake(b, TCP_SYN | TCP_ECE), TCP_SYN | TCP_ACK);
    assert_int_equal(answer_to(b, 5000, 0, ECN_CE), TCP_ACK);
    assert_int_equal(b->tally.marked_pkts, 1);
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH(in_order__plain_acks),
        WITH(first_lost__one_growing_block),
        WITH(every_other_lost__latest_block_first),
        WITH(fifth_block__pushes_the_oldest_out),
        WITH(waiting_acks__keep_their_numbers),
        WITH(waiting_acks__merge_when_order_breaks),
        WITH(waiting_acks__before_a_short_last_segment),
        WITH(foreign_data__is_answered_and_dropped),
        WITH(reordered__counts_late_frames_but_no_retransmissions),
        WITH(forgotten_block__is_said_when_the_others_are_gone),
        WITH(reordered__retransmission_between_held_ones_is_not),
        WITH(window__takes_the_segment_that_fills_it),
        WITH(handshake__needs_the_ack_of_the_syn_ack),
        WITH(ecn__echo_until_cwr_unless_marked_again),
        WITH(ecn__needs_both_flags_of_the_syn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
