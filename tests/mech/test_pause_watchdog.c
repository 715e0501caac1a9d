/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog over pauses: both edges of its two states, in time, and what resets them. */
#include "mech/flowctl/pause_watchdog.h"

#include "unit.h"

#define MS PS_PER_MS
#define QUANTUM (512 * PS_PER_NS) /* 1 Gbps: the longest pause is 33.6 ms */

static const struct watchdog_config config = {200 * MS, 400 * MS, 100 * MS, WATCHDOG_DROP};

struct bench {
    struct pause_state s;
    struct pause_watchdog w;
    const struct watchdog_config *c;
};

static struct bench bench_new(const struct watchdog_config *c) { return (struct bench){.w.watched = 0x1ff, .c = c}; }

static void frame(struct bench *b, const struct pause_fields *f, time_ps now) {
    pause_obey(&b->s, f, now, 0, QUANTUM);
    pause_watchdog_heard(&b->w, f);
}

static void pause_of(struct bench *b, uint8_t classes, uint16_t quanta, time_ps now) {
    struct pause_fields f = pause_fields_pfc(quanta ? classes : 0, quanta ? 0 : classes, quanta);
    frame(b, &f, now);
}

/* Refreshes the pauses of the classes each 20 ms in [from, to), and polls. Returns when a lane changed first; TIME_NONE: none
 * did. */
static time_ps storm(struct bench *b, uint8_t classes, time_ps from, time_ps to) {
    uint32_t before = b->s.ignored;
    time_ps changed = TIME_NONE, poll = pause_watchdog_next(b->c, from - 1), refresh = from;
    for (time_ps now = from; now < to; now = min_i64(poll, refresh)) {
        if (now == poll) {
            pause_watchdog_poll(&b->w, b->c, &b->s, now);
            poll = pause_watchdog_next(b->c, now);
            if (b->s.ignored != before && changed == TIME_NONE) changed = now;
        }
        if (now == refresh) {
            if (classes) pause_of(b, classes, UINT16_MAX, now);
            refresh += 20 * MS;
        }
    }
    return changed;
}

/* A storm is found detect to detect + poll after it began, whenever that was. */
static void storm__is_found_in_time(void **state) {
    (void)state;
    for (time_ps from = 1000 * MS; from <= 1100 * MS; from += 7 * MS) {
        struct bench b = bench_new(&config);
        time_ps found = storm(&b, 1 << 3, from, from + 400 * MS);
        assert_true(found >= from + 200 * MS && found < from + 300 * MS);
        assert_int_equal(b.s.ignored, 1 << 3);
        assert_int_equal(b.w.dropping, 1 << 3);
        assert_int_equal(b.w.found[3], 1);
        assert_int_equal(b.w.found[2] + b.w.found[4] + b.w.ended[3], 0);
        assert_int_equal(pause_mask(&b.s, from + 390 * MS), 0); /* not obeyed */
        assert_true(pause_over(&b.s, 3, from + 390 * MS) == from + 390 * MS);
        assert_true(pause_since(&b.s, 3, from + 390 * MS) == from); /* recorded all the same */
        assert_true(pause_next_change(&b.s, from + 390 * MS) == TIME_NONE);
        assert_false(pause_watchdog_rests(&b.w, &b.s));
    }
}

/* A break, however short, begins the time anew: that is how congestion pauses. */
static void storm__begins_anew_after_a_break(void **state) {
    (void)state;
    struct bench b = bench_new(&config);
    for (int i = 0; i < 20; i++) {
        assert_true(storm(&b, 1, (1000 + 190 * i) * MS, (1000 + 190 * i + 189) * MS) == TIME_NONE);
        pause_of(&b, 1, 0, (1000 + 190 * i + 189) * MS);
    }
    assert_int_equal(b.w.found[0], 0);
    assert_int_equal(b.s.ignored, 0);
}

/* A pause that expires by itself ends as one that is released. */
static void storm__ends_with_its_last_pause(void **state) {
    (void)state;
    for (int released = 0; released < 2; released++)
        for (time_ps last = 2000 * MS; last <= 2100 * MS; last += 9 * MS) {
            struct bench b = bench_new(&config);
            storm(&b, 1, 1000 * MS, last);
            assert_int_equal(b.s.ignored, 1);
            time_ps end = last + 34 * MS;
            if (released) pause_of(&b, 1, 0, end = last);
            time_ps restored = storm(&b, 0, last + 1, last + 1000 * MS);
            assert_true(restored >= end + 400 * MS - 34 * MS && restored < end + 700 * MS);
            assert_int_equal(b.s.ignored | b.w.dropping, 0);
            assert_int_equal(b.w.ended[0], 1);
            assert_true(pause_watchdog_rests(&b.w, &b.s));
        }
}

/* Any pause of a stormed class resets the time until it is restored, also one that has ended before the poll. */
static void storm__goes_on_with_any_pause(void **state) {
    (void)state;
    struct bench b = bench_new(&config);
    storm(&b, 1, 1000 * MS, 2000 * MS);
    time_ps now = 2000 * MS;
    for (int i = 0; i < 20; i++, now += 300 * MS) {
        pause_of(&b, 1, 1, now + 10 * MS); /* half a microsecond */
        assert_true(storm(&b, 0, now + 11 * MS, now + 300 * MS) == TIME_NONE);
    }
    assert_int_equal(b.s.ignored, 1);
    assert_int_equal(b.w.found[0], 1);
    for (int i = 0; i < 3; i++, now += 100 * MS) pause_of(&b, 1, 0, now); /* a release is no pause */
    assert_true(storm(&b, 0, now, now + 600 * MS) != TIME_NONE);
}

/* A lane is stormed again as it was the first time. Each lane has its own state. */
static void storm__of_each_lane(void **state) {
    (void)state;
    struct bench b = bench_new(&config);
    for (uint64_t i = 1; i <= 3; i++) {
        time_ps from = (time_ps)i * 10000 * MS;
        storm(&b, 0x81, from, from + 350 * MS);
        assert_int_equal(b.s.ignored, 0x81);
        storm(&b, 0x80, from + 350 * MS, from + 2000 * MS);
        assert_int_equal(b.s.ignored, 0x80);
        storm(&b, 0, from + 2000 * MS, from + 4000 * MS);
        assert_int_equal(b.s.ignored, 0);
        assert_int_equal(b.w.found[0], i);
        assert_int_equal(b.w.found[7], i);
        assert_int_equal(b.w.ended[0], i);
        assert_int_equal(b.w.ended[7], i);
    }
}

/* 802.3x pauses all lanes; only lanes of the port are watched, and credits are never dropped. */
static void storm__of_the_whole_link(void **state) {
    (void)state;
    struct bench b = bench_new(&config);
    b.w.watched = 3 | 1 << PAUSE_CREDIT_LANE;
    for (time_ps now = 0; now < 500 * MS; now += 20 * MS) {
        struct pause_fields f = pause_fields_link(UINT16_MAX);
        frame(&b, &f, now);
        if (now % (100 * MS) == 0 && now) pause_watchdog_poll(&b.w, b.c, &b.s, now);
    }
    assert_int_equal(b.s.ignored, 3 | 1 << PAUSE_CREDIT_LANE);
    assert_int_equal(b.w.dropping, 3);
    assert_true(pause_watchdog_drops(&b.w, 1));
    assert_false(pause_watchdog_drops(&b.w, 2));
    assert_false(pause_watchdog_drops(&b.w, PAUSE_CREDIT_LANE));
    assert_int_equal(pause_mask(&b.s, 480 * MS) & 0x1ff, 0x1ff & ~(3 | 1 << PAUSE_CREDIT_LANE));
}

static void forward__drops_nothing(void **state) {
    (void)state;
    struct watchdog_config forward = config;
    forward.action = WATCHDOG_FORWARD;
    struct bench b = bench_new(&forward);
    storm(&b, 4, 1000 * MS, 1400 * MS);
    assert_int_equal(b.s.ignored, 4);
    assert_int_equal(b.w.dropping, 0);
}

static void actions__that_watch(void **state) {
    (void)state;
    for (int action = WATCHDOG_AUTO; action <= WATCHDOG_FORWARD; action++) {
        struct watchdog_config c = {.action = (enum watchdog_action)action};
        assert_int_equal(watchdog_is_on(&c), action == WATCHDOG_DROP || action == WATCHDOG_FORWARD);
    }
    assert_true(pause_watchdog_next(&config, 0) == 100 * MS);
    assert_true(pause_watchdog_next(&config, 99 * MS) == 100 * MS);
    assert_true(pause_watchdog_next(&config, 100 * MS) == 200 * MS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(storm__is_found_in_time),
        UNIT(storm__begins_anew_after_a_break),
        UNIT(storm__ends_with_its_last_pause),
        UNIT(storm__goes_on_with_any_pause),
        UNIT(storm__of_each_lane),
        UNIT(storm__of_the_whole_link),
        UNIT(forward__drops_nothing),
        UNIT(actions__that_watch),
    };
    return RUN_UNITS(tests);
}
