/* SPDX-License-Identifier: Apache-2.0 */
/* Names of nodes and ports, from number to name and back; addresses. */
#include "fabric/fabric_build.h"
#include "fabric_test.h"

static void assert_names_come_back(struct fabric_spec s) {
    struct fabric *f = made(s);
    char name[96];
    for (uint32_t n = 0; n < f->n_nodes; n++) {
        assert_int_equal(fabric_node_find(f, fabric_node_name(f, n, name, sizeof name)), n);
        uint32_t ports = f->paths.first_port[n + 1] - f->paths.first_port[n];
        for (uint16_t p = 0; p < ports; p++)
            assert_int_equal(fabric_port_find(f, n, fabric_port_name(f, n, p, name, sizeof name)), p);
    }
    fabric_destroy(f);
}

static void names__come_back_in_all_kinds(void **state) {
    (void)state;
    assert_names_come_back(spec_clos(3, 2, 4, 5, 12));
    assert_names_come_back(spec_clos(1, 2, 2, 0, 3));
    assert_names_come_back(spec_leaf_spine(12, 3, 4));
    assert_names_come_back(spec_fat_tree(4));
    assert_names_come_back(spec_star(5));
    assert_names_come_back(spec_dumbbell(11));
    assert_names_come_back(spec_parking_lot(4));
}

static void names__say_tier_pod_and_number(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(3, 2, 4, 5, 12));
    assert_string_equal(name_of(f, 0), "host0.0.0");
    assert_string_equal(name_of(f, f->n_hosts - 1), "host2.1.11");
    assert_string_equal(name_of(f, f->n_hosts + 3), "tor1.1");
    assert_string_equal(name_of(f, f->n_nodes - 1), "core3.4");
    char name[96];
    uint32_t agg = node(f, "agg1.2");
    assert_string_equal(fabric_port_name(f, agg, 1, name, sizeof name), "tor1.1");
    assert_string_equal(fabric_port_name(f, agg, 6, name, sizeof name), "core2.4");
    fabric_destroy(f);
    f = made(spec_leaf_spine(3, 2, 4));
    assert_string_equal(name_of(f, 11), "host2.3");
    assert_string_equal(name_of(f, 12), "leaf0");
    assert_string_equal(name_of(f, 16), "spine1");
    fabric_destroy(f);
}

/* Switches have the addresses from 10.255.0.1 on, in the order of their nodes. */
static void switch_ip__counts_from_the_first_switch(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(3, 2, 4));
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(fabric_switch_ip(f, f->n_hosts + i), (10u << 24 | 255u << 16) + 1 + i);
    fabric_destroy(f);
}

static void node_find__refuses_what_is_not_there(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",        "tor",     "tor0",      "tor0.2",     "tor3.0",    "agg0.4",          "core4.0",
        "core0.5", "host0.0", "host0.2.0", "host0.0.12", "host3.0.0", "tor00.1",         "tor0.1 ",
        "tor0.1.", "tor-1.0", "leaf0",     "spine0",     "tor0.1x",   "tor4294967296.0", "x"};
    struct fabric *f = made(spec_clos(3, 2, 4, 5, 12));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(fabric_node_find(f, wrong[i]), NODE_NONE);
    uint32_t tor = node(f, "tor0.0");
    assert_int_equal(fabric_port_find(f, tor, "agg1.0"), PORT_NONE); /* not a neighbour */
    assert_int_equal(fabric_port_find(f, tor, "agg0.1#1"), PORT_NONE);
    assert_int_equal(fabric_port_find(f, tor, "agg0.1#"), PORT_NONE);
    assert_int_equal(fabric_port_find(f, tor, "agg0.1#0"), 12 + 1);
    assert_int_equal(fabric_port_find(f, tor, "nothing"), PORT_NONE);
    fabric_destroy(f);
}

/* ---- addresses ---- */

static void ip__prefix_of_the_rack_then_the_host(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(3, 2, 4, 5, 12));
    assert_int_equal(f->host_bits, 8);
    assert_int_equal(fabric_host_ip(f, 0), 0x0a000001);
    assert_int_equal(fabric_host_ip(f, node(f, "host1.1.4")), 0x0a000305);
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        uint32_t ip = fabric_host_ip(f, h);
        assert_int_equal(fabric_host_of_ip(f, ip), h);
        assert_int_equal(fabric_leaf_of_ip(f->host_bits, ip), f->node[h].leaf);
    }
    fabric_destroy(f);
}

static void ip__addresses_of_nobody(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(3, 2, 4, 5, 12));
    static const uint32_t nobody[] = {0,          0x0a000000, 0x0a00000d, 0x0a000600,
                                      0x0a000601, 0x0b000001, 0xffffffff, 0x0affffff};
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++)
        assert_int_equal(fabric_host_of_ip(f, nobody[i]), NODE_NONE);
    fabric_destroy(f);
}

static void ip__large_racks_get_more_bits(void **state) {
    (void)state;
    static const struct {
        uint32_t hosts;
        uint8_t bits;
    } rows[] = {{254, 8}, {255, 9}, {510, 9}, {511, 10}, {5000, 13}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fabric *f = made(spec_star(rows[i].hosts));
        assert_int_equal(f->host_bits, rows[i].bits);
        assert_int_equal(fabric_host_of_ip(f, fabric_host_ip(f, rows[i].hosts - 1)), rows[i].hosts - 1);
        fabric_destroy(f);
    }
}

static void mac__node_and_port(void **state) {
    (void)state;
    uint8_t mac[6];
    fabric_port_mac(0x123456, 0x78, mac);
    assert_memory_equal(mac, ((uint8_t[]){0x02, 0x00, 0x12, 0x34, 0x56, 0x78}), 6);
    fabric_port_mac(1, 0x0302, mac); /* host 0x0302 of a large star */
    assert_memory_equal(mac, ((uint8_t[]){0x02, 0x03, 0x00, 0x00, 0x01, 0x02}), 6);
}

/* The number of a parallel link stands behind both names, not between them. */
static void link_find__number_comes_last(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(2, 2, 1));
    uint32_t a = 0, b = 1;
    char why[800];
    assert_true(fabric_link_find(f, "leaf0-spine1#0", &a, why, sizeof why));
    assert_true(fabric_link_find(f, "spine1-leaf0", &b, why, sizeof why));
    assert_int_equal(a, b);
    assert_false(fabric_link_find(f, "leaf0#0-spine1", &a, why, sizeof why));
    fabric_destroy(f);
}

/* Overrides are looked up by name while the fabric is being made: the link of a host too. */
static void override__of_the_link_of_a_host(void **state) {
    (void)state;
    static const char *const match[] = {"host0.0-leaf0", "leaf0-host0.0"};
    for (int i = 0; i < 2; i++) {
        struct link_override slow = {.match = match[i], .rate_bps = GBPS, .delay = -1, .loss_ppb = -1};
        struct fabric_spec s = spec_leaf_spine(2, 2, 1);
        s.links = &slow, s.n_links = 1;
        struct fabric *f = made(s);
        assert_int_equal(f->paths.port[0].rate_bps, GBPS);
        assert_int_equal(f->paths.port[1].rate_bps, 10 * GBPS);
        fabric_destroy(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(names__come_back_in_all_kinds),
        UNIT(names__say_tier_pod_and_number),
        UNIT(switch_ip__counts_from_the_first_switch),
        UNIT(node_find__refuses_what_is_not_there),
        UNIT(ip__prefix_of_the_rack_then_the_host),
        UNIT(ip__addresses_of_nobody),
        UNIT(ip__large_racks_get_more_bits),
        UNIT(mac__node_and_port),
        UNIT(link_find__number_comes_last),
        UNIT(override__of_the_link_of_a_host),
    };
    return RUN_UNITS(tests);
}
