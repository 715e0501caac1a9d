/* SPDX-License-Identifier: Apache-2.0 */
/* Gates at work: who waits for whom, delays, processors. */
#include "base/gates.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

/* The gates of a test, all of one host; flow k is gated[k]. `said` has what happened: "f0@10 ". */
struct works {
    struct gate gate[8];
    uint32_t gated[16], follow[16], one;
    struct gates gates;
    struct gate_state state;
    struct heap due;
    char said[256];
};

static void begin(struct works *w) {
    for (uint32_t i = 0; i < 16; i++) w->gated[i] = i;
    w->gates.gate = w->gate;
    w->gates.gated = w->gated;
    w->gates.follow = w->follow;
    gate_state_init(&w->state, &w->gates);
    heap_init(&w->due);
    for (uint32_t i = 0; i < w->gates.n_gates; i++)
        if (w->gate[i].needs == 0) gates_begin(&w->state, &w->due, i, 0);
}

static void feed(struct works *w, uint32_t gate, time_ps now) {
    w->one = gate;
    gates_feed(&w->state, &w->due, (struct fed_gates){&w->one, 1}, now);
}

/* Carries out all that is due up to `until`; returns the flows that started, with their instants. */
static const char *carried_out(struct works *w, time_ps until) {
    w->said[0] = '\0';
    while (heap_top(&w->due) && heap_top(&w->due)->key <= until) {
        time_ps at = heap_top(&w->due)->key;
        uint32_t flow = gates_take(&w->state, &w->due);
        size_t used = strlen(w->said);
        if (flow != FLOW_NONE) snprintf(w->said + used, sizeof w->said - used, "f%u@%lld ", flow, (long long)at);
    }
    return w->said;
}

static void end(struct works *w) {
    heap_fini(&w->due);
    gate_state_fini(&w->state);
}

static void gates__a_gate_waits_for_all_that_it_needs(void **state) {
    (void)state;
    struct works w = {.gate = {{.needs = 2, .first = 0, .n = 2, .delay = 7}}, .gates = {.n_gates = 1, .n_gated = 2}};
    begin(&w);
    feed(&w, 0, 10);
    assert_string_equal(carried_out(&w, 100), "");
    feed(&w, 0, 20);
    assert_string_equal(carried_out(&w, 26), "");
    assert_string_equal(carried_out(&w, 27), "f0@27 f1@27 ");
    end(&w);
}

/* A computation of 10 at the begin of the run, then one of 5 that counts its end, then a flow. */
static void gates__gates_count_the_end_of_others(void **state) {
    (void)state;
    struct works w = {.gate = {{.delay = 10, .next = 0, .n_on_end = 1}, {.needs = 1, .first = 0, .n = 1, .delay = 5}},
                      .follow = {1},
                      .gates = {.n_gates = 2, .n_gated = 1}};
    begin(&w);
    assert_string_equal(carried_out(&w, 100), "f0@15 ");
    end(&w);
}

/* irequires: both computations begin together, since the second counts the begin of the first. */
static void gates__gates_count_the_begin_of_others(void **state) {
    (void)state;
    struct works w = {
        .gate = {{.first = 0, .n = 1, .delay = 10, .n_on_begin = 1}, {.needs = 1, .first = 1, .n = 1, .delay = 3}},
        .follow = {1},
        .gates = {.n_gates = 2, .n_gated = 2}};
    begin(&w);
    assert_string_equal(carried_out(&w, 100), "f1@3 f0@10 ");
    end(&w);
}

/* Two computations of 1000: one after the other on one processor, together on two (or on none). */
static void gates__a_processor_carries_out_one_at_a_time(void **state) {
    (void)state;
    struct works w = {.gate = {{.first = 0, .n = 1, .delay = 1000, .processor = 1},
                               {.first = 1, .n = 1, .delay = 1000, .processor = 1},
                               {.first = 2, .n = 1, .delay = 1000, .processor = 2},
                               {.needs = 1, .first = 3, .n = 1, .delay = 1, .processor = 1}},
                      .gates = {.n_gates = 4, .n_gated = 4, .n_processors = 2}};
    begin(&w);
    assert_string_equal(carried_out(&w, 1500), "f0@1000 f2@1000 ");
    feed(&w, 3, 1500);
    assert_string_equal(carried_out(&w, 5000), "f1@2000 f3@2001 ");
    end(&w);
}

/* The order of readiness decides, not that of the numbers; a gate that others count from its begin on begins when the
 * processor takes it. */
static void gates__a_processor_takes_first_what_was_ready_first(void **state) {
    (void)state;
    struct works w = {
        .gate = {{.needs = 1, .first = 0, .n = 1, .delay = 10, .processor = 1},
                 {.needs = 1, .first = 1, .n = 1, .delay = 10, .processor = 1, .next = 0, .n_on_begin = 1},
                 {.needs = 1, .first = 2, .n = 1, .delay = 10, .processor = 1},
                 {.needs = 1, .first = 3, .n = 1}},
        .follow = {3},
        .gates = {.n_gates = 4, .n_gated = 4, .n_processors = 1}};
    begin(&w);
    feed(&w, 2, 1);
    feed(&w, 1, 2);
    feed(&w, 0, 3);
    assert_string_equal(carried_out(&w, 100), "f2@11 f3@11 f1@21 f0@31 ");
    end(&w);
}

/* A long chain of begins is no chain of calls, and an instant has an order: flows, ends, begins. */
static void gates__at_one_instant_flows_come_first(void **state) {
    (void)state;
    struct works w = {.gate = {{.needs = 1, .first = 0, .n = 1, .n_on_begin = 1},
                               {.needs = 1, .first = 1, .n = 1, .next = 1, .n_on_end = 1},
                               {.needs = 1, .first = 2, .n = 1}},
                      .follow = {1, 2},
                      .gates = {.n_gates = 3, .n_gated = 3}};
    begin(&w);
    feed(&w, 0, 5);
    assert_string_equal(carried_out(&w, 5), "f0@5 f1@5 f2@5 ");
    assert_null(heap_top(&w.due));
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(gates__a_gate_waits_for_all_that_it_needs),
        UNIT(gates__gates_count_the_end_of_others),
        UNIT(gates__gates_count_the_begin_of_others),
        UNIT(gates__a_processor_carries_out_one_at_a_time),
        UNIT(gates__a_processor_takes_first_what_was_ready_first),
        UNIT(gates__at_one_instant_flows_come_first),
    };
    return RUN_UNITS(tests);
}
