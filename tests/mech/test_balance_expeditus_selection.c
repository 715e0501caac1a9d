/* SPDX-License-Identifier: Apache-2.0 */
/* The choices of Expeditus: both stages, ties, multipliers, the paper's examples (EXP-4, EXP-25, EXP-29,
 * EXP-37..EXP-39, EXP-47). */
#include "balance_harness.h"

/* Selects a path for a flow. Returns the trip of its next packet. */
static struct trip settle(struct bench *b, uint32_t src, uint32_t dst, uint16_t src_port, time_ps now) {
    assert_true(bench_send(b, bench_syn(b, src, dst, src_port), now).delivered);
    assert_true(bench_answer(b, now, 99).consumed);
    return bench_send(b, bench_data(b, src, dst, src_port), now);
}

static struct bench *clos(uint32_t pods, uint32_t tors, uint32_t aggs, uint32_t cores) {
    return bench_build(bench_new("expeditus"), pods, tors, aggs, cores);
}

/* Loads the first and last hop of the path by agg a; load_stage2 the second and third by core c of plane a. */
static void load_stage1(struct bench *b, uint32_t a, time_ps now, int first, int last) {
    bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, a), now, first);
    bench_load(b, bench_agg(b, 1, a), bench_tor(b, 1, 0), now, last);
}
static void load_stage2(struct bench *b, uint32_t a, uint32_t c, time_ps now, int second, int third) {
    bench_load(b, bench_agg(b, 0, a), bench_core(b, a, c), now, second);
    bench_load(b, bench_core(b, a, c), bench_agg(b, 1, a), now, third);
}

/* ---- the two stages by hand ---- */

static void stage1__least_maximum_of_first_and_last_hop(void **state) {
    (void)state;
    static const struct {
        int first[4], last[4];
        uint32_t agg;
    } row[] = {
        {{7, 3, 5, 6}, {0, 0, 0, 0}, 1}, {{0, 0, 0, 0}, {7, 3, 2, 6}, 2},
        {{0, 5, 3, 7}, {6, 1, 4, 0}, 2}, /* maxima 6 5 4 7 */
        {{2, 7, 7, 7}, {3, 0, 0, 0}, 0}, {{7, 7, 7, 1}, {0, 0, 0, 6}, 3},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bench *b = clos(2, 1, 4, 2);
        for (uint32_t a = 0; a < 4; a++) load_stage1(b, a, 0, row[i].first[a], row[i].last[a]);
        struct trip t = settle(b, 0, 2, 1000, 0);
        assert_int_equal(t.node[1], bench_agg(b, 0, row[i].agg));
        assert_int_equal(t.node[3], bench_agg(b, 1, row[i].agg));
        bench_end(b);
    }
}

static void stage2__least_maximum_of_second_and_third_hop(void **state) {
    (void)state;
    static const struct {
        int second[3], third[3];
        uint32_t core;
    } row[] = {
        {{4, 3, 5}, {0, 0, 0}, 1},
        {{0, 0, 0}, {4, 3, 2}, 2},
        {{0, 6, 3}, {5, 1, 4}, 2},
        {{1, 7, 7}, {6, 0, 0}, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bench *b = clos(2, 1, 2, 3);
        for (uint32_t a = 0; a < 2; a++)
            for (uint32_t c = 0; c < 3; c++) load_stage2(b, a, c, 0, row[i].second[c], row[i].third[c]);
        struct trip t = settle(b, 0, 2, 1000, 0);
        assert_int_equal(bench_switch(b, t.node[2])->place.tier, TIER_CORE);
        uint32_t plane = bench_switch(b, t.node[1])->place.index;
        assert_int_equal(t.node[2], bench_core(b, plane, row[i].core));
        bench_end(b);
    }
}

/* EXP-25: with all paths idle the choice is as even as ECMP's. */
static void ties__are_spread_over_all_paths(void **state) {
    (void)state;
    struct bench *b = clos(2, 1, 2, 2);
    uint32_t seen[4] = {0};
    for (uint16_t flow = 0; flow < 400; flow++) {
        struct trip t = settle(b, 0, 2, flow, 0);
        seen[(t.node[1] == bench_agg(b, 0, 1)) * 2 +
             (t.node[2] == bench_core(b, bench_switch(b, t.node[1])->place.index, 1))]++;
    }
    for (int i = 0; i < 4; i++) assert_in_range(seen[i], 65, 135); /* 100 expected, standard deviation 8.7 */
    bench_end(b);
}

static void ties__only_among_the_least(void **state) {
    (void)state;
    struct bench *b = clos(2, 1, 4, 1);
    load_stage1(b, 0, 0, 3, 0);
    load_stage1(b, 1, 0, 0, 2);
    load_stage1(b, 2, 0, 2, 1);
    load_stage1(b, 3, 0, 7, 7);
    uint32_t seen[4] = {0};
    for (uint16_t flow = 0; flow < 100; flow++) seen[bench_switch(b, settle(b, 0, 2, flow, 0).node[1])->place.index]++;
    assert_int_equal(seen[0] + seen[3], 0);
    assert_in_range(seen[1], 30, 70);
    bench_end(b);
}

/* ---- the paper's examples: EXP-47 ---- */

/* Figure 2: leaf-spine s1 s2 s3 over s4 s5 with links of 1 Gbps; 100 Mbps on s1-s4-s2, 1 Gbps on s2-s5-s3. By the view
 * of s1 alone s5 is better; over the whole path to s3 s4 is. */
static void example_figure_2__remote_congestion_is_seen(void **state) {
    (void)state;
    struct bench *b = clos(1, 3, 2, 0);
    uint32_t s1 = bench_tor(b, 0, 0), s2 = bench_tor(b, 0, 1), s3 = bench_tor(b, 0, 2);
    uint32_t s4 = bench_agg(b, 0, 0), s5 = bench_agg(b, 0, 1);
    bench_load_ps(b, s1, s4, 0, BENCH_FULL / 10);
    bench_load_ps(b, s4, s2, 0, BENCH_FULL / 10);
    bench_load_ps(b, s2, s5, 0, BENCH_FULL);
    bench_load_ps(b, s5, s3, 0, BENCH_FULL);
    struct bench_switch *sw = bench_switch(b, s1);
    assert_true(sw->view[bench_port(b, s1, s5)].egress.x_ps < sw->view[bench_port(b, s1, s4)].egress.x_ps);
    for (uint16_t flow = 0; flow < 20; flow++) assert_int_equal(settle(b, 0, 4, flow, 0).node[1], s4);
    bench_end(b);
}

/* Figure 3: n = m = 2, r = 3. A flow t_1^1 -> t_1^3 congests c_2^2 -> a_2^3. No packet from c_2^2 has reached t_2^3, so
 * t_2^3 cannot know that; a_2^3 does. (The paper counts from 1, the code from 0: pod 3 is pod 2.) */
static void example_figure_3__congestion_without_a_covering_flow_is_seen(void **state) {
    (void)state;
    struct bench *b = clos(3, 3, 2, 2);
    uint32_t t2 = bench_tor(b, 2, 1);
    bench_load(b, bench_core(b, 1, 1), bench_agg(b, 2, 1), 0, 7);
    bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 0), 0, 4); /* stage 1 takes the paper's agg 2 */
    struct bench_switch *sw = bench_switch(b, t2);
    for (uint16_t p = 0; p < sw->place.n_ports; p++) assert_int_equal(sw->view[p].ingress.x_ps, 0);
    for (uint16_t flow = 0; flow < 20; flow++) {
        struct trip t = settle(b, 0, bench_host(b, 2, 1, 0), flow, 0);
        assert_int_equal(t.node[1], bench_agg(b, 0, 1));
        assert_int_equal(t.node[2], bench_core(b, 1, 0));
    }
    bench_end(b);
}

/* Figure 7: flow A from t_1^1 to t_2^3 ends on agg 2, core 1; flow B in reverse selects independently. */
static void example_figure_7__flow_a_takes_agg_2_core_1(void **state) {
    (void)state;
    struct bench *b = clos(3, 3, 2, 2);
    uint32_t far = bench_host(b, 2, 1, 0);
    bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 0), 0, 5);
    bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 1), 0, 2);
    bench_load(b, bench_agg(b, 2, 0), bench_tor(b, 2, 1), 0, 1);
    bench_load(b, bench_agg(b, 2, 1), bench_tor(b, 2, 1), 0, 3);
    bench_load(b, bench_agg(b, 0, 1), bench_core(b, 1, 0), 0, 3);
    bench_load(b, bench_agg(b, 0, 1), bench_core(b, 1, 1), 0, 6);
    bench_load(b, bench_core(b, 1, 0), bench_agg(b, 2, 1), 0, 4);
    bench_load(b, bench_tor(b, 2, 1), bench_agg(b, 2, 1), 0, 6); /* B takes agg 1 */
    struct trip a = settle(b, 0, far, 1000, 0);
    assert_int_equal(a.node[1], bench_agg(b, 0, 1));
    assert_int_equal(a.node[2], bench_core(b, 1, 0));
    bench_send(b, bench_frame(b, far, 0, 80, 1000, TCP_SYN | TCP_ACK, 0), 0);
    assert_true(bench_answer(b, 0, 99).consumed);
    struct trip back = bench_send(b, bench_frame(b, far, 0, 80, 1000, TCP_ACK, 0), 0);
    assert_int_equal(back.node[1], bench_agg(b, 2, 0));
    bench_end(b);
}

/* ---- EXP-4: a heuristic in two steps against the joint optimum ---- */

struct grid {
    int first[4], last[4], second[4][4], third[4][4];
};

static int cost(const struct grid *g, uint32_t a, uint32_t c) {
    int stage1 = g->first[a] > g->last[a] ? g->first[a] : g->last[a];
    int stage2 = g->second[a][c] > g->third[a][c] ? g->second[a][c] : g->third[a][c];
    return stage1 > stage2 ? stage1 : stage2;
}

static int joint_optimum(const struct grid *g) {
    int best = 99;
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t c = 0; c < 4; c++) best = cost(g, a, c) < best ? cost(g, a, c) : best;
    return best;
}

static void random_grid(struct bench *b, struct grid *g, struct random_stream *r, time_ps now) {
    for (uint32_t a = 0; a < 4; a++) {
        load_stage1(b, a, now, g->first[a] = (int)random_below(r, 8), g->last[a] = (int)random_below(r, 8));
        for (uint32_t c = 0; c < 4; c++)
            load_stage2(b, a, c, now, g->second[a][c] = (int)random_below(r, 8),
                        g->third[a][c] = (int)random_below(r, 8));
    }
}

static void two_stages__each_is_optimal_and_together_never_beat_the_joint_optimum(void **state) {
    (void)state;
    struct bench *b = clos(2, 1, 4, 4);
    struct random_stream r;
    random_init(&r, 3, RANDOM_HOST, 0);
    int equal = 0, gap = 0;
    for (uint16_t flow = 0; flow < 500; flow++) {
        struct grid g;
        time_ps now = flow * PS_PER_S; /* one flow at a time: no two share an entry */
        random_grid(b, &g, &r, now);
        struct trip t = settle(b, 0, 2, flow, now);
        uint32_t a = bench_switch(b, t.node[1])->place.index, c = t.node[2] - bench_core(b, a, 0);
        for (uint32_t i = 0; i < 4; i++) {
            assert_true(max_i64(g.first[a], g.last[a]) <= max_i64(g.first[i], g.last[i]));
            assert_true(max_i64(g.second[a][c], g.third[a][c]) <= max_i64(g.second[a][i], g.third[a][i]));
        }
        assert_true(cost(&g, a, c) >= joint_optimum(&g));
        equal += cost(&g, a, c) == joint_optimum(&g);
        gap += cost(&g, a, c) - joint_optimum(&g);
    }
    assert_in_range(equal, 300, 499); /* mostly optimal, not always */
    assert_in_range(gap, 1, 300);     /* and then off by about a level */
    bench_end(b);
}

/* ---- multipliers: EXP-37, EXP-38, the paper's figure 8 ---- */

/* Builds figure 8: the link a_1^1 - c_1^1 is dead, and routing has told the ToRs of pod 1 that a_1^1 has half of its
 * capacity. */
static struct bench *figure_8(bool multipliers) {
    struct bench *b = bench_new("expeditus");
    bench_set(b, "multipliers", multipliers);
    bench_build(b, 3, 2, 2, 2);
    bench_cut(b, bench_agg(b, 0, 0), bench_core(b, 0, 0), 0);
    for (uint32_t t = 0; t < 2; t++)
        bench_switch(b, bench_tor(b, 0, t))->beyond[BENCH_HOSTS] = (struct place_beyond){.alive = 1, .total = 2};
    bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 0), 0, 2);
    bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 1), 0, 3);
    bench_load(b, bench_agg(b, 0, 0), bench_tor(b, 0, 0), 0, 2);
    bench_load(b, bench_agg(b, 0, 1), bench_tor(b, 0, 0), 0, 3);
    return b;
}

static void multiplier__turns_traffic_between_pods_away(void **state) {
    (void)state;
    for (int on = 0; on < 2; on++) {
        struct bench *b = figure_8(on);
        uint32_t far = bench_host(b, 1, 0, 0);
        /* as source by egress, as destination by ingress: 2 x 2 = 4 against 3 */
        assert_int_equal(bench_switch(b, settle(b, 0, far, 1, 0).node[1])->place.index, on);
        assert_int_equal(bench_switch(b, settle(b, far, 0, 2, 0).node[1])->place.index, on);
        bench_end(b);
    }
}

static void multiplier__leaves_traffic_inside_the_pod_alone(void **state) {
    (void)state;
    struct bench *b = figure_8(true);
    uint32_t near = bench_host(b, 0, 1, 0);
    assert_int_equal(settle(b, 0, near, 1, 0).node[1], bench_agg(b, 0, 0));
    bench_end(b);
}

/* The multiplier scales the register before quantisation: X of level 0 doubled reaches level 1, the top is 7, and 0
 * stays 0. */
static void multiplier__scales_the_register_and_saturates(void **state) {
    (void)state;
    static const struct {
        int64_t x_ps;
        uint32_t alive, total;
        uint8_t level;
    } row[] = {
        {BENCH_FULL / 16 + 1, 1, 2, 1}, {BENCH_FULL / 16 + 1, 2, 2, 0}, {0, 1, 2, 0},
        {BENCH_FULL * 5 / 8, 1, 3, 7},  {BENCH_FULL / 8, 3, 4, 1},      {1, 0, 2, 7},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bench *b = clos(2, 1, 2, 2);
        bench_load_ps(b, bench_tor(b, 0, 0), bench_agg(b, 0, 0), 0, row[i].x_ps);
        bench_switch(b, bench_tor(b, 0, 0))->beyond[BENCH_HOSTS] =
            (struct place_beyond){.alive = row[i].alive, .total = row[i].total};
        uint32_t frame = bench_syn(b, 0, 2, 1);
        struct balance_out out;
        bench_ask(b, bench_tor(b, 0, 0), 0, frame, 0, &out);
        assert_int_equal(packet_ext_at(&b->pool, packet_at(&b->pool, frame)->ext)->tag.load[0], row[i].level);
        packet_put(&b->pool, frame);
        bench_end(b);
    }
}

/* ---- one stage: EXP-39 ---- */

static void one_stage__inside_a_pod_equals_the_oracle(void **state) {
    (void)state;
    for (uint32_t cores = 0; cores <= 2; cores += 2) { /* leaf-spine, and a pod of a Clos */
        struct bench *b = clos(cores ? 2 : 1, 2, 4, cores);
        struct random_stream r;
        random_init(&r, 5, RANDOM_HOST, 0);
        for (uint16_t flow = 0; flow < 200; flow++) {
            int best = 99, path[4];
            time_ps now = flow * PS_PER_S;
            for (uint32_t a = 0; a < 4; a++) {
                int up = (int)random_below(&r, 8), down = (int)random_below(&r, 8);
                bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, a), now, up);
                bench_load(b, bench_agg(b, 0, a), bench_tor(b, 0, 1), now, down);
                path[a] = up > down ? up : down;
                best = path[a] < best ? path[a] : best;
            }
            struct trip t = settle(b, 0, 2, flow, now);
            assert_int_equal(t.n, 3);
            assert_int_equal(path[bench_switch(b, t.node[1])->place.index], best);
        }
        assert_int_equal(bench_count(b, "agg_entries"), 0);
        assert_int_equal(bench_count(b, "selections_completed"), 200);
        bench_end(b);
    }
}

static void fits__tag_holds_127_uplinks(void **state) {
    (void)state;
    struct diag d = {0};
    const struct balancer_ops *ops = balancer_find("expeditus");
    assert_true(ops->fits(3, 127, NULL, &d));
    assert_false(ops->fits(3, 128, NULL, &d));
    assert_non_null(strstr(d.text, "128"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stage1__least_maximum_of_first_and_last_hop),
        cmocka_unit_test(stage2__least_maximum_of_second_and_third_hop),
        cmocka_unit_test(ties__are_spread_over_all_paths),
        cmocka_unit_test(ties__only_among_the_least),
        cmocka_unit_test(example_figure_2__remote_congestion_is_seen),
        cmocka_unit_test(example_figure_3__congestion_without_a_covering_flow_is_seen),
        cmocka_unit_test(example_figure_7__flow_a_takes_agg_2_core_1),
        cmocka_unit_test(two_stages__each_is_optimal_and_together_never_beat_the_joint_optimum),
        cmocka_unit_test(multiplier__turns_traffic_between_pods_away),
        cmocka_unit_test(multiplier__leaves_traffic_inside_the_pod_alone),
        cmocka_unit_test(multiplier__scales_the_register_and_saturates),
        cmocka_unit_test(one_stage__inside_a_pod_equals_the_oracle),
        cmocka_unit_test(fits__tag_holds_127_uplinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
