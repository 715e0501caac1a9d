/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/flow_meter.h"

#include "unit.h"

/* Four flows: one runs throughout, one finishes, one is stopped, one starts later. */
struct world {
    struct flow flow[4];
    struct flow_tally tally[4];
    struct flow_meter m;
};

static void world_init(struct world *w) {
    *w = (struct world){.flow = {{.start = 0, .bytes = UINT64_MAX, .stop = TIME_NONE},
                                 {.start = 0, .bytes = 500, .stop = TIME_NONE},
                                 {.start = 10, .bytes = UINT64_MAX, .stop = 25},
                                 {.start = 20, .bytes = UINT64_MAX, .stop = TIME_NONE}}};
    for (int i = 0; i < 4; i++) w->tally[i].finished_at = TIME_NONE;
    flow_meter_init(&w->m, w->flow, tallies_of(w->tally), 4);
}

static const struct metered_flow *metered(const struct world *w, uint32_t flow) {
    for (uint32_t i = 0; i < w->m.n_open; i++)
        if (w->m.open[i].flow == flow) return &w->m.open[i];
    return NULL;
}

static void flow_meter_step__bytes_of_the_interval_alone(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.tally[0].received_bytes = 100;
    flow_meter_step(&w.m, 10);
    assert_int_equal(metered(&w, 0)->bytes, 100);
    w.tally[0].received_bytes = 130;
    flow_meter_step(&w.m, 20);
    assert_int_equal(metered(&w, 0)->bytes, 30);
    assert_int_equal(metered(&w, 0)->received, 130);
    flow_meter_fini(&w.m);
}

/* A flow that starts at the end of an interval belongs to the whole of the next one. */
static void flow_meter_step__starts_on_the_grid(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    flow_meter_step(&w.m, 10);
    assert_null(metered(&w, 2));
    flow_meter_step(&w.m, 20);
    assert_true(flow_meter_is_whole(&w.m, metered(&w, 2)));
    assert_null(metered(&w, 3));
    flow_meter_fini(&w.m);
}

static void flow_meter_step__a_finished_flow_is_seen_once_more(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    w.tally[1].received_bytes = 500;
    w.tally[1].finished_at = 7;
    flow_meter_step(&w.m, 10);
    assert_int_equal(metered(&w, 1)->end, 7);
    assert_int_equal(metered(&w, 1)->bytes, 500);
    assert_false(flow_meter_is_whole(&w.m, metered(&w, 1)));
    assert_true(flow_meter_is_whole(&w.m, metered(&w, 0)));
    flow_meter_step(&w.m, 20);
    assert_null(metered(&w, 1));
    flow_meter_fini(&w.m);
}

/* Bytes in flight when the flow was stopped still count. */
static void flow_meter_step__a_stopped_flow_stays_while_bytes_arrive(void **state) {
    (void)state;
    struct world w;
    world_init(&w);
    flow_meter_step(&w.m, 20);
    w.tally[2].received_bytes = 40;
    flow_meter_step(&w.m, 30);
    assert_int_equal(metered(&w, 2)->end, 25);
    w.tally[2].received_bytes = 45;
    flow_meter_step(&w.m, 40);
    assert_int_equal(metered(&w, 2)->bytes, 5);
    assert_false(flow_meter_is_whole(&w.m, metered(&w, 2)));
    flow_meter_step(&w.m, 50);
    assert_int_equal(metered(&w, 2)->bytes, 0);
    flow_meter_step(&w.m, 60);
    assert_null(metered(&w, 2));
    flow_meter_fini(&w.m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(flow_meter_step__bytes_of_the_interval_alone),
        UNIT(flow_meter_step__starts_on_the_grid),
        UNIT(flow_meter_step__a_finished_flow_is_seen_once_more),
        UNIT(flow_meter_step__a_stopped_flow_stays_while_bytes_arrive),
    };
    return RUN_UNITS(tests);
}
