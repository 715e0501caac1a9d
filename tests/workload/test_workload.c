/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/workload.h"

#include "specs.h"

#include <stdlib.h>
#include <string.h>

static bool crosses(const struct population *p, enum tier tier, const struct flow *f) {
    if (tier == TIER_HOST) return true;
    return tier == TIER_LEAF ? p->host_leaf[f->src] != p->host_leaf[f->dst] : pod_of(p, f->src) != pod_of(p, f->dst);
}

/* ---- Foreseen ---- */

/* What is foreseen is what is made, within the chance of arrivals. */
static void foreseen_is_near(const struct workload_spec *spec, const struct population *p) {
    struct flow_list list = generate(spec, 1, p, 5);
    uint64_t n = workload_flows_foreseen(spec, p);
    if (llabs((long long)n - (long long)list.n) > list.n / 10)
        fail_msg("kind %d: %llu foreseen, %u made", spec->kind, (unsigned long long)n, list.n);
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
        spec.tasks = 3;
        spec.rounds = 2;
        spec.schedule = &often, spec.n_phases = 1;
        spec.response = &response, spec.n_responses = 1;
        spec.fanout = fanout, spec.n_fanouts = 2;
        spec.length = 4;
        spec.request_bytes = kinds[i] >= &workload_query ? 1460 : 0;
        foreseen_is_near(&spec, &p);
        spec.flows = kinds[i] == &workload_poisson ? 700 : 0;
        spec.queries = 300;
        foreseen_is_near(&spec, &p);
    }
    sizes_destroy(s);
    population_free(&p);
}

/* ---- Order and identity ---- */

static bool is_sorted(const struct flow_list *list) {
    for (uint32_t i = 1; i < list->n; i++) {
        const struct flow *a = &list->flow[i - 1], *b = &list->flow[i];
        if (a->start != b->start   ? a->start > b->start
            : a->src != b->src     ? a->src > b->src
            : a->entry != b->entry ? a->entry > b->entry
                                   : a->index >= b->index) {
            return false;
        }
    }
    return true;
}

static void same_flow(const struct flow *a, const struct flow *b) {
    assert_int_equal(a->start, b->start);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->src, b->src);
    assert_int_equal(a->dst, b->dst);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->entry, b->entry);
    assert_int_equal(a->src_port, b->src_port);
    assert_int_equal(a->dst_port, b->dst_port);
}

static void workload_generate__same_seed_same_flows(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-search");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.flows = 1000;
    struct flow_list a = generate(&spec, 1, &p, 3), b = generate(&spec, 1, &p, 3), other = generate(&spec, 1, &p, 4);
    assert_int_equal(a.n, 1000);
    assert_int_equal(b.n, 1000);
    for (uint32_t i = 0; i < 1000; i++) same_flow(&a.flow[i], &b.flow[i]);
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
        if (both.flow[i].entry == 0) same_flow(&both.flow[i], &alone.flow[k++]);
    }
    assert_int_equal(k, 500);
    flow_list_free(&alone);
    flow_list_free(&both);
    sizes_destroy(s);
    sizes_destroy(one);
    population_free(&p);
}

/* Equal starts: by source, then entry, then index. */
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

/* Beside Poisson arrivals, which go on for as long as flows are asked for, a shuffle is over when it is over. */
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

/* ---- Poisson: load ---- */

/* Load that the flows put on the tier, in ppm of its one-way capacity, over the time they span. */
static int64_t load_achieved_ppm(const struct flow_list *list, const struct population *p, enum tier tier, bool wire,
                                 int64_t capacity_bps) {
    double bits = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        uint64_t bytes = list->flow[i].bytes;
        if (crosses(p, tier, &list->flow[i])) bits += 8.0 * (double)(wire ? bytes + (bytes + 1459) / 1460 * 78 : bytes);
    }
    double seconds = (double)list->flow[list->n - 1].start / PS_PER_S;
    return (int64_t)(1e6 * bits / seconds / (double)capacity_bps);
}

static void load_is(struct shape shape, enum tier tier, enum pairs pairs, enum load_bytes load_bytes,
                    int64_t capacity_bps) {
    struct population p = population_make(shape);
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.load_ppb = 600000000;
    spec.load_at = tier;
    spec.load_bytes = load_bytes;
    spec.pairs = pairs;
    spec.flows = 60000;
    struct flow_list list = generate(&spec, 1, &p, 11);
    assert_int_equal(list.n, 60000);
    assert_true(is_sorted(&list));
    assert_in_range(load_achieved_ppm(&list, &p, tier, load_bytes == LOAD_WIRE, capacity_bps), 588000, 612000);
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void workload_generate__load_at_host(void **state) {
    (void)state;
    load_is(fat_tree_4, TIER_HOST, PAIRS_ANY, LOAD_PAYLOAD, 16 * 10 * GBPS);
}

static void workload_generate__load_at_tor_uplink(void **state) {
    (void)state;
    load_is(fat_tree_4, TIER_LEAF, PAIRS_ANY, LOAD_PAYLOAD, 8 * 20 * GBPS);
    load_is(fat_tree_4, TIER_LEAF, PAIRS_INTER_RACK, LOAD_WIRE, 8 * 20 * GBPS);
    load_is(leaf_spine, TIER_LEAF, PAIRS_ANY, LOAD_WIRE, 4 * 20 * GBPS);
}

static void workload_generate__load_at_agg_uplink(void **state) {
    (void)state;
    load_is(twelve_pods, TIER_AGG, PAIRS_INTER_POD, LOAD_PAYLOAD, 12 * 180 * GBPS);
    load_is(twelve_pods, TIER_AGG, PAIRS_ANY, LOAD_PAYLOAD, 12 * 180 * GBPS);
    load_is(fat_tree_4, TIER_AGG, PAIRS_INTER_RACK, LOAD_PAYLOAD, 4 * 40 * GBPS);
}

/* Web search at load 0.5 of 12 x 180 Gbps, all flows inter-pod: 1,080 Gbps / (8 x 1,711,250 B) = 78,889.7 flows/s. */
static void workload_rate__hand_computed(void **state) {
    (void)state;
    struct population p = population_make(twelve_pods);
    struct sizes *s = sizes_of("web-search");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.load_at = TIER_AGG;
    spec.pairs = PAIRS_INTER_POD;
    struct workload_rate r;
    struct diag d;
    assert_true(workload_rate(&spec, &p, &r, &d));
    assert_in_range(r.flows_per_s_milli, 78889600, 78889800);
    assert_int_equal(r.mean_bytes, 1711250);
    assert_int_equal(r.crossing_ppb, PPB);
    assert_in_range(r.wire_load_ppb, 526700000, 526800000); /* 0.5 x (1538/1460 and half a frame's headers) */
    spec.pairs = PAIRS_ANY;
    assert_true(workload_rate(&spec, &p, &r, &d));
    assert_int_equal(r.crossing_ppb, 918793503); /* 396 of 431 */
    sizes_destroy(s);
    population_free(&p);
}

/* AM-16: 97.4 % of uniform pairs leave the rack in 32 racks of 6. */
static void workload_rate__share_that_leaves_the_rack(void **state) {
    (void)state;
    struct population p = population_make((struct shape){8, 4, 6, 10 * GBPS, 20 * GBPS, 20 * GBPS});
    struct sizes *s = sizes_of("web-search");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.load_at = TIER_LEAF;
    spec.load_bytes = LOAD_WIRE;
    struct workload_rate r;
    struct diag d;
    assert_true(workload_rate(&spec, &p, &r, &d));
    assert_in_range(r.crossing_ppb, 973800000, 973900000);
    assert_int_equal(r.wire_load_ppb, PPB / 2);
    sizes_destroy(s);
    population_free(&p);
}

/* ---- Poisson: arrivals and pairs ---- */

/* Gaps of all hosts together are exponential: mean as the rate says, and a share of 1/e above it. */
static void workload_generate__gaps_are_exponential(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("100KB");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.flows = 40000;
    struct workload_rate rate;
    struct diag d;
    assert_true(workload_rate(&spec, &p, &rate, &d));
    struct flow_list list = generate(&spec, 1, &p, 2);
    span_ps mean = PS_PER_S / rate.flows_per_s_milli * 1000;
    uint32_t above = 0;
    for (uint32_t i = 1; i < list.n; i++) above += list.flow[i].start - list.flow[i - 1].start > mean;
    assert_in_range(list.flow[list.n - 1].start / list.n, mean * 98 / 100, mean * 102 / 100);
    assert_in_range(above, 14400, 15050); /* 40,000 / e = 14,715 */
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void workload_generate__every_host_sends_and_receives_alike(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("1KB");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.flows = 32000;
    struct flow_list list = generate(&spec, 1, &p, 2);
    uint32_t sent[16] = {0}, received[16] = {0};
    for (uint32_t i = 0; i < list.n; i++) {
        assert_true(list.flow[i].src != list.flow[i].dst);
        sent[list.flow[i].src]++;
        received[list.flow[i].dst]++;
    }
    for (int h = 0; h < 16; h++) {
        assert_in_range(sent[h], 1800, 2200);
        assert_in_range(received[h], 1800, 2200);
    }
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void workload_generate__pairs(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("1KB");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.flows = 2000;
    for (enum pairs pairs = PAIRS_INTER_RACK; pairs <= PAIRS_INTER_POD; pairs++) {
        spec.pairs = pairs;
        struct flow_list list = generate(&spec, 1, &p, 2);
        uint32_t within_pod = 0;
        for (uint32_t i = 0; i < list.n; i++) {
            assert_true(crosses(&p, pairs == PAIRS_INTER_RACK ? TIER_LEAF : TIER_AGG, &list.flow[i]));
            within_pod += !crosses(&p, TIER_AGG, &list.flow[i]);
        }
        assert_int_equal(within_pod > 0, pairs == PAIRS_INTER_RACK);
        flow_list_free(&list);
    }
    sizes_destroy(s);
    population_free(&p);
}

/* Half of the pods: half of the capacity, and nobody else sends or receives. */
static void workload_generate__among(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    const uint32_t pods[] = {3, 1, 3};
    spec.among = pods;
    spec.n_among = 3;
    spec.load_at = TIER_AGG;
    spec.flows = 60000;
    spec.load_ppb = 400000000;
    struct flow_list list = generate(&spec, 1, &p, 2);
    for (uint32_t i = 0; i < list.n; i++) {
        assert_true(pod_of(&p, list.flow[i].src) % 2 == 1 && pod_of(&p, list.flow[i].dst) % 2 == 1);
    }
    assert_in_range(load_achieved_ppm(&list, &p, TIER_AGG, false, 2 * 40 * GBPS), 392000, 408000);
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

static void workload_generate__until_cuts_the_same_sequence(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.until = 2 * PS_PER_MS;
    struct flow_list by_time = generate(&spec, 1, &p, 2);
    assert_true(by_time.flow[by_time.n - 1].start <= spec.until);
    spec.flows = by_time.n + 1;
    spec.until = TIME_NONE;
    struct flow_list by_count = generate(&spec, 1, &p, 2);
    for (uint32_t i = 0; i < by_time.n; i++) same_flow(&by_time.flow[i], &by_count.flow[i]);
    assert_true(by_count.flow[by_time.n].start > 2 * PS_PER_MS);
    flow_list_free(&by_time);
    flow_list_free(&by_count);
    sizes_destroy(s);
    population_free(&p);
}

static void workload_generate__poisson_errors(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4), two = population_make(leaf_spine);
    struct population star = population_make((struct shape){1, 1, 4, GBPS, 0, 0});
    struct population lone = population_make((struct shape){1, 1, 1, GBPS, 0, 0});
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s), bad = spec;
    generate_fails(&bad, &p, "give flows, or run.until");
    spec.flows = 10;
    bad = spec;
    generate_fails(&bad, &lone, "fewer than two hosts");
    bad.load_at = TIER_AGG;
    generate_fails(&bad, &two, "load_at: agg-uplink: this fabric has no such tier; it has: host, tor-uplink");
    bad.load_at = TIER_LEAF;
    generate_fails(&bad, &star, "load_at: tor-uplink: this fabric has no such tier; it has: host");
    const uint32_t pods[] = {2, 4}, first[] = {0};
    ((int64_t *)two.leaf_up_bps)[0] = 0;
    bad.among = first;
    bad.n_among = 1;
    generate_fails(&bad, &two, "load_at: tor-uplink: the members have no links there; widen among");
    bad = spec;
    bad.among = pods;
    bad.n_among = 2;
    generate_fails(&bad, &p, "there is no pod 4; they are numbered 0 to 3");
    generate_fails(&bad, &two, "there is no rack 4; they are numbered 0 to 3");
    bad.n_among = 1;
    bad.load_at = TIER_AGG;
    generate_fails(&bad, &p, "no pair of hosts sends across it");
    bad.pairs = PAIRS_INTER_POD;
    generate_fails(&bad, &p, "no pair of hosts lies in different pods");
    bad = spec;
    bad.load_ppb = 0;
    generate_fails(&bad, &p, "the load must be above 0");
    sizes_destroy(s);
    population_free(&p);
    population_free(&two);
    population_free(&star);
    population_free(&lone);
}

/* Nobody sends within a pod, so every flow crosses the ToR uplinks; that more hosts lie beyond the rack than are
 * allowed makes it no more than all. Half of the pods have half of the uplinks. */
static void workload_rate__no_more_than_all_flows_cross(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("1000B");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.load_at = TIER_LEAF;
    spec.pairs = PAIRS_INTER_POD;
    struct workload_rate r;
    struct diag d;
    assert_true(workload_rate(&spec, &p, &r, &d));
    assert_int_equal(r.crossing_ppb, PPB);
    assert_in_range(r.flows_per_s_milli, 9999000000, 10001000000); /* 0.5 x 8 x 20 Gbps / 8000 bits */
    const uint32_t pods[] = {0, 2};
    spec.among = pods;
    spec.n_among = 2;
    assert_true(workload_rate(&spec, &p, &r, &d));
    assert_in_range(r.flows_per_s_milli, 4999500000, 5000500000);
    sizes_destroy(s);
    population_free(&p);
}

/* A flow that starts at the last instant belongs to the run, one that starts a picosecond later does not. */
static void workload_generate__until_is_inside(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.flows = 100;
    struct flow_list all = generate(&spec, 1, &p, 2);
    spec.flows = 0;
    for (int earlier = 0; earlier < 2; earlier++) {
        spec.until = all.flow[99].start - earlier;
        struct flow_list cut = generate(&spec, 1, &p, 2);
        assert_int_equal(cut.n, 100 - earlier);
        flow_list_free(&cut);
    }
    flow_list_free(&all);
    sizes_destroy(s);
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
        UNIT(workload_generate__load_at_host),
        UNIT(workload_generate__load_at_tor_uplink),
        UNIT(workload_generate__load_at_agg_uplink),
        UNIT(workload_rate__hand_computed),
        UNIT(workload_rate__share_that_leaves_the_rack),
        UNIT(workload_generate__gaps_are_exponential),
        UNIT(workload_generate__every_host_sends_and_receives_alike),
        UNIT(workload_generate__pairs),
        UNIT(workload_generate__among),
        UNIT(workload_generate__until_cuts_the_same_sequence),
        UNIT(workload_generate__poisson_errors),
        UNIT(workload_rate__no_more_than_all_flows_cross),
        UNIT(workload_generate__until_is_inside),
    };
    return RUN_UNITS(tests);
}
