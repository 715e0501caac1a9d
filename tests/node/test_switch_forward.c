/* SPDX-License-Identifier: Apache-2.0 */
/* A switch alone: the path of a frame, the balancer's queries, loads, and frames that the balancer emits. */
#include "switch_stand.h"

#include "mech/balance/balancers.h"

/* ---- routing ---- */

static void route__own_rack_to_the_host(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &balance_ecmp);
    for (uint32_t host = 4; host < 8; host++) {
        struct emission e = stand_send(s, 0, 0, host, 1000);
        assert_int_equal(e.drop, DROP_NONE);
        assert_int_equal(s->sw->place.port[e.port].neighbour, host);
        assert_int_equal(e.depart, FULL * BYTE_PS);
    }
    stand_end(s);
}

/* Every switch forwards to a next hop of the fabric's routes. */
static void route__by_the_rows_of_the_fabric(void **state) {
    (void)state;
    static const char *const names[] = {"tor0.0", "tor2.1", "agg0.1", "agg1.0", "core0.0", "core1.1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct stand *s = stand_of(spec_clos(3, 2, 2, 2, 2), names[i], &balance_ecmp);
        uint32_t own = s->sw->leaf;
        for (uint32_t dst = 0; dst < 12; dst++) {
            if (dst / 2 == own) continue;
            const uint16_t *port = NULL;
            uint16_t n = next_hops(s->fabric, 0, s->sw->node - s->fabric->n_hosts, dst / 2, &port);
            for (uint16_t flow = 0; flow < 10; flow++) {
                struct emission e = stand_send(s, 0, own == 0 ? 11 : 0, dst, flow);
                bool known = false;
                for (uint16_t h = 0; h < n; h++) known |= port[h] == e.port;
                assert_true(known);
            }
        }
        stand_end(s);
    }
}

static void ttl__one_less_and_dropped_at_zero(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_star(4), "leaf0", &balance_ecmp);
    uint32_t index = stand_frame(s, 0, 1, 1);
    packet_at(&s->pool, index)->ttl = 2;
    switch_receive(s->sw, 0, 2, index, &s->out);
    assert_int_equal(packet_at(&s->pool, index)->ttl, 1);
    assert_int_equal(s->out.e[0].drop, DROP_NONE);
    assert_int_equal(stand_pass(s, 1, 2, index).drop, DROP_TTL);
    assert_int_equal(s->extra[2].dropped[DROP_TTL], 1); /* counted at its ingress */
    stand_end(s);
}

static void no_route__unknown_host_or_rack(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &balance_ecmp);
    uint32_t host = stand_frame(s, 0, 4, 1), rack = stand_frame(s, 0, 4, 1);
    packet_at(&s->pool, host)->dst_ip += 4;         /* the rack has no fifth host */
    packet_at(&s->pool, rack)->dst_ip += 100 * 256; /* there is no rack 101 */
    assert_int_equal(stand_pass(s, 0, 5, host).drop, DROP_NO_ROUTE);
    assert_int_equal(stand_pass(s, 0, 5, rack).drop, DROP_NO_ROUTE);
    assert_int_equal(s->extra[5].dropped[DROP_NO_ROUTE], 2);
    stand_end(s);
}

static void ecmp__a_flow_stays_and_flows_spread(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(2, 4, 4), "leaf0", &balance_ecmp);
    uint32_t used[8] = {0};
    s->config.buffer_bytes = INT64_MAX;
    for (uint16_t flow = 0; flow < 200; flow++) {
        uint16_t first = stand_send(s, flow * PS_PER_MS, 0, 4, flow).port;
        for (int n = 1; n < 5; n++) assert_int_equal(stand_send(s, flow * PS_PER_MS, 0, 4, flow).port, first);
        used[first]++;
    }
    for (uint16_t p = 4; p < 8; p++) assert_true(used[p] > 25); /* 50 +- 6 */
    stand_end(s);
}

/* ---- what the balancer is told ---- */

static void balance__query(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &spy_ops);
    stand_pass(s, 77, 2, stand_frame(s, 6, 9, 1)); /* up */
    assert_int_equal(spy.last.now, 77);
    assert_int_equal(spy.last.in_port, 2);
    assert_int_equal(spy.last.src_leaf, 1);
    assert_int_equal(spy.last.dst_leaf, 2);
    assert_int_equal(spy.last.n_choices, 2);
    assert_true(spy.last.northbound);
    stand_pass(s, 78, 4, stand_frame(s, 9, 6, 1)); /* down */
    assert_int_equal(spy.last.n_choices, 1);
    assert_int_equal(spy.last.dst_leaf, 1);
    assert_false(spy.last.northbound);
    assert_int_equal(spy.asked, 2);
    stand_end(s);
}

/* A balancer without `sees_all` is asked only if there is a choice. */
static void balance__not_asked_without_a_choice(void **state) {
    (void)state;
    struct balancer_ops modest = spy_ops;
    modest.sees_all = false;
    struct stand *s = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &modest);
    stand_pass(s, 0, 4, stand_frame(s, 9, 6, 1));
    assert_int_equal(spy.asked, 0);
    stand_pass(s, 0, 2, stand_frame(s, 6, 9, 1));
    assert_int_equal(spy.asked, 1);
    stand_end(s);
}

static void balance__consumed_frames(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &spy_ops);
    spy.consume = true;
    struct emission e = stand_send(s, 5, 0, 6, 1);
    assert_true(e.consumed && !e.drop);
    stand_end(s);
}

/* A frame that the balancer emits gets the switch's origin, its serial and its birth, and is counted. */
static void balance__emitted_frames_are_adopted(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &spy_ops);
    spy.emit = true;
    spy.emit_port = 5;
    for (uint32_t n = 0; n < 3; n++) {
        uint32_t index = stand_frame(s, 0, 6, 1);
        switch_receive(s->sw, 1000 + n, 4, index, &s->out);
        assert_int_equal(s->out.n, 2);
        const struct packet *own = packet_at(&s->pool, spy.emitted);
        assert_int_equal(own->origin, s->sw->node);
        assert_int_equal(own->serial, n);
        assert_int_equal(own->birth, 1000 + n);
        assert_int_equal(s->sw->created, n + 1);
        bool at_5 = false, at_host = false;
        for (int k = 0; k < 2; k++) {
            at_5 |= s->out.e[k].packet == spy.emitted && s->out.e[k].port == 5;
            at_host |= s->out.e[k].packet == index && s->out.e[k].port == 2;
        }
        assert_true(at_5 && at_host);
    }
    stand_end(s);
}

/* ---- loads ---- */

static void loads__uplinks_of_a_leaf_both_ways(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &spy_ops);
    for (uint16_t p = 0; p < 6; p++) assert_int_equal(s->view[p].metered, p >= 4);
    stand_pass(s, 10, 4, stand_frame(s, 9, 6, 1)); /* arrives from spine0 */
    assert_int_equal(dre_ingress(&s->view[4], &s->sw->dre, 10), FULL * BYTE_PS);
    assert_int_equal(dre_ingress(&s->view[5], &s->sw->dre, 10), 0);
    stand_pass(s, 20, 0, stand_frame(s, 4, 9, 1));                           /* leaves by spine1, the choice of spy */
    assert_int_equal(dre_egress(&s->view[5], &s->sw->dre, 20 + 1000), 1000); /* the part that has left */
    assert_int_equal(dre_egress(&s->view[5], &s->sw->dre, 3 * US), FULL * BYTE_PS);
    int64_t board[64] = {0};
    switch_read_loads(s->sw, 3 * US, board);
    uint32_t first = s->fabric->paths.first_port[s->sw->node];
    for (uint16_t p = 0; p < 6; p++) assert_int_equal(board[first + p], p == 5 ? FULL * BYTE_PS : 0);
    stand_end(s);
}

static void loads__downlinks_above_the_leaves_on_demand(void **state) {
    (void)state;
    struct balancer_ops wide = spy_ops;
    wide.meters_downlinks = true;
    struct stand *leaf = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &wide);
    struct stand *spine = stand_of(spec_leaf_spine(3, 2, 4), "spine0", &wide);
    for (uint16_t p = 0; p < 6; p++) assert_int_equal(leaf->view[p].metered, p >= 4);
    for (uint16_t p = 0; p < 3; p++) assert_true(spine->view[p].metered);
    stand_end(leaf);
    stand_end(spine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(route__own_rack_to_the_host),
        UNIT(route__by_the_rows_of_the_fabric),
        UNIT(ttl__one_less_and_dropped_at_zero),
        UNIT(no_route__unknown_host_or_rack),
        UNIT(ecmp__a_flow_stays_and_flows_spread),
        UNIT(balance__query),
        UNIT(balance__not_asked_without_a_choice),
        UNIT(balance__consumed_frames),
        UNIT(balance__emitted_frames_are_adopted),
        UNIT(loads__uplinks_of_a_leaf_both_ways),
        UNIT(loads__downlinks_above_the_leaves_on_demand),
    };
    return RUN_UNITS(tests);
}
