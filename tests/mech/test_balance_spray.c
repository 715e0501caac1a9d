/* SPDX-License-Identifier: Apache-2.0 */
/* Packet spraying: an even choice for each frame, in both modes. */
#include "balance_harness.h"

#include "mech/balance/balancers.h"

enum { RANDOM, ROUND_ROBIN };

static struct bench *bench_spraying(int mode, uint32_t pods, uint32_t tors, uint32_t aggs, uint32_t cores) {
    struct bench *b = bench_new("spray");
    bench_set(b, "mode", mode);
    return bench_build(b, pods, tors, aggs, cores);
}

/* Returns the number of the path that a frame took in a fabric of 2 pods with one ToR each. */
static uint32_t path_taken(const struct bench *b, const struct trip *t) {
    return (t->port[0] - BENCH_HOSTS) * b->cores + t->port[1] - b->tors;
}

/* Sends the next frame of one flow from host 0 to `dst`. Returns its agg. */
static uint32_t agg_taken(struct bench *b, uint32_t dst) {
    struct trip t = bench_send(b, bench_data(b, 0, dst, 4000), 0);
    assert_true(t.delivered);
    return t.port[0] - BENCH_HOSTS;
}

static void spray_route__frames_of_one_flow_spread_over_all_paths(void **state) {
    (void)state;
    struct bench *b = bench_spraying(RANDOM, 2, 1, 2, 3);
    int64_t seen[6] = {0}, sum = 0;
    uint32_t repeated = 0, last = 0;
    for (uint32_t i = 0; i < 6000; i++) {
        struct trip t = bench_send(b, bench_data(b, 0, 2, 4000), 0);
        uint32_t path = path_taken(b, &t);
        assert_true(t.delivered);
        assert_int_equal(t.n, 5);
        repeated += path == last;
        seen[last = path]++;
    }
    for (int i = 0; i < 6; i++) sum += (seen[i] - 1000) * (seen[i] - 1000);
    assert_true(sum < 20500);                          /* chi-square with 5 degrees of freedom: 99.9 % are below 20.5 */
    assert_in_range(repeated, 1000 - 120, 1000 + 120); /* independent of the frame before; standard deviation 29 */
    bench_end(b);
}

static void spray_route__seed_decides(void **state) {
    (void)state;
    uint32_t same = 0;
    for (int mode = RANDOM; mode <= ROUND_ROBIN; mode++) {
        struct bench *a = bench_spraying(mode, 2, 1, 4, 4), *again = bench_spraying(mode, 2, 1, 4, 4);
        struct bench *other = bench_new("spray");
        other->seed = 2;
        bench_set(other, "mode", mode);
        bench_build(other, 2, 1, 4, 4);
        for (int i = 0; i < 200; i++) {
            struct trip t = bench_send(a, bench_data(a, 0, 2, 1), 0),
                        u = bench_send(again, bench_data(again, 0, 2, 1), 0),
                        v = bench_send(other, bench_data(other, 0, 2, 1), 0);
            assert_memory_equal(t.port, u.port, sizeof t.port);
            if (mode == RANDOM) same += path_taken(a, &t) == path_taken(other, &v);
        }
        bench_end(a);
        bench_end(again);
        bench_end(other);
    }
    assert_in_range(same, 2, 30); /* 1 in 16 by chance */
}

/* Any n frames in a row to one rack take n different next hops, whatever goes to other racks in between. */
static void spray_route__round_robin_for_each_rack(void **state) {
    (void)state;
    struct bench *b = bench_spraying(ROUND_ROBIN, 1, 4, 4, 0);
    const uint32_t host[] = {2, 4, 6};
    uint32_t last[3];
    for (int k = 0; k < 3; k++) last[k] = agg_taken(b, host[k]);
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t k = (i * i + i / 7) % 3, agg = agg_taken(b, host[k]);
        assert_int_equal(agg, (last[k] + 1) % 4);
        last[k] = agg;
    }
    bench_end(b);
}

static void spray_route__round_robin_starts_apart(void **state) {
    (void)state;
    struct bench *b = bench_spraying(ROUND_ROBIN, 1, 20, 4, 0);
    uint32_t seen[4] = {0};
    for (uint32_t tor = 1; tor < 20; tor++) seen[agg_taken(b, tor * BENCH_HOSTS)]++;
    for (int i = 0; i < 4; i++) assert_true(seen[i] > 0);
    bench_end(b);
}

static void spray_route__withdrawn_link_is_not_taken(void **state) {
    (void)state;
    for (int mode = RANDOM; mode <= ROUND_ROBIN; mode++) {
        struct bench *b = bench_spraying(mode, 1, 2, 4, 0);
        uint32_t seen[4] = {0};
        for (int i = 0; i < 3; i++) agg_taken(b, 2);
        bench_cut(b, bench_agg(b, 0, 3), bench_tor(b, 0, 1), 0);
        for (int i = 0; i < 300; i++) seen[agg_taken(b, 2)]++;
        assert_int_equal(seen[3], 0);
        for (int i = 0; i < 3; i++) {
            if (mode == ROUND_ROBIN)
                assert_int_equal(seen[i], 100);
            else
                assert_in_range(seen[i], 70, 130);
        }
        bench_end(b);
    }
}

static void spray__may_reorder(void **state) {
    (void)state;
    assert_true(balance_spray.reorders);
    assert_false(balance_ecmp.reorders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spray_route__frames_of_one_flow_spread_over_all_paths),
        cmocka_unit_test(spray_route__seed_decides),
        cmocka_unit_test(spray_route__round_robin_for_each_rack),
        cmocka_unit_test(spray_route__round_robin_starts_apart),
        cmocka_unit_test(spray_route__withdrawn_link_is_not_taken),
        cmocka_unit_test(spray__may_reorder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
