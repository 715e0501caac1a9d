/* SPDX-License-Identifier: Apache-2.0 */
/* Skewed all-to-alls: the law, the draw, and who gets how much. */
#include "workload/jobs/skew.h"

#include "workload/carry.h"
#include "workload/specs.h"

#include <string.h>

#define RACKS8                                                                                                         \
    { .pods = 1, .racks = 4, .hosts = 8, .host_bps = 100 * GBPS, .leaf_up_bps = 800 * GBPS }

static void assert_near(uint64_t value, uint64_t expected, uint64_t by) {
    if (value + by < expected || value > expected + by)
        fail_msg("%llu, not %llu", (unsigned long long)value, (unsigned long long)expected);
}

/* 2^-32 and 2^32 are exact, the others are rounded: k^-s x 2^32, by hand. */
static void weight__is_a_power(void **state) {
    (void)state;
    const int64_t half = PPB / 2, one = PPB, two = 2 * PPB;
    for (uint32_t k = 1; k <= 1000000; k *= 10) assert_int_equal(skew_weight_q32(k, 0), 1ull << 32);
    for (int64_t s = 0; s <= SKEW_MAX_PPB; s += PPB / 10) assert_int_equal(skew_weight_q32(1, s), 1ull << 32);
    assert_near(skew_weight_q32(2, one), 1ull << 31, 8);
    assert_near(skew_weight_q32(4, half), 1ull << 31, 8);
    assert_near(skew_weight_q32(1024, one), 1ull << 22, 8);
    assert_near(skew_weight_q32(3, one), 1431655765, 8);
    assert_near(skew_weight_q32(10, two), 42949673, 8);
    assert_near(skew_weight_q32(1000000, one), 4295, 1);
    assert_near(skew_weight_q32(2, SKEW_MAX_PPB), 1ull << 28, 8);
    assert_int_equal(skew_weight_q32(1000000, SKEW_MAX_PPB), 0);
    assert_near(skew_weight_q32(7, 300000000), 2395689058, 8); /* 7^-0.3 = 0.55779... */
}

static void weight__falls_with_rank_and_exponent(void **state) {
    (void)state;
    for (int64_t s = PPB / 10; s <= 2 * PPB; s += PPB / 10) {
        for (uint32_t k = 1; k < 200; k++) {
            assert_true(skew_weight_q32(k + 1, s) < skew_weight_q32(k, s));
            if (k > 1) assert_true(skew_weight_q32(k, s) < skew_weight_q32(k, s - PPB / 10));
        }
    }
}

/* Shares add up, each has a byte at least, and sorted they follow the law within the byte that rounding takes or gives. */
static void shares__add_up_and_follow_the_law(void **state) {
    (void)state;
    static const uint32_t sizes[] = {2, 3, 8, 31, 256};
    static const uint64_t most_bytes[] = {0, 5, 100000, 1ull << 50};
    for (size_t i = 0; i < 5; i++) {
        for (int64_t s = 0; s <= SKEW_MAX_PPB; s += PPB / 2) {
            for (size_t b = 0; b < 4; b++) {
                struct skew skew = {.exponent_ppb = s};
                uint64_t bytes = sizes[i] + most_bytes[b], sum = 0, most = 0;
                skew_draw(&skew, sizes[i], 1, 7);
                uint64_t *share = skew_shares(&skew, bytes);
                for (uint32_t m = 0; m < sizes[i]; m++) {
                    uint64_t weight = skew.until[m + 1] - skew.until[m];
                    uint64_t lawful = (uint64_t)((uint128)most_bytes[b] * weight / skew.until[sizes[i]]);
                    assert_near(share[m], 1 + lawful, 1);
                    sum += share[m];
                    most = share[m] > most ? share[m] : most;
                }
                assert_int_equal(sum, bytes);
                if (s == 0 && bytes % sizes[i] == 0) assert_int_equal(most, bytes / sizes[i]);
                free(share);
                skew_fini(&skew);
            }
        }
    }
}

static uint32_t most_popular(uint32_t n, uint64_t seed, uint64_t number) {
    struct skew skew = {.exponent_ppb = PPB};
    uint32_t found = 0;
    skew_draw(&skew, n, seed, number);
    while (skew.until[found + 1] - skew.until[found] != 1ull << 32) found++;
    skew_fini(&skew);
    return found;
}

/* Each of five members is the most popular as often as the others: 2,000 draws, 400 expected, a standard deviation of 18. */
static void draw__favours_nobody(void **state) {
    (void)state;
    uint32_t times[5] = {0}, again = 0;
    for (uint64_t number = 0; number < 2000; number++) {
        times[most_popular(5, 3, number)]++;
        again += most_popular(5, 3, number) == most_popular(5, 3, number + 1); /* of the next layer */
    }
    for (int m = 0; m < 5; m++) assert_in_range(times[m], 400 - 5 * 18, 400 + 5 * 18);
    assert_in_range(again, 400 - 5 * 18, 400 + 5 * 18);
    uint32_t differ = 0;
    for (uint64_t number = 0; number < 100; number++)
        differ += most_popular(64, 3, number) != most_popular(64, 4, number);
    assert_true(differ > 80);
}

/* ---- the collective ---- */

static struct workload_spec exchange(int64_t skew_ppb, uint32_t iterations) {
    struct workload_spec spec = spec_of(&workload_collective, NULL);
    *FIELDS(spec, collective) = (struct collective_fields){.op = OP_ALL_TO_ALL,
                                                           .algorithm = ALGORITHM_COUNT,
                                                           .bytes = 3200,
                                                           .channels = 2,
                                                           .iterations = iterations,
                                                           .window = 3,
                                                           .skew_ppb = skew_ppb};
    spec.placement = PLACEMENT_PACKED;
    return spec;
}

static struct flow_list made(const struct workload_spec *spec, uint64_t seed) {
    struct population p = population_make((struct shape)RACKS8);
    struct flow_list l = generate(spec, 1, &p, seed);
    assert_int_equal(workload_flows_foreseen(spec, &p), l.n);
    assert_int_equal(carried_out(&l), l.n);
    population_free(&p);
    return l;
}

/* Every sender gives the same to a receiver, on each channel, and with what it would keep for itself its buffer is whole. */
static void collective__shares_are_those_of_the_receivers(void **state) {
    (void)state;
    struct workload_spec spec = exchange(PPB, 3);
    struct flow_list l = made(&spec, 5);
    uint64_t hot[3];
    for (uint32_t it = 0; it < 3; it++) {
        uint64_t to[32] = {0}, sent[32] = {0}, all = 0;
        hot[it] = 0;
        for (uint32_t f = 0; f < l.n; f++) {
            const struct flow *flow = &l.flow[f];
            if (flow->index / l.job[0].flows_each != it) continue;
            if (!to[flow->dst]) to[flow->dst] = flow->bytes;
            assert_int_equal(flow->bytes, to[flow->dst]);
            sent[flow->src] += flow->bytes;
        }
        for (uint32_t r = 0; r < 32; r++) {
            assert_int_equal(sent[r] + 2 * to[r], 3200);
            all += to[r];
            if (to[r] > to[hot[it]]) hot[it] = r;
        }
        assert_int_equal(all, 1600);
        assert_near(to[hot[it]], 1 + (1600 - 32) * 1000 / 4058, 1); /* 1 + 1/2 + ... + 1/32 is 4.058 */
    }
    assert_true(hot[0] != hot[1] || hot[1] != hot[2]); /* drawn for each iteration */
    flow_list_free(&l);
}

/* Who sends to whom, and after what, is as without skew; and without skew all is as it was. */
static void collective__only_sizes_differ(void **state) {
    (void)state;
    struct workload_spec skewed = exchange(2 * PPB, 2), plain = exchange(0, 2);
    struct flow_list a = made(&skewed, 5), b = made(&plain, 5);
    assert_int_equal(a.n, b.n);
    for (uint32_t f = 0; f < a.n; f++) {
        struct flow x = a.flow[f], y = b.flow[f];
        assert_int_equal(y.bytes, 50);
        x.bytes = y.bytes;
        assert_memory_equal(&x, &y, sizeof x);
    }
    assert_int_equal(a.gates.n_gates, b.gates.n_gates);
    assert_memory_equal(a.gates.gate, b.gates.gate, a.gates.n_gates * sizeof *a.gates.gate);
    assert_memory_equal(a.gates.gated, b.gates.gated, a.gates.n_gated * sizeof *a.gates.gated);
    assert_memory_equal(a.gates.fed, b.gates.fed, a.gates.n_fed * sizeof *a.gates.fed);
    flow_list_free(&a);
    flow_list_free(&b);
}

static void collective__is_drawn_from_the_seed(void **state) {
    (void)state;
    struct workload_spec spec = exchange(PPB, 1);
    struct flow_list a = made(&spec, 5), again = made(&spec, 5), other = made(&spec, 6);
    uint32_t differ = 0;
    for (uint32_t f = 0; f < a.n; f++) {
        assert_int_equal(a.flow[f].bytes, again.flow[f].bytes);
        differ += a.flow[f].bytes != other.flow[f].bytes;
    }
    assert_true(differ > a.n / 2);
    flow_list_free(&a);
    flow_list_free(&again);
    flow_list_free(&other);
}

static void collective__errors(void **state) {
    (void)state;
    struct population p = population_make((struct shape)RACKS8);
    struct workload_spec spec = exchange(PPB, 1);
    FIELDS(spec, collective)->window = 0;
    FIELDS(spec, collective)->chunk = 20;
    generate_fails(&spec, &p, "chunk: the messages of a skewed all-to-all differ; leave out chunk or skew");
    FIELDS(spec, collective)->chunk = 0;
    FIELDS(spec, collective)->op = OP_ALL_GATHER;
    generate_fails(&spec, &p, "skew: with all-gather all shares are alike, so it would do nothing; leave it out");
    population_free(&p);
}

/* ---- experts ---- */

#define LAYERS 4

/* Two expert groups of four ranks, in a step of so many micro-batches; gradients are nothing to speak of. */
static struct workload_spec experts(int64_t skew_ppb, uint32_t micro_batches) {
    struct workload_spec spec = spec_of(&workload_training, NULL);
    static const char *ranks[] = {"8"};
    *FIELDS(spec, training) = (struct training_fields){.model = MODEL_COUNT,
                                                       .tensor = 1,
                                                       .pipeline = 1,
                                                       .data = 8,
                                                       .expert = 4,
                                                       .layers = LAYERS,
                                                       .micro_batches = micro_batches,
                                                       .buckets = 2,
                                                       .channels = 1,
                                                       .iterations = 1,
                                                       .forward = 10,
                                                       .expert_bytes = 400,
                                                       .gradients = 8,
                                                       .skew_ppb = skew_ppb,
                                                       .scale_up_bps = SCALE_UP_OF_MODEL,
                                                       .algorithm = ALGORITHM_COUNT,
                                                       .rank = ranks,
                                                       .n_names = 1};
    spec.placement = PLACEMENT_PACKED;
    return spec;
}

/* The messages of a rank to each member of its group in the order in which they are made: to the experts, and back, layer after
 * layer, pass after pass. */
struct sent {
    uint64_t bytes[8][8][64];
    uint32_t n[8][8];
};

static void sent_fill(struct sent *s, const struct flow_list *l) {
    struct flow const **by_index = calloc(l->n, sizeof *by_index);
    memset(s, 0, sizeof *s);
    for (uint32_t f = 0; f < l->n; f++) by_index[l->flow[f].index] = &l->flow[f];
    for (uint32_t i = 0; i < l->n; i++) {
        const struct flow *flow = by_index[i];
        if (flow->bytes > 1 && flow->src / 4 == flow->dst / 4)
            s->bytes[flow->src][flow->dst][s->n[flow->src][flow->dst]++] = flow->bytes;
    }
    free(by_index);
}

static void training__what_goes_to_experts_comes_back(void **state) {
    (void)state;
    struct workload_spec spec = experts(PPB, 1);
    struct flow_list l = made(&spec, 5);
    struct sent *s = calloc(1, sizeof *s);
    sent_fill(s, &l);
    for (uint32_t a = 0; a < 8; a++) {
        for (uint32_t b = a / 4 * 4; b < a / 4 * 4 + 4; b++) {
            if (a == b) continue;
            assert_int_equal(s->n[a][b], 4 * LAYERS);
            for (uint32_t i = 0; i < 4 * LAYERS; i += 2) {
                assert_int_equal(s->bytes[a][b][i], s->bytes[b][a][i + 1]);                 /* there, and back */
                assert_int_equal(s->bytes[a][b][i], s->bytes[(a + 4) % 8][(b + 4) % 8][i]); /* in both groups */
                assert_int_equal(s->bytes[a][b][i],
                                 s->bytes[a][b][4 * LAYERS - 2 - i]); /* the way back, layer by layer */
            }
        }
    }
    uint64_t there = 0;
    for (uint32_t b = 1; b < 4; b++) there += s->bytes[0][b][0];
    assert_int_equal(there + s->bytes[1][0][0], 400); /* with its own share the buffer is whole */
    free(s);
    flow_list_free(&l);
}

/* Every layer has its own popular experts; micro-batches have those of the step. */
static void training__each_layer_is_drawn(void **state) {
    (void)state;
    struct workload_spec spec = experts(PPB, 2);
    struct flow_list l = made(&spec, 5);
    struct sent *s = calloc(1, sizeof *s);
    sent_fill(s, &l);
    uint32_t differ = 0;
    assert_int_equal(s->n[0][1], 8 * LAYERS);
    for (uint32_t b = 1; b < 4; b++) {
        for (uint32_t i = 0; i < 2 * LAYERS; i += 2) {
            differ += i > 0 && s->bytes[0][b][i] != s->bytes[0][b][0];
            /* one stage: forward and backward passes by turns, the second forward pass behind those of the first batch */
            assert_int_equal(s->bytes[0][b][i], s->bytes[0][b][4 * LAYERS + i]);
        }
    }
    assert_true(differ > 0);
    free(s);
    flow_list_free(&l);
}

static void training__without_skew_all_is_as_it_was(void **state) {
    (void)state;
    struct workload_spec spec = experts(0, 1);
    struct flow_list l = made(&spec, 5);
    struct sent *s = calloc(1, sizeof *s);
    sent_fill(s, &l);
    for (uint32_t i = 0; i < 4 * LAYERS; i++) assert_int_equal(s->bytes[0][1][i], 100);
    free(s);
    flow_list_free(&l);
}

static void training__needs_experts(void **state) {
    (void)state;
    struct population p = population_make((struct shape)RACKS8);
    struct workload_spec spec = experts(PPB, 1);
    FIELDS(spec, training)->expert = 1;
    FIELDS(spec, training)->expert_bytes = 0;
    generate_fails(&spec, &p, "skew: there are no experts (expert), so it would do nothing; leave it out");
    population_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(weight__is_a_power),
        UNIT(weight__falls_with_rank_and_exponent),
        UNIT(shares__add_up_and_follow_the_law),
        UNIT(draw__favours_nobody),
        UNIT(collective__shares_are_those_of_the_receivers),
        UNIT(collective__only_sizes_differ),
        UNIT(collective__is_drawn_from_the_seed),
        UNIT(collective__errors),
        UNIT(training__what_goes_to_experts_comes_back),
        UNIT(training__each_layer_is_drawn),
        UNIT(training__without_skew_all_is_as_it_was),
        UNIT(training__needs_experts),
    };
    return RUN_UNITS(tests);
}
