/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/transport/credit_spray.h"

#include "unit.h"

#include <stdlib.h>

#define FRAME 1538
#define RTT (32 * PS_PER_US)

static const struct spray_config uniform = {
    .kind = SPRAY_UNIFORM, .probing = true, .theta_ppb = PPB / 10, .board_bits = 600000, .paths = 64};

static struct credit_spray *spray_new(struct spray_config config, uint16_t at_leaf, uint16_t at_agg) {
    struct credit_spray *s = calloc(1, credit_spray_bytes(config.paths));
    credit_spray_init(s, &config, (uint16_t[2]){at_leaf, at_agg}, 1, 5);
    return s;
}

/* Delivers frames of four paths until the board is updated; path i gets one frame in each[i] rounds, none if that is
 * 0. */
static void bring_board(struct credit_spray *s, time_ps now, const uint32_t each[4]) {
    uint64_t boards = s->boards;
    for (uint32_t i = 0; s->boards == boards; i++)
        for (uint16_t path = 0; path < 4 && s->boards == boards; path++)
            if (each[path] > 0 && i % each[path] == 0) credit_spray_data(s, now, RTT, path, FRAME, false);
}

static uint32_t drawn_of(struct credit_spray *s, uint16_t path, uint32_t draws) {
    uint32_t n = 0;
    while (draws-- > 0) n += credit_spray_next(s) == path;
    return n;
}

/* SP-20: the counts of two paths differ by at most one at any time. */
static void uniform__counts_differ_by_at_most_one(void **state) {
    (void)state;
    struct credit_spray *s = spray_new(uniform, 5, 1);
    uint32_t count[5] = {0};
    for (uint32_t i = 1; i <= 10000; i++) {
        uint16_t path = credit_spray_next(s);
        assert_true(path < 5);
        count[path]++;
        for (int k = 0; k < 5; k++) assert_in_range(count[k], i / 5, (i + 4) / 5);
    }
    free(s);
}

/* The order of a round is random: each of the 6 orders of 3 paths is equally likely. */
static void uniform__order_of_a_round_is_random(void **state) {
    (void)state;
    struct credit_spray *s = spray_new(uniform, 3, 1);
    uint32_t order[9] = {0};
    for (int i = 0; i < 6000; i++) {
        uint32_t first = credit_spray_next(s), second = credit_spray_next(s);
        credit_spray_next(s);
        order[first * 3 + second]++;
    }
    for (int k = 0; k < 9; k++)
        if (k % 4 == 0)
            assert_int_equal(order[k], 0); /* no path twice */
        else
            assert_in_range(order[k], 850, 1150);
    free(s);
}

/* SP-2: chi-square with 7 degrees of freedom; 24.3 is its 99.9th percentile. */
static void random__spreads_evenly(void **state) {
    (void)state;
    struct spray_config config = uniform;
    config.kind = SPRAY_RANDOM;
    struct credit_spray *s = spray_new(config, 8, 1);
    int64_t count[8] = {0}, chi = 0;
    for (int i = 0; i < 8000; i++) count[credit_spray_next(s)]++;
    for (int k = 0; k < 8; k++) chi += (count[k] - 1000) * (count[k] - 1000);
    assert_in_range(chi, 1, 24300);
    free(s);
}

/* SP-3: the low byte is the choice of the leaf, the high byte that of the agg; a round uses every pair. */
static void path__choice_of_each_tier(void **state) {
    (void)state;
    struct credit_spray *s = spray_new(uniform, 4, 3);
    bool seen[4][3] = {{false}};
    for (int i = 0; i < 12; i++) {
        uint16_t path = credit_spray_next(s);
        assert_in_range(path & 0xff, 0, 3);
        assert_in_range(path >> 8, 0, 2);
        assert_false(seen[path & 0xff][path >> 8]);
        seen[path & 0xff][path >> 8] = true;
    }
    assert_int_equal(credit_spray_path(s, 4 * 2 + 3), 3 | 2 << 8);
    free(s);
}

/* With a single path nothing is pinned; of more choices than `paths` only the first are used. */
static void path__none_and_too_many(void **state) {
    (void)state;
    struct credit_spray *s = spray_new(uniform, 1, 1);
    assert_int_equal(credit_spray_next(s), PATH_NONE);
    free(s);
    s = spray_new(uniform, 40, 40);
    for (int i = 0; i < 64; i++) {
        uint16_t path = credit_spray_next(s);
        assert_in_range((path & 0xff) + (path >> 8) * 40, 0, 63);
    }
    free(s);
}

/* SP-19: the board is updated floor(bits / N_b) times. */
static void board__updated_each_n_b_bits(void **state) {
    (void)state;
    struct credit_spray *s = spray_new(uniform, 4, 1);
    for (uint64_t i = 1; i <= 2000; i++) {
        credit_spray_data(s, 0, RTT, (uint16_t)(i % 4), FRAME, false);
        assert_int_equal(s->boards, i * FRAME * 8 / 600000);
    }
    assert_int_equal(s->exclusions, 0);
    free(s);
}

/* SP-F6, SP-F7: the board records how evenly the paths delivered; 50 frames in 100 us. */
static void board__notes_how_even_it_found_the_paths(void **state) {
    (void)state;
    struct credit_spray *s = spray_new(uniform, 4, 1);
    uint64_t updates = 0;
    for (uint32_t i = 1; updates < 1; i++, updates = s->boards)
        credit_spray_data(s, i * 2 * PS_PER_US, RTT, (uint16_t)(i % 4), FRAME, false);
    assert_int_equal(s->even, 5); /* 12 of 13 */
    assert_int_equal(s->apart, 0);
    assert_int_equal(s->uneven, 77); /* 1/13 */
    bring_board(s, 200 * PS_PER_US, (uint32_t[4]){1, 1, 3, 1});
    assert_int_equal(s->even, 3);  /* 5 or 6 of 15 */
    assert_int_equal(s->apart, 1); /* 9 frames in 100 us: 1.1 Gbps */
    bring_board(s, 210 * PS_PER_US, (uint32_t[4]){1, 1, 0, 1});
    assert_int_equal(s->even, 0);
    assert_int_equal(s->uneven, 1000);
    assert_int_equal(s->apart, 4); /* 17 frames in 10 us: 20.9 Gbps */
    free(s);
}

/* SP-18: the first full board excludes a path at 1/100, which gets no more credits, and keeps one at half. */
static void probing__excludes_what_is_below_theta(void **state) {
    (void)state;
    struct credit_spray *s = spray_new(uniform, 4, 1);
    bring_board(s, RTT, (uint32_t[4]){1, 1, 2, 100});
    assert_int_equal(s->exclusions, 1);
    assert_int_equal(s->n_valid, 3);
    drawn_of(s, 3, 4); /* the current round may still hold it */
    assert_int_equal(drawn_of(s, 3, 300), 0);
    assert_in_range(drawn_of(s, 2, 300), 99, 101);
    for (int i = 0; i < 100; i++) bring_board(s, RTT, (uint32_t[4]){1, 1, 2, 0});
    assert_int_equal(s->exclusions, 1);
    free(s);
}

/* A path that is excluded, first, amid or last, is drawn no more; each other one gets a third: 1,000 of 3,000, with a standard
 * deviation of 26. */
static void probing__random_draws_leave_it_out(void **state) {
    (void)state;
    static const uint32_t each[][4] = {{100, 1, 1, 1}, {1, 100, 1, 1}, {1, 1, 1, 100}};
    static const uint16_t out[] = {0, 1, 3};
    struct spray_config config = uniform;
    config.kind = SPRAY_RANDOM;
    for (size_t i = 0; i < 3; i++) {
        struct credit_spray *s = spray_new(config, 4, 1);
        uint32_t count[4] = {0};
        bring_board(s, RTT, each[i]);
        assert_int_equal(s->exclusions, 1);
        for (int n = 0; n < 3000; n++) count[credit_spray_next(s)]++;
        for (uint16_t path = 0; path < 4; path++)
            if (path == out[i])
                assert_int_equal(count[path], 0);
            else
                assert_in_range(count[path], 880, 1120);
        free(s);
    }
}

/* Probing keeps the fastest path, even if all others fall silent and theta is one. */
static void probing__keeps_the_fastest(void **state) {
    (void)state;
    struct spray_config config = uniform;
    config.theta_ppb = PPB;
    struct credit_spray *s = spray_new(config, 4, 1);
    bring_board(s, RTT, (uint32_t[4]){0, 0, 1, 0});
    assert_int_equal(s->n_valid, 1);
    assert_int_equal(drawn_of(s, 2, 100), 100);
    free(s);
}

static void probing__off(void **state) {
    (void)state;
    struct spray_config config = uniform;
    config.probing = false;
    struct credit_spray *s = spray_new(config, 4, 1);
    for (int i = 0; i < 1000; i++) credit_spray_data(s, RTT, RTT, (uint16_t)(i % 3), FRAME, false);
    assert_int_equal(s->n_valid, 4);
    assert_int_equal(s->boards, 0);
    free(s);
}

/* SP-21: a path is readmitted 10 ms after its exclusion, and judged again two RTTs later. */
static void readmit__tries_and_judges_again(void **state) {
    (void)state;
    struct spray_config config = uniform;
    config.readmit = 10 * PS_PER_MS;
    struct credit_spray *s = spray_new(config, 4, 1);
    const uint32_t dead[4] = {1, 1, 1, 0}, well[4] = {1, 1, 1, 1};
    bring_board(s, RTT, dead);
    assert_int_equal(s->n_valid, 3);
    bring_board(s, 9 * PS_PER_MS, dead);
    assert_int_equal(s->n_valid, 3);
    bring_board(s, RTT + 10 * PS_PER_MS, dead);
    assert_int_equal(s->n_valid, 4);
    assert_int_equal(s->readmissions, 1);
    bring_board(s, 2 * RTT + 10 * PS_PER_MS, dead); /* on trial: its data cannot have arrived yet */
    assert_int_equal(s->n_valid, 4);
    bring_board(s, 3 * RTT + 10 * PS_PER_MS, dead); /* the trial ends; from here on it counts */
    bring_board(s, 4 * RTT + 10 * PS_PER_MS, dead);
    assert_int_equal(s->n_valid, 3);
    bring_board(s, 21 * PS_PER_MS, dead);
    bring_board(s, 22 * PS_PER_MS, well);
    bring_board(s, 23 * PS_PER_MS, well);
    assert_int_equal(s->n_valid, 4);
    free(s);
}

/* CMB-3: a path with half of its data marked gets half the credits of a clean path; one with all data marked gets
 * 1/16. */
static void weighted__by_the_share_of_marks(void **state) {
    (void)state;
    struct spray_config config = uniform;
    config.kind = SPRAY_WEIGHTED;
    config.probing = false;
    struct credit_spray *s = spray_new(config, 3, 1);
    for (uint32_t i = 0; i < 3000; i++)
        credit_spray_data(s, 0, RTT, (uint16_t)(i % 3), FRAME, i % 3 == 2 || (i % 3 == 1 && i % 2 == 1));
    uint32_t count[3] = {0};
    for (int i = 0; i < 25000; i++) count[credit_spray_next(s)]++;
    assert_in_range(count[0], 15500, 16500); /* 16 : 8 : 1 */
    assert_in_range(count[1], 7500, 8500);
    assert_in_range(count[2], 850, 1150);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(uniform__counts_differ_by_at_most_one),
        UNIT(uniform__order_of_a_round_is_random),
        UNIT(random__spreads_evenly),
        UNIT(path__choice_of_each_tier),
        UNIT(path__none_and_too_many),
        UNIT(board__updated_each_n_b_bits),
        UNIT(board__notes_how_even_it_found_the_paths),
        UNIT(probing__excludes_what_is_below_theta),
        UNIT(probing__random_draws_leave_it_out),
        UNIT(probing__keeps_the_fastest),
        UNIT(probing__off),
        UNIT(readmit__tries_and_judges_again),
        UNIT(weighted__by_the_share_of_marks),
    };
    return RUN_UNITS(tests);
}
