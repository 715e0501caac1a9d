/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines of connections come out in order of time, flow and side, after any changes and removals. */
#include "node/deadlines.h"
#include "node/ports.h"

#include "node/host.h"

#define MANY 3000

static void expect_next(struct deadlines *h, struct connection *c) {
    assert_ptr_equal(h->entry[0].of, c);
    deadlines_remove(h, c);
}

static void deadlines_add__equal_times_by_flow_and_side(void **state) {
    (void)state;
    struct deadlines h;
    deadlines_init(&h, offsetof(struct connection, heap_place));
    struct connection c[3] = {{.timer_at = 7, .flow = 2, .side = SIDE_SENDER},
                              {.timer_at = 7, .flow = 1, .side = SIDE_RECEIVER},
                              {.timer_at = 7, .flow = 1, .side = SIDE_SENDER}};
    for (uint32_t i = 0; i < 3; i++) deadlines_add(&h, &c[i], c[i].timer_at);
    bool sender_first = SIDE_SENDER < SIDE_RECEIVER;
    expect_next(&h, sender_first ? &c[2] : &c[1]);
    expect_next(&h, sender_first ? &c[1] : &c[2]);
    expect_next(&h, &c[0]);
    assert_int_equal(h.n, 0);
    deadlines_fini(&h);
}

static void deadlines_hasten__comes_first(void **state) {
    (void)state;
    struct deadlines h;
    deadlines_init(&h, offsetof(struct connection, heap_place));
    struct connection c[20] = {0};
    for (uint32_t i = 0; i < 20; i++) {
        c[i] = (struct connection){.timer_at = 100 + i, .flow = i};
        deadlines_add(&h, &c[i], c[i].timer_at);
    }
    c[17].timer_at = 3;
    deadlines_hasten(&h, &c[17], c[17].timer_at);
    expect_next(&h, &c[17]);
    expect_next(&h, &c[0]);
    deadlines_fini(&h);
}

static void deadlines_remove__twice_is_once(void **state) {
    (void)state;
    struct deadlines h;
    deadlines_init(&h, offsetof(struct connection, heap_place));
    struct connection a = {.timer_at = 1}, b = {.timer_at = 2, .flow = 1};
    deadlines_add(&h, &a, a.timer_at);
    deadlines_add(&h, &b, b.timer_at);
    deadlines_remove(&h, &a);
    deadlines_remove(&h, &a);
    assert_int_equal(h.n, 1);
    expect_next(&h, &b);
    deadlines_fini(&h);
}

/* The model: returns the connection with the earliest deadline of all that have one. */
static struct connection *least(struct connection *c, uint32_t n) {
    struct connection *first = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (c[i].heap_place == PLACE_NONE) continue;
        if (!first || c[i].timer_at < first->timer_at) first = &c[i]; /* flows ascend, so the first wins ties */
    }
    return first;
}

/* Adds MANY connections, 1 ns apart, in shuffled order. */
static struct connection *crowd_add(struct deadlines *h) {
    static struct connection c[MANY];
    deadlines_init(h, offsetof(struct connection, heap_place));
    for (uint32_t i = 0; i < MANY; i++) {
        c[i] = (struct connection){.timer_at = (i * 7919ll % MANY) * 1000, .flow = i, .heap_place = PLACE_NONE};
        deadlines_add(h, &c[i], c[i].timer_at);
    }
    return c;
}

/* Beyond some hundreds, distant deadlines go to the calendar, where they are not sorted. */
static void deadlines__those_far_ahead_leave_the_heap(void **state) {
    (void)state;
    struct deadlines h;
    crowd_add(&h);
    assert_true(h.n < 300);
    assert_int_equal(h.n + h.later->n, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        struct connection *first = h.entry[0].of;
        assert_int_equal(first->timer_at, i * 1000);
        deadlines_remove(&h, first);
    }
    assert_int_equal(h.n, 0);
    deadlines_fini(&h);
}

/* With every deadline removed from the calendar, a new one is next at once. */
static void deadlines_remove__all_of_the_calendar(void **state) {
    (void)state;
    struct deadlines h;
    struct connection *c = crowd_add(&h);
    for (uint32_t i = 0; i < MANY; i++)
        if (c[i].heap_place & PLACE_IN_CALENDAR) deadlines_remove(&h, &c[i]);
    while (h.n) expect_next(&h, least(c, MANY));
    c[0].timer_at = MANY * 2000;
    deadlines_add(&h, &c[0], c[0].timer_at);
    assert_int_equal(h.n, 1);
    expect_next(&h, &c[0]);
    deadlines_fini(&h);
}

/* Returns how many deadlines are due. */
static uint32_t due(const struct connection *c, uint32_t n, time_ps now) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) count += c[i].heap_place != PLACE_NONE && c[i].timer_at <= now;
    return count;
}

/* Returns a time as hosts set it: most are near, some a thousand times as far, many equal. */
static time_ps time_after(struct random_stream *random, time_ps now) {
    switch (random_u32(random) % 8) {
    case 0: return now + random_u32(random) % 1000000;
    case 1: return now + 500;
    default: return now + random_u32(random) % 1000;
    }
}

static void deadlines__any_order_of_adding_moving_removing(void **state) {
    (void)state;
    static struct connection c[MANY];
    static const uint32_t crowd[] = {100, 500, MANY};
    for (size_t k = 0; k < sizeof crowd / sizeof *crowd; k++) {
        struct deadlines h;
        struct random_stream random;
        uint32_t many = crowd[k];
        time_ps now = 0;
        deadlines_init(&h, offsetof(struct connection, heap_place));
        random_init(&random, 1, RANDOM_HOST, 0);
        for (uint32_t i = 0; i < many; i++) c[i] = (struct connection){.flow = i, .heap_place = PLACE_NONE};
        for (uint32_t step = 0; step < 40000; step++) {
            struct connection *one = &c[random_u32(&random) % many];
            if (one->heap_place == PLACE_NONE) {
                one->timer_at = time_after(&random, now);
                deadlines_add(&h, one, one->timer_at);
            } else if (random_u32(&random) % 4 == 0) {
                one->timer_at -= (one->timer_at - now) / 2;
                deadlines_hasten(&h, one, one->timer_at);
            } else if (random_u32(&random) % 4 == 0) {
                one->timer_at = time_after(&random, now);
                deadlines_move(&h, one, one->timer_at);
            } else if (random_u32(&random) % 4 == 0) {
                deadlines_remove(&h, one);
            } else if (h.n) {
                now = max_i64(now, h.entry[0].at);
                deadlines_remove(&h, h.entry[0].of);
            }
            if (step % 16 == 0 && h.n) assert_ptr_equal(h.entry[0].of, least(c, many));
            time_ps soon = h.n ? h.entry[0].at + random_u32(&random) % 8 : now;
            if (step % 16 == 0 && deadlines_one_due(&h, soon)) assert_int_equal(due(c, many, soon), 1);
            if (step % 16 == 0 && !h.later) assert_int_equal(deadlines_one_due(&h, soon), due(c, many, soon) == 1);
            assert_true(deadlines_next(&h) == (h.n ? h.entry[0].at : TIME_NONE));
        }
        while (h.n) expect_next(&h, least(c, many));
        assert_null(least(c, many));
        deadlines_fini(&h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlines_add__equal_times_by_flow_and_side),
        cmocka_unit_test(deadlines_hasten__comes_first),
        cmocka_unit_test(deadlines_remove__twice_is_once),
        cmocka_unit_test(deadlines__those_far_ahead_leave_the_heap),
        cmocka_unit_test(deadlines_remove__all_of_the_calendar),
        cmocka_unit_test(deadlines__any_order_of_adding_moving_removing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
