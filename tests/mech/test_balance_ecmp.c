/* SPDX-License-Identifier: Apache-2.0 */
/* ECMP, the hashes it rests on (EXP-44, AM-11), and the table of balancers. */
#include "balance_harness.h"

#include "mech/balance/balancers.h"
#include "mech/balance/hash.h"

static struct packet flow(uint32_t src, uint32_t dst, uint16_t src_port, uint16_t dst_port) {
    return (struct packet){.src_ip = bench_ip(src),
                           .dst_ip = bench_ip(dst),
                           .src_port = src_port,
                           .dst_port = dst_port,
                           .proto = PROTO_TCP};
}

/* Returns chi-square: the sum of (seen - expected)^2 / expected. With 5 degrees of freedom 99.9 % of fair draws are
 * below 20.5. */
static int64_t chi_square(const uint32_t *seen, uint32_t bins, uint32_t draws) {
    int64_t sum = 0, expected = draws / bins;
    for (uint32_t i = 0; i < bins; i++) sum += ((int64_t)seen[i] - expected) * ((int64_t)seen[i] - expected);
    return sum / expected;
}

static void hash_pick__spreads_flows_evenly(void **state) {
    (void)state;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        uint32_t seen[6] = {0};
        for (uint32_t i = 0; i < 60000; i++) {
            struct packet p = flow(i % 16, 16 + i % 7, (uint16_t)(1024 + i), 80);
            seen[hash_pick(symmetric ? hash_flow_symmetric(&p, 99) : hash_flow(&p, 99), 6)]++;
        }
        assert_true(chi_square(seen, 6, 60000) < 21);
    }
}

static void hash_flow_key__ids_collide_at_the_birthday_rate(void **state) {
    (void)state;
    static uint8_t taken[65536];
    uint32_t collisions = 0;
    for (uint32_t i = 0; i < 8192; i++) {
        struct packet p = flow(i % 100, 100 + i % 3, (uint16_t)(5000 + i), 80);
        uint16_t id = (uint16_t)hash_flow_key(hash_flow(&p, 5));
        collisions += taken[id]++ > 0;
    }
    assert_in_range(collisions, 420, 560); /* 8192 - 65536 (1 - e^(-1/8)) = 491 expected, standard deviation about 21 */
}

static void hash_flow__one_bit_of_input_changes_half_of_the_output(void **state) {
    (void)state;
    uint64_t base = hash_tuple(bench_ip(3), bench_ip(9), 1000, 80, PROTO_TCP, 7);
    uint32_t flipped = 0;
    for (int bit = 0; bit < 32; bit++)
        flipped += (uint32_t)__builtin_popcountll(
            base ^ hash_tuple(bench_ip(3) ^ 1u << bit, bench_ip(9), 1000, 80, PROTO_TCP, 7));
    for (int bit = 0; bit < 16; bit++)
        flipped += (uint32_t)__builtin_popcountll(
            base ^ hash_tuple(bench_ip(3), bench_ip(9), (uint16_t)(1000 ^ 1u << bit), 80, PROTO_TCP, 7));
    assert_in_range(flipped, 48 * 27, 48 * 37);
}

static void hash_flow_answered__finds_the_flow_of_a_response(void **state) {
    (void)state;
    struct packet a = flow(1, 9, 5000, 80), answer = flow(9, 1, 5000, 80), b = flow(9, 1, 80, 5000);
    assert_int_equal(hash_flow_answered(&answer, 3), hash_flow(&a, 3));
    assert_int_not_equal(hash_flow(&answer, 3), hash_flow(&b, 3)); /* EXP-26: the response swaps only the addresses */
    struct packet same = flow(1, 9, 80, 80), same_answer = flow(9, 1, 80, 80), same_b = flow(9, 1, 80, 80);
    assert_int_equal(hash_flow_answered(&same_answer, 3), hash_flow(&same, 3));
    assert_int_equal(hash_flow(&same_answer, 3), hash_flow(&same_b, 3)); /* unless the ports are equal */
}

static void ecmp_route__one_flow_one_path(void **state) {
    (void)state;
    struct bench *b = bench_build(bench_new("ecmp"), 2, 2, 4, 2);
    struct trip first = bench_send(b, bench_syn(b, 0, 7, 4000), 0);
    assert_true(first.delivered);
    assert_int_equal(first.n, 5);
    for (int i = 1; i < 20; i++) {
        struct trip t = bench_send(b, bench_data(b, 0, 7, 4000), i * PS_PER_S);
        assert_memory_equal(t.port, first.port, sizeof t.port);
    }
    bench_end(b);
}

static void ecmp_route__flows_spread_over_all_paths(void **state) {
    (void)state;
    struct bench *b = bench_build(bench_new("ecmp"), 2, 1, 2, 3);
    uint32_t seen[6] = {0};
    for (uint32_t i = 0; i < 6000; i++) {
        struct trip t = bench_send(b, bench_syn(b, 0, 2, (uint16_t)(1000 + i)), 0);
        seen[(t.port[0] - BENCH_HOSTS) * 3 + t.port[1] - 1]++;
    }
    assert_true(chi_square(seen, 6, 6000) < 21); /* the salts of ToR and agg are independent */
    bench_end(b);
}

/* AM-11: with a symmetric hash both directions of a connection take one path. */
static void ecmp_route__symmetric_hash_gives_both_directions_one_path(void **state) {
    (void)state;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        struct bench *b = bench_new("ecmp");
        bench_set(b, "hash", symmetric);
        bench_build(b, 2, 2, 4, 3);
        int same = 0;
        for (uint16_t i = 0; i < 200; i++) {
            struct trip there = bench_send(b, bench_frame(b, 0, 7, i, 80, TCP_SYN, 0), 0);
            struct trip back = bench_send(b, bench_frame(b, 7, 0, 80, i, TCP_SYN | TCP_ACK, 0), 0);
            bool mirrored = true;
            for (uint32_t k = 0; k < there.n; k++) mirrored &= there.node[k] == back.node[there.n - 1 - k];
            same += mirrored;
        }
        if (symmetric)
            assert_int_equal(same, 200);
        else
            assert_in_range(same, 2, 40); /* 1 in 12 by chance */
        bench_end(b);
    }
}

static void ecmp_route__withdrawn_link_is_not_taken(void **state) {
    (void)state;
    struct bench *b = bench_build(bench_new("ecmp"), 2, 2, 2, 2);
    bench_cut(b, bench_agg(b, 1, 0), bench_tor(b, 1, 1), 0); /* remote: pod 1's agg 0 has lost that ToR */
    for (uint16_t i = 0; i < 100; i++) {
        struct trip t = bench_send(b, bench_syn(b, 0, 7, i), 1);
        assert_true(t.delivered);
        assert_int_equal(t.node[1], bench_agg(b, 0, 1));
    }
    bench_end(b);
}

/* A switch picks next hops itself for such a balancer (node/forward.h). */
static void picks_by_hash__the_route_is_that_of_the_hash(void **state) {
    (void)state;
    static const uint16_t choice[] = {4, 7, 8, 11, 13};
    size_t n, picking = 0;
    const struct balancer_ops *const *all = balancers(&n);
    for (size_t i = 0; i < n; i++) {
        if (!all[i]->picks_by_hash) continue;
        picking++;
        assert_true(all[i]->blind);
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            struct bench *b = bench_new(all[i]->name);
            if (all[i]->can_be_symmetric) b->params[all[i]->symmetric_param] = symmetric;
            bench_build(b, 2, 2, 4, 2);
            void *s = b->sw[0].state;
            for (uint32_t k = 0; k < 1000; k++) {
                struct packet p = flow(k % 16, 16 + k % 7, (uint16_t)(1024 + k), 80);
                struct balance_query q = {.choice = choice, .n_choices = 1 + k % 5};
                struct balance_out out = {.emit = UINT32_MAX};
                assert_int_equal(all[i]->route(s, &q, &p, &out), flow_hash_pick(s, &p, choice, q.n_choices));
            }
            bench_end(b);
        }
    }
    assert_true(picking > 0);
}

static void balancer_find__names_with_dash_or_underscore(void **state) {
    (void)state;
    assert_ptr_equal(balancer_find("conga-flow"), &balance_conga_flow);
    assert_ptr_equal(balancer_find("conga_flow"), &balance_conga_flow);
    assert_ptr_equal(balancer_find("ecmp"), &balance_ecmp);
    assert_null(balancer_find("conga"));
    assert_null(balancer_find("conga-flows"));
    assert_null(balancer_find(""));
}

/* Every row has a name, a paper and a text, and defaults in range. */
static void balancers__rows_are_complete(void **state) {
    (void)state;
    size_t n;
    const struct balancer_ops *const *row = balancers(&n);
    assert_in_range(n, 4, 100);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(row[i]->name);
        assert_non_null(row[i]->paper);
        assert_non_null(row[i]->doc);
        assert_non_null(row[i]->route);
        for (size_t k = 0; k < row[i]->n_params; k++) {
            const struct param *p = &row[i]->params[k];
            assert_non_null(p->name);
            assert_non_null(p->doc);
            assert_true(p->min <= p->def && p->def <= p->max);
        }
        for (size_t k = 0; k < row[i]->n_counters; k++) assert_non_null(row[i]->counters[k].doc);
        if (!row[i]->wants_loads) continue;
        assert_int_equal(row[i]->params[row[i]->dre_period_param].type, PARAM_TIME);
        assert_int_equal(row[i]->params[row[i]->dre_alpha_param].type, PARAM_FRACTION);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_pick__spreads_flows_evenly),
        cmocka_unit_test(hash_flow_key__ids_collide_at_the_birthday_rate),
        cmocka_unit_test(hash_flow__one_bit_of_input_changes_half_of_the_output),
        cmocka_unit_test(hash_flow_answered__finds_the_flow_of_a_response),
        cmocka_unit_test(ecmp_route__one_flow_one_path),
        cmocka_unit_test(ecmp_route__flows_spread_over_all_paths),
        cmocka_unit_test(ecmp_route__symmetric_hash_gives_both_directions_one_path),
        cmocka_unit_test(ecmp_route__withdrawn_link_is_not_taken),
        cmocka_unit_test(picks_by_hash__the_route_is_that_of_the_hash),
        cmocka_unit_test(balancer_find__names_with_dash_or_underscore),
        cmocka_unit_test(balancers__rows_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
