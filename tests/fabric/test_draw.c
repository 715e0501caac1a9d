/* SPDX-License-Identifier: Apache-2.0 */
/* Links that fail at random. */
#include <stdlib.h>

#include "fabric_test.h"

static struct random_failures draws(uint8_t tier, int32_t pod, uint32_t links, uint32_t most) {
    return (struct random_failures){.link_tier = tier,
                                    .pod = pod,
                                    .links = links,
                                    .max_per_switch = most,
                                    .repair_at = TIME_NONE,
                                    .where = {.file = "test.yaml", .line = 20}};
}

static struct fabric *made_with(struct fabric_spec s, const struct random_failures *r, size_t n, uint64_t seed) {
    s.fail_random = r;
    s.n_fail_random = n;
    s.seed = seed;
    return made(s);
}

/* Counts the ports of a node that are dead at any time; only those of the tier's links if tier is not 0. */
static uint32_t dead_ports(const struct fabric *f, uint32_t n) {
    uint32_t dead = 0;
    for (uint32_t i = f->first_event[n]; i < f->first_event[n + 1]; i++) dead += f->event[i].kind == EVENT_LINK_DOWN;
    return dead;
}

static uint32_t dead_links(const struct fabric *f, uint8_t tier, int32_t pod) {
    uint32_t dead = 0;
    for (size_t i = 0; i < f->n_events; i++) {
        const struct fabric_event *e = &f->event[i];
        if (e->kind != EVENT_LINK_DOWN || f->node[e->node].tier != tier) continue;
        const struct place_port *p = &f->paths.port[f->paths.first_port[e->node] + e->port];
        if (p->neighbour_tier == tier + 1 && (pod < 0 || f->node[e->node].pod == (uint32_t)pod)) dead++;
    }
    return dead;
}

/* EXP-F20: links of one pod of the 12-pod tree, at most two per switch. */
static void draw__counts_and_limits(void **state) {
    (void)state;
    for (uint8_t tier = TIER_LEAF; tier <= TIER_AGG; tier++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct random_failures r = draws(tier, 3, 10, 2);
            struct fabric *f = made_with(spec_clos(12, 6, 6, 6, 1), &r, 1, seed);
            assert_int_equal(dead_links(f, tier, 3), 10);
            assert_int_equal(dead_links(f, tier, -1), 10);
            for (uint32_t n = 0; n < f->n_nodes; n++) assert_true(dead_ports(f, n) <= 2);
            fabric_destroy(f);
        }
    }
}

/* With two of six links at each switch, links drawn one by one may leave a ToR and an agg each one short whose common link
 * is drawn already; links are then exchanged. */
static void draw__reaches_the_largest_possible(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct random_failures one = draws(TIER_LEAF, -1, 12, 1), two = draws(TIER_LEAF, 3, 12, 2);
        struct fabric *f = made_with(spec_leaf_spine(12, 12, 1), &one, 1, seed);
        for (uint32_t n = f->n_hosts; n < f->n_nodes; n++) assert_int_equal(dead_ports(f, n), 1);
        fabric_destroy(f);
        f = made_with(spec_clos(12, 6, 6, 6, 1), &two, 1, seed);
        assert_int_equal(dead_links(f, TIER_LEAF, 3), 12);
        for (uint32_t n = f->n_hosts; n < f->n_nodes; n++)
            assert_int_equal(dead_ports(f, n), f->node[n].tier != TIER_CORE && f->node[n].pod == 3 ? 2 : 0);
        fabric_destroy(f);
    }
}

static void draw__same_seed_same_links(void **state) {
    (void)state;
    struct random_failures r = draws(TIER_AGG, -1, 5, 0);
    struct fabric *a = made_with(spec_clos(4, 2, 2, 4, 1), &r, 1, 7),
                  *b = made_with(spec_clos(4, 2, 2, 4, 1), &r, 1, 7);
    assert_int_equal(a->n_events, b->n_events);
    assert_memory_equal(a->event, b->event, a->n_events * sizeof *a->event);
    fabric_destroy(b);
    b = made_with(spec_clos(4, 2, 2, 4, 1), &r, 1, 8);
    bool same = a->n_events == b->n_events && memcmp(a->event, b->event, a->n_events * sizeof *a->event) == 0;
    assert_false(same);
    fabric_destroy(a);
    fabric_destroy(b);
}

/* 800 seeds draw one of 16 links each: about 50 draws per link. */
static void draw__uniform(void **state) {
    (void)state;
    uint32_t hits[4][4] = {0};
    for (uint64_t seed = 1; seed <= 800; seed++) {
        struct random_failures r = draws(TIER_LEAF, -1, 1, 0);
        struct fabric *f = made_with(spec_leaf_spine(4, 4, 1), &r, 1, seed);
        for (size_t i = 0; i < f->n_events; i++) {
            const struct fabric_event *e = &f->event[i];
            if (e->kind == EVENT_LINK_DOWN && f->node[e->node].tier == TIER_LEAF)
                hits[f->node[e->node].index][e->port - 1]++;
        }
        fabric_destroy(f);
    }
    for (int i = 0; i < 16; i++) assert_in_range(hits[i / 4][i % 4], 25, 80);
}

static void draw__entries_do_not_repeat_each_other(void **state) {
    (void)state;
    struct random_failures r[] = {draws(TIER_LEAF, -1, 6, 0), draws(TIER_LEAF, -1, 6, 0)};
    struct fabric *f = made_with(spec_leaf_spine(4, 4, 1), r, 2, 3);
    assert_int_equal(dead_links(f, TIER_LEAF, -1), 12);
    fabric_destroy(f);
    struct link_failure listed = {.link = "leaf0-spine0", .repair_at = TIME_NONE};
    struct fabric_spec s = spec_leaf_spine(4, 4, 1);
    s.failed = &listed, s.n_failed = 1;
    r[0].links = 15;
    f = made_with(s, r, 1, 3);
    assert_int_equal(dead_links(f, TIER_LEAF, -1), 16);
    fabric_destroy(f);
}

static void draw__repaired_links_come_back(void **state) {
    (void)state;
    struct random_failures r = draws(TIER_AGG, 0, 3, 0);
    r.at = 2 * MS, r.repair_at = 4 * MS, r.detect = 1 * MS;
    struct fabric *f = made_with(spec_clos(4, 2, 2, 4, 1), &r, 1, 7);
    assert_int_equal(f->paths.n_states, 3);
    assert_int_equal(f->paths.state[1].from, 3 * MS);
    assert_int_equal(f->paths.state[2].from, 5 * MS);
    fabric_destroy(f);
}

static void draw__errors_name_the_largest_possible(void **state) {
    (void)state;
    struct random_failures r = draws(TIER_AGG, 0, 13, 2);
    struct fabric_spec s = spec_clos(12, 6, 6, 6, 1);
    s.fail_random = &r, s.n_fail_random = 1;
    assert_refused(s, "links: 13 cannot fail at random within these limits; write at most 12");
    r = draws(TIER_LEAF, 0, 37, 0);
    assert_refused(s, "links: 37 cannot fail at random within these limits; write at most 36");
    r = draws(TIER_LEAF, 12, 1, 0);
    assert_refused(s, "there is no pod 12; pods are 0 to 11");
    r = draws(TIER_LEAF, 0, 0, 0);
    assert_refused(s, "links is 0; say how many links fail, or leave the entry out");
    r = draws(TIER_LEAF, 0, 1, 0);
    r.repair_at = 0;
    assert_refused(s, "repair_at must be later than at; leave it out if there is no repair");
}

static void draw__needs_the_tier(void **state) {
    (void)state;
    struct random_failures r = draws(TIER_AGG, -1, 1, 0);
    struct fabric_spec s = spec_leaf_spine(4, 4, 1);
    s.fail_random = &r, s.n_fail_random = 1;
    assert_refused(s, "this fabric has no agg-core links that could fail at random; it has: leaf-spine");
    r.link_tier = TIER_LEAF;
    s.kind = fabric_find("dumbbell"), s.pairs = 2;
    assert_refused(s, "this fabric has no tor-agg links that could fail at random; leave fail_random out");
}

/* A repaired link may be drawn again only after its repair is known; at that very instant it is still excluded. */
static void draw__not_at_the_instant_a_repair_becomes_known(void **state) {
    (void)state;
    struct link_failure before = {.link = "leaf0-spine0", .at = 0, .repair_at = 100 * US, .detect = 50 * US};
    struct fabric_spec s = spec_leaf_spine(2, 1, 1);
    s.failed = &before, s.n_failed = 1;
    struct random_failures r = draws(TIER_LEAF, -1, 1, 0);
    r.at = 150 * US;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct fabric *f = made_with(s, &r, 1, seed);
        assert_int_equal(dead_ports(f, f->n_hosts), 1);
        assert_int_equal(dead_ports(f, f->n_hosts + 1), 1);
        fabric_destroy(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(draw__counts_and_limits),
        UNIT(draw__reaches_the_largest_possible),
        UNIT(draw__same_seed_same_links),
        UNIT(draw__uniform),
        UNIT(draw__entries_do_not_repeat_each_other),
        UNIT(draw__repaired_links_come_back),
        UNIT(draw__errors_name_the_largest_possible),
        UNIT(draw__needs_the_tier),
        UNIT(draw__not_at_the_instant_a_repair_becomes_known),
    };
    return RUN_UNITS(tests);
}
