/* SPDX-License-Identifier: Apache-2.0 */
/* Which class leaves next, by the queues alone. */
#include "mech/schedule/schedules.h"

#include "unit.h"

/* Fills n queues: bit k of `full` says whether class k has a frame, of 1,000 bytes. */
static void queues_fill(struct class_queue *q, uint32_t n, uint32_t full) {
    for (uint32_t k = 0; k < n; k++) {
        bool has = full >> k & 1;
        q[k] = (struct class_queue){.head = has ? k : UINT32_MAX,
                                    .tail = has ? k : UINT32_MAX,
                                    .bytes = has ? 1000 : 0,
                                    .first_bytes = has ? 1000 : 0,
                                    .quantum = 1500};
    }
}

static uint32_t picked(const char *name, uint32_t n, uint32_t full, uint32_t stopped) {
    struct class_queue q[MAX_CLASSES];
    struct schedule_state state = {0};
    queues_fill(q, n, full);
    return schedule_find(name)->pick(&state, q, n, stopped);
}

/* Every set of filled and of paused classes: the highest filled one that is not paused. */
static void strict__takes_the_highest_class_that_may_send(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= MAX_CLASSES; n++)
        for (uint32_t full = 0; full < 1u << n; full++)
            for (uint32_t stopped = 0; stopped < 1u << n; stopped++) {
                uint32_t may = full & ~stopped, expected = SCHEDULE_NOTHING;
                for (uint32_t k = 0; k < n; k++)
                    if (may >> k & 1) expected = k;
                assert_int_equal(picked("strict", n, full, stopped), expected);
            }
}

static void fifo__has_one_queue(void **state) {
    (void)state;
    assert_int_equal(picked("fifo", 1, 1, 0), 0);
    assert_int_equal(picked("fifo", 1, 1, 1), SCHEDULE_NOTHING);
    assert_int_equal(picked("fifo", 1, 1, 2), 0); /* another class's pause */
    assert_int_equal(picked("fifo", 1, 0, 0), SCHEDULE_NOTHING);
}

/* drr takes a class that has a frame and may send, whatever the turn. */
static void drr__takes_none_that_is_empty_or_paused(void **state) {
    (void)state;
    for (uint32_t full = 0; full < 1u << 4; full++)
        for (uint32_t stopped = 0; stopped < 1u << 4; stopped++) {
            uint32_t k = picked("drr", 4, full, stopped), may = full & ~stopped;
            if (may == 0)
                assert_int_equal(k, SCHEDULE_NOTHING);
            else
                assert_true(k < 4 && may >> k & 1);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(strict__takes_the_highest_class_that_may_send), UNIT(fifo__has_one_queue),
                                       UNIT(drr__takes_none_that_is_empty_or_paused)};
    return RUN_UNITS(tests);
}
