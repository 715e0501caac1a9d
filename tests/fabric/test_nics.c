/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts with several links: their NICs, addresses and racks, the pair of NICs of a flow, and what failures change of it. */
#include "fabric/nics.h"

#include "fabric/cut_off.h"
#include "fabric/fabric_build.h"
#include "fabric_test.h"

/* Four ToRs in two pairs, two spines, two hosts on each pair. */
static const char dual_tor[] =
    "nodes: [{name: a, tier: host}, {name: b, tier: host}, {name: c, tier: host}, {name: d, tier: host},\n"
    "        {name: t0}, {name: t1}, {name: t2}, {name: t3}, {name: s0}, {name: s1}]\n"
    "links: [{a: a, b: t0}, {a: a, b: t1}, {a: b, b: t0}, {a: b, b: t1}, {a: c, b: t2}, {a: c, b: t3}, {a: d, b: t2},\n"
    "        {a: d, b: t3}, {a: t0, b: s0}, {a: t0, b: s1}, {a: t1, b: s0}, {a: t1, b: s1}, {a: t2, b: s0},\n"
    "        {a: t2, b: s1}, {a: t3, b: s0}, {a: t3, b: s1}]\n";

/* The same, but each ToR of a pair has a spine of its own: two planes. */
static const char two_planes[] =
    "nodes: [{name: a, tier: host}, {name: b, tier: host}, {name: c, tier: host}, {name: d, tier: host},\n"
    "        {name: t0}, {name: t1}, {name: t2}, {name: t3}, {name: s0}, {name: s1}]\n"
    "links: [{a: a, b: t0}, {a: a, b: t1}, {a: b, b: t0}, {a: b, b: t1}, {a: c, b: t2}, {a: c, b: t3}, {a: d, b: t2},\n"
    "        {a: d, b: t3}, {a: t0, b: s0}, {a: t2, b: s0}, {a: t1, b: s1}, {a: t3, b: s1}]\n";

/* Two servers of two GPUs: a and b, c and d. Each has a scale-up switch; GPU 0 of each is on rail 0, GPU 1 on rail 1. */
static const char rails[] =
    "nodes: [{name: a, tier: host}, {name: b, tier: host}, {name: c, tier: host}, {name: d, tier: host},\n"
    "        {name: u0, tier: leaf}, {name: u1, tier: leaf}, {name: r0, tier: leaf}, {name: r1, tier: leaf}, {name: "
    "s}]\n"
    "links: [{a: a, b: u0, rate: 40Gbps}, {a: b, b: u0, rate: 40Gbps}, {a: c, b: u1, rate: 40Gbps},\n"
    "        {a: d, b: u1, rate: 40Gbps}, {a: a, b: r0}, {a: c, b: r0}, {a: b, b: r1}, {a: d, b: r1}, {a: r0, b: s},\n"
    "        {a: r1, b: s}]\n";

static struct fabric *build(const char *text, const struct link_failure *failed, uint32_t n) {
    struct fabric_spec s = spec_of("file");
    struct diag d = {0};
    char line[1024];
    s.path = "net.yaml";
    s.failed = failed;
    s.n_failed = n;
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (!f) fail_msg("%s", diag_line(&d, line, sizeof line));
    return f;
}

static void assert_error(const char *text, const char *expected) {
    struct fabric_spec s = spec_of("file");
    struct diag d = {0};
    char line[1024];
    s.path = "net.yaml";
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (f) fabric_destroy(f);
    assert_null(f);
    assert_string_equal(diag_line(&d, line, sizeof line), expected);
}

static struct link_failure fails(const char *link, time_ps at, time_ps repair_at) {
    return (struct link_failure){.link = link, .at = at, .repair_at = repair_at, .detect = MS};
}

static uint32_t nic(const struct fabric *f, const char *host, const char *leaf) {
    uint32_t h = node(f, host);
    return f->paths.first_port[h] + fabric_port_find(f, h, leaf);
}

static struct nic_ends ends_of(const struct fabric *f, const char *src, const char *dst, enum fabric_bonding bonding,
                               uint32_t flow, time_ps now) {
    struct nic_question q = {
        .src = node(f, src), .dst = node(f, dst), .bonding = bonding, .seed = 7, .flow = flow, .now = now};
    return fabric_nic_ends(f, &q);
}

/* Returns the leaves of the pair as text, "t0 t3". */
static const char *pair_text(const struct fabric *f, struct nic_ends ends) {
    static char buf[8][160];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(buf[turn], sizeof buf[turn], "%s %s", name_of(f, f->paths.port[ends.src].neighbour),
             name_of(f, f->paths.port[ends.dst].neighbour));
    return buf[turn];
}

/* ---- addresses and racks ---- */

static void nics__have_addresses_in_the_racks_of_their_leaves(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    assert_int_equal(fabric_n_nics(f), 8);
    assert_true(fabric_is_multihomed(f));
    assert_int_equal(fabric_multihomed_host(f), 0);
    assert_int_equal(fabric_nic_ip(f, nic(f, "a", "t0")), 0x0a000001);
    assert_int_equal(fabric_nic_ip(f, nic(f, "a", "t1")), 0x0a000101);
    assert_int_equal(fabric_nic_ip(f, nic(f, "d", "t3")), 0x0a000302);
    assert_int_equal(fabric_host_ip(f, node(f, "d")), 0x0a000202);
    for (uint32_t g = 0; g < 8; g++) {
        assert_int_equal(f->paths.port[g].node, g / 2);
        assert_int_equal(fabric_host_of_ip(f, fabric_nic_ip(f, g)), g / 2);
    }
    assert_int_equal(fabric_host_of_ip(f, 0x0a000003), NODE_NONE); /* t0 has two hosts */
    assert_int_equal(fabric_host_of_ip(f, 0x0a000401), NODE_NONE); /* there is no fifth rack */
    fabric_destroy(f);
}

/* A switch finds the port of an address by its last bits. */
static void nics__addresses_are_places_at_the_leaf(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    for (uint32_t g = 0; g < fabric_n_nics(f); g++) {
        const struct place *leaf = &f->place[fabric_leaf_of_ip(f->host_bits, fabric_nic_ip(f, g))];
        uint32_t port = (fabric_nic_ip(f, g) & ((1u << f->host_bits) - 1)) - 1;
        assert_int_equal(leaf->port[port].neighbour, f->paths.port[g].node);
        assert_int_equal(leaf->port[port].peer, g);
    }
    fabric_destroy(f);
}

static void nics__of_hosts_with_one_link_are_the_hosts(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(2, 2, 2, 2, 3));
    assert_false(fabric_is_multihomed(f));
    assert_int_equal(fabric_multihomed_host(f), NODE_NONE);
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        struct nic_question q = {.src = h, .dst = f->n_hosts - 1 - h};
        struct nic_ends ends = fabric_nic_ends(f, &q);
        assert_int_equal(ends.src, h);
        assert_int_equal(ends.dst, f->n_hosts - 1 - h);
        assert_int_equal(fabric_nic_ip(f, h), (10u << 24) | f->node[h].leaf << 8 | (f->node[h].index + 1));
    }
    fabric_destroy(f);
}

static void racks__are_pairs_of_tors(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    const struct population *p = &f->population;
    assert_int_equal(p->host_leaf[node(f, "a")], 0);
    assert_int_equal(p->host_leaf[node(f, "b")], 0);
    assert_int_equal(p->host_leaf[node(f, "d")], 2);
    assert_int_equal(p->leaf_up_bps[0], 40 * GBPS); /* two uplinks of each ToR */
    assert_int_equal(p->leaf_up_bps[1], 0);
    assert_int_equal(p->host_bps[0], 20 * GBPS);
    assert_int_equal(p->nics_bps[0], 20 * GBPS);
    assert_true(p->has_tier[TIER_LEAF]);
    fabric_destroy(f);
}

/* Links of scale-up carry no load of the network, and what crosses uplinks depends on more than racks. */
static void racks__of_rails(void **state) {
    (void)state;
    struct fabric *f = build(rails, NULL, 0);
    const struct population *p = &f->population;
    assert_int_equal(f->node[node(f, "a")].leaf, node(f, "u0") - f->n_hosts); /* GPUs of a server follow each other */
    assert_int_equal(node(f, "b"), node(f, "a") + 1);
    assert_int_equal(p->host_leaf[node(f, "a")], p->host_leaf[node(f, "b")]);
    assert_int_not_equal(p->host_leaf[node(f, "a")], p->host_leaf[node(f, "c")]);
    assert_int_equal(p->host_bps[0], 10 * GBPS);
    assert_int_equal(p->nics_bps[0], 50 * GBPS);
    assert_false(p->has_tier[TIER_LEAF]);
    fabric_destroy(f);
}

/* ---- the pair of a flow ---- */

static void pair__hash_uses_all_nics_alike(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    uint32_t n[2][2] = {{0}};
    for (uint32_t flow = 0; flow < 4000; flow++) {
        struct nic_ends e = ends_of(f, "a", "c", BONDING_HASH, flow, 0);
        n[e.src == nic(f, "a", "t1")][e.dst == nic(f, "c", "t3")]++;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) assert_in_range(n[i][k], 850, 1150); /* binomial: 1000 +- 27, five sigma */
    fabric_destroy(f);
}

static void pair__active_backup_is_the_first(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    for (uint32_t flow = 0; flow < 50; flow++)
        assert_string_equal(pair_text(f, ends_of(f, "a", "c", BONDING_ACTIVE_BACKUP, flow, 0)), "t0 t2");
    fabric_destroy(f);
}

/* Two hosts of a pair of ToRs never cross a spine. */
static void pair__is_one_of_the_nearest(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    uint32_t first = 0;
    for (uint32_t flow = 0; flow < 200; flow++) {
        struct nic_ends e = ends_of(f, "a", "b", BONDING_HASH, flow, 0);
        assert_int_equal(fabric_nic_leaf(f, e.src), fabric_nic_leaf(f, e.dst));
        first += fabric_nic_leaf(f, e.src) == 0;
    }
    assert_in_range(first, 60, 140);
    fabric_destroy(f);
}

static void pair__is_the_same_from_both_ends_of_time(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    for (uint32_t flow = 0; flow < 50; flow++) {
        struct nic_ends x = ends_of(f, "a", "c", BONDING_HASH, flow, 0);
        struct nic_ends y = ends_of(f, "a", "c", BONDING_HASH, flow, 9 * MS);
        assert_int_equal(x.src, y.src);
        assert_int_equal(x.dst, y.dst);
    }
    fabric_destroy(f);
}

static void pair__stays_in_its_plane(void **state) {
    (void)state;
    struct fabric *f = build(two_planes, NULL, 0);
    uint32_t second = 0;
    for (uint32_t flow = 0; flow < 200; flow++) {
        const char *text = pair_text(f, ends_of(f, "a", "c", BONDING_HASH, flow, 0));
        assert_true(strcmp(text, "t0 t2") == 0 || strcmp(text, "t1 t3") == 0);
        second += text[1] == '1';
    }
    assert_in_range(second, 60, 140);
    fabric_destroy(f);
}

static void pair__scale_up_inside_a_server_and_rails_between(void **state) {
    (void)state;
    struct fabric *f = build(rails, NULL, 0);
    for (uint32_t flow = 0; flow < 20; flow++) {
        assert_string_equal(pair_text(f, ends_of(f, "a", "b", BONDING_HASH, flow, 0)), "u0 u0");
        assert_string_equal(pair_text(f, ends_of(f, "a", "c", BONDING_HASH, flow, 0)), "r0 r0");
        assert_string_equal(pair_text(f, ends_of(f, "a", "d", BONDING_HASH, flow, 0)), "r0 r1");
    }
    fabric_destroy(f);
}

/* Of equally near pairs only the fastest are used. */
static void pair__has_the_highest_rate(void **state) {
    (void)state;
    struct fabric *f =
        build("nodes: [{name: a, tier: host}, {name: b, tier: host}, {name: t}, {name: u}]\n"
              "links: [{a: a, b: t}, {a: b, b: t}, {a: a, b: u, rate: 25Gbps}, {a: b, b: u, rate: 25Gbps},\n"
              "        {a: a, b: u, rate: 1Gbps}]\n",
              NULL, 0);
    for (uint32_t flow = 0; flow < 50; flow++) {
        struct nic_ends e = ends_of(f, "a", "b", BONDING_HASH, flow, 0);
        assert_string_equal(pair_text(f, e), "u u");
        assert_int_equal(f->paths.port[e.src].rate_bps, 25 * GBPS);
    }
    assert_int_equal(fabric_host_fastest_bps(f, node(f, "a")), 25 * GBPS);
    assert_int_equal(fabric_host_sum_bps(f, node(f, "a")), 36 * GBPS);
    fabric_destroy(f);
}

/* ---- failures ---- */

static void failure__moves_the_flows_of_the_dead_nic_alone(void **state) {
    (void)state;
    const struct link_failure one[] = {fails("a-t0", 2 * MS, 5 * MS)};
    struct fabric *f = build(dual_tor, one, 1);
    uint32_t moved = 0;
    assert_true(fabric_nic_is_up(f, nic(f, "a", "t0"), 3 * MS - 1));
    assert_false(fabric_nic_is_up(f, nic(f, "a", "t0"), 3 * MS));
    assert_true(fabric_nic_is_up(f, nic(f, "a", "t0"), 6 * MS));
    for (uint32_t flow = 0; flow < 200; flow++) {
        struct nic_ends before = ends_of(f, "a", "c", BONDING_HASH, flow, 3 * MS - 1);
        struct nic_ends during = ends_of(f, "a", "c", BONDING_HASH, flow, 3 * MS);
        struct nic_ends after = ends_of(f, "a", "c", BONDING_HASH, flow, 6 * MS);
        assert_int_equal(fabric_nic_leaf(f, during.src), 1);
        if (fabric_nic_leaf(f, before.src) == 1) assert_memory_equal(&before, &during, sizeof before);
        assert_memory_equal(&before, &after, sizeof before);
        moved += before.src != during.src;
    }
    assert_in_range(moved, 60, 140);
    assert_string_equal(pair_text(f, ends_of(f, "a", "c", BONDING_ACTIVE_BACKUP, 0, 3 * MS)), "t1 t2");
    fabric_destroy(f);
}

/* b reaches a over t1 when the receiver's link to t0 is dead: over the spine only if nothing nearer is left. */
static void failure__of_both_near_pairs_goes_over_the_spine(void **state) {
    (void)state;
    const struct link_failure two[] = {fails("a-t0", 0, TIME_NONE), fails("b-t1", 0, TIME_NONE)};
    struct fabric *f = build(dual_tor, two, 2);
    assert_string_equal(pair_text(f, ends_of(f, "a", "b", BONDING_HASH, 3, 2 * MS)), "t1 t0");
    fabric_destroy(f);
}

static void failure__of_a_tors_uplinks_moves_flows_between_racks(void **state) {
    (void)state;
    const struct link_failure two[] = {fails("t0-s0", 0, TIME_NONE), fails("t0-s1", 0, TIME_NONE)};
    struct fabric *f = build(dual_tor, two, 2);
    for (uint32_t flow = 0; flow < 50; flow++)
        assert_int_equal(fabric_nic_leaf(f, ends_of(f, "a", "c", BONDING_HASH, flow, 2 * MS).src), 1);
    fabric_destroy(f);
}

static void failure__of_scale_up_leaves_the_rails(void **state) {
    (void)state;
    const struct link_failure one[] = {fails("b-u0", 0, TIME_NONE)};
    struct fabric *f = build(rails, one, 1);
    assert_string_equal(pair_text(f, ends_of(f, "a", "b", BONDING_HASH, 0, 0)), "u0 u0");
    assert_string_equal(pair_text(f, ends_of(f, "a", "b", BONDING_HASH, 0, MS)), "r0 r1");
    fabric_destroy(f);
}

static void failure__of_all_nics_leaves_the_pair_as_it_was(void **state) {
    (void)state;
    const struct link_failure two[] = {fails("a-t0", 2 * MS, TIME_NONE), fails("a-t1", 2 * MS, TIME_NONE)};
    struct fabric *f = build(dual_tor, two, 2);
    for (uint32_t flow = 0; flow < 20; flow++) {
        struct nic_ends before = ends_of(f, "a", "c", BONDING_HASH, flow, 0);
        struct nic_ends after = ends_of(f, "a", "c", BONDING_HASH, flow, 9 * MS);
        assert_memory_equal(&before, &after, sizeof before);
    }
    fabric_destroy(f);
}

/* ---- pins ---- */

static struct nic_ends pinned(const struct fabric *f, const char *src, const char *dst, uint8_t src_nic,
                              uint8_t dst_nic, uint32_t flow, time_ps now) {
    struct nic_question q = {.src = node(f, src),
                             .dst = node(f, dst),
                             .seed = 7,
                             .flow = flow,
                             .now = now,
                             .src_nic = src_nic,
                             .dst_nic = dst_nic};
    assert_true(fabric_pins_have_way(f, &q));
    return fabric_nic_ends(f, &q);
}

static void pin__leaves_the_free_end_to_the_hash(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    uint32_t at_t2 = 0;
    for (uint32_t flow = 0; flow < 200; flow++) {
        assert_string_equal(pair_text(f, pinned(f, "a", "c", 2, 1, flow, 0)), "t1 t2");
        struct nic_ends half = pinned(f, "a", "c", 1, 0, flow, 0);
        assert_int_equal(fabric_nic_leaf(f, half.src), 0);
        at_t2 += fabric_nic_leaf(f, half.dst) == 2;
    }
    assert_in_range(at_t2, 60, 140);
    fabric_destroy(f);
}

/* A pin stands before what is nearest: NIC 1 of two GPUs of one server is their rail. */
static void pin__may_take_the_longer_way(void **state) {
    (void)state;
    struct fabric *f = build(rails, NULL, 0);
    assert_string_equal(pair_text(f, pinned(f, "a", "b", 2, 2, 0, 0)), "r0 r1");
    assert_string_equal(pair_text(f, pinned(f, "a", "b", 0, 0, 0, 0)), "u0 u0");
    assert_int_equal(fabric_hosts_links(f, node(f, "a"), node(f, "b")), 2);
    assert_int_equal(fabric_hosts_links(f, node(f, "a"), node(f, "d")), 4);
    struct nic_question across = {.src = node(f, "a"), .dst = node(f, "c"), .src_nic = 1};
    assert_false(fabric_pins_have_way(f, &across)); /* a's scale-up switch has no uplink */
    fabric_destroy(f);
}

/* While its link is dead the flow is where a flow without a pin would be; after the repair it is back. */
static void pin__moves_when_its_link_fails(void **state) {
    (void)state;
    const struct link_failure one[] = {fails("a-t0", 2 * MS, 5 * MS)};
    struct fabric *f = build(dual_tor, one, 1);
    for (uint32_t flow = 0; flow < 50; flow++) {
        struct nic_ends free_end = ends_of(f, "a", "c", BONDING_HASH, flow, 3 * MS);
        struct nic_ends during = pinned(f, "a", "c", 1, 1, flow, 3 * MS);
        assert_string_equal(pair_text(f, pinned(f, "a", "c", 1, 1, flow, 3 * MS - 1)), "t0 t2");
        assert_memory_equal(&during, &free_end, sizeof during);
        assert_string_equal(pair_text(f, pinned(f, "a", "c", 1, 1, flow, 6 * MS)), "t0 t2");
    }
    fabric_destroy(f);
}

static void pin__stays_if_nothing_is_left(void **state) {
    (void)state;
    const struct link_failure two[] = {fails("a-t0", 2 * MS, TIME_NONE), fails("a-t1", 2 * MS, TIME_NONE)};
    struct fabric *f = build(dual_tor, two, 2);
    assert_string_equal(pair_text(f, pinned(f, "a", "c", 2, 1, 3, 9 * MS)), "t1 t2");
    fabric_destroy(f);
}

static void failure__is_told_to_all_hosts(void **state) {
    (void)state;
    const struct link_failure one[] = {fails("a-t0", 2 * MS, 5 * MS)};
    struct fabric *f = build(dual_tor, one, 1);
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        uint32_t n = 0;
        time_ps at[2] = {0};
        for (uint32_t i = f->first_event[h]; i < f->first_event[h + 1]; i++)
            if (f->event[i].kind == EVENT_NICS && n < 2) at[n++] = f->event[i].at;
        assert_int_equal(n, 2);
        assert_int_equal(at[0], 3 * MS);
        assert_int_equal(at[1], 6 * MS);
    }
    fabric_destroy(f);
    f = made(spec_leaf_spine(2, 2, 2));
    for (size_t i = 0; i < f->n_events; i++) assert_int_not_equal(f->event[i].kind, EVENT_NICS);
    fabric_destroy(f);
}

/* ---- who has a path ---- */

static const char *cut_offs(const char *net, const struct link_failure *list, uint32_t n) {
    return cut_off_lines(build(net, list, n));
}

static void cut_off__needs_all_links_of_a_host(void **state) {
    (void)state;
    const struct link_failure list[] = {fails("a-t0", MS, TIME_NONE), fails("a-t1", 3 * MS, 5 * MS)};
    assert_string_equal(cut_offs(dual_tor, list, 1), "");
    assert_string_equal(cut_offs(dual_tor, list, 2), "a has no path to any host from 3ms to 5ms");
    assert_string_equal(cut_offs(two_planes, list, 1), "");
}

/* a has lost plane 0 and c plane 1: they have no path to each other, but to the others. */
static void cut_off__between_planes(void **state) {
    (void)state;
    const struct link_failure list[] = {fails("a-t0", MS, TIME_NONE), fails("c-t3", MS, TIME_NONE)};
    assert_string_equal(cut_offs(two_planes, list, 2), "a has no path to some racks from 1ms on; c has no path to some "
                                                       "racks from 1ms on");
}

static void way__in_some_plane(void **state) {
    (void)state;
    const struct link_failure two[] = {fails("t0-s0", 0, TIME_NONE), fails("t3-s1", 0, TIME_NONE)};
    struct fabric *f = build(two_planes, two, 2);
    assert_true(fabric_hosts_have_way(f, 0, node(f, "a"), node(f, "c")));
    assert_false(fabric_hosts_have_way(f, f->paths.n_states - 1, node(f, "a"), node(f, "c")));
    assert_true(fabric_hosts_have_way(f, f->paths.n_states - 1, node(f, "a"), node(f, "b")));
    fabric_destroy(f);
}

static void errors__hosts_without_a_common_plane(void **state) {
    (void)state;
    assert_error(
        "nodes: [{name: a, tier: host}, {name: b, tier: host}, {name: t0}, {name: t1}, {name: t2, tier: leaf}]\n"
        "links: [{a: a, b: t0}, {a: a, b: t1}, {a: b, b: t2}, {a: t0, b: t1}]\n",
        "net.yaml: error: there is no up-down path from host a to host b, nor any other; link the parts of the "
        "fabric");
    assert_error("nodes: [{name: a, tier: host}, {name: b, tier: host}, {name: t0}]\n"
                 "links: [{a: a, b: t0}, {a: b, b: t0}, {a: a, b: b}]\n",
                 "net.yaml:1:16: error: node a is linked to another host; a host's link leads to a leaf");
}

/* ---- bounds ---- */

static void bound__is_that_of_the_best_pair(void **state) {
    (void)state;
    struct fabric_bound b;
    struct fabric *f = build(rails, NULL, 0);
    fabric_bound(f, node(f, "a"), node(f, "b"), 1538, &b);
    assert_int_equal(b.bottleneck_bps, 40 * GBPS);
    assert_int_equal(b.slowest_bps, 10 * GBPS); /* by the other pair */
    assert_int_equal(b.hops, 2);
    assert_int_equal(b.propagation, 4 * US);
    fabric_bound(f, node(f, "a"), node(f, "d"), 1538, &b);
    assert_int_equal(b.bottleneck_bps, 10 * GBPS);
    assert_int_equal(b.hops, 4);
    fabric_destroy(f);
}

/* A retransmission timer must suit the farthest pair to which a failure can move a flow. */
static void round_trip__is_that_of_the_farthest_pair(void **state) {
    (void)state;
    struct fabric *f = build(dual_tor, NULL, 0);
    span_ps frames = 2 * 4 * 1000 * PS_PER_NS; /* 1,250 bytes at 10 Gbps, four links each way */
    assert_int_equal(fabric_round_trip(f, node(f, "a"), node(f, "b"), 1250, 1250), 16 * US + frames);
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nics__have_addresses_in_the_racks_of_their_leaves),
        cmocka_unit_test(nics__addresses_are_places_at_the_leaf),
        cmocka_unit_test(nics__of_hosts_with_one_link_are_the_hosts),
        cmocka_unit_test(racks__are_pairs_of_tors),
        cmocka_unit_test(racks__of_rails),
        cmocka_unit_test(pair__hash_uses_all_nics_alike),
        cmocka_unit_test(pair__active_backup_is_the_first),
        cmocka_unit_test(pair__is_one_of_the_nearest),
        cmocka_unit_test(pair__is_the_same_from_both_ends_of_time),
        cmocka_unit_test(pair__stays_in_its_plane),
        cmocka_unit_test(pair__scale_up_inside_a_server_and_rails_between),
        cmocka_unit_test(pair__has_the_highest_rate),
        cmocka_unit_test(failure__moves_the_flows_of_the_dead_nic_alone),
        cmocka_unit_test(failure__of_both_near_pairs_goes_over_the_spine),
        cmocka_unit_test(failure__of_a_tors_uplinks_moves_flows_between_racks),
        cmocka_unit_test(failure__of_scale_up_leaves_the_rails),
        cmocka_unit_test(failure__of_all_nics_leaves_the_pair_as_it_was),
        cmocka_unit_test(pin__leaves_the_free_end_to_the_hash),
        cmocka_unit_test(pin__may_take_the_longer_way),
        cmocka_unit_test(pin__moves_when_its_link_fails),
        cmocka_unit_test(pin__stays_if_nothing_is_left),
        cmocka_unit_test(failure__is_told_to_all_hosts),
        cmocka_unit_test(cut_off__needs_all_links_of_a_host),
        cmocka_unit_test(cut_off__between_planes),
        cmocka_unit_test(way__in_some_plane),
        cmocka_unit_test(errors__hosts_without_a_common_plane),
        cmocka_unit_test(bound__is_that_of_the_best_pair),
        cmocka_unit_test(round_trip__is_that_of_the_farthest_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
