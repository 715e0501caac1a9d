/* SPDX-License-Identifier: Apache-2.0 */
/* Pause storms and cyclic buffer dependencies in worlds (CMB-12). A ring of switches deadlocks under flow control if
 * their flows share links, and does not if they do not. Ports that are paused for long are reported.
 */
#include "scenario/lossless_lab.h"

#include "fabric/fabric_build.h"
#include "mech/flowctl/flowctls.h"
#include "unit.h"

#define RING 7

/* Returns switches s0 to s6 in a ring, each with a host. */
static struct fabric *ring_of_switches(void) {
    char text[4096];
    size_t n = (size_t)snprintf(text, sizeof text, "nodes: [");
    for (int i = 0; i < RING; i++) n += (size_t)snprintf(text + n, sizeof text - n, "{name: s%d}, {name: h%d}, ", i, i);
    n += (size_t)snprintf(text + n, sizeof text - n, "]\nlinks:\n");
    for (int i = 0; i < RING; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  - {a: s%d, b: h%d}\n  - {a: s%d, b: s%d}\n", i, i, i,
                              (i + 1) % RING);
    struct fabric_spec s = spec_of("file");
    struct diag d = {0};
    s.path = "ring.yaml";
    s.host_bps = s.uplink_bps = s.core_bps = GBPS;
    struct fabric *f = fabric_create_text(&s, text, strlen(text), &d);
    if (!f) fail_msg("%s", d.text);
    return f;
}

/* Every host sends 2 MB to the host `hops` switches further on. */
static struct lab *lab_ring(const struct flowctl_ops *kind, uint32_t hops) {
    struct lab *l = lab_detail(spec_leaf_spine(2, 1, 1), kind, "ecmp");
    l->fabric = ring_of_switches();
    l->config.switches.flow.storm = l->config.hosts.flow.storm = 20 * MS;
    lab_transport_param(l, 0, "receive_window", 1000000);
    for (uint32_t i = 0; i < RING; i++) {
        char from[8], to[8];
        snprintf(from, sizeof from, "h%u", i);
        snprintf(to, sizeof to, "h%u", (i + hops) % RING);
        lab_flow(l, node(l->fabric, from), node(l->fabric, to), 2000000, 0);
    }
    return l;
}

static const char *egress_name(const struct lab *l, uint32_t port) {
    static char text[160];
    char from[64], to[64];
    const struct place_port *p = &l->fabric->paths.port[port];
    fabric_node_name(l->fabric, p->node, from, sizeof from);
    fabric_node_name(l->fabric, p->neighbour, to, sizeof to);
    snprintf(text, sizeof text, "%s>%s", from, to);
    return text;
}

/* ---- a ring that deadlocks ---- */

static void ring__deadlocks_and_is_named(void **state) {
    (void)state;
    const struct flowctl_ops *const kinds[] = {&flowctl_pfc, &flowctl_pause};
    for (int k = 0; k < 2; k++) {
        struct lab *l = lab_ring(kinds[k], 3);
        l->config.until = 200 * MS;
        lab_run_done(l);
        assert_int_equal(l->r.packets.dropped, 0);
        assert_true(l->r.flows_unfinished > 0);
        assert_int_equal(l->r.pauses.rings, 1);
        assert_int_equal(l->r.n_ring_lanes, RING);
        for (uint32_t i = 0; i < RING; i++) {
            const struct pause_ring_lane *lane = &l->r.ring[i], *next = &l->r.ring[(i + 1) % RING];
            assert_int_equal(lane->class, 0);
            assert_int_equal(l->fabric->paths.port[lane->port].neighbour, l->fabric->paths.port[next->port].node);
            assert_true(lane->since < 100 * MS && lane->first - lane->since >= 20 * MS);
            assert_true(lane->first < 150 * MS && lane->last == 200 * MS);
        }
        assert_true(l->r.pauses.longest > 100 * MS);
        assert_true(l->r.pauses.storms >= RING);
        lab_end(l);
    }
}

/* Every port of the ring has a row of pauses with its class, its storms and their start. */
static void ring__ports_have_their_storms(void **state) {
    (void)state;
    struct lab *l = lab_ring(&flowctl_pfc, 3);
    l->config.until = 200 * MS;
    lab_run_done(l);
    for (uint32_t i = 0; i < RING; i++) {
        const struct pause_total *p = l->r.pause;
        while (p->port != l->r.ring[i].port || p->class != 0) p++;
        assert_true(p < l->r.pause + l->r.n_pauses);
        assert_int_equal(p->storms, 1);
        assert_true(p->longest_from == l->r.ring[i].since);
        assert_true(p->longest == 200 * MS - l->r.ring[i].since);
        assert_true(p->paused >= p->longest);
    }
    lab_end(l);
}

/* A run without an end gets stuck in the deadlock; it fails and names the ports that wait for each other, and the switches
 * whose queues hold the frames. */
static void ring__stuck_run_says_so(void **state) {
    (void)state;
    struct lab *l = lab_ring(&flowctl_pfc, 3);
    assert_int_equal(lab_run(l), WORLD_FAILED);
    assert_non_null(strstr(l->r.failure, "stuck at "));
    assert_non_null(strstr(l->r.failure, "frames on the way"));
    assert_non_null(strstr(l->r.failure, "ports paused in a ring: s0>s1 waits for s1>s2"));
    assert_null(strstr(l->r.failure, ", 0 frames on the way"));
    assert_non_null(strstr(l->r.failure, " frames on the way, last before s"));
    lab_end(l);
}

/* The watchdog of switches breaks the deadlock: with drop frames are lost and sent again, with forward none of its class is
 * held for long. Both give the same run on any number of threads. */
static void ring__is_broken_by_a_watchdog(void **state) {
    (void)state;
    for (int action = WATCHDOG_DROP; action <= WATCHDOG_FORWARD; action++) {
        struct lab *l = lab_ring(&flowctl_pfc, 3);
        l->config.switches.flow.watchdog =
            (struct watchdog_config){20 * MS, 40 * MS, 10 * MS, (enum watchdog_action)action};
        lab_run_done(l);
        assert_int_equal(l->r.flows_unfinished, 0);
        assert_true(l->r.pauses.watchdog_found > 0);
        assert_int_equal(l->r.packets.dropped_by[DROP_STORM] > 0, action == WATCHDOG_DROP);
        assert_true(l->r.pauses.storms >= l->r.pauses.watchdog_found);
        uint64_t digest = l->r.engine.digest, found = l->r.pauses.watchdog_found;
        for (uint32_t threads = 2; threads <= 3; threads++) {
            assert_true(lab_digest(l, threads) == digest);
            assert_int_equal(l->r.pauses.watchdog_found, found);
        }
        lab_end(l);
    }
}

/* ---- rings that do not deadlock ---- */

/* No flow crosses the link of another, so there is no deadlock. */
static void ring__of_neighbours_finishes(void **state) {
    (void)state;
    struct lab *l = lab_ring(&flowctl_pfc, 1);
    lab_run_done(l);
    assert_int_equal(l->r.flows_unfinished, 0);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(l->r.pauses.rings, 0);
    assert_int_equal(l->r.pauses.storms, 0);
    lab_end(l);
}

/* Without flow control frames are dropped instead, so there is no deadlock. */
static void ring__without_flow_control_finishes(void **state) {
    (void)state;
    struct lab *l = lab_ring(&flowctl_none, 3);
    lab_run_done(l);
    assert_int_equal(l->r.flows_unfinished, 0);
    assert_true(l->r.packets.dropped > 0);
    assert_int_equal(l->r.n_pauses, 0);
    assert_int_equal(l->r.n_ring_lanes, 0);
    lab_end(l);
}

/* Up-down routes have no cycle, however long the pauses. */
static void leaf_spine__incast_is_no_ring(void **state) {
    (void)state;
    struct lab *l = lab_detail(spec_leaf_spine(4, 2, 4), &flowctl_pfc, "ecmp");
    l->config.switches.flow.storm = l->config.hosts.flow.storm = 200 * US;
    for (uint32_t h = 0; h < 12; h++) lab_flow(l, h, 12 + h % 2, 400000, h * 10 * US);
    lab_run_done(l);
    assert_true(l->r.pauses.storms > 0);
    assert_int_equal(l->r.pauses.rings, 0);
    lab_end(l);
}

/* ---- storms ---- */

/* Returns a world with a receiver that takes almost nothing. Its port fills, and all its senders are paused up to their
 * NICs. */
static struct lab *lab_slow_receiver(int64_t bps) {
    struct lab *l = lab_detail(spec_leaf_spine(2, 1, 2), &flowctl_pfc, "ecmp");
    l->config.switches.flow.storm = l->config.hosts.flow.storm = 100 * MS;
    lab_slow(l, "host1.0-leaf1", bps, 8 * MS, TIME_NONE);
    lab_transport_param(l, 0, "receive_window", 1000000);
    lab_transport_param(l, 0, "initial_window", 400);
    for (uint32_t h = 0; h < 2; h++) lab_flow(l, h, 2, 4000000, 0);
    l->config.until = 500 * MS;
    return l;
}

static void storm__of_a_receiver_that_never_resumes(void **state) {
    (void)state;
    struct lab *l = lab_slow_receiver(10000);
    lab_run_done(l);
    assert_int_equal(l->r.packets.dropped, 0);
    assert_int_equal(l->r.pauses.rings, 0);
    static const char *const paused[] = {"host0.0>leaf0", "host0.1>leaf0", "leaf0>spine0", "spine0>leaf1"};
    assert_int_equal(l->r.pauses.storms, 4);
    assert_int_equal(l->r.n_pauses, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(egress_name(l, l->r.pause[i].port), paused[i]);
        assert_int_equal(l->r.pause[i].class, 0);
        assert_int_equal(l->r.pause[i].storms, 1);
        assert_true(l->r.pause[i].longest > 400 * MS && l->r.pause[i].longest_from > 8 * MS);
    }
    assert_true(l->r.pauses.longest == l->r.pause[3].longest); /* the port to the slow receiver */
    lab_end(l);
}

/* Samples say what share of each period a port was stopped: together as long as its pauses, and for no other port. */
static void storm__samples_of_pauses(void **state) {
    (void)state;
    struct lab *l = lab_slow_receiver(10000);
    l->config.measure.pauses = 10 * MS;
    lab_run_done(l);
    span_ps sampled[64] = {0}, stood[64] = {0};
    for (size_t i = 0; i < l->r.n_samples; i++) {
        const struct sample *s = &l->r.sample[i];
        assert_int_equal(s->kind, SAMPLE_PAUSE);
        assert_in_range(s->value, 0, PPB);
        sampled[s->port] += (span_ps)((double)s->value * 10 * MS / PPB);
    }
    for (size_t i = 0; i < l->r.n_pauses; i++) stood[l->r.pause[i].port] += l->r.pause[i].paused;
    uint32_t n_ports = l->fabric->paths.first_port[l->fabric->n_nodes];
    assert_int_equal(l->r.n_samples, 50 * n_ports); /* one of each port every 10 ms */
    for (uint32_t port = 0; port < n_ports; port++)
        assert_in_range(stood[port], sampled[port] ? sampled[port] - 20 * PS_PER_NS : 0, sampled[port] + 10 * MS);
    assert_true(sampled[l->r.pause[0].port] > 400 * MS);
    lab_end(l);
}

/* A receiver takes a frame in 12 s, so bytes arrive far apart, but they arrive: the run is not stuck. */
static void storm__of_a_slow_receiver_is_not_stuck(void **state) {
    (void)state;
    struct lab *l = lab_slow_receiver(1000);
    lab_transport_param(l, 0, "max_rto", 50 * MS);
    l->config.until = 15000 * MS;
    lab_run_done(l);
    assert_true(l->r.pauses.longest > 10000 * MS && l->r.flows_unfinished == 2);
    lab_end(l);
}

/* Where nobody looks for rings, a stuck run names the pause that stands for longest. */
static void storm__stuck_run_names_the_longest_pause(void **state) {
    (void)state;
    struct lab *l = lab_ring(&flowctl_pfc, 3);
    lab_transport_param(l, 0, "max_rto", 50 * MS);
    l->config.switches.flow.storm = l->config.hosts.flow.storm = 0;
    assert_int_equal(lab_run(l), WORLD_FAILED);
    const struct pause_total *longest = &l->r.pause[0];
    for (size_t i = 0; i < l->r.n_pauses; i++)
        if (l->r.pause[i].longest > longest->longest) longest = &l->r.pause[i];
    char expected[160];
    snprintf(expected, sizeof expected, "flows are open; paused for longest: %s, class 0, since %lld us; flow ",
             egress_name(l, longest->port), (long long)(longest->longest_from / US));
    if (!strstr(l->r.failure, expected)) fail_msg("%s: %s", expected, l->r.failure);
    lab_end(l);
}

/* The watchdog does not change the run, and finds the same with any number of threads. */
static void watchdog__is_no_part_of_the_run(void **state) {
    (void)state;
    struct lab *l = lab_ring(&flowctl_pfc, 3);
    l->config.until = 100 * MS;
    lab_run_done(l);
    uint64_t digest = l->r.engine.digest, storms = l->r.pauses.storms;
    span_ps longest = l->r.pauses.longest;
    time_ps first = l->r.ring[0].first;
    for (uint32_t threads = 2; threads <= 3; threads++) {
        assert_true(lab_digest(l, threads) == digest);
        assert_int_equal(l->r.pauses.storms, storms);
        assert_int_equal(l->r.pauses.rings, 1);
        assert_true(l->r.pauses.longest == longest && l->r.ring[0].first == first);
    }
    l->config.switches.flow.storm = l->config.hosts.flow.storm = 0;
    assert_true(lab_digest(l, 1) == digest);
    assert_int_equal(l->r.pauses.storms + l->r.pauses.rings, 0);
    assert_true(l->r.pauses.longest == longest);
    lab_end(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(ring__deadlocks_and_is_named),
        UNIT(ring__ports_have_their_storms),
        UNIT(ring__stuck_run_says_so),
        UNIT(ring__is_broken_by_a_watchdog),
        UNIT(ring__of_neighbours_finishes),
        UNIT(ring__without_flow_control_finishes),
        UNIT(leaf_spine__incast_is_no_ring),
        UNIT(storm__of_a_receiver_that_never_resumes),
        UNIT(storm__samples_of_pauses),
        UNIT(storm__of_a_slow_receiver_is_not_stuck),
        UNIT(storm__stuck_run_names_the_longest_pause),
        UNIT(watchdog__is_no_part_of_the_run),
    };
    return RUN_UNITS(tests);
}
