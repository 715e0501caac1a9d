/* SPDX-License-Identifier: Apache-2.0 */
/* Round-trip time and retransmission timeout by RFC 6298, in picoseconds.
 *
 *     first sample R:  srtt = R, rttvar = R / 2
 *     later ones:      rttvar = 3/4 rttvar + 1/4 |srtt - R|, then srtt = 7/8 srtt + 1/8 R
 *     RTO = srtt + 4 rttvar, held in [min_rto, max_rto]; the clock's granularity is a picosecond
 *
 * One segment is timed at a time. A retransmission ends the timing (Karn), because timestamps are off.
 */
#ifndef HEDDLE_MECH_TRANSPORT_TCP_RTT_H
#define HEDDLE_MECH_TRANSPORT_TCP_RTT_H

#include "base/types.h"

struct tcp_rtt {
    span_ps srtt_ps; /* 0 = no sample yet */
    span_ps rttvar_ps;
    span_ps min_ps; /* least sample */
};

static inline void tcp_rtt_sample(struct tcp_rtt *r, span_ps sample) {
    if (sample < 1) sample = 1;
    if (r->srtt_ps == 0) {
        r->srtt_ps = r->min_ps = sample;
        r->rttvar_ps = sample / 2;
        return;
    }
    span_ps error = sample > r->srtt_ps ? sample - r->srtt_ps : r->srtt_ps - sample;
    r->rttvar_ps += (error - r->rttvar_ps) / 4;
    r->srtt_ps += (sample - r->srtt_ps) / 8;
    r->min_ps = min_i64(r->min_ps, sample);
}

static inline span_ps tcp_rtt_rto(const struct tcp_rtt *r, span_ps min_rto, span_ps max_rto) {
    return min_i64(max_i64(r->srtt_ps + 4 * r->rttvar_ps, min_rto), max_rto);
}

#endif
