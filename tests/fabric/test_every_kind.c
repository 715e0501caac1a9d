/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every row of the table of topologies: its names, links, rates, routes, addresses and errors. */
#include <stdlib.h>

#include "every_topology.h"
#include "fabric/nics.h"

typedef void kind_check(struct fabric *f, const struct fabric_spec *s);

static void each_kind(kind_check *check) {
    size_t n;
    const struct fabric_ops *const *row = fabrics(&n);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        struct fabric_spec s = spec_of_row(row[i]);
        struct fabric *f = made(s);
        print_message("%s: %u hosts, %u switches\n", row[i]->name, f->n_hosts, f->n_switches);
        check(f, &s);
        fabric_destroy(f);
    }
}

/* ---- links ---- */

static void two_ends(struct fabric *f, const struct fabric_spec *s) {
    (void)s;
    const struct path_view *v = &f->paths;
    for (uint32_t n = 0; n < f->n_nodes; n++) {
        for (uint32_t p = v->first_port[n]; p < v->first_port[n + 1]; p++) {
            const struct place_port *a = &v->port[p], *b = &v->port[a->peer];
            assert_int_equal(a->node, n);
            assert_int_equal(b->peer, p);
            assert_int_equal(a->neighbour, b->node);
            assert_int_equal(b->neighbour, n);
            assert_int_equal(a->rate_bps, b->rate_bps);
            assert_int_equal(a->delay, b->delay);
            assert_int_equal(a->link_tier, b->link_tier);
        }
    }
}

static void links__have_two_ends(void **state) {
    (void)state;
    each_kind(two_ends);
}

/* Returns the place of the upper end of a link. */
static uint32_t leaf_of(const struct fabric *f, const struct place_port *link) {
    return (link->node > link->neighbour ? link->node : link->neighbour) - f->n_hosts;
}

/* A host's link has the rate and delay of hosts, unless its leaf has no uplinks beside others that have; a link between switches
 * those of uplinks, or of the core if the topology has keys for them. */
static void link_speeds(struct fabric *f, const struct fabric_spec *s) {
    bool uplinks = topology_has_key(s->kind, &fabric_uplink_rate), cores = topology_has_key(s->kind, &fabric_core_rate);
    assert_int_equal(uplinks, topology_has_key(s->kind, &fabric_uplink_delay));
    assert_int_equal(cores, topology_has_key(s->kind, &fabric_core_delay));
    for (uint32_t p = 0; p < f->paths.first_port[f->n_nodes]; p++) {
        const struct place_port *link = &f->paths.port[p];
        bool like_host = link->rate_bps == s->host_bps && link->delay == s->host_delay;
        bool like_uplink = link->rate_bps == s->uplink_bps && link->delay == s->uplink_delay;
        bool like_core = link->rate_bps == s->core_bps && link->delay == s->core_delay;
        bool scales_up =
            s->kind->multihomed && f->place[leaf_of(f, link)].first_uplink == f->place[leaf_of(f, link)].n_ports;
        if (link->link_tier == TIER_HOST)
            assert_true(like_host || scales_up);
        else if (uplinks)
            assert_true(like_uplink || (cores && like_core));
    }
}

static void links__have_the_rate_that_their_key_gives(void **state) {
    (void)state;
    size_t n;
    const struct fabric_ops *const *row = fabrics(&n);
    for (size_t i = 0; i < n; i++) {
        struct fabric_spec s = spec_of_row(row[i]);
        s.host_bps = 7 * GBPS, s.uplink_bps = 5 * GBPS, s.core_bps = 3 * GBPS;
        s.host_delay = 1 * US, s.uplink_delay = 4 * US, s.core_delay = 9 * US;
        struct fabric *f = made(s);
        link_speeds(f, &s);
        fabric_destroy(f);
    }
}

/* ---- names and addresses ---- */

static void names_and_addresses(struct fabric *f, const struct fabric_spec *s) {
    (void)s;
    char name[FABRIC_LINK_NAME_MAX], why[400];
    for (uint32_t n = 0; n < f->n_nodes; n++) {
        assert_int_equal(fabric_node_find(f, fabric_node_name(f, n, name, sizeof name)), n);
        for (uint16_t p = 0; p < f->paths.first_port[n + 1] - f->paths.first_port[n]; p++) {
            uint32_t end;
            uint16_t port;
            assert_int_equal(fabric_port_find(f, n, fabric_port_name(f, n, p, name, sizeof name)), p);
            fabric_port_link(f, n, p, name, sizeof name);
            if (!fabric_link_end(f, name, &end, &port, why, sizeof why)) fail_msg("%s", why);
            assert_true(end == n || end == f->paths.port[f->paths.first_port[n] + p].neighbour);
        }
    }
    for (uint32_t h = 0; h < f->n_hosts; h++) assert_int_equal(fabric_host_of_ip(f, fabric_host_ip(f, h)), h);
}

static void names__come_back(void **state) {
    (void)state;
    each_kind(names_and_addresses);
}

/* ---- routes and parts ---- */

static void racks_reach_each_other(struct fabric *f, const struct fabric_spec *s) {
    for (uint32_t a = 0; a < f->n_hosts; a++)
        for (uint32_t b = 0; b < f->n_hosts; b++) assert_true(fabric_hosts_have_way(f, 0, a, b));
    if (s->kind->multihomed) return; /* and some racks need not */
    for (uint32_t a = 0; a < f->n_leaves; a++)
        for (uint32_t b = 0; b < f->n_leaves; b++)
            if (a != b) assert_true(walk(f, 0, a, b, NULL, NULL) > 0);
}

static void routes__lead_from_every_rack_to_every_other(void **state) {
    (void)state;
    each_kind(racks_reach_each_other);
}

static void hosts_go_with_their_leaf(struct fabric *f, const struct fabric_spec *s) {
    (void)s;
    uint16_t *part = calloc(f->n_nodes, sizeof *part);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        uint32_t used = fabric_partition(f, threads, part);
        assert_in_range(used, 1, threads);
        for (uint32_t n = 0; n < f->n_nodes; n++) assert_true(part[n] < used);
        for (uint32_t h = 0; h < f->n_hosts; h++) assert_int_equal(part[h], part[f->paths.leaf_node[f->node[h].leaf]]);
    }
    free(part);
}

static void partition__keeps_hosts_with_their_leaf(void **state) {
    (void)state;
    each_kind(hosts_go_with_their_leaf);
}

/* ---- errors ---- */

/* Asserts that the topology is refused with a message that names the key if the required count is 0. */
static void zero_is_refused(const struct fabric_ops *kind, const struct param *p) {
    struct fabric_spec s = spec_of_row(kind);
    struct diag d = {0};
    char key[64];
    snprintf(key, sizeof key, "fabric.%s is 0", p->name);
    every_topology_set(&s, p, 0);
    struct fabric *f = fabric_create(&s, &d);
    if (f) fabric_destroy(f);
    if (f || !strstr(d.text, key)) fail_msg("%s with %s: 0: %s", kind->name, p->name, f ? "accepted" : d.text);
    assert_string_equal(d.file, "test.yaml");
    assert_int_equal(d.line, 3);
}

static void counts__of_zero_are_refused_by_name(void **state) {
    (void)state;
    size_t n;
    const struct fabric_ops *const *row = fabrics(&n);
    for (size_t i = 0; i < n; i++)
        for (const struct param *const *p = row[i]->keys; p && *p; p++)
            if (every_topology_requires(*p) && (*p)->type == PARAM_COUNT) zero_is_refused(row[i], *p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(links__have_two_ends),
        UNIT(links__have_the_rate_that_their_key_gives),
        UNIT(names__come_back),
        UNIT(routes__lead_from_every_rack_to_every_other),
        UNIT(partition__keeps_hosts_with_their_leaf),
        UNIT(counts__of_zero_are_refused_by_name),
    };
    return RUN_UNITS(tests);
}
