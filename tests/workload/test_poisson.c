/* SPDX-License-Identifier: Apache-2.0 */
/* Poisson arrivals: gaps, senders and receivers, pairs, the end of the sequence, and what is refused. */
#include "workload/workload.h"

#include "flow_checks.h"
#include "specs.h"

/* The gaps between all arrivals are exponential: their mean follows from the rate, and a share of 1/e exceeds it. */
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

/* ---- the end of the sequence ---- */

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
    for (uint32_t i = 0; i < by_time.n; i++) assert_same_flow(&by_time.flow[i], &by_count.flow[i]);
    assert_true(by_count.flow[by_time.n].start > 2 * PS_PER_MS);
    flow_list_free(&by_time);
    flow_list_free(&by_count);
    sizes_destroy(s);
    population_free(&p);
}

/* A flow that starts exactly at `until` belongs to the run; one that starts a picosecond later does not. */
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

/* `stop` is outside: a flow that would start at it is not made. The flows before it are the same. */
static void workload_generate__stop_cuts_the_same_sequence(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.flows = 100;
    struct flow_list all = generate(&spec, 1, &p, 2);
    for (uint64_t flows = 0; flows <= 100; flows += 50) { /* none, fewer than arrive, more */
        for (int later = 0; later < 2; later++) {
            spec.flows = flows;
            spec.stop = all.flow[79].start + later;
            struct flow_list cut = generate(&spec, 1, &p, 2);
            assert_int_equal(cut.n, flows == 50 ? 50 : 79 + later);
            for (uint32_t i = 0; i < cut.n; i++) assert_same_flow(&cut.flow[i], &all.flow[i]);
            flow_list_free(&cut);
        }
    }
    flow_list_free(&all);
    sizes_destroy(s);
    population_free(&p);
}

/* Of stop and the run's end the first counts; a start moves all flows, and the stop stays. */
static void workload_generate__stop_start_and_until(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.stop = 2 * PS_PER_MS;
    struct flow_list by_stop = generate(&spec, 1, &p, 2);
    spec.until = PS_PER_MS;
    struct flow_list by_until = generate(&spec, 1, &p, 2);
    assert_true(by_until.n < by_stop.n * 6 / 10);
    assert_true(by_until.flow[by_until.n - 1].start <= PS_PER_MS);
    spec.until = TIME_NONE;
    spec.start = PS_PER_MS;
    struct flow_list late = generate(&spec, 1, &p, 2);
    assert_true(late.n < by_stop.n * 6 / 10);
    for (uint32_t i = 0; i < late.n; i++) assert_int_equal(late.flow[i].start, by_stop.flow[i].start + PS_PER_MS);
    flow_list_free(&by_stop);
    flow_list_free(&by_until);
    flow_list_free(&late);
    sizes_destroy(s);
    population_free(&p);
}

/* What is foreseen lies within 10 % of some thousand arrivals, and is exact where `flows` counts. */
static void workload_foresee__stop(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4);
    struct sizes *s = sizes_of("100KB");
    struct workload_spec spec = spec_of(&workload_poisson, s);
    spec.start = 5 * PS_PER_MS;
    spec.stop = 105 * PS_PER_MS;
    struct flow_list list = generate(&spec, 1, &p, 2);
    uint64_t n = workload_flows_foreseen(&spec, &p);
    assert_true(list.n > 2000);
    assert_in_range(n, list.n * 9 / 10, list.n * 11 / 10);
    spec.flows = 10;
    assert_int_equal(workload_flows_foreseen(&spec, &p), 10);
    spec.flows = 100 * n;
    assert_int_equal(workload_flows_foreseen(&spec, &p), n);
    spec.until = 6 * PS_PER_MS; /* as many are made: `flows` goes on behind the run's end */
    assert_int_equal(workload_flows_foreseen(&spec, &p), n);
    spec.flows = 0;
    assert_in_range(workload_flows_foreseen(&spec, &p), n / 100 - 1, n / 100 + 1);
    flow_list_free(&list);
    sizes_destroy(s);
    population_free(&p);
}

/* ---- errors ---- */

static void workload_generate__poisson_errors(void **state) {
    (void)state;
    struct population p = population_make(fat_tree_4), two = population_make(leaf_spine);
    struct population star = population_make((struct shape){1, 1, 4, GBPS, 0, 0});
    struct population lone = population_make((struct shape){1, 1, 1, GBPS, 0, 0});
    struct sizes *s = sizes_of("web-server");
    struct workload_spec spec = spec_of(&workload_poisson, s), bad = spec;
    generate_fails(&bad, &p, "give flows or stop, or run.until");
    spec.flows = 10;
    bad = spec;
    generate_fails(&bad, &lone, "fewer than two hosts");
    FIELDS(bad, poisson)->load_at = TIER_AGG;
    generate_fails(&bad, &two, "load_at: agg-uplink: this fabric has no such tier; it has: host, tor-uplink");
    FIELDS(bad, poisson)->load_at = TIER_LEAF;
    generate_fails(&bad, &star, "load_at: tor-uplink: this fabric has no such tier; it has: host");
    const uint32_t pods[] = {2, 4}, first[] = {0};
    ((int64_t *)two.leaf_up_bps)[0] = 0;
    bad.among = first;
    bad.n_among = 1;
    generate_fails(&bad, &two, "load_at: tor-uplink: the members have no links there; widen among");
    bad = spec; /* the own fields of the two are the same */
    FIELDS(bad, poisson)->load_at = TIER_HOST;
    bad.among = pods;
    bad.n_among = 2;
    generate_fails(&bad, &p, "there is no pod 4; they are numbered 0 to 3");
    generate_fails(&bad, &two, "there is no rack 4; they are numbered 0 to 3");
    bad.n_among = 1;
    FIELDS(bad, poisson)->load_at = TIER_AGG;
    generate_fails(&bad, &p, "no pair of hosts sends across it");
    bad.pairs = PAIRS_INTER_POD;
    generate_fails(&bad, &p, "no pair of hosts lies in different pods");
    bad = spec;
    FIELDS(bad, poisson)->load_at = TIER_HOST;
    FIELDS(bad, poisson)->load_ppb = 0;
    generate_fails(&bad, &p, "the load must be above 0");
    sizes_destroy(s);
    population_free(&p);
    population_free(&two);
    population_free(&star);
    population_free(&lone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(workload_generate__gaps_are_exponential),
        UNIT(workload_generate__every_host_sends_and_receives_alike),
        UNIT(workload_generate__pairs),
        UNIT(workload_generate__until_cuts_the_same_sequence),
        UNIT(workload_generate__poisson_errors),
        UNIT(workload_generate__until_is_inside),
        UNIT(workload_generate__stop_cuts_the_same_sequence),
        UNIT(workload_generate__stop_start_and_until),
        UNIT(workload_foresee__stop),
    };
    return RUN_UNITS(tests);
}
