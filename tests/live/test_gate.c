/* SPDX-License-Identifier: Apache-2.0 */
/* The gate between the stack of a real host and its NIC: the rate of a class follows the fill of its queue. */
#include "live/gate.h"
#include "unit.h"

#define RATE 100000000LL
#define MS PS_PER_MS

static void throttle__is_whole_while_the_queue_has_room(void **state) {
    (void)state;
    struct throttle t = {RATE, RATE, TIME_NONE, 0};
    assert_false(throttle_step(&t, 0, 0));
    assert_false(throttle_step(&t, MS, GATE_CLOSES));
    assert_true(throttle_step(&t, 2 * MS, GATE_CLOSES + 1));
    assert_int_equal(t.rate_bps, RATE / 2);
    assert_false(throttle_step(&t, 9 * MS, GATE_OPENS)); /* between the thresholds: unchanged */
    assert_true(throttle_step(&t, 10 * MS, GATE_OPENS - 1));
    assert_int_equal(t.rate_bps, RATE);
    assert_int_equal(t.next, TIME_NONE);
}

/* The rate is not halved while the queue shrinks, however slowly. */
static void throttle__waits_for_a_queue_that_shrinks(void **state) {
    (void)state;
    struct throttle t = {RATE, RATE, TIME_NONE, 0};
    assert_true(throttle_step(&t, 0, 800));
    assert_false(throttle_step(&t, t.next, 790));
    assert_false(throttle_step(&t, t.next - 1, 795)); /* before the end of the window */
    assert_false(throttle_step(&t, t.next, 780));
    assert_true(throttle_step(&t, t.next, 780));
    assert_int_equal(t.rate_bps, RATE / 4);
}

/* About fifty frames pass while a class is paused for a minute; it resumes within an eighth of that time. */
static void throttle__lets_few_frames_pass_while_a_queue_stays_full(void **state) {
    (void)state;
    struct throttle t = {2 * RATE, 2 * RATE, TIME_NONE, 0};
    double frames = 0;
    for (time_ps now = 0, before = 0; now < 60 * PS_PER_S; before = now) {
        throttle_step(&t, now, 1000);
        now = min_i64(t.next > now ? t.next : now + MS, now + MS);
        frames += (double)t.rate_bps * (double)(now - before) / PS_PER_S / (8 * FULL_WIRE_BYTES);
    }
    assert_true(frames > 10 && frames < 100);
    assert_true(FULL_WIRE_BYTES * 8 * (PS_PER_S / t.rate_bps) < 60 * PS_PER_S / 8);
    assert_true(t.rate_bps >= GATE_LEAST_BPS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(throttle__is_whole_while_the_queue_has_room),
        UNIT(throttle__waits_for_a_queue_that_shrinks),
        UNIT(throttle__lets_few_frames_pass_while_a_queue_stays_full),
    };
    return RUN_UNITS(tests);
}
