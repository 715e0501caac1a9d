/* SPDX-License-Identifier: Apache-2.0 */
/* Our two changes of Expeditus (docs/expeditus-extensions.md): reports of core loads, and requests by the least loaded
 * uplink. Both are off by default: the other tests of Expeditus run without them. */
#include "balance_harness.h"

#include "wire/core_loads.h"

#define FAR 12 /* a host of pod 2 */
#define REPORT_LIFE (2 * (BENCH_FULL + BENCH_PERIOD))

static struct bench *clos_with(const char *key, int64_t value) {
    struct bench *b = bench_new("expeditus");
    bench_set(b, key, value);
    return bench_build(b, 3, 3, 4, 2);
}

static struct bench *reporting(void) { return clos_with("core_loads", 1); }

/* Loads both core links of agg `a` of `pod`, upwards and downwards. */
static void load_cores(struct bench *b, uint32_t pod, uint32_t a, time_ps now, int up, int down) {
    for (uint32_t c = 0; c < b->cores; c++) {
        bench_load(b, bench_agg(b, pod, a), bench_core(b, a, c), now, up);
        bench_load(b, bench_core(b, a, c), bench_agg(b, pod, a), now, down);
    }
}

/* Passes one frame from ToR 0 of its pod to a far host through the agg. Returns the report that the agg emits, or
 * UINT32_MAX; the caller sends or frees it. */
static uint32_t pass_up(struct bench *b, uint32_t pod, uint32_t a, time_ps now, uint16_t *port) {
    uint32_t to = bench_host(b, (pod + 1) % b->pods, 0, 0);
    uint32_t frame = bench_data(b, bench_host(b, pod, 0, 0), to, 77);
    uint32_t agg = bench_agg(b, pod, a);
    struct balance_out out;
    bench_ask(b, agg, bench_port(b, agg, bench_tor(b, pod, 0)), frame, now, &out);
    packet_put(&b->pool, frame);
    *port = out.emit_port;
    return out.emit;
}

/* Delivers to the ToRs all reports that an agg has at `now`. Returns their number. */
static uint32_t tell_all(struct bench *b, uint32_t pod, uint32_t a, time_ps now) {
    uint32_t agg = bench_agg(b, pod, a), told = 0, report;
    uint16_t port;
    while ((report = pass_up(b, pod, a, now, &port)) != UINT32_MAX) {
        uint32_t tor = bench_switch(b, agg)->port[port].neighbour;
        assert_true(bench_fly_most(b, report, tor, bench_port(b, tor, agg), now, 1).consumed);
        told++;
    }
    return told;
}

/* Returns the tag of a new flow's request as it leaves its ToR. */
static struct expeditus_tag request_of(struct bench *b, uint32_t src, uint32_t dst, time_ps now) {
    static uint16_t src_port = 1000;
    struct balance_out out;
    uint32_t frame = bench_syn(b, src, dst, src_port++);
    bench_ask(b, b->n_hosts + src / BENCH_HOSTS, 0, frame, now, &out);
    struct expeditus_tag tag = packet_ext_at(&b->pool, packet_at(&b->pool, frame)->ext)->tag;
    packet_put(&b->pool, frame);
    return tag;
}

/* ---- core_loads: what an agg tells ---- */

static void report__is_a_minimum_frame_to_the_rack_of_the_tor(void **state) {
    (void)state;
    struct bench *b = reporting();
    load_cores(b, 1, 2, 0, 5, 3);
    uint16_t port;
    uint32_t frame = pass_up(b, 1, 2, 0, &port);
    assert_int_not_equal(frame, UINT32_MAX);
    const struct packet *p = packet_at(&b->pool, frame);
    assert_int_equal(p->shape, SHAPE_CORE_LOADS);
    assert_int_equal(p->wire_bytes, WIRE_MIN_BYTES);
    assert_int_equal(core_loads_egress(p->overlay), 5);
    assert_int_equal(core_loads_ingress(p->overlay), 3);
    uint32_t tor = bench_switch(b, bench_agg(b, 1, 2))->port[port].neighbour;
    assert_int_equal(bench_leaf_of_ip(p->dst_ip), tor - b->n_hosts);
    packet_put(&b->pool, frame);
    bench_end(b);
}

static void report__speaks_of_the_best_link_each_way(void **state) {
    (void)state;
    struct bench *b = reporting();
    uint32_t agg = bench_agg(b, 0, 1);
    bench_load(b, agg, bench_core(b, 1, 0), 0, 6);
    bench_load(b, agg, bench_core(b, 1, 1), 0, 2);
    bench_load(b, bench_core(b, 1, 0), agg, 0, 1);
    bench_load(b, bench_core(b, 1, 1), agg, 0, 4);
    uint16_t port;
    uint32_t frame = pass_up(b, 0, 1, 0, &port);
    assert_int_equal(packet_at(&b->pool, frame)->overlay, core_loads_pack(2, 1));
    packet_put(&b->pool, frame);
    bench_end(b);
}

static void report__a_dead_core_link_is_not_the_best(void **state) {
    (void)state;
    struct bench *b = reporting();
    uint32_t agg = bench_agg(b, 0, 1);
    bench_load(b, agg, bench_core(b, 1, 0), 0, 6);
    bench_cut(b, agg, bench_core(b, 1, 1), 0);
    uint16_t port;
    uint32_t frame = pass_up(b, 0, 1, 0, &port);
    assert_int_equal(core_loads_egress(packet_at(&b->pool, frame)->overlay), 6);
    packet_put(&b->pool, frame);
    bench_end(b);
}

/* Each ToR gets one report per round. The agg repeats an unchanged report only before the ToR would forget it. */
static void report__each_tor_once_until_there_is_news(void **state) {
    (void)state;
    struct bench *b = reporting();
    load_cores(b, 0, 0, 0, 4, 0);
    assert_int_equal(tell_all(b, 0, 0, 0), 3);
    load_cores(b, 0, 0, BENCH_PERIOD, 4, 0);
    assert_int_equal(tell_all(b, 0, 0, BENCH_PERIOD), 0); /* unchanged */
    load_cores(b, 0, 0, 2 * BENCH_PERIOD, 5, 0);
    assert_int_equal(tell_all(b, 0, 0, 2 * BENCH_PERIOD), 3);
    time_ps later = 2 * BENCH_PERIOD + REPORT_LIFE / 2;
    load_cores(b, 0, 0, later, 5, 0);
    assert_int_equal(tell_all(b, 0, 0, later), 0);
    load_cores(b, 0, 0, later + BENCH_PERIOD, 5, 0);
    assert_int_equal(tell_all(b, 0, 0, later + BENCH_PERIOD), 3); /* repeated */
    assert_int_equal(bench_count(b, "core_reports_sent"), 9);
    assert_int_equal(bench_count(b, "core_reports_heard"), 9);
    bench_end(b);
}

static void report__no_more_often_than_the_period(void **state) {
    (void)state;
    struct bench *b = bench_new("expeditus");
    bench_set(b, "core_loads", 1);
    bench_set(b, "core_loads_period", 100 * PS_PER_US);
    bench_build(b, 3, 3, 4, 2);
    load_cores(b, 0, 0, 0, 4, 0);
    assert_int_equal(tell_all(b, 0, 0, 0), 3);
    load_cores(b, 0, 0, 99 * PS_PER_US, 7, 0);
    assert_int_equal(tell_all(b, 0, 0, 99 * PS_PER_US), 0);
    load_cores(b, 0, 0, 100 * PS_PER_US, 7, 0);
    assert_int_equal(tell_all(b, 0, 0, 100 * PS_PER_US), 3);
    bench_end(b);
}

static void report__idle_links_and_dead_tors_get_none(void **state) {
    (void)state;
    struct bench *b = reporting();
    assert_int_equal(tell_all(b, 0, 0, 0), 0);
    bench_cut(b, bench_agg(b, 0, 0), bench_tor(b, 0, 2), 0);
    load_cores(b, 0, 0, BENCH_PERIOD, 4, 4);
    assert_int_equal(tell_all(b, 0, 0, BENCH_PERIOD), 2);
    bench_end(b);
}

static void report__in_the_class_of_requests(void **state) {
    (void)state;
    struct bench *b = bench_new("expeditus");
    bench_set(b, "core_loads", 1);
    bench_set(b, "control_priority", 1);
    bench_build(b, 3, 3, 4, 2);
    load_cores(b, 0, 0, 0, 4, 0);
    uint16_t port;
    uint32_t frame = pass_up(b, 0, 0, 0, &port);
    assert_int_equal(packet_at(&b->pool, frame)->tos >> 5, 7);
    packet_put(&b->pool, frame);
    bench_end(b);
}

/* ---- core_loads: what a ToR makes of it ---- */

static void request__carries_the_larger_of_own_and_told_load(void **state) {
    (void)state;
    struct bench *b = reporting();
    bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 0), 0, 2);
    bench_load(b, bench_tor(b, 0, 0), bench_agg(b, 0, 1), 0, 6);
    load_cores(b, 0, 0, 0, 5, 1);
    load_cores(b, 0, 1, 0, 3, 1);
    tell_all(b, 0, 0, 0);
    tell_all(b, 0, 1, 0);
    struct expeditus_tag tag = request_of(b, 0, FAR, 0);
    assert_int_equal(tag.load[0], 5);
    assert_int_equal(tag.load[1], 6);
    assert_int_equal(tag.load[2], 0);
    bench_end(b);
}

static void request__inside_a_pod_knows_no_cores(void **state) {
    (void)state;
    struct bench *b = reporting();
    load_cores(b, 0, 0, 0, 5, 5);
    tell_all(b, 0, 0, 0);
    assert_int_equal(request_of(b, 0, bench_host(b, 0, 1, 0), 0).load[0], 0);
    bench_end(b);
}

static void told_load__is_forgotten_after_its_life(void **state) {
    (void)state;
    struct bench *b = reporting();
    load_cores(b, 0, 0, 0, 5, 5);
    tell_all(b, 0, 0, 0);
    assert_int_equal(request_of(b, 0, FAR, REPORT_LIFE).load[0], 5);
    assert_int_equal(request_of(b, 0, FAR, REPORT_LIFE + 1).load[0], 0);
    bench_end(b);
}

/* Three aggs are not chosen because their core links are full on one side of the flow, though the ToR's own links to
 * them are idle. Without reports every agg is chosen. */
static void choose__an_agg_with_a_free_core(void **state) {
    (void)state;
    for (int on = 0; on < 2; on++) {
        struct bench *b = clos_with("core_loads", on);
        uint32_t chosen_free = 0;
        for (uint32_t a = 0; a < 2; a++) load_cores(b, 0, a, 0, 7, 0); /* source side, upwards */
        load_cores(b, 2, 2, 0, 0, 7);                                  /* destination side, downwards */
        for (uint32_t a = 0; a < 3; a++) tell_all(b, 0, a, 0), tell_all(b, 2, a, 0);
        for (int i = 0; i < 40; i++) {
            assert_true(bench_send(b, bench_syn(b, 0, FAR, (uint16_t)(2000 + i)), 0).delivered);
            chosen_free += b->emitted_port == BENCH_HOSTS + 3;
            assert_true(bench_answer(b, 0, 99).consumed);
        }
        if (on)
            assert_int_equal(chosen_free, 40);
        else
            assert_in_range(chosen_free, 1, 30);
        bench_end(b);
    }
}

/* A ToR accepts reports from aggs only. */
static void hear__not_from_a_host(void **state) {
    (void)state;
    struct bench *b = reporting();
    uint32_t frame = bench_data(b, 1, 0, 5);
    packet_at(&b->pool, frame)->shape = SHAPE_CORE_LOADS;
    packet_at(&b->pool, frame)->overlay = core_loads_pack(7, 7);
    assert_true(bench_send(b, frame, 0).delivered);
    assert_int_equal(bench_count(b, "core_reports_heard"), 0);
    bench_end(b);
}

/* A ToR with core_loads off consumes a report and ignores it. */
static void hear__without_the_key_the_report_ends_here(void **state) {
    (void)state;
    struct bench *b = clos_with("core_loads", 0);
    uint32_t frame = bench_data(b, 0, 0, 5), tor = bench_tor(b, 0, 0);
    packet_at(&b->pool, frame)->shape = SHAPE_CORE_LOADS;
    packet_at(&b->pool, frame)->overlay = core_loads_pack(7, 7);
    assert_true(bench_fly_most(b, frame, tor, BENCH_HOSTS, 0, 9).consumed);
    assert_int_equal(request_of(b, 0, FAR, 0).load[0], 0);
    bench_end(b);
}

static void leaf_spine__reports_nothing(void **state) {
    (void)state;
    struct bench *b = bench_new("expeditus");
    bench_set(b, "core_loads", 1);
    bench_build(b, 1, 4, 4, 0);
    for (int i = 0; i < 20; i++) {
        assert_true(bench_send(b, bench_syn(b, 0, 5, (uint16_t)(i + 1)), 0).delivered);
        assert_true(bench_answer(b, 0, 99).consumed);
    }
    assert_int_equal(bench_count(b, "core_reports_sent"), 0);
    bench_end(b);
}

/* ---- request_path ---- */

static struct bench *least_loaded(void) { return clos_with("request_path", 1); }

static void request__leaves_by_the_least_loaded_uplink(void **state) {
    (void)state;
    struct bench *b = least_loaded();
    uint32_t tor = bench_tor(b, 0, 0);
    for (uint32_t a = 0; a < 4; a++) bench_load(b, tor, bench_agg(b, 0, a), 0, a == 2 ? 1 : 3);
    for (uint32_t a = 0; a < 4; a++) bench_load(b, bench_agg(b, 0, a), bench_core(b, a, 1), 0, 4);
    for (uint16_t i = 0; i < 20; i++) {
        struct trip t = bench_send(b, bench_syn(b, 0, FAR, (uint16_t)(3000 + i)), 0);
        assert_int_equal(t.node[1], bench_agg(b, 0, 2));
        assert_int_equal(t.node[2], bench_core(b, 2, 0));
        assert_true(bench_answer(b, 0, 99).consumed);
    }
    bench_end(b);
}

/* The request compares registers, not their levels of three bits. */
static void request__a_lower_register_of_the_same_level_wins(void **state) {
    (void)state;
    struct bench *b = least_loaded();
    for (uint32_t a = 0; a < 4; a++) bench_load_ps(b, bench_tor(b, 0, 0), bench_agg(b, 0, a), 0, a == 1 ? 100 : 200);
    for (uint16_t i = 0; i < 20; i++) {
        assert_int_equal(bench_send(b, bench_syn(b, 0, FAR, (uint16_t)(3000 + i)), 0).node[1], bench_agg(b, 0, 1));
        assert_true(bench_answer(b, 0, 99).consumed);
    }
    bench_end(b);
}

static void request__equal_loads_draw(void **state) {
    (void)state;
    struct bench *b = least_loaded();
    uint32_t by[4] = {0};
    for (uint16_t i = 0; i < 80; i++) {
        by[bench_send(b, bench_syn(b, 0, FAR, (uint16_t)(3000 + i)), 0).port[0] - BENCH_HOSTS]++;
        if (b->emitted != UINT32_MAX) bench_answer(b, 0, 99); /* flows that share an id have no response */
    }
    for (int a = 0; a < 4; a++) assert_in_range(by[a], 5, 45);
    bench_end(b);
}

static void request__dead_uplinks_are_left_out(void **state) {
    (void)state;
    struct bench *b = least_loaded();
    uint32_t tor = bench_tor(b, 0, 0);
    for (uint32_t a = 1; a < 4; a++) bench_load(b, tor, bench_agg(b, 0, a), 0, 5);
    bench_switch(b, tor)->view[bench_port(b, tor, bench_agg(b, 0, 0))].up = false; /* routes still hold it */
    for (uint16_t i = 0; i < 20; i++) {
        assert_int_not_equal(bench_send(b, bench_syn(b, 0, FAR, (uint16_t)(3000 + i)), 0).node[1], bench_agg(b, 0, 0));
        assert_true(bench_answer(b, 0, 99).consumed);
    }
    bench_end(b);
}

/* Packets between a request and its response take the request's path, so none overtakes it. */
static void selecting__later_packets_follow_the_request(void **state) {
    (void)state;
    struct bench *b = least_loaded();
    uint32_t tor = bench_tor(b, 0, 0);
    for (uint32_t a = 0; a < 4; a++) bench_load(b, tor, bench_agg(b, 0, a), 0, a == 3 ? 0 : 4);
    assert_int_equal(bench_send(b, bench_syn(b, 0, FAR, 9), 0).node[1], bench_agg(b, 0, 3));
    bench_load(b, tor, bench_agg(b, 0, 3), 0, 7);
    for (int i = 0; i < 5; i++)
        assert_int_equal(bench_send(b, bench_data(b, 0, FAR, 9), 0).node[1], bench_agg(b, 0, 3));
    assert_int_equal(bench_count(b, "ecmp_while_selecting"), 5);
    assert_true(bench_answer(b, 0, 99).consumed);
    bench_end(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report__is_a_minimum_frame_to_the_rack_of_the_tor),
        cmocka_unit_test(report__speaks_of_the_best_link_each_way),
        cmocka_unit_test(report__a_dead_core_link_is_not_the_best),
        cmocka_unit_test(report__each_tor_once_until_there_is_news),
        cmocka_unit_test(report__no_more_often_than_the_period),
        cmocka_unit_test(report__idle_links_and_dead_tors_get_none),
        cmocka_unit_test(report__in_the_class_of_requests),
        cmocka_unit_test(request__carries_the_larger_of_own_and_told_load),
        cmocka_unit_test(request__inside_a_pod_knows_no_cores),
        cmocka_unit_test(told_load__is_forgotten_after_its_life),
        cmocka_unit_test(choose__an_agg_with_a_free_core),
        cmocka_unit_test(hear__not_from_a_host),
        cmocka_unit_test(hear__without_the_key_the_report_ends_here),
        cmocka_unit_test(leaf_spine__reports_nothing),
        cmocka_unit_test(request__leaves_by_the_least_loaded_uplink),
        cmocka_unit_test(request__a_lower_register_of_the_same_level_wins),
        cmocka_unit_test(request__equal_loads_draw),
        cmocka_unit_test(request__dead_uplinks_are_left_out),
        cmocka_unit_test(selecting__later_packets_follow_the_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
