/* SPDX-License-Identifier: Apache-2.0 */
/* ExpressPass in whole fabrics: the naive variant's faults (XP-22), links of unlike rates (XP-6), hosts of unlike rates
 * (XP-18).
 */
#include "scenario/credit_lab.h"

#define RUN (60 * MS)

static struct lab *lab_naive(struct fabric_spec spec) {
    struct lab *l = lab_credits(spec, "expresspass");
    lab_transport_param(l, 0, "feedback", 2);
    l->config.until = RUN;
    return l;
}

/* Of what the flow's link carries of data, in thousandths. */
static int64_t goodput_milli(const struct lab *l, uint32_t flow) {
    int64_t full = RUN / (1622 * 800), segments = l->r.tally[flow].received_bytes / 1460; /* 10 Gbps: 800 ps a byte */
    return segments * 1000 / full;
}

static void assert_about(int64_t measured, int64_t expected) {
    if (measured < expected * 98 / 100 || measured > expected * 102 / 100)
        fail_msg("%lld instead of %lld", (long long)measured, (long long)expected);
}

/* (a) Flows 1 and 2 have lost half of their credits before they meet those of flow 3. Credits at the full rate of links
 * with one clock keep their phase for long, and who comes first after a departure gets all places of a full queue; so
 * the links' clocks differ by a thousandth, as real ones do. */
static void naive__flow_3_gets_twice_flows_1_and_2(void **state) {
    (void)state;
    struct lab *l = lab_naive(spec_parking_lot(2));
    lab_link(l, "leaf0-leaf1", 9990 * MBPS, -1, -1);
    lab_link(l, "host2.0-*", 10005 * MBPS, -1, -1);
    lab_link(l, "host1.1-*", 10013 * MBPS, -1, -1);
    lab_link(l, "host2.1-*", 10021 * MBPS, -1, -1);
    lab_flow(l, 0, 4, UINT64_MAX, 0);
    lab_flow(l, 0, 3, UINT64_MAX, 0);
    lab_flow(l, 1, 5, UINT64_MAX, 0);
    lab_run_done(l);
    int64_t first = goodput_milli(l, 0), third = goodput_milli(l, 1), second = goodput_milli(l, 2);
    assert_about(third, 500);
    assert_about(first + second, 500);
    assert_true(first > 220 && second > 220);
    assert_int_equal(l->r.packets.dropped, 0);
    lab_end(l);
}

static void lab_other_traffic(struct lab *l, uint8_t udp, uint32_t src, uint32_t dst, int64_t rate_bps) {
    struct flow *f = lab_flow(l, src, dst, UINT64_MAX, 0);
    f->transport = udp;
    f->rate_bps = rate_bps;
}

/* (b) The long flow keeps half of its credits on the first link that they cross and a third on the next, so its data
 * leaves a sixth of the first unused. That supposes drops that know no flow: full jitter, and other frames in the way
 * of credits. (In phase the long flow gets all or nothing on either link, a quarter in the mean.) */
static void naive__parking_lot_leaves_a_sixth_unused(void **state) {
    (void)state;
    struct lab *l = lab_naive(spec_parking_lot(2));
    lab_transport_param(l, 0, "jitter", PPB);
    lab_flow(l, 0, 5, UINT64_MAX, 0);
    lab_flow(l, 1, 2, UINT64_MAX, 0);
    uint8_t udp = lab_add_transport(l, "udp");
    lab_other_traffic(l, udp, 2, 1, 4230 * MBPS);
    lab_flow(l, 3, 4, UINT64_MAX, 0);
    lab_other_traffic(l, udp, 4, 3, 4170 * MBPS);
    lab_other_traffic(l, udp, 5, 3, 4100 * MBPS);
    lab_run_done(l);
    assert_about(goodput_milli(l, 0), 333);
    assert_about(lab_port(l, "leaf1", "leaf2")->data_ppb / 1000, 833 * 1538 * 1000 / 1622);
    assert_about(lab_port(l, "leaf0", "leaf1")->data_ppb / 1000, 1000 * 1538 * 1000 / 1622);
    assert_int_equal(l->r.packets.dropped, 0);
    lab_end(l);
}

/* The feedback of Algorithm 1 repairs (b). */
static void feedback__parking_lot_is_used(void **state) {
    (void)state;
    struct lab *l = lab_naive(spec_parking_lot(2));
    lab_transport_param(l, 0, "feedback", 0);
    lab_flow(l, 0, 5, UINT64_MAX, 0);
    lab_flow(l, 1, 2, UINT64_MAX, 0);
    lab_flow(l, 3, 4, UINT64_MAX, 0);
    lab_run_done(l);
    assert_true(lab_port(l, "leaf1", "leaf2")->data_ppb > PPB * 88 / 100);
    lab_end(l);
}

/* ---- links of unlike rates ---- */

/* XP-6: each link is symmetric, so each of its credit limiters fits the data that comes back. */
static void rates__a_fast_core_loses_nothing(void **state) {
    (void)state;
    struct fabric_spec spec = spec_clos(3, 2, 2, 2, 4);
    spec.uplink_bps = spec.core_bps = 40 * GBPS;
    struct lab *l = lab_credits(spec, "expresspass");
    lab_random_flows(l, 24, 200, 400000, 1 * MS);
    for (uint32_t sender = 1; sender < 24; sender++) lab_flow(l, sender, 0, 100000, 500 * US);
    lab_run_done(l);
    assert_all_arrived(l);
    assert_bounded(l, 0);
    lab_end(l);
}

/* XP-18: a receiver's highest rate is that of its own link, so the faster one takes more of a link they share. */
static void rates__the_faster_receiver_takes_more(void **state) {
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        struct lab *l = lab_naive(spec_dumbbell(2));
        lab_transport_param(l, 0, "feedback", 0);
        if (fast) lab_link(l, "host1.1-*", 40 * GBPS, -1, -1);
        lab_flow(l, 0, 2, UINT64_MAX, 0);
        lab_flow(l, 1, 3, UINT64_MAX, 0);
        lab_run_done(l);
        int64_t slow = goodput_milli(l, 0), other = goodput_milli(l, 1);
        assert_true(slow + other > 950);
        if (fast)
            assert_true(other > 2 * slow);
        else
            assert_true(other < slow * 11 / 10 && slow < other * 11 / 10);
        assert_int_equal(l->r.packets.dropped, 0);
        lab_end(l);
    }
}

/* XP-18: the receiver's link has a tenth of its rate for a while: credits are then made for a tenth. Made for the
 * whole, nine of ten would be refused; made for a tenth still when the link is mended, nine tenths of it would lie
 * idle. */
static void rates__credits_follow_a_link_that_slows_down(void **state) {
    (void)state;
    for (int opens_slow = 0; opens_slow < 2; opens_slow++) {
        struct lab *l = lab_naive(spec_star(2));
        lab_slow(l, "leaf0-host0.1", GBPS, opens_slow ? 0 : 20 * MS, 40 * MS);
        lab_flow(l, 0, 1, UINT64_MAX, MS);
        lab_run_done(l);
        int64_t wanted = opens_slow ? 39 * 100 + 20 * 1000 : 19 * 1000 + 20 * 100 + 20 * 1000; /* of 1000 each ms */
        assert_about(goodput_milli(l, 0), wanted / 60);
        assert_true(l->r.tally[0].credits_refused < l->r.tally[0].credits_sent / 50);
        assert_int_equal(l->r.packets.dropped, 0);
        lab_end(l);
    }
}

/* A flow that is stopped: its sender is gone, and the host says STOP to the credits that still come (XP-14). */
static void stop__an_ended_sender_is_not_credited_for_ever(void **state) {
    (void)state;
    struct lab *l = lab_credits(spec_star(2), "expresspass");
    lab_flow(l, 0, 1, UINT64_MAX, 0)->stop = 1000 * US;
    l->config.until = 5000 * US;
    lab_run_done(l);
    assert_true(l->r.credits.used > 700); /* 1 ms of them */
    assert_true(l->r.credits.sent < l->r.credits.used + 100);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(naive__flow_3_gets_twice_flows_1_and_2),
        UNIT(naive__parking_lot_leaves_a_sixth_unused),
        UNIT(feedback__parking_lot_is_used),
        UNIT(rates__a_fast_core_loses_nothing),
        UNIT(rates__the_faster_receiver_takes_more),
        UNIT(rates__credits_follow_a_link_that_slows_down),
        UNIT(stop__an_ended_sender_is_not_credited_for_ever),
    };
    return RUN_UNITS(tests);
}
