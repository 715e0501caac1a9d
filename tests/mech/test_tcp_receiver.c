/* The receiving end alone: which ACKs it gives, and what SACK blocks they carry. */
#include "base/cells.h"
#include "mech/transport/tcp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define SIZE 500u /* of a segment, as in RFC 2018 */

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

/* A receiver behind its handshake whose next byte has sequence number 5000, as in RFC 2018. */
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
    tcp_receiver_open(&b.receiver, &b.env);
    struct packet syn = {.seq = 4999, .tcp_flags = TCP_SYN}, out = {.ext = EXT_NONE};
    tcp_receiver_on_packet(&b.receiver, &b.env, 0, &syn);
    assert_true(tcp_receiver_poll(&b.receiver, &b.env, 0, &out));
    assert_int_equal(out.tcp_flags, TCP_SYN | TCP_ACK);
    assert_int_equal(out.ack, 5000);
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

/* All ACKs that wait: "5500 5500[6000-6500] ". */
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

/* RFC 2018, section 7, case 1: the first four arrive, the last four are lost. */
static void in_order__plain_acks(void **state) {
    struct bench *b = *state;
    arrives(b, 5000);
    assert_string_equal(says(b), "5500");
    arrives(b, 5500);
    assert_string_equal(says(b), "6000");
    assert_int_equal(b->cells.peak, 0);
}

/* Case 2: the first is lost, seven arrive. */
static void first_lost__one_growing_block(void **state) {
    struct bench *b = *state;
    arrives(b, 5500);
    assert_string_equal(says(b), "5000[5500-6000]");
    arrives(b, 6000);
    assert_string_equal(says(b), "5000[5500-6500]");
    arrives(b, 6500);
    assert_string_equal(says(b), "5000[5500-7000]");
    arrives(b, 7000);
    arrives(b, 7500);
    arrives(b, 8000);
    arrives(b, 8500);
    assert_string_equal(says(b), "5000[5500-9000] 5000[5500-9000] 5000[5500-9000] 5000[5500-9000]");
}

/* Case 3: the second, fourth, sixth and eighth are lost; then the fourth and the second come. */
static void every_other_lost__latest_block_first(void **state) {
    struct bench *b = *state;
    arrives(b, 5000);
    assert_string_equal(says(b), "5500");
    arrives(b, 6000);
    assert_string_equal(says(b), "5500[6000-6500]");
    arrives(b, 7000);
    assert_string_equal(says(b), "5500[7000-7500,6000-6500]");
    arrives(b, 8000);
    assert_string_equal(says(b), "5500[8000-8500,7000-7500,6000-6500]");
    arrives(b, 6500);
    assert_string_equal(says(b), "5500[6000-7500,8000-8500]");
    arrives(b, 5500);
    assert_string_equal(says(b), "7500[8000-8500]");
    arrives(b, 7500);
    assert_string_equal(says(b), "8500");
    assert_int_equal(b->cells.in_use, 0);
}

/* Only four fit; when they are gone an older one is said again. */
static void fifth_block__pushes_the_oldest_out(void **state) {
    struct bench *b = *state;
    for (uint32_t i = 1; i <= 4; i++) arrives(b, 5000 + i * 1000);
    says(b);
    arrives(b, 10000);
    assert_string_equal(says(b), "5000[10000-10500,9000-9500,8000-8500,7000-7500]");
    arrives(b, 10000);
    assert_int_equal(b->tally.duplicate_pkts, 1);
    assert_int_equal(b->tally.max_reorder_pkts, 5);
    says(b);
    arrives(b, 5000);
    assert_string_equal(says(b), "5500[10000-10500,9000-9500,8000-8500,7000-7500]");
}

/* The NIC was busy: three ACKs wait, each with its own number. */
static void waiting_acks__keep_their_numbers(void **state) {
    struct bench *b = *state;
    for (uint32_t i = 0; i < 3; i++) arrives(b, 5000 + i * SIZE);
    assert_string_equal(says(b), "5500 6000 6500");
}

/* Those that wait when order breaks are said by one, so that they are no duplicates; duplicates stay as many. */
static void waiting_acks__merge_when_order_breaks(void **state) {
    struct bench *b = *state;
    for (uint32_t i = 0; i < 3; i++) arrives(b, 5000 + i * SIZE);
    arrives(b, 7000);
    arrives(b, 7500);
    assert_string_equal(says(b), "6500[7000-8000] 6500[7000-8000] 6500[7000-8000]");
    arrives(b, 8000);
    arrives(b, 6500);
    assert_string_equal(says(b), "8500");
    arrives(b, 5000); /* a duplicate */
    arrives(b, 8500);
    assert_string_equal(says(b), "8500 9000");
}

/* The last segment is shorter than the others: so is the step of the last ACK that waits. */
static void waiting_acks__before_a_short_last_segment(void **state) {
    struct bench *b = *state;
    b->env.bytes = 2 * SIZE + 30;
    arrives(b, 5000);
    arrives(b, 5500);
    struct packet last = {.seq = 6000, .ack = 100, .tcp_flags = TCP_ACK, .payload_bytes = 30, .ext = EXT_NONE};
    tcp_receiver_on_packet(&b->receiver, &b->env, 9, &last);
    assert_false(tcp_is_done(&b->receiver, SIDE_RECEIVER, &b->env));
    assert_string_equal(says(b), "5500 6000 6030");
    assert_true(tcp_is_done(&b->receiver, SIDE_RECEIVER, &b->env));
    assert_int_equal(b->tally.finished_at, 9);
    assert_int_equal(b->tally.received_bytes, 1030);
}

/* What this sender cannot have sent changes nothing: cut elsewhere, beyond the window, beyond the flow. */
static void foreign_data__is_answered_and_dropped(void **state) {
    struct bench *b = *state;
    arrives(b, 5000);
    says(b);
    arrives(b, 5777);
    arrives(b, 5500 + 2000000);
    assert_string_equal(says(b), "5500");
    b->env.bytes = 3 * SIZE;
    arrives(b, 5000 + 4 * SIZE);
    assert_string_equal(says(b), "5500");
    assert_int_equal(b->tally.received_bytes, SIZE);
    assert_int_equal(b->cells.in_use, 0);
}

/* A frame that was sent before the highest one seen is late; a retransmission was sent after it. */
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
