/* SPDX-License-Identifier: Apache-2.0 */
/* Routes against a literal computation of their definition without optimisations, in whole and in broken fabrics. */
#include "base/random.h"
#include "fabric/fabric_build.h"
#include "fabric_test.h"

#include <stdlib.h>

#define MAX_SWITCHES 128
#define FAR 1000000u

/* ---- the definition ---- */

struct reference {
    const struct fabric *f;
    bool *dead;                                      /* by global port */
    uint32_t down[MAX_SWITCHES], full[MAX_SWITCHES]; /* hops to the rack under test: downwards only, and at all */
    uint32_t most_intra, most_inter;                 /* paths */
};

/* Returns the switch at the far end of a port, or NODE_NONE for a host or a dead link. */
static uint32_t beyond(const struct reference *r, uint32_t s, uint16_t port) {
    uint32_t n = r->f->place[s].port[port].neighbour;
    bool dead = r->dead[r->f->paths.first_port[r->f->place[s].node] + port];
    return dead || n < r->f->n_hosts ? NODE_NONE : n - r->f->n_hosts;
}

/* Relaxes both distances along one port; returns true if one became shorter. */
static bool relax(struct reference *r, uint32_t s, uint16_t port) {
    uint32_t t = beyond(r, s, port);
    if (t == NODE_NONE) return false;
    uint8_t own = r->f->place[s].tier, other = r->f->place[t].tier;
    uint32_t down = other <= own ? r->down[t] + 1 : FAR, full = other >= own ? r->full[t] + 1 : FAR;
    if (down < full) full = down;
    bool shorter = down < r->down[s] || full < r->full[s];
    if (down < r->down[s]) r->down[s] = down;
    if (full < r->full[s]) r->full[s] = full;
    return shorter;
}

static void distances(struct reference *r, uint32_t leaf) {
    for (uint32_t s = 0; s < r->f->n_switches; s++) r->down[s] = r->full[s] = s == leaf ? 0 : FAR;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t s = 0; s < r->f->n_switches; s++)
            for (uint16_t p = 0; p < r->f->place[s].n_ports; p++) again |= relax(r, s, p);
    }
}

static bool is_next_hop(const struct reference *r, uint32_t s, uint16_t port) {
    uint32_t t = beyond(r, s, port);
    if (t == NODE_NONE || r->full[s] == 0 || r->full[s] >= FAR) return false;
    bool lower = r->f->place[t].tier < r->f->place[s].tier;
    return (lower ? r->down[t] : r->full[t]) == r->full[s] - 1 && (!lower || r->down[s] == r->full[s]);
}

static void row_agrees(struct reference *r, uint32_t state, uint32_t s, uint32_t leaf) {
    const uint16_t *port = NULL;
    uint16_t n = next_hops(r->f, state, s, leaf, &port), seen = 0;
    for (uint16_t p = 0; p < r->f->place[s].n_ports; p++) {
        if (!is_next_hop(r, s, p)) continue;
        if (seen >= n || port[seen] != p)
            fail_msg("%s to rack %u: port %u", name_of(r->f, r->f->place[s].node), leaf, p);
        seen++;
    }
    assert_int_equal(seen, n);
}

static void paths_count(struct reference *r, uint32_t state, uint32_t s, uint32_t leaf) {
    if (s == leaf || s >= r->f->n_leaves) return;
    uint32_t n = walk(r->f, state, s, leaf, NULL, NULL);
    uint32_t *most = r->f->paths.leaf_pod[s] == r->f->paths.leaf_pod[leaf] ? &r->most_intra : &r->most_inter;
    if (n > *most) *most = n;
}

static uint32_t link_of(const struct fabric *f, const char *name) {
    uint32_t link;
    char why[800];
    if (!fabric_link_find(f, name, &link, why, sizeof why)) fail_msg("%s", why);
    return link;
}

/* Compares the last state of the fabric with the reference in which these links are dead. */
static void routes_agree(const struct fabric *f, const struct link_failure *failed, size_t n_failed) {
    struct reference r = {.f = f, .dead = calloc(f->paths.first_port[f->n_nodes], sizeof *r.dead)};
    assert_true(f->n_switches <= MAX_SWITCHES);
    for (uint32_t i = f->paths.first_port[f->n_hosts]; i < f->paths.first_port[f->n_nodes]; i++) {
        const struct place_port *p = &f->paths.port[i];
        char name[256], port[96];
        snprintf(name, sizeof name, "%s-%s", name_of(f, p->node),
                 fabric_port_name(f, p->node, p->port, port, sizeof port));
        for (size_t k = 0; k < n_failed; k++) r.dead[i] |= link_of(f, name) == link_of(f, failed[k].link);
    }
    uint32_t state = f->paths.n_states - 1;
    for (uint32_t leaf = 0; leaf < f->n_leaves; leaf++) {
        distances(&r, leaf);
        for (uint32_t s = 0; s < f->n_switches; s++) {
            row_agrees(&r, state, s, leaf);
            paths_count(&r, state, s, leaf);
        }
    }
    if (state == 0) {
        assert_int_equal(f->paths_intra_pod, r.most_intra);
        assert_int_equal(f->paths_inter_pod, r.most_inter);
    }
    free(r.dead);
}

/* ---- fabrics ---- */

static void routes__of_whole_fabrics(void **state) {
    (void)state;
    const struct fabric_spec specs[] = {spec_clos(3, 4, 3, 2, 2), spec_fat_tree(6),
                                        spec_leaf_spine(5, 3, 2), spec_star(3),
                                        spec_dumbbell(3),         spec_parking_lot(4)};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct fabric *f = made(specs[i]);
        routes_agree(f, NULL, 0);
        fabric_destroy(f);
    }
}

/* Fails up to a third of the links between switches, drawn at random; some draws cut off a rack or a pod. */
static void broken_agree(struct fabric_spec spec, uint64_t number, time_ps at) {
    struct link_failure failed[256];
    static char name[256][FABRIC_LINK_NAME_MAX];
    struct fabric *whole = made(spec);
    struct fabric_scale scale;
    struct random_stream stream;
    size_t n = 0;
    fabric_scale(whole, &scale);
    random_init(&stream, 7, RANDOM_FAILURES, number);
    for (uint32_t i = 0; i < scale.links; i++) {
        fabric_link_name(whole, i, name[n], sizeof name[n]);
        if (strncmp(name[n], "host", 4) == 0 || random_below(&stream, 12) >= number % 4 + 1) continue;
        failed[n] = (struct link_failure){.link = name[n], .at = at, .repair_at = TIME_NONE};
        n++;
    }
    spec.failed = failed, spec.n_failed = n;
    struct fabric *f = made(spec);
    routes_agree(f, failed, n);
    fabric_destroy(f);
    fabric_destroy(whole);
}

static void routes__of_broken_fabrics(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 24; i++) {
        time_ps at = i % 2 ? 5 * MS : 0; /* failures belong to the first state, or make a second one */
        broken_agree(spec_clos(3, 4, 3, 2, 1), i, at);
        broken_agree(spec_fat_tree(4), i, at);
        broken_agree(spec_leaf_spine(5, 3, 2), i, at);
    }
}

/* Racks under the same switches that differ in hosts, in parallel links, in a spine that only two of them have, or in
 * peers. */
static void routes__of_racks_that_are_nearly_alike(void **state) {
    (void)state;
    static const char text[] =
        "nodes: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: s, tier: agg},\n"
        "  {name: t, tier: agg}, {name: u, tier: agg}, {name: ha}, {name: hb}, {name: hc}, {name: hd}, {name: he},\n"
        "  {name: hf}, {name: ha2}]\n"
        "links: [{a: a, b: ha}, {a: a, b: ha2}, {a: b, b: hb}, {a: c, b: hc}, {a: d, b: hd}, {a: e, b: he},\n"
        "  {a: f, b: hf}, {a: a, b: s}, {a: a, b: t}, {a: b, b: s}, {a: b, b: t}, {a: c, b: s}, {a: c, b: t},\n"
        "  {a: c, b: t}, {a: d, b: s}, {a: d, b: t}, {a: d, b: u}, {a: e, b: s}, {a: e, b: t}, {a: e, b: u},\n"
        "  {a: f, b: s}, {a: f, b: t}, {a: f, b: a}]\n";
    struct fabric_spec spec = spec_of("file");
    struct diag d = {0};
    char line[1024];
    struct fabric *f = fabric_create_text(&spec, text, strlen(text), &d);
    if (!f) fail_msg("%s", diag_line(&d, line, sizeof line));
    routes_agree(f, NULL, 0);
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(routes__of_whole_fabrics),
        UNIT(routes__of_broken_fabrics),
        UNIT(routes__of_racks_that_are_nearly_alike),
    };
    return RUN_UNITS(tests);
}
