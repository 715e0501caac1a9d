/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of one flow per sender: permutation, bijection, random, stride, and the gaps between their starts. */
#include "workload/workload.h"

#include "receivers.h"
#include "specs.h"

#include <stdlib.h>

struct pattern {
    struct population p;
    struct sizes *sizes;
    struct flow_list list;
    uint32_t *to;
};

static struct pattern pattern_of(struct shape shape, const struct workload_ops *kind, enum pairs pairs, uint64_t seed) {
    struct pattern x = {.p = population_make(shape), .sizes = sizes_of("50MB")};
    struct workload_spec spec = spec_of(kind, x.sizes);
    spec.pairs = pairs;
    x.list = generate(&spec, 1, &x.p, seed);
    x.to = receivers(&x.list, x.p.n_hosts);
    return x;
}

static void pattern_free(struct pattern *x) {
    free(x->to);
    flow_list_free(&x->list);
    sizes_destroy(x->sizes);
    population_free(&x->p);
}

/* ---- permutation ---- */

static void permutation__is_a_derangement_within_pairs(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (enum pairs pairs = PAIRS_ANY; pairs <= PAIRS_INTER_POD; pairs++) {
            struct pattern x = pattern_of(fat_tree_4, &workload_permutation, pairs, seed);
            assert_true(each_receives_once(x.to, 16));
            for (uint32_t h = 0; h < 16; h++) {
                assert_true(x.to[h] != h);
                if (pairs != PAIRS_ANY) assert_true(x.p.host_leaf[h] != x.p.host_leaf[x.to[h]]);
                if (pairs == PAIRS_INTER_POD) assert_true(pod_of(&x.p, h) != pod_of(&x.p, x.to[h]));
            }
            pattern_free(&x);
        }
    }
}

/* All other hosts are equally likely receivers. */
static void permutation__receivers_are_uniform(void **state) {
    (void)state;
    uint32_t count[16] = {0};
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct pattern x = pattern_of(fat_tree_4, &workload_permutation, PAIRS_ANY, seed);
        count[x.to[5]]++;
        pattern_free(&x);
    }
    for (uint32_t h = 0; h < 16; h++) {
        if (h != 5) assert_in_range(count[h], 140, 260); /* 200 expected, deviation 14 */
    }
    assert_int_equal(count[5], 0);
}

static void permutation__two_hosts_exchange(void **state) {
    (void)state;
    struct pattern x = pattern_of((struct shape){1, 1, 2, GBPS, 0, 0}, &workload_permutation, PAIRS_ANY, 1);
    assert_int_equal(x.to[0], 1);
    assert_int_equal(x.to[1], 0);
    pattern_free(&x);
}

/* ---- bijection, random ---- */

static void bijection__another_pod_one_sender_a_receiver(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct pattern x = pattern_of(fat_tree_4, &workload_bijection, PAIRS_ANY, seed);
        assert_true(each_receives_once(x.to, 16));
        for (uint32_t h = 0; h < 16; h++) assert_true(pod_of(&x.p, h) != pod_of(&x.p, x.to[h]));
        pattern_free(&x);
    }
}

/* With two pods every host must send to the other pod. */
static void bijection__two_pods(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct pattern x = pattern_of((struct shape){2, 5, 5, GBPS, GBPS, GBPS}, &workload_bijection, PAIRS_ANY, seed);
        assert_true(each_receives_once(x.to, 50));
        for (uint32_t h = 0; h < 50; h++) assert_int_equal(pod_of(&x.p, h), 1 - pod_of(&x.p, x.to[h]));
        pattern_free(&x);
    }
}

static void bijection__another_rack_in_two_tiers(void **state) {
    (void)state;
    struct pattern x = pattern_of(leaf_spine, &workload_bijection, PAIRS_ANY, 1);
    assert_true(each_receives_once(x.to, 24));
    for (uint32_t h = 0; h < 24; h++) assert_true(x.p.host_leaf[h] != x.p.host_leaf[x.to[h]]);
    pattern_free(&x);
}

static void random__another_pod_and_receivers_repeat(void **state) {
    (void)state;
    struct pattern x = pattern_of(twelve_pods, &workload_random, PAIRS_ANY, 1);
    for (uint32_t h = 0; h < 432; h++) assert_true(pod_of(&x.p, h) != pod_of(&x.p, x.to[h]));
    assert_false(each_receives_once(x.to, 432));
    pattern_free(&x);
}

static void patterns__errors(void **state) {
    (void)state;
    struct population one_rack = population_make((struct shape){1, 1, 4, GBPS, 0, 0});
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("1MB");
    struct workload_spec spec = spec_of(&workload_bijection, s);
    generate_fails(&spec, &one_rack, "no pair of hosts lies in different racks; use pairs: any, or more racks");
    spec.kind = &workload_stride;
    generate_fails(&spec, &one_rack,
                   "with an offset of 4 every one of the 4 hosts would send to itself; give offset: 1 to 3");
    /* pods 0 and 1 with racks of unequal sizes: one host moves from pod 1 to pod 0 */
    ((uint32_t *)p.host_leaf)[4] = 0;
    const uint32_t pods[] = {0, 1};
    spec.kind = &workload_bijection;
    spec.among = pods;
    spec.n_among = 2;
    generate_fails(&spec, &p, "one pod has more than half of the hosts");
    sizes_destroy(s);
    population_free(&p);
    population_free(&one_rack);
}

/* ---- stride ---- */

static void stride__offset_defaults_to_the_hosts_of_a_pod(void **state) {
    (void)state;
    struct pattern pods = pattern_of(fat_tree_4, &workload_stride, PAIRS_ANY, 1);
    for (uint32_t h = 0; h < 16; h++) assert_int_equal(pods.to[h], (h + 4) % 16);
    pattern_free(&pods);
    struct pattern racks = pattern_of(leaf_spine, &workload_stride, PAIRS_ANY, 1);
    for (uint32_t h = 0; h < 24; h++) assert_int_equal(racks.to[h], (h + 6) % 24);
    pattern_free(&racks);
}

static void stride__offset(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("50MB");
    struct workload_spec spec = spec_of(&workload_stride, s);
    FIELDS(spec, stride)->offset = 8;
    spec.start = 5 * PS_PER_US;
    struct flow_list list = generate(&spec, 1, &p, 1);
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(list.flow[i].src, i);
        assert_int_equal(list.flow[i].dst, (i + 8) % 16);
        assert_int_equal(list.flow[i].start, 5 * PS_PER_US);
        assert_int_equal(list.flow[i].bytes, 50000000);
    }
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

/* ---- gap ---- */

/* EXP-F13: the senders start in random order, as one Poisson sequence whose first start is `start`. The pairs equal
 * those without a gap. */
static void gap__one_sequence_in_random_order(void **state) {
    (void)state;
    struct population p = population_make(twelve_pods);
    struct sizes *s = sizes_of("50MB");
    struct workload_spec spec = spec_of(&workload_bijection, s);
    struct flow_list at_once = generate(&spec, 1, &p, 1);
    spec.gap = 30 * PS_PER_US;
    struct flow_list list = generate(&spec, 1, &p, 1);
    uint32_t *to = receivers(&list, 432), *to_at_once = receivers(&at_once, 432), in_order = 0;
    assert_memory_equal(to, to_at_once, 432 * sizeof *to);
    assert_int_equal(list.flow[0].start, 0);
    for (uint32_t i = 1; i < 432; i++) in_order += list.flow[i].src > list.flow[i - 1].src;
    assert_in_range(in_order, 180, 250);
    assert_in_range(list.flow[431].start, 431 * 27 * PS_PER_US, 431 * 33 * PS_PER_US);
    free(to);
    free(to_at_once);
    flow_list_free(&list);
    flow_list_free(&at_once);
    sizes_destroy(s);
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(permutation__is_a_derangement_within_pairs),
        UNIT(permutation__receivers_are_uniform),
        UNIT(permutation__two_hosts_exchange),
        UNIT(bijection__another_pod_one_sender_a_receiver),
        UNIT(bijection__two_pods),
        UNIT(bijection__another_rack_in_two_tiers),
        UNIT(random__another_pod_and_receivers_repeat),
        UNIT(patterns__errors),
        UNIT(stride__offset_defaults_to_the_hosts_of_a_pod),
        UNIT(stride__offset),
        UNIT(gap__one_sequence_in_random_order),
    };
    return RUN_UNITS(tests);
}
