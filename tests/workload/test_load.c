/* SPDX-License-Identifier: Apache-2.0 */
/* Poisson arrivals: the load that a tier of links gets, and the rate of flows that follows from it. */
#include "workload/workload.h"

#include "flow_checks.h"
#include "specs.h"

/* Returns the load that the flows put on the tier, in ppm of its one-way capacity, over the time they span. */
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
    FIELDS(spec, poisson)->load_ppb = 600000000;
    FIELDS(spec, poisson)->load_at = tier;
    FIELDS(spec, poisson)->load_bytes = load_bytes;
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

/* Half of the pods take part: the capacity is half, and no host of another pod sends or receives. */
static void workload_generate__among(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    const uint32_t pods[] = {3, 1, 3};
    spec.among = pods;
    spec.n_among = 3;
    FIELDS(spec, poisson)->load_at = TIER_AGG;
    spec.flows = 60000;
    FIELDS(spec, poisson)->load_ppb = 400000000;
    struct flow_list list = generate(&spec, 1, &p, 2);
    for (uint32_t i = 0; i < list.n; i++) {
        assert_true(pod_of(&p, list.flow[i].src) % 2 == 1 && pod_of(&p, list.flow[i].dst) % 2 == 1);
    }
    assert_in_range(load_achieved_ppm(&list, &p, TIER_AGG, false, 2 * 40 * GBPS), 392000, 408000);
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

/* ---- the rate of flows ---- */

/* Web search at load 0.5 of 12 x 180 Gbps, all flows inter-pod: 1,080 Gbps / (8 x 1,711,250 B) = 78,889.7 flows/s. */
static void workload_rate__hand_computed(void **state) {
    (void)state;
    struct population p = population_make(twelve_pods);
    struct sizes *s = sizes_of("web-search");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    FIELDS(spec, poisson)->load_at = TIER_AGG;
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
    FIELDS(spec, poisson)->load_at = TIER_LEAF;
    FIELDS(spec, poisson)->load_bytes = LOAD_WIRE;
    struct workload_rate r;
    struct diag d;
    assert_true(workload_rate(&spec, &p, &r, &d));
    assert_in_range(r.crossing_ppb, 973800000, 973900000);
    assert_int_equal(r.wire_load_ppb, PPB / 2);
    sizes_destroy(s);
    population_free(&p);
}

/* No flow stays within a pod, so every flow crosses the ToR uplinks: the crossing share is 1, although more hosts lie
 * outside the rack than receivers are allowed. Half of the pods have half of the uplinks. */
static void workload_rate__no_more_than_all_flows_cross(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("1000B");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    FIELDS(spec, poisson)->load_at = TIER_LEAF;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(workload_generate__load_at_host),
        UNIT(workload_generate__load_at_tor_uplink),
        UNIT(workload_generate__load_at_agg_uplink),
        UNIT(workload_rate__hand_computed),
        UNIT(workload_rate__share_that_leaves_the_rack),
        UNIT(workload_generate__among),
        UNIT(workload_rate__no_more_than_all_flows_cross),
    };
    return RUN_UNITS(tests);
}
