/* SPDX-License-Identifier: Apache-2.0 */
/* No flow finishes faster than its lower bound, under any balancer. The fabrics have uplinks slower than hosts, so that
 * a flow that changes its path can use the rate of several. A run that breaks the bound fails (measure/flows.h); each
 * case therefore only checks that its run ends.
 */
#include "sim/fixture.h"

#include "mech/balance/balancers.h"
#include "unit.h"

/* Runs flows between random hosts: some large enough to fill an uplink, and many of a few frames. */
static void assert_bounded(struct fabric_spec spec, const char *balance, const char *transport,
                           const struct link_failure *failure) {
    struct lab *l = lab_new(spec);
    lab_balance(l, balance);
    lab_transport(l, transport);
    lab_ports_as_needed(l);
    l->config.switches.buffer_bytes = 10000000;
    if (failure) *lab_fail(l, failure->link, failure->at, failure->repair_at, failure->detect) = *failure;
    lab_random_flows(l, lab_fabric(l)->n_hosts, 60, 1000000, 20 * MS);
    /* flows one at a time, which nothing else slows; half of them are just above the initial window */
    for (uint32_t i = 0; i < 20; i++) lab_flow(l, 0, l->fabric->n_hosts - 1, 15000 + i * 40000, (100 + 100 * i) * MS);
    enum world_outcome outcome = lab_run(l);
    if (outcome != WORLD_DONE) fail_msg("%s, %s: %s", balance, transport, l->r.failure);
    lab_end(l);
}

static void assert_all_bounded(struct fabric_spec spec, const struct link_failure *failure) {
    size_t n, n_transports;
    const struct balancer_ops *const *row = balancers(&n);
    const struct transport_ops *const *transport = transports(&n_transports);
    for (size_t i = 0; i < n; i++) {
        struct diag d = {0};
        if (row[i]->fits) {
            int64_t params[LAB_PARAMS];
            for (size_t k = 0; k < row[i]->n_params; k++) params[k] = row[i]->params[k].def;
            uint8_t tiers = spec.kind == fabric_find("leaf-spine") ? 2 : 3;
            if (!row[i]->fits(tiers, (uint16_t)(spec.aggs > spec.cores ? spec.aggs : spec.cores), params, &d)) continue;
        }
        for (size_t k = 0; k < n_transports; k++) {
            bool repairs =
                transport[k]->base->max_rto_param; /* frames of a failed link are sent again, except by udp */
            if (!failure || repairs) assert_bounded(spec, row[i]->name, transport[k]->name, failure);
        }
    }
}

/* The testbed of EXP-TB: hosts of 1 Gbps, core links of 250 Mbps. */
static struct fabric_spec testbed(void) {
    struct fabric_spec s = spec_clos(2, 2, 2, 2, 2);
    s.host_bps = s.uplink_bps = 1 * GBPS, s.core_bps = 250 * MBPS;
    return s;
}

static struct fabric_spec slow_uplinks(void) {
    struct fabric_spec s = spec_leaf_spine(2, 4, 2);
    s.host_bps = 10 * GBPS, s.uplink_bps = 1 * GBPS;
    return s;
}

/* A large reverse flow keeps a queue on one of the four paths back. An Exp-response that waits there arrives after the
 * SYN-ACK. Then the first frames take the hashed path and the rest the selected one, two links of 250 Mbps for one
 * flow. */
static void bounds__an_answer_that_waits(void **state) {
    (void)state;
    struct lab *l = lab_new(testbed());
    lab_balance(l, "expeditus");
    l->config.switches.buffer_bytes = 400000;
    lab_transport_param(l, 0, "initial_window", 200);
    uint8_t backwards = lab_add_transport(l, "newreno"); /* its window makes a queue of about a millisecond */
    lab_transport_param(l, backwards, "receive_window", 40000);
    lab_flow(l, 4, 0, 16000000, 0)->transport = backwards;
    for (uint32_t i = 0; i < 60; i++) lab_flow(l, 1 + i % 3, 5 + i % 3, 200000, (20 + 8 * i) * MS);
    lab_run_done(l);
    assert_true(lab_counter(l, "ecmp_while_selecting") > 0);
    lab_end(l);
}

static void bounds__slow_core_links(void **state) {
    (void)state;
    assert_all_bounded(testbed(), NULL);
}

static void bounds__slow_uplinks(void **state) {
    (void)state;
    assert_all_bounded(slow_uplinks(), NULL);
}

/* Changes of routes move flows under every balancer. */
static void bounds__routes_that_change(void **state) {
    (void)state;
    const struct link_failure failure = {.link = "leaf0-spine1", .at = 5 * MS, .repair_at = 12 * MS, .detect = MS};
    assert_all_bounded(slow_uplinks(), &failure);
}

/* One spine is slower than the others, and nearer, so the path of least delay is not the path of the highest rate. */
static void bounds__uneven_spines(void **state) {
    (void)state;
    struct link_override o = {.match = "*-spine0", .rate_bps = 200 * MBPS, .delay = 0, .loss_ppb = -1};
    struct fabric_spec s = slow_uplinks();
    size_t n;
    const struct balancer_ops *const *row = balancers(&n);
    for (size_t i = 0; i < n; i++) {
        struct lab *l = lab_new(s);
        lab_link(l, o.match, o.rate_bps, o.delay, o.loss_ppb);
        lab_balance(l, row[i]->name);
        l->config.switches.buffer_bytes = 10000000;
        lab_random_flows(l, 4, 60, 300000, 20 * MS);
        enum world_outcome outcome = lab_run(l);
        if (outcome != WORLD_DONE) fail_msg("%s: %s", row[i]->name, l->r.failure);
        lab_end(l);
    }
}

/* A balancer that reorders packets also moves flows. ECMP does neither, so its bound is that of one path. */
static void bounds__reordering_means_moving(void **state) {
    (void)state;
    size_t n;
    const struct balancer_ops *const *row = balancers(&n);
    for (size_t i = 0; i < n; i++)
        if (row[i]->reorders && !row[i]->moves_flows) fail_msg("%s reorders but does not move", row[i]->name);
    assert_false(balance_ecmp.moves_flows);
}

/* Returns whether a flow takes both paths. It has one segment in flight, and its RTT exceeds the least time for which
 * the balancer remembers an idle flow; a balancer that forgets chooses again. */
static bool takes_both_ways(const struct balancer_ops *row) {
    struct lab *l = lab_new(spec_leaf_spine(2, 2, 2));
    lab_link(l, "*", 10 * GBPS, 20 * US, 0);
    lab_balance(l, row->name);
    for (size_t i = 0; i < row->n_params; i++)
        if (row->params[i].type == PARAM_TIME) l->balance_params[i] = row->params[i].min;
    lab_transport_param(l, 0, "initial_window", 1);
    lab_transport_param(l, 0, "receive_window", 1460);
    lab_flow(l, 0, 2, 100 * 1460, 0);
    lab_run_done(l);
    bool both = lab_sent(l, "leaf0", "spine0") > 1538 && lab_sent(l, "leaf0", "spine1") > 1538;
    lab_end(l);
    return both;
}

/* The row of a balancer declares correctly whether it moves flows. An undeclared move would break the bound of one
 * path; a false declaration would make the bound too low to detect anything. */
static void bounds__moving_is_declared(void **state) {
    (void)state;
    size_t n;
    const struct balancer_ops *const *row = balancers(&n);
    for (size_t i = 0; i < n; i++)
        if (takes_both_ways(row[i]) != row[i]->moves_flows)
            fail_msg("%s: moves_flows is %d, its flow did otherwise", row[i]->name, row[i]->moves_flows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(bounds__an_answer_that_waits), UNIT(bounds__slow_core_links), UNIT(bounds__slow_uplinks),
        UNIT(bounds__routes_that_change),   UNIT(bounds__uneven_spines),   UNIT(bounds__reordering_means_moving),
        UNIT(bounds__moving_is_declared),
    };
    return RUN_UNITS(tests);
}
