/* SPDX-License-Identifier: Apache-2.0 */
/* Rail-optimised fabrics: names, links, and which ports flows take. */
#include "fabric/nics.h"
#include "fabric_test.h"

/* segments, servers per segment, GPUs, rate and delay of scale-up */
static struct fabric_spec spec_rails(const int64_t own[5], uint32_t spines) {
    struct fabric_spec s = spec_of("rails");
    s.own = own;
    s.aggs = spines;
    return s;
}

static const int64_t small[5] = {2, 3, 4, 2000 * GBPS, 25 * PS_PER_NS};

static void rails__names(void **state) {
    (void)state;
    struct fabric *f = made(spec_rails(small, 2));
    assert_int_equal(f->n_hosts, 24);
    assert_int_equal(f->n_leaves, 6 + 8);
    assert_int_equal(node(f, "host1.2"), 6);
    assert_string_equal(name_of(f, 23), "host5.3");
    assert_int_equal(node(f, "scaleup5"), 24 + 5);
    assert_int_equal(node(f, "tor1.0"), 24 + 6 + 4);
    assert_int_equal(node(f, "spine1"), 24 + 14 + 1);
    assert_int_equal(fabric_node_find(f, "tor2.0"), NODE_NONE);
    fabric_destroy(f);
}

static void rails__a_gpu_is_on_its_scale_up_switch_and_its_rail(void **state) {
    (void)state;
    struct fabric *f = made(spec_rails(small, 2));
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        const struct place_port *up = &f->paths.port[2 * h], *nic = up + 1;
        char tor[32];
        snprintf(tor, sizeof tor, "tor%u.%u", h / 12, h % 4);
        assert_int_equal(up->neighbour - f->n_hosts, h / 4);
        assert_int_equal(up->rate_bps, 2000 * GBPS);
        assert_int_equal(up->delay, 25 * PS_PER_NS);
        assert_string_equal(name_of(f, nic->neighbour), tor);
        assert_int_equal(nic->rate_bps, 10 * GBPS);
    }
    fabric_destroy(f);
}

static const char *way(const struct fabric *f, const char *src, const char *dst) {
    static char buf[4][64];
    static int turn;
    struct nic_question q = {.src = node(f, src), .dst = node(f, dst), .bonding = BONDING_HASH, .seed = 1, .flow = 1};
    struct nic_ends e = fabric_nic_ends(f, &q);
    turn = (turn + 1) % 4;
    snprintf(buf[turn], sizeof buf[turn], "%s %s", name_of(f, f->paths.port[e.src].neighbour),
             name_of(f, f->paths.port[e.dst].neighbour));
    return buf[turn];
}

static void rails__flows_take_the_nearest_ports(void **state) {
    (void)state;
    struct fabric *f = made(spec_rails(small, 2));
    assert_string_equal(way(f, "host1.0", "host1.3"), "scaleup1 scaleup1");
    assert_string_equal(way(f, "host1.2", "host2.2"), "tor0.2 tor0.2"); /* one rail, one segment: one switch */
    assert_string_equal(way(f, "host1.2", "host2.0"), "tor0.2 tor0.0");
    assert_string_equal(way(f, "host1.2", "host4.2"), "tor0.2 tor1.2");
    assert_string_equal(hops_text(f, 0, "tor0.2", "tor1.2"), "spine0 spine1");
    fabric_destroy(f);
}

/* Scale-up switches of one GPU lead nowhere. */
static void rails__of_one_gpu_per_server(void **state) {
    (void)state;
    struct fabric *f = made(spec_rails((const int64_t[]){1, 2, 1, 2000 * GBPS, 0}, 1));
    assert_string_equal(way(f, "host0.0", "host1.0"), "tor0.0 tor0.0");
    fabric_destroy(f);
}

static void rails__racks_are_servers(void **state) {
    (void)state;
    struct fabric *f = made(spec_rails(small, 2));
    for (uint32_t h = 0; h < f->n_hosts; h++) assert_int_equal(f->population.host_leaf[h], h / 4);
    assert_int_equal(f->population.host_bps[0], 10 * GBPS);
    assert_false(f->population.has_tier[TIER_LEAF]);
    fabric_destroy(f);
}

static void rails__sizes(void **state) {
    (void)state;
    assert_refused(spec_rails((const int64_t[]){0, 1, 8, GBPS, 0}, 1),
                   "fabric.segments is 0; this fabric needs at least 1");
    assert_refused(spec_rails((const int64_t[]){1, 0, 8, GBPS, 0}, 1),
                   "fabric.servers is 0; this fabric needs at least 1");
    assert_refused(spec_rails((const int64_t[]){1, 1, 0, GBPS, 0}, 1),
                   "fabric.gpus is 0; this fabric needs at least 1");
    assert_refused(spec_rails((const int64_t[]){1, 1, 8, GBPS, 0}, 0),
                   "fabric.spines is 0; this fabric needs at least 1");
    assert_refused(spec_rails((const int64_t[]){1000000, 1000000, 1000000, GBPS, 0}, 1000000),
                   "the fabric has more than 16777216 nodes; make it smaller");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rails__names),
        cmocka_unit_test(rails__a_gpu_is_on_its_scale_up_switch_and_its_rail),
        cmocka_unit_test(rails__flows_take_the_nearest_ports),
        cmocka_unit_test(rails__of_one_gpu_per_server),
        cmocka_unit_test(rails__racks_are_servers),
        cmocka_unit_test(rails__sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
