/* SPDX-License-Identifier: Apache-2.0 */
/* Averages over time end with the last flow, at the picosecond, whatever the engine rounds its end to.
 *
 * A single datagram flow sends 1250 B payloads (1316 B on the wire) back to back at 10 Gbps: the NIC is busy without a break
 * until the last frame has left it, one link and a wait of 200 ns before the flow ends.
 */
#include "sim/fixture.h"

#include "unit.h"

#define PAYLOAD 1250
#define WIRE (PAYLOAD + 66) /* UDP 8, IP 20, Ethernet 38 */
#define FRAME_PS (WIRE * 800LL)
#define DELAY (200 * PS_PER_NS)

static struct lab *lab_datagrams(void) {
    struct lab *l = lab_new(spec_star(4));
    lab_link(l, "*-*", 0, DELAY, -1);
    lab_transport(l, "udp");
    lab_transport_param(l, 0, "payload", PAYLOAD);
    return l;
}

static time_ps last_end(const struct lab *l) {
    time_ps last = 0;
    for (uint32_t i = 0; i < l->flows.n; i++) last = max_i64(last, l->r.tally[i].finished_at);
    return last;
}

/* The port of the switch to host 1 sends from the arrival of the first frame to the end of the last. */
static void averages__of_one_short_flow(void **state) {
    (void)state;
    struct lab *l = lab_datagrams();
    lab_flow(l, 0, 1, 10 * PAYLOAD, 3 * US);
    lab_run_done(l);
    time_ps end = 3 * US + 11 * FRAME_PS + 2 * DELAY;
    assert_int_equal(l->r.tally[0].finished_at, end);
    assert_int_equal(l->r.averaged.from, 0);
    assert_int_equal(l->r.averaged.to, end);
    assert_int_equal(l->r.engine.sim_ps, 100 * US);
    const struct port_total *nic = &l->r.port[0];
    assert_int_equal(nic->utilisation_ppb, 10 * FRAME_PS * PPB / end);
    assert_int_equal(l->r.host_goodput_bps.mean, 10 * PAYLOAD * 8 * PS_PER_S / end);
    lab_end(l);
}

static void averages__begin_at_measure_from(void **state) {
    (void)state;
    struct lab *l = lab_datagrams();
    lab_flow(l, 0, 1, 10 * PAYLOAD, 0);
    l->config.measure.arrivals.from = 4 * FRAME_PS;
    lab_run_done(l);
    time_ps end = 11 * FRAME_PS + 2 * DELAY;
    assert_int_equal(l->r.averaged.from, 4 * FRAME_PS);
    assert_int_equal(l->r.averaged.to, end);
    assert_int_equal(l->r.port[0].utilisation_ppb, 6 * FRAME_PS * PPB / (end - 4 * FRAME_PS));
    lab_end(l);
}

/* Two senders share the port to their receiver, whose queue grows and then drains; its mean is over the measured part. */
static void averages__of_queues_begin_at_measure_from(void **state) {
    (void)state;
    int64_t mean[3];
    const time_ps from[3] = {0, 8 * US, 16 * US};
    for (int i = 0; i < 3; i++) {
        struct lab *l = lab_datagrams();
        lab_flow(l, 0, 2, 20 * PAYLOAD, 0);
        lab_flow(l, 1, 2, 20 * PAYLOAD, 0);
        l->config.measure.arrivals.from = from[i];
        lab_run_done(l);
        mean[i] = l->r.queue[QUEUE_TOR_DOWN].mean_bytes * 4; /* three of the four ports are idle */
        lab_end(l);
    }
    /* The backlog grows to 20 frames at 21 frame times = 22.1 us, and is nearly gone at 43 us, the end. */
    assert_in_range(mean[0], 9 * WIRE, 11 * WIRE);
    assert_true(mean[1] > mean[0] + WIRE && mean[2] > mean[0] + WIRE);
}

static void averages__end_with_the_last_flow_before_until(void **state) {
    (void)state;
    struct lab *l = lab_datagrams();
    lab_flow(l, 0, 1, 10 * PAYLOAD, 0);
    l->config.until = 5 * MS;
    lab_run_done(l);
    assert_int_equal(l->r.averaged.to, last_end(l));
    assert_int_equal(l->r.engine.sim_ps, 5 * MS);
    lab_end(l);
}

static void averages__run_to_until_while_a_flow_is_open(void **state) {
    (void)state;
    struct lab *l = lab_datagrams();
    lab_flow(l, 0, 1, 10 * PAYLOAD, 0);
    lab_flow(l, 2, 3, UINT64_MAX, 0)->rate_bps = GBPS;
    l->config.until = 512345678;
    lab_run_done(l);
    assert_int_equal(l->r.averaged.to, 512345678);
    lab_end(l);
}

/* An endless flow ends when it is stopped. */
static void averages__end_with_a_stop(void **state) {
    (void)state;
    struct lab *l = lab_datagrams();
    struct flow *f = lab_flow(l, 0, 1, UINT64_MAX, 0);
    f->rate_bps = GBPS;
    f->stop = 777777777;
    lab_flow(l, 2, 3, 10 * PAYLOAD, 0);
    lab_run_done(l);
    assert_int_equal(l->r.averaged.to, 777777777);
    lab_end(l);
}

/* The run does not wait for flows in the background; with `until` averages do. */
static void averages__and_flows_in_the_background(void **state) {
    (void)state;
    for (int with_until = 0; with_until < 2; with_until++) {
        struct lab *l = lab_datagrams();
        lab_flow(l, 0, 1, 10 * PAYLOAD, 0);
        lab_flow(l, 2, 3, 60 * PAYLOAD, 0)->flags = FLOW_BACKGROUND;
        if (with_until) l->config.until = 5 * MS;
        lab_run_done(l);
        assert_int_equal(l->r.averaged.to, l->r.tally[with_until].finished_at);
        lab_end(l);
    }
}

/* A flow that starts long after the others are over, and is known from the start. */
static void averages__end_with_a_late_flow(void **state) {
    (void)state;
    struct lab *l = lab_datagrams();
    lab_flow(l, 0, 1, 10 * PAYLOAD, 0);
    lab_flow(l, 0, 1, 1, 40 * MS + 1);
    lab_run_done(l);
    assert_int_equal(l->r.averaged.to, l->r.tally[1].finished_at);
    lab_end(l);
}

static void averages__without_any_flow(void **state) {
    (void)state;
    struct lab *l = lab_datagrams();
    lab_run_done(l);
    assert_int_equal(l->r.averaged.to, 100 * US);
    lab_end(l);
}

/* Losses and timeouts, several bottlenecks, acknowledgements on the way back: the end is found all the same, and
 * the averages are the same for any number of threads, with samples or without. */
static void end__is_exact_under_loss_and_on_threads(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        int64_t utilisation = 0, queue = 0;
        for (uint32_t threads = 1; threads <= 2; threads++) {
            struct lab *l = lab_new(spec_leaf_spine(4, 2, 4));
            l->config.seed = seed;
            l->config.threads = threads;
            l->config.switches.buffer_bytes = 30000;
            if (seed % 3 == 0) lab_transport(l, "expresspass"), lab_ports_as_needed(l);
            if (seed % 3 == 1) lab_link(l, "leaf0-*", 0, -1, PPB / 50);
            if (threads == 2) l->config.measure.queues = 7777777;
            lab_random_flows(l, 16, 60, 40000, seed % 2 ? 0 : 300 * US);
            lab_run_done(l);
            assert_int_equal(l->r.averaged.to, last_end(l));
            if (threads == 1) utilisation = l->r.link[0].mean_ppb, queue = l->r.queue_mean_bytes;
            assert_int_equal(l->r.link[0].mean_ppb, utilisation);
            assert_int_equal(l->r.queue_mean_bytes, queue);
            lab_end(l);
        }
    }
}

/* Samples fall between the end of the flow and the grid of the end; the run ends with that grid all the same. */
static void end__is_not_put_off_by_samples(void **state) {
    (void)state;
    struct fabric_spec spec = spec_star(2);
    spec.host_delay = 1 * MS;
    struct lab *l = lab_new(spec);
    lab_flow(l, 0, 1, 1460, 0);
    l->config.measure.queues = 1 * US;
    lab_run_done(l);
    assert_in_range(l->r.engine.sim_ps - l->r.tally[0].finished_at, 0, 100 * US);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(averages__of_one_short_flow),
        UNIT(averages__begin_at_measure_from),
        UNIT(averages__of_queues_begin_at_measure_from),
        UNIT(averages__end_with_the_last_flow_before_until),
        UNIT(averages__run_to_until_while_a_flow_is_open),
        UNIT(averages__end_with_a_stop),
        UNIT(averages__and_flows_in_the_background),
        UNIT(averages__end_with_a_late_flow),
        UNIT(averages__without_any_flow),
        UNIT(end__is_exact_under_loss_and_on_threads),
        UNIT(end__is_not_put_off_by_samples),
    };
    return RUN_UNITS(tests);
}
