/* SPDX-License-Identifier: Apache-2.0 */
/* AM-11, XP-8, SP-3: data crosses the links of its credit in reverse. The test walks the choices of the balancer
 * between every two hosts, in every settled state of random failures and repairs.
 */
#include "fabric/choices.h"
#include "fabric/fabric_test.h"
#include "fabric/symmetry.h"
#include "mech/balance/balancers.h"

#include <stdlib.h>

#define MOST_LINKS 8
#define PORTS_TRIED 3
#define PATHS_TRIED 5

struct yard {
    struct fabric *f;
    int64_t params[4];
    struct balance_env *env; /* one per switch, with its balancer */
    void **balancer;
    uint32_t state;             /* the settled state of the walks */
    uint64_t walks, apart, cut; /* walks; those not mirrored; those without a path */
};

/* The links of a path, as global ports. */
struct way {
    uint32_t n, port[MOST_LINKS];
};

static struct yard *yard_new(struct fabric *f, uint64_t seed, bool symmetric) {
    struct yard *y = calloc(1, sizeof *y);
    y->f = f;
    assert_string_equal(balance_ecmp.params[0].name, "hash");
    y->params[0] = symmetric;
    y->env = calloc(f->n_switches, sizeof *y->env);
    y->balancer = calloc(f->n_switches, sizeof *y->balancer);
    for (uint32_t s = 0; s < f->n_switches; s++) {
        y->env[s] = (struct balance_env){.place = &f->place[s], .paths = &f->paths, .params = y->params, .seed = seed};
        y->balancer[s] = calloc(1, balance_ecmp.state_size(&y->env[s]));
        balance_ecmp.init(y->balancer[s], &y->env[s]);
    }
    return y;
}

static void yard_end(struct yard *y) {
    for (uint32_t s = 0; s < y->f->n_switches; s++) free(y->balancer[s]);
    fabric_destroy(y->f);
    free(y->env);
    free(y->balancer);
    free(y);
}

static uint16_t yard_choose(struct yard *y, uint32_t s, struct packet *p, const uint16_t *choice, uint16_t n) {
    bool leaf = y->f->place[s].tier == TIER_LEAF;
    if (n == 1) return choice[0];
    if (p->path != PATH_NONE) return choice[(leaf ? p->path & 0xff : p->path >> 8) % n];
    struct balance_query q = {.choice = choice, .n_choices = n};
    struct balance_out out = {.emit = UINT32_MAX};
    return balance_ecmp.route(y->balancer[s], &q, p, &out);
}

/* Finds the path of a frame from the source's rack to the destination's. Returns false if there is none. */
static bool yard_walk(struct yard *y, struct packet *p, struct way *way) {
    const struct fabric *f = y->f;
    uint32_t s = fabric_leaf_of_ip(f->host_bits, p->src_ip), leaf = fabric_leaf_of_ip(f->host_bits, p->dst_ip);
    for (way->n = 0; s != leaf; way->n++) {
        const uint16_t *choice = NULL;
        uint16_t n = fabric_hops(f, y->state, s, leaf, &choice);
        if (n == 0) return false;
        assert_true(way->n < MOST_LINKS);
        uint16_t port = yard_choose(y, s, p, choice, n);
        way->port[way->n] = f->paths.first_port[f->n_hosts + s] + port;
        s = f->place[s].port[port].neighbour - f->n_hosts;
    }
    return true;
}

static bool is_mirrored(const struct fabric *f, const struct way *there, const struct way *back) {
    if (there->n != back->n) return false;
    for (uint32_t i = 0; i < there->n; i++)
        if (f->paths.port[there->port[i]].peer != back->port[there->n - 1 - i]) return false;
    return true;
}

/* Walks one flow and its reverse direction, and counts the result. */
static void flow_tried(struct yard *y, uint32_t src, uint32_t dst, uint16_t number, uint16_t path) {
    struct packet credit = {.src_ip = fabric_host_ip(y->f, dst),
                            .dst_ip = fabric_host_ip(y->f, src),
                            .src_port = 80,
                            .dst_port = (uint16_t)(2000 + 7 * number),
                            .proto = PROTO_CREDIT,
                            .path = path};
    struct packet data = credit;
    data.src_ip = credit.dst_ip, data.dst_ip = credit.src_ip;
    data.src_port = credit.dst_port, data.dst_port = credit.src_port;
    struct way there, back;
    bool found = yard_walk(y, &credit, &there), found_back = yard_walk(y, &data, &back);
    assert_int_equal(found, found_back);
    if (found) y->walks++;
    if (!found) y->cut++;
    if (found && !is_mirrored(y->f, &there, &back)) y->apart++;
}

static void pair_tried(struct yard *y, uint32_t src, uint32_t dst) {
    static const uint16_t paths[PATHS_TRIED] = {0x0000, 0x0001, 0x0102, 0x0203, 0x0b07};
    for (uint16_t i = 0; i < PORTS_TRIED; i++) flow_tried(y, src, dst, i, PATH_NONE);
    for (uint16_t i = 0; i < PATHS_TRIED; i++) flow_tried(y, src, dst, 0, paths[i]);
}

static void all_tried(struct yard *y) {
    for (y->state = 0; y->state < y->f->paths.n_states; y->state++)
        for (uint32_t src = 0; src < y->f->n_hosts; src++)
            for (uint32_t dst = src + 1; dst < y->f->n_hosts; dst++) pair_tried(y, src, dst);
}

/* Returns a fabric with every kind of failure: from the start or later, undetected for a while, repaired or not, in
 * both tiers. */
static struct fabric *failing(struct fabric_spec spec, uint64_t seed, uint32_t links) {
    struct random_failures fail[] = {
        {.link_tier = 1, .pod = -1, .links = links, .repair_at = 4 * MS},
        {.link_tier = 1, .pod = -1, .links = links, .at = 1 * MS, .repair_at = 3 * MS, .detect = 100 * US},
        {.link_tier = 1, .pod = -1, .links = 1, .at = 2 * MS, .repair_at = TIME_NONE, .detect = 50 * US},
        {.link_tier = 2, .pod = -1, .links = links, .repair_at = 5 * MS},
        {.link_tier = 2, .pod = -1, .links = links, .at = 2 * MS, .repair_at = 6 * MS, .detect = 10 * US},
    };
    spec.fail_random = fail;
    spec.n_fail_random = spec.kind == fabric_find("leaf-spine") ? 3 : 5;
    spec.seed = seed;
    return made(spec);
}

static void always_mirrored(struct fabric_spec spec, uint32_t links) {
    uint64_t whole = 0, cut = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct fabric_asymmetry first;
        struct yard *y = yard_new(failing(spec, seed, links), seed, true);
        assert_true(y->f->paths.n_states >= 4);
        assert_true(fabric_symmetry_walk(y->f, &first));
        all_tried(y);
        assert_int_equal(y->apart, 0);
        whole += y->walks, cut += y->cut;
        yard_end(y);
    }
    assert_true(whole > 2 * cut);
    assert_true(whole > 10000);
}

static void retraced__clos(void **state) {
    (void)state;
    always_mirrored(spec_clos(3, 3, 3, 4, 2), 4);
    always_mirrored(spec_clos(4, 2, 2, 2, 2), 2);
}

static void retraced__fat_tree(void **state) {
    (void)state;
    always_mirrored(spec_fat_tree(4), 3);
    always_mirrored(spec_fat_tree(6), 8);
}

static void retraced__leaf_spine(void **state) {
    (void)state;
    always_mirrored(spec_leaf_spine(6, 5, 3), 6);
    always_mirrored(spec_leaf_spine(8, 2, 2), 3);
}

/* The test can fail: if each switch has its own hash, paths are not mirrored; pinned paths still are. */
static void retraced__not_with_asymmetric_hashes(void **state) {
    (void)state;
    struct yard *y = yard_new(failing(spec_clos(3, 3, 3, 4, 2), 1, 4), 1, false);
    all_tried(y);
    assert_true(y->apart > y->walks / 8);
    assert_true(y->apart < y->walks * PORTS_TRIED / (PORTS_TRIED + PATHS_TRIED));
    yard_end(y);
}

/* Before a failure is detected, both directions still choose the same links, the dead one included. */
static void retraced__before_detection(void **state) {
    (void)state;
    struct link_failure dead = {.link = "agg0.1-core1.0", .at = MS, .repair_at = TIME_NONE, .detect = 5 * MS};
    struct fabric_spec spec = spec_clos(3, 3, 3, 4, 2);
    spec.failed = &dead, spec.n_failed = 1;
    struct yard *y = yard_new(made(spec), 1, true);
    assert_int_equal(y->f->paths.n_states, 2);
    assert_int_equal(y->f->paths.state[1].from, 6 * MS); /* all switches change at the same time */
    all_tried(y);
    assert_int_equal(y->apart, 0);
    assert_int_equal(y->cut, 0);
    yard_end(y);
}

/* Path numbers cover all paths: every choice at the leaf with every choice at the agg. */
static void retraced__paths_cover_all_ways(void **state) {
    (void)state;
    struct yard *y = yard_new(made(spec_clos(2, 2, 3, 4, 1)), 1, true);
    uint16_t choices[2];
    bool seen[12] = {false};
    fabric_path_choices(y->f, 0, 3, choices);
    assert_int_equal(choices[0] * choices[1], 12);
    for (uint16_t i = 0; i < 12; i++) {
        struct way way;
        struct packet p = {.src_ip = fabric_host_ip(y->f, 0),
                           .dst_ip = fabric_host_ip(y->f, 3),
                           .path = (uint16_t)(i / choices[0] << 8 | i % choices[0])};
        assert_true(yard_walk(y, &p, &way));
        uint32_t core = y->f->paths.port[way.port[1]].neighbour - node(y->f, "core0.0");
        assert_true(core < 12);
        assert_false(seen[core]);
        seen[core] = true;
    }
    yard_end(y);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(retraced__clos),
        UNIT(retraced__fat_tree),
        UNIT(retraced__leaf_spine),
        UNIT(retraced__not_with_asymmetric_hashes),
        UNIT(retraced__before_detection),
        UNIT(retraced__paths_cover_all_ways),
    };
    return RUN_UNITS(tests);
}
