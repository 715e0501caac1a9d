/* SPDX-License-Identifier: Apache-2.0 */
/* DX; see dx.h. */
#include "mech/transport/dx.h"

#include "wire/frame_size.h"

static struct dx *dx_of(struct tcp_sender *s) { return (struct dx *)s->private; }

/* --- the sender's window ---------------------------------------------------------------------------------------- */

uint32_t dx_window(uint32_t cwnd_bytes, span_ps base_rtt_ps, span_ps q_ps, uint32_t mss_bytes) {
    uint128 scaled = (uint128)cwnd_bytes * (uint64_t)base_rtt_ps;
    uint32_t window = (uint32_t)(scaled / (uint64_t)(base_rtt_ps + q_ps));
    return window > mss_bytes ? window : mss_bytes;
}

/* Returns the least mean delay that counts as queueing. A frame of another flow ahead of ours causes about as much
 * (AM-22). */
static span_ps dx_q_min(const int64_t *params, int64_t nic_bps) {
    span_ps frame = (FULL_WIRE_BYTES * 8 * PS_PER_S + nic_bps - 1) / nic_bps;
    return params[DX_PARAM_Q_MIN] + params[DX_PARAM_Q_MIN_FRAMES] * frame;
}

static void dx_init(struct tcp_sender *s, const struct flow_env *env) {
    dx_of(s)->q_min_ps = dx_q_min(env->params, env->nic_bps);
}

static void dx_sample(struct dx *d, int64_t delay_ps) {
    if (!d->has_first) {
        d->has_first = true;
        d->first_ps = delay_ps;
    }
    int64_t relative = delay_ps - d->first_ps;
    d->least_ps = min_i64(d->least_ps, relative);
    d->sum_ps += relative;
    d->n++;
}

/* Returns the mean queueing delay over the RTT; 0 if no ACK of it carried a stamp. */
static span_ps dx_queueing(const struct dx *d) { return d->n ? d->sum_ps / d->n - d->least_ps : 0; }

static void dx_end_rtt(struct tcp_sender *s, struct dx *d) {
    span_ps q = dx_queueing(d);
    if (q > d->q_min_ps)
        s->cwnd_bytes = s->ssthresh_bytes = dx_window(s->cwnd_bytes, s->rtt.min_ps, q, s->mss_bytes);
    else if (s->cwnd_bytes >= s->ssthresh_bytes && d->grew_limited && s->cwnd_bytes < TCP_CWND_MAX)
        s->cwnd_bytes += s->mss_bytes;
    d->sum_ps = 0;
    d->n = 0;
    d->grew_limited = false;
    d->window_end = s->snd_nxt;
}

static void dx_on_ack(struct tcp_sender *s, const struct tcp_ack *ack) {
    struct dx *d = dx_of(s);
    if (d->window_end == 0) d->window_end = s->snd_nxt;
    d->grew_limited |= ack->may_grow;
    if (ack->may_grow && s->cwnd_bytes < s->ssthresh_bytes) tcp_slow_start(s, ack);
    if (s->snd_una >= d->window_end) dx_end_rtt(s, d);
}

static void dx_halve(struct tcp_sender *s, uint32_t flight_bytes) {
    uint32_t floor = 2u * s->mss_bytes;
    s->ssthresh_bytes = flight_bytes / 2 > floor ? flight_bytes / 2 : floor;
}

static void dx_on_loss(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    dx_halve(s, flight_bytes);
    s->cwnd_bytes = s->ssthresh_bytes;
}

static void dx_on_timeout(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    dx_halve(s, flight_bytes);
}

/* Halves the window on a mark. Called only if the experiment turns `ecn` on. */
static void dx_on_ecn(struct tcp_sender *s, uint32_t flight_bytes, time_ps now) {
    (void)now;
    s->ssthresh_bytes = flight_bytes / 2 > s->mss_bytes ? flight_bytes / 2 : s->mss_bytes;
    s->cwnd_bytes = s->ssthresh_bytes;
}

static void dx_resume(struct tcp_sender *s) {
    struct dx *d = dx_of(s);
    d->window_end = 0;
    d->sum_ps = 0;
    d->n = 0;
    d->grew_limited = false;
}

static const struct tcp_congestion dx_congestion = {
    .init = dx_init,
    .on_ack = dx_on_ack,
    .on_loss = dx_on_loss,
    .on_timeout = dx_on_timeout,
    .on_ecn = dx_on_ecn,
    .resume = dx_resume,
};

/* --- stamps ------------------------------------------------------------------------------------------------------ */

/* Puts a stamp into the frame, next to the SACK blocks that its cell may hold already. */
static void dx_stamp(struct flow_env *env, struct packet *p, int64_t stamp) {
    if (p->ext == EXT_NONE) p->ext = packet_ext_get(env->pool);
    struct packet_ext *ext = packet_ext_at(env->pool, p->ext);
    p->shape |= SHAPE_STAMP;
    ext->stamp = stamp;
    if (ext->n_sack > TCP_STAMPED_SACK_MAX) ext->n_sack = TCP_STAMPED_SACK_MAX;
    p->wire_bytes = packet_computed_wire_bytes(p, ext);
}

static void dx_take_arrival(struct dx_receiver *r, time_ps now, int64_t departure) {
    int64_t delay = now - departure;
    if (r->n == 0) r->first_ps = delay;
    r->sum_ps += delay - r->first_ps;
    r->n++;
}

static void dx_stamp_ack(struct dx_receiver *r, struct flow_env *env, struct packet *p) {
    if (r->n == 0 || (p->tcp_flags & TCP_SYN)) return;
    dx_stamp(env, p, r->first_ps + r->sum_ps / r->n);
    r->sum_ps = 0;
    r->n = 0;
}

static int64_t dx_stamp_of(const struct flow_env *env, const struct packet *p) {
    return packet_ext_at(env->pool, p->ext)->stamp;
}

/* --- the ends ----------------------------------------------------------------------------------------------------- */

static void dx_on_ack_packet(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    if (p->shape & SHAPE_STAMP) dx_sample(dx_of(end), dx_stamp_of(env, p));
    tcp_sender_on_packet(end, env, now, p);
}

static bool dx_send(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    if (!tcp_sender_poll(end, env, now, p)) return false;
    if (p->payload_bytes > 0) dx_stamp(env, p, now);
    return true;
}

static const struct transport_end dx_sender_end = {
    .bytes = sizeof(struct tcp_sender),
    .cell_at = offsetof(struct tcp_sender, board),
    .open = tcp_sender_open,
    .close = tcp_sender_close,
    .on_packet = dx_on_ack_packet,
    .on_timer = tcp_sender_on_timer,
    .next_timer = tcp_sender_next_timer,
    .has_output = tcp_sender_has_output,
    .poll_transmit = dx_send,
    .is_done = tcp_sender_is_done,
    .describe = tcp_sender_describe,
    .has_sent = tcp_sender_has_sent,
    .memory_bytes = TCP_MEMORY_BYTES,
    .remember = tcp_sender_remember,
    .recall = tcp_sender_recall,
    .yield = tcp_sender_yield,
    .widen = tcp_sender_widen,
    .farewell = tcp_sender_farewell,
    .cwnd_bytes = tcp_sender_cwnd_bytes,
    .settle = tcp_sender_settle,
};

static void dx_on_data(void *end, struct flow_env *env, time_ps now, const struct packet *p) {
    if (p->shape & SHAPE_STAMP) dx_take_arrival(end, now, dx_stamp_of(env, p));
    tcp_receiver_on_packet(end, env, now, p);
}

static bool dx_send_ack(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    if (!tcp_receiver_poll(end, env, now, p)) return false;
    dx_stamp_ack(end, env, p);
    return true;
}

static const struct transport_end dx_receiver_end = {
    .bytes = sizeof(struct dx_receiver),
    .cell_at = offsetof(struct tcp_receiver, held),
    .open = tcp_receiver_open,
    .close = tcp_receiver_close,
    .on_packet = dx_on_data,
    .on_timer = tcp_receiver_on_timer,
    .next_timer = tcp_receiver_next_timer,
    .has_output = tcp_receiver_has_output,
    .poll_transmit = dx_send_ack,
    .is_done = tcp_receiver_is_done,
    .describe = tcp_receiver_describe,
};

/* --- the table --------------------------------------------------------------------------------------------------- */

static const struct param dx_params[DX_N_PARAMS - TCP_N_PARAMS] = {
    [DX_PARAM_Q_MIN - TCP_N_PARAMS] = {.name = "q_min",
                                       .type = PARAM_TIME,
                                       .def = 0,
                                       .min = 0,
                                       .max = PS_PER_S,
                                       .doc = "queueing delay, mean of an RTT, up to which the window grows; comes on "
                                              "top of q_min_frames",
                                       .paper = "DX (AM-13)"},
    [DX_PARAM_Q_MIN_FRAMES - TCP_N_PARAMS] = {.name = "q_min_frames",
                                              .type = PARAM_COUNT,
                                              .def = 1,
                                              .min = 0,
                                              .max = 1000,
                                              .doc = "the same in full frames at the host's rate: less is no queue but "
                                                     "the floor of the measurement",
                                              .paper = "DX (AM-22)"},
};
static const struct param_list dx_param_list = {&tcp_param_list, dx_params, DX_N_PARAMS - TCP_N_PARAMS};
/* A full frame stays 1538 bytes on the wire. */
static const struct param_default dx_defaults[] = {{TCP_PARAM_MSS, TCP_MSS - TCP_STAMP_BYTES}};

const struct transport_ops transport_dx = {
    .name = "dx",
    .paper = "DX (USENIX ATC 2015)",
    .doc = "TCP that sets its window by the queueing delay of its data",
    .base = &tcp_base,
    .sender = &dx_sender_end,
    .receiver = &dx_receiver_end,
    .begins_with_syn = true,
    .congestion = &dx_congestion,
    .stamps = true,
    .params = &dx_param_list,
    .defaults = dx_defaults,
    .n_defaults = 1,
    .more_header_bytes = TCP_STAMP_BYTES,
};
