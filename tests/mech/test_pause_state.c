/* SPDX-License-Identifier: Apache-2.0 */
/* Obeying pause frames: when a port stops and resumes, and what it counts. */
#include "mech/flowctl/pause_state.h"

#include "unit.h"

#include "base/random.h"

#define US PS_PER_US

#define REACTION (1024000LL)
#define QUANTUM (512000LL)

static void obey_pfc(struct pause_state *s, uint8_t pause, uint8_t release, uint16_t quanta, time_ps now) {
    struct pause_fields f = pause_fields_pfc(pause, release, quanta);
    pause_obey(s, &f, now, REACTION, QUANTUM);
}

static void obey_link(struct pause_state *s, uint16_t quanta, time_ps now) {
    struct pause_fields f = pause_fields_link(quanta);
    pause_obey(s, &f, now, REACTION, QUANTUM);
}

/* Frames may start until the reaction time has passed, and again after the pause has expired. */
static void obey__reaction_and_expiry(void **state) {
    (void)state;
    struct pause_state s = {0};
    const time_ps at = 10 * US, until = at + 10 * QUANTUM;
    assert_true(pause_next_change(&s, 0) == TIME_NONE);
    obey_pfc(&s, 0x05, 0, 10, at);
    assert_int_equal(pause_mask(&s, at), 0);
    assert_true(pause_next_change(&s, at) == at + REACTION);
    assert_int_equal(pause_mask(&s, at + REACTION - 1), 0);
    assert_int_equal(pause_mask(&s, at + REACTION), 5);
    assert_true(pause_next_change(&s, at + REACTION) == until);
    assert_int_equal(pause_mask(&s, until - 1), 5);
    assert_int_equal(pause_mask(&s, until), 0);
    assert_true(pause_next_change(&s, until) == TIME_NONE);
    assert_true(pause_total(&s, 0, until) == until - at - REACTION);
    assert_true(pause_total(&s, 2, until + US) == until - at - REACTION);
    assert_true(pause_total(&s, 1, until) == 0);
    assert_int_equal(s.n_pauses, 2);
}

static void obey__release(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 0x03, 0, 0xffff, 0);
    assert_int_equal(pause_mask(&s, 5 * US), 3);
    assert_true(pause_since(&s, 0, 5 * US) == REACTION);
    assert_true(pause_since(&s, 2, 5 * US) == TIME_NONE);
    obey_pfc(&s, 0x02, 0x01, 0xffff, 9 * US);
    assert_int_equal(pause_mask(&s, 9 * US), 2);
    assert_true(pause_total(&s, 0, 100 * US) == 9 * US - REACTION);
    assert_true(pause_total(&s, 1, 100 * US) == 100 * US - REACTION);
    assert_true(pause_since(&s, 0, 9 * US) == TIME_NONE);
}

/* A release before the pause takes effect cancels it. */
static void obey__release_within_the_reaction(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 1, 0, 100, 0);
    obey_pfc(&s, 0, 1, 100, REACTION / 2);
    assert_int_equal(pause_mask(&s, REACTION), 0);
    assert_true(pause_next_change(&s, 0) == TIME_NONE);
    assert_true(pause_total(&s, 0, 50 * US) == 0);
}

/* A refresh continues the pause without a gap and does not count as another; one after the expiry does. */
static void obey__renewal(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 1, 0, 100, 0);
    obey_pfc(&s, 1, 0, 100, 90 * QUANTUM);
    assert_int_equal(pause_mask(&s, 100 * QUANTUM), 1);
    assert_true(pause_next_change(&s, 100 * QUANTUM) == 190 * QUANTUM);
    obey_pfc(&s, 1, 0, 100, 190 * QUANTUM); /* at the instant of expiry */
    assert_int_equal(pause_mask(&s, 190 * QUANTUM), 0);
    assert_int_equal(pause_mask(&s, 190 * QUANTUM + REACTION), 1);
    assert_true(pause_total(&s, 0, 290 * QUANTUM) == 290 * QUANTUM - 2 * REACTION);
    assert_int_equal(s.n_pauses, 2);
}

/* A second pause within the reaction time does not delay the first. */
static void obey__pause_twice_within_the_reaction(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 1, 0, 100, 0);
    obey_pfc(&s, 1, 0, 100, REACTION / 2);
    assert_int_equal(pause_mask(&s, REACTION), 1);
    assert_true(pause_next_change(&s, REACTION) == REACTION / 2 + 100 * QUANTUM);
}

static void obey__a_pause_shorter_than_the_reaction(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 1, 0, 1, 0);
    assert_true(pause_next_change(&s, 0) == TIME_NONE);
    for (time_ps now = 0; now <= 2 * REACTION; now += QUANTUM / 4) assert_int_equal(pause_mask(&s, now), 0);
    assert_true(pause_total(&s, 0, 50 * US) == 0);
}

/* 802.3x stops credits too; PFC of all eight classes does not. */
static void obey__whole_link(void **state) {
    (void)state;
    struct pause_state s = {0};
    obey_pfc(&s, 0xff, 0, 100, 0);
    assert_int_equal(pause_mask(&s, REACTION), 0xff);
    obey_link(&s, 100, 10 * US);
    assert_int_equal(pause_mask(&s, 10 * US), 0xff);
    assert_true(pause_next_change(&s, 10 * US) == 10 * US + REACTION);
    assert_int_equal(pause_mask(&s, 10 * US + REACTION), 0x1ff);
    obey_link(&s, 0, 20 * US);
    assert_int_equal(pause_mask(&s, 20 * US), 0);
    assert_true(pause_total(&s, PAUSE_CREDIT_LANE, 20 * US) == 10 * US - REACTION);
}

/* A refreshed stop counts once, a break makes two. A stop of exactly the length of a storm is one. */
static void obey__storms_are_stops_without_a_break(void **state) {
    (void)state;
    struct pause_state s = {.storm = 150 * QUANTUM - REACTION};
    obey_pfc(&s, 1, 0, 100, 0);
    obey_pfc(&s, 1, 0, 100, 50 * QUANTUM);
    struct pause_lane l = pause_lane_at(&s, 0, 149 * QUANTUM);
    assert_int_equal(l.stops, 1);
    assert_int_equal(l.storms, 0);
    assert_true(l.longest == 149 * QUANTUM - REACTION && l.longest_from == REACTION);
    assert_int_equal(pause_mask(&s, 200 * QUANTUM), 0);
    l = pause_lane_at(&s, 0, 300 * QUANTUM);
    assert_int_equal(l.storms, 1);
    assert_true(l.longest == 150 * QUANTUM - REACTION);
    obey_pfc(&s, 1, 0, 100, 300 * QUANTUM);
    obey_pfc(&s, 0, 1, 0, 350 * QUANTUM);
    l = pause_lane_at(&s, 0, 400 * QUANTUM);
    assert_int_equal(l.stops, 2);
    assert_int_equal(l.storms, 1);
    assert_true(l.longest_from == REACTION);
    assert_int_equal(pause_lane_at(&s, 1, 400 * QUANTUM).stops, 0);
}

/* The mask changes at the time that pause_next_change returns, and at no other. */
static void obey__next_change_is_the_next(void **state) {
    (void)state;
    struct random_stream r;
    random_init(&r, 12, RANDOM_HASH, 0);
    for (int i = 0; i < 500; i++) {
        struct pause_state s = {0};
        time_ps now = 0;
        for (int k = 0; k < 4; k++, now += (time_ps)random_below(&r, 4 * US))
            obey_pfc(&s, (uint8_t)random_u32(&r), (uint8_t)random_u32(&r), (uint16_t)random_below(&r, 12), now);
        uint32_t mask = pause_mask(&s, now);
        time_ps next;
        while ((next = pause_next_change(&s, now)) != TIME_NONE) {
            assert_true(next > now);
            assert_int_equal(pause_mask(&s, next - 1), mask);
            mask = pause_mask(&s, next);
            now = next;
        }
        assert_int_equal(pause_mask(&s, now + PS_PER_S), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(obey__reaction_and_expiry),
        UNIT(obey__release),
        UNIT(obey__release_within_the_reaction),
        UNIT(obey__renewal),
        UNIT(obey__pause_twice_within_the_reaction),
        UNIT(obey__a_pause_shorter_than_the_reaction),
        UNIT(obey__whole_link),
        UNIT(obey__storms_are_stops_without_a_break),
        UNIT(obey__next_change_is_the_next),
    };
    return RUN_UNITS(tests);
}
