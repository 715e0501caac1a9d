/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded and failing links: failures, loss, slow links, two flows at a bottleneck, marks, and samples of a queue. */
#include "mech/admit/admissions.h"
#include "sim/engine/flight.h"
#include "sim/fixture.h"

#include "unit.h"

#include "sim/idle_times.h"

/* ---- links that fail, lose, slow down ---- */

static void failure__routes_avoid_the_dead_link(void **state) {
    (void)state;
    uint64_t dead_sent[2];
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_new(spec_leaf_spine(2, 2, 4));
        lab_fail(l, "leaf0-spine1", 100 * US, TIME_NONE, 50 * US);
        for (uint32_t h = 0; h < 4; h++) lab_flow(l, h, 4 + h, 1000000, 0);
        for (uint32_t h = 0; h < 4; h++) lab_flow(l, 4 + h, h, 1000000, 0);
        if (i == 0) l->config.until = 150 * US;
        lab_run_done(l);
        dead_sent[i] = lab_sent(l, "leaf0", "spine1") + lab_sent(l, "spine1", "leaf0");
        if (i == 1) {
            assert_int_equal(l->r.flows_finished, 8);
            assert_true(l->r.packets.dropped_by[DROP_LINK_DOWN] > 0);
        }
        lab_end(l);
    }
    /* After detection no frame enters the dead link; frames queued before still count as sent. */
    assert_true(dead_sent[1] >= dead_sent[0] && dead_sent[1] - dead_sent[0] <= 2 * 250000);
}

static void failure__a_repaired_link_is_used_again(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_leaf_spine(2, 1, 1));
    lab_fail(l, "leaf0-spine0", 1 * MS, 30 * MS, 0);
    lab_flow(l, 0, 1, 3000000, 0);
    lab_run_done(l);
    assert_true(l->r.tally[0].finished_at > 30 * MS && l->r.tally[0].finished_at < 80 * MS);
    assert_true(l->r.tally[0].data_timeouts >= 1);
    lab_end(l);
}

static void gray__loses_its_share(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    lab_gray(l, "leaf0-host0.0", PPB / 10, 0, TIME_NONE);
    lab_flow(l, 0, 1, UINT64_MAX, 0);
    l->config.until = 20 * MS;
    lab_run_done(l);
    double share = (double)l->r.packets.dropped_by[DROP_LOSS] / (double)l->r.packets.sent;
    assert_true(l->r.packets.sent > 16000 && share > 0.09 && share < 0.11);
    lab_end(l);
}

static void slow__for_a_while(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(2));
    lab_transport(l, "udp");
    lab_slow(l, "leaf0-host0.1", GBPS, 1 * MS, 2 * MS);
    l->config.switches.buffer_bytes = 10000000;
    lab_flow(l, 0, 1, UINT64_MAX, 0)->rate_bps = GBPS * 9 / 10; /* 0.94 Gbps on the wire */
    l->config.until = 3 * MS;
    lab_run_done(l);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_true(l->r.queue_max_bytes <= 2 * 1518);
    lab_end(l);
}

/* ---- sharing a bottleneck ---- */

/* Makes two long flows over 10 Gbps from hosts of 40 Gbps. (From hosts of 10 Gbps one flow keeps a full queue full
 * without losing a frame, and starves the other.) */
static struct lab *lab_bottleneck(const char *transport) {
    struct fabric_spec spec = spec_dumbbell(2);
    spec.host_bps = 40 * GBPS;
    struct lab *l = lab_new(spec);
    lab_transport(l, transport);
    lab_flow(l, 0, 2, UINT64_MAX, 0);
    lab_flow(l, 1, 3, UINT64_MAX, 0);
    l->config.until = 60 * MS;
    return l;
}

static void share__two_flows_are_fair_and_fill_the_link(void **state) {
    (void)state;
    static const char *const names[] = {"newreno", "cubic"};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_bottleneck(names[i]);
        lab_run_done(l);
        double a = (double)l->r.tally[0].received_bytes, b = (double)l->r.tally[1].received_bytes;
        assert_true(a / b > 0.67 && a / b < 1.5);
        assert_true((a + b) * 8 / 0.060 > 0.85 * 9.49e9); /* 9.49 of 10 Gbps are payload */
        lab_end(l);
    }
}

/* ---- marking ---- */

static void ecn__queue_stays_near_the_threshold(void **state) {
    (void)state;
    struct lab *deaf = lab_bottleneck("newreno"), *l = lab_bottleneck("newreno");
    lab_run_done(deaf);
    assert_true(deaf->r.packets.dropped > 0 && deaf->r.packets.marked == 0);
    lab_transport_param(l, 0, "ecn", 1);
    l->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes = 60000};
    lab_run_done(l);
    assert_true(l->r.packets.marked > 0 && l->r.packets.dropped == 0);
    int64_t mean = lab_port(l, "leaf0", "leaf1")->mean_queue_bytes;
    assert_true(mean > 20000 && mean < 60000);
    assert_true(l->r.queue_max_bytes < 3 * 60000); /* slow start exceeds it for a round trip */
    assert_true(deaf->r.queue_max_bytes > 220000 && lab_port(deaf, "leaf0", "leaf1")->mean_queue_bytes > 150000);
    lab_end(deaf);
    lab_end(l);
}

/* Frames of a flow that is not ECN-capable are never marked. */
static void ecn__only_for_those_who_ask(void **state) {
    (void)state;
    struct lab *l = lab_bottleneck("newreno");
    l->config.switches.admit = (struct admit_config){.ops = &admit_ecn, .ecn_bytes = 60000};
    lab_run_done(l);
    assert_int_equal(l->r.packets.marked, 0);
    assert_true(l->r.packets.dropped > 0);
    lab_end(l);
}

/* ---- samples ---- */

/* Two hosts send to a third at line rate: its queue grows by 10 Gbps, less preamble and gap of each frame. */
static void samples__a_queue_that_grows(void **state) {
    (void)state;
    struct lab *l = lab_new(spec_star(3));
    lab_transport(l, "udp");
    l->config.switches.buffer_bytes = 10000000;
    l->config.measure.queues = 50 * US;
    l->config.until = 500 * US;
    lab_flow(l, 1, 0, UINT64_MAX, 0);
    lab_flow(l, 2, 0, UINT64_MAX, 0);
    lab_run_done(l);
    uint32_t port = lab_port(l, "leaf0", "host0.0")->port, seen = 0;
    for (size_t i = 0; i < l->r.n_samples; i++) {
        const struct sample *s = &l->r.sample[i];
        if (s->kind != SAMPLE_QUEUE || s->port != port) continue;
        assert_int_equal(s->at, 50 * US * ++seen);
        int64_t expected = (s->at - FULL_PS - 2 * US) / PS_PER_BYTE * 1518 / 1538;
        assert_true(llabs(s->value - expected) <= 2 * 1518);
    }
    assert_int_equal(seen, 10);
    lab_end(l);
}

/* The lists of frames on links take the memory of the most frames at a time: a second burst uses that of the first. */
static void memory__of_long_queues_is_used_again(void **state) {
    (void)state;
    uint64_t rings[3];
    for (uint32_t bursts = 0; bursts < 3; bursts++) {
        struct lab *l = lab_new(spec_leaf_spine(2, 2, 4));
        lab_flow(l, 1, 0, 1000, 0);
        for (uint32_t b = 0; b < bursts; b++)
            for (uint32_t h = 1; h < 8; h++) lab_flow(l, h, 0, 400000, 10 * MS + b * 100 * MS);
        lab_run_done(l);
        assert_int_equal(lab_port(l, "leaf0", "host0.0")->max_queue_bytes > 100000, bursts > 0);
        rings[bursts] = l->r.memory.rings_bytes;
        lab_end(l);
    }
    assert_true(rings[1] > rings[0] + 10 * sizeof(struct flight_chunk));
    assert_true(rings[2] < rings[1] + 2 * sizeof(struct flight_chunk));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(failure__routes_avoid_the_dead_link),
        UNIT(failure__a_repaired_link_is_used_again),
        UNIT(gray__loses_its_share),
        UNIT(slow__for_a_while),
        UNIT(share__two_flows_are_fair_and_fill_the_link),
        UNIT(ecn__queue_stays_near_the_threshold),
        UNIT(ecn__only_for_those_who_ask),
        UNIT(samples__a_queue_that_grows),
        UNIT(memory__of_long_queues_is_used_again),
    };
    return RUN_UNITS(tests);
}
