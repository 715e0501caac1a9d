/* SPDX-License-Identifier: Apache-2.0 */
/* The baselines of the ExpressPass and SprayPass figures in simulated fabrics: published properties of DCTCP and DX. */
#include "dumbbell.h"

#include "mech/admit/admissions.h"

#include "unit.h"

/* With two long flows the queue oscillates closely around K, below K + N frames (DCTCP 3.3), and never runs empty. */
static void dctcp__queue_around_k(void **state) {
    (void)state;
    struct lab *l = lab_dumbbell("dctcp", 2, 10000 * MBPS);
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_in_range(q.mean, 55 * 1518, 66 * 1518);
    assert_in_range(q.most, 65 * 1518, 70 * 1518);
    assert_true(q.least > 40 * 1518);
    assert_true(lab_link_used(l) >= 990);
    assert_true(lab_jain(l) > 0.95);
    assert_nothing_lost(l);
    lab_end(l);
}

/* K and g follow the rate (AM-12): K is 260 frames at 40 Gbps. */
static void dctcp__queue_around_k_at_40g(void **state) {
    (void)state;
    struct lab *l = lab_dumbbell("dctcp", 2, 40000 * MBPS);
    l->config.until = 60 * MS;
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_in_range(q.mean, 220 * 1518, 265 * 1518);
    assert_in_range(q.most, 260 * 1518, 280 * 1518);
    assert_true(lab_link_used(l) >= 990);
    assert_nothing_lost(l);
    lab_end(l);
}

/* 64 flows have windows of a few segments. The least window of one segment still keeps the queue near K. */
static void dctcp__many_flows(void **state) {
    (void)state;
    struct lab *l = lab_dumbbell("dctcp", 64, 10000 * MBPS);
    for (uint32_t i = 0; i < 64; i++) l->flows.flow[i].start = i * 7 * US;
    l->config.until = 60 * MS;
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_in_range(q.mean, 50 * 1518, 130 * 1518);
    assert_true(lab_link_used(l) >= 990);
    assert_nothing_lost(l);
    lab_end(l);
}

/* DX needs no threshold: the queue is a few frames long, and the link is in use. */
static void dx__small_queue(void **state) {
    (void)state;
    struct lab *l = lab_dumbbell("dx", 2, 10000 * MBPS);
    lab_run_done(l);
    struct queue_seen q = lab_queue_seen(l);
    assert_true(q.mean < 5 * 1518);
    assert_true(q.most < 20 * 1518);
    assert_true(lab_link_used(l) >= 950);
    assert_true(lab_jain(l) > 0.95);
    assert_int_equal(l->r.packets.marked, 0);
    assert_nothing_lost(l);
    lab_end(l);
}

/* Timestamps, Expeditus tags and SACK blocks cross partitions. All flows end in spite of losses, with the same digest
 * for any number of threads, with and without delayed ACKs. */
static void all__same_bits_with_threads(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < 2 * n; i++) {
        if (row[i / 2]->base != &tcp_base) continue;
        struct lab *l = lab_new(spec_clos(2, 2, 2, 2, 4));
        lab_balance(l, "expeditus");
        lab_transport(l, row[i / 2]->name);
        lab_transport_param(l, 0, "delayed_ack", (int64_t)(1 + i % 2));
        l->config.switches.buffer_bytes = 30000; /* losses */
        l->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes_per_10g = 20000};
        lab_random_flows(l, 16, 150, 300000, 1 * MS);
        uint64_t one = lab_digest(l, 1);
        assert_true(l->r.packets.dropped > 0);
        assert_int_equal(l->r.flows_finished, 150);
        assert_true(lab_digest(l, 2) == one);
        lab_end(l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(dctcp__queue_around_k), UNIT(dctcp__queue_around_k_at_40g), UNIT(dctcp__many_flows),
        UNIT(dx__small_queue),       UNIT(all__same_bits_with_threads),
    };
    return RUN_UNITS(tests);
}
