/* SPDX-License-Identifier: Apache-2.0 */
/* Growth and halving of NewReno's window, for congestion controls that change only the reaction to marks (newreno.c,
 * dctcp.c): struct newreno is a part of their private state.
 *
 *     slow start             cwnd += bytes acknowledged, 2 MSS an ACK at most   (RFC 3465)
 *     congestion avoidance   cwnd += MSS for each cwnd of bytes acknowledged    (RFC 3465, RFC 5681 3.1)
 *     halving                ssthresh = max(flight / 2, floor)                  (RFC 5681 (4))
 *
 * Cost: one addition and one comparison an ACK in congestion avoidance, no call.
 */
#ifndef HEDDLE_MECH_TRANSPORT_NEWRENO_H
#define HEDDLE_MECH_TRANSPORT_NEWRENO_H

#include "mech/transport/tcp.h"

struct newreno {
    uint32_t grown_bytes; /* bytes acknowledged since cwnd last grew in congestion avoidance */
};

static inline void newreno_grow(struct tcp_sender *s, struct newreno *n, const struct tcp_ack *ack) {
    if (!ack->may_grow) return;
    if (s->cwnd_bytes < s->ssthresh_bytes) {
        tcp_slow_start(s, ack);
        return;
    }
    n->grown_bytes += ack->acked_bytes;
    if (n->grown_bytes < s->cwnd_bytes) return;
    n->grown_bytes -= s->cwnd_bytes;
    if (s->cwnd_bytes < TCP_CWND_MAX) s->cwnd_bytes += s->mss_bytes;
}

/* Sets ssthresh; the caller sets cwnd. */
static inline void newreno_halve(struct tcp_sender *s, struct newreno *n, uint32_t flight_bytes,
                                 uint32_t floor_segments) {
    uint32_t floor = floor_segments * s->mss_bytes;
    s->ssthresh_bytes = flight_bytes / 2 > floor ? flight_bytes / 2 : floor;
    n->grown_bytes = 0;
}

#endif
