/* SPDX-License-Identifier: Apache-2.0 */
/* DX: congestion control by one-way queueing delay (Lee et al., "Accurate Latency-based Congestion Feedback for
 * Datacenters", USENIX ATC 2015; AM-13, XP-27).
 *
 * Every data segment carries its departure stamp (wire/tcp_header.h); the receiver subtracts it from the arrival time
 * and returns the difference in its ACK. Only delay in the data direction counts. Clocks may differ: the sender takes
 * the least difference it has seen as the delay of a path without queues.
 *
 *     once per RTT   Q = mean of (difference - least difference) over the ACKs of the RTT
 *                    Q <= q_min: W + 1 segment; else W (1 - Q / V) + 1, V = T Q W / (Q W + T), T = base RTT + Q,
 *                    which is W (T - Q) / T exactly; one segment at least
 *     q_min          `q_min_frames` full frames at the host's rate (one by default, AM-22) and `q_min` on top: a frame
 *                    of another flow that is being sent when ours arrives is no queue. With 0 and exact stamps every
 *                    such meeting cuts the window, and long flows starve
 *     slow start     until the first Q > q_min
 *     loss, timeout  as NewReno; ECN is not used
 *
 * An RTT is a window of data: it ends when the last segment sent at its beginning is acknowledged. Base RTT: the least
 * RTT measured, handshake included. An ACK carries the mean of the segments that arrived since the previous ACK left.
 * An ACK without such segments (duplicates that wait for the NIC) carries no stamp. With host.nic: pull a frame is
 * stamped when it leaves the host, with fifo when it enters the NIC's queue (AM-14).
 *
 * A stamp takes 12 bytes: the MSS is 1448, so that a full frame stays 1538 on the wire; an ACK is 90. Stamps are in
 * picoseconds, so that on a path without queues all differences are equal, free of a coarser clock's noise.
 */
#ifndef HEDDLE_MECH_TRANSPORT_DX_H
#define HEDDLE_MECH_TRANSPORT_DX_H

#include "mech/transport/tcp.h"

enum dx_param { DX_PARAM_Q_MIN = TCP_N_PARAMS, DX_PARAM_Q_MIN_FRAMES, DX_N_PARAMS };

/* Private state, in `private` of the sender. Delays are kept relative to the first one. */
struct dx {
    int64_t first_ps;    /* delay of the first stamp, reference of the others */
    int64_t least_ps;    /* least relative delay seen */
    int64_t sum_ps;      /* sum of this RTT's relative delays */
    uint64_t window_end; /* payload offset whose ACK ends the RTT; 0 = no ACK yet */
    span_ps q_min_ps;
    uint32_t n; /* samples of this RTT */
    bool has_first;
    bool grew_limited; /* the window was the limit in this RTT */
};
_Static_assert(sizeof(struct dx) <= TCP_PRIVATE_BYTES, "private state");

struct dx_receiver {
    struct tcp_receiver tcp; /* first: the functions of tcp.h take it */
    int64_t sum_ps;          /* delays of the segments since the last ACK, relative to the first of them */
    int64_t first_ps;
    uint32_t n;
};

/* Returns the window after an RTT with mean queueing delay q > q_min, in bytes: W (T - Q) / T, T = base + q. */
uint32_t dx_window(uint32_t cwnd_bytes, span_ps base_rtt_ps, span_ps q_ps, uint32_t mss_bytes);

#endif
