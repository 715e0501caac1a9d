/* SPDX-License-Identifier: Apache-2.0 */
/* Dual ToR: links, names, planes, and what the sizes must be. */
#include "fabric/nics.h"
#include "fabric_test.h"

static struct fabric_spec spec_dual(const int64_t own[2], uint32_t spines, uint32_t hosts) {
    struct fabric_spec s = spec_of("dual-tor");
    s.own = own;
    s.aggs = spines;
    s.hosts = hosts;
    return s;
}

static void dual_tor__two_links_for_each_host(void **state) {
    (void)state;
    struct fabric *f = made(spec_dual((const int64_t[]){3, 0}, 2, 4));
    assert_int_equal(f->n_hosts, 12);
    assert_int_equal(f->n_leaves, 6);
    assert_int_equal(f->n_switches, 8);
    for (uint32_t h = 0; h < 12; h++) {
        assert_int_equal(fabric_host_nics(f, h), 2);
        assert_int_equal(fabric_nic_leaf(f, 2 * h), 2 * (h / 4));
        assert_int_equal(fabric_nic_leaf(f, 2 * h + 1), 2 * (h / 4) + 1);
    }
    assert_int_equal(node(f, "host4.1"), 9); /* the second host of rack 2 */
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf3"), "spine0 spine1");
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf1"), "spine0 spine1");
    fabric_destroy(f);
}

static void dual_tor__planes_never_meet(void **state) {
    (void)state;
    struct fabric *f = made(spec_dual((const int64_t[]){2, 1}, 4, 3));
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf2"), "spine0 spine1");
    assert_string_equal(hops_text(f, 0, "leaf1", "leaf3"), "spine2 spine3");
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf3"), "");
    assert_string_equal(hops_text(f, 0, "leaf0", "leaf1"), "");
    for (uint32_t a = 0; a < f->n_hosts; a++)
        for (uint32_t b = 0; b < f->n_hosts; b++) assert_true(fabric_hosts_have_way(f, 0, a, b));
    fabric_destroy(f);
}

/* A rack is its pair of ToRs: all uplinks of both carry the load of its hosts. */
static void dual_tor__capacity_is_that_of_both_tors(void **state) {
    (void)state;
    struct fabric *f = made(spec_dual((const int64_t[]){2, 1}, 4, 3));
    assert_int_equal(f->population.leaf_up_bps[0], 40 * GBPS);
    assert_int_equal(f->population.leaf_up_bps[2], 40 * GBPS);
    assert_int_equal(f->population.host_bps[5], 20 * GBPS);
    assert_int_equal(population_crossed(&f->population, 0, 2), TIER_HOST);
    assert_int_equal(population_crossed(&f->population, 0, 3), TIER_LEAF);
    fabric_destroy(f);
}

/* The ToRs of a rack are on one thread, so that the links of its hosts cross no border. */
static void dual_tor__a_rack_is_on_one_thread(void **state) {
    (void)state;
    struct fabric *f = made(spec_dual((const int64_t[]){4, 0}, 2, 3));
    uint16_t part[64];
    assert_int_equal(fabric_partition(f, 2, part), 2);
    for (uint32_t g = 0; g < fabric_n_nics(f); g++)
        assert_int_equal(part[f->paths.port[g].node], part[f->paths.port[g].neighbour]);
    fabric_destroy(f);
}

static void dual_tor__sizes(void **state) {
    (void)state;
    assert_refused(spec_dual((const int64_t[]){0, 0}, 2, 2), "fabric.racks is 0; this fabric needs at least 1");
    assert_refused(spec_dual((const int64_t[]){2, 0}, 0, 2), "fabric.spines is 0; this fabric needs at least 1");
    assert_refused(spec_dual((const int64_t[]){2, 1}, 3, 2),
                   "fabric.spines is 3; with dual_plane half of them are of each plane, so write an even number");
    assert_refused(spec_dual((const int64_t[]){1, 0}, 2, 1),
                   "the fabric has fewer than two hosts; give it at least two");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dual_tor__two_links_for_each_host),
        cmocka_unit_test(dual_tor__planes_never_meet),
        cmocka_unit_test(dual_tor__capacity_is_that_of_both_tors),
        cmocka_unit_test(dual_tor__a_rack_is_on_one_thread),
        cmocka_unit_test(dual_tor__sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
