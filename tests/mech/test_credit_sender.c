/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_sender.h"

#include "base/cells.h"
#include "mech/transport/transports.h"
#include "transport_rows.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define US PS_PER_US
#define APP_GAP (1168 * PS_PER_NS) /* 1460 bytes at 10 Gbps */

struct bench {
    const struct transport_ops *ops;
    struct credit_sender s;
    struct flow_env env;
    struct flow_tally tally;
    struct cell_pool cells;
    uint64_t counters[CREDIT_N_COUNTERS];
    int64_t params[32];
    struct packet sent; /* the last frame */
};

static void bench_set(struct bench *b, const char *name, int64_t value) {
    assert_true(row_set(b->ops, b->params, name, value));
}

static struct bench *bench_new(const struct transport_ops *ops, uint64_t bytes) {
    struct bench *b = calloc(1, sizeof *b);
    b->ops = ops;
    transport_defaults(ops, b->params);
    b->tally.finished_at = b->tally.acked_at = TIME_NONE;
    b->env = (struct flow_env){.bytes = bytes,
                               .params = b->params,
                               .row = ops,
                               .cells = &b->cells,
                               .tally = &b->tally,
                               .counters = b->counters,
                               .nic_bps = 10000000000};
    return b;
}

static struct bench *bench_open(struct bench *b) {
    cell_pool_init(&b->cells, transport_cell_bytes(b->ops, b->params));
    b->ops->sender->open(&b->s, &b->env, 0);
    return b;
}

static void bench_free(struct bench *b) {
    b->ops->sender->close(&b->s, &b->env);
    assert_int_equal(b->ops->sender->credits_held(&b->s), 0);
    assert_int_equal(b->cells.in_use, 0);
    cell_pool_fini(&b->cells);
    free(b);
}

/* Polls a frame into b->sent. Returns its kind, or 0 for none. */
static uint8_t sends(struct bench *b, time_ps now) {
    bool promised = b->ops->sender->has_output(&b->s, &b->env, now);
    b->sent = (struct packet){.ext = EXT_NONE, .path = PATH_NONE};
    assert_int_equal(b->ops->sender->poll_transmit(&b->s, &b->env, now, &b->sent), promised);
    return credit_kind(&b->sent);
}

static void frame(struct bench *b, time_ps now, uint8_t kind, uint32_t seq, uint32_t number) {
    struct packet p = {.tcp_flags = kind, .seq = seq, .ack = number, .path = (uint16_t)(number % 7), .tos = ECN_ECT0};
    if (kind == CREDIT_GRANT) p.window = (uint16_t)(number * 7919);
    if (number % 3 == 1) p.tos |= ECN_CE;
    b->ops->sender->on_packet(&b->s, &b->env, now, &p);
}

/* Delivers a credit. Returns whether data answers it at once. */
static bool credit(struct bench *b, time_ps now, uint32_t seq, uint32_t number) {
    frame(b, now, CREDIT_GRANT, seq, number);
    return sends(b, now) == CREDIT_DATA;
}

static time_ps deadline(const struct bench *b) { return b->ops->sender->next_timer(&b->s); }

static void wake(struct bench *b, time_ps now) {
    b->ops->sender->on_timer(&b->s, &b->env, now);
    assert_true(deadline(b) > now);
}

/* The sender sends a request at once, again after min_rto, then after eight times that, up to 2^10 times. */
static void request__repeated_with_back_off(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(&transport_expresspass, 10000));
    time_ps at = 0;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(sends(b, at), CREDIT_REQUEST);
        assert_int_equal(b->sent.wire_bytes, 84);
        assert_int_equal(sends(b, at), 0);
        assert_int_equal(deadline(b), at + (200 << (i < 4 ? 3 * i : 10)) * US);
        wake(b, at + 1); /* early: no effect */
        assert_int_equal(sends(b, at + 1), 0);
        at = deadline(b);
        wake(b, at);
    }
    assert_int_equal(b->tally.syn_timeouts, 6);
    assert_int_equal(b->counters[CREDIT_REQUESTS_REPEATED], 6);
    bench_free(b);
}

/* AM-55: every request of a flow tells its size in segments, if credits end with it and the size is known and below
 * 2^32 segments. */
static void request__tells_the_size(void **state) {
    (void)state;
    static const struct {
        uint64_t bytes;
        uint32_t told;
    } rows[] = {{1, 1},
                {14600, 10},
                {14601, 11},
                {1460ull * UINT32_MAX, UINT32_MAX},
                {1460ull * UINT32_MAX + 1, 0},
                {1460ull * UINT32_MAX + 14600, 0},
                {UINT64_MAX, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int64_t end = CREDIT_END_LAST_DATA; end <= CREDIT_END_SIZE; end++) {
            struct bench *b = bench_new(i % 2 ? &transport_spraypass : &transport_expresspass, rows[i].bytes);
            bench_set(b, "credit_end", end);
            bench_open(b);
            for (int repeated = 0; repeated < 3; repeated++) {
                time_ps at = repeated ? deadline(b) : 0;
                if (repeated) wake(b, at);
                assert_int_equal(sends(b, at), CREDIT_REQUEST);
                assert_int_equal(b->sent.ack, end == CREDIT_END_SIZE ? rows[i].told : 0);
                assert_int_equal(b->sent.seq, 0);
            }
            bench_free(b);
        }
}

/* To a far host the first request waits for twice the base round trip, not for min_rto. The credit comes a round trip
 * after the request, and from then on min_rto is the least timeout again. */
static void request__to_a_far_host(void **state) {
    (void)state;
    struct bench *b = bench_new(&transport_expresspass, 1460);
    b->env.trip_ps = 300 * US;
    b->env.full_frame_ns = 10000;
    bench_open(b);
    sends(b, 0);
    assert_int_equal(deadline(b), 620 * US);
    assert_true(credit(b, 300 * US, 0, 0));
    assert_int_equal(deadline(b), 900 * US); /* 2 x 300 us: measured */
    assert_int_equal(b->tally.syn_timeouts, 0);
    bench_free(b);
}

/* The round trip is 5 ms, but the sender is not told. It repeats its request after 0.2 and 1.8 ms. The credit of the
 * first request comes too soon to answer either of them. A credit that comes later may be for a lost request. */
static void request__repeated_without_need_is_spurious(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct bench *b = bench_open(bench_new(&transport_expresspass, 1460));
        sends(b, 0);
        for (time_ps at = deadline(b); at < 5000 * US; at = deadline(b)) {
            wake(b, at);
            sends(b, at);
        }
        assert_int_equal(b->tally.syn_timeouts, 2);
        b->env.trip_ps = 5000 * US;
        assert_true(credit(b, late ? 6900 * US : 5000 * US, 0, 0));
        assert_int_equal(b->tally.spurious_timeouts, late ? 0 : 2);
        bench_free(b);
    }
}

/* A credit ends the back-off. A sender with more to send then waits 10 ms for the receiver. A sender that waits for
 * DONE asks after 2 RTT, at least min_rto, then after twice that each time. */
static void request__after_credits(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(&transport_expresspass, 2 * 1460));
    sends(b, 0);
    wake(b, 200 * US);
    sends(b, 200 * US);
    assert_true(credit(b, 250 * US, 0, 0));
    assert_int_equal(deadline(b), 10250 * US);
    assert_true(credit(b, 300 * US, 1, 1));
    for (time_ps at = 300 * US, wait = 500 * US; wait <= 2000 * US; wait *= 2) { /* 2 RTT of 250 us */
        assert_int_equal(deadline(b), at + wait);
        at += wait;
        wake(b, at);
        assert_int_equal(sends(b, at), CREDIT_REQUEST);
    }
    assert_int_equal(b->tally.syn_timeouts, 1);
    assert_int_equal(b->tally.data_timeouts, 3);
    bench_free(b);
}

/* SP-3, SP-4, SP-14: data copies number, path and mark of its credit; segments leave in order, and the last one is
 * short. */
static void data__copies_its_credit(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(&transport_expresspass, 3 * 1460 + 40));
    sends(b, 0);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(credit(b, 50 * US, i, 10 + i));
        assert_int_equal(b->sent.seq, i);
        assert_int_equal(b->sent.ack, 10 + i);
        assert_int_equal(b->sent.path, (10 + i) % 7);
        assert_int_equal(b->sent.window, (uint16_t)((10 + i) * 7919)); /* its stamp (AM-37) */
        assert_int_equal((b->sent.tcp_flags & CREDIT_MARKED) != 0, i == 0 || i == 3);
        assert_int_equal((b->sent.tcp_flags & CREDIT_LAST) != 0, i == 3);
        assert_int_equal(b->sent.payload_bytes, i < 3 ? 1460 : 40);
        assert_int_equal(b->sent.wire_bytes, i < 3 ? 1538 : 118);
        assert_int_equal(b->sent.tos, 0);
    }
    assert_int_equal(b->tally.unfilled_bytes, 1538 - 118);
    assert_int_equal(b->tally.credits_used, 4);
    assert_int_equal(b->tally.first_data_at, 50 * US);
    bench_free(b);
}

/* XP-14, XP-15: a credit without data is wasted at once, and DONE ends the flow. */
static void credit__without_data_is_wasted(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(&transport_expresspass, 1));
    sends(b, 0);
    assert_true(credit(b, 50 * US, 0, 0));
    assert_int_equal(b->sent.payload_bytes, 1);
    assert_int_equal(b->sent.wire_bytes, 84);
    for (uint32_t i = 1; i < 6; i++) assert_false(credit(b, 51 * US, 0, i));
    assert_int_equal(b->tally.credits_wasted, 5);
    frame(b, 60 * US, CREDIT_DONE, 2, 0); /* for another length */
    assert_false(b->ops->sender->is_done(&b->s, &b->env));
    frame(b, 100 * US, CREDIT_DONE, 1, 0);
    assert_true(b->ops->sender->is_done(&b->s, &b->env));
    assert_int_equal(b->tally.acked_at, 100 * US);
    assert_int_equal(deadline(b), TIME_NONE);
    bench_free(b);
}

/* While the NIC is busy credits wait in order, in a ring beyond those in the struct; beyond 64 the oldest are
 * dropped. */
static void credits__wait_for_the_nic(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(&transport_expresspass, UINT64_MAX));
    sends(b, 0);
    for (uint32_t i = 0; i < 3; i++) frame(b, 50 * US, CREDIT_GRANT, 0, i);
    sends(b, 50 * US); /* the ring starts inside */
    for (uint32_t i = 3; i < 70; i++) frame(b, 50 * US, CREDIT_GRANT, 0, i);
    assert_int_equal(b->ops->sender->credits_held(&b->s), 64);
    assert_int_equal(b->counters[CREDIT_WASTED_OVERFLOW], 5);
    for (uint32_t i = 6; i < 70; i++) {
        assert_int_equal(sends(b, 60 * US), CREDIT_DATA);
        assert_int_equal(b->sent.ack, i);
        assert_int_equal(b->sent.seq, i - 5);
    }
    assert_int_equal(sends(b, 60 * US), 0);
    bench_free(b);
}

/* The sender sends no segment further ahead of the first missing one than the window. */
static void window__bounds_what_is_ahead(void **state) {
    (void)state;
    struct bench *b = bench_new(&transport_expresspass, UINT64_MAX);
    bench_set(b, "reorder_window", 64);
    bench_open(b);
    sends(b, 0);
    for (uint32_t i = 0; i < 64; i++) assert_true(credit(b, 50 * US, 0, i));
    assert_false(credit(b, 50 * US, 0, 64));
    assert_true(credit(b, 51 * US, 2, 65));
    assert_int_equal(b->sent.seq, 64);
    bench_free(b);
}

/* A segment that credits still ask for min_rto after it left is lost. It leaves before new segments; a second hole of
 * the same time follows as soon as credits ask for it. */
static void loss__what_is_asked_for_goes_first(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(&transport_expresspass, UINT64_MAX));
    sends(b, 0);
    for (uint32_t i = 0; i < 100; i++) credit(b, 50 * US, 0, i);
    credit(b, 249 * US, 0, 100);
    assert_int_equal(b->sent.seq, 100);
    credit(b, 250 * US, 0, 101);
    assert_int_equal(b->sent.seq, 0);
    credit(b, 251 * US, 0, 102);
    assert_int_equal(b->sent.seq, 101);
    credit(b, 300 * US, 40, 103); /* 0 arrived; 40 was lost too */
    assert_int_equal(b->sent.seq, 40);
    credit(b, 301 * US, 40, 104);
    assert_int_equal(b->sent.seq, 102);
    credit(b, 350 * US, 102, 105);
    assert_int_equal(b->sent.seq, 103);
    assert_int_equal(b->tally.retransmitted_pkts, 2);
    assert_int_equal(b->tally.fast_recoveries, 1);
    bench_free(b);
}

/* After the last segment, credits carry every segment in doubt once. */
static void loss__at_the_end_all_in_doubt(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(&transport_expresspass, 5 * 1460));
    sends(b, 0);
    for (uint32_t i = 0; i < 5; i++) credit(b, 50 * US, 0, i);
    assert_int_equal(deadline(b), 250 * US);
    wake(b, 250 * US);
    assert_int_equal(sends(b, 250 * US), CREDIT_REQUEST);
    assert_int_equal(b->tally.data_timeouts, 1);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(credit(b, 300 * US + i, 2, 5 + i));
        assert_int_equal(b->sent.seq, i + 2);
        assert_int_equal((b->sent.tcp_flags & CREDIT_LAST) != 0, i == 2);
    }
    assert_false(credit(b, 300 * US + 9, 2, 8));
    bench_free(b);
}

/* ---- applications that are slower than their credits ---- */

static struct bench *slow_app(const struct transport_ops *ops, uint64_t bytes, const char *param, int64_t value) {
    struct bench *b = bench_new(ops, bytes);
    b->env.rate_bps = 100000000; /* a segment each 116.8 us */
    if (param) bench_set(b, param, value);
    return bench_open(b);
}

#define SLOW_GAP (100 * APP_GAP)

static void slow_app__expresspass_wastes(void **state) {
    (void)state;
    struct bench *b = slow_app(&transport_expresspass, UINT64_MAX, NULL, 0);
    sends(b, 0);
    assert_true(credit(b, 50 * US, 0, 0));
    assert_false(credit(b, SLOW_GAP - 1, 1, 1));
    assert_true(credit(b, SLOW_GAP, 1, 2));
    assert_false(credit(b, SLOW_GAP + 1, 1, 3));
    assert_int_equal(b->tally.credits_wasted, 2);
    assert_int_equal(b->counters[CREDIT_WASTED_NO_DATA], 2);
    bench_free(b);
}

/* SP-12: SprayPass keeps the credit until the application writes the segment. */
static void slow_app__spraypass_keeps(void **state) {
    (void)state;
    struct bench *b = slow_app(&transport_spraypass, UINT64_MAX, "credit_hold", 200 * US);
    sends(b, 0);
    assert_true(credit(b, 50 * US, 0, 0));
    assert_false(credit(b, 51 * US, 1, 1));
    assert_int_equal(b->ops->sender->credits_held(&b->s), 1);
    assert_int_equal(deadline(b), SLOW_GAP);
    wake(b, SLOW_GAP);
    assert_int_equal(sends(b, SLOW_GAP), CREDIT_DATA);
    assert_int_equal(b->sent.ack, 1);
    assert_int_equal(b->tally.credits_wasted, 0);
    bench_free(b);
}

/* SP-12, SP-13: after the hold time without data the sender sends STOP and drops its credits; new data brings a
 * request. */
static void slow_app__stops_and_asks_again(void **state) {
    (void)state;
    struct bench *b = slow_app(&transport_spraypass, UINT64_MAX, NULL, 0); /* holds for one RTT, 50 us */
    sends(b, 0);
    assert_true(credit(b, 50 * US, 0, 0));
    for (uint32_t i = 1; i < 10; i++) assert_false(credit(b, 51 * US, 1, i));
    assert_int_equal(deadline(b), 100 * US);
    wake(b, 100 * US);
    assert_int_equal(sends(b, 100 * US), CREDIT_STOP);
    assert_int_equal(b->tally.credits_wasted, 9);
    assert_int_equal(b->counters[CREDIT_WASTED_EXPIRED], 9);
    assert_false(credit(b, 110 * US, 1, 10)); /* was in flight */
    assert_int_equal(b->tally.credits_wasted, 10);
    assert_int_equal(deadline(b), SLOW_GAP);
    wake(b, SLOW_GAP);
    assert_int_equal(sends(b, SLOW_GAP), CREDIT_REQUEST);
    assert_int_equal(sends(b, SLOW_GAP), 0);
    assert_true(credit(b, SLOW_GAP + 50 * US, 1, 11));
    bench_free(b);
}

/* STOP is lost: credits that still arrive bring another one. */
static void slow_app__stop_is_repeated(void **state) {
    (void)state;
    struct bench *b = slow_app(&transport_spraypass, UINT64_MAX, NULL, 0);
    b->s.app_gap = PS_PER_S;
    sends(b, 0);
    credit(b, 50 * US, 0, 0);
    wake(b, 100 * US);
    assert_int_equal(sends(b, 100 * US), CREDIT_STOP);
    frame(b, 299 * US, CREDIT_GRANT, 1, 1);
    assert_int_equal(sends(b, 299 * US), 0);
    frame(b, 300 * US, CREDIT_GRANT, 1, 2);
    assert_int_equal(sends(b, 300 * US), CREDIT_STOP);
    bench_free(b);
}

/* A credit older than the hold time expires, even if data left in between. */
static void slow_app__old_credits_expire(void **state) {
    (void)state;
    struct bench *b = slow_app(&transport_spraypass, UINT64_MAX, "credit_hold", 200 * US);
    sends(b, 0);
    for (uint32_t i = 0; i < 4; i++) frame(b, 50 * US, CREDIT_GRANT, 0, i);
    assert_int_equal(sends(b, 50 * US), CREDIT_DATA);
    assert_int_equal(sends(b, SLOW_GAP), CREDIT_DATA);
    assert_int_equal(sends(b, 2 * SLOW_GAP), CREDIT_DATA);
    assert_int_equal(sends(b, 3 * SLOW_GAP), 0); /* 350 us */
    frame(b, 3 * SLOW_GAP, CREDIT_GRANT, 3, 4);
    assert_int_equal(sends(b, 3 * SLOW_GAP), CREDIT_DATA);
    assert_int_equal(b->sent.ack, 4);
    assert_int_equal(b->counters[CREDIT_WASTED_EXPIRED], 1);
    bench_free(b);
}

static void slow_app__immediate_expiry(void **state) {
    (void)state;
    struct bench *b = slow_app(&transport_spraypass, UINT64_MAX, "expire", 1);
    sends(b, 0);
    assert_true(credit(b, 50 * US, 0, 0));
    assert_false(credit(b, 51 * US, 1, 1));
    assert_int_equal(b->tally.credits_wasted, 1);
    bench_free(b);
}

/* After the last segment credits are wasted, not kept. */
static void slow_app__after_the_last_nothing_is_kept(void **state) {
    (void)state;
    struct bench *b = slow_app(&transport_spraypass, 1460, NULL, 0);
    sends(b, 0);
    assert_true(credit(b, 50 * US, 0, 0));
    assert_false(credit(b, 51 * US, 0, 1));
    assert_int_equal(b->counters[CREDIT_WASTED_NO_DATA], 1);
    bench_free(b);
}

/* ---- data without credits ---- */

/* Unscheduled segments leave at once with a flag. The first credit ends them; what credits ask for two RTTs later is
 * sent again. */
static void unscheduled__until_the_first_credit(void **state) {
    (void)state;
    struct bench *b = bench_new(&transport_expresspass, UINT64_MAX);
    bench_set(b, "unscheduled", 3 * 1460 + 1459);
    bench_open(b);
    assert_int_equal(sends(b, 0), CREDIT_REQUEST);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(sends(b, US), CREDIT_DATA);
        assert_int_equal(b->sent.tcp_flags, CREDIT_DATA | CREDIT_UNSCHEDULED);
        assert_int_equal(b->sent.seq, i);
    }
    assert_true(credit(b, 50 * US, 0, 0));
    assert_int_equal(b->sent.tcp_flags, CREDIT_DATA);
    assert_int_equal(b->sent.seq, 2);
    assert_int_equal(sends(b, 50 * US), 0);
    assert_int_equal(b->tally.credits_used, 1);
    assert_int_equal(b->counters[CREDIT_UNSCHEDULED_PKTS], 2);
    assert_true(credit(b, 101 * US, 0, 1)); /* 100 us after segment 0 left */
    assert_int_equal(b->sent.seq, 0);
    bench_free(b);
}

/* A flow shorter than the limit leaves whole; its last segment is flagged as the last. */
static void unscheduled__a_whole_flow(void **state) {
    (void)state;
    struct bench *b = bench_new(&transport_expresspass, 2000);
    bench_set(b, "unscheduled", 100000);
    bench_open(b);
    sends(b, 0);
    assert_int_equal(sends(b, 0), CREDIT_DATA);
    assert_int_equal(sends(b, 0), CREDIT_DATA);
    assert_int_equal(b->sent.tcp_flags, CREDIT_DATA | CREDIT_UNSCHEDULED | CREDIT_LAST);
    assert_int_equal(sends(b, 0), 0);
    frame(b, 50 * US, CREDIT_DONE, 2, 0);
    assert_true(b->ops->sender->is_done(&b->s, &b->env));
    bench_free(b);
}

/* A sender that is closed before its end wastes its credits, and answers later ones with STOP until the flow ends. */
static void closed__says_stop_to_credits(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(&transport_expresspass, UINT64_MAX));
    sends(b, 0);
    frame(b, 50 * US, CREDIT_GRANT, 0, 0);
    b->ops->sender->close(&b->s, &b->env);
    assert_int_equal(b->tally.credits_wasted, 1);
    struct packet p = {.tcp_flags = CREDIT_GRANT, .seq = 9}, answer = {.ext = EXT_NONE};
    assert_true(b->ops->base->answer_closed(&b->env, 60 * US, &p, &answer));
    assert_int_equal(answer.tcp_flags, CREDIT_STOP);
    b->tally.acked_at = 70 * US;
    assert_false(b->ops->base->answer_closed(&b->env, 80 * US, &p, &answer));
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(request__repeated_with_back_off),
        UNIT(request__tells_the_size),
        UNIT(request__to_a_far_host),
        UNIT(request__repeated_without_need_is_spurious),
        UNIT(request__after_credits),
        UNIT(data__copies_its_credit),
        UNIT(credit__without_data_is_wasted),
        UNIT(credits__wait_for_the_nic),
        UNIT(window__bounds_what_is_ahead),
        UNIT(loss__what_is_asked_for_goes_first),
        UNIT(loss__at_the_end_all_in_doubt),
        UNIT(slow_app__expresspass_wastes),
        UNIT(slow_app__spraypass_keeps),
        UNIT(slow_app__stops_and_asks_again),
        UNIT(slow_app__stop_is_repeated),
        UNIT(slow_app__old_credits_expire),
        UNIT(slow_app__immediate_expiry),
        UNIT(slow_app__after_the_last_nothing_is_kept),
        UNIT(unscheduled__until_the_first_credit),
        UNIT(unscheduled__a_whole_flow),
        UNIT(closed__says_stop_to_credits),
    };
    return RUN_UNITS(tests);
}
