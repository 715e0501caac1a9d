/* SPDX-License-Identifier: Apache-2.0 */
/* Clos fabrics: degrees, path counts, pairwise connectivity (EXP-1, EXP-2, EXP-3), numbering, figures (EXP-5, EXP-6).
 */
#include "fabric_test.h"

static void clos__degrees(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(4, 3, 2, 5, 6)); /* pods, ToRs, aggs, cores per plane, hosts */
    assert_int_equal(f->n_hosts, 4 * 3 * 6);
    assert_int_equal(f->n_leaves, 12);
    assert_int_equal(f->n_switches, 12 + 4 * 2 + 2 * 5);
    assert_int_equal(f->tiers, 3);
    assert_int_equal(f->n_pods, 4);
    assert_int_equal(f->n_planes, 2);
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct place *p = &f->place[s];
        uint32_t down = p->tier == TIER_LEAF ? 6 : p->tier == TIER_AGG ? 3 : 4;
        uint32_t up = p->tier == TIER_LEAF ? 2 : p->tier == TIER_AGG ? 5 : 0;
        assert_int_equal(p->first_uplink, down);
        assert_int_equal(p->n_ports, down + up);
    }
    fabric_destroy(f);
}

/* Agg i of every pod connects to all cores of plane i and to no other. */
static void clos__planes_are_apart(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(4, 3, 2, 5, 6));
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct place *p = &f->place[s];
        if (p->tier != TIER_CORE) continue;
        for (uint16_t i = 0; i < p->n_ports; i++) {
            const struct fabric_node *agg = &f->node[p->port[i].neighbour];
            assert_int_equal(agg->index, p->pod); /* the pod of a core is the number of its plane */
            assert_int_equal(agg->pod, i);        /* downlink i leads to pod i */
        }
    }
    fabric_destroy(f);
}

struct pair_view {
    uint32_t inter;
};

/* Whatever agg the source ToR picks, the packet enters the other pod through the agg of the same number (EXP-2). */
static void see_same_agg(const struct fabric *f, const uint32_t *sw, uint32_t n, void *arg) {
    struct pair_view *view = arg;
    bool inter = f->place[sw[0]].pod != f->place[sw[n - 1]].pod;
    assert_int_equal(n, inter ? 5 : 3);
    if (!inter) return;
    view->inter++;
    assert_int_equal(f->place[sw[1]].tier, TIER_AGG);
    assert_int_equal(f->place[sw[2]].tier, TIER_CORE);
    assert_int_equal(f->place[sw[1]].index, f->place[sw[3]].index);
    assert_int_equal(f->place[sw[2]].pod, f->place[sw[1]].index);
}

static void clos__pairwise_connectivity(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(3, 2, 3, 4, 1));
    struct pair_view view = {0};
    for (uint32_t a = 0; a < f->n_leaves; a++) {
        for (uint32_t b = 0; b < f->n_leaves; b++) {
            if (a == b) continue;
            bool inter = f->place[a].pod != f->place[b].pod;
            assert_int_equal(walk(f, 0, a, b, see_same_agg, &view), inter ? 3 * 4 : 3); /* n*m and n (EXP-1) */
        }
    }
    assert_int_equal(view.inter, 6 * 4 * 12);
    assert_int_equal(f->paths_inter_pod, 12);
    assert_int_equal(f->paths_intra_pod, 3);
    fabric_destroy(f);
}

/* A core, and an agg of the pod, have exactly one next hop down to a ToR; a ToR has no entry for its own rack
 * (EXP-3). */
static void clos__one_way_down(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(3, 2, 3, 4, 1));
    const uint16_t *port;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct place *p = &f->place[s];
        for (uint32_t leaf = 0; leaf < f->n_leaves; leaf++) {
            uint16_t n = next_hops(f, 0, s, leaf, &port);
            bool below = p->tier == TIER_CORE || (p->tier == TIER_AGG && p->pod == f->place[leaf].pod);
            if (s == leaf)
                assert_int_equal(n, 0);
            else if (below)
                assert_int_equal(n, 1);
            else
                assert_int_equal(n, p->n_ports - p->first_uplink);
            for (uint16_t i = 0; i < n; i++) assert_int_equal(port[i] < p->first_uplink, below);
        }
    }
    fabric_destroy(f);
}

/* base/views.h numbers downward ports first, in the order of the neighbours, then uplinks; uplink i leads to agg i,
 * uplink j to core j. */
static void clos__numbering(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(4, 3, 2, 5, 6));
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct place *p = &f->place[s];
        assert_int_equal(p->node, f->n_hosts + s);
        for (uint16_t i = 0; i < p->n_ports; i++) {
            const struct place_port *port = &p->port[i], *peer = &f->paths.port[port->peer];
            assert_int_equal(port->node, p->node);
            assert_int_equal(port->port, i);
            assert_int_equal(peer->neighbour, p->node);
            assert_int_equal(f->paths.first_port[peer->node] + peer->port, port->peer);
            assert_int_equal(peer->peer, f->paths.first_port[p->node] + i);
            assert_int_equal(port->link_tier, i < p->first_uplink ? p->tier - 1 : p->tier);
            assert_int_equal(port->neighbour_tier, i < p->first_uplink ? p->tier - 1 : p->tier + 1);
            if (i > 0 && i != p->first_uplink) assert_true(port->neighbour > p->port[i - 1].neighbour);
            if (i >= p->first_uplink) assert_int_equal(f->node[port->neighbour].index, i - p->first_uplink);
        }
    }
    assert_int_equal(node(f, "host0.0.0"), 0);
    assert_int_equal(node(f, "host1.2.3"), (1 * 3 + 2) * 6 + 3);
    assert_int_equal(node(f, "tor0.0"), 72);
    assert_int_equal(node(f, "agg0.0"), 72 + 12);
    assert_int_equal(node(f, "agg2.1"), 72 + 12 + 5);
    assert_int_equal(node(f, "core0.0"), 72 + 12 + 8);
    assert_int_equal(node(f, "core1.2"), 72 + 12 + 8 + 7);
    fabric_destroy(f);
}

static void clos__population(void **state) {
    (void)state;
    struct fabric_spec s = spec_clos(2, 3, 2, 5, 4);
    s.host_bps = 10 * GBPS, s.uplink_bps = 40 * GBPS, s.core_bps = 100 * GBPS;
    struct fabric *f = made(s);
    const struct population *p = &f->population;
    assert_int_equal(p->n_hosts, 24);
    assert_int_equal(p->host_leaf[5], 1);
    assert_int_equal(p->leaf_pod[2], 0);
    assert_int_equal(p->leaf_pod[3], 1);
    assert_int_equal(p->host_bps[7], 10 * GBPS);
    assert_int_equal(p->leaf_up_bps[4], 2 * 40 * GBPS);
    assert_int_equal(p->pod_up_bps[1], 2 * 5 * 100 * GBPS);
    assert_true(p->has_tier[TIER_HOST] && p->has_tier[TIER_LEAF] && p->has_tier[TIER_AGG]);
    assert_int_equal(population_crossed(p, 0, 3), TIER_HOST);
    assert_int_equal(population_crossed(p, 0, 4), TIER_LEAF);
    assert_int_equal(population_crossed(p, 0, 11), TIER_LEAF);
    assert_int_equal(population_crossed(p, 11, 12), TIER_AGG);
    fabric_destroy(f);
}

/* The view beyond a ToR's uplink holds the agg's uplinks; the view beyond an agg's uplink is a core, which has none. */
static void clos__places_look_beyond(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(2, 3, 2, 5, 4));
    const struct place *tor = place_of(f, "tor1.2"), *agg = place_of(f, "agg1.1");
    assert_int_equal(tor->beyond[tor->first_uplink + 1].alive, 5);
    assert_int_equal(tor->beyond[tor->first_uplink + 1].total, 5);
    assert_int_equal(tor->beyond[0].total, 0);
    assert_int_equal(agg->beyond[agg->first_uplink].total, 0);
    fabric_destroy(f);
}

static void clos__one_pod_without_cores_has_two_tiers(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(1, 3, 2, 0, 2));
    assert_int_equal(f->tiers, 2);
    assert_int_equal(f->paths_inter_pod, 0);
    assert_int_equal(f->paths_intra_pod, 2);
    assert_false(f->population.has_tier[TIER_AGG]);
    assert_string_equal(name_of(f, f->n_hosts + 3), "agg0.0");
    fabric_destroy(f);
}

static void fat_tree__is_a_clos_of_halves(void **state) {
    (void)state;
    struct fabric *f = made(spec_fat_tree(4));
    assert_int_equal(f->n_hosts, 16);
    assert_int_equal(f->n_switches, 8 + 8 + 4);
    assert_int_equal(f->paths_inter_pod, 4);
    assert_int_equal(f->paths_intra_pod, 2);
    for (uint32_t a = 0; a < f->n_leaves; a++) {
        for (uint32_t b = 0; b < f->n_leaves; b++) {
            if (a != b) assert_int_equal(walk(f, 0, a, b, NULL, NULL), f->place[a].pod == f->place[b].pod ? 2 : 4);
        }
    }
    fabric_destroy(f);
}

static void leaf_spine__every_spine_is_a_path(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(8, 8, 16)); /* EXP-F18 */
    assert_int_equal(f->n_hosts, 128);
    assert_int_equal(f->tiers, 2);
    assert_int_equal(f->n_pods, 1);
    assert_int_equal(f->paths_intra_pod, 8);
    assert_int_equal(f->paths_inter_pod, 0);
    assert_int_equal(walk(f, 0, 2, 7, NULL, NULL), 8);
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf3"), "spine0 spine1 spine2 spine3 spine4 spine5 spine6 spine7");
    assert_string_equal(hops_text(f, 0, "spine5", "leaf3"), "leaf3");
    fabric_destroy(f);
}

static void scale__altoona(void **state) {
    (void)state;
    struct fabric_spec s = spec_clos(96, 48, 4, 12, 16); /* EXP-6 */
    s.uplink_bps = s.core_bps = 40 * GBPS;
    struct fabric *f = made(s);
    struct fabric_scale scale;
    fabric_scale(f, &scale);
    assert_int_equal(f->n_hosts, 73728);
    assert_int_equal(scale.per_path_state, 221184);
    assert_int_equal(scale.concurrent_flows_pathlet, 48);
    assert_int_equal(scale.switches_asked, 10);
    assert_int_equal(scale.expeditus_tor_state, 8);
    assert_int_equal(scale.expeditus_agg_state, 24);
    assert_int_equal(scale.links, 73728 + 96 * 48 * 4 + 96 * 4 * 12);
    assert_int_equal(f->paths_inter_pod, 48);
    assert_int_equal(f->population.leaf_up_bps[0], 160 * GBPS);        /* equals 16 hosts of 10G */
    assert_int_equal(f->population.pod_up_bps[0], 4 * 12 * 40 * GBPS); /* 48 x 160G below: 4:1 */
    assert_true(fabric_memory_bytes(f) < 40u << 20);
    fabric_destroy(f);
}

/* 576 leaves of 48 ports with 12 uplinks: the CONGA leaf of EXP-5. */
static void scale__conga_leaf(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(576, 12, 1));
    struct fabric_scale scale;
    fabric_scale(f, &scale);
    assert_int_equal(scale.per_path_state, 6912);
    assert_int_equal(scale.concurrent_flows_pathlet, 12);
    fabric_destroy(f);
}

/* Rows of ToRs differ only in the entry of their own rack, so all ToRs share one array. */
static void rows__are_shared(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(4, 3, 2, 5, 6));
    const struct route_row *row = f->paths.state[0].row;
    assert_ptr_equal(row[0].to_leaf, row[1].to_leaf + 1);
    assert_ptr_equal(row[0].to_leaf, row[11].to_leaf + 11);
    uint32_t agg = node(f, "agg1.0") - f->n_hosts;
    assert_ptr_equal(row[agg].to_leaf, row[agg + 1].to_leaf);
    assert_ptr_equal(row[agg].to_leaf, row[agg + 2].to_leaf + 3);
    fabric_destroy(f);
}

static void clos__impossible_sizes_are_refused(void **state) {
    (void)state;
    assert_refused(spec_clos(0, 1, 1, 1, 1), "fabric.pods is 0; this fabric needs at least 1");
    assert_refused(spec_clos(2, 0, 1, 1, 1), "fabric.tors is 0; this fabric needs at least 1");
    assert_refused(spec_clos(2, 1, 0, 1, 1), "fabric.aggs is 0; this fabric needs at least 1");
    assert_refused(spec_clos(2, 1, 1, 0, 1), "fabric.cores is 0; this fabric needs at least 1");
    assert_refused(spec_clos(2, 1, 1, 1, 0), "fabric.hosts is 0; this fabric needs at least 1");
    assert_refused(spec_clos(1, 1, 1, 1, 1), "the fabric has fewer than two hosts; give it at least two");
    assert_refused(spec_leaf_spine(0, 1, 1), "fabric.leaves is 0; this fabric needs at least 1");
    assert_refused(spec_leaf_spine(2, 0, 1), "fabric.spines is 0; this fabric needs at least 1");
    assert_refused(spec_fat_tree(5), "fabric.k is 5; a fat-tree needs an even number, 2 or more");
    assert_refused(spec_fat_tree(0), "fabric.k is 0; a fat-tree needs an even number, 2 or more");
}

static void clos__sizes_beyond_reason_are_refused(void **state) {
    (void)state;
    const char *nodes = "the fabric has more than 16777216 nodes; make it smaller";
    assert_refused(spec_clos(1000, 1000, 1, 1, 1000), nodes);
    assert_refused(spec_clos(16000000, 16000000, 16000000, 16000000, 16000000), nodes);
    assert_refused(spec_clos(UINT32_MAX, 1, 1, 1, 1), "fabric.pods is 4294967295; at most 16777215 make sense");
    assert_refused(spec_clos(10, 1000, 1000, 1, 1), "the fabric has more than 8388608 links; make it smaller");
    struct fabric_spec large = spec_clos(4, 10, 10, 10, 10); /* 1200 links */
    large.memory_bytes = 2000000, large.port_bytes = 1000;
    assert_refused(large,
                   "a fabric of 400 hosts, 180 switches and 1200 links needs about 2 MB of memory, but this machine "
                   "has 2 MB; make it smaller, or go on with --force");
    assert_refused(spec_fat_tree(1000), nodes);
    assert_refused(spec_leaf_spine(1, 40000, 2), "leaf0 has 40002 ports; a switch may have at most 32767");
    assert_refused(spec_leaf_spine(30000, 1, 1), "the fabric has more than 536870912 pairs of switch and rack to route "
                                                 "between; make it smaller");
}

static void clos__speeds_must_make_sense(void **state) {
    (void)state;
    struct fabric_spec s = spec_clos(2, 2, 2, 2, 2);
    s.core_bps = 0;
    assert_refused(s, "fabric.core_rate must be above 0; write for example 10Gbps");
    s = spec_clos(2, 2, 2, 2, 2);
    s.uplink_delay = -1;
    assert_refused(s, "fabric.uplink_delay must not be negative; write for example 2us");
    s = spec_star(3);
    s.host_bps = -5;
    assert_refused(s, "fabric.host_rate must be above 0; write for example 10Gbps");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(clos__degrees),
        UNIT(clos__planes_are_apart),
        UNIT(clos__pairwise_connectivity),
        UNIT(clos__one_way_down),
        UNIT(clos__numbering),
        UNIT(clos__population),
        UNIT(clos__places_look_beyond),
        UNIT(clos__one_pod_without_cores_has_two_tiers),
        UNIT(fat_tree__is_a_clos_of_halves),
        UNIT(leaf_spine__every_spine_is_a_path),
        UNIT(scale__altoona),
        UNIT(scale__conga_leaf),
        UNIT(rows__are_shared),
        UNIT(clos__impossible_sizes_are_refused),
        UNIT(clos__sizes_beyond_reason_are_refused),
        UNIT(clos__speeds_must_make_sense),
    };
    return RUN_UNITS(tests);
}
