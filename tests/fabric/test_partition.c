/* SPDX-License-Identifier: Apache-2.0 */
/* The assignment of nodes to threads. */
#include <stdlib.h>

#include "fabric_test.h"

struct cut {
    uint16_t *part;
    uint32_t used;
    uint64_t ports[64];
};

static struct cut cut_of(const struct fabric *f, uint32_t n) {
    struct cut c = {.part = calloc(f->n_nodes, sizeof *c.part)};
    for (uint32_t i = 0; i < f->n_nodes; i++) c.part[i] = 0xffff;
    c.used = fabric_partition(f, n, c.part);
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        assert_true(c.part[i] < c.used);
        c.ports[c.part[i]] += f->paths.first_port[i + 1] - f->paths.first_port[i];
    }
    for (uint32_t p = 0; p < c.used; p++) assert_true(c.ports[p] > 0);
    return c;
}

static void assert_balanced(const struct cut *c, uint64_t slack) {
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t p = 0; p < c->used; p++) {
        if (c->ports[p] < least) least = c->ports[p];
        if (c->ports[p] > most) most = c->ports[p];
    }
    assert_true(most - least <= slack);
}

static void partition__pods_stay_whole(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(12, 6, 6, 3, 6));
    for (uint32_t n = 1; n <= 12; n++) {
        struct cut c = cut_of(f, n);
        uint16_t pod_part[12];
        assert_int_equal(c.used, n);
        for (uint32_t i = f->n_hosts; i < f->n_hosts + f->n_leaves; i++) pod_part[f->node[i].pod] = c.part[i];
        for (uint32_t i = 0; i < f->n_nodes; i++) {
            if (f->node[i].tier != TIER_CORE) assert_int_equal(c.part[i], pod_part[f->node[i].pod]);
        }
        for (uint32_t pod = 1; pod < 12; pod++) assert_true(pod_part[pod] >= pod_part[pod - 1]);
        free(c.part);
    }
    fabric_destroy(f);
}

static void partition__cores_of_each_plane_are_spread(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(4, 2, 3, 4, 2));
    struct cut c = cut_of(f, 2);
    uint32_t per_plane[3][2] = {0};
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        if (f->node[i].tier == TIER_CORE) per_plane[f->node[i].pod][c.part[i]]++;
    }
    for (int plane = 0; plane < 3; plane++) assert_int_equal(per_plane[plane][0], per_plane[plane][1]);
    assert_balanced(&c, 0);
    free(c.part);
    fabric_destroy(f);
}

/* 12 pods on 5 threads: threads with fewer pods get more of the cores. */
static void partition__balanced_by_ports(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(12, 6, 6, 6, 6));
    struct cut c = cut_of(f, 4);
    assert_balanced(&c, 0);
    free(c.part);
    c = cut_of(f, 5);
    assert_balanced(&c, 12 * 9); /* less than a pod of 180 ports */
    free(c.part);
    fabric_destroy(f);
}

static void partition__by_rack_when_there_are_fewer_pods(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(8, 8, 16));
    struct cut c = cut_of(f, 3);
    assert_int_equal(c.used, 3);
    for (uint32_t h = 0; h < f->n_hosts; h++) assert_int_equal(c.part[h], c.part[f->n_hosts + f->node[h].leaf]);
    for (uint32_t l = 1; l < f->n_leaves; l++) assert_true(c.part[f->n_hosts + l] >= c.part[f->n_hosts + l - 1]);
    uint32_t spines[3] = {0};
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        if (f->node[i].tier == TIER_AGG) spines[c.part[i]]++;
    }
    for (int p = 0; p < 3; p++) assert_true(spines[p] >= 1);
    assert_balanced(&c, 40);
    free(c.part);
    c = cut_of(f, 2);
    assert_balanced(&c, 0);
    free(c.part);
    fabric_destroy(f);
}

static void partition__no_more_parts_than_racks(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(5));
    struct cut c = cut_of(f, 4);
    assert_int_equal(c.used, 1);
    free(c.part);
    fabric_destroy(f);
    f = made(spec_dumbbell(3));
    c = cut_of(f, 8);
    assert_int_equal(c.used, 2);
    assert_balanced(&c, 0);
    free(c.part);
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(partition__pods_stay_whole),          UNIT(partition__cores_of_each_plane_are_spread),
        UNIT(partition__balanced_by_ports),        UNIT(partition__by_rack_when_there_are_fewer_pods),
        UNIT(partition__no_more_parts_than_racks),
    };
    return RUN_UNITS(tests);
}
