/* SPDX-License-Identifier: Apache-2.0 */
/* The feedback of the credit receiver: when it evaluates losses, and how it measures the RTT. The rate's arithmetic is
 * tested in test_credit_feedback.c. */
#include "credit_receiver_bench.h"

/* Polls a credit at every gap of [from, to) and delivers its data `rtt` later, except for every `every`-th. Returns the
 * next sequence number. */
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

/* AM-37: with hotnets the first period has run since the request, and ends when the first credit after the first data
 * leaves. With the other rules it begins with the first data (XP-17 a). */
static void feedback__first_evaluation(void **state) {
    (void)state;
    struct bench *b = bench_new();
    bench_set(b, "initial_rate", PPB / 2);
    bench_open(b, 0);
    rounds(b, 0, 50 * US + 1, 50 * US, 0, 0);
    assert_int_equal(b->r.rtt, 50 * US);
    assert_int_equal(b->counters[CREDIT_RATE_RISES], 0);
    time_ps next = due(b);
    assert_in_range(next, 50 * US + 1, 50 * US + 2 * GAP);
    assert_true(credit(b, next) >= 0);
    assert_int_equal(b->counters[CREDIT_RATE_RISES], 1);
    assert_int_equal(b->r.feedback.cur_q30, credit_q30(PPB * 3 / 4));
    bench_free(b);
}

static void feedback__first_evaluation_of_the_others(void **state) {
    (void)state;
    struct bench *b = bench_new();
    bench_set(b, "initial_rate", PPB / 2);
    bench_set(b, "feedback", 3 /* released */);
    bench_open(b, 0);
    rounds(b, 0, 99 * US, 50 * US, 0, 0);
    assert_int_equal(b->counters[CREDIT_RATE_RISES], 0);
    rounds(b, 99 * US, 105 * US, 50 * US, (uint32_t)b->r.rcv_nxt, 0);
    assert_int_equal(b->counters[CREDIT_RATE_RISES], 1);
    bench_free(b);
}

/* AM-37: the first data is for credit 38, and the 38 before it were lost. The first period has had one data frame in
 * the 100 us since the request, so the rate falls to 1.3 %; the floor of one credit in 50 us is at 2.6 %. */
static void feedback__first_evaluation_counts_from_the_request(void **state) {
    (void)state;
    for (int64_t floor = 0; floor < 2; floor++) {
        struct bench *b = bench_new();
        bench_set(b, "floor", floor);
        bench_open(b, 0);
        time_ps left = 0;
        for (int64_t number = -1; number < 38; number = credit(b, left)) left = due(b);
        for (time_ps at = due(b); at < left + 50 * US; at = due(b)) credit(b, at);
        data(b, left + 50 * US, 0, 38);
        assert_int_equal(b->r.lost, 38);
        time_ps next = due(b);
        credit(b, next);
        assert_int_equal(b->counters[CREDIT_RATE_FALLS], 1);
        int64_t once = ((int64_t)GAP << 30) / next, least = ((int64_t)GAP << 30) / b->r.rtt;
        assert_int_equal(b->r.feedback.cur_q30, floor ? once : least);
        assert_in_range(once * 1000 >> 30, 12, 13);
        assert_in_range(least * 1000 >> 30, 25, 26);
        bench_free(b);
    }
}

/* One credit in four is lost: the rate becomes that of the data. The first period has its first data alone; the second
 * has three quarters. */
static void feedback__loss_sets_the_data_rate(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    rounds(b, 0, 110 * US, 50 * US, 0, 4);
    assert_int_equal(b->counters[CREDIT_RATE_FALLS], 2);
    assert_in_range(b->r.feedback.cur_q30 * 1000 >> 30, 720, 780);
    bench_free(b);
}

/* AM-38: a rate of a tenth whose data comes back in bursts, a loss among them. The rate of the data is above it: the
 * listing raises the rate to that, never-raise leaves it alone. */
static void feedback__a_cut_that_raises(void **state) {
    (void)state;
    int64_t after[2];
    for (int64_t cut = 0; cut < 2; cut++) {
        struct bench *b = bench_new();
        bench_set(b, "cut", cut);
        bench_set(b, "initial_rate", PPB / 10);
        bench_open(b, 0);
        time_ps last = 0;
        for (int i = 0; i < 21; i++) credit(b, last = due(b));
        data(b, last, 0, 0);
        b->r.period_from = last; /* all others arrive within 20 gaps */
        b->r.update_at = last + 20 * GAP;
        for (uint32_t i = 2; i < 21; i++) data(b, last + i * GAP / 2, i - 1, i);
        assert_int_equal(b->r.lost, 1);
        b->r.next_at = last + 20 * GAP;
        credit(b, last + 20 * GAP);
        assert_int_equal(b->counters[CREDIT_RATE_FALLS], 1);
        after[cut] = b->r.feedback.cur_q30;
        bench_free(b);
    }
    assert_in_range(after[0] * 1000 >> 30, 950, 1000);
    assert_int_equal(after[1], credit_q30(PPB / 10));
}

/* X-28, Algorithm 1 as printed: after 500 us all credits vanish. No gap shows, but credits older than two periods count
 * as lost. The rate falls to 0, and the next evaluation, at a deadline of its own, raises it to a half. */
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
    uint64_t empty = b->counters[CREDIT_PERIODS_EMPTY];
    while (b->r.feedback.cur_q30 == 0) credit(b, due(b));
    assert_true(b->counters[CREDIT_PERIODS_EMPTY] > empty); /* no credit was sent, so none was lost either */
    assert_true(due(b) >= lift && due(b) < TIME_NONE);
    bench_free(b);
}

/* AM-21, AM-23: a period without data is not evaluated. The rate stays and credits leave until the first data reports
 * all losses at once. The rate then falls to that of the data over the whole time, at least one credit per RTT. */
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

/* AM-35, after-change: losses of credits sent before the last change do not count, so a lasting loss of one in four
 * cuts the rate every second RTT. */
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

/* The weight of the printed feedback stays within its parameters: it grows to w_max without loss and falls to w_min
 * with it. */
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

/* A credit number arrives after a higher one: the gap was a false loss (XP-16). */
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
    data(b, 50 * US, 3, 99); /* a number that was never sent: ignored */
    assert_int_equal(b->r.arrived, 3);
    bench_free(b);
}

/* ---- RTT ---- */

/* The RTT is smoothed with weights 0.8 and 0.2; one credit at a time is timed. */
static void rtt__smoothed(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    credit(b, 0);
    credit(b, GAP);
    data(b, 50 * US, 0, 0);
    assert_int_equal(b->r.rtt, 50 * US);
    data(b, 50 * US + GAP, 1, 1); /* not timed */
    assert_int_equal(b->r.rtt, 50 * US);
    int64_t number = credit(b, 40 * GAP);
    data(b, 40 * GAP + 100 * US, 2, (uint32_t)number);
    assert_int_equal(b->r.rtt, 60 * US);
    bench_free(b);
}

/* AM-37: the timed credit is lost. The first data gives the round trip of its own credit by its stamp, within half a
 * unit of 1.05 us, not the age of the lost one; a later credit is timed. */
static void rtt__timed_credit_lost(void **state) {
    (void)state;
    struct bench *b = bench_open(bench_new(), 0);
    time_ps left = 0;
    for (int i = 0; i < 40; i++) credit(b, left = due(b));
    data(b, left + 50 * US, 0, 39);
    span_ps first = b->r.rtt;
    assert_in_range(first, 50 * US - 524288, 50 * US + 524288);
    int64_t timed = credit(b, left + 51 * US);
    assert_int_equal(b->r.timed_number, timed);
    data(b, left + 101 * US, 1, (uint32_t)timed);
    assert_int_equal(b->r.rtt, first + (50 * US - first) / 5);
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(feedback__first_evaluation),
        UNIT(feedback__first_evaluation_of_the_others),
        UNIT(feedback__first_evaluation_counts_from_the_request),
        UNIT(feedback__a_cut_that_raises),
        UNIT(feedback__loss_sets_the_data_rate),
        UNIT(feedback__silence_is_loss),
        UNIT(feedback__silence_is_no_evaluation),
        UNIT(feedback__after_change),
        UNIT(feedback__weight_between_its_bounds),
        UNIT(feedback__false_loss),
        UNIT(rtt__smoothed),
        UNIT(rtt__timed_credit_lost),
    };
    return RUN_UNITS(tests);
}
