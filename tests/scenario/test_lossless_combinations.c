/* SPDX-License-Identifier: Apache-2.0 */
/* Flow control in combinations that no paper measured: Expeditus (CMB-6), credits in tiny buffers
 * (CMB-8), adaptive load balancing and DCTCP beside every transport (CMB-10). Each run must finish and lose nothing.
 * The run itself checks that every frame, credit and pause is accounted for.
 */
#include "lossless_lab.h"

#include "mech/admit/phantom.h"
#include "mech/crossbar/crossbars.h"
#include "mech/flowctl/flowctls.h"
#include "mech/transport/transports.h"
#include "scenario/credit_lab.h"
#include "unit.h"

/* Adds flows between pods or racks of `group` hosts, in all priorities, and a burst to host 0. */
static void load(struct lab *l, uint32_t hosts, uint32_t group, uint32_t n) {
    struct random_stream r;
    random_init(&r, l->config.seed, RANDOM_PAIRS, 21);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t src = (uint32_t)random_below(&r, hosts);
        uint32_t dst = (src / group * group + group + (uint32_t)random_below(&r, hosts - group)) % hosts;
        uint64_t bytes = i % 4 ? 2000 + random_below(&r, 20000) : 100000 + random_below(&r, 200000);
        lab_flow(l, src, dst, bytes, (time_ps)random_below(&r, 10 * MS))->priority = (uint8_t)random_below(&r, 8);
    }
    for (uint32_t h = group; h < hosts; h++) lab_flow(l, h, 0, 60000, 2 * MS)->priority = (uint8_t)(h % 8);
}

static void assert_lossless(const struct lab *l) {
    assert_int_equal(l->r.flows_finished, l->flows.n);
    for (uint32_t i = 0; i < l->flows.n; i++) assert_int_equal(l->r.tally[i].received_bytes, l->flows.flow[i].bytes);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(l->r.packets.sent, l->r.packets.delivered + l->r.packets.in_flight);
    assert_int_equal(l->r.pauses.rings, 0);
}

/* ---- CMB-6 ---- */

/* Exp-requests and Exp-responses travel in the top class, so pauses of data do not delay them. */
static void expeditus__with_pfc_and_priorities(void **state) {
    (void)state;
    struct fabric_spec spec = spec_clos(3, 2, 2, 2, 4);
    spec.core_bps = GBPS;
    spec.core_delay = 6600 * PS_PER_NS;
    struct lab *l = lab_detail(spec, &flowctl_pfc, "expeditus");
    lab_balance_param(l, "control_priority", 1);
    l->config.switches.flow.storm = l->config.hosts.flow.storm = 5 * MS;
    load(l, 24, 8, 200);
    lab_run_done(l);
    assert_lossless(l);
    assert_true(l->r.pauses.stops > 20);
    assert_true(lab_counter(l, "selections_begun") > 100);
    assert_true(lab_counter(l, "selections_completed") > 100);
    lab_end(l);
}

/* ---- CMB-8 ---- */

#define TINY_INGRESS 18500

/* Returns a world whose ports hold 6 frames, less than the bound of credits. */
static struct lab *lab_tiny(const char *transport, const struct flowctl_ops *kind) {
    struct fabric_spec spec = spec_leaf_spine(3, 3, 4);
    spec.host_delay = spec.uplink_delay = 500 * PS_PER_NS;
    struct lab *l = lab_credits(spec, transport);
    lab_credit_queue(l, 64);
    struct switch_config *s = &l->config.switches;
    s->buffer_bytes = 6 * 1538;
    s->cioq = (struct crossbar_config){
        .ops = &crossbar_islip,
        .drops = kind == &flowctl_none,
        .iterations = 4,
        .speedup = 4,
        .ingress_bytes = TINY_INGRESS,
    };
    s->flow = (struct flowctl_config){
        .ops = kind,
        .params = {.max_frame_bytes = 1530, .buffer_bytes = TINY_INGRESS, .classes = 1, .headroom = HEADROOM_EXACT}};
    l->config.hosts.flow = s->flow;
    l->config.hosts.classes = 1;
    for (uint32_t h = 1; h < 12; h++) lab_flow(l, h, 0, 200000, h * 100 * PS_PER_NS);
    for (uint32_t h = 0; h < 12; h++) lab_flow(l, h, (h + 5) % 12, 300000, 100 * US);
    return l;
}

static void credits__pfc_is_their_safety_net(void **state) {
    (void)state;
    static const char *const transport[] = {"expresspass", "spraypass"};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_tiny(transport[i], &flowctl_none);
        lab_run(l);
        assert_true(l->r.packets.dropped > 0); /* without flow control frames are lost */
        lab_end(l);
        l = lab_tiny(transport[i], &flowctl_pfc);
        lab_run_done(l);
        assert_lossless(l);
        assert_int_equal(l->r.packets.retransmitted, 0);
        assert_true(l->r.pauses.stops > 0);
        assert_int_equal(l->r.credits.sent,
                         l->r.credits.used + l->r.credits.wasted + l->r.credits.dropped + l->r.credits.in_flight);
        assert_true(l->r.queue_max_bytes <= 6 * 1538);
        lab_end(l);
    }
}

/* Without flow control, data that has crossed the crossbar may reach an idle port at the instant at which a credit is
 * due. */
static void credits__cross_without_flow_control(void **state) {
    (void)state;
    struct lab *l = lab_tiny("expresspass", &flowctl_none);
    l->config.switches.buffer_bytes = l->config.switches.cioq.ingress_bytes = 131072;
    l->config.switches.cioq.forward_delay = 3100 * PS_PER_NS;
    for (uint32_t k = 0; k < 3000; k++)
        lab_flow(l, k % 12, (k + 1 + k / 12 % 11) % 12, 2000 + k % 30 * 1000, k * 3 * US);
    lab_run_done(l);
    assert_true(l->r.credits.used > 0);
    lab_end(l);
}

/* ---- CMB-10 ---- */

static struct lab *lab_beside(const char *transport, const char *balance, const struct flowctl_ops *kind) {
    struct lab *l = lab_detail(spec_leaf_spine(3, 3, 4), kind, balance);
    size_t at;
    lab_transport(l, transport);
    const struct transport_ops *ops = l->config.hosts.transport[0];
    lab_ports_as_needed(l);
    if (row_param(ops, "fast_retransmit", &at)) lab_transport_param(l, 0, "fast_retransmit", 0);
    if (row_param(ops, "min_rto", &at)) lab_transport_param(l, 0, "min_rto", 50 * MS);
    load(l, 12, 4, 80);
    return l;
}

static void alb__beside_every_transport(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        bool waits_for_loss = row[i] == &transport_newreno || row[i] == &transport_cubic;
        struct lab *l = lab_beside(row[i]->name, "alb", &flowctl_pfc);
        l->config.switches.buffer_bytes = 48000; /* ALB spreads traffic so well that 131,072 B would not fill */
        lab_run_done(l);
        assert_lossless(l);
        if (row[i]->base == &tcp_base) assert_true(l->r.packets.reordered > 0);
        if (waits_for_loss) assert_true(l->r.pauses.stops > 0); /* these transports fill queues */
        lab_end(l);
    }
}

/* Marks share the TOS byte with the class. If a mark changed the class of data to 0, hosts would not stop for the
 * pauses of the true class, and queues would overflow. */
static void dctcp__beside_every_balancer(void **state) {
    (void)state;
    static const char *const balance[] = {"ecmp", "expeditus", "conga-flow", "spray", "alb"};
    for (size_t i = 0; i < sizeof balance / sizeof *balance; i++) {
        struct lab *l = lab_beside("dctcp", balance[i], &flowctl_pfc);
        l->config.switches.admit.ecn_bytes_per_10g = 200000; /* 20 KB at 1 Gbps */
        l->config.switches.buffer_bytes = 48000;
        /* no pause holds frames that a switch creates, so they need the room that is reserved for the top class */
        if (strcmp(balance[i], "expeditus") == 0) lab_balance_param(l, "control_priority", 1);
        lab_run_done(l);
        assert_lossless(l);
        assert_true(l->r.packets.marked > 0);
        lab_end(l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(expeditus__with_pfc_and_priorities),  UNIT(credits__pfc_is_their_safety_net),
        UNIT(credits__cross_without_flow_control), UNIT(alb__beside_every_transport),
        UNIT(dctcp__beside_every_balancer),
    };
    return RUN_UNITS(tests);
}
