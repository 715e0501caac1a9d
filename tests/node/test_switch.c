/* A switch alone: the way of a frame, events of its timeline, frames of its own, queued ports. */
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric_test.h"
#include "node/switch.h"

#include "unit.h"

#define FULL 1538
#define BYTE_PS 800

/* ---- a balancer that does what the test says and tells what it saw ---- */

static struct {
    struct balance_query last;
    uint32_t asked, place_changes;
    bool consume, emit;
    uint16_t emit_port;
    uint32_t emitted;
    struct packet_pool *pool;
} spy;

static size_t spy_state_size(const struct balance_env *env) {
    spy.pool = env->pool;
    return 8;
}

static void spy_init(void *state, const struct balance_env *env) {
    (void)state;
    (void)env;
}

static uint16_t spy_route(void *state, const struct balance_query *q, struct packet *p, struct balance_out *out) {
    (void)state;
    spy.last = *q;
    spy.asked++;
    if (spy.emit) {
        spy.emitted = out->emit = packet_get(spy.pool);
        out->emit_port = spy.emit_port;
        *packet_at(spy.pool, out->emit) = *p;
        packet_at(spy.pool, out->emit)->wire_bytes = 84;
    }
    return spy.consume ? BALANCE_CONSUME : q->choice[q->n_choices - 1];
}

static void spy_on_place_change(void *state, time_ps now) {
    (void)state;
    (void)now;
    spy.place_changes++;
}

static const struct balancer_ops spy_ops = {.name = "spy",
                                            .sees_all = true,
                                            .wants_loads = true,
                                            .dre_period_param = 0,
                                            .dre_alpha_param = 1,
                                            .state_size = spy_state_size,
                                            .init = spy_init,
                                            .route = spy_route,
                                            .on_place_change = spy_on_place_change};

/* ---- one switch of a fabric ---- */

struct stand {
    struct fabric *fabric;
    struct switch_settings settings;
    int64_t params[24];
    struct packet_pool pool;
    struct port_view *view;
    struct port *port;
    struct port_extra *extra;
    struct fabric_switch *sw;
    struct switch_out out;
};

static void *lines(size_t n, size_t size) {
    void *memory = aligned_alloc(64, (n * size + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0, n * size);
    return memory;
}

static struct stand *stand_prepare(struct fabric_spec spec, const struct balancer_ops *ops) {
    struct stand *s = lines(1, sizeof *s);
    s->fabric = made(spec);
    for (size_t i = 0; i < ops->n_params; i++) s->params[i] = ops->params[i].def;
    if (ops->route == spy_route) s->params[0] = 20 * US, s->params[1] = PPB / 10;
    s->settings =
        (struct switch_settings){.balance = ops, .balance_params = s->params, .buffer_bytes = 150000, .classes = 1};
    return s;
}

static struct stand *stand_start(struct stand *s, const char *name) {
    uint32_t n = node(s->fabric, name), ports = place_of(s->fabric, name)->n_ports;
    packet_pool_init(&s->pool);
    s->view = lines(ports, sizeof *s->view);
    s->port = lines(ports, sizeof *s->port);
    s->extra = lines(ports, sizeof *s->extra);
    s->sw = lines(1, sizeof *s->sw);
    struct switch_setup setup = {.fabric = s->fabric,
                                 .settings = &s->settings,
                                 .pool = &s->pool,
                                 .view = s->view,
                                 .port = s->port,
                                 .extra = s->extra,
                                 .seed = 1};
    switch_init(s->sw, n, &setup);
    memset(&spy, 0, sizeof spy);
    spy.pool = &s->pool;
    return s;
}

static struct stand *stand_of(struct fabric_spec spec, const char *name, const struct balancer_ops *ops) {
    return stand_start(stand_prepare(spec, ops), name);
}

static void stand_end(struct stand *s) {
    switch_fini(s->sw);
    packet_pool_fini(&s->pool);
    fabric_destroy(s->fabric);
    free(s->view);
    free(s->port);
    free(s->extra);
    free(s->sw);
    free(s);
}

static uint32_t stand_frame(struct stand *s, uint32_t src, uint32_t dst, uint16_t src_port) {
    uint32_t index = packet_get(&s->pool);
    *packet_at(&s->pool, index) = (struct packet){.src_ip = fabric_host_ip(s->fabric, src),
                                                  .dst_ip = fabric_host_ip(s->fabric, dst),
                                                  .src_port = src_port,
                                                  .dst_port = 80,
                                                  .proto = PROTO_TCP,
                                                  .wire_bytes = FULL,
                                                  .ttl = 64,
                                                  .path = PATH_NONE,
                                                  .ext = EXT_NONE};
    return index;
}

/* Sends one frame through; the only emission, its descriptor freed. */
static struct emission stand_pass(struct stand *s, time_ps now, uint16_t in_port, uint32_t index) {
    switch_receive(s->sw, now, in_port, index, &s->out);
    assert_int_equal(s->out.n, 1);
    assert_int_equal(s->out.e[0].packet, index);
    packet_put(&s->pool, index);
    return s->out.e[0];
}

static struct emission stand_send(struct stand *s, time_ps now, uint32_t src, uint32_t dst, uint16_t src_port) {
    return stand_pass(s, now, 0, stand_frame(s, src, dst, src_port));
}

static void stand_events(struct stand *s, time_ps until) {
    while (switch_next_timer(s->sw) <= until) switch_timer(s->sw, switch_next_timer(s->sw), &s->out);
}

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

/* Every switch sends every frame to one of the next hops that fabric's routes name. */
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
    assert_int_equal(s->extra[2].dropped[DROP_TTL], 1); /* counted where it came in */
    stand_end(s);
}

static void no_route__unknown_host_or_rack(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(3, 2, 4), "leaf1", &balance_ecmp);
    uint32_t host = stand_frame(s, 0, 4, 1), rack = stand_frame(s, 0, 4, 1);
    packet_at(&s->pool, host)->dst_ip += 4;         /* a fifth host of the rack */
    packet_at(&s->pool, rack)->dst_ip += 100 * 256; /* rack 101 */
    assert_int_equal(stand_pass(s, 0, 5, host).drop, DROP_NO_ROUTE);
    assert_int_equal(stand_pass(s, 0, 5, rack).drop, DROP_NO_ROUTE);
    assert_int_equal(s->extra[5].dropped[DROP_NO_ROUTE], 2);
    stand_end(s);
}

static void ecmp__a_flow_stays_and_flows_spread(void **state) {
    (void)state;
    struct stand *s = stand_of(spec_leaf_spine(2, 4, 4), "leaf0", &balance_ecmp);
    uint32_t used[8] = {0};
    s->settings.buffer_bytes = INT64_MAX;
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

/* Who does not see all is asked only when there is a choice. */
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

/* One more frame from the balancer is the switch's own: origin, serial, birth, and it is counted. */
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
    stand_pass(s, 20, 0, stand_frame(s, 4, 9, 1));                           /* leaves by spine1, the spy's choice */
    assert_int_equal(dre_egress(&s->view[5], &s->sw->dre, 20 + 1000), 1000); /* what of it has left by then */
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

/* ---- the timeline ---- */

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

/* Another switch loses the next hop too, for that rack alone. */
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

/* Between failure and repair the wire takes nothing, whatever is known of it. */
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

/* The ToRs of a pod hear what its agg lost upwards (Expeditus 3.3). */
static void event__notices_reach_the_balancer(void **state) {
    (void)state;
    struct stand *s = stand_of(with_failure(spec_clos(2, 2, 2, 4, 2), "agg0.1-core1.2", 300 * US), "tor0.0", &spy_ops);
    const struct place_beyond *beyond = s->sw->env.place->beyond; /* what the balancer reads */
    assert_int_equal(beyond[3].alive, 4);
    assert_int_equal(beyond[3].total, 4);
    stand_events(s, 150 * US);
    assert_int_equal(beyond[3].alive, 3);
    assert_int_equal(beyond[3].total, 4);
    assert_int_equal(beyond[2].alive, 4); /* agg0.0 has all */
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

/* ---- ports with classes ---- */

static struct stand *stand_queued(void) {
    struct stand *s = stand_prepare(spec_star(4), &balance_ecmp);
    s->settings.classes = 2;
    s->settings.schedule = SCHEDULE_STRICT;
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
    assert_true(switch_next_timer(s->sw) == TIME_NONE); /* nothing waits */
    uint32_t b = queue_frame(s, 100, 1, 0);
    assert_int_equal(s->out.n, 0);
    uint32_t c = queue_frame(s, 200, 1, 1);
    assert_int_equal(s->out.n, 0);
    uint32_t d = queue_frame(s, 300, 2, 0); /* another port, idle */
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
        UNIT(event__routes_withdraw_and_restore_a_next_hop),
        UNIT(event__routes_of_others),
        UNIT(event__ports_go_down_and_up_when_detected),
        UNIT(event__a_dead_wire_loses_what_is_sent),
        UNIT(event__notices_reach_the_balancer),
        UNIT(event__reduced_rate_and_gray_link),
        UNIT(service__one_at_a_time_the_higher_class_first),
        UNIT(service__ports_that_are_due_together),
        UNIT(service__a_full_port_drops_at_once),
    };
    return RUN_UNITS(tests);
}
