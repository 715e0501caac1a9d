/* SPDX-License-Identifier: Apache-2.0 */
/* Shuffle: every task sends to every task of the other hosts (XP-F8). */
#include "workload/workload.h"

#include "flow_checks.h"
#include "specs.h"

/* XP-F8: 40 hosts under one ToR, 8 tasks each. */
static const struct shape one_rack = {1, 1, 40, 10 * GBPS, 0, 0};

static struct workload_spec shuffle_spec(struct sizes *sizes, uint32_t tasks) {
    struct workload_spec spec = spec_of(&workload_shuffle, sizes);
    FIELDS(spec, shuffle)->tasks = tasks;
    spec.within = PS_PER_MS;
    return spec;
}

static void shuffle__every_task_to_every_task_of_others(void **state) {
    (void)state;
    struct population p = population_make(one_rack);
    struct sizes *s = sizes_of("1MB");
    struct workload_spec spec = shuffle_spec(s, 8);
    struct flow_list list = generate(&spec, 1, &p, 1);
    uint32_t pair[40][40] = {0}, sent[40] = {0}, received[40] = {0};
    assert_int_equal(list.n, 99840);
    for (uint32_t i = 0; i < list.n; i++) {
        const struct flow *f = &list.flow[i];
        assert_int_equal(f->bytes, 1000000);
        pair[f->src][f->dst]++;
        sent[f->src]++;
        received[f->dst]++;
    }
    for (uint32_t a = 0; a < 40; a++) {
        assert_int_equal(sent[a], 2496);
        assert_int_equal(received[a], 2496);
        for (uint32_t b = 0; b < 40; b++) assert_int_equal(pair[a][b], a == b ? 0 : 64);
    }
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void assert_flows_equal(const struct flow_list *a, const struct flow_list *b) {
    assert_int_equal(a->n, b->n);
    for (uint32_t i = 0; i < a->n; i++) assert_same_flow(&a->flow[i], &b->flow[i]);
}

/* Starts are sorted and uniform over the window: each tenth of it has a tenth of them (9,984, four standard deviations:
 * 380). */
static void shuffle__starts_are_uniform(void **state) {
    (void)state;
    struct population p = population_make(one_rack);
    struct sizes *s = sizes_of("1MB");
    struct workload_spec spec = shuffle_spec(s, 8);
    spec.start = 3 * PS_PER_MS;
    struct flow_list list = generate(&spec, 1, &p, 2);
    uint32_t tenth[10] = {0};
    for (uint32_t i = 0; i < list.n; i++) {
        assert_true(i == 0 || list.flow[i].start >= list.flow[i - 1].start);
        span_ps after = list.flow[i].start - spec.start;
        assert_in_range(after, 0, PS_PER_MS - 1);
        tenth[after * 10 / PS_PER_MS]++;
    }
    for (int i = 0; i < 10; i++) assert_in_range(tenth[i], 9984 - 380, 9984 + 380);
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

/* The flows depend on the seed only, not on the transport that carries them. */
static void shuffle__flows_follow_from_the_seed_alone(void **state) {
    (void)state;
    struct population p = population_make(one_rack);
    struct sizes *s = sizes_of("web-search");
    struct workload_spec spec = shuffle_spec(s, 2), other = spec;
    other.transport = 3;
    other.priority = 5;
    other.payload_full_bytes = 1400;
    struct flow_list list = generate(&spec, 1, &p, 7), again = generate(&other, 1, &p, 7);
    struct flow_list reseeded = generate(&spec, 1, &p, 8);
    assert_flows_equal(&list, &again);
    assert_int_equal(reseeded.n, list.n);
    assert_int_not_equal(reseeded.flow[0].start, list.flow[0].start);
    flow_list_free(&reseeded);
    flow_list_free(&again);
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void shuffle__among_some_pods_all_at_once(void **state) {
    (void)state;
    static const uint32_t pods[] = {1, 3};
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("20KB");
    struct workload_spec spec = shuffle_spec(s, 0);
    spec.within = 0;
    spec.start = 9;
    spec.among = pods;
    spec.n_among = 2;
    struct flow_list list = generate(&spec, 1, &p, 1);
    assert_int_equal(list.n, 8 * 7); /* tasks: 0 counts as 1 */
    for (uint32_t i = 0; i < list.n; i++) {
        assert_int_equal(list.flow[i].start, 9);
        assert_true(pod_of(&p, list.flow[i].src) % 2 == 1);
        assert_true(pod_of(&p, list.flow[i].dst) % 2 == 1);
    }
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void shuffle__too_many(void **state) {
    (void)state;
    struct population p = population_make(one_rack);
    struct sizes *s = sizes_of("20KB");
    struct workload_spec spec = shuffle_spec(s, 1000000);
    generate_fails(&spec, &p, "tasks: 1000000 on each of 40 hosts make more than 4294967295 flows; lower it");
    spec = shuffle_spec(s, 1);
    spec.start = INT64_MAX / 2;
    generate_fails(&spec, &p, "lower `start` or `within`");
    sizes_destroy(s);
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(shuffle__every_task_to_every_task_of_others),
        UNIT(shuffle__starts_are_uniform),
        UNIT(shuffle__flows_follow_from_the_seed_alone),
        UNIT(shuffle__among_some_pods_all_at_once),
        UNIT(shuffle__too_many),
    };
    return RUN_UNITS(tests);
}
