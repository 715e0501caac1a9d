/* SPDX-License-Identifier: Apache-2.0 */
/* A switch alone: ports with classes. */
#include "switch_stand.h"

#include "mech/balance/balancers.h"
#include "mech/schedule/schedules.h"

static struct stand *stand_queued(void) {
    struct stand *s = stand_prepare(spec_star(4), &balance_ecmp);
    s->config.port.classes = 2;
    s->config.port.schedule.ops = &schedule_strict;
    return stand_start(s, "leaf0");
}

static uint32_t queue_frame(struct stand *s, time_ps now, uint32_t dst, uint8_t class) {
    uint32_t index = stand_frame(s, 0, dst, 1);
    packet_at(&s->pool, index)->tos = (uint8_t)(class << 5);
    switch_receive(s->sw, now, 0, index, &s->out);
    return index;
}

static void service__one_at_a_time_the_higher_class_first(void **state) {
    (void)state;
    const span_ps s1 = FULL * BYTE_PS;
    struct stand *s = stand_queued();
    uint32_t a = queue_frame(s, 0, 1, 0);
    assert_int_equal(s->out.n, 1); /* the link was idle */
    assert_int_equal(s->out.e[0].packet, a);
    assert_int_equal(s->out.e[0].depart, s1);
    assert_true(switch_next_timer(s->sw) == TIME_NONE); /* nothing is queued */
    uint32_t b = queue_frame(s, 100, 1, 0);
    assert_int_equal(s->out.n, 0);
    uint32_t c = queue_frame(s, 200, 1, 1);
    assert_int_equal(s->out.n, 0);
    uint32_t d = queue_frame(s, 300, 2, 0); /* an idle port */
    assert_int_equal(s->out.n, 1);
    assert_int_equal(s->out.e[0].packet, d);
    assert_int_equal(switch_next_timer(s->sw), s1);
    switch_timer(s->sw, s1, &s->out);
    assert_int_equal(s->out.n, 1);
    assert_int_equal(s->out.e[0].packet, c);
    assert_int_equal(s->out.e[0].depart, 2 * s1);
    assert_int_equal(switch_next_timer(s->sw), 2 * s1);
    switch_timer(s->sw, 2 * s1, &s->out);
    assert_int_equal(s->out.e[0].packet, b);
    assert_true(switch_next_timer(s->sw) == TIME_NONE);
    stand_end(s);
}

static void service__ports_that_are_due_together(void **state) {
    (void)state;
    struct stand *s = stand_queued();
    uint32_t served = 0;
    for (uint32_t dst = 1; dst < 4; dst++)
        for (int n = 0; n < 2; n++) queue_frame(s, 0, dst, 0);
    for (; switch_next_timer(s->sw) == FULL * BYTE_PS; served += s->out.n) switch_timer(s->sw, FULL * BYTE_PS, &s->out);
    assert_int_equal(served, 3);
    assert_true(switch_next_timer(s->sw) == TIME_NONE);
    stand_end(s);
}

static void service__a_full_port_drops_at_once(void **state) {
    (void)state;
    struct stand *s = stand_queued();
    uint32_t dropped = 0;
    for (int n = 0; n < 200; n++) {
        uint32_t index = queue_frame(s, 0, 1, 0);
        for (uint32_t k = 0; k < s->out.n; k++)
            if (s->out.e[k].drop) dropped += s->out.e[k].packet == index && s->out.e[k].drop == DROP_BUFFER;
    }
    assert_int_equal(dropped, 200 - 150000 / 1518);
    stand_end(s);
}

/* The rate falls at the instant at which the second frame starts, which then takes ten times as long. */
static void service__topology_changes_first(void **state) {
    (void)state;
    const span_ps s1 = FULL * BYTE_PS;
    static struct link_failure slow;
    slow = (struct link_failure){.link = "leaf0-host0.1", .at = s1, .repair_at = TIME_NONE, .rate_bps = GBPS};
    struct fabric_spec spec = spec_star(4);
    spec.failed = &slow, spec.n_failed = 1;
    struct stand *s = stand_prepare(spec, &balance_ecmp);
    s->config.port.classes = 2;
    s->config.port.schedule.ops = &schedule_strict;
    stand_start(s, "leaf0");
    for (int n = 0; n < 2; n++) queue_frame(s, 0, 1, 0);
    switch_timer(s->sw, s1, &s->out);
    assert_int_equal(s->out.n, 0);
    switch_timer(s->sw, s1, &s->out);
    assert_int_equal(s->out.n, 1);
    assert_int_equal(s->out.e[0].depart, s1 + 10 * s1);
    stand_end(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(service__one_at_a_time_the_higher_class_first),
        UNIT(service__ports_that_are_due_together),
        UNIT(service__a_full_port_drops_at_once),
        UNIT(service__topology_changes_first),
    };
    return RUN_UNITS(tests);
}
