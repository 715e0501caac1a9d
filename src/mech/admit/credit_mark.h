/* SPDX-License-Identifier: Apache-2.0 */
/* Marking of credits by the loss of credits (SprayPass 3.2, SP-7, SP-8).
 *
 *     P_d = dropped / injected, of the last N_cdt credits that arrived at the port       (SP-7)
 *     a credit that leaves is marked with probability P_d; a mark is never removed       (SP-8)
 *
 * P_d is updated by count, not by time: with every N_cdt-th credit. On a port that falls idle it would stay for ever;
 * with `stale` it returns to 0 once no credit has arrived for that long. N_cdt = 0: nothing is marked. Cost: two
 * counters a credit, a division every N_cdt credits.
 */
#ifndef HEDDLE_MECH_ADMIT_CREDIT_MARK_H
#define HEDDLE_MECH_ADMIT_CREDIT_MARK_H

#include "base/random.h"
#include "wire/packet.h"

struct credit_mark {
    uint32_t window;            /* N_cdt */
    uint32_t injected, dropped; /* counts of the current window */
    uint32_t p_q16;             /* P_d x 2^16 */
    span_ps stale;              /* 0: P_d stays until the next window is full */
    time_ps last;               /* arrival of the last credit; kept only for `stale` */
    struct random_stream random;
    uint64_t marked;
};

/* Counts a credit that came to the port, and how many credits were dropped for it, itself included; updates P_d when
 * the window is full. */
static inline void credit_mark_inject(struct credit_mark *m, uint32_t dropped, time_ps now) {
    const uint32_t window = m->window;
    if (window == 0) return;
    if (m->stale) {
        if (now - m->last > m->stale) m->injected = m->dropped = m->p_q16 = 0;
        m->last = now;
    }
    m->dropped += dropped;
    if (++m->injected < window) return;
    m->p_q16 = (m->dropped << 16) / window; // NOLINT(clang-analyzer-core.DivideZero): returned above
    m->injected = m->dropped = 0;
}

/* Marks a departing ECN-capable credit with probability P_d. */
static inline void credit_mark_leave(struct credit_mark *m, struct packet *credit) {
    if (!m->p_q16 || (credit->tos & ECN_MASK) == ECN_NOT) return;
    if ((random_u32(&m->random) & 0xffff) >= m->p_q16) return;
    credit->tos |= ECN_CE;
    m->marked++;
}

#endif
