/* What the tables of all TCPs share: parameters, counters and the way to the right end. */
#include "mech/transport/tcp.h"
#include "mech/transport/tcp_params.h"

const struct param tcp_params[TCP_N_PARAMS] = {TCP_PARAM_ROWS(TCP_MSS, 0)};

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

#define HANDSHAKE_BYTES (2 * 90)           /* SYN and SYN-ACK with their options, on the wire */
#define CLOSING_BYTES (3 * WIRE_MIN_BYTES) /* FIN, FIN-ACK, ACK */

struct transport_talk tcp_talk(const int64_t *params) {
    struct transport_talk talk = {.opening_pkts = 2,
                                  .opening_bytes = HANDSHAKE_BYTES,
                                  .ack_every = (uint32_t)max_i64(params[TCP_PARAM_DELAYED_ACK], 1),
                                  .ack_bytes = WIRE_MIN_BYTES};
    if (!params[TCP_PARAM_FIN]) return talk;
    talk.closing_pkts = 3;
    talk.closing_bytes = CLOSING_BYTES;
    return talk;
}

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

bool tcp_farewell(const void *end, const struct flow_env *env, struct packet *p) {
    return tcp_sender_farewell(end, env, p);
}

static void answer_fill(const struct flow_env *env, uint32_t seq, uint32_t ack, uint8_t flags, struct packet *answer) {
    answer->seq = seq;
    answer->ack = ack;
    answer->tcp_flags = flags;
    answer->window = tcp_window_units(env->params);
    answer->wire_bytes = WIRE_MIN_BYTES;
}

/* The receiver's FIN comes with its first sequence number, as it sends no data, and ends the connection; the sender's
 * comes after its data, and is answered in kind. */
static void answer_fin(const struct flow_env *env, const struct packet *p, struct packet *answer) {
    bool of_receiver = p->seq == env->peer_isn + 1;
    uint32_t seq = of_receiver ? p->ack : env->isn + 1;
    answer_fill(env, seq, p->seq + 1, of_receiver ? TCP_ACK : TCP_FIN | TCP_ACK, answer);
}

/* Data or a SYN that comes again: the last ACK was lost or is on its way. With the sender's ISN the whole flow is
 * acknowledged as an open receiver would; without it the end of this frame, for all before it arrived too, which costs
 * the sender more round trips. An ACK without data needs no answer. */
bool tcp_answer_closed(const struct flow_env *env, time_ps now, const struct packet *p, struct packet *answer) {
    (void)now;
    if (p->tcp_flags & TCP_FIN) {
        answer_fin(env, p, answer);
        return true;
    }
    if (p->payload_bytes == 0 && !(p->tcp_flags & TCP_SYN)) return false;
    uint32_t so_far = p->seq + p->payload_bytes + (p->tcp_flags & TCP_SYN ? 1 : 0);
    uint32_t ack = env->peer_isn ? env->peer_isn + 1 + (uint32_t)env->bytes : so_far;
    answer_fill(env, env->isn + 1, ack, TCP_ACK, answer);
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
