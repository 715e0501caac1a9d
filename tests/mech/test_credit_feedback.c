/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_feedback.h"

#include "base/random.h"
#include "unit.h"

#define ONE CREDIT_ONE_Q30

/* Returns a Q30 value in thousandths. */
static int64_t milli(int64_t q30) { return (q30 * 1000 + ONE / 2) >> 30; }

/* Algorithm 1 of the 2016 paper: a rise goes half of the way up, a fall to the rate of the data. Four periods lift zero
 * above 90 %. */
static void hotnets__golden_trace(void **state) {
    (void)state;
    static const struct {
        bool lost;
        int64_t data_q30, expect_q30;
    } trace[] = {{false, 0, ONE / 2},
                 {false, ONE / 2, ONE * 3 / 4},
                 {false, ONE * 3 / 4, ONE * 7 / 8},
                 {false, ONE * 7 / 8, ONE * 15 / 16},
                 {true, ONE / 3, ONE / 3},
                 {true, ONE / 5, ONE / 5},
                 {false, ONE / 5, (ONE / 5 + ONE) / 2},
                 {true, 0, 0}, /* all lost; the next rise restores a half */
                 {false, 0, ONE / 2}};
    struct credit_feedback f = {0};
    for (size_t i = 0; i < sizeof trace / sizeof *trace; i++) {
        bool rose = credit_step_hotnets(&f, trace[i].lost, trace[i].data_q30, 0);
        assert_int_equal(rose, !trace[i].lost);
        assert_int_equal(f.cur_q30, trace[i].expect_q30);
    }
}

/* AM-23: with a floor the flow survives a period without data; without a floor the rate is zero until the next rise. */
static void hotnets__floor(void **state) {
    (void)state;
    struct credit_feedback f = {.cur_q30 = ONE};
    assert_false(credit_step_hotnets(&f, true, 0, ONE / 77));
    assert_int_equal(f.cur_q30, ONE / 77);
    credit_step_hotnets(&f, true, 0, 0);
    assert_int_equal(f.cur_q30, 0);
}

/* 38 frames of 1.2976 us in 100 us are 49.3 %. The share is at most one. */
static void data_rate__share_of_the_maximum(void **state) {
    (void)state;
    assert_int_equal(milli(credit_data_rate_q30(38, 1297600, 100 * PS_PER_US)), 493);
    assert_int_equal(credit_data_rate_q30(80, 1297600, 100 * PS_PER_US), ONE);
    assert_int_equal(credit_data_rate_q30(0, 1297600, 100 * PS_PER_US), 0);
    assert_int_equal(credit_data_rate_q30(4000000000u, 13000000, 60 * PS_PER_S), ONE);
    assert_int_equal(credit_data_rate_q30(20000, 1297600, 52 * PS_PER_MS), 535879765); /* 2^30 x 25.952 ms / 52 ms */
}

/* XP-19: a cut keeps the ratio of two rates; a rise moves the ratio towards one, never past it. */
static void hotnets__rates_converge(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 1, RANDOM_HOST, 19);
    for (int i = 0; i < 10000; i++) {
        int64_t a = 1 + (int64_t)random_below(&s, ONE - 1), b = 1 + (int64_t)random_below(&s, ONE - 1);
        struct credit_feedback fa = {.cur_q30 = a}, fb = {.cur_q30 = b};
        credit_step_hotnets(&fa, false, a, 0);
        credit_step_hotnets(&fb, false, b, 0);
        /* (a + C) / (b + C) lies between a / b and one; cross products allow for the rounding of half a unit */
        int128 before = (int128)a * fb.cur_q30, after = (int128)fa.cur_q30 * b;
        if (a < b) assert_true(after + b >= before && fa.cur_q30 <= fb.cur_q30);
        if (a > b) assert_true(after <= before + a && fa.cur_q30 >= fb.cur_q30);
        /* the bottleneck gives both flows the same share k of their credits */
        int64_t k = 1 + (int64_t)random_below(&s, ONE);
        credit_step_hotnets(&fa, true, (a * k) >> 30, 0);
        credit_step_hotnets(&fb, true, (b * k) >> 30, 0);
        int128 x = (int128)fa.cur_q30 * b, y = (int128)fb.cur_q30 * a;
        assert_true(x - y <= a && y - x <= b);
    }
}

static const struct credit_feedback_limits paper = {.w_min_q30 = ONE / 100, .w_max_q30 = ONE / 2, .aim_q30 = ONE / 10};

struct trace {
    int64_t ratio_milli, delivered_milli; /* CREDIT_LITERAL */
    int64_t cur_milli, w_milli;           /* expected */
};

typedef bool step(struct credit_feedback *f, const struct credit_feedback_limits *l, const struct credit_period *p,
                  int64_t floor_q30);

static void assert_trace(step *s, struct credit_feedback f, const struct trace *trace, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct credit_period p = {.ratio_q30 = trace[i].ratio_milli * ONE / 1000,
                                  .delivered_q30 = trace[i].delivered_milli * ONE / 1000};
        if (trace[i].ratio_milli == 100) p.ratio_q30 = paper.aim_q30;
        if (trace[i].delivered_milli == CREDIT_LITERAL) p.delivered_q30 = CREDIT_LITERAL;
        s(&f, &paper, &p, 0);
        if (milli(f.w_q30) != trace[i].w_milli || milli(f.cur_q30) != trace[i].cur_milli)
            fail_msg("step %zu: rate %lld, w %lld", i, (long long)milli(f.cur_q30), (long long)milli(f.w_q30));
    }
}
#define ASSERT_TRACE(step, start, ...)                                                                                 \
    assert_trace(step, (struct credit_feedback){.cur_q30 = (start), .w_q30 = (start)}, (struct trace[]){__VA_ARGS__},  \
                 sizeof((struct trace[]){__VA_ARGS__}) / sizeof(struct trace))

/* SprayPass's Algorithm 1 by hand, in thousandths, w_init 1/16, aim 0.1. */
static void printed__golden_trace(void **state) {
    (void)state;
    ASSERT_TRACE(credit_step_printed, ONE / 16,
                 {0, CREDIT_LITERAL, 127, 63},    /* .9375 * .0625 + .0625 * 1.1; no increase before: w stays */
                 {0, CREDIT_LITERAL, 401, 281},   /* w = (.0625 + .5) / 2; .71875 * .12734 + .28125 * 1.1 */
                 {100, CREDIT_LITERAL, 674, 391}, /* a loss equal to the aim is an increase */
                 {500, CREDIT_LITERAL, 371, 195}, /* .674 * .5 * 1.1, w / 2 */
                 {0, CREDIT_LITERAL, 513, 195},   /* a decrease before: w stays */
                 {1000, CREDIT_LITERAL, 0, 98},   /* all marked; no floor here */
                 {0, CREDIT_LITERAL, 107, 98});
}

/* AM-35: the loss behind one cut also shows in the next period. The literal form cuts again; the form by data rate does
 * not, because data arrived at 0.55 in both periods. */
static void printed__data_rate_cuts_once(void **state) {
    (void)state;
    ASSERT_TRACE(credit_step_printed, ONE, {500, CREDIT_LITERAL, 550, 500}, {450, CREDIT_LITERAL, 333, 250});
    ASSERT_TRACE(credit_step_printed, ONE, {500, 500, 550, 500}, /* .5 * 1.1 */
                 {450, 550, 550, 250},                           /* .55 * 1.1 is above the rate before */
                 {0, 550, 687, 250},                             /* .75 * .55 + .25 * 1.1 */
                 {200, 100, 110, 125});
}

/* w halves down to w_min, and climbs towards w_max. */
static void printed__w_stays_within_its_bounds(void **state) {
    (void)state;
    struct credit_feedback f = {.cur_q30 = ONE, .w_q30 = ONE / 2};
    const struct credit_period half = {ONE / 2, CREDIT_LITERAL}, none = {0, CREDIT_LITERAL};
    for (int i = 0; i < 10; i++) credit_step_printed(&f, &paper, &half, 0);
    assert_int_equal(f.w_q30, paper.w_min_q30);
    for (int i = 0; i < 60; i++) credit_step_printed(&f, &paper, &none, 0);
    assert_in_range(f.w_q30, paper.w_max_q30 - 2, paper.w_max_q30);
    assert_in_range(f.cur_q30, ONE / 10 * 11 - 8, ONE / 10 * 11 + 8); /* max (1 + aim) is the bound */
}

/* the floor holds even at a loss ratio of one. */
static void printed__floor_holds(void **state) {
    (void)state;
    struct credit_feedback f = {.cur_q30 = ONE, .w_q30 = ONE / 2};
    assert_false(credit_step_printed(&f, &paper, &(struct credit_period){ONE, CREDIT_LITERAL}, ONE / 50));
    assert_int_equal(f.cur_q30, ONE / 50);
}

/* AM-21 by hand, in thousandths: the target is (1 - rate) / 8, a cut goes to the delivered rate, a rise adds 0.05 to
 * w. */
static void released__golden_trace(void **state) {
    (void)state;
    ASSERT_TRACE(credit_step_released, ONE / 2, {0, 500, 750, 500}, /* .5 + .5 * .5; w at its maximum */
                 {31, 740, 875, 500},                               /* target .25 / 8 = .03125 */
                 {100, 788, 800, 250},                              /* target .0156: .788 * 1.0156 */
                 {0, 800, 850, 250},                                /* w stays after a cut: .25 + .75 * .8 */
                 {0, 850, 895, 300},                                /* w + .05: .3 + .7 * .85 */
                 {500, 880, 892, 150},                              /* .88 * 1.0131 */
                 {100, 990, 892, 75},                               /* at most the rate before */
                 {1000, 0, 0, 37});
}

/* At the maximum rate the target is zero: any loss cuts, no loss keeps the rate, and the floor holds. */
static void released__bounds(void **state) {
    (void)state;
    struct credit_feedback f = {.cur_q30 = ONE, .w_q30 = ONE / 2};
    assert_true(credit_step_released(&f, &paper, &(struct credit_period){0, ONE}, ONE / 50));
    assert_int_equal(f.cur_q30, ONE);
    assert_false(credit_step_released(&f, &paper, &(struct credit_period){1, ONE - 1}, ONE / 50));
    assert_false(credit_step_released(&f, &paper, &(struct credit_period){ONE, 0}, ONE / 50));
    assert_int_equal(f.cur_q30, ONE / 50); /* the floor, even at loss 1 */
    for (int i = 0; i < 9; i++) credit_step_released(&f, &paper, &(struct credit_period){ONE, 0}, ONE / 50);
    assert_int_equal(f.w_q30, paper.w_min_q30);
}

static void ratio__of_counts(void **state) {
    (void)state;
    assert_int_equal(credit_ratio_q30(1, 4), ONE / 4);
    assert_int_equal(credit_ratio_q30(0, 7), 0);
    assert_int_equal(credit_ratio_q30(7, 7), ONE);
    assert_int_equal(credit_ratio_q30(4000000000u, 4294967295u), 4000000000ll * ONE / 4294967295ll);
    assert_int_equal(credit_q30(PPB / 10), ONE / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(hotnets__golden_trace),
        UNIT(data_rate__share_of_the_maximum),
        UNIT(hotnets__rates_converge),
        UNIT(printed__golden_trace),
        UNIT(printed__data_rate_cuts_once),
        UNIT(printed__w_stays_within_its_bounds),
        UNIT(printed__floor_holds),
        UNIT(released__golden_trace),
        UNIT(released__bounds),
        UNIT(hotnets__floor),
        UNIT(ratio__of_counts),
    };
    return RUN_UNITS(tests);
}
