/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts with several NICs in a simulated world: what their links carry together, which flows use which, and what failures cost. */
#include "sim/fixture.h"

#include "unit.h"

static struct lab *lab_dual(uint32_t racks, bool planes, uint32_t spines, uint32_t hosts) {
    static int64_t own[2];
    struct fabric_spec s = spec_of("dual-tor");
    own[0] = racks;
    own[1] = planes;
    s.own = own;
    s.aggs = spines;
    s.hosts = hosts;
    s.uplink_bps = 40 * GBPS;
    return lab_new(s);
}

static struct lab *lab_rails(void) {
    static const int64_t own[5] = {1, 2, 2, 80 * GBPS, 25 * PS_PER_NS};
    struct fabric_spec s = spec_of("rails");
    s.own = own;
    s.aggs = 2;
    s.uplink_bps = 40 * GBPS;
    return lab_new(s);
}

/* Sends n flows of 1 MB each from host 0 to host 1. */
static void lab_set(struct lab *l, uint32_t src, uint32_t dst, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) lab_flow(l, src, dst, 1000000, 0);
}

static time_ps last_end(const struct lab *l) {
    time_ps last = 0;
    for (uint32_t i = 0; i < l->flows.n; i++) last = max_i64(last, l->r.tally[i].finished_at);
    return last;
}

/* Returns the payload rate of all flows together. */
static double together_gbps(const struct lab *l) {
    double bits = 0;
    for (uint32_t i = 0; i < l->flows.n; i++) bits += (double)l->flows.flow[i].bytes * 8;
    return bits / ((double)last_end(l) / 1000);
}

/* ---- rates ---- */

/* 40 flows by two links of 10 Gbps: 1460 of 1538 bytes are payload, so 18.98 Gbps at most. The hash gives one link more flows:
 * of 40 at most 28 (three sigma), which take 13.56 Gbps with the other's 12. */
static void two_nics__carry_the_sum(void **state) {
    (void)state;
    struct lab *l = lab_dual(1, false, 1, 2);
    lab_set(l, 0, 1, 40);
    lab_run_done(l);
    double sent[2] = {(double)lab_sent(l, "host0.0", "leaf0"), (double)lab_sent(l, "host0.0", "leaf1")};
    double more = sent[0] > sent[1] ? sent[0] : sent[1];
    assert_true(more < 0.7 * (sent[0] + sent[1]));
    /* the busier link is busy until the end */
    assert_true(more * 8 / (double)last_end(l) * 1000 > 0.93 * 10);
    assert_true(together_gbps(l) > 13 && together_gbps(l) <= 18.98);
    assert_int_equal(l->r.packets.sent, l->r.packets.delivered + l->r.packets.dropped);
    lab_end(l);
}

static void two_nics__of_which_one_is_the_backup(void **state) {
    (void)state;
    struct lab *l = lab_dual(1, false, 1, 2);
    l->config.hosts.bonding = BONDING_ACTIVE_BACKUP;
    lab_set(l, 0, 1, 40);
    lab_run_done(l);
    assert_int_equal(lab_sent(l, "host0.0", "leaf1"), 0);
    assert_int_equal(lab_sent(l, "host0.1", "leaf1"), 0); /* ACKs go back the same way */
    assert_true(together_gbps(l) > 8.8 && together_gbps(l) <= 9.49);
    lab_end(l);
}

/* A flow has one pair of NICs: its data leave by one link and its ACKs come back over the same two. */
static void one_flow__uses_one_pair_both_ways(void **state) {
    (void)state;
    const char *const leaf[2][2] = {{"leaf0", "leaf1"}, {"leaf2", "leaf3"}};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct lab *l = lab_dual(2, false, 2, 2);
        l->config.seed = seed;
        lab_set(l, 0, 2, 1);
        lab_run_done(l);
        for (int i = 0; i < 2; i++) {
            const char *host = i ? "host2.0" : "host0.0";
            bool first = lab_sent(l, host, leaf[i][0]) > 0, second = lab_sent(l, host, leaf[i][1]) > 0;
            assert_int_equal(first + second, 1);
            assert_int_equal(first, lab_sent(l, leaf[i][0], host) > 0);
            assert_int_equal(second, lab_sent(l, leaf[i][1], host) > 0);
        }
        lab_end(l);
    }
}

static void planes__are_never_changed(void **state) {
    (void)state;
    struct lab *l = lab_dual(2, true, 2, 4);
    lab_random_flows(l, 8, 100, 100000, MS);
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, 100);
    assert_int_equal(l->r.packets.dropped_by[DROP_NO_ROUTE], 0);
    assert_true(lab_sent(l, "leaf0", "spine0") > 0 && lab_sent(l, "leaf1", "spine1") > 0);
    lab_end(l);
}

static void rails__inside_of_a_server_only_scale_up_is_used(void **state) {
    (void)state;
    struct lab *l = lab_rails();
    lab_flow(l, 0, 1, 10000000, 0);
    lab_flow(l, 0, 2, 100000, 0);
    lab_run_done(l);
    assert_true(lab_fct(l, 0) > 1053 * US && lab_fct(l, 0) < 1060 * US); /* 10 MB at 80 Gbps: 1,053.4 us on the wire */
    assert_in_range(lab_sent(l, "host0.0", "tor0.0"), 100000, 120000);
    assert_in_range(lab_sent(l, "tor0.0", "host1.0"), 100000, 120000);
    assert_int_equal(lab_sent(l, "tor0.0", "spine0") + lab_sent(l, "tor0.0", "spine1"), 0);
    lab_end(l);
}

/* ---- failures ---- */

/* A ToR of two dies: every host is left with half of its rate, and all flows end. */
static void dead_tor__leaves_half(void **state) {
    (void)state;
    double gbps[2];
    for (int dead = 0; dead < 2; dead++) {
        struct lab *l = lab_dual(1, false, 1, 2);
        if (dead) lab_fail(l, "host0.0-leaf1", 0, TIME_NONE, 0);
        if (dead) lab_fail(l, "host0.1-leaf1", 0, TIME_NONE, 0);
        lab_set(l, 0, 1, 40);
        lab_run_done(l);
        gbps[dead] = together_gbps(l);
        if (dead) assert_int_equal(lab_sent(l, "host0.0", "leaf1"), 0);
        lab_end(l);
    }
    assert_true(gbps[1] > 8.8 && gbps[1] < 9.49);
    assert_true(gbps[0] > 1.4 * gbps[1]);
}

static void failure__moves_open_flows(void **state) {
    (void)state;
    struct lab *l = lab_dual(2, false, 2, 2);
    lab_fail(l, "host0.0-leaf0", 500 * US, TIME_NONE, 100 * US);
    lab_set(l, 0, 2, 8);
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, 8);
    assert_true(l->r.packets.dropped_by[DROP_LINK_DOWN] > 0);
    /* 8 MB in all: less than 500 us of it over the dead link */
    assert_true(lab_sent(l, "host0.0", "leaf0") > 0 && lab_sent(l, "host0.0", "leaf0") < 800000);
    assert_true(last_end(l) < 60 * MS); /* within a few timeouts of 10 ms */
    lab_end(l);
}

/* The peer's link dies: the sender has links enough, but must send to the other address. */
static void failure__of_the_receivers_nic(void **state) {
    (void)state;
    struct lab *l = lab_dual(2, false, 2, 2);
    lab_fail(l, "host2.0-leaf2", 500 * US, TIME_NONE, 100 * US);
    lab_set(l, 0, 2, 8);
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, 8);
    assert_true(lab_sent(l, "leaf3", "host2.0") > 7000000);
    lab_end(l);
}

/* Before anybody knows of the failure, flows of the dead NIC stand still; the others do not. */
static void failure__not_yet_detected(void **state) {
    (void)state;
    struct lab *l = lab_dual(2, false, 2, 2);
    lab_fail(l, "host0.0-leaf0", 100 * US, TIME_NONE, 50 * MS);
    lab_set(l, 0, 2, 8);
    lab_run_done(l);
    uint32_t late = 0;
    for (uint32_t i = 0; i < 8; i++) late += l->r.tally[i].finished_at > 50 * MS;
    assert_in_range(late, 1, 7);
    for (uint32_t i = 0; i < 8; i++)
        if (l->r.tally[i].finished_at <= 50 * MS) assert_true(l->r.tally[i].finished_at < 10 * MS);
    lab_end(l);
}

static void repair__brings_the_flows_back(void **state) {
    (void)state;
    struct lab *l = lab_dual(1, false, 1, 2);
    lab_fail(l, "host0.0-leaf0", 1 * MS, 20 * MS, 0);
    for (uint32_t i = 0; i < 40; i++) lab_flow(l, 0, 1, 1000000, i < 20 ? 0 : 25 * MS);
    lab_run_done(l);
    assert_int_equal(l->r.flows_finished, 40);
    assert_true(lab_sent(l, "host0.0", "leaf0") > 4000000);
    lab_end(l);
}

static void failure__of_scale_up_goes_by_the_rails(void **state) {
    (void)state;
    struct lab *l = lab_rails();
    lab_fail(l, "host0.1-scaleup0", 100 * US, TIME_NONE, 10 * US);
    lab_flow(l, 0, 1, 10000000, 0);
    lab_run_done(l);
    assert_true(lab_sent(l, "host0.0", "tor0.0") > 8000000);
    assert_true(lab_sent(l, "tor0.0", "spine0") + lab_sent(l, "tor0.0", "spine1") > 8000000);
    lab_end(l);
}

/* ---- every transport, and threads ---- */

/* Credits and their data, ACKs and retransmissions follow a flow to other NICs, and nothing is lost from the books (the run checks
 * them). One digest for any number of threads. */
static void every_transport__moves_and_ends(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        uint64_t digest[2];
        for (uint32_t threads = 1; threads <= 2; threads++) {
            struct lab *l = lab_dual(2, false, 2, 3);
            lab_transport(l, row[i]->name);
            lab_ports_as_needed(l);
            lab_fail(l, "host0.0-leaf0", 300 * US, 2 * MS, 50 * US);
            lab_fail(l, "host2.1-leaf3", 500 * US, TIME_NONE, 50 * US);
            lab_random_flows(l, 6, 60, 400000, 500 * US);
            l->config.until = 200 * MS;
            digest[threads - 1] = lab_digest(l, threads);
            print_message("%s: %u of 60 flows\n", row[i]->name, (uint32_t)l->r.flows_finished);
            if (strcmp(row[i]->name, "udp") != 0) assert_int_equal(l->r.flows_finished, 60);
            lab_end(l);
        }
        assert_true(digest[0] == digest[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(two_nics__carry_the_sum),
        UNIT(two_nics__of_which_one_is_the_backup),
        UNIT(one_flow__uses_one_pair_both_ways),
        UNIT(planes__are_never_changed),
        UNIT(rails__inside_of_a_server_only_scale_up_is_used),
        UNIT(dead_tor__leaves_half),
        UNIT(failure__moves_open_flows),
        UNIT(failure__of_the_receivers_nic),
        UNIT(failure__not_yet_detected),
        UNIT(repair__brings_the_flows_back),
        UNIT(failure__of_scale_up_goes_by_the_rails),
        UNIT(every_transport__moves_and_ends),
    };
    return RUN_UNITS(tests);
}
