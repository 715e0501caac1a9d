/* SPDX-License-Identifier: Apache-2.0 */
/* The credit receiver without its feedback: spacing of credits, order of segments, and the end of a flow. */
#include "credit_receiver_bench.h"

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

/* XP-20: each gap deviates by at most half of the jitter, the whole range occurs, and the mean does not drift. */
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

/* The receiver updates the tally with the next data, or in settle(). */
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

/* The link falls to a tenth of its rate and recovers. The gap changes with the next credit; credits refused before
 * count at the old rate. */
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

/* AM-10: the limiter polls after 10.5 gaps. Ten credits count as refused, the eleventh leaves, and the next is due in
 * half a gap. */
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

/* SP-17: credits at a rate of 1.25 leave at rate 1, and one in five is refused. */
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
    credit(b, 410 * (int64_t)GAP); /* eleven slots are eleven quarters more */
    assert_int_equal(b->tally.credits_refused, 100 + 10 + 2);
    bench_free(b);
}

/* ---- order ---- */

/* SP-24: the histogram counts the packets that are held when a frame comes out of order. */
static void reorder__degree(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    for (int i = 0; i < 10; i++) credit(b, due(b));
    static const uint32_t order[] = {0, 2, 3, 5, 1, 4, 6};
    for (uint32_t i = 0; i < 7; i++) data(b, 50 * US, order[i], order[i]); /* serials follow the order of sending */
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

/* Every bucket of the histogram fills, up to the largest window. */
static void reorder__buckets(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    for (uint32_t i = 1; i < 4096; i++) data(b, 50 * US, i, i);
    static const uint32_t held[] = {1, 1, 1, 4, 8, 16, 32, 64, 128, 4095 - 255};
    for (int k = 0; k < 10; k++) assert_int_equal(b->counters[CREDIT_REORDER_1 + k], held[k]);
    data(b, 50 * US, 4096, 0); /* beyond the window */
    assert_int_equal(b->tally.max_reorder_pkts, 4095);
    data(b, 50 * US, 0, 0);
    assert_int_equal(b->r.rcv_nxt, 4096);
    bench_free(b);
}

/* Segment numbers wrap around. */
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

/* Polls a frame. Returns its kind, or 0 for none, and writes its sequence number to *seq. */
static uint8_t sends(struct bench *b, uint32_t *seq) {
    struct packet p = {.ext = EXT_NONE};
    bool promised = xp->receiver->has_output(&b->r, &b->env, 0);
    assert_int_equal(xp->receiver->poll_transmit(&b->r, &b->env, 0, &p), promised);
    *seq = p.seq;
    return p.tcp_flags;
}

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
    static const uint8_t kinds[] = {CREDIT_DATA, CREDIT_REQUEST,
                                    CREDIT_STOP}; /* the DONE was lost: data and requests ask again */
    for (int i = 0; i < 3; i++) {
        frame(b, (60 + i) * US, kinds[i], 1, 1);
        assert_int_equal(sends(b, &seq), i < 2 ? CREDIT_DONE : 0);
        assert_true(xp->receiver->is_done(&b->r, &b->env));
    }
    bench_free(b);
}

/* A segment is missing at the end but may be late: credits resume after an RTT. */
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

/* SP-13: STOP ends credits and a request restarts them; credits that were in flight do not count as lost. */
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

/* A closed receiver answers requests and data with DONE and, once its sender has closed, nothing else. */
static void closed__says_done(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    b->env.bytes = 1461;
    for (uint8_t kind = 0; kind <= CREDIT_KIND; kind++) {
        struct packet p = {.tcp_flags = kind}, answer = {.ext = EXT_NONE};
        bool answers = xp->base->answer_closed(&b->env, 0, &p, &answer);
        b->tally.acked_at = PS_PER_MS; /* its sender has closed */
        assert_int_equal(answers, kind == CREDIT_REQUEST || kind == CREDIT_DATA);
        if (!answers) continue;
        assert_int_equal(answer.tcp_flags, CREDIT_DONE);
        assert_int_equal(answer.seq, 2);
        assert_int_equal(answer.wire_bytes, 84);
    }
    bench_free(b);
}

/* A stopped receiver resumes at its rate; one whose rate had fallen to nothing, half of the way up. */
static void request__a_stopped_receiver_resumes(void **state) {
    (void)state;
    static const int64_t before[] = {CREDIT_ONE_Q30 / 4, 0}, after[] = {CREDIT_ONE_Q30 / 4, CREDIT_ONE_Q30 / 2};
    for (int i = 0; i < 2; i++) {
        struct bench *b = bench_open(bench_new(), 0);
        b->r.state = CREDIT_STOPPED;
        b->r.feedback.cur_q30 = before[i];
        b->r.gap = before[i] ? 4 * GAP : 0;
        b->r.next_at = TIME_NONE;
        frame(b, PS_PER_MS, CREDIT_REQUEST, 1, 0);
        assert_int_equal(b->r.state, CREDIT_CREDITING);
        assert_int_equal(b->r.feedback.cur_q30, after[i]);
        assert_int_equal(b->r.gap, i ? 2 * GAP : 4 * GAP);
        assert_int_equal(due(b), PS_PER_MS);
        bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(request__a_stopped_receiver_resumes),
        UNIT(credits__one_each_gap),
        UNIT(credits__are_told_with_data),
        UNIT(credits__jitter),
        UNIT(credits__rate_sets_the_gap),
        UNIT(credits__follow_the_link),
        UNIT(credits__those_not_asked_for_were_refused),
        UNIT(credits__a_rate_above_the_maximum_is_clipped),
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
