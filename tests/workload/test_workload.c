/* SPDX-License-Identifier: Apache-2.0 */
/* Guarantees of workload_generate for every kind: the foreseen number of flows, their order, identity and settings. */
#include "workload/workload.h"

#include "flow_checks.h"
#include "specs.h"

#include <stdlib.h>
#include <string.h>

/* ---- the number of flows foreseen ---- */

/* Asserts that the number of flows foreseen is within 10 % of the number generated; arrivals are random. */
static void foreseen_is_near(const struct workload_spec *spec, const struct population *p) {
    struct flow_list list = generate(spec, 1, p, 5);
    uint64_t n = workload_flows_foreseen(spec, p);
    if (llabs((long long)n - (long long)list.n) > list.n / 10)
        fail_msg("%s: %llu foreseen, %u made", spec->kind->name, (unsigned long long)n, list.n);
    flow_list_free(&list);
}

static void workload_flows_foreseen__as_many_as_are_made(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("10KB");
    struct rate_phase often = {PS_PER_MS, 4000000};
    uint64_t response = 2000;
    uint32_t fanout[] = {2, 6};
    const struct workload_ops *kinds[] = {&workload_poisson,       &workload_permutation, &workload_incast,
                                          &workload_shuffle,       &workload_query,       &workload_web_sequential,
                                          &workload_web_partition, &workload_background};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct workload_spec spec = spec_of(kinds[i], s);
        spec.until = 20 * PS_PER_MS;
        if (kinds[i] == &workload_shuffle) FIELDS(spec, shuffle)->tasks = 3;
        spec.rounds = 2;
        spec.schedule = &often, spec.n_phases = 1;
        spec.response = &response, spec.n_responses = 1;
        spec_sets(&spec, fanout, 2, 4);
        spec.request_bytes = kinds[i] >= &workload_query ? 1460 : 0;
        foreseen_is_near(&spec, &p);
        spec.flows = kinds[i] == &workload_poisson ? 700 : 0;
        spec.queries = 300;
        foreseen_is_near(&spec, &p);
    }
    sizes_destroy(s);
    population_free(&p);
}

/* ---- order and identity ---- */

static void workload_generate__same_seed_same_flows(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-search");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.flows = 1000;
    struct flow_list a = generate(&spec, 1, &p, 3), b = generate(&spec, 1, &p, 3), other = generate(&spec, 1, &p, 4);
    assert_int_equal(a.n, 1000);
    assert_int_equal(b.n, 1000);
    for (uint32_t i = 0; i < 1000; i++) assert_same_flow(&a.flow[i], &b.flow[i]);
    assert_true(a.flow[0].start != other.flow[0].start);
    flow_list_free(&a);
    flow_list_free(&b);
    flow_list_free(&other);
    sizes_destroy(s);
    population_free(&p);
}

static void workload_generate__another_entry_changes_nothing_of_the_first(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-search"), *one = sizes_of("1MB");
    struct workload_spec spec[2] = {spec_of(&workload_poisson, s), spec_of(&workload_stride, one)};
    spec[0].flows = 500;
    spec[1].entry = 1;
    spec[1].gap = 30 * PS_PER_US;
    struct flow_list alone = generate(spec, 1, &p, 3), both = generate(spec, 2, &p, 3);
    assert_int_equal(both.n, 500 + 16);
    assert_true(is_sorted(&both));
    uint32_t k = 0;
    for (uint32_t i = 0; i < both.n; i++) {
        if (both.flow[i].entry == 0) assert_same_flow(&both.flow[i], &alone.flow[k++]);
    }
    assert_int_equal(k, 500);
    flow_list_free(&alone);
    flow_list_free(&both);
    sizes_destroy(s);
    sizes_destroy(one);
    population_free(&p);
}

/* Flows with equal starts are ordered by source, then entry, then index. */
static void workload_generate__order_of_ties(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *one = sizes_of("1MB");
    struct workload_spec spec[3] = {spec_of(&workload_permutation, one), spec_of(&workload_stride, one),
                                    spec_of(&workload_incast, one)};
    for (uint32_t i = 0; i < 3; i++) spec[i].entry = i;
    spec[2].rounds = 2;
    struct flow_list list = generate(spec, 3, &p, 3);
    assert_int_equal(list.n, 16 + 16 + 30);
    assert_true(is_sorted(&list));
    flow_list_free(&list);
    sizes_destroy(one);
    population_free(&p);
}

static int tuple_compare(const void *a, const void *b) { return memcmp(a, b, 4 * sizeof(uint32_t)); }

static void workload_generate__five_tuples_differ(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-search");
    struct workload_spec spec[2] = {spec_of(&workload_poisson, s), spec_of(&workload_poisson, s)};
    spec[0].flows = spec[1].flows = 20000;
    spec[1].entry = 1;
    struct flow_list list = generate(spec, 2, &p, 3);
    uint32_t(*tuple)[4] = calloc(list.n, sizeof *tuple);
    for (uint32_t i = 0; i < list.n; i++) {
        const struct flow *f = &list.flow[i];
        assert_true(f->src_port >= 1024);
        assert_int_equal(f->dst_port, 5001 + f->entry);
        tuple[i][0] = f->src, tuple[i][1] = f->dst, tuple[i][2] = f->src_port, tuple[i][3] = f->dst_port;
    }
    qsort(tuple, list.n, sizeof *tuple, tuple_compare);
    for (uint32_t i = 1; i < list.n; i++) assert_true(tuple_compare(tuple[i - 1], tuple[i]) != 0);
    free(tuple);
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

/* Poisson arrivals go on for as long as flows are asked for; the flows of a shuffle are a batch and are flagged as
 * such. */
static void workload_generate__flows_of_a_load_and_of_a_batch(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *sizes = sizes_of("50MB");
    struct workload_spec spec[] = {spec_of(&workload_poisson, sizes), spec_of(&workload_shuffle, sizes)};
    spec[0].flows = 20;
    spec[1].entry = 1;
    struct flow_list list = generate(spec, 2, &p, 1);
    assert_true(list.n > 20);
    for (uint32_t i = 0; i < list.n; i++)
        assert_int_equal((list.flow[i].flags & FLOW_ONCE) != 0, list.flow[i].entry == 1);
    flow_list_free(&list);
    sizes_destroy(sizes);
    population_free(&p);
}

static void workload_generate__settings_of_the_entry(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *one = sizes_of("1MB");
    struct workload_spec spec = spec_of(&workload_stride, one);
    spec.rate_bps = GBPS;
    spec.burst_bytes = 5000;
    spec.transport = 2;
    spec.priority = 7;
    struct flow_list list = generate(&spec, 1, &p, 1);
    for (uint32_t i = 0; i < list.n; i++) {
        const struct flow *f = &list.flow[i];
        assert_true(f->rate_bps == GBPS && f->burst_bytes == 5000 && f->transport == 2 && f->priority == 7);
        assert_true(f->stop == TIME_NONE);
    }
    flow_list_free(&list);
    sizes_destroy(one);
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(workload_flows_foreseen__as_many_as_are_made),
        UNIT(workload_generate__same_seed_same_flows),
        UNIT(workload_generate__another_entry_changes_nothing_of_the_first),
        UNIT(workload_generate__order_of_ties),
        UNIT(workload_generate__five_tuples_differ),
        UNIT(workload_generate__flows_of_a_load_and_of_a_batch),
        UNIT(workload_generate__settings_of_the_entry),
    };
    return RUN_UNITS(tests);
}
