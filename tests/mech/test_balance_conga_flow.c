/* SPDX-License-Identifier: Apache-2.0 */
/* CONGA-Flow (EXP-43): measurement, feedback, ageing and choice. */
#include "balance_harness.h"

#include "table_rows.h"
#include "wire/conga_overlay.h"

static struct bench *leaf_spine(uint32_t leaves, uint32_t spines) {
    return bench_build(bench_new("conga-flow"), 1, leaves, spines, 0);
}
static uint32_t leaf(const struct bench *b, uint32_t i) { return bench_tor(b, 0, i); }
static uint32_t spine(const struct bench *b, uint32_t i) { return bench_agg(b, 0, i); }

static uint32_t uplink_of(const struct trip *t) { return t->port[0] - BENCH_HOSTS; }

/* Sends first packets of new flows until one takes this uplink. Returns that flow's source port. */
static uint16_t flow_on(struct bench *b, uint32_t src, uint32_t dst, uint32_t uplink, time_ps now, uint16_t from) {
    for (uint16_t flow = from;; flow++) {
        struct trip t = bench_send(b, bench_data(b, src, dst, flow), now);
        if (uplink_of(&t) == uplink) return flow;
    }
}

/* Returns the overlay of a frame as it leaves its leaf. */
static struct conga_overlay overlay_from(struct bench *b, uint32_t src, uint32_t dst, uint16_t flow, time_ps now) {
    uint32_t frame = bench_data(b, src, dst, flow);
    struct balance_out out;
    bench_ask(b, leaf(b, src / BENCH_HOSTS), 0, frame, now, &out);
    assert_true(packet_at(&b->pool, frame)->shape & SHAPE_CONGA);
    struct conga_overlay o = conga_overlay_unpack(packet_at(&b->pool, frame)->overlay);
    packet_put(&b->pool, frame);
    return o;
}

static void send__tags_the_uplink_and_its_load(void **state) {
    (void)state;
    struct bench *b = leaf_spine(2, 4);
    for (uint32_t s = 0; s < 4; s++) bench_load(b, leaf(b, 0), spine(b, s), 0, s == 2 ? 1 : 3);
    struct conga_overlay o = overlay_from(b, 0, 2, 1, 0);
    assert_int_equal(o.lbtag, 2);
    assert_int_equal(o.ce, 1);
    assert_false(o.fb_valid);
    bench_end(b);
}

/* CE is the maximum of both links. Inside the fabric the frame is longer by CONGA's tag; the host receives it as it was
 * sent. */
static void path__ce_is_the_worst_link_and_the_host_sees_nothing(void **state) {
    (void)state;
    for (int up = 0; up < 8; up += 3)
        for (int down = 0; down < 8; down += 2) {
            struct bench *b = leaf_spine(2, 1);
            bench_load(b, leaf(b, 0), spine(b, 0), 0, up);
            bench_load(b, spine(b, 0), leaf(b, 1), 0, down);
            uint32_t frame = bench_data(b, 0, 2, 1);
            struct packet sent = *packet_at(&b->pool, frame);
            struct trip t = bench_send(b, frame, 0);
            assert_int_equal(t.wire_bytes[0], 1538 + CONGA_TAG_BYTES);
            assert_int_equal(t.wire_bytes[2], 1538);
            assert_memory_equal(&b->last, &sent, offsetof(struct packet, origin));
            struct conga_overlay back = overlay_from(b, 2, 0, 1, 0);
            assert_true(back.fb_valid);
            assert_int_equal(back.fb_lbtag, 0);
            assert_int_equal(back.fb_metric, up > down ? up : down);
            bench_end(b);
        }
}

static void same_leaf__carries_no_overlay(void **state) {
    (void)state;
    struct bench *b = leaf_spine(2, 2);
    struct trip t = bench_send(b, bench_data(b, 0, 1, 1), 0);
    assert_int_equal(t.wire_bytes[0], 1538);
    assert_int_equal(bench_count(b, "flows_chosen"), 0);
    bench_end(b);
}

/* The whole loop: the spine's downlink is loaded, which the source leaf learns only by feedback. */
static void feedback__remote_congestion_steers_new_flows(void **state) {
    (void)state;
    struct bench *b = leaf_spine(2, 2);
    bench_load(b, spine(b, 0), leaf(b, 1), 0, 6);
    uint16_t flow = flow_on(b, 0, 2, 0, 0, 1);                              /* carries CE 6 to leaf 1 */
    for (int i = 0; i < 2; i++) bench_send(b, bench_data(b, 2, 0, 999), 1); /* return the metric of both uplinks */
    for (uint16_t i = 1; i < 40; i++) {
        struct trip t = bench_send(b, bench_data(b, 0, 2, (uint16_t)(flow + i)), 2);
        assert_int_equal(uplink_of(&t), 1);
    }
    struct trip old = bench_send(b, bench_data(b, 0, 2, flow), 3);
    assert_int_equal(uplink_of(&old), 0); /* a flow keeps its uplink */
    assert_true(bench_count(b, "feedback_received") >= 1);
    bench_end(b);
}

/* EXP-43: CONGA-Flow does not know the load of a path that carries no packets. Expeditus would see this link. */
static void feedback__only_paths_that_carry_packets_are_known(void **state) {
    (void)state;
    struct bench *b = leaf_spine(2, 2);
    uint16_t flow = flow_on(b, 0, 2, 0, 0, 1);
    bench_load(b, spine(b, 1), leaf(b, 1), 0, 7); /* behind the unused uplink */
    bench_load(b, leaf(b, 0), spine(b, 0), 0, 2);
    bench_send(b, bench_data(b, 0, 2, flow), 1);
    bench_send(b, bench_data(b, 2, 0, 999), 1);
    struct trip t = bench_send(b, bench_data(b, 0, 2, 5000), 2);
    assert_int_equal(uplink_of(&t), 1); /* the worse path, for lack of feedback */
    bench_end(b);
}

/* A new flow takes the uplink with the least max(local, remote). */
static void choose__least_maximum_of_local_and_remote(void **state) {
    (void)state;
    struct bench *b = leaf_spine(2, 3);
    for (uint32_t s = 0; s < 3; s++) {
        flow_on(b, 0, 2, s, 0, (uint16_t)(1000 * s)); /* a packet on each path ... */
        bench_load(b, spine(b, s), leaf(b, 1), 0, s == 0 ? 5 : s == 1 ? 2 : 0);
    }
    for (uint32_t s = 0; s < 3; s++) flow_on(b, 0, 2, s, 1, (uint16_t)(1000 * s + 5000)); /* ... carries its load */
    for (int i = 0; i < 6; i++) bench_send(b, bench_data(b, 2, 0, 999), 2);
    bench_load(b, leaf(b, 0), spine(b, 0), 2, 0); /* maxima: 5, max(3, 2), 4 */
    bench_load(b, leaf(b, 0), spine(b, 1), 2, 3);
    bench_load(b, leaf(b, 0), spine(b, 2), 2, 4);
    for (uint16_t i = 0; i < 10; i++) {
        struct trip t = bench_send(b, bench_data(b, 0, 2, (uint16_t)(20000 + i)), 3);
        assert_int_equal(uplink_of(&t), 1);
    }
    bench_end(b);
}

/* Feedback visits the uplinks in turn; a changed metric goes first. */
static void feedback__round_robin_changed_first(void **state) {
    (void)state;
    struct bench *b = leaf_spine(2, 3);
    uint16_t flow[3];
    for (uint32_t s = 0; s < 3; s++) flow[s] = flow_on(b, 0, 2, s, 0, (uint16_t)(1000 * s));
    uint8_t seen[6];
    for (int i = 0; i < 6; i++) seen[i] = overlay_from(b, 2, 0, 999, 1).fb_lbtag;
    for (int i = 0; i < 3; i++) assert_int_equal(seen[i], seen[i + 3]);
    assert_int_equal((1 << seen[0]) | (1 << seen[1]) | (1 << seen[2]), 7);
    uint32_t changed = seen[2]; /* the one whose turn is last */
    bench_load(b, spine(b, changed), leaf(b, 1), 1, 4);
    bench_send(b, bench_data(b, 0, 2, flow[changed]), 1);
    struct conga_overlay o = overlay_from(b, 2, 0, 999, 2);
    assert_int_equal(o.fb_lbtag, changed);
    assert_int_equal(o.fb_metric, 4);
    assert_int_not_equal(overlay_from(b, 2, 0, 999, 2).fb_lbtag, changed); /* the round continues */
    bench_end(b);
}

/* A metric that is not refreshed holds for 10 ms, then fades to 0 within 20 ms, so that its path is tried again. */
static void ageing__stale_metric_fades_to_zero(void **state) {
    (void)state;
    static const struct {
        time_ps at;
        uint8_t level;
    } row[] = {
        {9999 * PS_PER_US, 7}, {10 * PS_PER_MS, 6},    {11250 * PS_PER_US, 5},
        {15 * PS_PER_MS, 2},   {17500 * PS_PER_US, 0}, {20 * PS_PER_MS, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bench *b = leaf_spine(2, 1);
        bench_load(b, spine(b, 0), leaf(b, 1), 0, 7);
        bench_send(b, bench_data(b, 0, 2, 1), 0);
        struct conga_overlay o = overlay_from(b, 2, 0, 1, row[i].at);
        assert_int_equal(o.fb_metric, row[i].level);
        bench_end(b);
    }
}

/* An idle flow chooses again, and keeps its uplink unless another is strictly better (CONGA 3.5). */
static void choose__idle_flow_moves_only_for_a_better_uplink(void **state) {
    (void)state;
    struct bench *b = leaf_spine(2, 4);
    int moved = 0;
    for (uint16_t flow = 0; flow < 30; flow++) {
        struct trip before = bench_send(b, bench_data(b, 0, 2, flow), 0);
        struct trip after = bench_send(b, bench_data(b, 0, 2, flow), 100 * PS_PER_MS - 1);
        moved += uplink_of(&before) != uplink_of(&after);
    }
    assert_int_equal(bench_count(b, "flows_chosen"), 30);
    assert_int_equal(moved, 0);
    bench_end(b);
    b = bench_new("conga-flow");
    bench_set(b, "flow_timeout", 5 * PS_PER_MS); /* shorter than the sweep, so the old choice is still known */
    bench_build(b, 1, 2, 4, 0);
    for (uint16_t flow = 0; flow < 30; flow++) {
        struct trip before = bench_send(b, bench_data(b, 0, 2, flow), 0);
        struct trip same = bench_send(b, bench_data(b, 0, 2, flow), 6 * PS_PER_MS);
        assert_int_equal(uplink_of(&before), uplink_of(&same));
    }
    assert_int_equal(bench_count(b, "flows_chosen"), 60);
    bench_end(b);
}

static void ties__are_spread(void **state) {
    (void)state;
    struct bench *b = leaf_spine(2, 4);
    uint32_t seen[4] = {0};
    for (uint16_t flow = 0; flow < 400; flow++) {
        struct trip t = bench_send(b, bench_data(b, 0, 2, flow), 0);
        seen[uplink_of(&t)]++;
    }
    for (int i = 0; i < 4; i++) assert_in_range(seen[i], 65, 135);
    bench_end(b);
}

static void failure__dead_uplinks_and_withdrawn_spines_are_left(void **state) {
    (void)state;
    for (int remote = 0; remote < 2; remote++) {
        struct bench *b = leaf_spine(3, 3);
        for (uint16_t flow = 0; flow < 30; flow++) bench_send(b, bench_data(b, 0, 4, flow), 0);
        bench_cut(b, leaf(b, remote ? 2 : 0), spine(b, 1), 1);
        for (uint16_t flow = 0; flow < 60; flow++) {
            struct trip t = bench_send(b, bench_data(b, 0, 4, flow), 2);
            assert_true(t.delivered);
            assert_int_not_equal(uplink_of(&t), 1);
        }
        assert_in_range(bench_count(b, "flow_dead_paths"), 3, 20);
        bench_end(b);
    }
}

static void fits__two_tiers_and_16_uplinks(void **state) {
    (void)state;
    struct diag d = {0};
    const struct balancer_ops *ops = balancer_find("conga-flow");
    assert_true(ops->fits(2, 16, NULL, &d));
    assert_false(ops->fits(2, 17, NULL, &d));
    assert_non_null(strstr(d.text, "17"));
    assert_false(ops->fits(3, 4, NULL, &d));
    assert_non_null(strstr(d.text, "leaf-spine"));
}

/* ---- reading ---- */

static struct bench *as_read(int reading) {
    struct bench *b = bench_new("conga-flow");
    bench_set(b, "reading", reading);
    return bench_build(b, 1, 2, 2, 0);
}

/* By hand, both readings: leaf 0 -> spine 0 has 2, leaf 0 -> spine 1 has 4, spine 0 -> leaf 1 has 6, spine 1 -> leaf 1
 * has 1. A flow on each uplink brings leaf 1 its CE: max(2, 6), max(4, 1) by the paper, 2 and 4 as coded. Two frames back
 * feed them to leaf 0. Meanwhile leaf 0 -> spine 0 has become 7 and leaf 0 -> spine 1 has become 0: a new flow takes
 * max(7, 6) or max(0, 4) by the paper, so spine 1; as coded 2 or 4, so spine 0. */
static void trace__both_readings(void **state) {
    (void)state;
    static const struct {
        uint8_t metric[2];
        uint32_t uplink;
    } is[] = {{{6, 4}, 1}, {{2, 4}, 0}};
    for (int reading = 0; reading < 2; reading++) {
        struct bench *b = as_read(reading);
        uint16_t on[2] = {flow_on(b, 0, 2, 0, 0, 1000), flow_on(b, 0, 2, 1, 0, 2000)};
        bench_load(b, leaf(b, 0), spine(b, 0), 1, 2);
        bench_load(b, leaf(b, 0), spine(b, 1), 1, 4);
        bench_load(b, spine(b, 0), leaf(b, 1), 1, 6);
        bench_load(b, spine(b, 1), leaf(b, 1), 1, 1);
        for (int s = 0; s < 2; s++) bench_send(b, bench_data(b, 0, 2, on[s]), 1);
        uint8_t metric[2] = {9, 9};
        for (int i = 0; i < 2; i++) {
            uint32_t frame = bench_data(b, 2, 0, 999);
            struct balance_out out;
            uint16_t port = bench_ask(b, leaf(b, 1), 0, frame, 2, &out);
            struct conga_overlay o = conga_overlay_unpack(packet_at(&b->pool, frame)->overlay);
            assert_true(o.fb_valid);
            metric[o.fb_lbtag] = o.fb_metric;
            uint32_t next = bench_switch(b, leaf(b, 1))->port[port].neighbour;
            assert_true(bench_fly_most(b, frame, next, bench_port(b, next, leaf(b, 1)), 2, 99).delivered);
        }
        assert_memory_equal(metric, is[reading].metric, 2);
        bench_load(b, leaf(b, 0), spine(b, 0), 3, 7);
        bench_load(b, leaf(b, 0), spine(b, 1), 3, 0);
        for (uint16_t i = 0; i < 8; i++) {
            struct trip t = bench_send(b, bench_data(b, 0, 2, (uint16_t)(5000 + i)), 3);
            assert_int_equal(uplink_of(&t), is[reading].uplink);
        }
        bench_end(b);
    }
}

/* As coded a leaf feeds its uplinks back in plain turn, 0 for those of which it knows nothing. */
static void as_coded__feedback_in_plain_turn(void **state) {
    (void)state;
    struct bench *b = as_read(1);
    bench_load(b, leaf(b, 0), spine(b, 1), 0, 5);
    flow_on(b, 0, 2, 1, 0, 1);
    for (int i = 0; i < 6; i++) {
        struct conga_overlay o = overlay_from(b, 2, 0, 999, 1);
        assert_true(o.fb_valid);
        assert_int_equal(o.fb_lbtag, (i + 1) % 2);
        assert_int_equal(o.fb_metric, o.fb_lbtag ? 5 : 0);
    }
    bench_end(b);
}

/* As coded a metric is 0 as soon as it has not been updated for longer than metric_age. */
static void as_coded__stale_metric_is_zero_at_once(void **state) {
    (void)state;
    static const struct {
        time_ps at;
        uint8_t level;
    } row[] = {{9999 * PS_PER_US, 7}, {10 * PS_PER_MS, 7}, {10 * PS_PER_MS + 1, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bench *b = bench_new("conga-flow");
        bench_set(b, "reading", 1);
        bench_build(b, 1, 2, 1, 0);
        bench_load(b, leaf(b, 0), spine(b, 0), 0, 7);
        bench_send(b, bench_data(b, 0, 2, 1), 0);
        assert_int_equal(overlay_from(b, 2, 0, 1, row[i].at).fb_metric, row[i].level);
        bench_end(b);
    }
}

/* What heddle status shows of a leaf: its flows, and the metrics of both directions by leaf and uplink with their ages. A
 * spine has no tables. */
static void tables__paths_and_metrics_of_a_leaf(void **state) {
    (void)state;
    struct bench *b = leaf_spine(3, 2);
    char text[4096];
    struct balance_rows rows = table_rows_into(text);
    bench_load(b, spine(b, 1), leaf(b, 2), 0, 5);
    uint16_t flow = flow_on(b, 0, 4, 1, 0, 1); /* from leaf 0 to leaf 2 by uplink 1 */
    for (int i = 0; i < 2; i++) bench_send(b, bench_data(b, 4, 0, 999), 2 * PS_PER_US);
    b->ops->tables(bench_switch(b, leaf(b, 2))->state, 3 * PS_PER_US, &rows);
    assert_non_null(strstr(text, "from_leaf: leaf 0, uplink 1, level 5, age_us 3\n"));
    assert_null(strstr(text, "to_leaf: "));
    text[0] = '\0';
    b->ops->tables(bench_switch(b, leaf(b, 0))->state, 5 * PS_PER_US, &rows);
    assert_non_null(strstr(text, "to_leaf: leaf 2, uplink 1, level 5, age_us 3\n"));
    assert_non_null(strstr(text, "from_leaf: leaf 2, uplink "));
    assert_non_null(strstr(text, ", level 0, age_us 3\n"));
    const char *paths = strstr(text, "paths: id ");
    assert_non_null(paths);
    assert_non_null(strstr(paths, ", port 3, valid 1, ")); /* the second uplink of two, after two hosts */
    assert_true(flow > 0);
    text[0] = '\0';
    b->ops->tables(bench_switch(b, spine(b, 1))->state, 5 * PS_PER_US, &rows);
    assert_string_equal(text, "");
    bench_end(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(send__tags_the_uplink_and_its_load),
        cmocka_unit_test(tables__paths_and_metrics_of_a_leaf),
        cmocka_unit_test(path__ce_is_the_worst_link_and_the_host_sees_nothing),
        cmocka_unit_test(same_leaf__carries_no_overlay),
        cmocka_unit_test(feedback__remote_congestion_steers_new_flows),
        cmocka_unit_test(feedback__only_paths_that_carry_packets_are_known),
        cmocka_unit_test(choose__least_maximum_of_local_and_remote),
        cmocka_unit_test(feedback__round_robin_changed_first),
        cmocka_unit_test(ageing__stale_metric_fades_to_zero),
        cmocka_unit_test(choose__idle_flow_moves_only_for_a_better_uplink),
        cmocka_unit_test(ties__are_spread),
        cmocka_unit_test(failure__dead_uplinks_and_withdrawn_spines_are_left),
        cmocka_unit_test(fits__two_tiers_and_16_uplinks),
        cmocka_unit_test(trace__both_readings),
        cmocka_unit_test(as_coded__feedback_in_plain_turn),
        cmocka_unit_test(as_coded__stale_metric_is_zero_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
