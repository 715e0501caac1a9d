/* SPDX-License-Identifier: Apache-2.0 */
/* A switch alone: the events of its timeline. */
#include "switch_stand.h"

#include "mech/balance/balancers.h"

static struct fabric_spec with_failure(struct fabric_spec spec, const char *link, time_ps repair_at) {
    static struct link_failure failure;
    failure = (struct link_failure){.link = link, .at = 100 * US, .repair_at = repair_at, .detect = 50 * US};
    spec.failed = &failure;
    spec.n_failed = 1;
    return spec;
}

static uint32_t ports_used(struct stand *s, time_ps now) {
    uint32_t used = 0;
    for (uint16_t flow = 0; flow < 64; flow++) {
        struct emission e = stand_send(s, now, 0, 9, flow);
        used |= 1u << e.port;
    }
    return used;
}

static void event__routes_withdraw_and_restore_a_next_hop(void **state) {
    (void)state;
    struct stand *s =
        stand_of(with_failure(spec_leaf_spine(3, 2, 4), "leaf0-spine1", 300 * US), "leaf0", &balance_ecmp);
    assert_int_equal(ports_used(s, 0), 1u << 4 | 1u << 5);
    stand_events(s, 149 * US);
    assert_int_equal(ports_used(s, 149 * US), 1u << 4 | 1u << 5); /* not detected yet */
    stand_events(s, 150 * US);
    assert_int_equal(ports_used(s, 150 * US), 1u << 4);
    stand_events(s, 350 * US);
    assert_int_equal(ports_used(s, 350 * US), 1u << 4 | 1u << 5);
    assert_true(switch_next_timer(s->sw) == TIME_NONE);
    stand_end(s);
}

/* A failure at another switch removes the next hop for one rack only. */
static void event__routes_of_others(void **state) {
    (void)state;
    struct stand *s =
        stand_of(with_failure(spec_leaf_spine(3, 2, 4), "leaf2-spine1", TIME_NONE), "leaf0", &balance_ecmp);
    stand_events(s, 150 * US);
    assert_int_equal(ports_used(s, 150 * US), 1u << 4); /* rack 2 */
    uint32_t used = 0;
    for (uint16_t flow = 0; flow < 64; flow++) used |= 1u << stand_send(s, 200 * US, 0, 5, flow).port;
    assert_int_equal(used, 1u << 4 | 1u << 5); /* rack 1 */
    stand_end(s);
}

static void event__ports_go_down_and_up_when_detected(void **state) {
    (void)state;
    struct stand *s = stand_of(with_failure(spec_leaf_spine(3, 2, 4), "leaf0-spine1", 300 * US), "leaf0", &spy_ops);
    stand_events(s, 120 * US);
    assert_true(s->view[5].up);
    assert_int_equal(spy.place_changes, 0);
    stand_events(s, 150 * US);
    assert_false(s->view[5].up);
    assert_true(s->view[4].up);
    uint32_t changes = spy.place_changes;
    assert_true(changes >= 1);
    stand_events(s, 349 * US);
    assert_false(s->view[5].up);
    stand_events(s, 350 * US);
    assert_true(s->view[5].up);
    assert_true(spy.place_changes > changes);
    stand_end(s);
}

/* From failure to repair the wire loses every frame, detected or not. */
static void event__a_dead_wire_loses_what_is_sent(void **state) {
    (void)state;
    struct stand *s = stand_of(with_failure(spec_star(4), "leaf0-host0.1", 300 * US), "leaf0", &balance_ecmp);
    assert_int_equal(stand_send(s, 90 * US, 0, 1, 1).drop, DROP_NONE);
    assert_int_equal(stand_send(s, 99 * US, 0, 1, 1).drop, DROP_LINK_DOWN); /* would arrive at 102.2 us */
    stand_events(s, 200 * US);
    assert_int_equal(stand_send(s, 200 * US, 0, 1, 1).drop, DROP_LINK_DOWN);
    stand_events(s, 300 * US);
    assert_int_equal(stand_send(s, 300 * US, 0, 1, 1).drop, DROP_NONE);
    assert_int_equal(s->extra[1].dropped[DROP_LINK_DOWN], 2);
    stand_end(s);
}

/* Notices tell the ToRs of a pod about dead uplinks of its agg (Expeditus 3.3). */
static void event__notices_reach_the_balancer(void **state) {
    (void)state;
    struct stand *s = stand_of(with_failure(spec_clos(2, 2, 2, 4, 2), "agg0.1-core1.2", 300 * US), "tor0.0", &spy_ops);
    const struct place_beyond *beyond = s->sw->env.place->beyond; /* the balancer's view */
    assert_int_equal(beyond[3].alive, 4);
    assert_int_equal(beyond[3].total, 4);
    stand_events(s, 150 * US);
    assert_int_equal(beyond[3].alive, 3);
    assert_int_equal(beyond[3].total, 4);
    assert_int_equal(beyond[2].alive, 4); /* agg0.0 has all its uplinks */
    assert_true(spy.place_changes >= 1);
    stand_events(s, 350 * US);
    assert_int_equal(beyond[3].alive, 4);
    stand_end(s);
}

static void event__reduced_rate_and_gray_link(void **state) {
    (void)state;
    static struct link_failure both[2];
    both[0] = (struct link_failure){.link = "leaf0-host0.1", .at = 10 * US, .repair_at = 20 * US, .rate_bps = GBPS};
    both[1] = (struct link_failure){.link = "leaf0-host0.2", .at = 10 * US, .repair_at = 20 * US, .loss_ppb = PPB};
    struct fabric_spec spec = spec_star(4);
    spec.failed = both, spec.n_failed = 2;
    struct stand *s = stand_of(spec, "leaf0", &balance_ecmp);
    stand_events(s, 10 * US);
    assert_int_equal(stand_send(s, 10 * US, 0, 1, 1).depart, 10 * US + FULL * 10 * BYTE_PS);
    assert_int_equal(stand_send(s, 10 * US, 0, 2, 1).drop, DROP_LOSS);
    stand_events(s, 20 * US);
    assert_int_equal(stand_send(s, 30 * US, 0, 1, 1).depart, 30 * US + FULL * BYTE_PS);
    assert_int_equal(stand_send(s, 30 * US, 0, 2, 1).drop, DROP_NONE);
    stand_end(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(event__routes_withdraw_and_restore_a_next_hop),
        UNIT(event__routes_of_others),
        UNIT(event__ports_go_down_and_up_when_detected),
        UNIT(event__a_dead_wire_loses_what_is_sent),
        UNIT(event__notices_reach_the_balancer),
        UNIT(event__reduced_rate_and_gray_link),
    };
    return RUN_UNITS(tests);
}
