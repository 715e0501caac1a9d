/* SPDX-License-Identifier: Apache-2.0 */
/* One run on several ranks: every part of the result is that of one process. */
#include "sim/parallel/merge_lab.h"

static void merge__what_is_measured(void **state) {
    (void)state;
    struct lab *l = lab_pods();
    lab_measure(l);
    lab_random_flows(l, HOSTS, 60, 60000, 200 * US);
    for (uint32_t i = 0; i < 4; i++) lab_flow(l, i, 12 + i, 1000000, 1 * MS + i * 150 * US);
    assert_same_on_all_shapes(l);
    assert_true(l->r.n_samples > 100 && l->r.n_imbalance > 10 && l->r.n_timeline > 100);
    assert_true(l->r.watched.n == 2 && l->r.size_times[2].fct_ps.n > 0);
    assert_true(l->r.fairness[0].intervals > 2 && l->r.fairness[1].intervals > 0 && l->r.n_joins > 0);
    assert_true(l->r.flow_variation_ppm.n > 0);
    assert_true(l->r.n_phases == 2 && l->r.phase[1].flows.times[CLASS_ALL].fct_ps.n > 0);
    assert_true(l->r.phase[0].link[TIER_HOST].mean_ppb > 0 && l->r.phase[1].host_goodput_bps.n > 0);
    bool goodput = false;
    for (size_t i = 0; i < l->r.n_samples; i++) goodput |= l->r.sample[i].kind == SAMPLE_GOODPUT;
    assert_true(goodput);
    lab_end(l);
}

/* AM-36: ports draw the credits that full queues drop. */
static void merge__random_drops_of_credits(void **state) {
    (void)state;
    struct lab *l = lab_pods();
    lab_transport(l, "expresspass");
    lab_ports_as_needed(l);
    l->config.switches.credit.queue = 4;
    l->config.switches.credit.drop = CREDIT_DROP_RANDOM;
    lab_random_flows(l, HOSTS, 60, 100000, 200 * US);
    assert_same_on_all_shapes(l);
    assert_true(l->r.credits.dropped > 100);
    lab_end(l);
}

static void merge__losses_failures_and_repairs(void **state) {
    (void)state;
    static const char *const balance[] = {"ecmp", "expeditus", "clairvoyant"};
    for (int i = 0; i < 3; i++) {
        struct lab *l = lab_pods();
        lab_balance(l, balance[i]);
        lab_measure(l);
        lab_fail(l, "agg0.0-core0.0", 150 * US, 900 * US, 100 * US);
        lab_fail(l, "tor1.0-agg1.1", 200 * US, TIME_NONE, 50 * US);
        lab_gray(l, "tor3.1-agg3.0", PPB / 50, 100 * US, 1 * MS);
        lab_slow(l, "agg1.0-core0.1", GBPS, 120 * US, 1 * MS);
        lab_random_flows(l, HOSTS, 80, 60000, 600 * US);
        assert_same_on_all_shapes(l);
        assert_true(l->r.packets.dropped_by[DROP_LINK_DOWN] > 0 && l->r.packets.dropped_by[DROP_LOSS] > 0);
        assert_true(l->r.packets.retransmitted > 0);
        lab_end(l);
    }
}

/* Messages leave while their rank still runs other nodes, also where frames pass between those several times in a
 * window. The first thread of two sends ahead only if the other is not behind. */
static void merge__messages_leave_ahead(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_new(spec_clos(4, 2, 2, 2, 2));
        if (i == 1) {
            lab_link(l, "host*-tor*", 0, 200 * PS_PER_NS, -1);
            lab_link(l, "tor*-agg*", 0, 700 * PS_PER_NS, -1);
            lab_link(l, "agg*-core*", 0, 3 * US, -1);
        }
        lab_random_flows(l, HOSTS, 60, 60000, 200 * US);
        lab_run_done(l);
        for (uint32_t ranks = 2; ranks <= 4; ranks++) {
            for (uint32_t threads = 1; threads <= 2 && ranks * threads <= 4; threads++) {
                struct rank_traffic t = assert_same_on_ranks(l, ranks, threads);
                assert_true(t.messages > 100 && t.ahead <= t.messages);
                if (threads == 1) assert_int_equal(t.ahead, t.messages);
            }
        }
        lab_end(l);
    }
}

/* Flows that are stopped count at the rank of their receiver; flows that never end do not keep the ranks. */
static void merge__stopped_flows(void **state) {
    (void)state;
    struct lab *l = lab_pods();
    uint8_t udp = lab_add_transport(l, "udp");
    for (uint32_t i = 0; i < 8; i++) lab_flow(l, i, 15 - i, 5000000, i * 20 * US)->stop = 400 * US + i * 30 * US;
    struct flow *steady = lab_flow(l, 1, 14, UINT64_MAX, 0);
    steady->stop = 700 * US;
    steady->transport = udp;
    steady->rate_bps = GBPS;
    assert_same_on_all_shapes(l);
    assert_true(l->r.flows_unfinished > 0);
    lab_end(l);
}

/* All ranks stop when no flow gets on, and say why. */
static void merge__a_stuck_run_fails(void **state) {
    (void)state;
    struct lab *l = lab_pods();
    struct run_result r;
    lab_fail(l, "host0.0.0-tor0.0", 50 * US, TIME_NONE, 0);
    for (uint32_t i = 0; i < 4; i++) lab_flow(l, 5 * i, 9 - 3 * i, 1000000, i);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_int_equal(lab_run_on_ranks(l, 2, 1, &r), WORLD_FAILED);
    assert_true(r.engine.digest == l->r.engine.digest && r.engine.sim_ps == l->r.engine.sim_ps);
    assert_non_null(strstr(l->r.failure, "; flow 0 host0.0.0 > "));
    assert_string_equal(r.failure, l->r.failure);
    run_result_free(&r);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(merge__what_is_measured), UNIT(merge__random_drops_of_credits), UNIT(merge__losses_failures_and_repairs),
        UNIT(merge__stopped_flows),    UNIT(merge__messages_leave_ahead),    UNIT(merge__a_stuck_run_fails),
    };
    return RUN_UNITS(tests);
}
