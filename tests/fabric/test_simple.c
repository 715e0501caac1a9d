/* SPDX-License-Identifier: Apache-2.0 */
/* Star, dumbbell, parking lot. */
#include "fabric_test.h"

static void star__all_hosts_on_one_leaf(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(40));
    assert_int_equal(f->n_hosts, 40);
    assert_int_equal(f->n_switches, 1);
    assert_int_equal(f->tiers, 1);
    assert_int_equal(f->paths_inter_pod + f->paths_intra_pod, 0);
    assert_int_equal(f->place[0].n_ports, 40);
    assert_int_equal(f->place[0].first_uplink, 40);
    assert_int_equal(f->paths.state[0].row[0].to_leaf[0], ROUTE_NONE);
    assert_true(f->population.has_tier[TIER_HOST]);
    assert_false(f->population.has_tier[TIER_LEAF]);
    fabric_destroy(f);
}

static void star__needs_two_hosts(void **state) {
    (void)state;
    assert_refused(spec_star(1), "fabric.hosts is 1; this fabric needs at least 2");
    assert_refused(spec_star(40000), "leaf0 has 40000 ports; a switch may have at most 32767");
}

static void dumbbell__one_bottleneck_of_uplink_rate(void **state) {
    (void)state;
    struct fabric_spec s = spec_dumbbell(3);
    s.uplink_bps = 1 * GBPS, s.uplink_delay = 7 * US;
    s.core_bps = 40 * GBPS, s.core_delay = 1 * US; /* has no meaning here */
    struct fabric *f = made(s);
    assert_int_equal(f->n_hosts, 6);
    assert_int_equal(f->n_pods, 1);
    const struct place *left = place_of(f, "leaf0");
    assert_int_equal(left->n_ports, 4);
    assert_int_equal(left->first_uplink, 3); /* links to a peer are uplinks */
    assert_int_equal(left->port[3].rate_bps, 1 * GBPS);
    assert_int_equal(left->port[3].delay, 7 * US);
    assert_int_equal(left->port[3].link_tier, 1);
    assert_int_equal(left->port[3].neighbour, node(f, "leaf1"));
    assert_int_equal(left->beyond[3].total, 0);
    assert_int_equal(left->port[0].rate_bps, 10 * GBPS);
    assert_int_equal(f->population.leaf_up_bps[1], 1 * GBPS);
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf1"), "leaf1");
    assert_string_equal(hops_text(f, 0, "leaf1", "leaf0"), "leaf0");
    assert_int_equal(f->paths_intra_pod, 1);
    fabric_destroy(f);
}

/* The long flow goes from the first host to the last; host 2i+1 sends to host 2i+2 over bottleneck i only. */
static void parking_lot__numbering_of_hosts(void **state) {
    (void)state;
    struct fabric *f = made(spec_parking_lot(3));
    assert_int_equal(f->n_hosts, 8);
    assert_int_equal(f->n_leaves, 4);
    assert_int_equal(walk(f, 0, f->node[0].leaf, f->node[7].leaf, NULL, NULL), 1);
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf3"), "leaf1");
    assert_string_equal(hops_text(f, 0, "leaf1", "leaf3"), "leaf2");
    assert_string_equal(hops_text(f, 0, "leaf2", "leaf0"), "leaf1");
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(f->node[2 * i + 1].leaf, i);
        assert_int_equal(f->node[2 * i + 2].leaf, i + 1);
    }
    assert_int_equal(place_of(f, "leaf1")->n_ports - place_of(f, "leaf1")->first_uplink, 2);
    fabric_destroy(f);
}

static void rows__need_their_numbers(void **state) {
    (void)state;
    assert_refused(spec_dumbbell(0), "fabric.pairs is 0; this fabric needs at least 1");
    assert_refused(spec_parking_lot(0), "fabric.bottlenecks is 0; this fabric needs at least 1");
    assert_refused(spec_parking_lot(UINT32_MAX), "the fabric has more than 16777216 nodes; make it smaller");
    assert_refused(spec_parking_lot(60000), "the fabric has more than 536870912 pairs of switch and rack to route "
                                            "between; make it smaller");
    assert_refused(spec_dumbbell(UINT32_MAX), "the fabric has more than 16777216 nodes; make it smaller");
}

/* ---- links that the experiment overrides ---- */

static struct fabric_spec with_link(struct fabric_spec s, struct link_override *o, const char *match) {
    *o = (struct link_override){.match = match, .delay = -1, .loss_ppb = -1, .where = {.file = "test.yaml", .line = 9}};
    s.links = o;
    s.n_links = 1;
    return s;
}

static uint32_t count_rate(const struct fabric *f, int64_t rate) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->paths.first_port[f->n_nodes]; i++) n += f->paths.port[i].rate_bps == rate;
    return n;
}

static void override__wildcards_match_either_end_first(void **state) {
    (void)state;
    static const struct {
        const char *match;
        uint32_t links;
    } rows[] = {
        {"agg0.1-*", 3 + 4}, {"*-agg0.1", 3 + 4}, {"tor0.2-agg0.1", 1}, {"agg0.1-tor0.2", 1},   {"agg?.1-core1.*", 8},
        {"*", 24 + 12 + 16}, {"host*", 24},       {"core*-agg0.?", 8},  {"tor0.2-agg0.1#0", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct link_override o;
        struct fabric_spec s = with_link(spec_clos(2, 3, 2, 4, 4), &o, rows[i].match);
        o.rate_bps = 3 * GBPS;
        struct fabric *f = made(s);
        assert_int_equal(count_rate(f, 3 * GBPS), 2 * rows[i].links);
        fabric_destroy(f);
    }
}

static void override__changes_only_what_it_says(void **state) {
    (void)state;
    struct link_override o;
    struct fabric_spec s = with_link(spec_clos(2, 2, 2, 2, 2), &o, "agg0.1-core1.0");
    o.delay = 0;
    o.loss_ppb = 100000;
    struct fabric *f = made(s);
    const struct place_port *p = &place_of(f, "agg0.1")->port[2];
    assert_int_equal(p->rate_bps, 10 * GBPS);
    assert_int_equal(p->delay, 0);
    assert_int_equal(p->loss_ppb, 100000);
    assert_int_equal(f->paths.port[p->peer].loss_ppb, 100000);
    fabric_destroy(f);
}

static void override__later_entries_win(void **state) {
    (void)state;
    struct link_override o[2];
    struct fabric_spec s = with_link(spec_clos(2, 2, 2, 2, 2), &o[0], "agg*-core*");
    with_link(s, &o[1], "agg0.0-*");
    o[0].rate_bps = 1 * GBPS;
    o[1].rate_bps = 2 * GBPS;
    s.n_links = 2;
    struct fabric *f = made(s);
    assert_int_equal(count_rate(f, 1 * GBPS), 2 * 6);
    assert_int_equal(count_rate(f, 2 * GBPS), 2 * 4);
    assert_int_equal(f->population.pod_up_bps[0], (2 * 2 + 2 * 1) * GBPS);
    fabric_destroy(f);
}

static void override__errors(void **state) {
    (void)state;
    struct link_override o;
    struct fabric_spec s = with_link(spec_clos(2, 2, 2, 2, 2), &o, "agg9.*");
    assert_refused(s, "\"agg9.*\" matches no link; a link is NODE-NODE with * and ?, nodes are host0.0.0 to host1.1.1, "
                      "tor0.0 to tor1.1, agg0.0 to agg1.1, core0.0 to core1.1");
    s = with_link(s, &o, "*");
    o.rate_bps = -1;
    assert_refused(s, "rate must be above 0; write for example 1Gbps");
    s = with_link(s, &o, "*");
    o.loss_ppb = PPB + 1;
    assert_refused(s, "loss is above 100%; write for example 0.01%");
    struct diag d = {0};
    char line[1024];
    assert_null(fabric_create(&s, &d));
    assert_string_equal(diag_line(&d, line, sizeof line),
                        "test.yaml:9: error: loss is above 100%; write for example 0.01%");
}

/* A later entry can set the loss of a link back to zero: zero is a value, as with delays. */
static void override__loss_of_zero_is_said(void **state) {
    (void)state;
    struct link_override o[] = {{.match = "*", .delay = -1, .loss_ppb = 1000},
                                {.match = "host0.1-leaf0", .delay = -1, .loss_ppb = 0}};
    struct fabric_spec s = spec_star(3);
    s.links = o, s.n_links = 2;
    struct fabric *f = made(s);
    const struct place_port *port = place_of(f, "leaf0")->port;
    assert_int_equal(port[0].loss_ppb, 1000);
    assert_int_equal(port[1].loss_ppb, 0);
    assert_int_equal(port[2].loss_ppb, 1000);
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(star__all_hosts_on_one_leaf),
        UNIT(star__needs_two_hosts),
        UNIT(dumbbell__one_bottleneck_of_uplink_rate),
        UNIT(parking_lot__numbering_of_hosts),
        UNIT(rows__need_their_numbers),
        UNIT(override__wildcards_match_either_end_first),
        UNIT(override__changes_only_what_it_says),
        UNIT(override__later_entries_win),
        UNIT(override__errors),
        UNIT(override__loss_of_zero_is_said),
    };
    return RUN_UNITS(tests);
}
