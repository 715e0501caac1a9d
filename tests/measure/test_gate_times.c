/* SPDX-License-Identifier: Apache-2.0 */
/* When gates began and ended, from the ends of flows: the same as base/gates.c has them (tests/base/test_gates.c). */
#include "measure/gate_times.h"

#include "feeds.h"

/* Flow 0 is received at 100, flow 1 acknowledged at 130, flow 2 never. */
static void times_of(struct gate *gate, uint32_t n, const uint32_t *follow, uint32_t n_processors, struct feeds *feeds,
                     struct gate_times *t) {
    struct flow_tally tally[3] = {{.finished_at = 100, .acked_at = TIME_NONE},
                                  {.finished_at = TIME_NONE, .acked_at = 130},
                                  {.finished_at = TIME_NONE, .acked_at = TIME_NONE}};
    struct gates gates = {.gate = gate, .follow = follow, .n_gates = n, .n_processors = n_processors};
    feeds_finish(feeds, &gates, 3);
    gate_times_init(t, &gates, tallies_of(tally), 3);
}

static void gate_times__begin_when_all_is_there(void **state) {
    (void)state;
    struct feeds feeds = {0};
    struct gate_times t;
    struct gate gate[] = {{.needs = 2, .delay = 7}, {.needs = 0, .delay = 9}, {.needs = 1}};
    feeds_add(&feeds, 0, FED_RECEIVED, 0);
    feeds_add(&feeds, 1, FED_ACKED, 0);
    feeds_add(&feeds, 2, FED_RECEIVED, 2);
    times_of(gate, 3, NULL, 0, &feeds, &t);
    assert_int_equal(t.begun[0], 130);
    assert_int_equal(t.ended[0], 137);
    assert_int_equal(t.begun[1], 0);
    assert_int_equal(t.ended[1], 9);
    assert_int_equal(t.begun[2], TIME_NONE);
    assert_int_equal(t.ended[2], TIME_NONE);
    gate_times_free(&t);
}

/* Gate 1 counts the end of gate 0, gate 2 its begin. */
static void gate_times__gates_wait_for_gates(void **state) {
    (void)state;
    struct feeds feeds = {0};
    struct gate_times t;
    const uint32_t follow[] = {2, 1};
    struct gate gate[] = {
        {.needs = 1, .delay = 7, .n_on_begin = 1, .n_on_end = 1}, {.needs = 1, .delay = 1}, {.needs = 1, .delay = 2}};
    feeds_add(&feeds, 0, FED_RECEIVED, 0);
    times_of(gate, 3, follow, 0, &feeds, &t);
    assert_int_equal(t.ended[0], 107);
    assert_int_equal(t.begun[1], 107);
    assert_int_equal(t.begun[2], 100);
    assert_int_equal(t.ended[2], 102);
    gate_times_free(&t);
}

static void gate_times__a_processor_takes_one_after_the_other(void **state) {
    (void)state;
    struct feeds feeds = {0};
    struct gate_times t;
    struct gate gate[] = {{.needs = 1, .delay = 50, .processor = 1},
                          {.needs = 1, .delay = 5, .processor = 1},
                          {.needs = 0, .delay = 110, .processor = 1}};
    feeds_add(&feeds, 1, FED_ACKED, 0);
    feeds_add(&feeds, 0, FED_RECEIVED, 1);
    times_of(gate, 3, NULL, 1, &feeds, &t);
    assert_int_equal(t.ended[2], 110);
    assert_int_equal(t.begun[1], 110); /* it could begin at 100 */
    assert_int_equal(t.ended[1], 115);
    assert_int_equal(t.begun[0], 130);
    assert_int_equal(t.ended[0], 180);
    gate_times_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(gate_times__begin_when_all_is_there),
        UNIT(gate_times__gates_wait_for_gates),
        UNIT(gate_times__a_processor_takes_one_after_the_other),
    };
    return RUN_UNITS(tests);
}
