/* SPDX-License-Identifier: Apache-2.0 */
/* The most bytes that a switch holds at one time, in all its queues together. */
#include "node/buffer.h"

#include "base/random.h"
#include "mech/balance/balancers.h"
#include "mech/schedule/schedules.h"

#include "switch_stand.h"

#define HOSTS 5

static int64_t backlog_of(const struct stand *s, uint16_t port, time_ps now) {
    return port_backlog_bytes(&s->port[port], &s->view[port], now);
}

static int64_t all_backlogs(const struct stand *s, time_ps now) {
    int64_t bytes = 0;
    for (uint16_t p = 0; p < HOSTS; p++) bytes += backlog_of(s, p, now);
    return bytes;
}

/* Two ports are full at the same time, a third one later: the sum is of the first two. */
static void buffer__adds_up_the_queues_of_one_instant(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_star(HOSTS), "leaf0", &balance_ecmp);
    for (uint16_t i = 0; i < 20; i++) stand_send(s, 0, 0, 1 + i % 2, i);
    assert_int_equal(s->sw->buffer.max_bytes, 20 * 1518);
    time_ps later = 100 * FULL * BYTE_PS;
    for (uint16_t i = 0; i < 19; i++) stand_send(s, later, 0, 3, i);
    assert_int_equal(s->sw->buffer.max_bytes, 20 * 1518);
    assert_int_equal(switch_held_bytes(s->sw, later), 19 * 1518);
    stand_send(s, later, 0, 3, 19);
    stand_send(s, later, 0, 3, 20);
    assert_int_equal(s->sw->buffer.max_bytes, 21 * 1518);
    stand_end(s);
}

/* A maximum that begins anew has what is there as its first value; the next frames lift it as if it had just begun. */
static void buffer__begins_anew(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_star(HOSTS), "leaf0", &balance_ecmp);
    for (uint16_t i = 0; i < 20; i++) stand_send(s, 0, 0, 1, i);
    time_ps later = 12 * FULL * BYTE_PS;
    assert_int_equal(switch_most_restart(s->sw, later), 20 * 1518);
    assert_int_equal(s->sw->buffer.max_bytes, 8 * 1518);
    assert_int_equal(port_max_restart(&s->port[1], &s->view[1], &s->extra[1], later), 20 * 1518);
    assert_int_equal(port_max_queue_bytes(&s->port[1], &s->view[1], &s->extra[1]), 8 * 1518);
    stand_send(s, later, 0, 1, 20);
    assert_int_equal(s->sw->buffer.max_bytes, 9 * 1518);
    assert_int_equal(port_max_queue_bytes(&s->port[1], &s->view[1], &s->extra[1]), 9 * 1518);
    stand_end(s);
}

/* A frame that is refused is not in the buffer. */
static void buffer__a_dropped_frame_is_not_held(void **state) {
    (void)state;
    for (uint32_t classes = 1; classes <= 2; classes++) {
        struct stand *s = stand_prepare(spec_star(HOSTS), &balance_ecmp);
        s->config.buffer_bytes = 15180;
        s->config.port.classes = classes;
        s->config.port.schedule.ops = classes > 1 ? &schedule_strict : &schedule_fifo;
        stand_start(s, "leaf0");
        for (uint16_t i = 0; i < 30; i++) switch_receive(s->sw, 0, 0, stand_frame(s, 0, 1, i), &s->out);
        assert_int_equal(s->sw->buffer.max_bytes, 15180);
        stand_end(s);
    }
}

/* Compares the largest sum with what adding up at each arrival finds. Ports with classes and without, at random; port 1 at
 * `rate_bps`, unless that is 0. */
static void expect_exact(int64_t rate_bps) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct stand *s = stand_prepare(spec_star(HOSTS), &balance_ecmp);
        struct random_stream r;
        s->config.port.classes = seed % 2 ? 1 : 2;
        s->config.port.schedule.ops = seed % 2 ? &schedule_fifo : &schedule_strict;
        stand_start(s, "leaf0");
        struct fabric_event slower = {.kind = EVENT_RATE, .port = 1, .value = rate_bps};
        if (rate_bps) switch_event(s->sw, &slower);
        random_init(&r, seed, RANDOM_HOST, 0);
        int64_t most = 0;
        time_ps now = 0;
        for (int n = 0; n < 2000; n++) {
            now += (time_ps)random_below(&r, FULL * BYTE_PS / 2);
            uint32_t index = stand_frame(s, 0, 1 + (uint32_t)random_below(&r, HOSTS - 1), 1);
            stand_events(s, now);
            int64_t before = all_backlogs(s, now);
            switch_receive(s->sw, now, 0, index, &s->out);
            bool dropped = s->out.n && s->out.e[0].drop;
            if (!dropped) most = max_i64(most, seed % 2 ? all_backlogs(s, now) : before + 1518);
        }
        assert_true(most > 10 * 1518);
        assert_in_range(s->sw->buffer.max_bytes, most, most + HOSTS); /* each port's own backlog is rounded down */
        stand_end(s);
    }
}

/* The bound lets most frames pass without a sum. */
static void buffer__is_exact(void **state) {
    (void)state;
    expect_exact(0);
}

static void buffer__is_exact_at_several_rates(void **state) {
    (void)state;
    expect_exact(4 * GBPS);
    expect_exact(7 * GBPS); /* a byte takes no integer of picoseconds */
}

/* After a change of rate the same backlog in time is another one in bytes. */
static void buffer__a_change_of_rate_asks_for_the_sum(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_star(HOSTS), "leaf0", &balance_ecmp);
    for (uint16_t i = 0; i < 20; i++) stand_send(s, 0, 0, 1, i);
    int64_t ten_gbps = s->view[1].rate_bps;
    switch_event(s->sw, &(struct fabric_event){.kind = EVENT_RATE, .port = 1, .value = 2 * ten_gbps});
    stand_send(s, 0, 0, 2, 1);
    assert_int_equal(s->sw->buffer.max_bytes, 2 * 20 * 1518 + 1518);
    stand_end(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(buffer__begins_anew),
        UNIT(buffer__adds_up_the_queues_of_one_instant),
        UNIT(buffer__a_dropped_frame_is_not_held),
        UNIT(buffer__is_exact),
        UNIT(buffer__is_exact_at_several_rates),
        UNIT(buffer__a_change_of_rate_asks_for_the_sum),
    };
    return RUN_UNITS(tests);
}
