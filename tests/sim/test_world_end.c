/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run: with its last flow, at `until`, abandoned by the progress function, or stuck. */
#include "sim/fixture.h"

#include "mech/schedule/schedules.h"

#include "unit.h"

#include "sim/idle_times.h"

static void end__first_epoch_after_the_last_flow(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(4));
    lab_random_flows(l, 4, 20, 20000, 3 * MS);
    lab_run_done(l);
    time_ps last = 0;
    for (uint32_t i = 0; i < 20; i++) last = max_i64(last, l->r.tally[i].finished_at);
    assert_int_equal(l->r.engine.sim_ps % (100 * US), 0);
    assert_true(l->r.engine.sim_ps >= last && l->r.engine.sim_ps - last < 100 * US);
    lab_end(l);
}

static void end__no_flows_at_all(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_run_done(l);
    assert_int_equal(l->r.engine.sim_ps, 100 * US);
    assert_int_equal(l->r.packets.sent, 0);
    lab_end(l);
}

static void end__until_cuts_what_is_in_flight(void **state) {
    (void)state;
    for (time_ps until = 20 * US; until < 100 * US; until += 7777777) {
        struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
        l->config.until = until;
        lab_flow(l, 0, 2, 1000000, 0);
        lab_flow(l, 3, 1, 1000000, 0);
        lab_run_done(l);
        const struct packet_totals *p = &l->r.packets;
        assert_int_equal(l->r.engine.sim_ps, until);
        assert_int_equal(l->r.flows_unfinished, 2);
        assert_true(p->in_flight > 0 && p->dropped == 0);
        assert_int_equal(p->sent, p->delivered + p->in_flight);
        lab_end(l);
    }
}

/* Frames in queues of classes count as in flight. */
static void end__until_counts_queues_of_classes(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(3));
    l->config.switches.port.classes = 2;
    l->config.switches.port.schedule.ops = &schedule_strict;
    l->config.until = 100 * US;
    lab_transport(l, "udp");
    lab_flow(l, 1, 0, 1000000, 0);
    lab_flow(l, 2, 0, 1000000, 0);
    lab_run_done(l);
    assert_true(l->r.packets.in_flight > 70); /* each sends 81 frames in 100 us, half of which are queued */
    lab_end(l);
}

static void end__a_flow_that_starts_late_is_waited_for(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_flow(l, 0, 1, 1460, 13005 * MS + 30 * US);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(2, 2 * US));
    assert_int_equal(l->r.engine.sim_ps, 13005 * MS + 100 * US); /* the idle time does not delay the end */
    lab_end(l);
}

/* Over links of 1 ms the world is mostly idle; it still ends with the first epoch after the flow. */
static void end__idle_times_do_not_put_it_off(void **state) {
    (void)state;
    for (time_ps start = 0; start < 2 * MS; start += 33333333) {
        struct fabric_spec spec = spec_star(2);
        spec.host_delay = 1 * MS;
        struct lab *l = lab_new(spec);
        lab_flow(l, 0, 1, 1460, start);
        lab_run_done(l);
        assert_in_range(l->r.engine.sim_ps - l->r.tally[0].finished_at, 0, 100 * US);
        lab_end(l);
    }
}

static void end__long_flow_stops(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    struct flow *f = lab_flow(l, 0, 1, UINT64_MAX, 100 * US);
    f->stop = 1100 * US;
    f->rate_bps = GBPS;
    lab_run_done(l);
    assert_true(llabs(l->r.tally[0].received_bytes - 125000) <= 1472); /* 1 ms at 1 Gbps */
    assert_true(l->r.engine.sim_ps >= 1100 * US && l->r.engine.sim_ps <= 1200 * US);
    assert_int_equal(l->r.flows_unfinished, 0);
    lab_end(l);
}

/* A flow is stopped while its last segment or its last ACK is in flight: it ends at both hosts and counts once. */
static void end__stopped_while_it_finishes(void **state) {
    (void)state;
    time_ps arrives = single_segment_fct(2, 2 * US);
    time_ps stops[] = {arrives - 1 * US, arrives + 1 * US};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_new(spec_star(3));
        lab_flow(l, 0, 1, 1460, 0)->stop = stops[i];
        lab_flow(l, 2, 1, 1460, 150 * US);
        lab_run_done(l);
        assert_int_equal(lab_fct(l, 0), arrives);
        assert_int_equal(l->r.flows_finished, 2);
        assert_int_equal(l->r.engine.sim_ps, 200 * US); /* after the other flow */
        lab_end(l);
    }
}

/* A finite flow that is stopped before its end stays unfinished, and the run ends. */
static void end__stopped_before_it_finishes(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_flow(l, 0, 1, 100000000, 0)->stop = 450 * US;
    lab_run_done(l);
    assert_int_equal(l->r.flows_unfinished, 1);
    assert_int_equal(l->r.engine.sim_ps, 500 * US);
    lab_end(l);
}

static bool no_more(const struct progress *p, void *context) {
    *(struct progress *)context = *p;
    return false;
}

static void end__abandoned_by_whoever_watches(void **state) {
    (void)state;
    struct progress seen = {0};
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    lab_flow(l, 0, 1, UINT64_MAX, 0);
    l->config.until = 3600 * PS_PER_S;
    l->config.progress = no_more;
    l->config.progress_context = &seen;
    assert_int_equal(lab_run(l), WORLD_ABANDONED);
    assert_true(seen.now > 0 && seen.packet_hops > 0 && seen.flows_total == 1);
    lab_end(l);
}

/* ---- stuck runs ---- */

static void stuck__cut_for_good_names_the_flow(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_fail(l, "leaf1-host1.0", 200 * US, TIME_NONE, 0);
    lab_flow(l, 0, 2, 1000000, 0);
    lab_flow(l, 1, 3, 1000000, 0);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_non_null(strstr(l->r.failure, "stuck at "));
    assert_non_null(strstr(l->r.failure, "1 flows are open"));
    assert_non_null(strstr(l->r.failure, "flow 0 host0.0 > host1.0"));
    assert_non_null(strstr(l->r.failure, "sender loss"));
    assert_int_equal(l->r.flows_finished, 1); /* the result is complete otherwise */
    assert_in_range(l->r.engine.sim_ps, 10 * PS_PER_S,
                    10 * PS_PER_S + 20 * MS); /* assumes an RTO of at least one second */
    assert_true(l->r.packets.dropped_by[DROP_LINK_DOWN] > 0);
    lab_end(l);
}

/* No event can send another frame: the run fails at once. */
static void stuck__udp_lost_a_datagram(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    lab_fail(l, "leaf0-host0.1", 10 * US, 1 * MS, 0);
    lab_flow(l, 0, 1, 100000, 0);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_non_null(strstr(l->r.failure, "flow 0 host0.0 > host0.1"));
    assert_true(l->r.engine.sim_ps <= 1 * MS + 200 * US);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(end__first_epoch_after_the_last_flow),
        UNIT(end__no_flows_at_all),
        UNIT(end__until_cuts_what_is_in_flight),
        UNIT(end__until_counts_queues_of_classes),
        UNIT(end__a_flow_that_starts_late_is_waited_for),
        UNIT(end__idle_times_do_not_put_it_off),
        UNIT(end__long_flow_stops),
        UNIT(end__stopped_while_it_finishes),
        UNIT(end__stopped_before_it_finishes),
        UNIT(end__abandoned_by_whoever_watches),
        UNIT(stuck__cut_for_good_names_the_flow),
        UNIT(stuck__udp_lost_a_datagram),
    };
    return RUN_UNITS(tests);
}
