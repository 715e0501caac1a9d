/* SPDX-License-Identifier: Apache-2.0 */
/* The needs of credit transports in an experiment, with transports that have nothing but needs. */
#include "assembly_test.h"
#include "study/assemble/credits.h"
#include "study/assemble/round_trip.h"
#include "study/results/queue_bounds.h"

#include <stdio.h>
#include <unistd.h>

#define XP_F11                                                                                                         \
    "fabric: {kind: clos, pods: 8, tors: 4, aggs: 2, cores: 4, hosts: 6, rate: 10Gbps, delay: 4us}\n"                  \
    "host: {processing_delay: 1us}\n"
#define SYMMETRIC "switch: {balance: ecmp, ecmp: {hash: symmetric}}\n"
#define LEAF_SPINE "fabric: {kind: leaf-spine, leaves: 2, spines: 2, hosts: 2}\n"

#define NEEDS                                                                                                          \
    { .credit = true, .symmetric_paths = true }
static span_ps hold_of(const int64_t *params) { return params[0]; }
static const struct transport_ops eager = {.name = "eager", .needs = NEEDS};
static const struct transport_ops keeper = {.name = "keeper", .needs = NEEDS, .credit_hold = hold_of};

struct bench {
    struct experiment *e;
    struct assembly *a;
};

static struct bench bench_of(const char *text, const struct transport_ops *ops, const int64_t *params) {
    struct diag d = {0};
    char line[1024];
    struct bench b = {.e = read_text(text)};
    b.a = assembly_create(&b.e->run[0].config, "", &d);
    if (!b.a) fail_msg("%s", diag_line(&d, line, sizeof line));
    if (ops) {
        b.a->world.hosts.transport[0] = ops;
        b.a->world.hosts.transport_params[0] = params;
    }
    b.a->world.switches.credit.queue = 16;
    b.a->world.switches.credit.burst_bytes = 168;
    return b;
}

static void bench_end(struct bench b) {
    assembly_free(b.a);
    experiment_free(b.e);
}

static void assert_checked(const char *text, const struct transport_ops *ops, const char *expected) {
    struct bench b = bench_of(text, ops, NULL);
    struct diag d = {0};
    char line[1024] = "";
    if (!credits_check(b.a, &b.e->run[0].config, &d)) diag_line(&d, line, sizeof line);
    assert_string_equal(line, expected);
    bench_end(b);
}

static void credits_check__both_directions_hash_alike(void **state) {
    (void)state;
    assert_checked(
        LEAF_SPINE PERMUTATION "switch: {ecmp: {hash: asymmetric}}\n", &eager,
        "x.yaml:3:23: error: switch.ecmp.hash: asymmetric, but eager needs data to go back over the links of "
        "its credits; write symmetric, or switch.record_path: true");
    assert_checked(LEAF_SPINE PERMUTATION, NULL, ""); /* allowed without credits */
    assert_checked(LEAF_SPINE PERMUTATION SYMMETRIC, &eager, "");
    assert_checked(STAR PERMUTATION, &eager, ""); /* nothing to choose */
}

/* A balancer that gives the two directions different paths would send data over links whose credits went elsewhere. */
static void credits_check__balancers_choose_for_each_direction(void **state) {
    (void)state;
    assert_checked(LEAF_SPINE PERMUTATION "switch: {balance: expeditus}\n", &eager,
                   "x.yaml:3:19: error: switch.balance: expeditus chooses for data and credits apart, but eager needs "
                   "data to go back over the links of its credits; write switch.record_path: true, or balance: ecmp");
    assert_checked(LEAF_SPINE PERMUTATION "switch: {balance: expeditus}\n", NULL, ""); /* without credits */
    assert_checked(STAR PERMUTATION "switch: {balance: spray}\n", &eager, "");         /* nothing to choose */
    /* the check covers every transport, also beside one that chooses its paths itself */
    impossible(LEAF_SPINE "workload: [{kind: permutation, sizes: 100KB, transport: expresspass}]\n"
                          "host: {transport: spraypass}\nswitch: {balance: expeditus}\n",
               "x.yaml:4:19: error: switch.balance: expeditus chooses for data and credits apart, but expresspass "
               "needs data to go back over the links of its credits; write switch.record_path: true, or balance: ecmp");
    struct transport_ops pinned = eager;
    pinned.chooses_paths = true;
    assert_checked(LEAF_SPINE PERMUTATION "switch: {balance: spray}\n", &pinned, "");
}

static void credits_check__a_recorded_path_needs_no_hash(void **state) {
    (void)state;
    struct bench b = bench_of(LEAF_SPINE PERMUTATION, &eager, NULL);
    struct diag d = {0};
    assert_false(credits_check(b.a, &b.e->run[0].config, &d));
    b.a->world.switches.record_path = true;
    assert_true(credits_check(b.a, &b.e->run[0].config, &d));
    bench_end(b);
}

/* A fabric from a file; one rack has two links to the same agg. */
static void credits_check__racks_have_the_same_choices_both_ways(void **state) {
    (void)state;
    FILE *f = fopen("credits-net.yaml", "w");
    fputs(
        "nodes: [{name: a}, {name: b}, {name: ha}, {name: hb}, {name: s, tier: agg}, {name: t, tier: agg}]\n"
        "links: [{a: a, b: ha}, {a: b, b: hb}, {a: a, b: s}, {a: a, b: t}, {a: b, b: s}, {a: b, b: t}, {a: b, b: t}]\n",
        f);
    fclose(f);
    assert_checked("fabric: {kind: file, path: credits-net.yaml, rate: 10Gbps}\n" PERMUTATION SYMMETRIC, &eager,
                   "x.yaml:1:16: error: eager needs data to go back over the links of its credits, but a and b have "
                   "different choices of path for each other; give both the same uplinks and no parallel links, or use "
                   "another transport");
    assert_checked("fabric: {kind: file, path: credits-net.yaml, rate: 10Gbps}\n" PERMUTATION SYMMETRIC, NULL, "");
    unlink("credits-net.yaml");
}

/* AM-15: 52 us = 2 x 6 x 4 + 4 x 1. */
static void round_trip__of_the_expresspass_fabric(void **state) {
    (void)state;
    struct bench b = bench_of(XP_F11 PERMUTATION, NULL, NULL);
    struct round_trip r;
    assert_true(round_trip_of(b.a, &r));
    assert_int_equal(r.links, 6);
    assert_int_equal(r.bare, 52 * PS_PER_US);
    assert_int_equal(r.full_frame, 52 * PS_PER_US + 6 * (1230400 + 67200)); /* 6 x 1538 B out, 6 x 84 B back */
    bench_end(b);
}

static uint64_t bound_of(const char *text, const struct transport_ops *ops, const int64_t *params) {
    struct bench b = bench_of(text, ops, params);
    struct credit_bound *bound = credits_bound(b.a);
    assert_non_null(bound);
    uint64_t bytes = credit_bound_tier_bytes(bound, TIER_LEAF, false);
    credit_bound_destroy(bound);
    bench_end(b);
    return bytes;
}

static void credits_bound__with_the_settings_of_the_run(void **state) {
    (void)state;
    struct bench b = bench_of(STAR PERMUTATION, NULL, NULL);
    assert_null(credits_bound(b.a)); /* there is no bound without credits */
    bench_end(b);
    const char *star = "fabric: {kind: star, hosts: 4, rate: 10Gbps, delay: 2us}\nhost: {processing_delay: 1us}\n"
                       "workload: [{kind: permutation, sizes: 100KB}]\n";
    assert_int_equal(bound_of(star, &eager, NULL), 35600); /* as in tests/fabric/test_credit_bound.c */
    /* 1 us for the credit and 1 us for the frame that it admits are a hold of 2 us */
    const char *shaky = "fabric: {kind: star, hosts: 4, rate: 10Gbps, delay: 2us}\n"
                        "host: {processing_delay: 1us, jitter: 1us}\n"
                        "workload: [{kind: permutation, sizes: 100KB}]\n";
    assert_int_equal(bound_of(shaky, &eager, NULL), 35600 + 5000);
    const int64_t eight[] = {8 * PS_PER_US}, at_once[] = {0}, round_trip[] = {CREDIT_HOLD_TRIP};
    assert_int_equal(bound_of(star, &keeper, eight), 55600); /* twice 8 us */
    assert_int_equal(bound_of(star, &keeper, at_once), 35600);
    assert_int_equal(bound_of(star, &keeper, round_trip), 35600 + 2 * 18244); /* 12 us and 2 x 1297.6 ns */
}

/* ---- after a run ---- */

/* Returns the result of a run in which the ports of a star of four held this much data; port 0 of the switch leads to
 * host 0. */
static struct run_result compared(const struct assembly *a, const int64_t held[4]) {
    static struct port_total port[8];
    struct run_result r = {.port = port, .n_ports = 8};
    for (uint32_t i = 0; i < 8; i++)
        port[i] = (struct port_total){.port = i, .max_queue_bytes = i < 4 ? 1000000 : held[i - 4]}; /* NICs first */
    queue_bounds_compare(a, &r);
    return r;
}

static void queue_bounds_compare__queues_with_their_bounds(void **state) {
    (void)state;
    struct bench b = bench_of("fabric: {kind: star, hosts: 4, rate: 10Gbps, delay: 2us}\n"
                              "host: {processing_delay: 1us}\nworkload: [{kind: permutation, sizes: 100KB}]\n",
                              &eager, NULL);
    /* a port holds frame bytes: 35137 of them take 35600 on the wire */
    struct run_result r = compared(b.a, (const int64_t[]){100, 35137, 20000, 0});
    assert_int_equal(r.queue[QUEUE_TOR_DOWN].bound_bytes, 35600);
    assert_int_equal(r.queue[QUEUE_NIC].bound_bytes, 0);
    assert_int_equal(r.queue_bound.n_ports, 4);
    assert_int_equal(r.queue_bound.n_over, 0);
    assert_int_equal(r.queue_bound.port, 5);
    assert_int_equal(r.queue_bound.max_bytes, 35137);
    assert_int_equal(r.queue_bound.bound_bytes, 35137);
    r = compared(b.a, (const int64_t[]){35138, 0, 40000, 35602});
    assert_int_equal(r.queue_bound.n_over, 3);
    assert_int_equal(r.queue_bound.port, 6);
    assert_int_equal(r.queue_bound.max_bytes, 40000);
    static const struct transport_ops other = {.name = "other"};
    b.a->world.hosts.transport[b.a->world.hosts.n_transports++] = &other;
    r = compared(b.a, (const int64_t[]){35138, 0, 40000, 35602});
    assert_int_equal(r.queue_bound.n_ports, 0); /* the data of the other transport has no bound */
    bench_end(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(credits_check__both_directions_hash_alike),
        UNIT(credits_check__balancers_choose_for_each_direction),
        UNIT(credits_check__a_recorded_path_needs_no_hash),
        UNIT(credits_check__racks_have_the_same_choices_both_ways),
        UNIT(round_trip__of_the_expresspass_fabric),
        UNIT(credits_bound__with_the_settings_of_the_run),
        UNIT(queue_bounds_compare__queues_with_their_bounds),
    };
    return RUN_UNITS(tests);
}
