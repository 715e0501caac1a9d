/* SPDX-License-Identifier: Apache-2.0 */
/* Switches with queues at both ends of a crossbar, under flow control: simulated and replayed, frame by frame,
 * including the pause frames that they send and obey. */
#include "parity/parity.h"

#include "mech/flowctl/flowctls.h"
#include "scenario/lossless_lab.h"

/* Eight priorities between three racks, and a burst at two hosts; the last flow runs alone. */
static struct lab *lossless(const struct flowctl_ops *kind, const char *balance) {
    struct lab *l = lab_detail(spec_leaf_spine(3, 3, 4), kind, balance);
    l->config.switches.buffer_bytes = 30000;
    l->config.switches.cioq.reserve_bytes = 1600;
    l->config.measure.snap_bytes = 2000;
    lab_random_flows(l, 12, 60, 150000, 10 * MS);
    for (uint32_t h = 1; h < 12; h++) lab_flow(l, h, h % 2 ? 0 : 11, 300000, 1 * MS);
    for (uint32_t i = 0; i < l->flows.n; i++) l->flows.flow[i].priority = (uint8_t)(i % 8);
    lab_flow(l, 0, 11, 3000, 400 * MS);
    return l;
}

static struct parity check(struct lab *l) {
    static const char *const names[] = {"leaf0", "leaf1", "leaf2", "spine0", "spine1", "spine2"};
    struct parity p = parity_check(l, names, sizeof names / sizeof *names);
    assert_true(p.frames > 10000 && p.syn > 100);
    lab_end(l);
    return p;
}

static void pfc__alb(void **state) {
    (void)state;
    struct parity p = check(lossless(&flowctl_pfc, "alb"));
    assert_true(p.pauses > 100);
    assert_int_equal(p.dropped[DROP_BUFFER], 0);
}

static void pfc__ecmp(void **state) {
    (void)state;
    struct parity p = check(lossless(&flowctl_pfc, "ecmp"));
    assert_true(p.pauses > 100);
    assert_int_equal(p.dropped[DROP_BUFFER], 0);
}

/* Pauses of 802.3x with the thresholds of the paper. */
static void pause__whole_links(void **state) {
    (void)state;
    struct lab *l = lossless(&flowctl_pause, "ecmp");
    l->config.switches.flow.params.classes = 8;
    l->config.switches.flow.params.headroom = HEADROOM_PAPER;
    l->config.hosts.flow = l->config.switches.flow;
    struct parity p = check(l);
    assert_true(p.pauses > 50);
    assert_int_equal(p.dropped[DROP_BUFFER], 0);
}

/* Expeditus tags frames inside such a switch and makes responses there. */
static void pfc__expeditus(void **state) {
    (void)state;
    struct lab *l = lossless(&flowctl_pfc, "expeditus");
    struct parity p = check(l);
    assert_true(p.pauses > 100 && p.requests > 50 && p.responses > 50);
    assert_int_equal(p.dropped[DROP_BUFFER], 0);
}

/* Without flow control frames are dropped behind the crossbar, or pushed out by frames of a higher class. */
static void none__drops_and_pushes_out(void **state) {
    (void)state;
    struct lab *l = lossless(&flowctl_none, "ecmp");
    l->config.switches.buffer_bytes = 40000;
    l->config.switches.port.push_out = true;
    struct parity p = check(l);
    assert_int_equal(p.pauses, 0);
    assert_true(p.dropped[DROP_BUFFER] > 100);
}

/* One link dies and another loses frames, pause frames included. */
static void pfc__links_fail(void **state) {
    (void)state;
    struct lab *l = lossless(&flowctl_pfc, "alb");
    lab_fail(l, "leaf0-spine1", 3 * MS, 8 * MS, 100 * US);
    lab_gray(l, "leaf1-spine0", 20000000, 2 * MS, 12 * MS);
    struct parity p = check(l);
    assert_true(p.pauses > 100);
    assert_true(p.dropped[DROP_LINK_DOWN] > 0 && p.dropped[DROP_LOSS] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(pfc__alb),
        UNIT(pfc__ecmp),
        UNIT(pause__whole_links),
        UNIT(pfc__expeditus),
        UNIT(none__drops_and_pushes_out),
        UNIT(pfc__links_fail),
    };
    return RUN_UNITS(tests);
}
