/* SPDX-License-Identifier: Apache-2.0 */
/* TCP Cubic: RFC 9438 in integers, without HyStart. C = 0.4, beta = 0.7, fast convergence on.
 *
 *     W_cubic(t) = C (t - K)^3 + W_max segments, t in seconds since congestion avoidance began              (Eq. 1)
 *     K = cbrt((W_max - cwnd_epoch) / C)                                                                    (Eq. 2)
 *     W_est += alpha * segments acknowledged / cwnd                                                         (Eq. 4)
 *               alpha = 3 (1 - beta) / (1 + beta) = 9/17; 1 once W_est reaches cwnd before the last reduction
 *     each ACK: if W_cubic(t) < W_est then cwnd = W_est (Reno-friendly region, 4.3)
 *               else cwnd += (target - cwnd) / cwnd per segment acknowledged, target = W_cubic(t + RTT) held in
 *               [cwnd, 1.5 cwnd] (4.2, 4.4, 4.5)
 *     loss, ECN: W_max = cwnd, or cwnd (1 + beta) / 2 if below the former W_max (4.7); ssthresh = beta cwnd, at least 2
 *               segments (4.6), 1 segment for ECN (AM-2)
 *     timeout:  the same reduction of ssthresh; the next congestion avoidance has K = 0 (4.8). So has the first one of
 *               a connection that left slow start without a loss (4.10)
 *
 * Windows are bytes; time is in ticks of 2^-20 s, 0.95 us. Time in which the window was not the limit does not count
 * (4.2): the epoch's start moves with it.
 */
#include "mech/transport/cubic.h"

#define TICKS_PER_S_SHIFT 20
#define TICKS_MAX (1ll << 30) /* 1024 s: beyond, W_cubic is far over any window */

struct cubic {
    time_ps epoch_at; /* start of this congestion avoidance; TIME_NONE = the next ACK starts it */
    time_ps ack_at;   /* last ACK */
    uint64_t k_ticks;
    uint32_t w_max_bytes;
    uint32_t w_est_bytes;
    uint32_t prior_bytes; /* cwnd before the last reduction */
    uint64_t est_rest;    /* carried fraction of a byte of W_est, as a numerator */
    uint64_t grow_rest;
    bool from_loss; /* the next epoch follows a reduction, so K is taken from W_max */
};
_Static_assert(sizeof(struct cubic) <= TCP_PRIVATE_BYTES, "private state");

static struct cubic *cubic_of(struct tcp_sender *s) { return (struct cubic *)s->private; }

/* Builds the root bit by bit from the top: 42 steps, once per congestion event. */
uint64_t cubic_root(uint128 x) {
    uint64_t y = 0;
    for (int bit = 41; bit >= 0; bit--) {
        uint64_t z = y | 1ull << bit;
        if ((uint128)z * z * z <= x) y = z;
    }
    return y;
}

int64_t cubic_ticks(span_ps span) {
    if (span >= (TICKS_MAX >> TICKS_PER_S_SHIFT) * PS_PER_S) return TICKS_MAX;
    return span * 256 / 244140625; /* 2^20 / 10^12 */
}

/* K^3 C = W_max - cwnd_epoch, in segments and seconds; C = 2/5. */
uint64_t cubic_k_ticks(uint32_t missing_bytes, uint32_t mss_bytes) {
    return cubic_root(((uint128)missing_bytes * 5 << 3 * TICKS_PER_S_SHIFT) / (2 * mss_bytes));
}

uint32_t cubic_window(int64_t t_ticks, uint64_t k_ticks, uint32_t w_max_bytes, uint32_t mss_bytes) {
    int64_t d = t_ticks - (int64_t)k_ticks;
    uint64_t size = (uint64_t)(d < 0 ? -d : d);
    uint128 cube = ((uint128)size * size * size * mss_bytes * 2 / 5) >> 3 * TICKS_PER_S_SHIFT;
    if (d < 0) return cube < w_max_bytes ? w_max_bytes - (uint32_t)cube : 0;
    return cube < TCP_CWND_MAX - w_max_bytes ? w_max_bytes + (uint32_t)cube : TCP_CWND_MAX;
}

static void cubic_init(struct tcp_sender *s, const struct flow_env *env) {
    (void)env;
    cubic_of(s)->epoch_at = TIME_NONE;
}

static void cubic_start_epoch(struct tcp_sender *s, struct cubic *c, time_ps now) {
    bool below = c->from_loss && s->cwnd_bytes < c->w_max_bytes;
    c->k_ticks = below ? cubic_k_ticks(c->w_max_bytes - s->cwnd_bytes, s->mss_bytes) : 0;
    if (!below) c->w_max_bytes = s->cwnd_bytes;
    c->epoch_at = c->ack_at = now;
    c->w_est_bytes = s->cwnd_bytes;
    c->est_rest = 0;
    c->grow_rest = 0;
}

/* Grows W_est by alpha segments for each window acknowledged. */
static void cubic_grow_estimate(struct tcp_sender *s, struct cubic *c, uint32_t acked_bytes) {
    bool full = c->w_est_bytes >= c->prior_bytes;
    uint64_t per = full ? s->cwnd_bytes : 17ull * s->cwnd_bytes;
    uint64_t sum = c->est_rest + (uint64_t)acked_bytes * s->mss_bytes * (full ? 1 : 9);
    if (c->w_est_bytes < TCP_CWND_MAX) c->w_est_bytes += (uint32_t)(sum / per);
    c->est_rest = sum % per;
}

static void cubic_grow(struct tcp_sender *s, struct cubic *c, const struct tcp_ack *ack) {
    int64_t t = cubic_ticks(ack->now - c->epoch_at);
    cubic_grow_estimate(s, c, ack->acked_bytes);
    if (cubic_window(t, c->k_ticks, c->w_max_bytes, s->mss_bytes) < c->w_est_bytes) {
        if (c->w_est_bytes > s->cwnd_bytes) s->cwnd_bytes = c->w_est_bytes;
        return;
    }
    uint32_t target = cubic_window(t + cubic_ticks(s->rtt.srtt_ps), c->k_ticks, c->w_max_bytes, s->mss_bytes);
    uint32_t most = s->cwnd_bytes + s->cwnd_bytes / 2;
    if (target > most) target = most;
    if (target <= s->cwnd_bytes) return;
    uint64_t sum = c->grow_rest + (uint64_t)ack->acked_bytes * (target - s->cwnd_bytes);
    c->grow_rest = sum % s->cwnd_bytes;
    s->cwnd_bytes += (uint32_t)(sum / s->cwnd_bytes);
}

static void cubic_on_ack(struct tcp_sender *s, const struct tcp_ack *ack) {
    struct cubic *c = cubic_of(s);
    if (s->cwnd_bytes < s->ssthresh_bytes) {
        if (ack->may_grow) tcp_slow_start(s, ack);
        return;
    }
    if (c->epoch_at == TIME_NONE) {
        if (!ack->may_grow) return;
        cubic_start_epoch(s, c, ack->now);
    }
    if (ack->may_grow)
        cubic_grow(s, c, ack);
    else
        c->epoch_at += ack->now - c->ack_at;
    c->ack_at = ack->now;
    if (s->cwnd_bytes > TCP_CWND_MAX) s->cwnd_bytes = TCP_CWND_MAX;
}

static void cubic_reduce(struct tcp_sender *s, uint32_t flight_bytes, uint32_t floor_segments) {
    struct cubic *c = cubic_of(s);
    uint32_t floor = floor_segments * s->mss_bytes;
    uint32_t reduced = (uint32_t)((uint64_t)flight_bytes * 7 / 10);
    bool shrinking = s->cwnd_bytes < c->w_max_bytes;
    c->prior_bytes = s->cwnd_bytes;
    c->w_max_bytes = shrinking ? (uint32_t)((uint64_t)s->cwnd_bytes * 17 / 20) : s->cwnd_bytes;
    c->epoch_at = TIME_NONE;
    c->from_loss = true;
    s->ssthresh_bytes = reduced > floor ? reduced : floor;
}

static void cubic_on_loss(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    cubic_reduce(s, flight_bytes, 2);
    s->cwnd_bytes = s->ssthresh_bytes;
}

static void cubic_on_timeout(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    cubic_reduce(s, flight_bytes, 2);
    cubic_of(s)->from_loss = false;
}

static void cubic_on_ecn(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    cubic_reduce(s, flight_bytes, 1);
    s->cwnd_bytes = s->ssthresh_bytes;
}

/* The window comes in parts while the flow before is acknowledged: the curve begins anew at what it is then. */
static void cubic_resume(struct tcp_sender *s) {
    cubic_of(s)->epoch_at = TIME_NONE;
    cubic_of(s)->from_loss = false;
}

static const struct tcp_congestion cubic_congestion = {
    .init = cubic_init,
    .on_ack = cubic_on_ack,
    .on_loss = cubic_on_loss,
    .on_timeout = cubic_on_timeout,
    .on_ecn = cubic_on_ecn,
    .resume = cubic_resume,
};

const struct transport_ops transport_cubic = {
    .name = "cubic",
    .kernel = "cubic",
    .paper = "RFC 9438",
    .doc = "TCP with Cubic congestion control and SACK",
    .base = &tcp_base,
    .sender = &tcp_sender_end,
    .receiver = &tcp_receiver_end,
    .begins_with_syn = true,
    .congestion = &cubic_congestion,
    .buffer_permille = 429, /* 7/10 of the window must: 1 / 0.7 - 1 */
};
