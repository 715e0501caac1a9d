/* SPDX-License-Identifier: Apache-2.0 */
/* The ingress meter: when a port pauses and releases the classes of its neighbour. */
#include "mech/flowctl/ingress_meter.h"

#include "flowctl_paper.h"

#include "base/random.h"
#include "mech/flowctl/flowctls.h"

static struct ingress_meter paper_meter(const struct flowctl_ops *ops, uint32_t n_classes) {
    struct ingress_meter m;
    struct flowctl_params p = params_at(1 * GBPS, 8, HEADROOM_PAPER);
    struct flowctl_thresholds t = flowctl_thresholds_of(&p);
    ingress_init(&m, &p, &t, ops, n_classes);
    return m;
}

/* A class is paused above 11,546 B, not at it, and released below 4,838 B, not at it. */
static void meter__edges_of_the_thresholds(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 8);
    assert_int_equal(ingress_add(&m, 0, PAPER_HIGH), 0);
    assert_int_equal(ingress_add(&m, 0, 64), 1);
    assert_int_equal(ingress_add(&m, 0, 64), 0); /* only once */
    assert_int_equal(ingress_remove(&m, 0, m.bytes - PAPER_LOW), 0);
    assert_int_equal(m.paused, 1);
    assert_int_equal(ingress_remove(&m, 0, 1), 1);
    assert_int_equal(m.paused, 0);
    assert_int_equal(ingress_remove(&m, 0, 64), 0);
}

/* DT-12: a class counts the bytes above it, so a full higher class also pauses the lower ones, and a full lower class
 * no higher one. */
static void meter__drain_bytes_count_higher_classes(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 8);
    assert_int_equal(ingress_add(&m, 2, 10000), 0);
    assert_int_equal(m.drain_bytes[0], 10000);
    assert_int_equal(m.drain_bytes[2], 10000);
    assert_int_equal(m.drain_bytes[3], 0);
    assert_int_equal(ingress_add(&m, 7, 1547), 0x07); /* 0 to 2 are over, 3 to 7 have 1,547 */
    assert_int_equal(ingress_add(&m, 7, 10000), 0xf8);
    assert_int_equal(ingress_remove(&m, 2, 10000), 0);
    assert_int_equal(ingress_remove(&m, 7, 11547), 0xff);
}

static void meter__one_lane_for_the_link(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pause, 8);
    assert_int_equal(ingress_add(&m, 7, 6000), 0);
    assert_int_equal(ingress_add(&m, 0, 6000), 1);
    struct pause_fields f = ingress_fields(&m, 1, 0), expected = pause_fields_link(0xffff);
    assert_memory_equal(&f, &expected, sizeof f);
    assert_int_equal(ingress_remove(&m, 7, 6000), 0);
    assert_int_equal(ingress_remove(&m, 0, 6000), 1);
    f = ingress_fields(&m, 1, 0);
    expected = pause_fields_link(0);
    assert_memory_equal(&f, &expected, sizeof f);
}

/* Frames above the highest class, such as credits, count for every class. */
static void meter__frames_above_the_classes(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 2);
    assert_int_equal(ingress_add(&m, 8, 12000), 3);
    assert_int_equal(m.drain_bytes[1], 12000);
    assert_int_equal(ingress_remove(&m, 8, 12000), 3);
}

/* A pause frame names the released classes, and refreshes the classes that stay paused. */
static void meter__fields_and_renewal(void **state) {
    (void)state;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 8);
    assert_true(m.renew_at == TIME_NONE);
    uint8_t changed = ingress_add(&m, 1, 12000);
    struct pause_fields f = ingress_fields(&m, changed, 1000), expected = pause_fields_pfc(3, 0, 0xffff);
    assert_memory_equal(&f, &expected, sizeof f);
    assert_true(m.renew_at == 1000 + m.renewal);
    f = ingress_fields(&m, 0, m.renew_at); /* a refresh */
    assert_memory_equal(&f, &expected, sizeof f);
    assert_true(m.renew_at == 1000 + 2 * m.renewal);
    ingress_add(&m, 0, 6000);
    changed = ingress_remove(&m, 1, 12000);
    assert_int_equal(changed, 2);
    f = ingress_fields(&m, changed, 5000);
    expected = pause_fields_pfc(1, 2, 0xffff);
    assert_memory_equal(&f, &expected, sizeof f);
    changed = ingress_remove(&m, 0, 6000);
    f = ingress_fields(&m, changed, 6000);
    expected = pause_fields_pfc(0, 1, 0xffff);
    assert_memory_equal(&f, &expected, sizeof f);
    assert_true(m.renew_at == TIME_NONE);
}

/* Asserts the invariants of DT-12: drain bytes are sums, do not rise with the class, and decide which classes are
 * paused. */
static void assert_meter_is_sound(const struct ingress_meter *m, const int64_t own[8], uint8_t before) {
    int64_t sum = 0;
    for (uint32_t k = 8; k-- > 0;) {
        bool paused = m->paused >> k & 1, was = before >> k & 1;
        sum += own[k];
        assert_int_equal(m->drain_bytes[k], sum);
        assert_int_equal(paused, sum > PAPER_HIGH || (was && sum >= PAPER_LOW));
        assert_true(k == 0 || !paused || (m->paused >> (k - 1) & 1));
    }
    assert_int_equal(m->bytes, sum);
}

static void meter__invariants(void **state) {
    (void)state;
    struct random_stream r;
    struct ingress_meter m = paper_meter(&flowctl_pfc, 8);
    int64_t own[8] = {0};
    random_init(&r, 11, RANDOM_HASH, 0);
    for (int i = 0; i < 20000; i++) {
        uint32_t k = (uint32_t)random_below(&r, 8);
        bool fills = random_below(&r, 2000) > (uint64_t)(m.bytes / 16);
        int64_t bytes = fills ? (int64_t)(64 + random_below(&r, 1455)) : min_i64(own[k], 1518);
        uint8_t before = m.paused, changed = fills ? ingress_add(&m, k, bytes) : ingress_remove(&m, k, bytes);
        own[k] += fills ? bytes : -bytes;
        assert_int_equal(changed, before ^ m.paused);
        assert_meter_is_sound(&m, own, before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(meter__edges_of_the_thresholds), UNIT(meter__drain_bytes_count_higher_classes),
        UNIT(meter__one_lane_for_the_link),   UNIT(meter__frames_above_the_classes),
        UNIT(meter__fields_and_renewal),      UNIT(meter__invariants),
    };
    return RUN_UNITS(tests);
}
