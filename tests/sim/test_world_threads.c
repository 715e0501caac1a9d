/* SPDX-License-Identifier: Apache-2.0 */
/* Equal digests: they depend on the experiment only, not on threads or observers. */
#include "sim/fixture.h"

#include "mech/admit/admissions.h"
#include "mech/schedule/schedules.h"

#include "every_topology.h"
#include "unit.h"

/* ---- fabrics, their links unlike each other ---- */

/* Makes a lab with short timeouts, so that runs with losses end soon, and few epochs, so that threads seldom wait. */
static struct lab *lab_short(struct fabric_spec spec) {
    struct lab *l = lab_new(spec);
    l->config.board_epoch = 20 * US;
    lab_transport_param(l, 0, "min_rto", 500 * US);
    return l;
}

static struct lab *lab_clos(void) {
    struct lab *l = lab_short(spec_clos(3, 2, 2, 2, 2));
    lab_link(l, "tor1.*-agg*", 0, 700 * PS_PER_NS, -1);
    lab_link(l, "agg2.0-core0.1", 3 * GBPS, 5 * US, -1);
    lab_link(l, "host0.0.1-*", 2500 * MBPS, 0, -1);
    return l;
}

static struct lab *lab_fat_tree(void) {
    struct lab *l = lab_short(spec_fat_tree(4));
    lab_link(l, "agg*-core*", 0, 333333, -1);
    return l;
}

static struct lab *lab_leaf_spine(void) {
    struct lab *l = lab_short(spec_leaf_spine(4, 3, 3));
    lab_link(l, "leaf0-spine*", 0, 100 * PS_PER_NS, -1);
    lab_link(l, "leaf2-spine2", 7 * GBPS, 9 * US, -1);
    return l;
}

static struct lab *lab_star(void) {
    struct lab *l = lab_short(spec_star(6));
    lab_link(l, "host0.3-*", GBPS, 0, -1);
    return l;
}

static struct lab *lab_dumbbell(void) {
    struct lab *l = lab_short(spec_dumbbell(3));
    lab_link(l, "leaf0-leaf1", 5 * GBPS, 20 * US, -1);
    return l;
}

/* Makes a lab of a row of the table of topologies. Every fifth of its first links is slower, another fifth is shorter. */
static struct lab *lab_row(const struct fabric_ops *kind) {
    static char name[LAB_LIST][FABRIC_LINK_NAME_MAX];
    struct lab *l = lab_short(spec_of_row(kind));
    struct fabric *f = made(l->spec);
    uint32_t links = 0;
    for (uint32_t p = 0; p < f->paths.first_port[f->n_nodes] && l->spec.n_links < LAB_LIST; p++) {
        const struct place_port *link = &f->paths.port[p];
        if (link->neighbour < link->node || links++ % 5 > 1) continue;
        char *text = name[l->spec.n_links];
        fabric_port_link(f, link->node, link->port, text, FABRIC_LINK_NAME_MAX);
        lab_link(l, text, links % 5 ? 3 * GBPS : 0, links % 5 ? -1 : 700 * PS_PER_NS, -1);
    }
    fabric_destroy(f);
    return l;
}

static void assert_same_for_1_2_3_threads(struct lab *l) {
    uint64_t one = lab_digest(l, 1), hops = l->r.engine.packet_hops;
    time_ps end = l->r.engine.sim_ps;
    assert_true(hops > 500);
    for (uint32_t threads = 2; threads <= 3; threads++) {
        assert_true(lab_digest(l, threads) == one);
        assert_true(l->r.engine.packet_hops == hops);
        assert_int_equal(l->r.engine.sim_ps, end);
    }
}

/* Asserts equal results when a flow is watched. Switches then do in order of time what they otherwise do late
 * (node/switch.h, switch_may_defer). */
static void assert_same_when_watched(struct lab *l) {
    static const uint32_t watched[] = {3};
    uint64_t alone = lab_digest(l, 1);
    int64_t mean = l->r.queue_mean_bytes, max = l->r.queue_max_bytes;
    l->config.measure.flow = watched;
    l->config.measure.n_flow = 1;
    assert_true(lab_digest(l, 1) == alone);
    assert_true(l->r.n_timeline > 0);
    assert_int_equal(l->r.queue_mean_bytes, mean);
    assert_int_equal(l->r.queue_max_bytes, max);
}

static bool fits(const struct balancer_ops *b, struct lab *l) {
    struct diag d = {0};
    return !b->fits || b->fits(lab_fabric(l)->tiers, 8, l->balance_params, &d);
}

static void digest__every_fabric_and_every_balancer_that_fits(void **state) {
    (void)state;
    size_t n, n_kinds;
    const struct balancer_ops *const *all = balancers(&n);
    const struct fabric_ops *const *kind = fabrics(&n_kinds);
    for (size_t k = 0; k < n_kinds; k++) {
        for (size_t b = 0; b < n; b++) {
            struct lab *l = lab_row(kind[k]);
            lab_balance(l, all[b]->name);
            lab_random_flows(l, lab_fabric(l)->n_hosts, 30, 40000, 100 * US);
            if (fits(all[b], l)) assert_same_for_1_2_3_threads(l);
            lab_end(l);
        }
    }
}

static void digest__every_transport(void **state) {
    (void)state;
    size_t n;
    const struct transport_ops *const *row = transports(&n);
    for (size_t i = 0; i < n; i++) {
        struct lab *l = lab_clos();
        lab_transport(l, row[i]->name);
        lab_ports_as_needed(l);
        l->config.switches.buffer_bytes = 1000000; /* no datagram is lost */
        lab_random_flows(l, 12, 40, 100000, 300 * US);
        assert_same_for_1_2_3_threads(l);
        lab_end(l);
    }
}

/* Each baseline with the ports that it needs: marks at a threshold, or by phantom queues. */
static void digest__baselines(void **state) {
    (void)state;
    static const char *const names[] = {"dctcp", "hull", "dx"};
    for (int i = 0; i < 3; i++) {
        struct lab *l = lab_clos();
        lab_transport(l, names[i]);
        lab_transport_param(l, 0, "min_rto", 500 * US);
        lab_admit_as_needed(l, l->config.hosts.transport[0]);
        if (l->config.switches.admit.ops == &admit_ecn) l->config.switches.admit.ecn_bytes_per_10g = 20000;
        l->config.hosts.nic = NIC_FIFO; /* as in the ExpressPass figures (AM-14) */
        l->config.hosts.nic_queue_bytes = 1518000;
        lab_random_flows(l, 12, 60, 200000, 300 * US);
        assert_same_for_1_2_3_threads(l);
        if (i < 2) assert_true(l->r.packets.marked > 100);
        lab_end(l);
    }
}

/* ---- credits ---- */

static void lab_credits(struct lab *l, const char *transport, uint32_t mark_window) {
    lab_transport(l, transport);
    l->config.switches.credit = l->config.hosts.credit = (struct credit_config){.on = true,
                                                                                .queue = 8,
                                                                                .share_ppb = PPB * 84 / 1622,
                                                                                .burst_bytes = 168,
                                                                                .mark_window = mark_window,
                                                                                .mark_stale = 50 * US};
    l->config.switches.buffer_bytes = 1000000;
    l->config.switches.port.unscheduled_bytes = 3000;
    lab_balance_param(l, "hash", 1);
}

static void digest__credits_of_every_kind(void **state) {
    (void)state;
    for (int feedback = 0; feedback < 4; feedback++) {
        struct lab *l = lab_clos();
        lab_credits(l, "expresspass", 0);
        lab_transport_param(l, 0, "feedback", feedback);
        lab_transport_param(l, 0, "unscheduled", feedback * 10000);
        lab_random_flows(l, 12, 60, 200000, 300 * US);
        assert_same_for_1_2_3_threads(l);
        assert_true(l->r.credits.dropped > 100);
        assert_same_when_watched(l);
        lab_end(l);
    }
    for (int spray = 0; spray < 3; spray++) {
        struct lab *l = lab_leaf_spine();
        lab_credits(l, "spraypass", 4);
        lab_transport_param(l, 0, "spray", spray);
        lab_random_flows(l, 12, 60, 200000, 300 * US);
        assert_same_for_1_2_3_threads(l);
        assert_true(l->r.credits.dropped > 100);
        assert_same_when_watched(l);
        lab_end(l);
    }
}

static void digest__credits_that_balancers_route(void **state) {
    (void)state;
    static const char *const balance[] = {"expeditus", "clairvoyant", "spray"};
    for (int i = 0; i < 3; i++) {
        struct lab *l = lab_clos();
        lab_credits(l, "expresspass", 0);
        lab_balance(l, balance[i]);
        l->config.switches.record_path = true;
        l->config.switches.port.classes = 8;
        l->config.switches.port.schedule.ops = &schedule_strict;
        lab_random_flows(l, 12, 60, 200000, 300 * US);
        for (uint32_t f = 0; f < l->flows.n; f++) l->flows.flow[f].priority = (uint8_t)(f % 8);
        assert_same_for_1_2_3_threads(l);
        assert_true(l->r.credits.dropped > 100);
        lab_end(l);
    }
}

static void digest__transports_side_by_side(void **state) {
    (void)state;
    struct lab *l = lab_leaf_spine();
    uint8_t cubic = lab_add_transport(l, "cubic"), udp = lab_add_transport(l, "udp");
    lab_random_flows(l, 12, 60, 60000, 300 * US);
    for (uint32_t i = 0; i < l->flows.n; i++) l->flows.flow[i].transport = i % 3 == 0 ? cubic : 0;
    struct flow *steady = lab_flow(l, 0, 11, UINT64_MAX, 0);
    steady->stop = 900 * US;
    steady->transport = udp;
    steady->rate_bps = GBPS;
    assert_same_for_1_2_3_threads(l);
    lab_end(l);
}

/* ---- trouble ---- */

static void add_trouble(struct lab *l) {
    lab_fail(l, "agg0.0-core0.0", 150 * US, 900 * US, 100 * US);
    lab_fail(l, "tor1.0-agg1.1", 200 * US, TIME_NONE, 50 * US);
    lab_fail(l, "host2.1.0-tor2.1", 300 * US, 700 * US, 0);
    lab_gray(l, "tor0.1-agg0.0", PPB / 50, 100 * US, 1 * MS);
    lab_slow(l, "agg1.0-core0.1", GBPS, 120 * US, 1 * MS);
}

static void digest__failures_repairs_gray_and_reduced_links(void **state) {
    (void)state;
    static const char *const balance[] = {"ecmp", "expeditus", "clairvoyant"};
    for (int i = 0; i < 3; i++) {
        struct lab *l = lab_clos();
        add_trouble(l);
        lab_balance(l, balance[i]);
        lab_random_flows(l, 12, 60, 60000, 600 * US);
        assert_same_for_1_2_3_threads(l);
        assert_true(l->r.packets.dropped_by[DROP_LINK_DOWN] > 0);
        assert_true(l->r.packets.dropped_by[DROP_LOSS] > 0);
        assert_int_equal(l->r.flows_finished, 60);
        lab_end(l);
    }
}

static void digest__credits_under_failures(void **state) {
    (void)state;
    static const char *const transport[] = {"expresspass", "spraypass"};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_clos();
        add_trouble(l);
        lab_credits(l, transport[i], i ? 4 : 0);
        lab_random_flows(l, 12, 60, 60000, 600 * US);
        assert_same_for_1_2_3_threads(l);
        assert_true(l->r.packets.dropped_by[DROP_LINK_DOWN] > 0);
        assert_int_equal(l->r.flows_finished, 60);
        assert_same_when_watched(l);
        lab_end(l);
    }
}

/* Runs a queue whose link changes its rate at `at`, watched and not. Returns when the last frame before that left the
 * queue. */
static time_ps queue_slows_at(time_ps at) {
    struct lab *l = lab_dumbbell();
    time_ps left = 0;
    l->config.switches.port.classes = 2;
    l->config.switches.port.schedule.ops = &schedule_strict;
    l->config.switches.buffer_bytes = 1000000;
    lab_slow(l, "leaf0-leaf1", GBPS, at, 2 * MS);
    for (uint32_t i = 0; i < 4; i++) lab_flow(l, i % 3, 3 + i % 3, 1000000, i * US);
    assert_same_when_watched(l);
    assert_true(lab_port(l, "leaf0", "leaf1")->max_queue_bytes > 100000);
    uint32_t leaf0 = l->fabric->paths.port[lab_port(l, "leaf0", "leaf1")->port].node;
    for (size_t i = 0; i < l->r.n_timeline; i++) {
        const struct timeline_entry *e = &l->r.timeline[i];
        if (e->node == leaf0 && e->kind == TIMELINE_DEQUEUED && e->at < at) left = max_i64(left, e->at);
    }
    lab_end(l);
    return left;
}

/* The rate changes between two services of a port, and at the instant of one: the change comes first. */
static void digest__rates_that_change_between_services(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) queue_slows_at(queue_slows_at(300 * US + i * 307000));
}

static void digest__conga_flow_under_failures(void **state) {
    (void)state;
    struct lab *l = lab_leaf_spine();
    lab_balance(l, "conga-flow");
    lab_fail(l, "leaf1-spine0", 150 * US, 2 * MS, 100 * US);
    lab_gray(l, "leaf3-spine1", PPB / 50, 100 * US, 1 * MS);
    lab_random_flows(l, 12, 60, 60000, 600 * US);
    assert_same_for_1_2_3_threads(l);
    lab_end(l);
}

static void digest__hosts_with_processing_delay_and_fifo_nics(void **state) {
    (void)state;
    struct lab *l = lab_fat_tree();
    l->config.hosts.processing_delay = 1 * US;
    l->config.hosts.nic = NIC_FIFO;
    l->config.hosts.nic_queue_bytes = 30000;
    lab_random_flows(l, 16, 80, 60000, 300 * US);
    assert_same_for_1_2_3_threads(l);
    lab_end(l);
}

static void digest__ports_with_classes(void **state) {
    (void)state;
    size_t n;
    const struct schedule_ops *const *row = schedules(&n);
    for (size_t schedule = 0; schedule < n; schedule++) {
        struct lab *l = lab_clos();
        l->config.switches.port.classes = 4;
        l->config.switches.port.schedule.ops = row[schedule];
        lab_fail(l, "agg0.0-core0.0", 150 * US, 2 * MS, 100 * US);
        lab_random_flows(l, 12, 80, 60000, 300 * US);
        for (uint32_t i = 0; i < l->flows.n; i++) l->flows.flow[i].priority = (uint8_t)(i % 5);
        assert_same_for_1_2_3_threads(l);
        assert_same_when_watched(l);
        lab_end(l);
    }
}

/* Partitions whose first events are far apart still meet at the same barriers. */
static void digest__one_pod_idle_for_long(void **state) {
    (void)state;
    struct lab *l = lab_clos();
    lab_flow(l, 0, 1, 50000, 0);
    lab_flow(l, 0, 3, 50000, 10 * US);
    lab_flow(l, 5, 11, 200000, 2 * MS);
    lab_flow(l, 9, 0, 500000, 5 * MS);
    assert_same_for_1_2_3_threads(l);
    lab_end(l);
}

static void digest__a_run_cut_by_until(void **state) {
    (void)state;
    struct lab *l = lab_clos();
    l->config.until = 123456789; /* within a slot, with frames everywhere */
    lab_random_flows(l, 12, 60, 200000, 100 * US);
    assert_same_for_1_2_3_threads(l);
    assert_int_equal(l->r.engine.sim_ps, 123456789);
    assert_true(l->r.packets.in_flight > 0);
    assert_true(l->r.flows_unfinished > 0);
    lab_end(l);
}

/* ---- what must not matter, and what must ---- */

static void digest__observing_changes_nothing(void **state) {
    (void)state;
    static const char *const balance[] = {"expeditus", "clairvoyant"};
    for (int i = 0; i < 2; i++) {
        struct lab *l = lab_clos();
        lab_balance(l, balance[i]);
        lab_random_flows(l, 12, 40, 60000, 2 * MS);
        uint64_t alone = lab_digest(l, 1);
        l->config.measure.queues = 13 * US;
        l->config.measure.links = 17 * US;
        l->config.measure.imbalance = 50 * US;
        uint32_t watched[] = {3, 5};
        l->config.measure.flow = watched;
        l->config.measure.n_flow = 2;
        assert_true(lab_digest(l, 1) == alone);
        assert_true(l->r.n_samples > 0 && l->r.n_imbalance > 0 && l->r.n_timeline > 0);
        assert_true(lab_digest(l, 3) == alone);
        lab_end(l);
    }
}

/* Samples do not depend on threads. */
static void samples__same_for_any_number_of_threads(void **state) {
    (void)state;
    struct lab *l = lab_clos();
    lab_random_flows(l, 12, 60, 60000, 300 * US);
    l->config.measure.queues = 20 * US;
    l->config.measure.imbalance = 100 * US;
    lab_digest(l, 1);
    size_t n = l->r.n_samples, n_imbalance = l->r.n_imbalance;
    struct sample *one = malloc(n * sizeof *one);
    struct imbalance_sample *imbalance = malloc(n_imbalance * sizeof *imbalance);
    assert_true(one && imbalance && n > 100);
    memcpy(one, l->r.sample, n * sizeof *one);
    memcpy(imbalance, l->r.imbalance, n_imbalance * sizeof *imbalance);
    lab_digest(l, 3);
    assert_int_equal(l->r.n_samples, n);
    assert_int_equal(l->r.n_imbalance, n_imbalance);
    assert_memory_equal(l->r.sample, one, n * sizeof *one);
    for (size_t i = 0; i < n_imbalance; i++) {
        assert_int_equal(l->r.imbalance[i].at, imbalance[i].at);
        assert_int_equal(l->r.imbalance[i].node, imbalance[i].node);
        assert_int_equal(l->r.imbalance[i].value_ppm, imbalance[i].value_ppm);
    }
    free(one);
    free(imbalance);
    lab_end(l);
}

static void digest__run_again_is_the_same(void **state) {
    (void)state;
    struct lab *l = lab_clos();
    lab_random_flows(l, 12, 60, 60000, 300 * US);
    uint64_t first = lab_digest(l, 1);
    assert_true(lab_digest(l, 1) == first);
    lab_end(l);
}

static void digest__seeds_differ(void **state) {
    (void)state;
    uint64_t digest[4];
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct lab *l = lab_clos();
        lab_random_flows(l, 12, 60, 60000, 300 * US); /* equal flows; only the switches' salts differ */
        l->config.seed = seed + 1;
        digest[seed] = lab_digest(l, 1);
        for (uint64_t i = 0; i < seed; i++) assert_true(digest[i] != digest[seed]);
        lab_end(l);
    }
}

static void threads__more_than_leaves_are_not_used(void **state) {
    (void)state;
    struct lab *l = lab_star();
    lab_random_flows(l, 6, 20, 60000, 100 * US);
    uint64_t one = lab_digest(l, 1);
    assert_true(lab_digest(l, 16) == one);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(digest__every_fabric_and_every_balancer_that_fits),
        UNIT(digest__every_transport),
        UNIT(digest__baselines),
        UNIT(digest__credits_of_every_kind),
        UNIT(digest__credits_that_balancers_route),
        UNIT(digest__transports_side_by_side),
        UNIT(digest__failures_repairs_gray_and_reduced_links),
        UNIT(digest__credits_under_failures),
        UNIT(digest__rates_that_change_between_services),
        UNIT(digest__conga_flow_under_failures),
        UNIT(digest__hosts_with_processing_delay_and_fifo_nics),
        UNIT(digest__ports_with_classes),
        UNIT(digest__one_pod_idle_for_long),
        UNIT(digest__a_run_cut_by_until),
        UNIT(digest__observing_changes_nothing),
        UNIT(samples__same_for_any_number_of_threads),
        UNIT(digest__run_again_is_the_same),
        UNIT(digest__seeds_differ),
        UNIT(threads__more_than_leaves_are_not_used),
    };
    return RUN_UNITS(tests);
}
