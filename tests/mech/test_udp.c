/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/transports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    void *sender, *receiver;
    struct flow_env env;
    struct flow_tally tally;
    int64_t params[4];
};

static const struct transport_ops *const udp = &transport_udp;

static void open_both(struct bench *b, uint64_t bytes, int64_t rate_bps, uint64_t burst_bytes, time_ps now) {
    memset(b, 0, sizeof *b);
    transport_defaults(udp, b->params);
    b->sender = calloc(1, udp->sender->bytes);
    b->receiver = calloc(1, udp->receiver->bytes);
    b->tally.finished_at = TIME_NONE;
    b->env = (struct flow_env){
        .bytes = bytes, .rate_bps = rate_bps, .burst_bytes = burst_bytes, .params = b->params, .tally = &b->tally};
    udp->sender->open(b->sender, &b->env, now);
    udp->receiver->open(b->receiver, &b->env, now);
}

static void close_both(struct bench *b) {
    free(b->sender);
    free(b->receiver);
}

/* Polls the sender's next datagram at `now`. Returns its payload, or 0 for none. */
static uint32_t sends(struct bench *b, time_ps now, struct packet *p) {
    *p = (struct packet){.ext = EXT_NONE};
    if (udp->sender->next_timer(b->sender) <= now) udp->sender->on_timer(b->sender, &b->env, now);
    bool promised = udp->sender->has_output(b->sender, &b->env, now);
    bool got = udp->sender->poll_transmit(b->sender, &b->env, now, p);
    assert_int_equal(promised, got);
    return got ? p->payload_bytes : 0;
}

/* Returns when the next datagram is due. */
static time_ps deadline(const struct bench *b) { return udp->sender->next_timer(b->sender); }

static void receives(struct bench *b, time_ps now, uint32_t number, uint16_t bytes) {
    struct packet p = {.seq = number, .payload_bytes = bytes, .ext = EXT_NONE};
    udp->receiver->on_packet(b->receiver, &b->env, now, &p);
}

/* 1472 B at 1 Gbps leave every 11.776 us. */
static void constant_rate__evenly_spaced(void **state) {
    (void)state;
    struct bench b;
    struct packet p;
    open_both(&b, 3 * 1472 + 100, 1000000000, 0, 5 * PS_PER_US);
    for (uint32_t i = 0; i < 4; i++) {
        time_ps due = 5 * PS_PER_US + i * 11776000;
        assert_int_equal(deadline(&b), i > 0 ? due : TIME_NONE); /* the first needs no timer */
        if (i > 0) assert_int_equal(sends(&b, due - 1, &p), 0);
        assert_int_equal(sends(&b, due, &p), i < 3 ? 1472 : 100);
        assert_int_equal(p.seq, i);
        assert_int_equal(p.wire_bytes, i < 3 ? 1538 : 166);
        assert_int_equal(udp->sender->is_done(b.sender, &b.env), i == 3);
    }
    assert_int_equal(sends(&b, PS_PER_S, &p), 0);
    assert_int_equal(b.tally.sent_pkts, 4);
    assert_int_equal(b.tally.first_data_at, 5 * PS_PER_US);
    close_both(&b);
}

/* At 7 Gbps no gap is a whole number of picoseconds; after 7000 datagrams the time is still exact. */
static void odd_rate__no_drift(void **state) {
    (void)state;
    struct bench b;
    struct packet p;
    open_both(&b, UINT64_MAX, 7000000000, 0, 0);
    for (int i = 0; i < 7000; i++) assert_int_equal(sends(&b, i > 0 ? deadline(&b) : 0, &p), 1472);
    assert_int_equal(deadline(&b), 1472ll * 8 * 1000 * 1000); /* 7000 * 11776 bits / 7 Gbps */
    close_both(&b);
}

/* A late NIC sends the backlog at once, which keeps the mean rate. */
static void late_nic__catches_up(void **state) {
    (void)state;
    struct bench b;
    struct packet p;
    open_both(&b, UINT64_MAX, 1000000000, 0, 0);
    for (int i = 0; i < 9; i++) assert_int_equal(sends(&b, 100 * PS_PER_US, &p), 1472); /* due 0, 11.8 .. 94.2 us */
    assert_int_equal(sends(&b, 100 * PS_PER_US, &p), 0);
    close_both(&b);
}

/* Bursts of 4000 B leave back to back, one per 32 us. */
static void bursts__back_to_back_then_wait(void **state) {
    (void)state;
    struct bench b;
    struct packet p;
    open_both(&b, 10000, 1000000000, 4000, 0);
    static const uint32_t payload[] = {1472, 1472, 1056, 0};
    for (int burst = 0; burst < 2; burst++) {
        if (burst > 0) assert_int_equal(deadline(&b), burst * 32 * PS_PER_US);
        for (int i = 0; i < 4; i++) assert_int_equal(sends(&b, burst * 32 * PS_PER_US, &p), payload[i]);
    }
    assert_int_equal(sends(&b, 64 * PS_PER_US, &p), 1472);
    assert_int_equal(sends(&b, 64 * PS_PER_US, &p), 528); /* the flow ends within the burst */
    assert_true(udp->sender->is_done(b.sender, &b.env));
    close_both(&b);
}

static void no_rate__as_fast_as_the_nic_asks(void **state) {
    (void)state;
    struct bench b;
    struct packet p;
    open_both(&b, 100 * 1472, 0, 0, 0);
    for (int i = 0; i < 100; i++) assert_int_equal(sends(&b, 0, &p), 1472);
    assert_true(udp->sender->is_done(b.sender, &b.env));
    close_both(&b);
}

static void receiver__finishes_with_the_last_distinct_byte(void **state) {
    (void)state;
    struct bench b;
    open_both(&b, 3000, 0, 0, 0);
    receives(&b, 1, 0, 1472);
    receives(&b, 2, 2, 56);
    receives(&b, 3, 2, 56);
    assert_int_equal(b.tally.finished_at, TIME_NONE);
    receives(&b, 4, 1, 1472);
    assert_int_equal(b.tally.finished_at, 4);
    assert_int_equal(b.tally.received_bytes, 3000);
    assert_int_equal(b.tally.duplicate_pkts, 1);
    assert_int_equal(b.tally.reordered_pkts, 1);
    assert_true(udp->receiver->is_done(b.receiver, &b.env));
    assert_false(udp->receiver->has_output(b.receiver, &b.env, 4));
    close_both(&b);
}

static void lost_datagram__leaves_the_flow_open(void **state) {
    (void)state;
    struct bench b;
    open_both(&b, 4 * 1472, 0, 0, 0);
    for (uint32_t i = 0; i < 4; i++)
        if (i != 1) receives(&b, i, i, 1472);
    assert_false(udp->receiver->is_done(b.receiver, &b.env));
    assert_int_equal(b.tally.finished_at, TIME_NONE);
    close_both(&b);
}

/* Numbers arrive in random order over many windows and across the wrap: each counts once, and a second copy is a
 * duplicate. */
static void receiver__tells_copies_from_late_ones(void **state) {
    (void)state;
    struct bench b;
    open_both(&b, UINT64_MAX, 0, 0, 0);
    uint32_t first = UINT32_MAX - 5000, n = 10000;
    receives(&b, 0, first, 1);
    for (uint32_t i = 1; i + 10 <= n; i += 10) {
        for (uint32_t j = 0; j < 10; j++) receives(&b, 0, first + i + (j * 7 + 3) % 10, 1);
        receives(&b, 0, first + i, 1);
        if (i > 900) receives(&b, 0, first + i - 800, 1);
    }
    assert_int_equal(b.tally.received_bytes, 1 + 9990);
    assert_int_equal(b.tally.duplicate_pkts, 999 + 909);
    close_both(&b);
}

/* Number 5 has the same place in the memory as 1029, the highest. It is too old to be remembered, so it counts as
 * new. */
static void receiver__takes_what_it_no_longer_remembers_as_new(void **state) {
    (void)state;
    struct bench b;
    open_both(&b, UINT64_MAX, 0, 0, 0);
    receives(&b, 0, 4, 1);
    receives(&b, 0, 5 + 1024, 1);
    receives(&b, 0, 5, 1);
    assert_int_equal(b.tally.received_bytes, 3);
    assert_int_equal(b.tally.duplicate_pkts, 0);
    receives(&b, 0, 6, 1); /* the oldest remembered number */
    receives(&b, 0, 6, 1);
    assert_int_equal(b.tally.duplicate_pkts, 1);
    close_both(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_rate__evenly_spaced),
        cmocka_unit_test(odd_rate__no_drift),
        cmocka_unit_test(late_nic__catches_up),
        cmocka_unit_test(bursts__back_to_back_then_wait),
        cmocka_unit_test(no_rate__as_fast_as_the_nic_asks),
        cmocka_unit_test(receiver__finishes_with_the_last_distinct_byte),
        cmocka_unit_test(lost_datagram__leaves_the_flow_open),
        cmocka_unit_test(receiver__tells_copies_from_late_ones),
        cmocka_unit_test(receiver__takes_what_it_no_longer_remembers_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
