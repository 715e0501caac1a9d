/* SPDX-License-Identifier: Apache-2.0 */
/* A switch of a large fabric takes the frames of a slot in loops; an observed run takes each frame through the whole switch.
 * Both must give the same digest, with full buffers, marks, failed, slow and lossy links, and missing routes. */
#include "mech/flowctl/flowctls.h"
#include "scenario/lossless_lab.h"
#include "sim/engine/partition.h"
#include "sim/fixture.h"

#include "unit.h"

#define LARGE 16 /* k of a fat-tree that is large */
#define LARGE_HOSTS 1024

/* Flows between all racks, and twenty to one host; small buffers and marks. For a time one link has failed, one is slow,
 * one loses frames, and no route leads to one rack. */
static struct lab *lab_large(const char *balance) {
    struct lab *l = lab_new(spec_fat_tree(LARGE));
    static char name[LARGE / 2][32];
    lab_balance(l, balance);
    lab_transport(l, "dctcp");
    lab_ports_as_needed(l);
    l->config.switches.admit.ecn_bytes = 15000;
    lab_transport_param(l, 0, "min_rto", 200 * US);
    l->config.switches.buffer_bytes = 30000;
    lab_random_flows(l, LARGE_HOSTS, 4000, 20000, 500 * US);
    for (uint32_t i = 1; i <= 20; i++) lab_flow(l, i * 40, 7, 30000, 50 * US);
    lab_fail(l, "agg0.1-core1.0", 100 * US, 400 * US, 50 * US);
    lab_slow(l, "agg2.0-core0.1", GBPS, 50 * US, 600 * US);
    lab_gray(l, "host0.0.7-tor0.0", PPB / 20, 0, 600 * US);
    for (int agg = 0; agg < LARGE / 2; agg++) {
        snprintf(name[agg], sizeof name[agg], "tor1.0-agg1.%d", agg);
        lab_fail(l, name[agg], 150 * US, 350 * US, 20 * US);
    }
    assert_true(lab_fabric(l)->paths.first_port[lab_fabric(l)->n_nodes] > LARGE_FROM_PORTS);
    return l;
}

static void ahead__is_as_one_frame_after_the_other(void **state) {
    (void)state;
    static const uint32_t watched[] = {0};
    size_t n, blind = 0;
    const struct balancer_ops *const *row = balancers(&n);
    for (size_t i = 0; i < n; i++) {
        if (!row[i]->blind) continue;
        struct lab *l = lab_large(row[i]->name);
        uint64_t digest = lab_digest(l, 1);
        assert_true(l->r.packets.dropped_by[DROP_BUFFER] > 0 && l->r.packets.dropped_by[DROP_LOSS] > 0);
        assert_true(l->r.packets.dropped_by[DROP_NO_ROUTE] > 0 && l->r.packets.dropped_by[DROP_LINK_DOWN] > 0);
        assert_true(l->r.packets.marked > 0);
        assert_true(lab_digest(l, 2) == digest);
        l->config.measure.flow = watched;
        l->config.measure.n_flow = 1;
        assert_true(lab_digest(l, 1) == digest);
        lab_end(l);
        blind++;
    }
    assert_true(blind >= 2);
}

/* Runs as a small and as a huge fabric give the same digest, on one thread and on two. */
static void assert_size_does_not_matter(struct lab *l) {
    uint64_t digest = lab_digest(l, 1);
    l->config.large_ports = l->config.huge_ports = 1;
    assert_true(lab_digest(l, 1) == digest);
    assert_true(lab_digest(l, 2) == digest);
    lab_end(l);
}

/* Prefetches of a huge fabric: scoreboards of flows with losses, credits, and frames without a flow. */
static void huge__prefetches_change_nothing(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *transport = transports(&n);
    for (size_t i = 0; i < n; i++) {
        struct lab *l = lab_new(spec_fat_tree(4));
        lab_transport(l, transport[i]->name);
        lab_ports_as_needed(l);
        l->config.switches.buffer_bytes = 20000;
        lab_random_flows(l, 16, 200, 60000, 500 * US);
        l->config.until = 20 * MS;
        assert_size_does_not_matter(l);
    }
}

static void huge__pause_frames_too(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_fat_tree(4), &flowctl_pfc, "alb");
    lab_random_flows(l, 16, 200, 60000, 500 * US);
    assert_size_does_not_matter(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(ahead__is_as_one_frame_after_the_other),
        UNIT(huge__prefetches_change_nothing),
        UNIT(huge__pause_frames_too),
    };
    return RUN_UNITS(tests);
}
