/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of fabrics: a spec in one line, next hops as text, and walks along routes. */
#ifndef HEDDLE_TESTS_FABRIC_TEST_H
#define HEDDLE_TESTS_FABRIC_TEST_H

#include <stdio.h>
#include <string.h>

#include "fabric/cut_off.h"
#include "fabric/fabric.h"
#include "unit.h"

#define GBPS 1000000000LL
#define US PS_PER_US
#define MS PS_PER_MS

/* Kinds are found by name, so that tests are not built again when another topology is added. */
static inline struct fabric_spec spec_of(const char *kind) {
    return (struct fabric_spec){
        .kind = fabric_find(kind),
        .host_bps = 10 * GBPS,
        .uplink_bps = 10 * GBPS,
        .core_bps = 10 * GBPS,
        .host_delay = 2 * US,
        .uplink_delay = 2 * US,
        .core_delay = 2 * US,
        .seed = 1,
        .where = {.file = "test.yaml", .line = 3, .col = 5},
    };
}

static inline struct fabric_spec spec_clos(uint32_t pods, uint32_t tors, uint32_t aggs, uint32_t cores,
                                           uint32_t hosts) {
    struct fabric_spec s = spec_of("clos");
    s.pods = pods, s.tors = tors, s.aggs = aggs, s.cores = cores, s.hosts = hosts;
    return s;
}

static inline struct fabric_spec spec_leaf_spine(uint32_t leaves, uint32_t spines, uint32_t hosts) {
    struct fabric_spec s = spec_of("leaf-spine");
    s.tors = leaves, s.aggs = spines, s.hosts = hosts;
    return s;
}

/* Specs of topologies that have one parameter. */
#define SPEC_OF_ONE(function, kind, number)                                                                            \
    static inline struct fabric_spec function(uint32_t n) {                                                            \
        struct fabric_spec s = spec_of(kind);                                                                          \
        s.number = n;                                                                                                  \
        return s;                                                                                                      \
    }
SPEC_OF_ONE(spec_star, "star", hosts)
SPEC_OF_ONE(spec_fat_tree, "fat-tree", k)
SPEC_OF_ONE(spec_dumbbell, "dumbbell", pairs)
SPEC_OF_ONE(spec_parking_lot, "parking-lot", bottlenecks)

static inline struct fabric *made(struct fabric_spec s) {
    struct diag d = {0};
    char line[1024];
    struct fabric *f = fabric_create(&s, &d);
    if (!f) fail_msg("%s", diag_line(&d, line, sizeof line));
    return f;
}

/* Asserts that the spec is refused with exactly this text, at the place of the spec. */
static inline void assert_refused(struct fabric_spec s, const char *text) {
    struct diag d = {0};
    struct fabric *f = fabric_create(&s, &d);
    if (f) fabric_destroy(f);
    assert_null(f);
    assert_string_equal(d.text, text);
}

static inline uint32_t node(const struct fabric *f, const char *name) {
    uint32_t n = fabric_node_find(f, name);
    if (n == NODE_NONE) fail_msg("no node %s", name);
    return n;
}

static inline const struct place *place_of(const struct fabric *f, const char *name) {
    return &f->place[node(f, name) - f->n_hosts];
}

static inline const char *name_of(const struct fabric *f, uint32_t n) {
    static char buf[8][96];
    static int turn;
    turn = (turn + 1) % 8;
    return fabric_node_name(f, n, buf[turn], sizeof buf[turn]);
}

/* Lists the next hops of switch `s` towards a rack in a state; returns their number. */
static inline uint16_t next_hops(const struct fabric *f, uint32_t state, uint32_t s, uint32_t leaf,
                                 const uint16_t **port) {
    static uint16_t single[64];
    static int turn;
    const struct route_row *row = &f->paths.state[state].row[s];
    uint16_t entry = row->to_leaf[leaf];
    if (entry == ROUTE_NONE) return 0;
    if (entry & ROUTE_SET) {
        assert_true((entry & ~ROUTE_SET) < row->n_sets);
        *port = row->set[entry & ~ROUTE_SET].port;
        return row->set[entry & ~ROUTE_SET].n;
    }
    turn = (turn + 1) % 64;
    single[turn] = entry;
    *port = &single[turn];
    return 1;
}

/* Returns the next hops of a switch towards a rack as text, "agg0.0 agg0.2". */
static inline const char *hops_text(const struct fabric *f, uint32_t state, const char *from, const char *leaf) {
    static char buf[8][512];
    static int turn;
    const uint16_t *port;
    const struct place *place = place_of(f, from);
    uint16_t n = next_hops(f, state, place->node - f->n_hosts, node(f, leaf) - f->n_hosts, &port);
    turn = (turn + 1) % 8;
    buf[turn][0] = '\0';
    for (uint16_t i = 0; i < n; i++) {
        char name[96];
        size_t used = strlen(buf[turn]);
        snprintf(buf[turn] + used, sizeof buf[turn] - used, "%s%s", i ? " " : "",
                 fabric_port_name(f, place->node, port[i], name, sizeof name));
    }
    return buf[turn];
}

/* Walks every path from one rack's switch to another's and calls `see` with its switches. Returns the number of
 * paths. */
typedef void see_path(const struct fabric *f, const uint32_t *sw, uint32_t n, void *arg);

static inline uint32_t walk_from(const struct fabric *f, uint32_t state, uint32_t *sw, uint32_t n, uint32_t leaf,
                                 see_path *see, void *arg) {
    assert_true(n < 32); /* no loops */
    if (sw[n - 1] == leaf) {
        if (see) see(f, sw, n, arg);
        return 1;
    }
    const uint16_t *port;
    uint16_t hops = next_hops(f, state, sw[n - 1], leaf, &port);
    uint32_t found = 0;
    for (uint16_t i = 0; i < hops; i++) {
        sw[n] = f->place[sw[n - 1]].port[port[i]].neighbour - f->n_hosts;
        found += walk_from(f, state, sw, n + 1, leaf, see, arg);
    }
    return found;
}

static inline uint32_t walk(const struct fabric *f, uint32_t state, uint32_t from, uint32_t to, see_path *see,
                            void *arg) {
    uint32_t sw[33] = {from};
    return walk_from(f, state, sw, 1, to, see, arg);
}

/* Returns who is cut off in a fabric, all lines divided by "; ", and frees the fabric. */
static inline const char *cut_off_lines(struct fabric *f) {
    static char text[2048];
    char one[CUT_OFF_TEXT];
    size_t used = 0;
    struct cut_offs c;
    cut_offs_find(f, &c);
    text[0] = '\0';
    for (size_t i = 0; i < c.n; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? "; " : "", cut_off_text(f, &c.of[i], one));
    cut_offs_free(&c);
    fabric_destroy(f);
    return text;
}

#endif
