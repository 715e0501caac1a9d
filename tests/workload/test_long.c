/* SPDX-License-Identifier: Apache-2.0 */
/* Long flows: between two hosts, from several hosts side by side, or of a permutation. */
#include "workload/workload.h"

#include "receivers.h"
#include "specs.h"

#include <stdlib.h>

static void long__one_pair(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_long, NULL);
    spec.src = 2;
    spec.dst = 9;
    spec.start = 10;
    spec.stop = 90;
    struct flow_list list = generate(&spec, 1, &p, 1);
    assert_int_equal(list.n, 1);
    assert_true(list.flow[0].bytes == UINT64_MAX);
    assert_true(list.flow[0].src == 2 && list.flow[0].dst == 9 && list.flow[0].start == 10 && list.flow[0].stop == 90);
    flow_list_free(&list);
    spec.dst = 2;
    generate_fails(&spec, &p, "host 2 would send to itself");
    spec.dst = 16;
    generate_fails(&spec, &p, "hosts numbered 0 to 15, or neither");
    spec.dst = NODE_NONE;
    generate_fails(&spec, &p, "hosts numbered 0 to 15, or neither");
    spec.stop = 10;
    generate_fails(&spec, &p, "stop is not after start");
    population_free(&p);
}

/* Senders have consecutive numbers, and so do receivers, as on the two sides of a dumbbell. */
static void long__several_from_host_to_host(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_long, NULL);
    spec.src = 1;
    spec.dst = 9;
    spec.flows = 7;
    struct flow_list list = generate(&spec, 1, &p, 1);
    assert_int_equal(list.n, 7);
    for (uint32_t k = 0; k < 7; k++) assert_true(list.flow[k].src == 1 + k && list.flow[k].dst == 9 + k);
    flow_list_free(&list);
    spec.flows = 8;
    generate_fails(&spec, &p, "flows: 8, but from src and dst on there are hosts for 7");
    spec.src = spec.dst = NODE_NONE;
    generate_fails(&spec, &p, "flows: give the src and dst of the first");
    population_free(&p);
}

/* Each flow starts at a time of its own within the window; another seed draws other times. */
static void long__starts_within_a_time(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_long, NULL);
    spec.src = 0;
    spec.dst = 8;
    spec.flows = 8;
    spec.start = 1000;
    spec.within = 500;
    struct flow_list a = generate(&spec, 1, &p, 1), b = generate(&spec, 1, &p, 2);
    bool differ = false, spread = false;
    for (uint32_t k = 0; k < 8; k++) {
        assert_true(a.flow[k].start >= 1000 && a.flow[k].start < 1500);
        differ |= a.flow[k].start != b.flow[k].start;
        spread |= a.flow[k].start != a.flow[0].start;
    }
    assert_true(differ && spread);
    flow_list_free(&a);
    flow_list_free(&b);
    spec.stop = 1500;
    generate_fails(&spec, &p, "stop is not after start + within");
    spec.stop = TIME_NONE;
    spec.within = INT64_MAX;
    generate_fails(&spec, &p, "lower `start` or `within`");
    spec.within = 1;
    spec.flows = 0;
    spec.src = spec.dst = NODE_NONE;
    generate_fails(&spec, &p, "within: give src and dst");
    population_free(&p);
}

static void long__without_a_pair_is_a_permutation(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct workload_spec spec = spec_of(&workload_long, NULL);
    spec.pairs = PAIRS_INTER_POD;
    struct flow_list list = generate(&spec, 1, &p, 1);
    uint32_t *to = receivers(&list, 16);
    assert_true(each_receives_once(to, 16));
    for (uint32_t h = 0; h < 16; h++) assert_true(pod_of(&p, h) != pod_of(&p, to[h]));
    free(to);
    flow_list_free(&list);
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(long__one_pair),
        UNIT(long__several_from_host_to_host),
        UNIT(long__starts_within_a_time),
        UNIT(long__without_a_pair_is_a_permutation),
    };
    return RUN_UNITS(tests);
}
