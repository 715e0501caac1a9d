/* SPDX-License-Identifier: Apache-2.0 */
/* The world on idle networks, with times known to the picosecond, and the order of events at one instant. */
#include "sim/fixture.h"

#include "unit.h"

#include "sim/idle_times.h"

/* ---- one flow ---- */

static void single_segment(struct fabric_spec spec, uint32_t dst, uint32_t links, span_ps delay) {
    struct lab *l = lab_new(spec);
    lab_flow(l, 0, dst, 1460, 7 * US);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(links, delay));
    int64_t slowdown = l->r.times[CLASS_ALL].slowdown_ppm.max;
    assert_true(slowdown >= 1000000 && slowdown < 1010000); /* the bound lacks only the SYN's options */
    lab_end(l);
}

static void idle__two_links(void **state) {
    (void)state;
    single_segment(spec_star(2), 1, 2, 2 * US);
}

static void idle__four_links(void **state) {
    (void)state;
    single_segment(spec_leaf_spine(2, 2, 2), 2, 4, 2 * US);
}

static void idle__six_links(void **state) {
    (void)state;
    single_segment(spec_fat_tree(4), 8, 6, 2 * US);
}

/* A slow last link delays a frame once: SYN and segment leave their host at its full rate. */
static void idle__slow_last_link(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_link(l, "host0.1-*", 2500 * MBPS, -1, -1);
    lab_flow(l, 0, 1, 1460, 0);
    lab_run_done(l);
    span_ps slow = 8000000000000LL / (2500 * MBPS);
    assert_int_equal(lab_fct(l, 0), (2 * 90 + 1538) * (PS_PER_BYTE + slow) + 6 * 2 * US);
    assert_true(l->r.times[CLASS_ALL].slowdown_ppm.max < 1010000);
    lab_end(l);
}

/* A link without propagation delay is legal; only serialization remains. */
static void idle__zero_delay(void **state) {
    (void)state;
    struct fabric_spec spec = spec_leaf_spine(2, 2, 2);
    spec.host_delay = spec.uplink_delay = 0;
    single_segment(spec, 2, 4, 0);
}

/* Links are longer than a slot may be (sim/engine/flight.h), so frames arrive several slots later; some links are longer still, beyond
 * the slots that the wheel holds one by one. */
static void idle__long_links(void **state) {
    (void)state;
    struct fabric_spec spec = spec_leaf_spine(2, 2, 2);
    spec.host_delay = spec.uplink_delay = 20 * MS;
    struct lab *l = lab_new(spec);
    lab_flow(l, 0, 2, 1460, 15 * MS);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(4, 20 * MS));
    lab_end(l);
    l = lab_new(spec_star(2));
    lab_link(l, "host0.1-*", 10 * GBPS, 10 * MS, -1);
    lab_flow(l, 0, 1, 1460, 0);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(2, 2 * US) + 3 * (10 * MS - 2 * US));
    lab_end(l);
}

/* Each frame passes two stacks. */
static void idle__processing_delay(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    l->config.hosts.processing_delay = 1 * US;
    lab_flow(l, 0, 2, 1460, 0);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), single_segment_fct(4, 2 * US) + 3 * 2 * US);
    assert_true(l->r.times[CLASS_ALL].slowdown_ppm.max < 1010000);
    lab_end(l);
}

/* UDP has no handshake and sends frames back to back; the last is stored and forwarded at three more links. */
static void idle__udp(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_transport(l, "udp");
    lab_flow(l, 0, 2, 10 * 1472, 0);
    lab_run_done(l);
    assert_int_equal(lab_fct(l, 0), (10 + 3) * FULL_PS + 4 * 2 * US);
    assert_int_equal(l->r.times[CLASS_ALL].slowdown_ppm.max, 1000000);
    lab_end(l);
}

/* The frames are SYN, SYN-ACK, data, and an ACK per segment. */
static void idle__frames_and_hops_are_counted(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_flow(l, 0, 2, 5 * 1460, 0);
    lab_run_done(l);
    assert_int_equal(l->r.packets.sent, 2 + 5 + 5);
    assert_int_equal(l->r.packets.delivered, l->r.packets.sent);
    assert_int_equal(l->r.engine.packet_hops, 4 * l->r.packets.sent);
    assert_int_equal(lab_sent(l, "host0.0", "leaf0"), 90 + 5 * 1538);
    assert_int_equal(lab_sent(l, "leaf0", "host0.0"), 90 + 5 * 84);
    assert_int_equal(l->r.flow_bytes, 5 * 1460);
    lab_end(l);
}

/* ---- the handshake as a part of FCT ---- */

/* Returns the part of FCT before the first data frame. That is zero with UDP, on an open connection and with
 * unscheduled data; a SYN and its answer with TCP; a request and the first credit with credits. */
static span_ps handshake_of(const char *transport, bool open, const char *param, int64_t value) {
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    l->config.switches.credit = l->config.hosts.credit =
        (struct credit_config){.on = true, .queue = 16, .share_ppb = PPB * 84 / 1622, .burst_bytes = 168};
    lab_transport(l, transport);
    if (param) lab_transport_param(l, 0, param, value);
    if (open) lab_flow(l, 0, 2, 14600, 50 * US)->flags = FLOW_ESTABLISHED;
    if (!open) lab_flow(l, 0, 2, 14600, 50 * US);
    lab_run_done(l);
    const struct flow_times *t = &l->r.times[CLASS_ALL];
    span_ps handshake = t->handshake_ps.mean;
    assert_int_equal(handshake, l->r.tally[0].first_data_at - 50 * US);
    assert_int_equal(handshake + t->data_ps.mean, t->fct_ps.mean);
    assert_true(t->data_ps.mean > 0);
    lab_end(l);
    return handshake;
}

static void handshake__ends_with_the_first_data(void **state) {
    (void)state;
    span_ps there_and_back = 2 * 4 * 2 * US; /* propagation only */
    span_ps tcp = handshake_of("newreno", false, NULL, 0), credits = handshake_of("expresspass", false, NULL, 0);
    assert_int_equal(handshake_of("udp", false, NULL, 0), 0);
    assert_int_equal(handshake_of("newreno", true, NULL, 0), 0);
    assert_in_range(tcp, there_and_back, there_and_back + 2 * US);
    assert_in_range(credits, there_and_back, there_and_back + 10 * US);
    /* unscheduled data follows the request */
    assert_int_equal(handshake_of("expresspass", false, "unscheduled", 4000), 84 * 8 * PS_PER_S / (10 * GBPS));
}

/* ---- what happens at one instant ---- */

/* The link to the receiver slows down at the instant at which the SYN reaches the switch: the SYN meets the slow
 * link. */
static void instant__topology_before_arrivals(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_slow(l, "leaf0-host0.1", MBPS * 1000, SYN_PS + 2 * US, TIME_NONE);
    lab_flow(l, 0, 1, 1460, 0);
    lab_run_done(l);
    span_ps fast = 2 * SYN_PS + FULL_PS, slow = 10 * fast;
    assert_int_equal(lab_fct(l, 0), fast + slow + 6 * 2 * US);
    lab_end(l);
}

/* The SYN-ACK arrives at the instant at which the SYN times out: the timer comes first. */
static void instant__deadlines_before_arrivals(void **state) {
    (void)state;
    for (int later = 0; later < 2; later++) {
        struct lab *l = lab_new(spec_star(2));
        lab_transport_param(l, 0, "initial_rto", 4 * (SYN_PS + 2 * US) + later);
        lab_flow(l, 0, 1, 1460, 0);
        lab_run_done(l);
        assert_int_equal(l->r.tally[0].syn_timeouts, later ? 0 : 1);
        lab_end(l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(idle__two_links),
        UNIT(idle__four_links),
        UNIT(idle__six_links),
        UNIT(idle__slow_last_link),
        UNIT(idle__zero_delay),
        UNIT(idle__long_links),
        UNIT(idle__processing_delay),
        UNIT(idle__udp),
        UNIT(handshake__ends_with_the_first_data),
        UNIT(idle__frames_and_hops_are_counted),
        UNIT(instant__topology_before_arrivals),
        UNIT(instant__deadlines_before_arrivals),
    };
    return RUN_UNITS(tests);
}
