/* SPDX-License-Identifier: Apache-2.0 */
/* The load of a link over the last second. */
#include "live/load_window.h"

#include "unit.h"

#define MBPS 1000000LL
#define TICK (PS_PER_S / LOAD_WINDOW_PARTS)
#define HALF 312500 /* bytes of a tick at half of 20 Mbps */

/* Adds n points a quarter of a second apart, between which the port sends and receives these bytes. */
static void add(struct load_window *w, struct load_point *at, uint32_t n, uint64_t sent, uint64_t received) {
    for (uint32_t i = 0; i < n; i++) {
        at->at += TICK;
        at->sent_bytes += sent;
        at->received_bytes += received;
        load_window_add(w, *at, 20 * MBPS);
    }
}

static void load_window__a_steady_stream_is_the_same_at_every_point(void **state) {
    (void)state;
    struct load_window w = {0};
    struct load_point at = {0};
    load_window_add(&w, at, 20 * MBPS);
    for (int i = 0; i < 12; i++) {
        add(&w, &at, 1, HALF, HALF / 5);
        assert_int_equal(w.sent_ppb, 500000000);
        assert_int_equal(w.received_ppb, 100000000);
    }
}

/* A long rest before the stream, or after it, is not in the figure a second later. */
static void load_window__forgets_what_is_more_than_a_second_ago(void **state) {
    (void)state;
    struct load_window w = {0};
    struct load_point at = {0};
    add(&w, &at, 60, 0, 0);
    add(&w, &at, 2, HALF, 0);
    assert_int_equal(w.sent_ppb, 250000000);
    add(&w, &at, 2, HALF, 0);
    assert_int_equal(w.sent_ppb, 500000000);
    add(&w, &at, 3, 0, 0);
    assert_int_equal(w.sent_ppb, 125000000);
    add(&w, &at, 1, 0, 0);
    assert_int_equal(w.sent_ppb, 0);
}

/* A sampler that was held up for ten seconds counts them all once, and the next second is exact again. */
static void load_window__after_a_sampler_that_was_late(void **state) {
    (void)state;
    struct load_window w = {0};
    struct load_point at = {0};
    add(&w, &at, 8, HALF, 0);
    at.at += 10 * PS_PER_S - TICK;
    at.sent_bytes += 39 * HALF;
    add(&w, &at, 1, HALF, 0);
    assert_int_equal(w.sent_ppb, 500000000);
    add(&w, &at, 4, 0, 0);
    assert_int_equal(w.sent_ppb, 0);
}

static void load_window__two_points_at_one_time(void **state) {
    (void)state;
    struct load_window w = {0};
    const struct load_point at = {PS_PER_S, 10, 10};
    load_window_add(&w, at, 20 * MBPS);
    load_window_add(&w, at, 20 * MBPS);
    assert_int_equal(w.sent_ppb, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(load_window__a_steady_stream_is_the_same_at_every_point),
                                       UNIT(load_window__forgets_what_is_more_than_a_second_ago),
                                       UNIT(load_window__after_a_sampler_that_was_late),
                                       UNIT(load_window__two_points_at_one_time)};
    return RUN_UNITS(tests);
}
