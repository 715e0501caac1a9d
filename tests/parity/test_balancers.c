/* SPDX-License-Identifier: Apache-2.0 */
/* Every balancer at every tier: simulated and replayed, frame by frame. */
#include "parity/parity.h"

#include "mech/admit/admissions.h"
#include "mech/schedule/schedules.h"

/* Links of both tiers fail, are repaired, lose frames and slow down. The flows stop well before the last one, which
 * runs alone so that no queue holds a frame when the run ends. */
static void trouble_three_tiers(struct lab *l) {
    lab_fail(l, "tor0.0-agg0.1", 600 * US, 2 * MS, 100 * US);
    lab_fail(l, "agg1.0-core0.1", 400 * US, 1500 * US, 50 * US);
    lab_fail(l, "agg0.0-core0.0", 900 * US, TIME_NONE, 200 * US);
    lab_gray(l, "tor0.0-agg0.0", 20000000, 300 * US, 3 * MS);
    lab_gray(l, "agg0.1-core1.0", 20000000, 0, 3 * MS);
    lab_slow(l, "tor1.1-agg1.1", GBPS, 500 * US, 2500 * US);
}

static void trouble_two_tiers(struct lab *l) {
    lab_fail(l, "leaf0-spine1", 600 * US, 2 * MS, 100 * US);
    lab_fail(l, "leaf1-spine0", 800 * US, TIME_NONE, 50 * US);
    lab_gray(l, "leaf0-spine0", 20000000, 300 * US, 3 * MS);
    lab_slow(l, "leaf2-spine2", GBPS, 500 * US, 2500 * US);
}

static void load_with_flows(struct lab *l, uint32_t hosts) {
    lab_random_flows(l, hosts, 120, 150000, 2 * MS);
    for (uint32_t i = 0; i < l->flows.n; i++) l->flows.flow[i].priority = (uint8_t)(i % 8);
    for (uint32_t sender = 1; sender < hosts; sender++) lab_flow(l, sender, 0, 20000, 1 * MS); /* a burst at host 0 */
    lab_flow(l, 0, hosts - 1, 3000, 250 * MS);
}

static struct lab *three_tiers(void) {
    struct lab *l = lab_new(spec_clos(2, 2, 2, 2, 3));
    l->config.switches.buffer_bytes = 40000;
    l->config.measure.snap_bytes = 2000;
    trouble_three_tiers(l);
    load_with_flows(l, 12);
    return l;
}

static struct lab *two_tiers(void) {
    struct lab *l = lab_new(spec_leaf_spine(3, 3, 4));
    l->config.switches.buffer_bytes = 40000;
    l->config.measure.snap_bytes = 2000;
    trouble_two_tiers(l);
    load_with_flows(l, 12);
    return l;
}

static struct parity check_three_tiers(struct lab *l) {
    static const char *const names[] = {"tor0.0", "tor0.1",  "tor1.1",  "agg0.0", "agg0.1",
                                        "agg1.0", "core0.0", "core0.1", "core1.0"};
    struct parity p = parity_check(l, names, sizeof names / sizeof *names);
    lab_end(l);
    return p;
}

static struct parity check_two_tiers(struct lab *l) {
    static const char *const names[] = {"leaf0", "leaf1", "leaf2", "spine0", "spine1", "spine2"};
    struct parity p = parity_check(l, names, sizeof names / sizeof *names);
    lab_end(l);
    return p;
}

/* Asserts that the run had losses, drops, handshakes and SACK blocks, for otherwise equality proves little. */
static void assert_eventful(const struct parity *p) {
    assert_true(p->frames > 10000);
    assert_true(p->sack > 100 && p->syn > 300);
    assert_true(p->dropped[DROP_BUFFER] > 0);
    assert_true(p->dropped[DROP_LINK_DOWN] > 0);
    assert_true(p->dropped[DROP_LOSS] > 0);
    assert_int_equal(p->dropped[DROP_TTL], 0);
}

/* ---- ecmp ---- */

static void ecmp__three_tiers(void **state) {
    (void)state;
    struct parity p = check_three_tiers(three_tiers());
    assert_eventful(&p);
    assert_int_equal(p.requests + p.conga + p.created, 0);
}

static void ecmp__symmetric_hash(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_balance_param(l, "hash", 1);
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
}

static void ecmp__two_tiers_with_default_snap(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    l->config.measure.snap_bytes = 0;
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
}

static void ecmp__deficit_round_robin(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    l->config.switches.port.classes = 4;
    l->config.switches.port.schedule.ops = &schedule_drr;
    l->config.switches.port.schedule.quantum_bytes[1] = 3036;
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
}

static void ecmp__marking(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_transport_param(l, 0, "ecn", 1);
    l->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes = 9000};
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_true(p.marked > 100);
}

/* ---- expeditus ---- */

static void assert_selections(const struct parity *p) {
    assert_true(p->requests > 100);
    assert_true(p->responses > 100);
    assert_true(p->created > 50);
}

static void expeditus__three_tiers(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_balance(l, "expeditus");
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_selections(&p);
}

/* A path table with a short timeout and one bit per entry; requests and responses take the highest of eight classes. */
static void expeditus__priority_and_flowlets(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_balance(l, "expeditus");
    lab_balance_param(l, "control_priority", 1);
    lab_balance_param(l, "pst_timeout", 20 * US);
    lab_balance_param(l, "age", 1);
    l->config.switches.port.classes = 8;
    l->config.switches.port.schedule.ops = &schedule_strict;
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_selections(&p);
    assert_true(p.created > 220); /* half as many again as without */
}

static void expeditus__two_tiers_with_default_snap(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    lab_balance(l, "expeditus");
    l->config.measure.snap_bytes = 0;
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_selections(&p);
}

/* DX stamps its data and ACKs; flowlets tag frames that carry stamps. */
static void expeditus__stamps_of_dx(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_transport(l, "dx");
    lab_balance(l, "expeditus");
    lab_balance_param(l, "pst_timeout", 20 * US);
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_selections(&p);
    assert_true(p.stamps > p.frames / 2);
    assert_true(p.tagged_stamps > 20);
}

/* Reports of core loads, and requests by the least loaded uplink: a replayed switch receives and sends the same. */
static void expeditus__extensions(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_balance(l, "expeditus");
    lab_balance_param(l, "core_loads", 1);
    lab_balance_param(l, "core_loads_period", 5 * US);
    lab_balance_param(l, "request_path", 1);
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_selections(&p);
    assert_true(p.core_reports > 60);
}

/* Requests on SYNs and responses on SYN-ACKs: a switch makes no frame of its own. */
static void check_handshake(struct parity p) {
    assert_eventful(&p);
    assert_true(p.responses > 100);
    assert_int_equal(p.created, 0);
}

static void expeditus__handshake_three_tiers(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_balance(l, "expeditus");
    lab_balance_param(l, "carry", 1);
    struct parity p = check_three_tiers(l);
    check_handshake(p);
    assert_true(p.requests > 100);
}

/* With our extensions: an agg makes reports of its cores, and nothing else is made by a switch. */
static void expeditus__handshake_with_extensions(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_balance(l, "expeditus");
    lab_balance_param(l, "carry", 1);
    lab_balance_param(l, "core_loads", 1);
    lab_balance_param(l, "core_loads_period", 5 * US);
    lab_balance_param(l, "request_path", 1);
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
    assert_true(p.requests > 100 && p.responses > 100);
    assert_true(p.core_reports > 60 && p.created > 0);
}

static void expeditus__handshake_two_tiers_and_priority(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    lab_balance(l, "expeditus");
    lab_balance_param(l, "carry", 1);
    lab_balance_param(l, "control_priority", 1);
    lab_balance_param(l, "pst_timeout", 20 * US);
    l->config.switches.port.classes = 8;
    l->config.switches.port.schedule.ops = &schedule_strict;
    l->config.measure.snap_bytes = 0;
    struct parity p = check_two_tiers(l);
    check_handshake(p);
    assert_int_equal(p.requests, 0);
}

/* ---- conga-flow ---- */

static void conga_flow__two_tiers(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    lab_balance(l, "conga-flow");
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_true(p.conga > 10000);
}

static void conga_flow__short_timeout_strict(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    lab_balance(l, "conga-flow");
    lab_balance_param(l, "flow_timeout", 50 * US);
    lab_balance_param(l, "metric_age", 200 * US);
    l->config.switches.port.classes = 8;
    l->config.switches.port.schedule.ops = &schedule_strict;
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_true(p.conga > 10000);
}

static void conga_flow__as_coded(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    lab_balance(l, "conga-flow");
    lab_balance_param(l, "reading", 1);
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
    assert_true(p.conga > 10000);
}

/* ---- spray ---- */

static void spray__random_three_tiers(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_balance(l, "spray");
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
}

static void spray__round_robin_two_tiers(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    lab_balance(l, "spray");
    lab_balance_param(l, "mode", 1);
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
}

/* ---- alb ---- */

/* ALB reads the backlog of analytic ports, and the drain bytes of the frame's class at ports with classes. */
static void alb__three_tiers(void **state) {
    (void)state;
    struct lab *l = three_tiers();
    lab_balance(l, "alb");
    struct parity p = check_three_tiers(l);
    assert_eventful(&p);
}

static void alb__eight_classes(void **state) {
    (void)state;
    struct lab *l = two_tiers();
    lab_balance(l, "alb");
    l->config.switches.port.classes = 8;
    l->config.switches.port.schedule.ops = &schedule_strict;
    struct parity p = check_two_tiers(l);
    assert_eventful(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(ecmp__three_tiers),
        UNIT(ecmp__symmetric_hash),
        UNIT(ecmp__two_tiers_with_default_snap),
        UNIT(ecmp__deficit_round_robin),
        UNIT(ecmp__marking),
        UNIT(expeditus__three_tiers),
        UNIT(expeditus__priority_and_flowlets),
        UNIT(expeditus__two_tiers_with_default_snap),
        UNIT(expeditus__stamps_of_dx),
        UNIT(expeditus__extensions),
        UNIT(expeditus__handshake_three_tiers),
        UNIT(expeditus__handshake_with_extensions),
        UNIT(expeditus__handshake_two_tiers_and_priority),
        UNIT(conga_flow__two_tiers),
        UNIT(conga_flow__as_coded),
        UNIT(conga_flow__short_timeout_strict),
        UNIT(spray__random_three_tiers),
        UNIT(spray__round_robin_two_tiers),
        UNIT(alb__three_tiers),
        UNIT(alb__eight_classes),
    };
    return RUN_UNITS(tests);
}
