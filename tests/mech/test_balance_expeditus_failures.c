/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus when requests or responses are lost, and when links fail (EXP-11, EXP-17, EXP-35, EXP-36). */
#include "expeditus_bench.h"

/* ---- losses (EXP-17, EXP-35): each of the hops of request and response in turn ---- */

static void check_lost_at(uint32_t request_hops, uint32_t response_hops, bool agg_settled) {
    struct bench *b = clos();
    uint32_t syn = bench_syn(b, 0, FAR, 1000);
    if (request_hops) {
        assert_true(bench_fly_most(b, syn, bench_tor(b, 0, 0), 0, 0, request_hops).stopped);
    } else {
        assert_true(bench_send(b, syn, 0).delivered);
        assert_true(bench_answer(b, 0, response_hops).stopped);
    }
    assert_int_equal(bench_count(b, "agg_entries"), agg_settled);
    for (time_ps i = 1; i < 4; i++) assert_true(bench_send(b, bench_data(b, 0, FAR, 1000), i * PS_PER_MS).delivered);
    assert_int_equal(bench_count(b, "selections_begun"), 1);
    assert_int_equal(bench_count(b, "ecmp_while_selecting"), 3);
    select_path(b, 0, FAR, 1000, 4 * PS_PER_MS + PST_TIMEOUT); /* after an idle gap the flow selects again */
    assert_int_equal(bench_count(b, "selections_lost"), 1);
    assert_int_equal(bench_count(b, "selections_begun"), 2);
    assert_int_equal(bench_count(b, "selections_completed"), 1);
    bench_end(b);
}

static void lost__request_on_any_hop(void **state) {
    (void)state;
    for (uint32_t hops = 1; hops <= 4; hops++) check_lost_at(hops, 0, false);
}

static void lost__response_on_any_hop(void **state) {
    (void)state;
    for (uint32_t hops = 0; hops <= 3; hops++) check_lost_at(0, hops, hops == 3);
}

/* EXP-35, case 2: the response is lost behind the source agg; ECMP may still choose that agg, which has the entry. */
static void lost__a_settled_agg_is_used_when_ecmp_hits_it(void **state) {
    (void)state;
    struct bench *b = clos();
    int hits = 0;
    for (uint16_t flow = 0; flow < 40; flow++) {
        bench_send(b, bench_syn(b, 0, FAR, flow), 0);
        struct trip back = bench_answer(b, 0, 3);
        struct trip data = bench_send(b, bench_data(b, 0, FAR, flow), 1);
        hits += data.node[1] == back.node[2];
    }
    assert_in_range(hits, 1, 25); /* 1 in 4 expected */
    assert_int_equal(bench_count(b, "pst_hits"), hits);
    bench_end(b);
}

/* an agg with a valid entry forwards a new request by ECMP; data follows the entry. */
static void agg__stale_entry_does_not_route_requests(void **state) {
    (void)state;
    struct bench *b = bench_build(bench_new("expeditus"), 2, 1, 1, 8);
    uint32_t agg = bench_agg(b, 0, 0);
    int apart = 0;
    for (uint16_t flow = 0; flow < 20; flow++) {
        struct balance_out out;
        uint16_t at;
        uint32_t before = bench_data(b, 0, 2, flow);
        uint16_t ecmp = bench_ask(b, agg, 0, before, 0, &out);
        drop(b, before);
        select_path(b, 0, 2, flow, 0);
        uint32_t data = bench_data(b, 0, 2, flow);
        uint16_t settled = bench_ask(b, agg, 0, data, PST_TIMEOUT - 1, &out); /* refreshes the agg's entry only */
        drop(b, data);
        uint32_t request = at_tor(b, bench_data(b, 0, 2, flow), PST_TIMEOUT + flow, &at);
        assert_true(packet_at(&b->pool, request)->shape & SHAPE_EXPEDITUS);
        assert_int_equal(bench_ask(b, agg, 0, request, PST_TIMEOUT + flow, &out), ecmp);
        drop(b, request);
        apart += settled != ecmp;
    }
    assert_in_range(apart, 10, 20);
    bench_end(b);
}

/* ---- failures (EXP-11, EXP-36) ---- */

static void failure__dead_uplink_reads_7_and_recovers(void **state) {
    (void)state;
    struct bench *b = clos();
    uint16_t port;
    bench_cut(b, bench_tor(b, 0, 0), bench_agg(b, 0, 1), 0);
    uint32_t frame = at_tor(b, bench_syn(b, 0, FAR, 1), 1, &port);
    assert_int_equal(tag_of(b, frame)->load[0], 0);
    assert_int_equal(tag_of(b, frame)->load[1], 7);
    drop(b, frame);
    bench_mend(b, bench_tor(b, 0, 0), bench_agg(b, 0, 1), 2);
    frame = at_tor(b, bench_syn(b, 0, FAR, 2), 3, &port);
    assert_int_equal(tag_of(b, frame)->load[1], 0);
    drop(b, frame);
    bench_end(b);
}

/* EXP-11: the switch sees its own port go down before any route changes. */
static void failure__own_port_down_is_enough(void **state) {
    (void)state;
    struct bench *b = clos();
    uint16_t port;
    bench_switch(b, bench_tor(b, 0, 0))->view[BENCH_HOSTS + 1].up = false;
    bench_switch(b, bench_tor(b, 2, 0))->view[BENCH_HOSTS + 2].up = false;
    for (uint32_t a = 0; a < 4; a++) bench_load(b, bench_agg(b, 2, a), bench_tor(b, 2, 0), 0, 8);
    for (uint32_t a = 0; a < 4; a++)
        bench_switch(b, bench_agg(b, 2, a))->view[3].up = false; /* to core 0 of its plane */
    uint32_t frame = at_tor(b, bench_syn(b, 0, FAR, 1), 0, &port);
    assert_int_equal(tag_of(b, frame)->load[0], 0);
    assert_int_equal(tag_of(b, frame)->load[1], 7);
    drop(b, frame);
    for (uint16_t flow = 2; flow < 60; flow++) {
        bench_send(b, bench_syn(b, 0, FAR, flow), 0);
        assert_int_not_equal(b->emitted_port, BENCH_HOSTS + 2);
        struct trip back = bench_answer(b, 0, 1);
        assert_true(back.stopped);
    }
    bench_send(b, bench_syn(b, 0, FAR, 60), 0);
    struct balance_out out;
    bench_ask(b, bench_switch(b, b->emitted_at)->port[b->emitted_port].neighbour, 0, b->emitted, 0, &out);
    assert_int_equal(tag_of(b, b->emitted)->load[0], 7);
    assert_int_equal(tag_of(b, b->emitted)->load[1], 0);
    bench_end(b);
}

/* No selection ends on a dead link, even if all others are as loaded as a dead link reads. The harness fails on any
 * frame to a dead port. */
static void failure__no_selection_ends_on_a_dead_link(void **state) {
    (void)state;
    for (int where = 0; where < 4; where++) {
        struct bench *b = clos();
        for (uint32_t a = 0; a < 4; a++) {
            bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, a), 0, 8);
            for (uint32_t c = 0; c < 2; c++) bench_load(b, bench_agg(b, 0, a), bench_core(b, a, c), 0, 8);
        }
        if (where == 0) bench_cut(b, bench_tor(b, 0, 0), bench_agg(b, 0, 1), 0);
        if (where == 1) bench_cut(b, bench_agg(b, 0, 1), bench_core(b, 1, 0), 0);
        if (where == 2) bench_cut(b, bench_agg(b, 2, 1), bench_core(b, 1, 0), 0);
        if (where == 3) bench_cut(b, bench_tor(b, 2, 0), bench_agg(b, 2, 1), 0);
        for (uint16_t flow = 0; flow < 60; flow++) {
            select_path(b, 0, FAR, flow, 0);
            struct trip t = bench_send(b, bench_data(b, 0, FAR, flow), 0);
            assert_true(t.delivered);
            if (where == 0 || where == 3)
                assert_int_not_equal(t.node[1], bench_agg(b, 0, 1));
            else
                assert_int_not_equal(t.node[2], bench_core(b, 1, 0));
        }
        assert_int_equal(bench_count(b, "selections_completed"), 60);
        bench_end(b);
    }
}

/* Routing withdraws a settled path: the ToR selects again, the agg falls back to ECMP. */
static void failure__settled_flows_leave_a_dead_path(void **state) {
    (void)state;
    struct bench *b = clos();
    select_path(b, 0, FAR, 1000, 0);
    struct trip before = bench_send(b, bench_data(b, 0, FAR, 1000), 1);
    bench_cut(b, before.node[1], before.node[2], 2); /* agg to core: the agg notices */
    struct trip after = bench_send(b, bench_data(b, 0, FAR, 1000), 3);
    assert_true(after.delivered);
    assert_int_equal(after.node[1], before.node[1]);
    assert_int_not_equal(after.node[2], before.node[2]);
    bench_cut(b, before.node[0], before.node[1], 4); /* ToR to agg: a new selection */
    after = bench_send(b, bench_data(b, 0, FAR, 1000), 5);
    assert_true(after.delivered);
    assert_true(bench_answer(b, 5, 99).consumed);
    assert_int_equal(bench_count(b, "pst_dead_paths"), 1);
    assert_int_equal(bench_count(b, "selections_begun"), 2);
    assert_int_equal(bench_count(b, "selections_completed"), 2);
    bench_end(b);
}

/* A remote failure, of the link from an agg to the destination ToR, shows in the routes only. */
static void failure__remote_withdrawal_restarts_the_flow(void **state) {
    (void)state;
    struct bench *b = clos();
    select_path(b, 0, FAR, 1000, 0);
    struct trip before = bench_send(b, bench_data(b, 0, FAR, 1000), 1);
    bench_cut(b, before.node[3], before.node[4], 2);
    struct trip after = bench_send(b, bench_data(b, 0, FAR, 1000), 3);
    assert_true(after.delivered);
    assert_int_not_equal(after.node[1], before.node[1]);
    assert_true(bench_answer(b, 3, 99).consumed);
    bench_end(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(lost__request_on_any_hop),
        UNIT(lost__response_on_any_hop),
        UNIT(lost__a_settled_agg_is_used_when_ecmp_hits_it),
        UNIT(agg__stale_entry_does_not_route_requests),
        UNIT(failure__dead_uplink_reads_7_and_recovers),
        UNIT(failure__own_port_down_is_enough),
        UNIT(failure__no_selection_ends_on_a_dead_link),
        UNIT(failure__settled_flows_leave_a_dead_path),
        UNIT(failure__remote_withdrawal_restarts_the_flow),
    };
    return RUN_UNITS(tests);
}
