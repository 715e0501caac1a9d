/* What the tables of all TCPs share: parameters, counters and the way to the right end. */
#include "mech/transport/tcp.h"

const struct param tcp_params[TCP_N_PARAMS] = {
    [TCP_PARAM_MSS] = {.name = "mss",
                       .type = PARAM_BYTES,
                       .def = TCP_MSS,
                       .min = 64,
                       .max = 8960,
                       .doc = "payload bytes of a full segment",
                       .paper = "RFC 9293 3.7.1"},
    [TCP_PARAM_INITIAL_WINDOW] = {.name = "initial_window",
                                  .type = PARAM_COUNT,
                                  .def = 10,
                                  .min = 1,
                                  .max = 1000,
                                  .doc = "initial congestion window in segments",
                                  .paper = "RFC 6928"},
    [TCP_PARAM_RECEIVE_WINDOW] = {.name = "receive_window",
                                  .type = PARAM_BYTES,
                                  .def = 2000000,
                                  .min = 1024,
                                  .max = 16776960,
                                  .doc = "advertised window, rounded down to 256 B, at least one segment; a SYN "
                                         "advertises at most 65535",
                                  .paper = "RFC 7323"},
    [TCP_PARAM_DELAYED_ACK] = {.name = "delayed_ack",
                               .type = PARAM_COUNT,
                               .def = 1,
                               .min = 1,
                               .max = 64,
                               .doc = "acknowledge every n-th segment in order",
                               .paper = "RFC 5681 4.2"},
    [TCP_PARAM_DELAYED_ACK_TIMEOUT] = {.name = "delayed_ack_timeout",
                                       .type = PARAM_TIME,
                                       .def = PS_PER_MS,
                                       .min = PS_PER_US,
                                       .max = 500 * PS_PER_MS,
                                       .doc = "a delayed ACK waits no longer; only with delayed_ack above 1",
                                       .paper = "RFC 5681 4.2"},
    [TCP_PARAM_MIN_RTO] = {.name = "min_rto",
                           .type = PARAM_TIME,
                           .def = 10 * PS_PER_MS,
                           .min = PS_PER_US,
                           .max = 60 * PS_PER_S,
                           .doc = "least retransmission timeout",
                           .paper = "RFC 6298 2.4"},
    [TCP_PARAM_INITIAL_RTO] = {.name = "initial_rto",
                               .type = PARAM_TIME,
                               .def = 0,
                               .min = 0,
                               .max = 60 * PS_PER_S,
                               .doc = "timeout of SYN, SYN-ACK and data before the first sample; 0 = min_rto",
                               .paper = "RFC 6298 2.1"},
    [TCP_PARAM_MAX_RTO] = {.name = "max_rto",
                           .type = PARAM_TIME,
                           .def = 60 * PS_PER_S,
                           .min = PS_PER_US,
                           .max = 1000 * PS_PER_S,
                           .doc = "the backoff goes no higher",
                           .paper = "RFC 6298 2.5"},
    [TCP_PARAM_DUPACK_THRESHOLD] = {.name = "dupack_threshold",
                                    .type = PARAM_COUNT,
                                    .def = 3,
                                    .min = 1,
                                    .max = 1000,
                                    .doc = "duplicate ACKs (SACKed segments above) that mean a loss",
                                    .paper = "RFC 5681 3.2"},
    [TCP_PARAM_FAST_RETRANSMIT] = {.name = "fast_retransmit",
                                   .type = PARAM_BOOL,
                                   .def = 1,
                                   .max = 1,
                                   .doc = "false: only timeouts retransmit",
                                   .paper = "DeTail 5.4"},
    [TCP_PARAM_LIMITED_TRANSMIT] = {.name = "limited_transmit",
                                    .type = PARAM_BOOL,
                                    .def = 1,
                                    .max = 1,
                                    .doc = "duplicate ACKs below the threshold let out new data",
                                    .paper = "RFC 3042"},
    [TCP_PARAM_SACK] = {.name = "sack",
                        .type = PARAM_BOOL,
                        .def = 1,
                        .max = 1,
                        .doc = "selective acknowledgements and recovery by them; false: RFC 6582",
                        .paper = "RFC 2018, RFC 6675"},
    [TCP_PARAM_ECN] = {.name = "ecn",
                       .type = PARAM_BOOL,
                       .def = 0,
                       .max = 1,
                       .doc = "ECN-capable: data may be marked instead of dropped",
                       .paper = "RFC 3168"},
};

const struct counter tcp_counters[TCP_N_COUNTERS] = {
    [TCP_FAST_RETRANSMITS] = {"tcp_fast_retransmits", "fast recoveries entered"},
    [TCP_RETRANSMITS] = {"tcp_retransmits", "data segments sent again, for whatever reason"},
    [TCP_RESCUES] = {"tcp_rescues", "of them, rescue retransmissions (RFC 6675 NextSeg rule 4)"},
    [TCP_TIMEOUTS] = {"tcp_timeouts", "retransmission timeouts of data"},
    [TCP_SYN_TIMEOUTS] = {"tcp_syn_timeouts", "SYNs sent again"},
    [TCP_SYNACK_TIMEOUTS] = {"tcp_synack_timeouts", "SYN-ACKs sent again after a timeout"},
    [TCP_SPURIOUS_TIMEOUTS] = {"tcp_spurious_timeouts", "timeouts of data whose original was acknowledged after all"},
    [TCP_DUPACKS] = {"tcp_dupacks", "duplicate ACKs that senders received"},
    [TCP_ECN_CUTS] = {"tcp_ecn_cuts", "windows reduced for ECN-Echo"},
};

size_t tcp_cell_bytes(const int64_t *params) { return scoreboard_bytes(tcp_window_segments(params)); }

void tcp_open(void *end, enum transport_side side, struct flow_env *env, const struct tcp_congestion *congestion) {
    if (side == SIDE_SENDER)
        tcp_sender_open(end, env, congestion);
    else
        tcp_receiver_open(end, env);
}

void tcp_close(void *end, enum transport_side side, struct flow_env *env) {
    if (side == SIDE_SENDER)
        tcp_sender_close(end, env);
    else
        tcp_receiver_close(end, env);
}

void tcp_on_packet(void *end, enum transport_side side, struct flow_env *env, time_ps now, const struct packet *p) {
    if (side == SIDE_SENDER)
        tcp_sender_on_packet(end, env, now, p);
    else
        tcp_receiver_on_packet(end, env, now, p);
}

void tcp_on_timer(void *end, enum transport_side side, struct flow_env *env, time_ps now) {
    if (side == SIDE_SENDER)
        tcp_sender_on_timer(end, env, now);
    else
        tcp_receiver_on_timer(end, env, now);
}

time_ps tcp_next_timer(const void *end, enum transport_side side) {
    if (side == SIDE_SENDER) return ((const struct tcp_sender *)end)->rto_at;
    return ((const struct tcp_receiver *)end)->timer_at;
}

static bool receiver_has_output(const struct tcp_receiver *r) {
    return r->state == TCP_SYN_RECEIVED ? r->syn_ack_due : r->acks_due > 0;
}

bool tcp_has_output(const void *end, enum transport_side side, const struct flow_env *env, time_ps now) {
    (void)now;
    return side == SIDE_SENDER ? tcp_sender_has_output(end, env) : receiver_has_output(end);
}

bool tcp_poll_transmit(void *end, enum transport_side side, struct flow_env *env, time_ps now, struct packet *p) {
    return side == SIDE_SENDER ? tcp_sender_poll(end, env, now, p) : tcp_receiver_poll(end, env, now, p);
}

bool tcp_is_done(const void *end, enum transport_side side, const struct flow_env *env) {
    (void)env;
    if (side == SIDE_SENDER) return ((const struct tcp_sender *)end)->state == TCP_DONE;
    const struct tcp_receiver *r = end;
    return r->state == TCP_FINISHED && r->acks_due == 0;
}

/* Data or a SYN that comes again: the last ACK was lost or is on its way. With the sender's ISN the whole flow is
 * acknowledged as an open receiver would; without it the end of this frame, for all before it arrived too, which costs
 * the sender more round trips. An ACK without data needs no answer. */
bool tcp_answer_closed(const struct flow_env *env, time_ps now, const struct packet *p, struct packet *answer) {
    (void)now;
    if (p->payload_bytes == 0 && !(p->tcp_flags & TCP_SYN)) return false;
    answer->seq = env->isn + 1;
    answer->ack = env->peer_isn ? env->peer_isn + 1 + (uint32_t)env->bytes
                                : p->seq + p->payload_bytes + (p->tcp_flags & TCP_SYN ? 1 : 0);
    answer->tcp_flags = TCP_ACK;
    answer->window = tcp_window_units(env->params);
    answer->wire_bytes = WIRE_MIN_BYTES;
    return true;
}

void tcp_describe(const void *end, enum transport_side side, const struct flow_env *env, char *buf, size_t size) {
    if (side == SIDE_SENDER)
        tcp_sender_describe(end, env, buf, size);
    else
        tcp_receiver_describe(end, env, buf, size);
}

uint32_t tcp_cwnd_bytes(const void *end) { return ((const struct tcp_sender *)end)->cwnd_bytes; }

void tcp_slow_start(struct tcp_sender *s, const struct tcp_ack *ack) {
    uint32_t most = ack->after_timeout ? s->mss_bytes : 2u * s->mss_bytes;
    s->cwnd_bytes += ack->acked_bytes < most ? ack->acked_bytes : most;
    if (s->cwnd_bytes > TCP_CWND_MAX) s->cwnd_bytes = TCP_CWND_MAX;
}
