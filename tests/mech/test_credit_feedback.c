#include "mech/transport/credit_feedback.h"

#include "base/random.h"
#include "unit.h"

#define ONE CREDIT_ONE_Q30

/* Thousandths, for reading. */
static int64_t milli(int64_t q30) { return (q30 * 1000 + ONE / 2) >> 30; }

/* Algorithm 1 of 2016: up half of the way, down to what came back; four periods from nothing pass 90 %. */
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
                 {true, 0, 0}, /* all lost: the next step lifts it to a half */
                 {false, 0, ONE / 2}};
    struct credit_feedback f = {0};
    for (size_t i = 0; i < sizeof trace / sizeof *trace; i++) {
        bool rose = credit_step_hotnets(&f, trace[i].lost, trace[i].data_q30);
        assert_int_equal(rose, !trace[i].lost);
        assert_int_equal(f.cur_q30, trace[i].expect_q30);
    }
}

/* 38 frames of 1.2976 us in 100 us: 49.3 %. More than the maximum is the maximum. */
static void data_rate__share_of_the_maximum(void **state) {
    (void)state;
    assert_int_equal(milli(credit_data_rate_q30(38, 1297600, 100 * PS_PER_US)), 493);
    assert_int_equal(credit_data_rate_q30(80, 1297600, 100 * PS_PER_US), ONE);
    assert_int_equal(credit_data_rate_q30(0, 1297600, 100 * PS_PER_US), 0);
    assert_int_equal(credit_data_rate_q30(4000000000u, 13000000, 60 * PS_PER_S), ONE);
}

/* XP-19: a cut keeps the ratio of two rates, a rise brings it nearer to one, never past it. */
static void hotnets__rates_converge(void **state) {
    (void)state;
    struct random_stream s;
    random_init(&s, 1, RANDOM_HOST, 19);
    for (int i = 0; i < 10000; i++) {
        int64_t a = 1 + (int64_t)random_below(&s, ONE - 1), b = 1 + (int64_t)random_below(&s, ONE - 1);
        struct credit_feedback fa = {.cur_q30 = a}, fb = {.cur_q30 = b};
        credit_step_hotnets(&fa, false, a);
        credit_step_hotnets(&fb, false, b);
        /* (a + C) / (b + C) lies between a / b and one: cross products, to the rounding of a half unit */
        __int128 before = (__int128)a * fb.cur_q30, after = (__int128)fa.cur_q30 * b;
        if (a < b) assert_true(after + b >= before && fa.cur_q30 <= fb.cur_q30);
        if (a > b) assert_true(after <= before + a && fa.cur_q30 >= fb.cur_q30);
        /* the bottleneck gives both the same share k of what they asked */
        int64_t k = 1 + (int64_t)random_below(&s, ONE);
        credit_step_hotnets(&fa, true, (a * k) >> 30);
        credit_step_hotnets(&fb, true, (b * k) >> 30);
        __int128 x = (__int128)fa.cur_q30 * b, y = (__int128)fb.cur_q30 * a;
        assert_true(x - y <= a && y - x <= b);
    }
}

static const struct credit_feedback_limits paper = {.w_min_q30 = ONE / 100, .w_max_q30 = ONE / 2, .aim_q30 = ONE / 10};

/* SprayPass's Algorithm 1 by hand, in thousandths, w_init 1/16, aim 0.1. */
static void aggressive__golden_trace(void **state) {
    (void)state;
    static const struct {
        int64_t ratio_milli, cur_milli, w_milli;
    } trace[] = {
        {0, 127, 63},    /* .9375 * .0625 + .0625 * 1.1; no increase before: w stays */
        {0, 401, 281},   /* w = (.0625 + .5) / 2; .71875 * .12734 + .28125 * 1.1 */
        {100, 674, 391}, /* exactly the aim is an increase */
        {500, 371, 195}, /* .674 * .5 * 1.1, w / 2 */
        {0, 513, 195},   /* the period before was a decrease: w stays */
        {1000, 0, 98},   /* all marked; the floor is zero here */
        {0, 107, 98},
    };
    struct credit_feedback f = {.cur_q30 = ONE / 16, .w_q30 = ONE / 16};
    for (size_t i = 0; i < sizeof trace / sizeof *trace; i++) {
        int64_t ratio = trace[i].ratio_milli == 100 ? paper.aim_q30 : trace[i].ratio_milli * ONE / 1000;
        credit_step_aggressive(&f, &paper, ratio, 0);
        assert_int_equal(milli(f.w_q30), trace[i].w_milli);
        assert_int_equal(milli(f.cur_q30), trace[i].cur_milli);
    }
}

/* w halves down to w_min, and climbs towards w_max. */
static void aggressive__w_stays_within_its_bounds(void **state) {
    (void)state;
    struct credit_feedback f = {.cur_q30 = ONE, .w_q30 = ONE / 2};
    for (int i = 0; i < 10; i++) credit_step_aggressive(&f, &paper, ONE / 2, 0);
    assert_int_equal(f.w_q30, paper.w_min_q30);
    for (int i = 0; i < 60; i++) credit_step_aggressive(&f, &paper, 0, 0);
    assert_in_range(f.w_q30, paper.w_max_q30 - 2, paper.w_max_q30);
    assert_in_range(f.cur_q30, ONE / 10 * 11 - 8, ONE / 10 * 11 + 8); /* max (1 + aim) and no more */
}

/* a ratio of one does not end the flow. */
static void aggressive__floor_holds(void **state) {
    (void)state;
    struct credit_feedback f = {.cur_q30 = ONE, .w_q30 = ONE / 2};
    assert_false(credit_step_aggressive(&f, &paper, ONE, ONE / 50));
    assert_int_equal(f.cur_q30, ONE / 50);
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
        UNIT(hotnets__golden_trace),    UNIT(data_rate__share_of_the_maximum),       UNIT(hotnets__rates_converge),
        UNIT(aggressive__golden_trace), UNIT(aggressive__w_stays_within_its_bounds), UNIT(aggressive__floor_holds),
        UNIT(ratio__of_counts),
    };
    return RUN_UNITS(tests);
}
