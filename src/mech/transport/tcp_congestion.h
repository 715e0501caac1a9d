/* SPDX-License-Identifier: Apache-2.0 */
/* How a TCP sender's window moves: the part in which NewReno, Cubic, DCTCP and others differ.
 *
 * The sender (tcp_sender.c) detects losses, marks and timeouts, decides what may be sent, and calls the congestion
 * control. The congestion control sets cwnd_bytes and ssthresh_bytes of the sender. Its private state is `private` of
 * the sender, TCP_PRIVATE_BYTES at most, zeroed before `init`.
 *
 * To add one: a .c file with a `struct tcp_congestion` that ends in a transport table (newreno.c is the pattern), and a
 * row in TRANSPORTS. It reads its own parameters from env->params, behind TCP's (enum { MINE = TCP_N_PARAMS }).
 */
#ifndef HEDDLE_MECH_TRANSPORT_TCP_CONGESTION_H
#define HEDDLE_MECH_TRANSPORT_TCP_CONGESTION_H

#include "base/types.h"

struct tcp_sender;
struct flow_env;

#define TCP_CWND_MAX (1u << 30)

/* An ACK for new data. */
struct tcp_ack {
    time_ps now;
    span_ps rtt_ps;       /* RTT of the timed segment, if this ACK acknowledges it; 0: no sample */
    uint32_t acked_bytes; /* newly acknowledged by the cumulative ACK */
    bool may_grow;        /* the window was filled, and no fast recovery is in progress */
    bool after_timeout;   /* the losses of a timeout are being repaired (slow start counts one segment per ACK) */
    bool ece;             /* the ACK carried ECN-Echo */
};

struct tcp_congestion {
    void (*init)(struct tcp_sender *s, const struct flow_env *env);
    void (*on_ack)(struct tcp_sender *s, const struct tcp_ack *ack);
    /* Called when a fast recovery begins: sets ssthresh, and cwnd to it. flight_bytes leaves out limited transmit. */
    void (*on_loss)(struct tcp_sender *s, uint32_t flight_bytes, time_ps now);
    /* Called at the first timeout of a segment: sets ssthresh; the sender then sets cwnd to one segment. */
    void (*on_timeout)(struct tcp_sender *s, uint32_t flight_bytes, time_ps now);
    /* Called at the first ECN-Echo of a window (RFC 3168): sets ssthresh, and cwnd to it, at least one segment
     * (AM-2). */
    void (*on_ecn)(struct tcp_sender *s, uint32_t flight_bytes, time_ps now);
    /* Called when a flow begins with the private state of the flow before it on its connection: forgets payload offsets,
     * which were that one's. */
    void (*resume)(struct tcp_sender *s);
};

/* Grows the window in slow start, with byte counting (RFC 5681, RFC 3465 with L = 2, after a timeout L = 1). */
void tcp_slow_start(struct tcp_sender *s, const struct tcp_ack *ack);

#endif
