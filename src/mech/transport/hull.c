/* HULL: Alizadeh et al., "Less is More: Trading a Little Bandwidth for Ultra-Low Latency in the Data Center", NSDI
 * 2012.
 *
 * Three parts. Phantom queues at the ports mark (mech/admit/phantom.h; threshold 1 KB per Gbps, CLAIMS AM-12; drained
 * at 0.95 of the link's rate, XP-27); DCTCP's law answers (dctcp.h); pacing takes the bursts away:
 *
 *     a data frame of b bytes: no data for b x srtt / cwnd after it, half of that in slow start
 *
 * Deviation: HULL's pacer is a token bucket in the NIC that large flows are put into at random and whose rate is
 * measured there. Here each flow is paced at the rate its window means; the NIC of this fabric sends frame by frame, so
 * there are no bursts of segmentation offload to break. `pacing: false` leaves it out. Cost: a timer for each paced
 * frame.
 */
#include "mech/transport/dctcp.h"

enum { HULL_PARAM_PACING = DCTCP_N_PARAMS, HULL_N_PARAMS };

/* Until then no frame leaves. */
static bool hull_waits(const struct tcp_sender *s, time_ps now) {
    const struct dctcp *d = (const struct dctcp *)s->private;
    return d->pace_at != TIME_NONE && now < d->pace_at;
}

static span_ps hull_gap(const struct tcp_sender *s, uint32_t bytes) {
    span_ps gap = (span_ps)((unsigned __int128)bytes * (uint64_t)s->rtt.srtt_ps / s->cwnd_bytes);
    return s->cwnd_bytes < s->ssthresh_bytes ? gap / 2 : gap;
}

static bool hull_has_output(const void *end, enum transport_side side, const struct flow_env *env, time_ps now) {
    if (side == SIDE_SENDER && hull_waits(end, now)) return false;
    return dctcp_has_output(end, side, env, now);
}

static bool hull_poll_transmit(void *end, enum transport_side side, struct flow_env *env, time_ps now,
                               struct packet *p) {
    if (side == SIDE_SENDER && hull_waits(end, now)) return false;
    if (!dctcp_poll_transmit(end, side, env, now, p)) return false;
    if (side == SIDE_SENDER && p->payload_bytes > 0 && env->params[HULL_PARAM_PACING])
        dctcp_of(end)->pace_at = now + hull_gap(end, p->payload_bytes);
    return true;
}

static time_ps hull_next_timer(const void *end, enum transport_side side) {
    time_ps at = tcp_next_timer(end, side);
    if (side == SIDE_RECEIVER) return at;
    const struct tcp_sender *s = end;
    if (s->state == TCP_DONE) return at;
    return min_i64(at, ((const struct dctcp *)s->private)->pace_at);
}

static void hull_on_timer(void *end, enum transport_side side, struct flow_env *env, time_ps now) {
    if (side == SIDE_SENDER && now >= dctcp_of(end)->pace_at) dctcp_of(end)->pace_at = TIME_NONE;
    dctcp_on_timer(end, side, env, now);
}

static const struct param hull_params[HULL_N_PARAMS] = {
    TCP_PARAM_ROWS(TCP_MSS, 1),
    DCTCP_G_ROW,
    [HULL_PARAM_PACING] = {.name = "pacing",
                           .type = PARAM_BOOL,
                           .def = 1,
                           .max = 1,
                           .doc = "space data frames at the rate the window means; false: as ACKs let them out",
                           .paper = "HULL, its packet pacer"},
};

static const struct need hull_needed[] = {
    {"switch.admit", "phantom"}, {"switch.phantom_threshold_per_10g", "10KB"}, {NULL, NULL}};

const struct transport_ops transport_hull = {
    .name = "hull",
    .paper = "HULL (NSDI 2012)",
    .doc = "DCTCP on marks of phantom queues, which leave a little bandwidth free, with pacing",
    .params = hull_params,
    .n_params = HULL_N_PARAMS,
    .needed = hull_needed,
    .on_timer = hull_on_timer,
    .next_timer = hull_next_timer,
    .has_output = hull_has_output,
    .poll_transmit = hull_poll_transmit,
    DCTCP_TABLE,
};
