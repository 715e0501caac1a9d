/* SPDX-License-Identifier: Apache-2.0 */
/* Phases of a run, and measure.until, against values computed by hand. */
#include "sim/observe/datagrams.h"

#include "unit.h"

/* 3 Gbps all the time, 1 Gbps more from 2 ms on. The last phase is cut off by the end at 5 ms; one comes after it. */
static void phases__averages_between_their_edges(void **state) {
    (void)state;
    static const struct measured_phase phase[] = {
        {"before", 0, 2 * MS}, {"during", 2 * MS, 3 * MS}, {"after", 3 * MS, 9 * MS}, {"never", 7 * MS, 9 * MS}};
    struct lab *l = lab_datagrams(5 * MS);
    datagrams(l, 0, 2, UINT64_MAX, 3 * GBPS, 0);
    datagrams(l, 1, 3, UINT64_MAX, GBPS, 2 * MS);
    l->config.measure.phase = phase;
    l->config.measure.n_phases = 4;
    lab_run_done(l);
    assert_int_equal(l->r.n_phases, 4);
    const struct phase_total *p = l->r.phase;
    assert_string_equal(p[1].name, "during");
    assert_int_equal(p[0].host_goodput_bps.n, 1);
    assert_int_equal(p[0].host_goodput_bps.mean, 3 * GBPS);
    assert_int_equal(p[1].host_goodput_bps.n, 2);
    assert_int_equal(p[1].host_goodput_bps.min, GBPS);
    assert_int_equal(p[2].from, 3 * MS);
    assert_int_equal(p[2].to, 5 * MS);
    assert_int_equal(p[2].host_goodput_bps.max, 3 * GBPS);
    assert_int_equal(p[0].link[TIER_HOST].max_ppb, 300 * WIRE * 800); /* bits in a ms, of 10 million */
    assert_true(p[3].to <= p[3].from);
    assert_int_equal(p[3].host_goodput_bps.n, 0);
    assert_int_equal(p[3].link[TIER_HOST].max_ppb, 0);
    lab_end(l);
}

/* A flow belongs to the phase in which it starts, whether the selection has it or not. */
static void phases__flows_by_their_starts(void **state) {
    (void)state;
    static const struct measured_phase phase[] = {{"a", 0, MS}, {"b", MS, 2 * MS}};
    struct lab *l = lab_datagrams(5 * MS);
    for (int i = 0; i < 4; i++) datagrams(l, 0, 2, 10 * PAYLOAD, GBPS, i * MS / 2);
    l->config.measure.arrivals.from = 400 * US;
    l->config.measure.phase = phase;
    l->config.measure.n_phases = 2;
    lab_run_done(l);
    assert_int_equal(l->r.times[CLASS_ALL].fct_ps.n, 3);
    assert_int_equal(l->r.phase[0].flows.times[CLASS_ALL].fct_ps.n, 2);
    assert_int_equal(l->r.phase[1].flows.times[CLASS_MICE].fct_ps.n, 2);
    assert_int_equal(l->r.phase[1].flows.times[CLASS_ELEPHANT].fct_ps.n, 0);
    lab_end(l);
}

/* The last datagram arrives 66 us after the first has left; the engine goes on to 100 us. A phase ends with the averages. */
static void phases__end_with_the_last_flow(void **state) {
    (void)state;
    static const struct measured_phase phase[] = {{"all", 0, 90 * US}};
    struct lab *l = lab_datagrams(TIME_NONE);
    datagrams(l, 0, 2, 20 * PAYLOAD, 3 * GBPS, 0);
    l->config.measure.phase = phase;
    l->config.measure.n_phases = 1;
    lab_run_done(l);
    assert_in_range(l->r.averaged.to, 60 * US, 70 * US);
    assert_int_equal(l->r.phase[0].to, l->r.averaged.to);
    assert_int_equal(l->r.phase[0].host_goodput_bps.mean, l->r.host_goodput_bps.mean);
    assert_int_equal(l->r.phase[0].link[TIER_HOST].max_ppb, l->r.link[TIER_HOST].max_ppb);
    lab_end(l);
}

/* 16 Gbps to a link of 10: frames are dropped as soon as the buffer is full, and each in one phase. */
static void phases__have_their_own_drops(void **state) {
    (void)state;
    static const struct measured_phase phase[] = {{"first", 0, 2 * MS}, {"second", 2 * MS, 5 * MS}};
    struct lab *l = lab_datagrams(5 * MS);
    datagrams(l, 0, 2, UINT64_MAX, 8 * GBPS, 0);
    datagrams(l, 1, 2, UINT64_MAX, 8 * GBPS, 0);
    l->config.measure.phase = phase;
    l->config.measure.n_phases = 2;
    lab_run_done(l);
    const struct phase_total *p = l->r.phase;
    assert_true(p[0].counts.packets.dropped > 500 && p[1].counts.packets.dropped > p[0].counts.packets.dropped);
    assert_int_equal(p[0].counts.packets.dropped + p[1].counts.packets.dropped, l->r.packets.dropped);
    assert_true(p[1].queue_mean_bytes > p[0].queue_mean_bytes && p[0].queue_mean_bytes > 0);
    lab_end(l);
}

/* 16 Gbps to a link of 10 for 1 ms, then 1 Gbps: the buffer fills in the first phase, has drained within the second, and is as
 * good as empty in the third. The largest of the phases is that of the run. */
static void phases__have_their_own_largest_queues(void **state) {
    (void)state;
    static const struct measured_phase phase[] = {
        {"early", 0, MS}, {"drain", MS, 2 * MS}, {"late", 3 * MS, 5 * MS}, {"all", 0, 5 * MS}};
    struct lab *l = lab_datagrams(5 * MS);
    datagrams(l, 0, 2, 700 * PAYLOAD, 8 * GBPS, 0);
    datagrams(l, 1, 2, 700 * PAYLOAD, 8 * GBPS, 0);
    datagrams(l, 3, 2, UINT64_MAX, GBPS, 3 * MS);
    l->config.measure.phase = phase;
    l->config.measure.n_phases = 4;
    lab_run_done(l);
    const struct phase_total *p = l->r.phase;
    assert_true(l->r.queue_max_bytes > 100000);
    assert_int_equal(p[0].queue_max_bytes, l->r.queue_max_bytes);
    assert_in_range(p[1].queue_max_bytes, 10000, l->r.queue_max_bytes);
    assert_int_equal(p[2].queue_max_bytes, WIRE * FULL_FRAME_BYTES / FULL_WIRE_BYTES);
    assert_int_equal(p[3].queue_max_bytes, l->r.queue_max_bytes);
    assert_int_equal(p[2].queue[QUEUE_TOR_DOWN].max_bytes, p[2].queue_max_bytes);
    assert_int_equal(p[3].queue[QUEUE_TOR_DOWN].mean_bytes, l->r.queue[QUEUE_TOR_DOWN].mean_bytes);
    assert_int_equal(p[3].buffer.max_bytes, l->r.buffer[0].max_bytes);
    assert_int_equal(p[3].buffer.mean_bytes, l->r.buffer[0].mean_bytes);
    assert_true(p[2].buffer.max_bytes < p[1].buffer.max_bytes && p[1].buffer.max_bytes <= p[0].buffer.max_bytes);
    lab_end(l);
}

/* Phases beside each other have the frames, drops and timeouts of the run among them. */
static void phases__divide_what_is_counted(void **state) {
    (void)state;
    static const struct measured_phase phase[] = {
        {"first", 0, MS}, {"second", MS, 3 * MS}, {"third", 3 * MS, 100 * PS_PER_S}};
    struct lab *l = lab_new(spec_star(6));
    lab_random_flows(l, 6, 400, 30000, MS);
    l->config.switches.buffer_bytes = 6000;
    l->config.measure.phase = phase;
    l->config.measure.n_phases = 3;
    lab_run_done(l);
    struct packet_totals sum = {0};
    uint64_t timeouts = 0;
    for (int i = 0; i < 3; i++) {
        const struct phase_total *p = &l->r.phase[i];
        sum.sent += p->counts.packets.sent;
        sum.delivered += p->counts.packets.delivered;
        sum.dropped += p->counts.packets.dropped;
        sum.retransmitted += p->counts.packets.retransmitted;
        sum.dropped_by[DROP_BUFFER] += p->counts.packets.dropped_by[DROP_BUFFER];
        timeouts += p->counts.timeouts[PHASE_TIMEOUTS_DATA];
    }
    assert_true(sum.retransmitted > 0 && l->r.phase[1].counts.packets.retransmitted < sum.retransmitted);
    assert_int_equal(sum.retransmitted, l->r.packets.retransmitted);
    assert_int_equal(sum.dropped_by[DROP_BUFFER], l->r.packets.dropped_by[DROP_BUFFER]);
    assert_int_equal(sum.dropped, l->r.packets.dropped);
    assert_true(l->r.phase[2].counts.timeouts[PHASE_TIMEOUTS_DATA] > 0);
    assert_true(timeouts > 0 && sum.sent > 0 && sum.delivered + sum.dropped <= l->r.packets.sent);
    lab_end(l);
}

/* From 1 to 3 ms: what comes later is in no average and no summary of flows, but the run goes on. */
static void until__ends_averages_and_arrivals(void **state) {
    (void)state;
    struct lab *l = lab_datagrams(5 * MS);
    datagrams(l, 0, 2, UINT64_MAX, GBPS, 0);
    datagrams(l, 1, 3, UINT64_MAX, 3 * GBPS, 3 * MS);
    datagrams(l, 4, 5, 10 * PAYLOAD, GBPS, 2 * MS);
    datagrams(l, 4, 5, 10 * PAYLOAD, GBPS, 4 * MS);
    l->config.measure.arrivals.from = MS;
    l->config.measure.arrivals.until = 3 * MS;
    l->config.measure.jain[0] = MS;
    l->config.measure.n_jain = 1;
    lab_run_done(l);
    assert_int_equal(l->r.fairness[0].intervals, 2);
    assert_int_equal(l->r.averaged.from, MS);
    assert_int_equal(l->r.averaged.to, 3 * MS);
    assert_int_equal(l->r.times[CLASS_ALL].fct_ps.n, 1);
    assert_int_equal(l->r.flows_started, 4);
    assert_int_equal(l->r.host_goodput_bps.n, 2);
    assert_int_equal(l->r.host_goodput_bps.max, GBPS);
    assert_int_equal(l->r.engine.sim_ps, 5 * MS);
    lab_end(l);
}

/* ---- observing changes nothing ---- */

static struct lab *lab_busy(bool measured) {
    static const struct measured_phase phase[] = {
        {"a", 0, 123456789}, {"b", 123456789, 400 * US}, {"c", 300 * US, 10 * MS}};
    struct lab *l = lab_new(spec_leaf_spine(4, 3, 3));
    lab_link(l, "leaf0-spine*", 0, 100 * PS_PER_NS, -1);
    lab_random_flows(l, 12, 60, 300000, 500 * US);
    if (!measured) return l;
    l->config.measure.arrivals.until = 450 * US;
    l->config.measure.phase = phase;
    l->config.measure.n_phases = 3;
    return l;
}

static void phases__change_nothing_and_are_the_same_for_threads(void **state) {
    (void)state;
    struct lab *plain = lab_busy(false), *one = lab_busy(true), *three = lab_busy(true);
    assert_true(lab_digest(plain, 1) == lab_digest(one, 1));
    assert_true(lab_digest(plain, 1) == lab_digest(three, 3));
    assert_int_equal(one->r.n_phases, 3);
    assert_memory_equal(one->r.phase, three->r.phase, 3 * sizeof *one->r.phase);
    assert_int_equal(one->r.averaged.to, 450 * US);
    lab_end(plain);
    lab_end(one);
    lab_end(three);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(phases__averages_between_their_edges),  UNIT(phases__flows_by_their_starts),
        UNIT(phases__end_with_the_last_flow),        UNIT(phases__have_their_own_drops),
        UNIT(phases__have_their_own_largest_queues), UNIT(phases__divide_what_is_counted),
        UNIT(until__ends_averages_and_arrivals),     UNIT(phases__change_nothing_and_are_the_same_for_threads),
    };
    return RUN_UNITS(tests);
}
