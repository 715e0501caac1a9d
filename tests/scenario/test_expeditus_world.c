/* SPDX-License-Identifier: Apache-2.0 */
/* Expeditus in simulated fabrics: EXP-15 to EXP-47, observed from outside. */
#include "sim/fixture.h"

#include "mech/schedule/schedules.h"

#include "unit.h"

/* A buffer that loses nothing, for cases that are not about loss. */
#define LARGE_BUFFER 10000000

static struct lab *lab_expeditus(struct fabric_spec spec) {
    struct lab *l = lab_new(spec);
    lab_balance(l, "expeditus");
    l->config.switches.buffer_bytes = LARGE_BUFFER;
    return l;
}

static struct fabric_spec with_rate(struct fabric_spec spec, int64_t rate_bps) {
    spec.host_bps = spec.uplink_bps = spec.core_bps = rate_bps;
    return spec;
}

/* ---- TCP: one selection a direction, settled before the second packet ---- */

/* Counts flows that leave their rack and flows that leave their pod. */
static void count_flows(const struct lab *l, uint64_t *inter_rack, uint64_t *inter_pod) {
    *inter_rack = *inter_pod = 0;
    for (uint32_t i = 0; i < l->flows.n; i++) {
        const struct fabric_node *a = &l->fabric->node[l->flows.flow[i].src],
                                 *b = &l->fabric->node[l->flows.flow[i].dst];
        *inter_rack += a->leaf != b->leaf;
        *inter_pod += a->pod != b->pod;
    }
}

static void tcp__syn_and_syn_ack_select_once_each(void **state) {
    (void)state;
    struct lab *l = lab_expeditus(spec_clos(3, 2, 2, 2, 4));
    lab_random_flows(l, 24, 200, 300000, 2 * MS);
    lab_run_done(l);
    uint64_t inter_rack, inter_pod;
    count_flows(l, &inter_rack, &inter_pod);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(lab_counter(l, "pst_collisions"), 0);
    assert_int_equal(lab_counter(l, "selections_begun"), 2 * inter_rack); /* EXP-15 */
    assert_int_equal(lab_counter(l, "requests_seen"), 2 * inter_rack);
    assert_int_equal(lab_counter(l, "responses_sent"), 2 * inter_rack);
    assert_int_equal(lab_counter(l, "selections_completed"), 2 * inter_rack);
    assert_int_equal(lab_counter(l, "agg_entries"), 2 * inter_pod); /* the second stage (EXP-29) */
    assert_int_equal(lab_counter(l, "orphan_responses"), 0);
    lab_end(l);
}

/* EXP-31: each direction has its path before its second packet, so no packet is sent during the selection and none is
 * reordered. */
static void tcp__never_reordered_in_a_quiet_fabric(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        if (row[i]->base != &tcp_base) continue;
        struct lab *l = lab_expeditus(spec_clos(3, 2, 2, 2, 4));
        lab_transport(l, row[i]->name);
        lab_random_flows(l, 24, 200, 100000, 40 * MS);
        lab_run_done(l);
        assert_int_equal(l->r.packets.dropped, 0);
        assert_int_equal(lab_counter(l, "ecmp_while_selecting"), 0);
        assert_int_equal(l->r.packets.reordered, 0);
        assert_int_equal(l->r.flows_finished, 200);
        lab_end(l);
    }
}

/* Under load the Exp-response may wait in a queue that the SYN-ACK, on another path, does not meet. Then the first data
 * takes the path of ECMP, and later packets overtake some of it. In the top class the response does not wait, and no
 * packet is reordered. */
static void tcp__under_load_exact_with_control_priority(void **state) {
    (void)state;
    for (int priority = 0; priority < 2; priority++) {
        struct lab *l = lab_expeditus(spec_clos(3, 2, 2, 2, 4));
        l->config.switches.port.classes = 8;
        l->config.switches.port.schedule.ops = &schedule_strict;
        lab_balance_param(l, "control_priority", priority);
        lab_random_flows(l, 24, 300, 300000, 2 * MS);
        lab_run_done(l);
        assert_int_equal(l->r.packets.dropped, 0);
        assert_int_equal(l->r.flows_finished, 300);
        assert_int_equal(lab_counter(l, "selections_completed"), lab_counter(l, "selections_begun"));
        if (priority) {
            assert_int_equal(lab_counter(l, "ecmp_while_selecting"), 0);
            assert_int_equal(l->r.packets.reordered, 0);
        } else {
            assert_true(lab_counter(l, "ecmp_while_selecting") > 0);
            assert_true(l->r.packets.reordered < l->r.packets.sent / 100);
        }
        lab_end(l);
    }
}

/* With the response on the SYN-ACK a path is settled before its sender may send data: whatever the load, no frame is
 * sent while its flow selects, and none is reordered. Only one direction selects. */
static void tcp__handshake_reorders_nothing_under_load(void **state) {
    (void)state;
    for (int tiers = 2; tiers <= 3; tiers++) {
        struct lab *l = lab_expeditus(tiers == 3 ? spec_clos(3, 2, 2, 2, 4) : spec_leaf_spine(6, 3, 4));
        lab_balance_param(l, "carry", 1);
        lab_random_flows(l, 24, 300, 300000, 2 * MS);
        lab_run_done(l);
        uint64_t inter_rack, inter_pod;
        count_flows(l, &inter_rack, &inter_pod);
        assert_int_equal(l->r.packets.dropped, 0);
        assert_int_equal(l->r.flows_finished, 300);
        assert_int_equal(lab_counter(l, "pst_collisions"), 0);
        assert_int_equal(lab_counter(l, "selections_begun"), inter_rack);
        assert_int_equal(lab_counter(l, "selections_completed"), inter_rack);
        assert_int_equal(lab_counter(l, "responses_sent"), inter_rack);
        assert_int_equal(lab_counter(l, "requests_seen"), tiers == 3 ? inter_pod : 0);
        assert_int_equal(lab_counter(l, "agg_entries"), tiers == 3 ? inter_pod : 0);
        assert_int_equal(lab_counter(l, "ecmp_while_selecting"), 0);
        assert_int_equal(l->r.packets.reordered, 0);
        lab_end(l);
    }
}

/* Two tiers need one stage (EXP-39). */
static void tcp__leaf_spine(void **state) {
    (void)state;
    struct lab *l = lab_expeditus(spec_leaf_spine(4, 4, 4));
    lab_random_flows(l, 16, 150, 100000, 40 * MS);
    lab_run_done(l);
    uint64_t inter_rack, inter_pod;
    count_flows(l, &inter_rack, &inter_pod);
    assert_int_equal(lab_counter(l, "selections_completed"), 2 * inter_rack);
    assert_int_equal(lab_counter(l, "agg_entries"), 0);
    assert_int_equal(l->r.packets.reordered, 0);
    lab_end(l);
}

/* EXP-34 */
static void same_rack__leaves_no_trace(void **state) {
    (void)state;
    static const char *const counters[] = {"pst_hits", "pst_misses", "selections_begun", "requests_seen",
                                           "agg_entries"};
    struct lab *l = lab_expeditus(spec_clos(2, 2, 2, 2, 4));
    for (uint32_t i = 0; i < 40; i++) lab_flow(l, i % 16, i % 16 / 4 * 4 + (i + 1) % 4, 20000, i * 10 * US);
    lab_run_done(l);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) assert_int_equal(lab_counter(l, counters[i]), 0);
    assert_int_equal(l->r.flows_finished, 40);
    lab_end(l);
}

/* ---- UDP: packets come while the selection is under way ---- */

static void udp__a_burst_asks_once(void **state) {
    (void)state;
    struct lab *l = lab_expeditus(spec_clos(2, 2, 2, 2, 2));
    lab_transport(l, "udp");
    lab_flow(l, 0, 4, 60 * 1472, 0); /* 74 us at line rate; the Exp-response takes about 25 us */
    lab_run_done(l);
    assert_int_equal(lab_counter(l, "selections_begun"), 1);
    assert_int_equal(lab_counter(l, "selections_completed"), 1);
    uint64_t before = lab_counter(l, "ecmp_while_selecting");
    assert_true(before > 5 && before < 50);
    lab_end(l);
}

/* A gap longer than the timeout starts a flowlet, with a selection of its own (EXP-16, EXP-41). */
static void udp__flowlets_by_the_timeout(void **state) {
    (void)state;
    static const struct {
        span_ps timeout;
        uint64_t selections;
    } row[] = {{500 * US, 10}, {100 * MS, 1}};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_expeditus(spec_clos(2, 2, 2, 2, 2));
        lab_transport(l, "udp");
        lab_balance_param(l, "pst_timeout", row[i].timeout);
        struct flow *f = lab_flow(l, 0, 4, 10 * 14720, 0);
        f->burst_bytes = 14720;
        f->rate_bps = 14720 * 8 * 1000; /* a burst each millisecond */
        lab_run_done(l);
        assert_int_equal(lab_counter(l, "selections_begun"), row[i].selections);
        lab_end(l);
    }
}

/* ---- choosing well ---- */

/* Returns four flows that start one after the other over four spines; under Expeditus each finds the free spine. */
static struct lab *lab_four_flows(const char *balance, uint64_t seed) {
    struct lab *l = lab_expeditus(spec_leaf_spine(2, 4, 4));
    lab_balance(l, balance);
    l->config.seed = seed;
    for (uint32_t h = 0; h < 4; h++) lab_flow(l, h, 4 + h, 5000000, h * 500 * US);
    lab_run_done(l);
    return l;
}

static void choice__each_flow_finds_a_free_path(void **state) {
    (void)state;
    int64_t worst_ecmp = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct lab *expeditus = lab_four_flows("expeditus", seed), *ecmp = lab_four_flows("ecmp", seed);
        assert_true(expeditus->r.times[CLASS_ALL].slowdown_ppm.max < 1050000);
        worst_ecmp = max_i64(worst_ecmp, ecmp->r.times[CLASS_ALL].slowdown_ppm.max);
        lab_end(expeditus);
        lab_end(ecmp);
    }
    assert_true(worst_ecmp > 1500000); /* where hashes collided, two flows shared a link */
}

/* EXP-47 (a), paper Figure 2: s1 s2 s3 are leaves 0 1 2, s4 s5 are spines 0 1, links have 1 Gbps. One flow of 100 Mbps
 * takes s1-s4-s2 and one of about 1 Gbps s2-s5-s3; each got its path while the other spine was dead. For a new flow
 * from s1 to s3, local load favours s5, the load of the whole path s4. Returns whether the flow took s5. */
static bool figure_2_takes_s5(const char *balance, bool remote_load, uint16_t src_port) {
    struct lab *l = lab_new(with_rate(spec_leaf_spine(3, 2, 2), GBPS));
    lab_balance(l, balance);
    uint8_t udp = lab_add_transport(l, "udp");
    lab_fail(l, "leaf0-spine1", 0, 1 * MS, 0);
    lab_fail(l, "leaf2-spine0", 0, 1 * MS, 0);
    struct flow *slow = lab_flow(l, 0, 2, UINT64_MAX, 10 * US);
    slow->transport = udp, slow->rate_bps = 100 * MBPS;
    struct flow *fast = lab_flow(l, 3, 4, UINT64_MAX, 10 * US);
    fast->transport = udp, fast->rate_bps = remote_load ? 900 * MBPS : 1 * MBPS;
    lab_flow(l, 1, 5, 100000, 5 * MS)->src_port = src_port;
    l->config.until = 10 * MS;
    lab_run_done(l);
    assert_true(l->r.tally[2].finished_at != TIME_NONE);
    bool s5 = lab_sent(l, "leaf0", "spine1") > 50000;
    assert_true(s5 || lab_sent(l, "spine0", "leaf2") > 100000);
    lab_end(l);
    return s5;
}

static void figure_2__remote_congestion_is_seen(void **state) {
    (void)state;
    int took_s5 = 0;
    for (uint16_t port = 1000; port < 1012; port++) {
        assert_false(figure_2_takes_s5("expeditus", true, port));
        assert_false(figure_2_takes_s5("clairvoyant", true, port));
        took_s5 += figure_2_takes_s5("expeditus", false, port);
    }
    assert_true(took_s5 > 3); /* without remote load the flow does take s5 */
}

/* EXP-47 (c), paper Figure 7: r = 3, n = m = 2. The first hop to agg 1 is loaded, and so is the link from agg 2 to core
 * 2. Flow A from t_1^1 to t_2^3 therefore takes agg 2 and core 1 (here agg0.1 and core1.0). */
static void figure_7__flow_a_takes_agg_2_core_1(void **state) {
    (void)state;
    for (uint16_t port = 1000; port < 1010; port++) {
        struct lab *l = lab_new(with_rate(spec_clos(3, 3, 2, 2, 2), GBPS));
        lab_balance(l, "expeditus");
        uint8_t udp = lab_add_transport(l, "udp");
        lab_fail(l, "tor0.0-agg0.1", 0, 1 * MS, 0); /* the first flow takes agg0.0 */
        lab_fail(l, "tor0.1-agg0.0", 0, 1 * MS, 0); /* the second takes agg0.1 and core1.1 */
        lab_fail(l, "agg0.1-core1.0", 0, 1 * MS, 0);
        struct flow *first = lab_flow(l, 0, 4, UINT64_MAX, 10 * US);
        first->transport = udp, first->rate_bps = 600 * MBPS;
        struct flow *second = lab_flow(l, 2, 6, UINT64_MAX, 10 * US);
        second->transport = udp, second->rate_bps = 700 * MBPS;
        lab_flow(l, 1, 14, 100000, 5 * MS)->src_port = port;
        l->config.until = 10 * MS;
        lab_run_done(l);
        assert_true(l->r.tally[2].finished_at != TIME_NONE);
        assert_true(lab_sent(l, "tor0.0", "agg0.1") > 100000);
        assert_true(lab_sent(l, "agg0.1", "core1.0") > 100000);
        assert_true(lab_sent(l, "core1.0", "agg2.1") > 100000);
        assert_true(lab_sent(l, "agg2.1", "tor2.1") > 100000);
        lab_end(l);
    }
}

/* ---- failures ---- */

/* EXP-36: a link that is known to be dead is never chosen. */
static void failure__dead_from_the_start_is_never_used(void **state) {
    (void)state;
    struct lab *l = lab_expeditus(spec_clos(3, 2, 2, 2, 4));
    lab_fail(l, "agg0.1-core1.0", 0, TIME_NONE, 0);
    lab_fail(l, "tor2.0-agg2.0", 0, TIME_NONE, 0);
    lab_random_flows(l, 24, 200, 100000, 2 * MS);
    lab_run_done(l);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(lab_sent(l, "agg0.1", "core1.0") + lab_sent(l, "core1.0", "agg0.1"), 0);
    assert_int_equal(lab_sent(l, "tor2.0", "agg2.0") + lab_sent(l, "agg2.0", "tor2.0"), 0);
    assert_int_equal(l->r.flows_finished, 200);
    lab_end(l);
}

/* A link fails during the run: frames are lost until the failure is detected, none afterwards. */
static void failure__no_packet_to_a_dead_port_after_detection(void **state) {
    (void)state;
    const time_ps at = 500 * US, detected = 700 * US;
    uint64_t lost[2];
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_expeditus(spec_clos(3, 2, 2, 2, 4));
        lab_fail(l, "agg0.1-core1.0", at, TIME_NONE, detected - at);
        lab_random_flows(l, 24, 300, 200000, 3 * MS);
        if (i == 0) l->config.until = detected;
        lab_run_done(l);
        lost[i] = l->r.packets.dropped_by[DROP_LINK_DOWN];
        if (i == 1) {
            assert_int_equal(l->r.flows_finished, 300);
            assert_true(lab_counter(l, "selections_begun") > 0);
        }
        lab_end(l);
    }
    assert_true(lost[0] > 0);
    assert_int_equal(lost[1], lost[0]);
}

/* When an uplink of a ToR fails, its flows select again. */
static void failure__flows_on_a_dead_uplink_select_again(void **state) {
    (void)state;
    struct lab *l = lab_expeditus(spec_leaf_spine(2, 2, 4));
    lab_fail(l, "leaf0-spine1", 500 * US, TIME_NONE, 100 * US);
    for (uint32_t h = 0; h < 4; h++) lab_flow(l, h, 4 + h, 2000000, h * 50 * US);
    lab_run_done(l);
    assert_true(lab_counter(l, "pst_dead_paths") > 0);
    assert_true(lab_counter(l, "selections_begun") > 8);
    assert_int_equal(l->r.flows_finished, 4);
    lab_end(l);
}

/* EXP-37, EXP-38: agg0.1 has lost one of its two cores. Returns the share of bytes, in ppm, that the ToRs of pod 0 send
 * to it. */
static uint64_t share_of_the_damaged_agg(bool multipliers) {
    struct lab *l = lab_expeditus(spec_clos(2, 2, 2, 2, 4));
    l->config.switches.buffer_bytes = 225000;
    lab_balance_param(l, "multipliers", multipliers);
    lab_fail(l, "agg0.1-core1.0", 0, TIME_NONE, 0);
    for (uint32_t i = 0; i < 300; i++)
        lab_flow(l, i % 8, 8 + i * 5 % 8, 300000, i * 100 * US); /* 24 of the remaining 30 Gbps */
    lab_run_done(l);
    uint64_t whole = lab_sent(l, "tor0.0", "agg0.0") + lab_sent(l, "tor0.1", "agg0.0");
    uint64_t damaged = lab_sent(l, "tor0.0", "agg0.1") + lab_sent(l, "tor0.1", "agg0.1");
    lab_end(l);
    return damaged * 1000000 / (whole + damaged);
}

/* Without multipliers the damaged agg, whose flows are slow, looks idle, and the ToRs send it more than half; with them
 * they send it less. */
static void multipliers__relieve_the_damaged_agg(void **state) {
    (void)state;
    uint64_t off = share_of_the_damaged_agg(false), on = share_of_the_damaged_agg(true);
    assert_true(off > 530000);
    assert_true(on < 480000 && on > 300000); /* it has a third of the pod's capacity */
}

/* Multipliers apply only to traffic between pods. */
static void multipliers__leave_traffic_inside_a_pod_alone(void **state) {
    (void)state;
    uint64_t digest[2];
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_expeditus(spec_clos(2, 2, 2, 2, 4));
        lab_balance_param(l, "multipliers", i);
        lab_fail(l, "agg0.1-core1.0", 0, TIME_NONE, 0);
        for (uint32_t n = 0; n < 100; n++) lab_flow(l, n % 4, 4 + n * 3 % 4, 100000, n * 10 * US);
        digest[i] = lab_digest(l, 1);
        lab_end(l);
    }
    assert_true(digest[0] == digest[1]);
}

/* ---- lost control packets (EXP-35) ---- */

static void check_lost_control(int carry) {
    static const char *const link[] = {"tor0.0-agg0.1", "agg0.0-core0.1", "agg1.1-core1.0", "tor1.1-agg1.0"};
    for (int i = 0; i < 4; i++) {
        struct lab *l = lab_expeditus(spec_clos(2, 2, 2, 2, 2));
        lab_balance_param(l, "carry", carry);
        lab_transport_param(l, 0, "min_rto", 1 * MS);
        lab_gray(l, link[i], PPB / 4, 0, TIME_NONE);
        lab_random_flows(l, 8, 120, 20000, 2 * MS);
        lab_run_done(l);
        assert_int_equal(l->r.flows_finished, 120);
        assert_true(l->r.packets.dropped_by[DROP_LOSS] > 0);
        assert_true(lab_counter(l, "selections_completed") < lab_counter(l, "selections_begun"));
        lab_end(l);
    }
}

static void lost_control__flows_finish_all_the_same(void **state) {
    (void)state;
    check_lost_control(0);
}

static void lost_control__handshakes_are_repeated(void **state) {
    (void)state;
    check_lost_control(1);
}

/* A selection whose Exp-response was lost ends at the timeout, and the flow may select again (EXP-17). */
static void lost_control__another_chance_after_the_timeout(void **state) {
    (void)state;
    struct lab *l = lab_expeditus(spec_leaf_spine(2, 2, 2));
    lab_transport(l, "udp");
    lab_balance_param(l, "pst_timeout", 1 * MS);
    for (int spine = 0; spine < 2; spine++) /* no frame gets through for a while */
        lab_gray(l, spine ? "leaf1-spine1" : "leaf1-spine0", PPB, 0, 1 * MS);
    struct flow *f = lab_flow(l, 0, 2, UINT64_MAX, 0);
    f->burst_bytes = 1472, f->rate_bps = 1472 * 8 * 500; /* a datagram every 2 ms */
    f->stop = 9 * MS;
    lab_run_done(l);
    assert_int_equal(lab_counter(l, "selections_begun"), 5);
    assert_int_equal(lab_counter(l, "selections_lost"), 1);
    assert_int_equal(lab_counter(l, "selections_completed"), 4);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tcp__syn_and_syn_ack_select_once_each),
        UNIT(tcp__never_reordered_in_a_quiet_fabric),
        UNIT(tcp__under_load_exact_with_control_priority),
        UNIT(tcp__handshake_reorders_nothing_under_load),
        UNIT(tcp__leaf_spine),
        UNIT(same_rack__leaves_no_trace),
        UNIT(udp__a_burst_asks_once),
        UNIT(udp__flowlets_by_the_timeout),
        UNIT(choice__each_flow_finds_a_free_path),
        UNIT(figure_2__remote_congestion_is_seen),
        UNIT(figure_7__flow_a_takes_agg_2_core_1),
        UNIT(failure__dead_from_the_start_is_never_used),
        UNIT(failure__no_packet_to_a_dead_port_after_detection),
        UNIT(failure__flows_on_a_dead_uplink_select_again),
        UNIT(multipliers__relieve_the_damaged_agg),
        UNIT(multipliers__leave_traffic_inside_a_pod_alone),
        UNIT(lost_control__flows_finish_all_the_same),
        UNIT(lost_control__handshakes_are_repeated),
        UNIT(lost_control__another_chance_after_the_timeout),
    };
    return RUN_UNITS(tests);
}
