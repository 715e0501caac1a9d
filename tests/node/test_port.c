/* SPDX-License-Identifier: Apache-2.0 */
/* The analytic port: the rules of node/port.h, exact to the picosecond and the byte. */
#include "node/ports.h"

/* ---- time ---- */

static void serialize__rounds_up(void **state) {
    (void)state;
    assert_int_equal(port_serialize_slow(10 * GBPS, 84), 67200);
    assert_int_equal(port_serialize_slow(3 * GBPS, 84), 224000);
    assert_int_equal(port_serialize_slow(3 * GBPS, 1538), 4101334); /* 4101333.3 */
    assert_int_equal(port_serialize_slow(7 * GBPS, 1538), 1757715); /* 1757714.3 */
    assert_int_equal(port_serialize_slow(400 * GBPS, 1), 20);
    assert_int_equal(port_serialize_slow(1, 1), 8 * PS_PER_S);
}

/* If a byte takes a whole number of picoseconds, one multiplication gives the same result as the slow way. */
static void serialize__fast_way_is_the_slow_way(void **state) {
    (void)state;
    static const int64_t rates[] = {GBPS / 10, GBPS, 3 * GBPS, 7 * GBPS, 10 * GBPS, 25 * GBPS, 40 * GBPS, 99 * GBPS};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct rig *r = rig_of(rates[i], INT64_MAX);
        for (uint32_t bytes = 1; bytes < 9100; bytes += 13)
            assert_int_equal(port_serialize(&r->p, &r->v, bytes), port_serialize_slow(rates[i], bytes));
        rig_end(r);
    }
}

static void enqueue__leaves_after_what_was_before(void **state) {
    (void)state;
    struct rig *r = rig_of(10 * GBPS, INT64_MAX);
    assert_int_equal(rig_departure(r, FULL, 1000), 1000 + FULL * BYTE_PS);
    assert_int_equal(rig_departure(r, 84, 2000), 1000 + (FULL + 84) * BYTE_PS);
    time_ps idle = 1000 + (FULL + 84) * BYTE_PS;
    assert_int_equal(rig_departure(r, 84, idle), idle + 84 * BYTE_PS); /* as the link becomes idle: no wait */
    assert_int_equal(rig_departure(r, 84, idle + 9 * US), idle + 9 * US + 84 * BYTE_PS);
    rig_end(r);
}

static void enqueue__odd_rate(void **state) {
    (void)state;
    struct rig *r = rig_of(3 * GBPS, INT64_MAX);
    assert_int_equal(rig_departure(r, FULL, 0), 4101334);
    assert_int_equal(rig_departure(r, FULL, 0), 2 * 4101334); /* each frame is rounded up separately */
    rig_end(r);
}

/* ---- backlog ---- */

/* 1,518 frame bytes take 1,538 bytes of link time; the frame on the wire counts with its remaining part. */
static void backlog__in_frame_bytes(void **state) {
    (void)state;
    struct rig *r = rig_of(10 * GBPS, INT64_MAX);
    assert_int_equal(port_backlog_bytes(&r->p, &r->v, 0), 0);
    for (int n = 1; n <= 3; n++) {
        rig_departure(r, FULL, 0);
        assert_int_equal(port_backlog_bytes(&r->p, &r->v, 0), n * FULL_FRAME);
    }
    assert_int_equal(port_backlog_bytes(&r->p, &r->v, FULL * BYTE_PS), 2 * FULL_FRAME);
    assert_int_equal(port_backlog_bytes(&r->p, &r->v, FULL * BYTE_PS / 2), 2 * FULL_FRAME + FULL_FRAME / 2);
    assert_int_equal(port_backlog_bytes(&r->p, &r->v, 3 * FULL * BYTE_PS), 0);
    assert_int_equal(port_backlog_bytes(&r->p, &r->v, 99 * US), 0);
    rig_end(r);
}

/* With whole picoseconds per byte and without, to the byte. */
static void backlog__fast_way_is_the_slow_way(void **state) {
    (void)state;
    const int64_t rates[] = {GBPS / 10, GBPS, 3 * GBPS, 10 * GBPS, 25 * GBPS, 40 * GBPS, 100 * GBPS, 400 * GBPS};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct rig *r = rig_of(rates[i], INT64_MAX);
        for (span_ps rest = 1; rest < 200 * US; rest = rest * 9 / 8 + 1) {
            r->p.busy_until = rest;
            assert_int_equal(port_backlog_bytes(&r->p, &r->v, 0), port_frame_bytes(&r->v, rest));
        }
        rig_end(r);
    }
}

/* ---- the limit ---- */

static void limit__exactly_full_is_accepted(void **state) {
    (void)state;
    struct rig *r = rig_of(10 * GBPS, 3 * FULL_FRAME);
    time_ps depart;
    for (int n = 0; n < 3; n++) rig_departure(r, FULL, 0);
    assert_int_equal(rig_send(r, 84, 0, &depart), DROP_BUFFER);
    assert_int_equal(rig_send(r, 84, 84 * BYTE_PS - 1, &depart), DROP_BUFFER); /* a picosecond too early */
    assert_int_equal(rig_send(r, 84, 84 * BYTE_PS, &depart), DROP_NONE);
    assert_int_equal(rig_send(r, 84, 84 * BYTE_PS, &depart), DROP_BUFFER);
    assert_int_equal(port_dropped(&r->p, &r->x, DROP_BUFFER), 3);
    rig_end(r);
}

static void limit__one_byte_over_is_dropped(void **state) {
    (void)state;
    struct rig *fits = rig_of(10 * GBPS, 2 * FULL_FRAME), *not = rig_of(10 * GBPS, 2 * FULL_FRAME - 1);
    time_ps depart;
    rig_departure(fits, FULL, 0);
    assert_int_equal(rig_send(fits, FULL, 0, &depart), DROP_NONE);
    rig_departure(not, FULL, 0);
    assert_int_equal(rig_send(not, FULL, 0, &depart), DROP_BUFFER);
    rig_end(fits);
    rig_end(not );
}

static void limit__a_dropped_frame_leaves_its_count_only(void **state) {
    (void)state;
    struct rig *r = rig_of(10 * GBPS, FULL_FRAME);
    time_ps depart;
    rig_departure(r, FULL, 0);
    struct port before = r->p;
    assert_int_equal(rig_send(r, FULL, 10, &depart), DROP_BUFFER);
    before.refused++;
    assert_memory_equal(&before, &r->p, sizeof before);
    assert_int_equal(r->p.busy_until, FULL * BYTE_PS);
    rig_end(r);
}

static void limit__only_data_is_counted_as_dropped(void **state) {
    (void)state;
    static const uint8_t shapes[] = {0, SHAPE_CREDIT, SHAPE_PAUSE};
    struct rig *r = rig_of(10 * GBPS, FULL_FRAME);
    time_ps depart;
    rig_departure(r, FULL, 0);
    for (size_t i = 0; i < sizeof shapes; i++) {
        struct packet f = frame_of(FULL);
        f.shape = shapes[i];
        assert_int_equal(port_enqueue(&r->p, &r->v, &r->x, NULL, &f, 0, &depart), DROP_BUFFER);
    }
    assert_int_equal(port_dropped_all(&r->p, &r->x), 1);
    assert_int_equal(r->x.credits_dropped, 1);
    assert_int_equal(r->x.pauses_dropped, 1);
    rig_end(r);
}

static void limit__none(void **state) {
    (void)state;
    struct rig *r = rig_of(10 * GBPS, INT64_MAX);
    for (int n = 1; n <= 100000; n++) rig_departure(r, FULL, 0);
    assert_int_equal(port_max_queue_bytes(&r->p, &r->v, &r->x), 100000ll * FULL_FRAME);
    rig_end(r);
}

/* ---- marking ---- */

static struct rig *rig_marking(int64_t mark_bytes) {
    struct rig *r = rig_new();
    r->setup.admit.mark_bytes = mark_bytes;
    return rig_start(r);
}

static bool is_marked_on(struct rig *r, uint8_t ecn, time_ps now) {
    struct packet f = frame_of(FULL);
    time_ps depart;
    f.tos = (uint8_t)(5 << 5 | ecn);
    assert_int_equal(port_enqueue(&r->p, &r->v, &r->x, NULL, &f, now, &depart), DROP_NONE);
    assert_int_equal(f.tos >> 5, 5); /* the class stays */
    return (f.tos & ECN_MASK) == ECN_CE;
}

/* The backlog before the frame must exceed the threshold. */
static void mark__above_the_threshold(void **state) {
    (void)state;
    struct rig *r = rig_marking(2 * FULL_FRAME);
    assert_false(is_marked_on(r, ECN_ECT0, 0));
    assert_false(is_marked_on(r, ECN_ECT0, 0));
    assert_false(is_marked_on(r, ECN_ECT0, 0)); /* behind two frames */
    assert_true(is_marked_on(r, ECN_ECT0, 0));  /* behind three */
    assert_true(is_marked_on(r, ECN_ECT1, 0));
    assert_int_equal(r->x.marked, 2);
    rig_end(r);
}

static void mark__only_the_ecn_capable(void **state) {
    (void)state;
    struct rig *r = rig_marking(1);
    rig_departure(r, FULL, 0);
    assert_false(is_marked_on(r, ECN_NOT, 0));
    assert_int_equal(r->x.marked, 0);
    rig_end(r);
}

static void mark__no_threshold(void **state) {
    (void)state;
    struct rig *r = rig_of(10 * GBPS, INT64_MAX);
    for (int n = 0; n < 1000; n++) assert_false(is_marked_on(r, ECN_ECT0, 0));
    rig_end(r);
}

/* ---- totals against brute force ---- */

#define MANY 5000

/* Random frames at random times, at a load that builds queues, with the departure of each. */
struct history {
    time_ps at[MANY], depart[MANY];
    uint16_t wire[MANY];
    time_ps end;
};

static void history_make(struct history *h, struct rig *r, uint64_t seed, span_ps mean_gap) {
    struct random_stream s;
    random_init(&s, seed, RANDOM_HOST, 0);
    time_ps now = 0;
    for (int i = 0; i < MANY; i++) {
        now += random_exponential(&s, mean_gap);
        h->at[i] = now;
        h->wire[i] = (uint16_t)(84 + random_below(&s, FULL - 83));
        h->depart[i] = rig_departure(r, h->wire[i], now);
    }
    h->end = now;
}

/* Returns the integral of max(0, busy_until - t) from 0 to `end` in ps^2, piece by piece between arrivals. */
static double history_area(const struct history *h, time_ps end) {
    double area = 0;
    for (int i = 0; i < MANY && h->at[i] < end; i++) {
        time_ps next = i + 1 < MANY && h->at[i + 1] < end ? h->at[i + 1] : end;
        double from = (double)(h->depart[i] - h->at[i]), to = (double)max_i64(0, h->depart[i] - next);
        double fall = from - to; /* it falls by 1 per ps, then stays 0 */
        area += (from + to) / 2 * fall;
    }
    return area;
}

static void mean_queue__closed_form_is_the_integral(void **state) {
    (void)state;
    static const span_ps gaps[] = {3 * US, 700 * PS_PER_NS, 600 * PS_PER_NS}; /* loads 0.2, 0.93, overload */
    for (int i = 0; i < 3; i++) {
        static struct history h;
        struct rig *r = rig_of(10 * GBPS, INT64_MAX);
        history_make(&h, r, 7 + (uint64_t)i, gaps[i]);
        double expected = history_area(&h, h.end) / (double)h.end / BYTE_PS * FULL_FRAME / FULL;
        double got = (double)port_mean_queue_bytes(&r->p, &r->v, &r->x, h.end);
        assert_true(got > expected * 0.99 - 2 && got < expected * 1.01 + 2);
        rig_end(r);
    }
}

/* Returns the mean of a standing queue: n = 149 frames, 226 KB, at time 0, then one at each departure. It stays between
 * 148 and 149 frames for `rounds` frames. */
static double standing_queue(int64_t rate_bps, uint32_t rounds) {
    const uint32_t n = 149;
    struct rig *r = rig_of(rate_bps, INT64_MAX);
    span_ps s = port_serialize_slow(rate_bps, FULL);
    for (uint32_t i = 0; i < n; i++) rig_departure(r, FULL, 0);
    for (uint32_t i = 1; i <= rounds; i++) rig_departure(r, FULL, i * s);
    double got = (double)port_mean_queue_bytes(&r->p, &r->v, &r->x, rounds * s);
    rig_end(r);
    return got;
}

static void mean_queue__does_not_wrap_at_any_rate(void **state) {
    (void)state;
    static const int64_t rates[] = {1000, GBPS / 1000, GBPS / 10, GBPS, 400 * GBPS};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        double got = standing_queue(rates[i], 20000);
        if (!(got > 148.5 * FULL_FRAME - 50 && got < 148.5 * FULL_FRAME + 50))
            fail_msg("%lld bps: %.0f bytes", (long long)rates[i], got);
    }
}

/* At 1 bps 149 frames take three weeks, and the share of one frame in the integral needs 71 bits. */
static void mean_queue__of_one_long_wait(void **state) {
    (void)state;
    const uint32_t n = 149;
    struct rig *r = rig_of(1, INT64_MAX);
    span_ps s = port_serialize_slow(1, FULL);
    for (uint32_t i = 0; i < n; i++) rig_departure(r, FULL, 0);
    double got = (double)port_mean_queue_bytes(&r->p, &r->v, &r->x, n * s), expected = n / 2.0 * FULL_FRAME;
    if (!(got > expected - 50 && got < expected + 50)) fail_msg("%.0f bytes", got);
    rig_end(r);
}

static void sent_by__counts_what_has_left(void **state) {
    (void)state;
    static struct history h;
    struct rig *r = rig_of(10 * GBPS, INT64_MAX);
    history_make(&h, r, 3, 600 * PS_PER_NS);
    uint64_t all = 0, wires = 0;
    for (int i = 0; i < MANY; i++) all += h.wire[i];
    assert_int_equal(port_bytes_sent_by(&r->p, &r->v, r->p.busy_until), all);
    assert_int_equal(port_bytes_sent_by(&r->p, &r->v, r->p.busy_until + 99 * US), all);
    for (int i = 0; i < MANY; i++) { /* the final queue is the last frames in a row */
        time_ps t = h.depart[i];
        wires += h.wire[i];
        if (t >= h.end) assert_int_equal(port_bytes_sent_by(&r->p, &r->v, t), wires);
    }
    time_ps half = r->p.busy_until - h.wire[MANY - 1] * BYTE_PS / 2;
    assert_int_equal(port_bytes_sent_by(&r->p, &r->v, half), all - h.wire[MANY - 1] / 2);
    rig_end(r);
}

static void max_queue__the_frame_itself_included(void **state) {
    (void)state;
    struct rig *r = rig_of(10 * GBPS, INT64_MAX);
    assert_int_equal(port_max_queue_bytes(&r->p, &r->v, &r->x), 0);
    for (int n = 0; n < 5; n++) rig_departure(r, FULL, n * 100);
    rig_departure(r, FULL, 50 * US);
    int64_t most = port_max_queue_bytes(&r->p, &r->v, &r->x);
    assert_true(most <= 5 * FULL_FRAME && most >= 5 * FULL_FRAME - 1);
    rig_end(r);
}

/* ---- links that die and come back ---- */

static struct rig *rig_dying(time_ps dead_from, span_ps delay) {
    struct rig *r = rig_new();
    r->setup.dead_from = dead_from;
    r->setup.delay = delay;
    return rig_start(r);
}

static void failure__the_last_bit_must_arrive_before(void **state) {
    (void)state;
    time_ps depart;
    const span_ps delay = 2 * US, s = FULL * BYTE_PS;
    struct rig *just = rig_dying(100 * US, delay), *late = rig_dying(100 * US, delay);
    assert_int_equal(rig_send(just, FULL, 100 * US - delay - s, &depart), DROP_NONE);
    assert_int_equal(rig_send(late, FULL, 100 * US - delay - s + 1, &depart), DROP_LINK_DOWN);
    assert_int_equal(late->x.dropped[DROP_LINK_DOWN], 1);
    rig_end(just);
    rig_end(late);
}

/* Lost frames occupy the queue as others do. */
static void failure__lost_frames_fill_the_queue(void **state) {
    (void)state;
    time_ps depart;
    struct rig *r = rig_new();
    r->setup.dead_from = 0;
    r->setup.admit.limit_bytes = 2 * FULL_FRAME;
    rig_start(r);
    assert_int_equal(rig_send(r, FULL, 10 * US, &depart), DROP_LINK_DOWN);
    assert_int_equal(rig_send(r, FULL, 10 * US, &depart), DROP_LINK_DOWN);
    assert_int_equal(rig_send(r, FULL, 10 * US, &depart), DROP_BUFFER);
    rig_end(r);
}

/* A live link fails when nobody foresaw it. */
static void failure__of_a_link_that_had_none_to_come(void **state) {
    (void)state;
    time_ps depart;
    struct rig *r = rig_of(10 * GBPS, INT64_MAX);
    assert_true(r->p.plain);
    assert_int_equal(rig_send(r, FULL, 0, &depart), DROP_NONE);
    port_set_failure(&r->p, &r->x, 5 * US);
    assert_int_equal(rig_send(r, FULL, 6 * US, &depart), DROP_LINK_DOWN);
    port_link_up(&r->p, &r->v, &r->x, 10 * US, TIME_NONE);
    assert_int_equal(rig_send(r, FULL, 10 * US, &depart), DROP_NONE);
    assert_true(r->p.plain);
    rig_end(r);
}

static void repair__starts_idle_until_the_next_failure(void **state) {
    (void)state;
    time_ps depart;
    struct rig *r = rig_dying(10 * US, 0);
    for (int n = 0; n < 100; n++) assert_int_equal(rig_send(r, FULL, 20 * US, &depart), DROP_LINK_DOWN);
    port_link_up(&r->p, &r->v, &r->x, 30 * US, 60 * US);
    assert_int_equal(rig_departure(r, FULL, 30 * US), 30 * US + FULL * BYTE_PS);
    assert_int_equal(rig_send(r, FULL, 60 * US, &depart), DROP_LINK_DOWN);
    rig_end(r);
}

/* ---- gray links ---- */

static uint64_t lost_of(uint32_t loss_ppb, uint32_t global, int frames) {
    struct rig *r = rig_new();
    r->setup.loss_ppb = loss_ppb;
    r->setup.global = global;
    rig_start(r);
    for (int n = 0; n < frames; n++) {
        time_ps depart;
        rig_send(r, 84, n * US, &depart);
        assert_int_equal(depart, n * US + 84 * BYTE_PS); /* lost frames use the wire too */
    }
    uint64_t lost = r->x.dropped[DROP_LOSS];
    rig_end(r);
    return lost;
}

static void gray__loses_its_share(void **state) {
    (void)state;
    uint64_t lost = lost_of(PPB / 10, 0, 40000); /* 4000 +- 60 */
    assert_true(lost > 3700 && lost < 4300);
    assert_int_equal(lost_of(0, 0, 1000), 0);
    assert_int_equal(lost_of(PPB, 0, 1000), 1000);
}

/* Each link has its own random stream. */
static void gray__same_link_same_losses(void **state) {
    (void)state;
    assert_int_equal(lost_of(PPB / 10, 5, 5000), lost_of(PPB / 10, 5, 5000));
    assert_true(lost_of(PPB / 10, 5, 5000) != lost_of(PPB / 10, 6, 5000));
}

/* ---- a changed rate ---- */

static void rate__limits_keep_their_bytes(void **state) {
    (void)state;
    struct rig *r = rig_new();
    r->setup.admit.limit_bytes = 10 * FULL_FRAME;
    r->setup.admit.mark_bytes = 2 * FULL_FRAME;
    rig_start(r);
    port_set_rate(&r->p, &r->v, &r->x, 0, GBPS);
    time_ps depart;
    for (int n = 1; n <= 10; n++) assert_int_equal(rig_departure(r, FULL, 0), n * FULL * 10 * BYTE_PS);
    assert_int_equal(rig_send(r, 84, 0, &depart), DROP_BUFFER);
    assert_int_equal(port_backlog_bytes(&r->p, &r->v, 0), 10 * FULL_FRAME);
    rig_end(r);
}

/* Queued frames keep the departure computed at their arrival; later frames use the new rate. */
static void rate__what_is_queued_keeps_its_departure(void **state) {
    (void)state;
    struct rig *r = rig_of(10 * GBPS, INT64_MAX);
    time_ps before = rig_departure(r, FULL, 0);
    port_set_rate(&r->p, &r->v, &r->x, 0, GBPS);
    assert_int_equal(rig_departure(r, FULL, 0), before + FULL * 10 * BYTE_PS);
    rig_end(r);
}

/* Totals are bytes: the mean queue of a slower time does not change with the rate. */
static void rate__totals_stay_bytes(void **state) {
    (void)state;
    struct rig *r = rig_of(GBPS, INT64_MAX);
    const time_ps emptied = 4 * FULL * 10 * BYTE_PS;
    for (int n = 0; n < 4; n++) rig_departure(r, FULL, 0);
    int64_t mean = port_mean_queue_bytes(&r->p, &r->v, &r->x, emptied);
    assert_true(llabs(mean - 2 * FULL_FRAME) < 20);
    port_set_rate(&r->p, &r->v, &r->x, 0, 10 * GBPS);
    assert_true(llabs(port_max_queue_bytes(&r->p, &r->v, &r->x) - 4 * FULL_FRAME) <= 1);
    assert_true(llabs(port_mean_queue_bytes(&r->p, &r->v, &r->x, emptied) - mean) <= 1);
    rig_end(r);
}

/* A gray link that fails later loses frames until then. */
static void gray__and_dying(void **state) {
    (void)state;
    time_ps depart;
    struct rig *r = rig_new();
    r->setup.loss_ppb = PPB;
    r->setup.dead_from = PS_PER_S;
    rig_start(r);
    assert_int_equal(rig_send(r, FULL, 0, &depart), DROP_LOSS);
    assert_int_equal(rig_send(r, FULL, PS_PER_S, &depart), DROP_LINK_DOWN);
    rig_end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(serialize__rounds_up),
        UNIT(serialize__fast_way_is_the_slow_way),
        UNIT(enqueue__leaves_after_what_was_before),
        UNIT(enqueue__odd_rate),
        UNIT(backlog__in_frame_bytes),
        UNIT(backlog__fast_way_is_the_slow_way),
        UNIT(limit__exactly_full_is_accepted),
        UNIT(limit__one_byte_over_is_dropped),
        UNIT(limit__a_dropped_frame_leaves_its_count_only),
        UNIT(limit__only_data_is_counted_as_dropped),
        UNIT(limit__none),
        UNIT(mark__above_the_threshold),
        UNIT(mark__only_the_ecn_capable),
        UNIT(mark__no_threshold),
        UNIT(mean_queue__closed_form_is_the_integral),
        UNIT(mean_queue__does_not_wrap_at_any_rate),
        UNIT(mean_queue__of_one_long_wait),
        UNIT(sent_by__counts_what_has_left),
        UNIT(max_queue__the_frame_itself_included),
        UNIT(failure__the_last_bit_must_arrive_before),
        UNIT(failure__lost_frames_fill_the_queue),
        UNIT(failure__of_a_link_that_had_none_to_come),
        UNIT(repair__starts_idle_until_the_next_failure),
        UNIT(gray__loses_its_share),
        UNIT(gray__same_link_same_losses),
        UNIT(rate__limits_keep_their_bytes),
        UNIT(rate__what_is_queued_keeps_its_departure),
        UNIT(rate__totals_stay_bytes),
        UNIT(gray__and_dying),
    };
    return RUN_UNITS(tests);
}
