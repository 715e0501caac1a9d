/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all TCPs: parameters, counters, and answers to frames of a flow that has ended. */
#include "mech/transport/tcp.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

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
                                       .doc = "longest delay of an ACK; only with delayed_ack above 1",
                                       .needs = "delayed_ack>1",
                                       .lacks = "no ACK is delayed (delayed_ack)",
                                       .paper = "RFC 5681 4.2"},
    [TCP_PARAM_MIN_RTO] = {.name = "min_rto",
                           .type = PARAM_TIME,
                           .def = 10 * PS_PER_MS,
                           .min = PS_PER_US,
                           .max = 60 * PS_PER_S,
                           .doc = "least retransmission timeout",
                           .order = "<=max_rto",
                           .paper = "RFC 6298 2.4"},
    [TCP_PARAM_INITIAL_RTO] = {.name = "initial_rto",
                               .type = PARAM_TIME,
                               .def = TRANSPORT_RTO_AUTO,
                               .min = 0,
                               .max = 60 * PS_PER_S,
                               .word = "auto",
                               .word_value = TRANSPORT_RTO_AUTO,
                               .doc = "timeout of data before the first sample; auto: the larger of "
                                      "min_rto and twice the base round trip of the two hosts; 0: min_rto",
                               .order = "<=max_rto",
                               .paper = "RFC 6298 2.1"},
    [TCP_PARAM_SYN_RTO] = {.name = "syn_rto",
                           .type = PARAM_TIME,
                           .def = TCP_SYN_RTO_OF_DATA,
                           .min = 1,
                           .max = 60 * PS_PER_S,
                           .word = "initial_rto",
                           .word_value = TCP_SYN_RTO_OF_DATA,
                           .doc = "timeout of SYN and SYN-ACK; initial_rto: as that key says",
                           .order = "<=max_rto",
                           .paper = "AM-44"},
    [TCP_PARAM_HANDSHAKE_SAMPLE] = {.name = "handshake_sample",
                                    .type = PARAM_BOOL,
                                    .def = 1,
                                    .max = 1,
                                    .doc = "SYN and SYN-ACK give the first sample of the round trip; false: first data "
                                           "does, and waits for initial_rto",
                                    .paper = "AM-44"},
    [TCP_PARAM_MAX_RTO] = {.name = "max_rto",
                           .type = PARAM_TIME,
                           .def = 60 * PS_PER_S,
                           .min = PS_PER_US,
                           .max = 1000 * PS_PER_S,
                           .doc = "largest timeout after backoff",
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
                                    .doc = "duplicate ACKs below the threshold release new data",
                                    .needs = "dupack_threshold>1",
                                    .lacks = "the first duplicate ACK means a loss (dupack_threshold)",
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
    [TCP_PARAM_FIN] = {.name = "fin",
                       .type = PARAM_BOOL,
                       .max = 1,
                       .doc = "a connection is closed: FIN, FIN-ACK and ACK after the last flow on it",
                       .paper = "RFC 9293 3.6"},
};
const struct param_list tcp_param_list = {NULL, tcp_params, TCP_N_PARAMS};

const struct counter tcp_counters[TCP_N_COUNTERS] = {
    [TCP_FAST_RETRANSMITS] = {"tcp_fast_retransmits", "fast recoveries entered"},
    [TCP_RETRANSMITS] = {"tcp_retransmits", "data segments sent again, for whatever reason"},
    [TCP_RESCUES] = {"tcp_rescues", "of them, rescue retransmissions (RFC 6675 NextSeg rule 4)"},
    [TCP_TIMEOUTS] = {"tcp_timeouts", "retransmission timeouts of data"},
    [TCP_SYN_TIMEOUTS] = {"tcp_syn_timeouts", "SYNs sent again"},
    [TCP_SYNACK_TIMEOUTS] = {"tcp_synack_timeouts", "SYN-ACKs sent again after a timeout"},
    [TCP_SPURIOUS_TIMEOUTS] = {"tcp_spurious_timeouts",
                               "timeouts of SYNs, SYN-ACKs and data that had arrived: they were answered after all"},
    [TCP_DUPACKS] = {"tcp_dupacks", "duplicate ACKs that senders received"},
    [TCP_ECN_CUTS] = {"tcp_ecn_cuts", "windows reduced for ECN-Echo"},
};

size_t tcp_cell_bytes(const int64_t *params) { return scoreboard_bytes(tcp_window_segments(params)); }

static int64_t tcp_window_bytes(const int64_t *params) { return (int64_t)tcp_window_units(params) << TCP_WINDOW_SCALE; }

#define HANDSHAKE_BYTES (2 * 90)           /* SYN and SYN-ACK with their options, on the wire */
#define CLOSING_BYTES (3 * WIRE_MIN_BYTES) /* FIN, FIN-ACK, ACK */

static struct transport_talk tcp_talk(const int64_t *params) {
    struct transport_talk talk = {.opening_pkts = 2,
                                  .opening_bytes = HANDSHAKE_BYTES,
                                  .ack_every = (uint32_t)max_i64(params[TCP_PARAM_DELAYED_ACK], 1),
                                  .ack_bytes = WIRE_MIN_BYTES};
    if (!params[TCP_PARAM_FIN]) return talk;
    talk.closing_pkts = 3;
    talk.closing_bytes = CLOSING_BYTES;
    return talk;
}

static void answer_fill(const struct flow_env *env, uint32_t seq, uint32_t ack, uint8_t flags, struct packet *answer) {
    answer->seq = seq;
    answer->ack = ack;
    answer->tcp_flags = flags;
    answer->window = tcp_window_units(env->params);
    answer->wire_bytes = WIRE_MIN_BYTES;
}

/* Answers a FIN. The receiver's FIN has its first sequence number, as it sends no data, and ends the connection: it
 * gets an ACK. The sender's FIN comes after its data and gets a FIN-ACK. */
static void answer_fin(const struct flow_env *env, const struct packet *p, struct packet *answer) {
    bool of_receiver = p->seq == env->peer_isn + 1;
    uint32_t seq = of_receiver ? p->ack : env->isn + 1;
    answer_fill(env, seq, p->seq + 1, of_receiver ? TCP_ACK : TCP_FIN | TCP_ACK, answer);
}

/* Answers a frame of a finished flow. Data or a SYN arrives again if the last ACK was lost or is still in flight. If
 * the sender's ISN is known, the answer acknowledges the whole flow, as an open receiver would. Otherwise it
 * acknowledges up to the end of this frame, since everything before it arrived too; that costs the sender more round
 * trips. An ACK without data needs no answer. */
static bool tcp_answer_closed(const struct flow_env *env, time_ps now, const struct packet *p, struct packet *answer) {
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

void tcp_slow_start(struct tcp_sender *s, const struct tcp_ack *ack) {
    uint32_t most = ack->after_timeout ? s->mss_bytes : 2u * s->mss_bytes;
    s->cwnd_bytes += ack->acked_bytes < most ? ack->acked_bytes : most;
    if (s->cwnd_bytes > TCP_CWND_MAX) s->cwnd_bytes = TCP_CWND_MAX;
}

void tcp_sender_describe(const void *end, const struct flow_env *env, char *buf, size_t size) {
    const struct tcp_sender *s = end;
    uint64_t flight = s->snd_nxt - s->snd_una;
    uint32_t in_flight = s->board ? s->board->pipe : (uint32_t)((flight + s->mss_bytes - 1) / s->mss_bytes);
    static const char *const name[] = {"closed", "syn_sent", "open", "recovery", "loss", "done"};
    char of[TEXT_OF_FLOW];
    snprintf(buf, size,
             "sender %s: acked %" PRIu64 " sent %" PRIu64 " %s, cwnd %u rwnd %u B, pipe %u, dupacks %u, "
             "%u timeouts in a row, rto at %" PRId64 " ps",
             name[s->state], s->snd_una, s->snd_nxt, text_of_flow(env->bytes, of), s->cwnd_bytes, s->rwnd_bytes,
             in_flight, s->dupacks, s->timeouts, s->rto_at == TIME_NONE ? -1 : s->rto_at);
}

const struct transport_base tcp_base = {
    .params = &tcp_param_list,
    .counters = tcp_counters,
    .n_counters = TCP_N_COUNTERS,
    .proto = PROTO_TCP,
    .header_bytes = 40,
    .handshake_trips = 2,
    .keeps_connections = true,
    .max_payload_param = TCP_PARAM_MSS,
    .min_rto_param = TCP_PARAM_MIN_RTO,
    .max_rto_param = TCP_PARAM_MAX_RTO,
    .initial_rto_param = TCP_PARAM_INITIAL_RTO,
    .syn_rto_param = TCP_PARAM_SYN_RTO,
    .handshake_sample_param = TCP_PARAM_HANDSHAKE_SAMPLE,
    .fast_retransmit_param = TCP_PARAM_FAST_RETRANSMIT,
    .dupack_param = TCP_PARAM_DUPACK_THRESHOLD,
    .window_param = TCP_PARAM_RECEIVE_WINDOW,
    .window_bytes = tcp_window_bytes,
    .cell_bytes = tcp_cell_bytes,
    .talk = tcp_talk,
    .answer_closed = tcp_answer_closed,
};
