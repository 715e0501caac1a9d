/* SPDX-License-Identifier: Apache-2.0 */
/* HULL: Alizadeh et al., "Less is More: Trading a Little Bandwidth for Ultra-Low Latency in the Data Center", NSDI
 * 2012.
 *
 * Three parts. Phantom queues at the ports mark (mech/admit/phantom.h; threshold 1 KB per Gbps, AM-12; drained
 * at 0.95 of the link's rate, XP-27). The sender reacts to marks by DCTCP's law (dctcp.h). Pacing removes bursts:
 *
 *     after a data frame of b bytes: no data for b x srtt / cwnd; half of that in slow start
 *
 * Deviation: HULL's pacer is a token bucket in the NIC. It takes in large flows at random and measures their rate
 * there. Here each flow is paced at the rate of its window, cwnd / srtt. The NIC of this fabric sends frame by frame,
 * so there are no bursts of segmentation offload to break up. `pacing: false` turns pacing off. Cost: a timer for each
 * paced frame.
 */
#include "mech/transport/dctcp.h"

enum { HULL_PARAM_PACING = DCTCP_N_PARAMS, HULL_N_PARAMS };

/* Returns whether pacing holds back the next frame. */
static bool hull_waits(const struct tcp_sender *s, time_ps now) {
    const struct dctcp *d = (const struct dctcp *)s->private;
    return d->pace_at != TIME_NONE && now < d->pace_at;
}

static span_ps hull_gap(const struct tcp_sender *s, uint32_t bytes) {
    span_ps gap = (span_ps)((uint128)bytes * (uint64_t)s->rtt.srtt_ps / s->cwnd_bytes);
    return s->cwnd_bytes < s->ssthresh_bytes ? gap / 2 : gap;
}

static bool hull_has_output(const void *end, const struct flow_env *env, time_ps now) {
    return !hull_waits(end, now) && tcp_sender_has_output(end, env, now);
}

static bool hull_poll_transmit(void *end, struct flow_env *env, time_ps now, struct packet *p) {
    if (hull_waits(end, now) || !tcp_sender_poll(end, env, now, p)) return false;
    if (p->payload_bytes > 0 && env->params[HULL_PARAM_PACING])
        dctcp_of(end)->pace_at = now + hull_gap(end, p->payload_bytes);
    return true;
}

static time_ps hull_next_timer(const void *end) {
    const struct tcp_sender *s = end;
    time_ps at = tcp_sender_next_timer(end);
    if (s->state == TCP_DONE) return at;
    return min_i64(at, ((const struct dctcp *)s->private)->pace_at);
}

static void hull_on_timer(void *end, struct flow_env *env, time_ps now) {
    if (now >= dctcp_of(end)->pace_at) dctcp_of(end)->pace_at = TIME_NONE;
    tcp_sender_on_timer(end, env, now);
}

static const struct transport_end hull_sender_end = {
    .bytes = sizeof(struct tcp_sender),
    .cell_at = offsetof(struct tcp_sender, board),
    .open = tcp_sender_open,
    .close = tcp_sender_close,
    .on_packet = tcp_sender_on_packet,
    .on_timer = hull_on_timer,
    .next_timer = hull_next_timer,
    .has_output = hull_has_output,
    .poll_transmit = hull_poll_transmit,
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

static const struct param hull_params[HULL_N_PARAMS - DCTCP_N_PARAMS] = {
    [HULL_PARAM_PACING - DCTCP_N_PARAMS] = {.name = "pacing",
                                            .type = PARAM_BOOL,
                                            .def = 1,
                                            .max = 1,
                                            .doc = "paces data frames at the window's rate; false: ACKs release them",
                                            .paper = "HULL, its packet pacer"},
};
static const struct param_list hull_param_list = {&dctcp_param_list, hull_params, HULL_N_PARAMS - DCTCP_N_PARAMS};

static const struct need hull_needed[] = {
    {"switch.admit", "phantom"}, {"switch.phantom_threshold_per_10g", "10KB"}, {NULL, NULL}};

const struct transport_ops transport_hull = {
    .name = "hull",
    .paper = "HULL (NSDI 2012)",
    .doc = "DCTCP on marks of phantom queues, which leave a little bandwidth free, with pacing",
    .base = &tcp_base,
    .sender = &hull_sender_end,
    .receiver = &dctcp_receiver_end,
    .begins_with_syn = true,
    .congestion = &dctcp_congestion,
    .params = &hull_param_list,
    .defaults = dctcp_defaults,
    .n_defaults = 1,
    .needed = hull_needed,
};
