/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs without tiers: shortest paths, and rings of links in which lossless queues may wait for each other. */
#include "fabric/rings.h"

#include "base/random.h"
#include "fabric/fabric_build.h"
#include "fabric_test.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUTERS_MAX 32

/* A graph of routers r0, r1, ... with a host h0, h1, ... each, but for the last ones. */
struct graph {
    uint32_t n, without; /* routers, and how many of them have no host */
    bool joined[ROUTERS_MAX][ROUTERS_MAX];
};

static void join(struct graph *g, uint32_t a, uint32_t b) { g->joined[a][b] = g->joined[b][a] = true; }

static struct fabric *made_of(const struct graph *g, enum fabric_routing routing) {
    static char text[65536];
    int used = snprintf(text, sizeof text, "nodes:\n");
    for (uint32_t i = 0; i < g->n; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "  - {name: r%u}\n", i);
    for (uint32_t i = 0; i < g->n - g->without; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "  - {name: h%u}\n", i);
    used += snprintf(text + used, sizeof text - (size_t)used, "links:\n");
    for (uint32_t i = 0; i < g->n; i++) {
        if (i < g->n - g->without)
            used += snprintf(text + used, sizeof text - (size_t)used, "  - {a: h%u, b: r%u}\n", i, i);
        for (uint32_t j = i + 1; j < g->n; j++)
            if (g->joined[i][j])
                used += snprintf(text + used, sizeof text - (size_t)used, "  - {a: r%u, b: r%u}\n", i, j);
    }
    struct fabric_spec s = spec_of("file");
    struct diag d = {0};
    char line[1024];
    s.path = "net.yaml";
    s.routing = routing;
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (!f) fail_msg("%s", diag_line(&d, line, sizeof line));
    return f;
}

/* Returns the links between all pairs of routers, by the relaxation of Floyd and Warshall. */
static void distances(const struct graph *g, uint32_t d[ROUTERS_MAX][ROUTERS_MAX]) {
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t j = 0; j < g->n; j++) d[i][j] = i == j ? 0 : g->joined[i][j] ? 1 : 1000;
    for (uint32_t k = 0; k < g->n; k++)
        for (uint32_t i = 0; i < g->n; i++)
            for (uint32_t j = 0; j < g->n; j++)
                if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
}

/* Every next hop is one link nearer, and every neighbour that is nearer is a next hop. */
static void assert_shortest(const struct graph *g) {
    uint32_t d[ROUTERS_MAX][ROUTERS_MAX];
    struct fabric *f = made_of(g, ROUTING_SHORTEST);
    distances(g, d);
    for (uint32_t s = 0; s < g->n; s++)
        for (uint32_t to = 0; to < g->n; to++) {
            char from[16], rack[16], expected[512] = "";
            if (s == to) continue;
            snprintf(from, sizeof from, "r%u", s);
            snprintf(rack, sizeof rack, "r%u", to);
            for (uint32_t t = 0; t < g->n; t++) {
                size_t used = strlen(expected);
                if (g->joined[s][t] && d[t][to] + 1 == d[s][to])
                    snprintf(expected + used, sizeof expected - used, "%sr%u", used ? " " : "", t);
            }
            assert_string_equal(hops_text(f, 0, from, rack), expected);
        }
    fabric_destroy(f);
}

static struct graph chain_of(uint32_t n) {
    struct graph g = {.n = n};
    for (uint32_t i = 0; i + 1 < n; i++) join(&g, i, i + 1);
    return g;
}

static void shortest__of_random_graphs(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_stream r;
        random_init(&r, seed, RANDOM_FAILURES, 0);
        struct graph g = chain_of(3 + (uint32_t)random_below(&r, 20));
        uint32_t more = (uint32_t)random_below(&r, 2 * g.n);
        for (uint32_t i = 0; i < more; i++) {
            uint32_t a = (uint32_t)random_below(&r, g.n), b = (uint32_t)random_below(&r, g.n);
            if (a != b) join(&g, a, b);
        }
        assert_shortest(&g);
    }
}

static bool has_ring(const struct graph *g, enum fabric_routing routing, struct fabric_ring *ring) {
    struct fabric *f = made_of(g, routing);
    bool found = fabric_has_ring(f, ring);
    fabric_destroy(f);
    return found;
}

static void ring__is_found_from_four_routers_on(void **state) {
    (void)state;
    struct fabric_ring ring;
    for (uint32_t n = 3; n <= 12; n++) {
        struct graph g = chain_of(n);
        assert_false(has_ring(&g, ROUTING_SHORTEST, &ring));
        join(&g, n - 1, 0);
        assert_int_equal(has_ring(&g, ROUTING_SHORTEST, &ring), n > 3); /* of three, all are neighbours */
        if (n == 3) continue;
        assert_int_equal(ring.n, n);
        for (uint32_t i = 1; i < n && i < RING_SHOWN_MAX; i++) {
            uint32_t step = (ring.node[i] + n - ring.node[i - 1]) % n;
            assert_true(step == 1 || step == n - 1);
        }
    }
}

/* The same where every second router has no host: frames come to these only from others. */
static void ring__goes_through_routers_without_hosts(void **state) {
    (void)state;
    struct fabric_ring ring;
    struct graph g = {.n = 8, .without = 4};
    for (uint32_t i = 0; i < 4; i++) {
        join(&g, i, 4 + i);
        join(&g, 4 + i, (i + 1) % 4);
    }
    assert_true(has_ring(&g, ROUTING_SHORTEST, &ring));
    assert_int_equal(ring.n, 8);
}

/* A tree has none, however its routers are joined, nor has a full mesh, in which no frame takes two links. */
static void ring__none_without_a_way_round(void **state) {
    (void)state;
    struct fabric_ring ring;
    struct graph tree = {.n = 15}, mesh = {.n = 8};
    for (uint32_t i = 1; i < tree.n; i++) join(&tree, i, (i - 1) / 2);
    for (uint32_t i = 0; i < mesh.n; i++)
        for (uint32_t j = 0; j < i; j++) join(&mesh, i, j);
    assert_false(has_ring(&tree, ROUTING_SHORTEST, &ring));
    assert_false(has_ring(&mesh, ROUTING_SHORTEST, &ring));
    tree.joined[0][0] = false;
    join(&tree, 7, 14); /* leaves of both halves: 7-3-1-0-2-6-14 and back */
    assert_true(has_ring(&tree, ROUTING_SHORTEST, &ring));
}

static void ring__of_fabrics_that_are_made(void **state) {
    (void)state;
    struct fabric *f = made(spec_fat_tree(4));
    struct fabric_ring ring;
    assert_false(fabric_has_ring(f, &ring));
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest__of_random_graphs),
        cmocka_unit_test(ring__is_found_from_four_routers_on),
        cmocka_unit_test(ring__goes_through_routers_without_hosts),
        cmocka_unit_test(ring__none_without_a_way_round),
        cmocka_unit_test(ring__of_fabrics_that_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
