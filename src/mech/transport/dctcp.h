/* SPDX-License-Identifier: Apache-2.0 */
/* DCTCP's law and both of its ends, for the transports that share them (dctcp.c, hull.c).
 *
 * Sender: once per window of data alpha <- (1 - g) alpha + g F, where F is the share of acknowledged bytes whose ACKs
 * carried ECN-Echo. The first echo of a window cuts cwnd to cwnd (1 - alpha / 2), one segment at least (DCTCP 3.1 (1),
 * (2); RFC 8257 3.3; AM-2, AM-12). A cut uses the alpha of the last complete window. alpha starts at 1, so the
 * first echo of a fresh flow halves its window; it also ends slow start. All else is NewReno, as published.
 *
 * Receiver: every ACK tells whether the segment it acknowledges was marked. ACKs that wait for the NIC keep their own
 * mark; this is exact for the first 63, and those behind share one mark. With delayed ACKs the two-state rule of RFC
 * 8257 3.2 holds: when the mark changes while segments are not yet acknowledged, an ACK with the former mark
 * acknowledges them at once. An ACK that merges others (out of order) carries the marks of all of them.
 *
 * Fixed point: alpha, g, F in parts per thousand million. No division except at the end of a window and at a cut.
 */
#ifndef HEDDLE_MECH_TRANSPORT_DCTCP_H
#define HEDDLE_MECH_TRANSPORT_DCTCP_H

#include "mech/transport/newreno.h"

enum dctcp_param { DCTCP_PARAM_G = TCP_N_PARAMS, DCTCP_N_PARAMS };

#define DCTCP_ONE 1000000000u /* alpha, g and F of 1 */

/* Private state, in `private` of the sender. */
struct dctcp {
    uint64_t window_end;   /* payload offset; alpha is updated when it is acknowledged; 0 = no ACK yet */
    uint64_t acked_bytes;  /* bytes acknowledged in this window */
    uint64_t marked_bytes; /* those of them whose ACKs carried ECN-Echo */
    uint32_t alpha_ppb;
    uint32_t g_ppb;
    struct newreno growth;
    time_ps pace_at; /* HULL's pacing: no data before this time; TIME_NONE = no wait */
};
_Static_assert(sizeof(struct dctcp) <= TCP_PRIVATE_BYTES, "private state");

static inline struct dctcp *dctcp_of(struct tcp_sender *s) { return (struct dctcp *)s->private; }

struct dctcp_receiver {
    struct tcp_receiver tcp; /* first: the functions of tcp.h take it */
    uint64_t marks;          /* bit i: the i-th pending ACK carries ECN-Echo; bit 63 stands for all behind it */
    uint32_t turn_ack;       /* acknowledgement number of the ACK that a change of the mark forced */
    bool turn_due, turn_marked;
    bool marked; /* DCTCP.CE: the last segment was marked */
};

/* Returns g for a link of this rate: 0.0625 / sqrt(rate / 10 Gbps), at most 1 (AM-12). Rate 0 (not known):
 * 0.0625. */
uint32_t dctcp_gain_ppb(int64_t rate_bps);
/* Returns (1 - g) alpha + g marked / acked. acked_bytes > 0. */
uint32_t dctcp_alpha(uint32_t alpha_ppb, uint32_t g_ppb, uint64_t acked_bytes, uint64_t marked_bytes);
/* Returns cwnd (1 - alpha / 2), one segment at least. */
uint32_t dctcp_cut(uint32_t cwnd_bytes, uint32_t alpha_ppb, uint32_t mss_bytes);

/* The law, the receiver, and the parameters with ECN on. */
extern const struct tcp_congestion dctcp_congestion;
extern const struct transport_end dctcp_receiver_end;
extern const struct param_list dctcp_param_list;
extern const struct param_default dctcp_defaults[1];

#endif
