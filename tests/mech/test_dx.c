/* SPDX-License-Identifier: Apache-2.0 */
/* DX: its window rule, exact; its stamps; and flows over one link. */
#include "mech/transport/dx.h"
#include "wire/frame_size.h"

#include "bottleneck.h"
#include "tcp_bench.h"

#define MSS 1448u

/* ---- the rule ---- */

/* W (1 - Q / V) + 1 with V = T Q W / (Q W + T) equals W (T - Q) / T (AM-13). In exact fractions, with W in
 * segments: W (T Q W - Q (Q W + T)) / (T Q W) + 1 = (W T - Q W - T) / T + 1. */
static void window__both_forms_of_the_rule(void **state) {
    (void)state;
    for (int64_t w = 2; w <= 200; w += 9)
        for (int64_t q = 1; q <= 150; q += 7) {
            int64_t base = 100, t = base + q;
            int64_t with_v = (w * (t * q * w - q * (q * w + t)) + t * q * w) * MSS / (t * q * w);
            uint32_t window = dx_window((uint32_t)w * MSS, base, q, MSS);
            assert_int_equal(window, with_v > MSS ? with_v : MSS);
        }
}

static void window__by_hand(void **state) {
    (void)state;
    /* base 100 us, Q 25 us: W x 100 / 125 */
    assert_int_equal(dx_window(100 * MSS, 100 * PS_PER_US, 25 * PS_PER_US, MSS), 80 * MSS);
    assert_int_equal(dx_window(100 * MSS, 100 * PS_PER_US, 100 * PS_PER_US, MSS), 50 * MSS);
    assert_int_equal(dx_window(100 * MSS, 100 * PS_PER_US, 1, MSS), 100 * MSS - 1);
    assert_int_equal(dx_window(2 * MSS, 1 * PS_PER_US, PS_PER_MS, MSS), MSS); /* W >= 1 */
    assert_int_equal(dx_window(TCP_CWND_MAX, PS_PER_S, PS_PER_S, MSS), TCP_CWND_MAX / 2);
}

/* ---- one sender, ACK by ACK ---- */

static const struct transport_ops *const ops = &transport_dx;

static uint32_t sends(struct bench *b) {
    for (uint32_t n = 0;; n++) {
        struct packet p = {.ext = EXT_NONE};
        if (!ops->sender->poll_transmit(&b->sender, &b->env, b->now, &p)) return n;
        assert_int_equal(p.shape, SHAPE_STAMP);
        assert_int_equal(p.wire_bytes, 1538);
        assert_int_equal(packet_ext_at(&b->pool, p.ext)->stamp, b->now);
        packet_ext_put(&b->pool, p.ext);
    }
}

/* Opens the sender; its handshake takes 100 us, the base RTT. */
static void opens(struct bench *b) { assert_int_equal(bench_open(b, 0).shape, 0); }

/* Acknowledges the next segment a millisecond later, with this one-way delay. */
static void acked(struct bench *b, int64_t delay_ps) {
    struct packet ack = {.seq = 5000,
                         .ack = 1000 + (uint32_t)b->sender.snd_una + MSS,
                         .tcp_flags = TCP_ACK,
                         .window = 60000,
                         .shape = SHAPE_STAMP,
                         .ext = packet_ext_get(&b->pool)};
    packet_ext_at(&b->pool, ack.ext)->stamp = delay_ps;
    b->now += PS_PER_MS;
    ops->sender->on_packet(&b->sender, &b->env, b->now, &ack);
    packet_ext_put(&b->pool, ack.ext);
}

/* Acknowledges a window with this delay each time, and sends what the ACKs allow. */
static void window_acked(struct bench *b, int64_t delay_ps) {
    for (uint64_t end = b->sender.snd_nxt; b->sender.snd_una < end;) {
        acked(b, delay_ps);
        sends(b);
    }
}

/* The clocks differ by an hour: only the distance from the least difference counts. */
static void sender__slow_start_until_the_first_queue(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    const int64_t apart = -3600 * PS_PER_S;
    opens(b);
    assert_int_equal(sends(b), 10);
    for (int i = 0; i < 10; i++) {
        acked(b, apart + 50 * PS_PER_US);
        assert_int_equal(sends(b), 2);
    }
    assert_int_equal(b->sender.cwnd_bytes, 20 * MSS); /* no queue: slow start continues */
    for (int i = 0; i < 17; i++) {                    /* the next RTT: the 18 segments in flight */
        acked(b, apart + (i < 9 ? 50 : 100) * PS_PER_US);
        assert_int_equal(sends(b), 2);
    }
    assert_int_equal(b->sender.cwnd_bytes, 37 * MSS);
    acked(b, apart + 100 * PS_PER_US); /* Q = 25 us on a base of 100: W x 100 / 125 */
    assert_int_equal(b->sender.cwnd_bytes, 38 * MSS * 4 / 5);
    assert_int_equal(b->sender.ssthresh_bytes, 38 * MSS * 4 / 5);
    bench_free(b);
}

/* After slow start the window grows by one segment per RTT without a queue, whatever the number of ACKs. */
static void sender__one_segment_per_quiet_rtt(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    opens(b);
    sends(b);
    b->sender.ssthresh_bytes = b->sender.cwnd_bytes;
    for (uint32_t rtt = 1; rtt <= 5; rtt++) {
        window_acked(b, 50 * PS_PER_US);
        assert_int_equal(b->sender.cwnd_bytes, (10 + rtt) * MSS);
    }
    bench_free(b);
}

/* A queue of up to q_min counts as none: by default the time of one frame at the host's rate (AM-22). */
static void sender__q_min(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        int over = i % 2;
        struct bench *b = bench_new(ops);
        if (i >= 2) { /* the same, written as a time */
            b->params[DX_PARAM_Q_MIN] = 1230400;
            b->params[DX_PARAM_Q_MIN_FRAMES] = 0;
        }
        opens(b);
        sends(b);
        b->sender.ssthresh_bytes = b->sender.cwnd_bytes;
        acked(b, 0); /* the least delay */
        for (int k = 0; k < 9; k++) acked(b, 10 * (1230400 + over) / 9 + 1);
        uint32_t cut = dx_window(10 * MSS, 100 * PS_PER_US, 1230401, MSS);
        assert_int_equal(b->sender.cwnd_bytes, over ? cut : 11 * MSS);
        bench_free(b);
    }
}

/* ---- the receiver ---- */

static void receives(struct bench *b, time_ps now, uint32_t segment, time_ps departure) {
    struct packet p = {.seq = 5000 + segment * MSS,
                       .ack = 1000,
                       .tcp_flags = TCP_ACK,
                       .payload_bytes = MSS,
                       .serial = ++b->serial,
                       .shape = SHAPE_STAMP,
                       .ext = packet_ext_get(&b->pool)};
    packet_ext_at(&b->pool, p.ext)->stamp = departure;
    ops->receiver->on_packet(b->receiver, &b->env, now, &p);
    packet_ext_put(&b->pool, p.ext);
}

static void listens(struct bench *b) {
    struct packet syn = {.seq = 4999, .tcp_flags = TCP_SYN}, out = {.ext = EXT_NONE};
    ops->receiver->open(b->receiver, &b->env, 0);
    ops->receiver->on_packet(b->receiver, &b->env, 0, &syn);
    assert_true(ops->receiver->poll_transmit(b->receiver, &b->env, 0, &out));
    assert_int_equal(out.shape, 0);
}

/* Polls the next ACK. Returns its stamp, or INT64_MIN if it has none. */
static int64_t says(struct bench *b, uint16_t wire_bytes) {
    struct packet p = {.ext = EXT_NONE, .proto = PROTO_TCP};
    assert_true(ops->receiver->poll_transmit(b->receiver, &b->env, PS_PER_S, &p));
    assert_int_equal(p.wire_bytes, wire_bytes);
    if (p.ext == EXT_NONE) return INT64_MIN;
    assert_int_equal(p.wire_bytes, packet_computed_wire_bytes(&p, packet_ext_at(&b->pool, p.ext)));
    int64_t stamp = packet_ext_at(&b->pool, p.ext)->stamp;
    packet_ext_put(&b->pool, p.ext);
    return p.shape & SHAPE_STAMP ? stamp : INT64_MIN;
}

static void receiver__echoes_the_delay(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b);
    receives(b, 1000, 0, 300);
    assert_true(says(b, 90) == 700);
    receives(b, 2000, 1, 5000); /* the sender's clock is ahead */
    assert_true(says(b, 90) == -3000);
    bench_free(b);
}

/* The first ACK pending behind the NIC carries the mean of all delays, the others none. */
static void receiver__waiting_acks_say_the_mean_once(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b);
    for (uint32_t i = 0; i < 3; i++) receives(b, 1000 + 100 * i, i, 500);
    assert_true(says(b, 90) == 600);
    assert_true(says(b, WIRE_MIN_BYTES) == INT64_MIN);
    assert_true(says(b, WIRE_MIN_BYTES) == INT64_MIN);
    bench_free(b);
}

/* An ACK with a stamp has room for three SACK blocks. */
static void receiver__stamp_beside_sack(void **state) {
    (void)state;
    struct bench *b = bench_new(ops);
    listens(b);
    receives(b, 1000, 2, 0);
    assert_true(says(b, 102) == 1000);
    for (uint32_t i = 4; i < 12; i += 2) {
        receives(b, 1000 * i, i, 0);
        assert_true(says(b, (uint16_t)(i < 6 ? 110 : 118)) == (int64_t)(1000 * i));
    }
    bench_free(b);
}

/* ---- long flows ---- */

/* Two flows keep a queue of a few frames and the link full. */
static void two_flows__small_queue(void **state) {
    (void)state;
    struct bottleneck *b = bottleneck_new(&transport_dx, 2);
    b->flow[1].start = 3 * PS_PER_MS;
    b->measure_from = 50 * PS_PER_MS;
    bottleneck_run(b, 150 * PS_PER_MS);
    assert_true(b->queue_mean < 5 * 1538);
    assert_true(b->queue_max < 15 * 1538);
    assert_in_range(b->utilisation_ppm, 950000, 1000100);
    assert_int_equal(b->counters[TCP_TIMEOUTS] + b->counters[TCP_RETRANSMITS], 0);
    bottleneck_free(b);
}

/* A lone flow behind a NIC as fast as the link meets no queue, so slow start fills the window that it is given. */
static void one_flow__exact_stamps_see_no_queue(void **state) {
    (void)state;
    struct bottleneck *b = bottleneck_new(&transport_dx, 1);
    b->measure_from = 5 * PS_PER_MS;
    bottleneck_run(b, 10 * PS_PER_MS);
    assert_int_equal(b->queue_max, 0);
    assert_in_range(b->utilisation_ppm, 999000, 1000100);
    bottleneck_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(window__both_forms_of_the_rule),
        UNIT(window__by_hand),
        UNIT(sender__slow_start_until_the_first_queue),
        UNIT(sender__one_segment_per_quiet_rtt),
        UNIT(sender__q_min),
        UNIT(receiver__echoes_the_delay),
        UNIT(receiver__waiting_acks_say_the_mean_once),
        UNIT(receiver__stamp_beside_sack),
        UNIT(two_flows__small_queue),
        UNIT(one_flow__exact_stamps_see_no_queue),
    };
    return RUN_UNITS(tests);
}
