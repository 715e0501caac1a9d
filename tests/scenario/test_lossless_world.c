/* SPDX-License-Identifier: Apache-2.0 */
/* Flow control in a world (DeTail): nothing is lost, back-pressure reaches the hosts, and the digest does not depend on
 * the number of threads. */
#include "lossless_lab.h"

#include "mech/flowctl/flowctls.h"

#include "unit.h"

/* Every host of three racks sends to one host of the fourth. */
static void lab_incast(struct lab *l, uint64_t bytes) {
    for (uint32_t h = 0; h < 12; h++) lab_flow(l, h, 12 + h % 2, bytes, h * 10 * US);
}

static void incast__loses_nothing_under_flow_control(void **state) {
    (void)state;
    const struct flowctl_ops *const kinds[] = {&flowctl_pause, &flowctl_pfc};
    for (int k = 0; k < 2; k++) {
        struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), kinds[k], "ecmp");
        lab_incast(l, 400000);
        lab_run_done(l);
        assert_int_equal(l->r.flows_unfinished, 0);
        assert_int_equal(l->r.packets.dropped, 0);
        assert_int_equal(l->r.packets.retransmitted, 0);
        assert_true(l->r.pauses.sent > 0 && l->r.pauses.paused > 0);
        assert_in_range(l->r.pauses.ingress_max_bytes, 9932, 131072);
        lab_end(l);
    }
}

/* DT-6: back-pressure passes from the egress to the ingress and to the previous port, up to the NICs of the senders. */
static void incast__pauses_reach_the_hosts(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), &flowctl_pfc, "ecmp");
    lab_incast(l, 400000);
    l->config.until = 5 * MS;
    lab_run_done(l);
    uint64_t paused_hosts = 0;
    for (size_t g = 0; g < 12; g++) paused_hosts += l->r.port[g].paused > 0;
    assert_int_equal(paused_hosts, 12);
    lab_end(l);
}

static void incast__the_same_work_loses_frames_without(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), &flowctl_none, "ecmp");
    lab_incast(l, 400000);
    lab_run_done(l);
    assert_true(l->r.packets.dropped > 0);
    assert_int_equal(l->r.pauses.sent, 0);
    assert_int_equal(l->r.flows_unfinished, 0);
    lab_end(l);
}

/* ALB reorders and PFC loses nothing, so hosts without fast retransmit send nothing twice (DT-20). */
static void alb__reorders_and_nothing_is_sent_again(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), &flowctl_pfc, "alb");
    lab_incast(l, 400000);
    lab_run_done(l);
    assert_int_equal(l->r.flows_unfinished, 0);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(l->r.packets.retransmitted, 0);
    assert_true(l->r.packets.reordered > 0);
    lab_end(l);
}

static void digest__same_for_1_2_and_3_threads(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), &flowctl_pfc, "alb");
    lab_incast(l, 200000);
    lab_run_done(l);
    uint64_t digest = l->r.engine.digest, pauses = l->r.pauses.sent;
    assert_true(pauses > 0);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        assert_true(lab_digest(l, threads) == digest);
        assert_int_equal(l->r.pauses.sent, pauses);
    }
    lab_end(l);
}

/* With thousands of flows, hosts prefetch the connection of each frame; a pause frame has none. */
static void incast__pauses_reach_hosts_of_thousands_of_flows(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), &flowctl_pfc, "ecmp");
    for (uint32_t i = 0; i < 4200; i++) lab_flow(l, i % 12, 12 + i % 2, 3000, 0);
    lab_run_done(l);
    assert_int_equal(l->r.flows_unfinished, 0);
    assert_int_equal(l->r.packets.dropped, 0);
    uint64_t paused_hosts = 0;
    for (size_t g = 0; g < 12; g++) paused_hosts += l->r.port[g].paused > 0;
    assert_int_equal(paused_hosts, 12);
    lab_end(l);
}

/* AM-14: a NIC with a queue for each class holds paused frames, up to its size, and loses nothing. */
static void fifo_nic__holds_its_queues(void **state) {
    (void)state;
    const struct flowctl_ops *const kinds[] = {&flowctl_pause, &flowctl_pfc};
    for (int k = 0; k < 2; k++) {
        struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), kinds[k], "ecmp");
        l->config.hosts.nic = NIC_FIFO;
        l->config.hosts.nic_queue_bytes = 30000;
        lab_incast(l, 400000);
        lab_run_done(l);
        assert_int_equal(l->r.flows_unfinished, 0);
        assert_int_equal(l->r.packets.dropped, 0);
        assert_int_equal(l->r.packets.retransmitted, 0);
        if (kinds[k] == &flowctl_pfc) assert_true(l->r.port[0].paused > 0);
        assert_in_range(l->r.queue[QUEUE_NIC].max_bytes, 20000, 30000 + 1518);
        lab_end(l);
    }
}

/* A paused class fills only its own queue and does not block another class. */
static void fifo_nic__classes_pass_each_other(void **state) {
    (void)state;
    span_ps fct[2];
    for (int shared = 0; shared < 2; shared++) {
        struct lab *l = lab_detail(spec_star(6), &flowctl_pfc, "ecmp");
        l->config.hosts.nic = NIC_FIFO;
        l->config.hosts.nic_queue_bytes = 60000;
        for (uint32_t h = 0; h < 4; h++) lab_flow(l, h, 4, 600000, 0);
        lab_flow(l, 0, 5, 20000, 10 * MS)->priority = shared ? 0 : 7;
        lab_run_done(l);
        assert_int_equal(l->r.packets.dropped, 0);
        fct[shared] = lab_fct(l, 4);
        lab_end(l);
    }
    assert_true(fct[0] < 1 * MS && fct[1] > 2 * MS);
}

static void fifo_nic__digest_for_any_threads(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), &flowctl_pfc, "alb");
    l->config.hosts.nic = NIC_FIFO;
    l->config.hosts.nic_queue_bytes = 30000;
    lab_incast(l, 200000);
    uint64_t digest = lab_digest(l, 1);
    assert_true(lab_digest(l, 3) == digest);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(incast__loses_nothing_under_flow_control),
        UNIT(incast__pauses_reach_the_hosts),
        UNIT(incast__the_same_work_loses_frames_without),
        UNIT(alb__reorders_and_nothing_is_sent_again),
        UNIT(digest__same_for_1_2_and_3_threads),
        UNIT(fifo_nic__holds_its_queues),
        UNIT(fifo_nic__classes_pass_each_other),
        UNIT(fifo_nic__digest_for_any_threads),
        UNIT(incast__pauses_reach_hosts_of_thousands_of_flows),
    };
    return RUN_UNITS(tests);
}
