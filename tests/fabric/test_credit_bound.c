/* SPDX-License-Identifier: Apache-2.0 */
/* The bound on data queues under credits (XP-9), worked out by hand.
 *
 * All at 10 Gbps and 2 us a link, 16 credits a port, a bucket of 168 B, 1 us per stack traversal. In ns: a credit takes
 * 67.2, a frame of data 1230.4, both 1297.6 (the gap), two gaps 2595.2, 16 gaps 20761.6, the bucket 134.4. A hop adds
 * at least 2 x 2000 + 2 x 67.2 = 4134.4, and at most 20761.6 + 1297.6 + 134.4 + 1230.4 + 4000 = 27424.0 and the window
 * of the queue behind. A host answers in 2000, its own window is 2595.2.
 */
#include "fabric/credit_bound.h"
#include "fabric/fabric_build.h"
#include "fabric_test.h"

static const struct credit_bound_spec usual = {.credit_queue = 16, .burst_bytes = 168, .processing_delay = US};

static uint32_t port_of(const struct fabric *f, const char *from, const char *to) {
    uint32_t n = node(f, from);
    return f->paths.first_port[n] + fabric_port_find(f, n, to);
}

/* Delays in tenths of a ns. */
static void assert_port(const struct fabric *f, const struct credit_bound *b, const char *from, const char *to,
                        int64_t least, int64_t most, uint64_t bytes) {
    span_ps d_min, d_max;
    assert_true(credit_bound_delays(b, port_of(f, from, to), &d_min, &d_max));
    assert_int_equal(d_min, least * 100);
    assert_int_equal(d_max, most * 100);
    assert_int_equal(credit_bound_bytes(b, port_of(f, from, to)), bytes);
}

static void credit_bound__star(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(3));
    struct credit_bound *b = credit_bound_create(f, &usual);
    assert_port(f, b, "host0.1", "leaf0", 20000, 20000, 3244); /* two credits at once: 2 x 1622 B */
    /* 2000 + 4134.4; 2000 + 27424.0 + 2595.2. Window 25884.8 + 2595.2 = 28480.0 */
    assert_port(f, b, "leaf0", "host0.1", 61344, 320192, 35600);
    assert_int_equal(credit_bound_tier_bytes(b, TIER_HOST, true), 3244);
    assert_int_equal(credit_bound_tier_bytes(b, TIER_LEAF, false), 35600);
    assert_int_equal(credit_bound_tier_bytes(b, TIER_LEAF, true), 0); /* a star has no such ports */
    assert_int_equal(credit_bound_tier_bytes(b, TIER_AGG, false), 0);
    credit_bound_destroy(b);
    fabric_destroy(f);
}

/* AM-20, AM-39, sizes of 76 to 92 bytes: a full credit queue holds 16 x 84 bytes (16 x 1297.6). Of the largest, 15 fit,
 * and the bucket loses 1421.18 + 1230.4 - 2595.2 = 56.38 before each. One more is leaving (1304.0), the minimum delay is that of the smallest (60.8), and windows grow by 84/76. */
static void credit_bound__drawn_sizes(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(3));
    struct credit_bound_spec drawn = usual;
    drawn.credit_spread = 8;
    struct credit_bound *b = credit_bound_create(f, &drawn);
    uint32_t p = port_of(f, "leaf0", "host0.1");
    span_ps d_min, d_max;
    assert_int_equal(credit_bound_bytes(b, port_of(f, "host0.1", "leaf0")), 3586); /* 3244 x 84/76 */
    assert_true(credit_bound_delays(b, p, &d_min, &d_max));
    assert_int_equal(d_min, 2000000 + 4000000 + 67200 + 60800);
    assert_int_equal(d_max, 2000000 + 16 * 1297600 + 15 * 56380 + 1304000 + 2868378 + 134400 + 1230400 + 4000000);
    assert_int_equal(credit_bound_bytes(b, p), 40911); /* (27016.478 + 2595.2) x 84/76 */
    credit_bound_destroy(b);
    fabric_destroy(f);
}

static void credit_bound__leaf_spine(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(3, 2, 2));
    struct credit_bound *b = credit_bound_create(f, &usual);
    assert_port(f, b, "leaf0", "spine1", 61344, 320192, 35600); /* the credits come from hosts, as in the star */
    /* 6134.4 + 4134.4; 32019.2 + 27424.0 + 28480.0. Window 77654.4 + 2595.2 = 80249.6 */
    assert_port(f, b, "spine1", "leaf0", 102688, 879232, 100312);
    /* minimum: from the other host of the rack; maximum: 87923.2 + 27424.0 + 80249.6. Window 189462.4 + 2595.2 */
    assert_port(f, b, "leaf0", "host0.1", 61344, 1955968, 240072);
    credit_bound_destroy(b);
    fabric_destroy(f);
}

/* A host that is alone in its rack receives data from spines only. */
static void credit_bound__nothing_comes_from_where_it_goes(void **state) {
    (void)state;
    struct fabric *f = made(spec_leaf_spine(2, 2, 1));
    struct credit_bound *b = credit_bound_create(f, &usual);
    assert_port(f, b, "leaf0", "host0.0", 144032, 1955968, 229736); /* 10268.8 + 4134.4. Window 181193.6 + 2595.2 */
    credit_bound_destroy(b);
    fabric_destroy(f);
}

static void credit_bound__clos(void **state) {
    (void)state;
    struct fabric *f = made(spec_clos(3, 2, 2, 2, 2));
    struct credit_bound *b = credit_bound_create(f, &usual);
    assert_port(f, b, "tor0.0", "agg0.1", 61344, 320192, 35600);
    assert_port(f, b, "agg0.1", "core1.0", 102688, 879232, 100312); /* the credits come from ToRs, as at a spine */
    /* 10268.8 + 4134.4; 87923.2 + 27424.0 + 80249.6. Window 181193.6 + 2595.2 */
    assert_port(f, b, "core1.0", "agg0.1", 144032, 1955968, 229736);
    /* minimum: from the other ToR; maximum: 195596.8 + 27424.0 + 183788.8. Window 396540.8 + 2595.2 */
    assert_port(f, b, "agg0.1", "tor0.0", 102688, 4068096, 498920);
    /* 406809.6 + 27424.0 + 399136.0. Window 827235.2 + 2595.2 */
    assert_port(f, b, "tor0.0", "host0.0.1", 61344, 8333696, 1037288);
    assert_int_equal(credit_bound_tier_bytes(b, TIER_LEAF, true), 35600);
    assert_int_equal(credit_bound_tier_bytes(b, TIER_AGG, true), 100312);
    assert_int_equal(credit_bound_tier_bytes(b, TIER_CORE, false), 229736);
    assert_int_equal(credit_bound_tier_bytes(b, TIER_AGG, false), 498920);
    assert_int_equal(credit_bound_tier_bytes(b, TIER_LEAF, false), 1037288);
    credit_bound_destroy(b);
    fabric_destroy(f);
}

/* XP-6: hosts at 10 Gbps, uplinks at 40. */
static void credit_bound__unequal_rates(void **state) {
    (void)state;
    struct fabric_spec spec = spec_leaf_spine(2, 2, 2);
    spec.uplink_bps = 40 * GBPS;
    struct fabric *f = made(spec);
    struct credit_bound *b = credit_bound_create(f, &usual);
    /* delays as in the star, but the bucket's two gaps are 648.8: window 26533.6 at 5 B/ns */
    assert_port(f, b, "leaf0", "spine1", 61344, 320192, 132668);
    /* 6134.4 + 4033.6; 32019.2 + 5190.4 + 324.4 + 26533.6 + 33.6 + 307.6 + 4000. Window 58240.8 + 648.8 */
    assert_port(f, b, "spine1", "leaf0", 101680, 684088, 294448);
    credit_bound_destroy(b);
    fabric_destroy(f);
}

static void credit_bound__parameters(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(3));
    struct credit_bound_spec s = usual;
    s.credit_queue = 1; /* 15 gaps less than in the star */
    struct credit_bound *b = credit_bound_create(f, &s);
    assert_port(f, b, "leaf0", "host0.1", 61344, 125552, 35600 - 15 * 1622);
    credit_bound_destroy(b);
    s = usual;
    s.processing_delay = 5 * US; /* a constant delay cancels out */
    b = credit_bound_create(f, &s);
    assert_port(f, b, "leaf0", "host0.1", 141344, 400192, 35600);
    credit_bound_destroy(b);
    s = usual;
    s.hold = 8 * US; /* counts at the host and in its queue */
    b = credit_bound_create(f, &s);
    assert_port(f, b, "host0.1", "leaf0", 20000, 100000, 3244 + 10000);
    assert_port(f, b, "leaf0", "host0.1", 61344, 480192, 35600 + 20000);
    credit_bound_destroy(b);
    s = usual;
    s.share_ppb = PPB / 2 * 84 / 1622; /* half of the share: each credit takes two gaps, and so does the bucket */
    b = credit_bound_create(f, &s);
    assert_in_range(credit_bound_bytes(b, port_of(f, "host0.1", "leaf0")), 6488, 6489);
    credit_bound_destroy(b);
    fabric_destroy(f);
}

/* A bucket of one credit spills tokens while a frame of data holds the wire. */
static void credit_bound__shallow_bucket(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(3));
    struct credit_bound_spec s = usual;
    s.burst_bytes = 84;
    struct credit_bound *b = credit_bound_create(f, &s);
    assert_port(f, b, "host0.1", "leaf0", 20000, 20000, 1622);
    /* 16 x (1297.6 + 1230.4) + 1297.6 + 2000 + 1297.6 + 67.2 + 1230.4 + 4000. Window 44206.4 + 1297.6 */
    assert_port(f, b, "leaf0", "host0.1", 61344, 503408, 56880);
    credit_bound_destroy(b);
    fabric_destroy(f);
}

static void credit_bound__credits_and_data_that_do_not_fit(void **state) {
    (void)state;
    struct fabric *f = made(spec_star(3));
    struct credit_bound_spec s = usual;
    s.share_ppb = PPB / 10;
    struct credit_bound *b = credit_bound_create(f, &s);
    span_ps least, most;
    assert_true(credit_bound_bytes(b, port_of(f, "leaf0", "host0.1")) == CREDIT_UNBOUNDED);
    assert_true(credit_bound_tier_bytes(b, TIER_LEAF, false) == CREDIT_UNBOUNDED);
    assert_false(credit_bound_delays(b, port_of(f, "leaf0", "host0.1"), &least, &most));
    credit_bound_destroy(b);
    fabric_destroy(f);
}

/* Switches in a chain: windows add up, until the bound is too large to be useful and counts as none. */
static void credit_bound__switches_in_a_row(void **state) {
    (void)state;
    struct fabric *f = made(spec_parking_lot(40));
    struct credit_bound *b = credit_bound_create(f, &usual);
    assert_port(f, b, "leaf0", "leaf1", 61344, 320192, 35600);
    assert_port(f, b, "leaf40", "leaf39", 61344, 320192, 35600);
    assert_port(f, b, "leaf1", "leaf2", 61344, 879232, 105480); /* minimum: from its own hosts */
    assert_true(credit_bound_bytes(b, port_of(f, "leaf39", "leaf40")) == CREDIT_UNBOUNDED);
    credit_bound_destroy(b);
    fabric_destroy(f);
}

static void credit_bound__a_circle_of_peers_has_none(void **state) {
    (void)state;
    static const char text[] = "nodes: [{name: a}, {name: b}, {name: c}, {name: ha}, {name: hb}, {name: hc}]\n"
                               "links: [{a: a, b: ha}, {a: b, b: hb}, {a: c, b: hc}, {a: a, b: b}, {a: b, b: c},\n"
                               "  {a: c, b: a}]\n";
    struct fabric_spec spec = spec_of("file");
    struct diag d = {0};
    struct fabric *f = fabric_create_text(&spec, text, strlen(text), &d);
    assert_non_null(f);
    struct credit_bound *b = credit_bound_create(f, &usual);
    assert_true(credit_bound_bytes(b, port_of(f, "a", "b")) == CREDIT_UNBOUNDED);
    assert_true(credit_bound_bytes(b, port_of(f, "ha", "a")) == 3244);
    credit_bound_destroy(b);
    fabric_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(credit_bound__star),
        UNIT(credit_bound__drawn_sizes),
        UNIT(credit_bound__leaf_spine),
        UNIT(credit_bound__nothing_comes_from_where_it_goes),
        UNIT(credit_bound__clos),
        UNIT(credit_bound__unequal_rates),
        UNIT(credit_bound__parameters),
        UNIT(credit_bound__shallow_bucket),
        UNIT(credit_bound__credits_and_data_that_do_not_fit),
        UNIT(credit_bound__switches_in_a_row),
        UNIT(credit_bound__a_circle_of_peers_has_none),
    };
    return RUN_UNITS(tests);
}
