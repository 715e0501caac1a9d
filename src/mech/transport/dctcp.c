/* SPDX-License-Identifier: Apache-2.0 */
/* DCTCP: Alizadeh et al., "Data Center TCP", SIGCOMM 2010; RFC 8257. See dctcp.h.
 *
 *     each window   alpha = (1 - g) alpha + g F                                 (DCTCP 3.1 (1))
 *     first echo    cwnd = cwnd (1 - alpha / 2), ssthresh = cwnd, 1 MSS at least (DCTCP 3.1 (2); AM-2)
 *     growth, loss  as NewReno; after a timeout ssthresh may fall to 1 MSS      (AM-2)
 *
 * Needs of ports: marking at an instantaneous queue of 65 frames of 1538 B per 10 Gbps (AM-12, XP-27).
 */
#include "mech/transport/dctcp.h"

/* --- the law ---------------------------------------------------------------------------------------------------- */

static uint64_t dctcp_root(uint128 x) {
    uint64_t y = 0;
    for (int bit = 62; bit >= 0; bit--) {
        uint64_t z = y | 1ull << bit;
        if ((uint128)z * z <= x) y = z;
    }
    return y;
}

uint32_t dctcp_gain_ppb(int64_t rate_bps) {
    const uint64_t base_ppb = 62500000, base_bps = 10000000000ull;
    if (rate_bps <= 0) return (uint32_t)base_ppb;
    uint64_t g = dctcp_root((uint128)base_ppb * base_ppb * base_bps / (uint64_t)rate_bps);
    return (uint32_t)(g < DCTCP_ONE ? g : DCTCP_ONE);
}

uint32_t dctcp_alpha(uint32_t alpha_ppb, uint32_t g_ppb, uint64_t acked_bytes, uint64_t marked_bytes) {
    int64_t f = (int64_t)(marked_bytes * DCTCP_ONE / acked_bytes);
    return (uint32_t)(alpha_ppb + (int64_t)g_ppb * (f - (int64_t)alpha_ppb) / DCTCP_ONE);
}

uint32_t dctcp_cut(uint32_t cwnd_bytes, uint32_t alpha_ppb, uint32_t mss_bytes) {
    uint32_t cut = (uint32_t)((uint64_t)cwnd_bytes * (2ull * DCTCP_ONE - alpha_ppb) / (2ull * DCTCP_ONE));
    return cut > mss_bytes ? cut : mss_bytes;
}

/* --- the sender's window ---------------------------------------------------------------------------------------- */

static void dctcp_init(struct tcp_sender *s, const struct flow_env *env) {
    struct dctcp *d = dctcp_of(s);
    int64_t g = env->params[DCTCP_PARAM_G];
    d->g_ppb = g ? (uint32_t)g : dctcp_gain_ppb(env->nic_bps);
    d->alpha_ppb = DCTCP_ONE;
    d->pace_at = TIME_NONE;
}

/* Adds the acknowledged bytes and the marked ones among them to the window's sums, and updates alpha at the end of the
 * window. The first window is the flight at the first ACK. */
static void dctcp_estimate(struct tcp_sender *s, struct dctcp *d, const struct tcp_ack *ack) {
    if (d->window_end == 0) d->window_end = s->snd_nxt;
    d->acked_bytes += ack->acked_bytes;
    if (ack->ece) d->marked_bytes += ack->acked_bytes;
    if (s->snd_una < d->window_end) return;
    d->alpha_ppb = dctcp_alpha(d->alpha_ppb, d->g_ppb, d->acked_bytes, d->marked_bytes);
    d->acked_bytes = d->marked_bytes = 0;
    d->window_end = s->snd_nxt;
}

static void dctcp_on_ack(struct tcp_sender *s, const struct tcp_ack *ack) {
    struct dctcp *d = dctcp_of(s);
    dctcp_estimate(s, d, ack);
    newreno_grow(s, &d->growth, ack);
}

static void dctcp_on_loss(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    newreno_halve(s, &dctcp_of(s)->growth, flight_bytes, 2);
    s->cwnd_bytes = s->ssthresh_bytes;
}

static void dctcp_on_timeout(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    newreno_halve(s, &dctcp_of(s)->growth, flight_bytes, 1);
}

static void dctcp_on_ecn(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)flight_bytes, (void)now;
    struct dctcp *d = dctcp_of(s);
    s->cwnd_bytes = s->ssthresh_bytes = dctcp_cut(s->cwnd_bytes, d->alpha_ppb, s->mss_bytes);
    d->growth.grown_bytes = 0;
}

static void dctcp_resume(struct tcp_sender *s) {
    struct dctcp *d = dctcp_of(s);
    d->window_end = d->acked_bytes = d->marked_bytes = 0;
}

const struct tcp_congestion dctcp_congestion = {
    .init = dctcp_init,
    .on_ack = dctcp_on_ack,
    .on_loss = dctcp_on_loss,
    .on_timeout = dctcp_on_timeout,
    .on_ecn = dctcp_on_ecn,
    .resume = dctcp_resume,
};

/* --- the receiver's echo ---------------------------------------------------------------------------------------- */

/* Queues an ACK for the segments that wait for a delayed ACK, with their mark, because the mark changes now. */
static void dctcp_turn(struct dctcp_receiver *r) {
    r->turn_due = true;
    r->turn_marked = r->marked;
    r->turn_ack = r->tcp.seq_base + (uint32_t)r->tcp.rcv_nxt;
    r->tcp.unacked = 0;
    r->tcp.timer_at = TIME_NONE;
}

/* Records the mark of the segment that just arrived. `before` ACKs were pending; the segment may have added one and
 * made the TCP receiver merge others. A merged ACK carries the marks of all it replaces. */
static void dctcp_note_acks(struct dctcp_receiver *r, uint32_t before) {
    uint32_t after = r->tcp.acks_due, merged = before + 1 > after ? before + 1 - after : 0;
    uint64_t mark = r->marked;
    if (after == 0) return; /* no ACK is pending: it is delayed */
    if (before < 64) {
        r->marks |= mark << before;
        uint64_t lost = merged < 64 ? r->marks & ((1ull << merged) - 1) : r->marks;
        r->marks = merged < 64 ? r->marks >> merged : 0;
        if (lost) r->marks |= 1;
    } else {
        r->marks |= mark << 63;
        if (merged > 0) r->marks = r->marks != 0;
    }
}

static void dctcp_receive(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    struct dctcp_receiver *r = end;
    uint32_t before = r->tcp.acks_due;
    if (p->payload_bytes > 0) {
        bool marked = r->tcp.ecn_on && (p->tos & ECN_MASK) == ECN_CE;
        if (marked != r->marked && r->tcp.unacked > 0) dctcp_turn(r);
        r->marked = marked;
    }
    tcp_receiver_on_packet(&r->tcp, env, now, p);
    if (p->payload_bytes > 0 || r->tcp.acks_due != before) dctcp_note_acks(r, before);
}

static void dctcp_send_turn(struct dctcp_receiver *r, struct packet *p) {
    r->turn_due = false;
    p->seq = r->tcp.seq;
    p->ack = r->turn_ack;
    p->window = r->tcp.window_units;
    p->tcp_flags = r->turn_marked ? TCP_ACK | TCP_ECE : TCP_ACK;
    p->wire_bytes = WIRE_MIN_BYTES;
}

static bool dctcp_send_ack(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    struct dctcp_receiver *r = end;
    if (r->turn_due) {
        dctcp_send_turn(r, p);
        return true;
    }
    if (!tcp_receiver_poll(&r->tcp, env, now, p)) return false;
    if (p->tcp_flags & TCP_SYN) return true;
    p->tcp_flags = r->marks & 1 ? TCP_ACK | TCP_ECE : TCP_ACK;
    r->marks = r->marks >> 1 | (r->tcp.acks_due > 63 ? r->marks & 1ull << 63 : 0);
    return true;
}

/* Handles a delayed ACK that is due: it carries the marks of all ACKs that it merges. */
static void dctcp_on_timer(void *end, struct flow_env *env, time_ps now) {
    struct dctcp_receiver *r = end;
    bool delayed_ack = r->tcp.state >= TCP_ESTABLISHED && now >= r->tcp.timer_at;
    tcp_receiver_on_timer(end, env, now);
    if (delayed_ack) r->marks = r->marks != 0 || r->marked;
}

static bool dctcp_has_ack(const void *end, const struct flow_env *env, time_ps now) {
    return ((const struct dctcp_receiver *)end)->turn_due || tcp_receiver_has_output(end, env, now);
}

static bool dctcp_is_done(const void *end, const struct flow_env *env) {
    return !((const struct dctcp_receiver *)end)->turn_due && tcp_receiver_is_done(end, env);
}

const struct transport_end dctcp_receiver_end = {
    .bytes = sizeof(struct dctcp_receiver),
    .cell_at = offsetof(struct tcp_receiver, held),
    .open = tcp_receiver_open,
    .close = tcp_receiver_close,
    .on_packet = dctcp_receive,
    .on_timer = dctcp_on_timer,
    .next_timer = tcp_receiver_next_timer,
    .has_output = dctcp_has_ack,
    .poll_transmit = dctcp_send_ack,
    .is_done = dctcp_is_done,
    .describe = tcp_receiver_describe,
};

/* --- the table --------------------------------------------------------------------------------------------------- */

static const struct param dctcp_params[DCTCP_N_PARAMS - TCP_N_PARAMS] = {
    [DCTCP_PARAM_G - TCP_N_PARAMS] = {.name = "g",
                                      .type = PARAM_FRACTION,
                                      .def = 0,
                                      .min = 0,
                                      .max = DCTCP_ONE,
                                      .doc = "gain of the estimate alpha; 0 = 0.0625 / sqrt(rate of the host's link / "
                                             "10 Gbps)",
                                      .needs = "ecn",
                                      .lacks = "data is never marked (ecn)",
                                      .paper = "DCTCP 3.1 (1), ExpressPass"},
};
const struct param_list dctcp_param_list = {&tcp_param_list, dctcp_params, DCTCP_N_PARAMS - TCP_N_PARAMS};
const struct param_default dctcp_defaults[1] = {{TCP_PARAM_ECN, 1}};

static const struct need dctcp_needed[] = {
    {"switch.admit", "ecn"}, {"switch.ecn_threshold_per_10g", "99970B"}, {NULL, NULL}};

const struct transport_ops transport_dctcp = {
    .name = "dctcp",
    .kernel = "dctcp",
    .paper = "DCTCP (SIGCOMM 2010), RFC 8257",
    .doc = "TCP that cuts its window by the share of marked bytes",
    .base = &tcp_base,
    .sender = &tcp_sender_end,
    .receiver = &dctcp_receiver_end,
    .begins_with_syn = true,
    .congestion = &dctcp_congestion,
    .params = &dctcp_param_list,
    .defaults = dctcp_defaults,
    .n_defaults = 1,
    .needed = dctcp_needed,
};
