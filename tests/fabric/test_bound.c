/* SPDX-License-Identifier: Apache-2.0 */
/* The least delay and the most throughput between two hosts, against arithmetic by hand. */
#include "fabric_test.h"

/* 1538 B at 10 Gbps take 1,230.4 ns, 84 B 67.2 ns. */
#define FULL_10G 1230400LL
#define ACK_10G 67200LL

static struct fabric_bound bound(const struct fabric *f, const char *from, const char *to, uint32_t wire_bytes) {
    struct fabric_bound b;
    fabric_bound(f, node(f, from), node(f, to), wire_bytes, &b);
    return b;
}

/* EXP-SIM: 432 hosts, 2 us links: 31.8 us for a frame across pods and its ACK back. */
static void bound__round_trip_of_the_paper(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(12, 6, 6, 3, 6));
    assert_int_equal(f->n_hosts, 432);
    struct fabric_bound data = bound(f, "host0.0.0", "host11.5.5", 1538), ack = bound(f, "host11.5.5", "host0.0.0", 84);
    assert_int_equal(data.hops, 6);
    assert_int_equal(data.propagation, 12 * US);
    assert_int_equal(data.first_frame_ps, 5 * FULL_10G);
    assert_int_equal(ack.first_frame_ps, 5 * ACK_10G);
    int64_t rtt = data.propagation + data.first_frame_ps + FULL_10G + ack.propagation + ack.first_frame_ps + ACK_10G;
    assert_int_equal(rtt, 31785600); /* 24 + 6 x 1.2304 + 6 x 0.0672 us */
    assert_int_equal(data.bottleneck_bps, 10 * GBPS);
    assert_int_equal(data.spray_bps, 10 * GBPS);
    fabric_destroy(f);
}

/* The same round trip in one call, and the limit for all pairs: of every fabric, with uneven links and failures. */
static void round_trip__of_a_pair_and_of_all(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(12, 6, 6, 3, 6));
    assert_int_equal(fabric_round_trip(f, node(f, "host0.0.0"), node(f, "host11.5.5"), 1538, 84), 31785600);
    assert_int_equal(fabric_round_trip_most(f, 1538, 84), 31785600);
    assert_true(fabric_round_trip(f, node(f, "host0.0.0"), node(f, "host0.0.1"), 1538, 84) < 31785600);
    fabric_destroy(f);
    struct link_override slow = {.match = "*-spine0", .rate_bps = 1 * GBPS, .delay = 9 * US, .loss_ppb = -1};
    struct link_failure dead = {.link = "leaf1-spine1", .repair_at = TIME_NONE};
    struct fabric_spec specs[] = {spec_leaf_spine(3, 2, 2), spec_parking_lot(3), spec_star(3)};
    specs[0].links = &slow, specs[0].n_links = 1, specs[0].failed = &dead, specs[0].n_failed = 1;
    for (size_t i = 0; i < 3; i++) {
        f = made(specs[i]);
        for (uint32_t h = 0; h < f->n_hosts * f->n_hosts; h++) {
            span_ps trip = fabric_round_trip(f, h / f->n_hosts, h % f->n_hosts, 1538, 84);
            assert_in_range(trip, 1, fabric_round_trip_most(f, 1538, 84));
        }
        fabric_destroy(f);
    }
}

static void bound__inside_a_pod_and_a_rack(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(12, 6, 6, 3, 6));
    struct fabric_bound pod = bound(f, "host0.0.0", "host0.3.0", 1538), rack = bound(f, "host0.0.0", "host0.0.1", 1538);
    assert_int_equal(pod.hops, 4);
    assert_int_equal(pod.propagation, 8 * US);
    assert_int_equal(pod.first_frame_ps, 3 * FULL_10G);
    assert_int_equal(rack.hops, 2);
    assert_int_equal(rack.propagation, 4 * US);
    assert_int_equal(rack.first_frame_ps, FULL_10G);
    assert_int_equal(rack.bottleneck_bps, 10 * GBPS);
    assert_int_equal(rack.spray_bps, 10 * GBPS);
    fabric_destroy(f);
}

/* Hosts of 40G over links of 10G: spraying multiplies the bound by the number of aggs, up to the capacity of cores and
 * hosts. */
static void bound__spraying_sums_disjoint_paths(void **state) {
    (void)state;
    struct fabric_spec s = spec_clos(3, 2, 3, 2, 2);
    s.host_bps = 100 * GBPS, s.core_bps = 4 * GBPS;
    struct fabric *f = made(s);
    assert_int_equal(bound(f, "host0.0.0", "host1.0.0", 1538).bottleneck_bps, 4 * GBPS);
    assert_int_equal(bound(f, "host0.0.0", "host1.0.0", 1538).spray_bps, 3 * 2 * 4 * GBPS);
    assert_int_equal(bound(f, "host0.0.0", "host0.1.0", 1538).spray_bps, 3 * 10 * GBPS);
    fabric_destroy(f);
    s.host_bps = 15 * GBPS;
    f = made(s);
    assert_int_equal(bound(f, "host0.0.0", "host0.1.0", 1538).spray_bps, 15 * GBPS);
    fabric_destroy(f);
}

static void bound__uneven_links_best_delay_and_widest_path(void **state) {
    (void)state;
    struct link_override o[] = {{.match = "*-spine0", .rate_bps = 1 * GBPS, .delay = 1 * US, .loss_ppb = -1},
                                {.match = "leaf1-spine1", .rate_bps = 5 * GBPS, .delay = -1, .loss_ppb = -1}};
    struct fabric_spec s = spec_leaf_spine(3, 2, 1);
    s.links = o, s.n_links = 2;
    struct fabric *f = made(s);
    struct fabric_bound b = bound(f, "host0.0", "host1.0", 100);
    /* Over spine 1 a frame takes 4 us + 80 ns + 160 ns, over spine 0 2 us + 2 x 800 ns: the minimum is 3.6 us. */
    assert_int_equal(b.propagation, (2 + 2 + 2) * US);
    assert_int_equal(b.first_frame_ps, 2 * 800000 + 80000);
    assert_int_equal(b.bottleneck_bps, 5 * GBPS); /* over spine 1 */
    assert_int_equal(b.spray_bps, 6 * GBPS);
    fabric_destroy(f);
}

static void bound__failed_paths_do_not_count(void **state) {
    (void)state;
    struct link_override fast = {.match = "*-spine0", .rate_bps = 40 * GBPS, .delay = 0, .loss_ppb = -1};
    struct link_failure dead = {.link = "leaf1-spine0", .repair_at = TIME_NONE};
    struct fabric_spec s = spec_leaf_spine(3, 2, 1);
    s.links = &fast, s.n_links = 1, s.failed = &dead, s.n_failed = 1;
    struct fabric *f = made(s);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).propagation, 8 * US);
    assert_int_equal(bound(f, "host0.0", "host2.0", 1538).propagation, 4 * US);
    fabric_destroy(f);
    dead.repair_at = 5 * MS; /* links that are repaired later count: no flow may be faster than the bound */
    f = made(s);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).propagation, 4 * US);
    fabric_destroy(f);
}

static void bound__spraying_over_what_failures_leave(void **state) {
    (void)state;
    struct link_failure dead[] = {{.link = "agg0.1-core1.0", .repair_at = TIME_NONE},
                                  {.link = "tor1.0-agg1.2", .repair_at = TIME_NONE}};
    struct fabric_spec s = spec_clos(3, 2, 3, 2, 2);
    s.host_bps = 100 * GBPS;
    s.core_bps = 4 * GBPS;
    s.failed = dead, s.n_failed = 2;
    struct fabric *f = made(s);
    assert_int_equal(bound(f, "host0.0.0", "host1.0.0", 1538).spray_bps, (2 + 1 + 0) * 4 * GBPS);
    assert_int_equal(bound(f, "host0.0.0", "host1.1.0", 1538).spray_bps, (2 + 1 + 2) * 4 * GBPS);
    fabric_destroy(f);
}

static void bound__row_of_bottlenecks(void **state) {
    (void)state;
    struct fabric_spec s = spec_parking_lot(3);
    s.uplink_bps = 1 * GBPS, s.uplink_delay = 10 * US;
    struct fabric *f = made(s);
    struct fabric_bound b = bound(f, "host0.0", "host3.1", 1538);
    assert_int_equal(b.hops, 5);
    assert_int_equal(b.propagation, 34 * US);
    assert_int_equal(b.first_frame_ps, 3 * 10 * FULL_10G + FULL_10G);
    assert_int_equal(b.bottleneck_bps, 1 * GBPS);
    assert_int_equal(b.spray_bps, 1 * GBPS);
    fabric_destroy(f);
}

static void bound__no_way_at_any_time(void **state) {
    (void)state;
    struct link_failure dead[] = {{.link = "leaf0-spine0", .repair_at = TIME_NONE}};
    struct fabric_spec s = spec_leaf_spine(2, 1, 2);
    s.failed = dead, s.n_failed = 1;
    struct fabric *f = made(s);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).bottleneck_bps, 10 * GBPS); /* limited by the hosts' links */
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).spray_bps, 10 * GBPS);
    fabric_destroy(f);
}

static void bound__serialization_rounds_up(void **state) {
    (void)state;
    struct fabric_spec s = spec_star(2);
    s.host_bps = 3;
    struct fabric *f = made(s);
    assert_int_equal(bound(f, "host0.0", "host0.1", 1).first_frame_ps, 2666666666667LL);
    fabric_destroy(f);
}

/* All links have one rate and only delays differ: the bound takes the faster spine, or slowdowns would fall below 1. */
static void bound__uneven_delays_alone(void **state) {
    (void)state;
    struct link_override o = {.match = "*-spine0", .delay = 3 * US, .loss_ppb = -1};
    struct fabric_spec s = spec_leaf_spine(3, 2, 1);
    s.links = &o, s.n_links = 1;
    struct fabric *f = made(s);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).propagation, 4 * 2 * US);
    fabric_destroy(f);
}

/* The spine with the highest rate fails and is repaired, or fails for good: in both cases its rate bounds the flow. */
static void bound__widest_of_all_states(void **state) {
    (void)state;
    struct link_override o = {.match = "*-spine0", .rate_bps = 1 * GBPS, .delay = -1, .loss_ppb = -1};
    for (int repaired = 0; repaired < 2; repaired++) {
        struct link_failure e = {
            .link = "leaf0-spine1", .at = US, .repair_at = repaired ? PS_PER_MS : TIME_NONE, .detect = US};
        struct fabric_spec s = spec_leaf_spine(2, 2, 1);
        s.links = &o, s.n_links = 1;
        s.failed = &e, s.n_failed = 1;
        struct fabric *f = made(s);
        assert_int_equal(bound(f, "host0.0", "host1.0", 1538).bottleneck_bps, 10 * GBPS);
        fabric_destroy(f);
    }
}

/* Spine 1 works only in the first millisecond, spine 0 only afterwards. No state has both, yet the queue towards spine
 * 1 drains while spine 0 is in use: the bound adds both. */
static void bound__spraying_over_links_of_all_states(void **state) {
    (void)state;
    struct link_failure e[] = {{.link = "leaf0-spine0", .at = 0, .repair_at = PS_PER_MS},
                               {.link = "leaf0-spine1", .at = PS_PER_MS, .repair_at = TIME_NONE}};
    struct fabric_spec s = spec_leaf_spine(2, 2, 1);
    s.uplink_bps = 1 * GBPS;
    s.failed = e, s.n_failed = 2;
    struct fabric *f = made(s);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).bottleneck_bps, 1 * GBPS);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).spray_bps, 2 * GBPS);
    fabric_destroy(f);
}

static void bound__slowest_link_of_any_path(void **state) {
    (void)state;
    struct link_override o = {.match = "*-spine0", .rate_bps = 1 * GBPS, .delay = -1, .loss_ppb = -1};
    struct fabric_spec s = spec_leaf_spine(3, 2, 1);
    s.links = &o, s.n_links = 1;
    struct fabric *f = made(s);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).bottleneck_bps, 10 * GBPS);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).slowest_bps, 1 * GBPS);
    fabric_destroy(f);
    s = spec_leaf_spine(2, 2, 2);
    s.host_bps = 5 * GBPS;
    f = made(s);
    assert_int_equal(bound(f, "host0.0", "host1.0", 1538).slowest_bps, 5 * GBPS);
    assert_int_equal(bound(f, "host0.0", "host0.1", 1538).slowest_bps, 5 * GBPS);
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(bound__round_trip_of_the_paper),
        UNIT(round_trip__of_a_pair_and_of_all),
        UNIT(bound__inside_a_pod_and_a_rack),
        UNIT(bound__spraying_sums_disjoint_paths),
        UNIT(bound__uneven_links_best_delay_and_widest_path),
        UNIT(bound__failed_paths_do_not_count),
        UNIT(bound__spraying_over_what_failures_leave),
        UNIT(bound__no_way_at_any_time),
        UNIT(bound__row_of_bottlenecks),
        UNIT(bound__serialization_rounds_up),
        UNIT(bound__uneven_delays_alone),
        UNIT(bound__widest_of_all_states),
        UNIT(bound__spraying_over_links_of_all_states),
        UNIT(bound__slowest_link_of_any_path),
    };
    return RUN_UNITS(tests);
}
