/* SPDX-License-Identifier: Apache-2.0 */
/* TCP, the two ends of a one-way flow (RFC 9293, 5681, 6582, 6675, 2018, 6298, 3042, 3168).
 *
 * The sender is the active opener. The frames of a flow without loss:
 *
 *     SYN ->  <- SYN-ACK  data (carries the handshake's ACK) ->  <- ACK per data segment (or every `delayed_ack`-th)
 *
 * A flow on a connection that is open already (env->established) begins with its data; both ends know the other's ISN
 * from the start.
 *
 * A pure ACK of the handshake leaves only if there is no data to send. A flow ends when its last byte is acknowledged.
 * With `fin` the sender then closes the connection, unless another flow will use it: FIN ->  <- FIN-ACK  ACK ->. Both
 * ends have discarded their state by then, and nobody waits for the FIN: a lost FIN is not sent again. Payload is
 * always cut at multiples of the MSS, so both ends count segments where that is cheaper. Payload byte 0 has sequence
 * number ISN + 1. Offsets in the state are 64 bits; on the wire they wrap.
 *
 * Sender: may send while flight + segment <= min(cwnd, receive window). It takes a scoreboard (scoreboard.h) at the
 * first loss or reordering. Fast recovery begins with the `dupack_threshold`-th duplicate ACK, or when RFC 6675's
 * IsLost holds for the first segment. It sends what NextSeg yields, rescue retransmission included, while cwnd - pipe
 * >= 1 MSS. A segment that was retransmitted once is not retransmitted again before a timeout, neither as a rescue nor
 * by a recovery that follows at once. A timeout marks everything in flight lost except SACKed segments, and slow start
 * from one segment repairs it. Each timeout doubles the RTO; the backoff ends with a new RTT sample (Karn), that of a
 * SYN with the SYN-ACK. SYN and SYN-ACK start from `syn_rto`, data without a sample from `initial_rto`; the authors of
 * Expeditus ran 3 s and 400 us (AM-44). ns-3.10, their simulator, takes no sample from the handshake: without
 * `handshake_sample` the first data always waits for `initial_rto` (inferred from its TcpSocketBase). Spurious
 * timeouts are counted, not undone: if an ACK for new data, or the answer of a SYN or SYN-ACK, comes sooner after the
 * retransmission than the least RTT ever measured, it must be for the original. Before the first measurement the least
 * RTT is that of minimum frames in an idle fabric (env->trip_ps). Of several timeouts in a row all count if the answer
 * comes sooner even after the first retransmission, else the last. The window grows only if it was the limit: the ACK is for data of a
 * window that was filled (RFC 9438, 4.2; RFC 7661).
 *
 * Receiver: reads at once, so its window is constant. While everything arrives in order, each ACK that waits for the
 * NIC keeps its own number; a segment out of order merges the waiting ACKs. Delayed ACKs leave at once on anything out
 * of order, on a segment that fills a hole and on the last segment of the flow. Only for the tally, the receiver reads
 * `serial` of the descriptor: a segment below the highest one held counts as reordered if it was sent before that one,
 * so a retransmission does not count. A world without serials counts none.
 *
 * ECN (parameter `ecn`, negotiated on the SYN): ECT(0) on new data, echo until CWR, one cut per window.
 *
 * Cost: an in-order data segment and its ACK touch two cache lines of the sender, one of the receiver and their
 * tallies; no division.
 */
#ifndef HEDDLE_MECH_TRANSPORT_TCP_H
#define HEDDLE_MECH_TRANSPORT_TCP_H

#include "base/cells.h"
#include "mech/transport/scoreboard.h"
#include "mech/transport/tcp_congestion.h"
#include "mech/transport/tcp_rtt.h"
#include "mech/transport/transport.h"
#include "wire/tcp_header.h"

#define TCP_SYN_RTO_OF_DATA (-1) /* value of syn_rto: the timeout of data before the first sample */

enum tcp_param {
    TCP_PARAM_MSS,
    TCP_PARAM_INITIAL_WINDOW,
    TCP_PARAM_RECEIVE_WINDOW,
    TCP_PARAM_DELAYED_ACK,
    TCP_PARAM_DELAYED_ACK_TIMEOUT,
    TCP_PARAM_MIN_RTO,
    TCP_PARAM_INITIAL_RTO,
    TCP_PARAM_SYN_RTO,
    TCP_PARAM_HANDSHAKE_SAMPLE,
    TCP_PARAM_MAX_RTO,
    TCP_PARAM_DUPACK_THRESHOLD,
    TCP_PARAM_FAST_RETRANSMIT,
    TCP_PARAM_LIMITED_TRANSMIT,
    TCP_PARAM_SACK,
    TCP_PARAM_ECN,
    TCP_PARAM_FIN,
    TCP_N_PARAMS
};
extern const struct param tcp_params[TCP_N_PARAMS];

enum tcp_counter {
    TCP_FAST_RETRANSMITS,
    TCP_RETRANSMITS,
    TCP_RESCUES,
    TCP_TIMEOUTS,
    TCP_SYN_TIMEOUTS,
    TCP_SYNACK_TIMEOUTS,
    TCP_SPURIOUS_TIMEOUTS,
    TCP_DUPACKS,
    TCP_ECN_CUTS,
    TCP_N_COUNTERS
};
extern const struct counter tcp_counters[TCP_N_COUNTERS];

enum tcp_sender_state {
    TCP_CLOSED,   /* -> SYN_SENT, or OPEN on an open connection */
    TCP_SYN_SENT, /* -> OPEN (SYN-ACK) */
    TCP_OPEN,     /* -> RECOVERY (duplicate ACKs), LOSS (timeout), DONE (all acknowledged) */
    TCP_RECOVERY, /* -> OPEN (recovery point acknowledged), LOSS, DONE */
    TCP_LOSS,     /* -> OPEN (recovery point acknowledged), DONE; a further timeout stays */
    TCP_DONE      /* end */
};

enum tcp_receiver_state {
    TCP_LISTEN,       /* -> SYN_RECEIVED (SYN) */
    TCP_SYN_RECEIVED, /* -> ESTABLISHED (anything that acknowledges the SYN-ACK) */
    TCP_ESTABLISHED,  /* -> FINISHED (last byte) */
    TCP_FINISHED      /* end */
};

#define TCP_PRIVATE_BYTES 64
#define TCP_MEMORY_BYTES (TCP_PRIVATE_BYTES + sizeof(struct tcp_rtt) + 8) /* kept for the next flow (tcp_memory.c) */

struct tcp_sender {
    /* used on every ACK and every segment */
    uint64_t snd_una, snd_nxt; /* payload offsets; snd_nxt is the highest ever sent, retransmissions do not move it */
    time_ps rto_at;            /* TIME_NONE while nothing is timed */
    uint32_t cwnd_bytes, ssthresh_bytes, rwnd_bytes;
    uint32_t extra_bytes; /* limited transmit: bytes that duplicate ACKs allow above cwnd */
    uint32_t seq_base;    /* sequence number of payload byte 0 */
    uint32_t rcv_nxt;     /* acknowledgement number of every segment: the peer's ISN + 1 */
    uint16_t mss_bytes, window_units;
    uint8_t state;
    uint8_t timeouts; /* in a row, without new data acknowledged */
    bool frame_due;   /* a SYN is to be sent (in SYN_SENT), later a pure ACK */
    bool ecn_on;
    struct scoreboard *board; /* NULL while all arrives in order */
    const struct tcp_congestion *congestion;
    uint64_t limited_end; /* payload offset; data below it was sent while cwnd was the limit */
    uint64_t timed_end;   /* payload offset whose ACK gives an RTT sample; 0 = nothing is timed */
    time_ps timed_at;
    span_ps rto_ps; /* backoff included */
    /* used on loss and timeouts only */
    struct tcp_rtt rtt;
    time_ps repaired_at;     /* first retransmission after the last timeout; TIME_NONE until it is sent */
    time_ps first_repair_at; /* the same, after the first timeout in a row */
    uint64_t recovery_point; /* snd_nxt when the last recovery or loss began */
    uint64_t ecn_end;        /* ECN-Echo counts again once this is acknowledged */
    uint16_t dupacks;
    bool rexmit_due; /* the first retransmission of a recovery is due, whatever pipe is */
    bool cwr_due;
    _Alignas(8) char private[TCP_PRIVATE_BYTES];
};
_Static_assert(sizeof(struct tcp_sender) <= 256, "four lines");

struct tcp_receiver {
    uint64_t rcv_nxt;        /* payload offset expected next */
    struct reassembly *held; /* NULL while all arrives in order */
    time_ps timer_at;        /* deadline of the SYN-ACK or the delayed ACK */
    uint32_t seq_base;       /* sequence number of the sender's payload byte 0 */
    uint32_t seq;            /* sequence number of its own frames: ISN + 1 */
    uint32_t acks_due;       /* frames to send */
    uint32_t acks_behind;    /* number of them, from the first, that each acknowledge one segment less than the next */
    uint16_t mss_bytes;
    uint16_t window_units;
    uint8_t state;
    bool syn_ack_due;
    bool ecn_on, ece;
    uint8_t delayed_ack, unacked; /* segments per ACK, segments since the last */
    uint32_t window_bytes;
    span_ps rto_ps;
};
_Static_assert(sizeof(struct tcp_receiver) <= 128, "two lines");

/* The two ends, as tables and function by function for transports that replace some functions (dctcp.c, hull.c, dx.c).
 * The state of such an end must begin with that of this one. */
extern const struct transport_end tcp_sender_end, tcp_receiver_end;

void tcp_sender_open(void *end, struct flow_env *env, time_ps now);
void tcp_sender_close(void *end, struct flow_env *env);
void tcp_sender_on_packet(void *end, struct flow_env *env, time_ps now, const struct packet *p);
void tcp_sender_on_timer(void *end, struct flow_env *env, time_ps now);
time_ps tcp_sender_next_timer(const void *end);
bool tcp_sender_has_output(const void *end, const struct flow_env *env, time_ps now);
bool tcp_sender_poll(void *end, struct flow_env *env, time_ps now, struct packet *p);
bool tcp_sender_is_done(const void *end, const struct flow_env *env);
void tcp_sender_describe(const void *end, const struct flow_env *env, char *buf, size_t size);
bool tcp_sender_has_sent(const void *end, const struct flow_env *env);
void tcp_sender_remember(const void *end, void *memory);
void tcp_sender_recall(void *end, const struct flow_env *env, const void *memory, uint64_t window_bytes);
uint64_t tcp_sender_yield(void *end);
void tcp_sender_widen(void *end, uint64_t bytes);
bool tcp_sender_farewell(const void *end, const struct flow_env *env, struct packet *p);
uint32_t tcp_sender_cwnd_bytes(const void *end);
void tcp_sender_settle(void *end, struct flow_env *env);

void tcp_receiver_open(void *end, struct flow_env *env, time_ps now);
void tcp_receiver_close(void *end, struct flow_env *env);
void tcp_receiver_on_packet(void *end, struct flow_env *env, time_ps now, const struct packet *p);
void tcp_receiver_on_timer(void *end, struct flow_env *env, time_ps now);
time_ps tcp_receiver_next_timer(const void *end);
bool tcp_receiver_has_output(const void *end, const struct flow_env *env, time_ps now);
bool tcp_receiver_poll(void *end, struct flow_env *env, time_ps now, struct packet *p);
bool tcp_receiver_is_done(const void *end, const struct flow_env *env);
void tcp_receiver_describe(const void *end, const struct flow_env *env, char *buf, size_t size);

size_t tcp_cell_bytes(const int64_t *params);

/* The base and the parameters that all TCPs share. */
extern const struct transport_base tcp_base;
extern const struct param_list tcp_param_list;

/* Returns the receive window in force: at least one segment, rounded to what the wire can express (units of 256 B). */
static inline uint16_t tcp_window_units(const int64_t *params) {
    int64_t bytes = max_i64(params[TCP_PARAM_RECEIVE_WINDOW], params[TCP_PARAM_MSS] + 255);
    return tcp_window((uint64_t)bytes, 0);
}

static inline uint64_t tcp_window_segments(const int64_t *params) {
    return ((uint64_t)tcp_window_units(params) << TCP_WINDOW_SCALE) / (uint64_t)params[TCP_PARAM_MSS] + 2;
}

/* Returns the timeout of data before the first sample. */
static inline span_ps tcp_initial_rto(const struct flow_env *env) {
    const int64_t *params = env->params;
    span_ps rto = params[TCP_PARAM_INITIAL_RTO];
    if (rto == TRANSPORT_RTO_AUTO) rto = max_i64(params[TCP_PARAM_MIN_RTO], 2 * flow_base_trip(env));
    if (rto == 0) rto = params[TCP_PARAM_MIN_RTO];
    return min_i64(rto, params[TCP_PARAM_MAX_RTO]);
}

/* Returns the first timeout of a SYN or SYN-ACK. */
static inline span_ps tcp_syn_rto(const struct flow_env *env) {
    span_ps rto = env->params[TCP_PARAM_SYN_RTO];
    return rto == TCP_SYN_RTO_OF_DATA ? tcp_initial_rto(env) : min_i64(rto, env->params[TCP_PARAM_MAX_RTO]);
}

#endif
