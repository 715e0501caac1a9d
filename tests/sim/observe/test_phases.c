/* SPDX-License-Identifier: Apache-2.0 */
/* Phases of a run, and measure.until, against values computed by hand.
 *
 * Datagrams of 1250 B (10,000 bits) at 3 and 1 Gbps: 300 and 100 a millisecond, of 1316 B on the wire. They cross two idle
 * links in 2.5 us, less than the shorter of their gaps, so every millisecond sees all datagrams that were sent in it.
 */
#include "sim/fixture.h"

#include "unit.h"

#define PAYLOAD 1250
#define WIRE (PAYLOAD + 66) /* UDP 8, IP 20, Ethernet 38 */

static struct lab *lab_datagrams(time_ps until) {
    struct lab *l = lab_new(spec_star(6));
    lab_link(l, "*-*", 0, 200 * PS_PER_NS, -1);
    lab_transport(l, "udp");
    lab_transport_param(l, 0, "payload", PAYLOAD);
    l->config.until = until;
    return l;
}

static struct flow *datagrams(struct lab *l, uint32_t src, uint32_t dst, uint64_t bytes, int64_t rate_bps,
                              time_ps start) {
    struct flow *f = lab_flow(l, src, dst, bytes, start);
    f->rate_bps = rate_bps;
    return f;
}

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
    lab_run_done(l);
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
        UNIT(phases__averages_between_their_edges),
        UNIT(phases__flows_by_their_starts),
        UNIT(until__ends_averages_and_arrivals),
        UNIT(phases__change_nothing_and_are_the_same_for_threads),
    };
    return RUN_UNITS(tests);
}
