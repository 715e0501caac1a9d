/* SPDX-License-Identifier: Apache-2.0 */
/* Phantom queues: the value of the counter, and which frames are marked. */
#include "mech/admit/phantom.h"

#include "mech/admit/admissions.h"

#include "unit.h"

#define GBPS 1000000000LL
#define FULL 1538
#define FULL_PS (FULL * 800LL) /* on the wire of 10 Gbps */

static struct packet frame(uint16_t wire_bytes, uint8_t ecn) {
    return (struct packet){.wire_bytes = wire_bytes, .tos = (uint8_t)(0xa0 | ecn)};
}

static struct phantom phantom_10g(int64_t threshold_bytes) {
    struct phantom q;
    phantom_init(&q, 10 * GBPS, PHANTOM_DRAIN_PPB, threshold_bytes);
    return q;
}

static int64_t threshold_at(int64_t rate_bps) {
    const struct admit_config config = {.ops = &admit_phantom, .phantom_bytes_per_10g = 10000};
    struct admit_limits limits = admit_limits_of(&config, 225000, rate_bps);
    assert_int_equal(limits.limit_bytes, 225000); /* that of drop tail */
    assert_int_equal(limits.mark_bytes, 0);       /* the real queue marks nothing */
    return limits.phantom_bytes;
}

static void limits__threshold_scales_with_the_rate(void **state) {
    (void)state;
    assert_int_equal(threshold_at(10 * GBPS), 10000); /* 1 KB per Gbps (AM-12) */
    assert_int_equal(threshold_at(1 * GBPS), 1000);
    assert_int_equal(threshold_at(100 * GBPS), 100000);
}

/* At the full rate of the link the counter keeps 5 % of each frame. */
static void phantom_pass__back_to_back_frames_leave_five_percent(void **state) {
    (void)state;
    struct phantom q = phantom_10g(10000);
    struct packet p = frame(FULL, ECN_ECT0);
    for (int i = 0; i < 1000; i++) phantom_pass(&q, i * FULL_PS, &p);
    assert_in_range(phantom_bytes(&q, 1000 * FULL_PS), 1000 * FULL / 20 - 1, 1000 * FULL / 20);
}

/* At 95 % of the rate, one frame per 1538 / 0.95 byte times, every frame finds the counter empty. */
static void phantom_pass__never_fills_below_the_share(void **state) {
    (void)state;
    struct phantom q = phantom_10g(0);
    struct packet p = frame(FULL, ECN_ECT0);
    for (int i = 0; i < 100000; i++) assert_false(phantom_pass(&q, i * (FULL_PS * 100 / 95 + 1), &p));
}

/* 130 frames at the full rate reach the threshold of 10 KB: the 131st finds 130 x 76.9 = 9997 B, the 132nd more. */
static void phantom_pass__marks_above_the_threshold(void **state) {
    (void)state;
    struct phantom q = phantom_10g(10000);
    int first = 0;
    for (int i = 1; !first; i++) {
        struct packet p = frame(FULL, ECN_ECT1);
        if (phantom_pass(&q, (i - 1) * FULL_PS, &p)) first = i;
        assert_int_equal(p.tos, 0xa0 | (first ? ECN_CE : ECN_ECT1));
    }
    assert_int_equal(first, 132);
}

/* Frames that cannot be marked, such as ACKs, count too. A frame that is marked already is not counted as marked
 * again. */
static void phantom_pass__counts_what_it_cannot_mark(void **state) {
    (void)state;
    struct phantom q = phantom_10g(100);
    struct packet ack = frame(84, ECN_NOT), ce = frame(FULL, ECN_CE), data = frame(FULL, ECN_ECT0);
    assert_false(phantom_pass(&q, 0, &ack));
    assert_int_equal(phantom_bytes(&q, 0), 83); /* 84, less the rounding of the fraction */
    assert_false(phantom_pass(&q, 0, &ack));
    assert_false(phantom_pass(&q, 0, &ack));
    assert_int_equal(ack.tos, 0xa0);
    assert_false(phantom_pass(&q, 0, &ce));
    assert_true(phantom_pass(&q, 0, &data));
    assert_int_equal(phantom_bytes(&q, 0), 3 * 84 + 2 * FULL - 1);
}

/* The counter drains 9500 B in 8 us at 0.95 x 10 Gbps. */
static void phantom_bytes__drains(void **state) {
    (void)state;
    struct phantom q = phantom_10g(1 << 20);
    struct packet p = frame(9500, ECN_NOT);
    phantom_pass(&q, 0, &p);
    assert_in_range(phantom_bytes(&q, 4 * PS_PER_US), 4749, 4750);
    assert_int_equal(phantom_bytes(&q, 8 * PS_PER_US), 0);
    phantom_pass(&q, 100 * PS_PER_US, &p); /* idle time is not saved up */
    assert_in_range(phantom_bytes(&q, 100 * PS_PER_US), 9499, 9500);
}

static void phantom_set__keeps_the_bytes(void **state) {
    (void)state;
    struct phantom q = phantom_10g(10000);
    struct packet p = frame(9500, ECN_NOT);
    phantom_pass(&q, 0, &p);
    phantom_set(&q, 0, 1 * GBPS, PHANTOM_DRAIN_PPB, 1000);
    assert_in_range(phantom_bytes(&q, 0), 9498, 9500);
    assert_in_range(phantom_bytes(&q, 40 * PS_PER_US), 4747, 4750); /* ten times slower */
}

/* No drift at any rate: of 154 MB 60 bytes are lost, half a millionth, the limit of a 16-bit fraction at 400 Gbps. */
static void phantom_pass__no_drift(void **state) {
    (void)state;
    const int64_t rates[] = {1 * GBPS, 25 * GBPS, 40 * GBPS, 100 * GBPS, 400 * GBPS};
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        struct phantom q;
        phantom_init(&q, rates[r], PHANTOM_DRAIN_PPB, 10000);
        struct packet p = frame(FULL, ECN_NOT);
        for (int i = 0; i < 100000; i++) phantom_pass(&q, 0, &p);
        time_ps drained = (time_ps)((int128)100000 * FULL * 8000 * 100 * (PS_PER_S / 1000) / 95 / rates[r]);
        span_ps byte = 8 * PS_PER_S / rates[r];
        assert_in_range(q.drained_at, drained - 60 * byte, drained + 60 * byte);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(limits__threshold_scales_with_the_rate),
        UNIT(phantom_pass__back_to_back_frames_leave_five_percent),
        UNIT(phantom_pass__never_fills_below_the_share),
        UNIT(phantom_pass__marks_above_the_threshold),
        UNIT(phantom_pass__counts_what_it_cannot_mark),
        UNIT(phantom_bytes__drains),
        UNIT(phantom_set__keeps_the_bytes),
        UNIT(phantom_pass__no_drift),
    };
    return RUN_UNITS(tests);
}
