/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_receiver.h"

#include "base/cells.h"
#include "transport_rows.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define GAP 1297600 /* 1622 bytes at 10 Gbps */
#define US PS_PER_US

static const struct transport_ops *const xp = &transport_expresspass;

struct bench {
    struct credit_receiver r;
    struct flow_env env;
    struct flow_tally tally;
    struct cell_pool cells;
    uint64_t counters[CREDIT_N_COUNTERS];
    int64_t params[32];
};

static void bench_set(struct bench *b, const char *name, int64_t value) {
    assert_true(row_set(xp, b->params, name, value));
}

/* A receiver of ExpressPass without jitter, unless the test says otherwise before bench_open. */
static struct bench *bench_new(void) {
    struct bench *b = calloc(1, sizeof *b);
    transport_defaults(xp, b->params);
    bench_set(b, "jitter", 0);
    b->tally.finished_at = TIME_NONE;
    b->env = (struct flow_env){.bytes = UINT64_MAX,
                               .params = b->params,
                               .row = xp,
                               .cells = &b->cells,
                               .tally = &b->tally,
                               .counters = b->counters,
                               .nic_bps = 10000000000,
                               .seed = 3,
                               .paths = {1, 1}};
    return b;
}

static struct bench *bench_open(struct bench *b, time_ps now) {
    cell_pool_init(&b->cells, transport_cell_bytes(xp, b->params));
    xp->receiver->open(&b->r, &b->env, now);
    return b;
}

static void bench_free(struct bench *b) {
    xp->receiver->close(&b->r, &b->env);
    assert_int_equal(b->cells.in_use, 0);
    cell_pool_fini(&b->cells);
    free(b);
}

static time_ps due(const struct bench *b) { return xp->receiver->next_credit(&b->r); }

/* The number of the credit that leaves now, or -1. */
static int64_t credit(struct bench *b, time_ps now) {
    struct packet p = {.ext = EXT_NONE, .path = PATH_NONE};
    bool left = xp->receiver->poll_credit(&b->r, &b->env, now, &p);
    xp->receiver->settle(&b->r, &b->env);
    if (!left) return -1;
    assert_int_equal(p.tcp_flags, CREDIT_GRANT);
    assert_int_equal(p.wire_bytes, 84);
    assert_int_equal(p.shape, SHAPE_CREDIT);
    assert_int_equal(p.tos & ECN_MASK, ECN_ECT0);
    assert_int_equal(p.seq, (uint32_t)b->r.rcv_nxt);
    return p.ack;
}

static void frame(struct bench *b, time_ps now, uint8_t flags, uint32_t seq, uint32_t number) {
    struct packet p = {.tcp_flags = flags,
                       .seq = seq,
                       .ack = number,
                       .payload_bytes = (flags & CREDIT_KIND) == CREDIT_DATA ? 1460 : 0,
                       .wire_bytes = 1538,
                       .serial = number,
                       .ext = EXT_NONE,
                       .path = PATH_NONE};
    xp->receiver->on_packet(&b->r, &b->env, now, &p);
}

static void data(struct bench *b, time_ps now, uint32_t seq, uint32_t number) {
    frame(b, now, CREDIT_DATA, seq, number);
}

/* The frame it sends now: its kind and sequence, or 0. */
static uint8_t sends(struct bench *b, uint32_t *seq) {
    struct packet p = {.ext = EXT_NONE};
    bool promised = xp->receiver->has_output(&b->r, &b->env, 0);
    assert_int_equal(xp->receiver->poll_transmit(&b->r, &b->env, 0, &p), promised);
    *seq = p.seq;
    return p.tcp_flags;
}

/* ---- spacing ---- */

static void credits__one_each_gap(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 5 * US);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(due(b), 5 * US + i * (int64_t)GAP);
        assert_int_equal(credit(b, due(b) - 1), -1);
        assert_int_equal(credit(b, due(b)), i);
    }
    assert_int_equal(b->tally.credits_sent, 1000);
    assert_int_equal(b->tally.credits_refused, 0);
    bench_free(b);
}

/* XP-20: each gap within half of the jitter of its length, all of them used, none drifting. */
static void credits__jitter(void **state) {
    (void)state;
    struct bench *b = bench_new();
    bench_set(b, "jitter", PPB / 50);
    bench_open(b, 0);
    span_ps least = TIME_NONE, most = 0;
    time_ps before = due(b);
    for (int i = 0; i < 10000; i++) {
        credit(b, before);
        least = min_i64(least, due(b) - before);
        most = max_i64(most, due(b) - before);
        before = due(b);
    }
    assert_in_range(least, GAP * 990 / 1000, GAP * 991 / 1000);
    assert_in_range(most, GAP * 1009 / 1000, GAP * 1010 / 1000);
    assert_in_range(before, 10000ll * GAP * 9998 / 10000, 10000ll * GAP * 10002 / 10000);
    bench_free(b);
}

static void credits__rate_sets_the_gap(void **state) {
    (void)state;
    struct bench *b = bench_new();
    bench_set(b, "initial_rate", PPB / 4);
    bench_open(b, 0);
    credit(b, 0);
    assert_int_equal(due(b), 4 * GAP);
    bench_free(b);
}

/* What a receiver knows of its credits the tally hears with the next data, or when it is asked for. */
static void credits__are_told_with_data(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    struct packet p = {.ext = EXT_NONE, .path = PATH_NONE};
    assert_true(xp->receiver->poll_credit(&b->r, &b->env, 3 * GAP, &p));
    assert_int_equal(b->env.refused, 3);
    assert_int_equal(b->tally.credits_sent, 0);
    data(b, 4 * GAP, 0, p.ack);
    assert_int_equal(b->tally.credits_sent, 4);
    assert_int_equal(b->tally.credits_refused, 3);
    xp->receiver->settle(&b->r, &b->env);
    assert_int_equal(b->tally.credits_sent, 4);
    bench_free(b);
}

/* The link gets a tenth of its rate, then all again: gaps follow from the next credit on, what was refused before it
 * was made at the old rate. */
static void credits__follow_the_link(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    assert_int_equal(credit(b, 0), 0);
    b->env.nic_bps = 1000000000;
    assert_int_equal(credit(b, 5 * GAP), 5);
    assert_int_equal(b->tally.credits_refused, 4);
    assert_int_equal(due(b), 15 * GAP);
    b->env.nic_bps = 10000000000;
    assert_int_equal(credit(b, 15 * GAP), 6);
    assert_int_equal(due(b), 16 * GAP);
    bench_free(b);
}

/* AM-10: the limiter came after 10.5 gaps. Ten credits were refused; the eleventh leaves, and the next is due in half a
 * gap. */
static void credits__those_not_asked_for_were_refused(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    assert_int_equal(credit(b, 10 * GAP + GAP / 2), 10);
    assert_int_equal(b->tally.credits_sent, 11);
    assert_int_equal(b->tally.credits_refused, 10);
    assert_int_equal(due(b), 11 * GAP);
    assert_int_equal(credit(b, 11 * GAP), 11);
    assert_int_equal(b->tally.credits_refused, 10);
    bench_free(b);
}

/* SP-17: a rate of 1.25 leaves as one of 1, one credit in five is refused. */
static void credits__a_rate_above_the_maximum_is_clipped(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    b->r.feedback.cur_q30 = CREDIT_ONE_Q30 / 4 * 5;
    for (int i = 0; i < 400; i++) {
        assert_int_equal(due(b), i * (int64_t)GAP);
        assert_int_equal(credit(b, due(b)), i + (i + 1) / 4);
    }
    assert_int_equal(b->tally.credits_sent, 500);
    assert_int_equal(b->tally.credits_refused, 100);
    credit(b, 410 * (int64_t)GAP); /* eleven slots, eleven quarters more */
    assert_int_equal(b->tally.credits_refused, 100 + 10 + 2);
    bench_free(b);
}

/* ---- feedback ---- */

/* Credits at all gaps of [from, to), whose data comes `rtt` later unless `lost` says so. */
static uint32_t rounds(struct bench *b, time_ps from, time_ps to, span_ps rtt, uint32_t seq, uint32_t every) {
    struct {
        time_ps at;
        uint32_t number;
    } fly[512];
    uint32_t head = 0, tail = 0;
    for (time_ps now = from; now < to;) {
        time_ps next = due(b), comes = head < tail ? fly[head % 512].at : TIME_NONE;
        now = min_i64(next, comes);
        if (now >= to) break;
        if (comes <= next) {
            data(b, now, seq++, fly[head++ % 512].number);
            continue;
        }
        int64_t number = credit(b, max_i64(now, next));
        if (number < 0 || (every > 0 && number % every == 0)) continue;
        fly[tail % 512].at = now + rtt;
        fly[tail++ % 512].number = (uint32_t)number;
    }
    return seq;
}

/* First evaluation one RTT after the first data (XP-17 a): until then no rise and no fall. */
static void feedback__first_evaluation(void **state) {
    (void)state;
    struct bench *b = bench_new();
    bench_set(b, "initial_rate", PPB / 2);
    bench_open(b, 0);
    rounds(b, 0, 99 * US, 50 * US, 0, 0);
    assert_int_equal(b->counters[CREDIT_RATE_RISES], 0);
    assert_int_equal(b->r.rtt, 50 * US);
    rounds(b, 99 * US, 105 * US, 50 * US, (uint32_t)b->r.rcv_nxt, 0);
    assert_int_equal(b->counters[CREDIT_RATE_RISES], 1);
    assert_int_equal(b->r.feedback.cur_q30, credit_q30(PPB * 3 / 4));
    bench_free(b);
}

/* One credit in four lost: the rate becomes that of the data, three quarters. */
static void feedback__loss_sets_the_data_rate(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    rounds(b, 0, 110 * US, 50 * US, 0, 4);
    assert_int_equal(b->counters[CREDIT_RATE_FALLS], 1);
    assert_in_range(b->r.feedback.cur_q30 * 1000 >> 30, 720, 780);
    bench_free(b);
}

/* X-28, the reading of Algorithm 1 as printed: after 500 us all credits vanish. No gap ever shows, but what is two
 * periods old counts as lost: the rate becomes 0, and the next evaluation, which has a deadline of its own now, lifts
 * it to a half. */
static void feedback__silence_is_loss(void **state) {
    (void)state;
    struct bench *b = bench_new();
    bench_set(b, "floor", 1 /* none */);
    bench_set(b, "empty", 1 /* success */);
    bench_open(b, 0);
    rounds(b, 0, 500 * US, 50 * US, 0, 0);
    assert_int_equal(b->counters[CREDIT_RATE_FALLS], 0);
    while (b->r.feedback.cur_q30 > 0) assert_true(due(b) < 800 * US && credit(b, due(b)) >= -1);
    assert_int_equal(b->r.lost, 0);
    assert_true(b->counters[CREDIT_TIMED_OUT] > 0);
    time_ps lift = due(b);
    assert_int_equal(lift, b->r.update_at);
    while (b->r.feedback.cur_q30 == 0) credit(b, due(b));
    assert_true(due(b) >= lift && due(b) < TIME_NONE);
    bench_free(b);
}

/* AM-21, AM-23: a period without an answer goes on. The rate stays as it was, credits keep leaving; the first answer
 * then tells of all that was lost, and sets the rate to that of the data over the whole time, one credit an RTT or
 * more. */
static void feedback__silence_is_no_evaluation(void **state) {
    (void)state;
    static const int64_t waiting[] = {0 /* hotnets */, 3 /* released */};
    for (size_t i = 0; i < 2; i++) {
        struct bench *b = bench_new();
        bench_set(b, "feedback", waiting[i]);
        bench_open(b, 0);
        uint32_t seq = rounds(b, 0, 500 * US, 50 * US, 0, 0);
        uint64_t changes = b->counters[CREDIT_RATE_FALLS] + b->counters[CREDIT_RATE_RISES];
        int64_t rate = b->r.feedback.cur_q30, last = 0;
        for (int n = 0; n < 1000; n++) last = max_i64(last, credit(b, due(b)));
        assert_true(last > 1300);
        assert_int_equal(b->r.feedback.cur_q30, rate);
        assert_true(b->counters[CREDIT_RATE_FALLS] + b->counters[CREDIT_RATE_RISES] <= changes + 1);
        assert_true(b->counters[CREDIT_PERIODS_EMPTY] > 10);
        assert_int_equal(b->counters[CREDIT_TIMED_OUT], 0);
        data(b, due(b), seq, (uint32_t)last);
        assert_int_equal(b->r.feedback.cur_q30, (b->r.full_gap << 30) / b->r.rtt); /* the floor */
        bench_free(b);
    }
}

/* AM-35, after-change: credits sent before the last change say nothing, so a lasting loss of one in four is answered
 * every second RTT and not every one. */
static void feedback__after_change(void **state) {
    (void)state;
    uint64_t falls[3];
    for (int64_t reading = 0; reading < 3; reading++) {
        struct bench *b = bench_new();
        bench_set(b, "feedback", 1 /* printed */);
        bench_set(b, "reading", reading);
        bench_open(b, 0);
        rounds(b, 0, 1000 * US, 50 * US, 0, 4);
        falls[reading] = b->counters[CREDIT_RATE_FALLS];
        bench_free(b);
    }
    assert_in_range(falls[CREDIT_READ_LITERAL], 16, 18);
    assert_in_range(falls[CREDIT_READ_AFTER_CHANGE], 7, 9);
    assert_in_range(falls[CREDIT_READ_DATA_RATE], 16, 18);
}

/* The weight of the printed feedback stays within the parameters: up to w_max without loss, down to w_min with
 * it. */
static void feedback__weight_between_its_bounds(void **state) {
    (void)state;
    for (int loses = 0; loses < 2; loses++) {
        struct bench *b = bench_new();
        bench_set(b, "feedback", 1 /* printed */);
        bench_set(b, "w_init", PPB / 16);
        bench_set(b, "w_max", PPB / 8);
        bench_set(b, "w_min", PPB / 50);
        bench_open(b, 0);
        rounds(b, 0, 1500 * US, 50 * US, 0, loses ? 4 : 0);
        assert_in_range(b->r.feedback.w_q30, credit_q30(loses ? PPB / 50 : PPB / 8) - 64,
                        credit_q30(loses ? PPB / 50 : PPB / 8));
        bench_free(b);
    }
}

/* A number below one that was seen: its gap was a false loss (XP-16). */
static void feedback__false_loss(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    for (int i = 0; i < 4; i++) credit(b, due(b));
    data(b, 50 * US, 0, 1);
    assert_int_equal(b->r.lost, 1);
    data(b, 50 * US, 1, 0);
    data(b, 50 * US, 2, 2);
    assert_int_equal(b->counters[CREDIT_OUT_OF_ORDER], 1);
    assert_int_equal(b->r.lost, 1);
    assert_int_equal(b->r.arrived, 3);
    data(b, 50 * US, 3, 99); /* a number that was never sent says nothing */
    assert_int_equal(b->r.arrived, 3);
    bench_free(b);
}

/* 0.8 / 0.2; one credit at a time. */
static void rtt__smoothed(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    credit(b, 0);
    credit(b, GAP);
    data(b, 50 * US, 0, 0);
    assert_int_equal(b->r.rtt, 50 * US);
    data(b, 50 * US + GAP, 1, 1); /* was not timed */
    assert_int_equal(b->r.rtt, 50 * US);
    int64_t number = credit(b, 40 * GAP);
    data(b, 40 * GAP + 100 * US, 2, (uint32_t)number);
    assert_int_equal(b->r.rtt, 60 * US);
    bench_free(b);
}

/* The timed credit is lost: the first data still gives a first guess, and another credit is timed. */
static void rtt__timed_credit_lost(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    for (int i = 0; i < 40; i++) credit(b, due(b));
    data(b, 50 * US + GAP, 0, 1);
    assert_int_equal(b->r.rtt, 50 * US + GAP);
    credit(b, 100 * US);
    assert_int_equal(b->r.timed_number, 0);
    int64_t timed = credit(b, 110 * US);
    assert_int_equal(b->r.timed_number, timed);
    data(b, 160 * US, 1, (uint32_t)timed);
    assert_int_equal(b->r.rtt, 50 * US + GAP + (50 * US - (50 * US + GAP)) / 5);
    bench_free(b);
}

/* ---- order ---- */

/* SP-24: packets held when one comes out of order. */
static void reorder__degree(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    for (int i = 0; i < 10; i++) credit(b, due(b));
    static const uint32_t order[] = {0, 2, 3, 5, 1, 4, 6};
    for (uint32_t i = 0; i < 7; i++) data(b, 50 * US, order[i], order[i]); /* the serial is the order of sending */
    assert_int_equal(b->r.rcv_nxt, 7);
    assert_int_equal(b->tally.max_reorder_pkts, 3);
    assert_int_equal(b->tally.reordered_pkts, 2); /* 1 and 4 */
    assert_int_equal(b->counters[CREDIT_REORDER_0], 4);
    assert_int_equal(b->counters[CREDIT_REORDER_1], 1);
    assert_int_equal(b->counters[CREDIT_REORDER_2], 1);
    assert_int_equal(b->counters[CREDIT_REORDER_3], 1);
    assert_int_equal(b->tally.received_bytes, 7 * 1460);
    data(b, 50 * US, 3, 7);
    data(b, 50 * US, 9, 8);
    data(b, 50 * US, 9, 9);
    assert_int_equal(b->tally.duplicate_pkts, 2);
    assert_int_equal(b->tally.received_bytes, 8 * 1460);
    bench_free(b);
}

/* Every bucket of the histogram, and the largest window. */
static void reorder__buckets(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    for (uint32_t i = 1; i < 4096; i++) data(b, 50 * US, i, i);
    static const uint32_t held[] = {1, 1, 1, 4, 8, 16, 32, 64, 128, 4095 - 255};
    for (int k = 0; k < 10; k++) assert_int_equal(b->counters[CREDIT_REORDER_1 + k], held[k]);
    data(b, 50 * US, 4096, 0); /* no sender is so far ahead */
    assert_int_equal(b->tally.max_reorder_pkts, 4095);
    data(b, 50 * US, 0, 0);
    assert_int_equal(b->r.rcv_nxt, 4096);
    bench_free(b);
}

/* Segments' numbers wrap. */
static void reorder__numbers_wrap(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    b->r.rcv_nxt = b->r.high = 0xfffffffeull;
    data(b, 0, 0xfffffffe, 0);
    data(b, 0, 0, 0);
    assert_int_equal(b->r.reorder->n_held, 1);
    data(b, 0, 0xffffffff, 0);
    assert_int_equal(b->r.rcv_nxt, 0x100000001ll);
    bench_free(b);
}

/* ---- the end ---- */

static void last__done_with_all_segments(void **state) {
    (void)state;
    uint32_t seq;
    struct bench *b = bench_open(bench_new(), 0);
    credit(b, 0);
    credit(b, GAP);
    data(b, 50 * US, 0, 0);
    frame(b, 52 * US, CREDIT_DATA | CREDIT_LAST, 1, 1);
    assert_int_equal(b->tally.finished_at, 52 * US);
    assert_int_equal(due(b), TIME_NONE);
    assert_false(xp->receiver->is_done(&b->r, &b->env));
    assert_int_equal(sends(b, &seq), CREDIT_DONE);
    assert_int_equal(seq, 2);
    assert_true(xp->receiver->is_done(&b->r, &b->env));
    assert_int_equal(sends(b, &seq), 0);
    bench_free(b);
}

/* A segment is missing: it may be late; credits go on an RTT later. */
static void last__pauses_while_segments_are_missing(void **state) {
    (void)state;
    uint32_t seq;
    struct bench *b = bench_open(bench_new(), 0);
    for (int i = 0; i < 3; i++) credit(b, due(b));
    data(b, 50 * US, 0, 0);
    frame(b, 52 * US, CREDIT_DATA | CREDIT_LAST, 2, 2);
    assert_int_equal(due(b), 102 * US);
    assert_int_equal(sends(b, &seq), 0);
    assert_true(credit(b, 102 * US) >= 3);
    data(b, 150 * US, 1, 1);
    assert_int_equal(b->tally.finished_at, 150 * US);
    bench_free(b);
}

/* SP-13: no credits after STOP; a request starts them again, and what was on its way is no loss. */
static void stop__until_the_next_request(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    for (int i = 0; i < 40; i++) credit(b, due(b));
    data(b, 50 * US, 0, 0);
    frame(b, 60 * US, CREDIT_STOP, 1, 0);
    assert_int_equal(due(b), TIME_NONE);
    assert_int_equal(credit(b, 70 * US), -1);
    frame(b, PS_PER_MS, CREDIT_REQUEST, 1, 0);
    assert_int_equal(due(b), PS_PER_MS);
    assert_int_equal(credit(b, PS_PER_MS), 40);
    data(b, PS_PER_MS + 50 * US, 1, 40);
    assert_int_equal(b->r.lost, 0);
    assert_int_equal(b->tally.credits_refused, 0);
    bench_free(b);
}

/* A closed receiver answers what may come from a sender that does not know, and nothing else. */
static void closed__says_done(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    b->env.bytes = 1461;
    for (uint8_t kind = 0; kind <= CREDIT_KIND; kind++) {
        struct packet p = {.tcp_flags = kind}, answer = {.ext = EXT_NONE};
        bool answers = xp->base->answer_closed(&b->env, 0, &p, &answer);
        b->tally.acked_at = PS_PER_MS; /* its sender knows */
        assert_int_equal(answers, kind == CREDIT_REQUEST || kind == CREDIT_DATA);
        if (!answers) continue;
        assert_int_equal(answer.tcp_flags, CREDIT_DONE);
        assert_int_equal(answer.seq, 2);
        assert_int_equal(answer.wire_bytes, 84);
    }
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(credits__one_each_gap),
        UNIT(credits__are_told_with_data),
        UNIT(credits__jitter),
        UNIT(credits__rate_sets_the_gap),
        UNIT(credits__follow_the_link),
        UNIT(credits__those_not_asked_for_were_refused),
        UNIT(credits__a_rate_above_the_maximum_is_clipped),
        UNIT(feedback__first_evaluation),
        UNIT(feedback__loss_sets_the_data_rate),
        UNIT(feedback__silence_is_loss),
        UNIT(feedback__silence_is_no_evaluation),
        UNIT(feedback__after_change),
        UNIT(feedback__weight_between_its_bounds),
        UNIT(feedback__false_loss),
        UNIT(rtt__smoothed),
        UNIT(rtt__timed_credit_lost),
        UNIT(reorder__degree),
        UNIT(reorder__buckets),
        UNIT(reorder__numbers_wrap),
        UNIT(last__done_with_all_segments),
        UNIT(last__pauses_while_segments_are_missing),
        UNIT(stop__until_the_next_request),
        UNIT(closed__says_done),
    };
    return RUN_UNITS(tests);
}
