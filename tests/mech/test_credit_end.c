/* SPDX-License-Identifier: Apache-2.0 */
/* Credits that end with the flow (AM-55): a receiver that knows the flow's size, by hand. GAP is 1.2976 us. */
#include "credit_receiver_bench.h"

#include <string.h>

static struct bench *bench_sized(uint32_t spare, uint32_t segments) {
    struct bench *b = bench_new();
    bench_set(b, "credit_end", CREDIT_END_SIZE);
    bench_set(b, "credit_spare", spare);
    bench_open(b, 0);
    frame(b, 0, CREDIT_REQUEST, 0, segments);
    return b;
}

/* Polls all credits that are due until `until`. Returns how many left. */
static uint32_t credits_until(struct bench *b, time_ps until) {
    uint32_t n = 0;
    for (time_ps at = due(b); at <= until; at = due(b)) n += credit(b, at) >= 0;
    return n;
}

/* A flow of three segments with two spare credits, round trip 50 us: credits 0 to 4 leave a gap apart, the data of
 * three of them ends the flow, two are wasted. Without the size 39 leave before the first data. */
static void end__three_segments(void **state) {
    (void)state;
    struct bench *b = bench_sized(2, 3);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(due(b), i * (int64_t)GAP);
        assert_int_equal(credit(b, due(b)), i);
    }
    assert_int_equal(due(b), 200 * US); /* when the oldest expires: min_rto, no round trip is known yet */
    data(b, 50 * US, 0, 0);
    assert_int_equal(b->r.rtt, 50 * US);
    assert_int_equal(credits_until(b, 50 * US + GAP), 0);
    data(b, 50 * US + GAP, 1, 1);
    assert_int_equal(credits_until(b, 50 * US + 2 * GAP), 0);
    frame(b, 50 * US + 2 * GAP, CREDIT_DATA | CREDIT_LAST, 2, 2);
    assert_int_equal(due(b), TIME_NONE);
    assert_int_equal(b->tally.finished_at, 50 * US + 2 * GAP);
    assert_int_equal(b->tally.credits_sent, 5);
    assert_int_equal(b->tally.credits_refused, 0);
    char text[256];
    xp->receiver->describe(&b->r, &b->env, text, sizeof text);
    assert_non_null(strstr(text, ", 2 credits outstanding"));
    bench_free(b);
    b = bench_open(bench_new(), 0);
    frame(b, 0, CREDIT_REQUEST, 0, 3);
    assert_int_equal(credits_until(b, 50 * US), 39);
    bench_free(b);
}

/* Credits 0 and 1 are lost. The data of credit 2 tells: two more may leave, one at once and one a gap later. Nothing
 * counts as refused for the time in which credits were held back. */
static void end__a_hole_makes_room(void **state) {
    (void)state;
    struct bench *b = bench_sized(0, 3);
    assert_int_equal(credits_until(b, 50 * US), 3);
    data(b, 50 * US, 0, 2);
    assert_int_equal(due(b), 50 * US);
    assert_int_equal(credit(b, 50 * US), 3);
    assert_int_equal(due(b), 50 * US + b->r.gap);
    assert_int_equal(credit(b, due(b)), 4);
    assert_int_equal(b->tally.credits_refused, 0);
    assert_int_equal(due(b), 50 * US + 2 * b->r.rtt);
    bench_free(b);
}

/* The last credit is lost, and no later one tells. It expires two round trips after it left. */
static void end__a_lost_last_credit_expires(void **state) {
    (void)state;
    struct bench *b = bench_sized(0, 2);
    assert_int_equal(credits_until(b, 50 * US), 2);
    data(b, 50 * US, 0, 0);
    assert_int_equal(due(b), GAP + 100 * US);
    assert_int_equal(credit(b, GAP + 100 * US - 1), -1);
    assert_int_equal(credit(b, GAP + 100 * US), 2);
    bench_free(b);
}

/* With a spare credit the loss of the last one costs nothing. */
static void end__a_spare_credit_replaces_a_lost_one(void **state) {
    (void)state;
    struct bench *b = bench_sized(1, 2);
    assert_int_equal(credits_until(b, 50 * US), 3);
    data(b, 50 * US, 0, 0);
    frame(b, 50 * US + 2 * GAP, CREDIT_DATA | CREDIT_LAST, 1, 2);
    assert_int_equal(b->tally.finished_at, 50 * US + 2 * GAP);
    bench_free(b);
}

/* All credits are lost before the first data: new ones follow as the old ones expire, 200 us after each, or after
 * twice the base round trip of far hosts. */
static void end__all_credits_lost(void **state) {
    (void)state;
    for (int far = 0; far <= 1; far++) {
        struct bench *b = bench_sized(0, 2);
        if (far) b->env.trip_ps = 400 * US;
        assert_int_equal(credits_until(b, 2 * GAP), 2);
        time_ps again = far ? 800 * US : 200 * US;
        credit(b, 3 * GAP);
        assert_int_equal(due(b), again);
        assert_int_equal(credit(b, again), 2);
        assert_int_equal(due(b), again + GAP);
        assert_int_equal(credit(b, again + GAP), 3);
        bench_free(b);
    }
}

/* A request without a size, and requests without the key, leave credits as they were. */
static void end__no_size(void **state) {
    (void)state;
    struct bench *b = bench_sized(2, 0);
    assert_int_equal(credits_until(b, 50 * US), 39);
    bench_free(b);
}

/* The last request counts: a size that grows makes room, a repeated request changes nothing. */
static void end__a_size_that_changes(void **state) {
    (void)state;
    struct bench *b = bench_sized(2, 3);
    assert_int_equal(credits_until(b, 20 * US), 5);
    frame(b, 20 * US, CREDIT_REQUEST, 0, 3);
    assert_int_equal(credits_until(b, 30 * US), 0);
    frame(b, 30 * US, CREDIT_REQUEST, 0, 6);
    assert_int_equal(due(b), 30 * US);
    assert_int_equal(credits_until(b, 150 * US), 3);
    frame(b, 150 * US, CREDIT_REQUEST, 0, 0); /* no longer known */
    assert_int_equal(credits_until(b, 150 * US + 20 * GAP - 1), 20);
    bench_free(b);
}

/* Data beyond the size that was told lifts the limit, until LAST tells the size anew. */
static void end__more_data_than_told(void **state) {
    (void)state;
    struct bench *b = bench_sized(1, 2);
    assert_int_equal(credits_until(b, 49 * US), 3);
    for (uint32_t i = 0; i < 3; i++) data(b, 50 * US, i, i);
    assert_int_equal(credits_until(b, 90 * US), 31);
    frame(b, 90 * US, CREDIT_DATA | CREDIT_LAST, 5, 10); /* segments 3 and 4 are missing; 23 credits are outstanding */
    assert_int_equal(b->r.outstanding.n, 23);
    assert_int_equal(credits_until(b, 99 * US), 0);
    bench_free(b);
}

/* A size below what the flow has, all of which has arrived: a credit leaves each two round trips, so that a flow that
 * has more goes on even without spare credits. */
static void end__less_told_than_there_is(void **state) {
    (void)state;
    struct bench *b = bench_sized(0, 1);
    assert_int_equal(credits_until(b, 50 * US), 1);
    data(b, 50 * US, 0, 0);
    assert_int_equal(credits_until(b, 50 * US), 1);
    assert_int_equal(due(b), 150 * US);
    data(b, 100 * US, 1, 1);
    assert_int_equal(credits_until(b, 110 * US), 8); /* at once, then one each gap */
    bench_free(b);
}

/* After LAST credits pause for a round trip although there is room, as without the size (XP-26). */
static void end__last_before_other_data(void **state) {
    (void)state;
    struct bench *b = bench_sized(0, 3);
    assert_int_equal(credits_until(b, 50 * US), 3);
    data(b, 50 * US, 0, 0);
    frame(b, 50 * US + 2 * GAP, CREDIT_DATA | CREDIT_LAST, 2, 2);
    assert_int_equal(b->r.outstanding.n, 0); /* credit 1 was passed: its data, segment 1, is lost */
    assert_int_equal(due(b), 100 * US + 2 * GAP);
    assert_int_equal(credits_until(b, 110 * US), 1);
    bench_free(b);
}

/* After a STOP no credit is outstanding: a new request gets new ones at once. Answers to the old ones do no harm. */
static void end__stop_and_request(void **state) {
    (void)state;
    struct bench *b = bench_sized(0, 2);
    assert_int_equal(credits_until(b, 20 * US), 2);
    frame(b, 30 * US, CREDIT_STOP, 0, 0);
    assert_int_equal(due(b), TIME_NONE);
    frame(b, 40 * US, CREDIT_REQUEST, 0, 2);
    assert_int_equal(b->r.outstanding.n, 0);
    assert_int_equal(credits_until(b, 50 * US), 2);
    data(b, 51 * US, 0, 1);
    assert_int_equal(b->r.outstanding.n, 2);
    bench_free(b);
}

/* Credits that the own limiter refused are lost at once: they take numbers, but are not outstanding. */
static void end__refused_credits_are_not_outstanding(void **state) {
    (void)state;
    struct bench *b = bench_sized(0, 3);
    assert_int_equal(credit(b, 10 * GAP), 10);
    assert_int_equal(credit(b, 20 * GAP), 20);
    assert_int_equal(b->tally.credits_refused, 19);
    assert_int_equal(b->r.outstanding.n, 2);
    assert_int_equal(credit(b, 21 * GAP), 21);
    assert_int_equal(credits_until(b, 50 * US), 0);
    bench_free(b);
}

/* A rate of 0 stays one: the limit makes no credit due. */
static void end__a_rate_of_nothing(void **state) {
    (void)state;
    struct bench *b = bench_new();
    bench_set(b, "credit_end", CREDIT_END_SIZE);
    bench_set(b, "floor", 1 /* none */);
    bench_open(b, 0);
    frame(b, 0, CREDIT_REQUEST, 0, 3);
    credits_until(b, 10 * US);
    b->r.feedback.cur_q30 = 0;
    b->r.gap = 0;
    b->r.next_at = TIME_NONE;
    data(b, 50 * US, 0, 4); /* credits 0 to 3 are lost, so there is room */
    assert_int_equal(b->r.next_at, TIME_NONE);
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(end__three_segments),
        UNIT(end__a_hole_makes_room),
        UNIT(end__a_lost_last_credit_expires),
        UNIT(end__a_spare_credit_replaces_a_lost_one),
        UNIT(end__all_credits_lost),
        UNIT(end__no_size),
        UNIT(end__a_size_that_changes),
        UNIT(end__more_data_than_told),
        UNIT(end__less_told_than_there_is),
        UNIT(end__last_before_other_data),
        UNIT(end__stop_and_request),
        UNIT(end__refused_credits_are_not_outstanding),
        UNIT(end__a_rate_of_nothing),
    };
    return RUN_UNITS(tests);
}
