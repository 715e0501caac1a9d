/* SPDX-License-Identifier: Apache-2.0 */
/* Clairvoyant (EXP-42): its choice against a search over all paths, and the life of its pins. */
#include "balance_harness.h"

static struct bench *clos(uint32_t pods, uint32_t tors, uint32_t aggs, uint32_t cores) {
    return bench_build(bench_new("clairvoyant"), pods, tors, aggs, cores);
}

static int64_t board_at(struct bench *b, uint32_t node, uint32_t neighbour) {
    return b->board_ps[bench_global(b, node, neighbour)];
}

static int64_t worst_of_trip(struct bench *b, const struct trip *t) {
    int64_t worst = 0;
    for (uint32_t i = 0; i + 1 < t->n; i++) worst = max_i64(worst, b->board_ps[b->first_port[t->node[i]] + t->port[i]]);
    return worst;
}

/* Returns the least load of a path from ToR (0, 0) to ToR (1, 0): the minimum over agg a and core c of the worst of the
 * four hops. */
static int64_t best_by_search(struct bench *b) {
    int64_t best = INT64_MAX;
    for (uint32_t a = 0; a < b->aggs; a++)
        for (uint32_t c = 0; c < b->cores; c++) {
            uint32_t agg = bench_agg(b, 0, a), core = bench_core(b, a, c), far = bench_agg(b, 1, a);
            int64_t up = max_i64(board_at(b, bench_tor(b, 0, 0), agg), board_at(b, agg, core));
            int64_t down = max_i64(board_at(b, core, far), board_at(b, far, bench_tor(b, 1, 0)));
            best = min_i64(best, max_i64(up, down));
        }
    return best;
}

static void random_board(struct bench *b, struct random_stream *r) {
    for (uint32_t i = b->first_port[b->n_hosts]; i < b->first_port[b->n_nodes]; i++)
        b->board_ps[i] = (int64_t)random_below(r, BENCH_FULL);
}

static void route__new_flow_takes_the_best_of_all_paths(void **state) {
    (void)state;
    struct bench *b = clos(2, 2, 3, 3);
    struct random_stream r;
    random_init(&r, 1, RANDOM_HOST, 0);
    for (uint16_t flow = 0; flow < 300; flow++) {
        random_board(b, &r);
        struct trip t = bench_send(b, bench_syn(b, 0, bench_host(b, 1, 0, 0), flow), flow);
        assert_true(t.delivered);
        assert_int_equal(worst_of_trip(b, &t), best_by_search(b));
    }
    assert_int_equal(bench_count(b, "paths_chosen"), 300);
    bench_end(b);
}

static void route__two_hops_inside_a_pod_and_in_leaf_spine(void **state) {
    (void)state;
    for (uint32_t cores = 0; cores <= 2; cores += 2) {
        struct bench *b = clos(cores ? 2 : 1, 2, 4, cores);
        struct random_stream r;
        random_init(&r, 2, RANDOM_HOST, 0);
        for (uint16_t flow = 0; flow < 100; flow++) {
            random_board(b, &r);
            int64_t best = INT64_MAX;
            for (uint32_t a = 0; a < 4; a++)
                best = min_i64(best, max_i64(board_at(b, bench_tor(b, 0, 0), bench_agg(b, 0, a)),
                                             board_at(b, bench_agg(b, 0, a), bench_tor(b, 0, 1))));
            struct trip t = bench_send(b, bench_syn(b, 0, 2, flow), flow);
            assert_int_equal(t.n, 3);
            assert_int_equal(worst_of_trip(b, &t), best);
        }
        bench_end(b);
    }
}

static void route__later_packets_keep_the_path_whatever_the_board_says(void **state) {
    (void)state;
    struct bench *b = clos(2, 2, 3, 3);
    struct random_stream r;
    random_init(&r, 3, RANDOM_HOST, 0);
    struct trip first[50];
    for (int round = 0; round < 4; round++)
        for (uint16_t flow = 0; flow < 50; flow++) {
            random_board(b, &r);
            struct trip t = bench_send(b, bench_data(b, 0, 7, flow), round * 90 * PS_PER_MS);
            if (round == 0) first[flow] = t;
            assert_memory_equal(t.port, first[flow].port, sizeof t.port);
        }
    assert_int_equal(bench_count(b, "paths_chosen"), 50);
    bench_end(b);
}

static void route__idle_flow_is_given_a_new_path(void **state) {
    (void)state;
    struct bench *b = clos(2, 2, 3, 3);
    bench_send(b, bench_data(b, 0, 7, 1), 0);
    bench_send(b, bench_data(b, 0, 7, 1), 100 * PS_PER_MS - 1);
    assert_int_equal(bench_count(b, "paths_chosen"), 1);
    bench_send(b, bench_data(b, 0, 7, 1), 200 * PS_PER_MS - 1);
    assert_int_equal(bench_count(b, "paths_chosen"), 2);
    bench_end(b);
}

static void route__idle_paths_are_shared_evenly(void **state) {
    (void)state;
    struct bench *b = clos(2, 1, 2, 2);
    uint32_t seen[4] = {0};
    for (uint16_t flow = 0; flow < 400; flow++) {
        struct trip t = bench_send(b, bench_syn(b, 0, 2, flow), 0);
        seen[(t.port[0] - BENCH_HOSTS) * 2 + t.port[1] - 1]++;
    }
    for (int i = 0; i < 4; i++) assert_in_range(seen[i], 65, 135);
    bench_end(b);
}

static void route__dead_paths_are_left_and_not_chosen(void **state) {
    (void)state;
    struct bench *b = clos(2, 2, 2, 2);
    for (uint16_t flow = 0; flow < 60; flow++) bench_send(b, bench_syn(b, 0, 7, flow), 0);
    bench_cut(b, bench_tor(b, 0, 0), bench_agg(b, 0, 0), 1);
    bench_cut(b, bench_agg(b, 1, 1), bench_core(b, 1, 0), 2);
    for (uint16_t flow = 0; flow < 120; flow++) { /* flows 0 to 59 are pinned, the others new */
        struct trip t = bench_send(b, bench_data(b, 0, 7, flow), 3);
        assert_true(t.delivered);
        assert_int_equal(t.node[1], bench_agg(b, 0, 1));
        assert_int_equal(t.node[2], bench_core(b, 1, 1));
    }
    assert_in_range(bench_count(b, "paths_dead"), 15, 45);
    bench_end(b);
}

/* Every flow has a pin of its own, and the table frees its memory when pins expire. */
static void pins__are_exact_and_forgotten(void **state) {
    (void)state;
    struct bench *b = clos(2, 1, 2, 2);
    for (uint32_t flow = 0; flow < 3000; flow++) bench_send(b, bench_frame(b, 0, 2, (uint16_t)flow, 80, 0, 0), 0);
    assert_int_equal(bench_count(b, "paths_chosen"), 3000);
    uint64_t full = b->ops->memory_bytes(b->sw[0].state);
    bench_send(b, bench_data(b, 0, 2, 1), 500 * PS_PER_MS);
    assert_int_equal(bench_count(b, "pins_expired"), 3000);
    assert_true(b->ops->memory_bytes(b->sw[0].state) * 100 < full);
    bench_end(b);
}

/* ---- as the authors' simulator has it: levels, trigger ---- */

/* Returns how many of 100 new flows take spine 0 of two whose ways down carry these loads, in thousandths of a link. */
static uint32_t flows_on_spine_0(int64_t levels, int64_t first, int64_t second) {
    struct bench *b = bench_new("clairvoyant");
    bench_set(b, "levels", levels);
    bench_build(b, 1, 2, 2, 0);
    bench_load_ps(b, bench_agg(b, 0, 0), bench_tor(b, 0, 1), 0, BENCH_FULL / 1000 * first);
    bench_load_ps(b, bench_agg(b, 0, 1), bench_tor(b, 0, 1), 0, BENCH_FULL / 1000 * second);
    uint32_t n = 0;
    for (uint16_t flow = 0; flow < 100; flow++)
        n += bench_send(b, bench_syn(b, 0, 2, flow), 0).node[1] == bench_agg(b, 0, 0);
    bench_end(b);
    return n;
}

/* With 8 levels .38 and .49 are level 3 and tie, .51 is level 4; all loads from .875 on are level 7. */
static void levels__loads_of_one_level_tie(void **state) {
    (void)state;
    assert_int_equal(flows_on_spine_0(0, 380, 490), 100);
    assert_in_range(flows_on_spine_0(8, 380, 490), 30, 70);
    assert_int_equal(flows_on_spine_0(8, 490, 510), 100);
    assert_int_equal(flows_on_spine_0(8, 510, 490), 0);
    assert_in_range(flows_on_spine_0(8, 1300, 880), 30, 70);
    assert_int_equal(flows_on_spine_0(0, 1300, 880), 0);
    assert_int_equal(flows_on_spine_0(16, 380, 490), 100);
}

/* Only a SYN chooses. The opposite direction and flows without a SYN go by ECMP, at both switches upwards. */
static void trigger__syn_alone_chooses(void **state) {
    (void)state;
    struct bench *b = bench_new("clairvoyant");
    bench_set(b, "trigger", 1);
    bench_build(b, 2, 1, 2, 2);
    struct random_stream r;
    random_init(&r, 4, RANDOM_HOST, 0);
    uint32_t best = 0;
    for (uint16_t flow = 0; flow < 100; flow++) {
        random_board(b, &r);
        struct trip syn = bench_send(b, bench_syn(b, 0, 2, flow), 0);
        assert_int_equal(worst_of_trip(b, &syn), best_by_search(b));
        random_board(b, &r);
        struct trip data = bench_send(b, bench_data(b, 0, 2, flow), 1);
        assert_memory_equal(data.port, syn.port, sizeof syn.port);
        struct trip other = bench_send(b, bench_data(b, 0, 2, (uint16_t)(1000 + flow)), 1);
        best += worst_of_trip(b, &other) == best_by_search(b);
        bench_send(b, bench_frame(b, 2, 0, 80, flow, TCP_SYN | TCP_ACK, 0), 1);
    }
    assert_int_equal(bench_count(b, "paths_chosen"), 100);
    assert_in_range(best, 10, 60); /* one of four paths */
    bench_end(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(route__new_flow_takes_the_best_of_all_paths),
        cmocka_unit_test(route__two_hops_inside_a_pod_and_in_leaf_spine),
        cmocka_unit_test(route__later_packets_keep_the_path_whatever_the_board_says),
        cmocka_unit_test(route__idle_flow_is_given_a_new_path),
        cmocka_unit_test(route__idle_paths_are_shared_evenly),
        cmocka_unit_test(route__dead_paths_are_left_and_not_chosen),
        cmocka_unit_test(pins__are_exact_and_forgotten),
        cmocka_unit_test(levels__loads_of_one_level_tie),
        cmocka_unit_test(trigger__syn_alone_chooses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
