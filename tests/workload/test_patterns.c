/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/workload.h"

#include "specs.h"

#include <stdlib.h>

/* One flow a sender: its receiver by sender, and that each host sends just once. */
static uint32_t *receivers(const struct flow_list *list, uint32_t n_hosts) {
    uint32_t *to = malloc(n_hosts * sizeof *to);
    for (uint32_t h = 0; h < n_hosts; h++) to[h] = NODE_NONE;
    assert_int_equal(list->n, n_hosts);
    for (uint32_t i = 0; i < list->n; i++) {
        assert_int_equal(to[list->flow[i].src], NODE_NONE);
        to[list->flow[i].src] = list->flow[i].dst;
    }
    return to;
}

static bool each_receives_once(const uint32_t *to, uint32_t n_hosts) {
    bool *seen = calloc(n_hosts, sizeof *seen);
    bool once = true;
    for (uint32_t h = 0; h < n_hosts; h++) {
        once &= !seen[to[h]];
        seen[to[h]] = true;
    }
    free(seen);
    return once;
}

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

/* Every receiver but oneself is about equally likely. */
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

/* The tightest case: with two pods everybody must send to the other one. */
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
    /* pods 0 and 1, racks of unequal sizes: one host moved from pod 1 to pod 0 */
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
    spec.offset = 8;
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

/* EXP-F13: one Poisson sequence over all senders, in random order, the first at `start`; the pairs are those without
 * gap. */
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

/* ---- incast ---- */

static void incast__all_others_to_one_in_rounds(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("20KB");
    struct workload_spec spec = spec_of(&workload_incast, s);
    spec.receiver = 3;
    spec.rounds = 4;
    spec.gap = PS_PER_MS;
    spec.start = 7;
    struct flow_list list = generate(&spec, 1, &p, 1);
    assert_int_equal(list.n, 4 * 15);
    for (uint32_t i = 0; i < list.n; i++) {
        assert_int_equal(list.flow[i].dst, 3);
        assert_int_equal(list.flow[i].src, i % 15 + (i % 15 >= 3));
        assert_int_equal(list.flow[i].start, 7 + (i / 15) * PS_PER_MS);
    }
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void incast__some_senders(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("20KB");
    struct workload_spec spec = spec_of(&workload_incast, s);
    spec.senders = 5;
    bool another_choice = false;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct flow_list list = generate(&spec, 1, &p, seed);
        assert_int_equal(list.n, 5);
        for (uint32_t i = 0; i < 5; i++) {
            assert_int_equal(list.flow[i].dst, 0);
            assert_true(list.flow[i].src > (i ? list.flow[i - 1].src : 0));
            another_choice |= list.flow[i].src != i + 1;
        }
        flow_list_free(&list);
    }
    assert_true(another_choice);
    spec.senders = 16;
    generate_fails(&spec, &p, "senders: 16, but only 15 other hosts take part; lower it");
    spec.receiver = 16;
    generate_fails(&spec, &p, "receiver: there is no host 16; they are numbered 0 to 15");
    sizes_destroy(s);
    population_free(&p);
}

/* Each flow starts in the window of its round, at a time of its seed; the senders stay the same. */
static void incast__starts_within_a_time(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("20KB");
    struct workload_spec spec = spec_of(&workload_incast, s);
    spec.rounds = 3;
    spec.gap = PS_PER_MS;
    spec.within = 500;
    struct flow_list a = generate(&spec, 1, &p, 1), b = generate(&spec, 1, &p, 2);
    bool differ = false, spread = false;
    assert_int_equal(a.n, 45);
    for (uint32_t i = 0; i < a.n; i++) {
        time_ps round = (i / 15) * PS_PER_MS;
        assert_true(a.flow[i].start >= round && a.flow[i].start < round + 500);
        differ |= a.flow[i].start != b.flow[i].start;
        spread |= a.flow[i].start != round;
    }
    assert_true(differ && spread);
    flow_list_free(&a);
    flow_list_free(&b);
    spec.within = INT64_MAX;
    generate_fails(&spec, &p, "lower `gap`, `rounds` or `within`");
    spec.within = 500;
    spec.request_bytes = 1460;
    generate_fails(&spec, &p, "leave out `request` or `within`");
    sizes_destroy(s);
    population_free(&p);
}

/* ---- shuffle ---- */

/* XP-F8: 40 hosts under one ToR, 8 tasks each. */
static const struct shape one_rack = {1, 1, 40, 10 * GBPS, 0, 0};

static struct workload_spec shuffle_spec(struct sizes *sizes, uint32_t tasks) {
    struct workload_spec spec = spec_of(&workload_shuffle, sizes);
    spec.tasks = tasks;
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
    for (uint32_t i = 0; i < a->n; i++) {
        const struct flow *x = &a->flow[i], *y = &b->flow[i];
        assert_int_equal(x->start, y->start);
        assert_int_equal(x->src, y->src);
        assert_int_equal(x->dst, y->dst);
        assert_int_equal(x->bytes, y->bytes);
        assert_int_equal(x->src_port, y->src_port);
    }
}

/* Sorted, within the time, each tenth of it with a tenth of the starts (9,984, four standard deviations: 380). */
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

/* The same flows again, whatever transports them; others with another seed. */
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
    assert_int_equal(list.n, 8 * 7); /* 0 tasks count as one */
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

/* ---- long ---- */

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

/* Senders and receivers stand side by side, as on the two sides of a dumbbell. */
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

/* Seeds and flows start at times of their own, all within the span. */
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
        UNIT(incast__all_others_to_one_in_rounds),
        UNIT(incast__some_senders),
        UNIT(incast__starts_within_a_time),
        UNIT(shuffle__every_task_to_every_task_of_others),
        UNIT(shuffle__starts_are_uniform),
        UNIT(shuffle__flows_follow_from_the_seed_alone),
        UNIT(shuffle__among_some_pods_all_at_once),
        UNIT(shuffle__too_many),
        UNIT(long__one_pair),
        UNIT(long__several_from_host_to_host),
        UNIT(long__starts_within_a_time),
        UNIT(long__without_a_pair_is_a_permutation),
    };
    return RUN_UNITS(tests);
}
