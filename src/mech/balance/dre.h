/* SPDX-License-Identifier: Apache-2.0 */
/* DRE: the discounting rate estimator that measures the load of one direction of a link.
 *
 * Paper: Expeditus 3.1 (EXP-8..EXP-10), after CONGA (SIGCOMM 2014) 3.2. A register X grows with the traffic of the link
 * and is multiplied by (1 - alpha) every T_dre; at constant utilisation u it settles near u * T_dre / alpha.
 *
 * Unit: X counts picoseconds of busy link instead of bytes, so full load is T_dre / alpha at every rate and no division
 * is needed. Ticks are the absolute multiples of T_dre, the same for all links of a fabric.
 *
 * Two ways to feed a meter:
 *
 *   dre_advance   egress of an analytic port: the link was busy in (counted_to, min(now, busy_until)].
 *                 Call it BEFORE an enqueue changes busy_until.
 *   dre_count     a frame that has arrived with its last bit (ingress), or that a port with service events sends
 *
 * Exactness: a tick is X <- floor(X * keep_q32 / 2^32). Ticks are applied one by one, and between ticks X only grows by
 * integers. So one step or many give the same register to the picosecond, and reading (which advances) changes no
 * result. A frame at the very instant of a tick is counted after the tick, busy time up to the tick before it.
 *
 * A zeroed meter is an idle link. Time never goes backwards. Cost without a tick: 3 loads, 2 stores, no unpredictable
 * branch; a tick costs one multiplication; idle ticks end as soon as X is 0 (190 ticks from full load at alpha 0.1).
 */
#ifndef HEDDLE_MECH_DRE_H
#define HEDDLE_MECH_DRE_H

#include "base/types.h"
#include "base/views.h"

#define DRE_LEVELS 8 /* 3 bits */
#define DRE_MAX (DRE_LEVELS - 1)

struct dre_params {
    span_ps period;    /* T_dre */
    span_ps full_ps;   /* X of a link that is always busy: T_dre / alpha */
    uint32_t keep_q32; /* 1 - alpha */
};

/* Returns the parameters. Requires period > 0 and 0 < alpha_ppb <= PPB. */
struct dre_params dre_params_make(span_ps period, int64_t alpha_ppb);

/* Brings the meter to now, past one or more ticks: the part of dre_advance for now >= next_tick. */
void dre_tick(struct load_meter *m, const struct dre_params *p, time_ps busy_until, time_ps now);

static inline void dre_advance(struct load_meter *m, const struct dre_params *p, time_ps busy_until, time_ps now) {
    if (__builtin_expect(now >= m->next_tick, 0)) dre_tick(m, p, busy_until, now);
    m->x_ps += max_i64(0, min_i64(now, busy_until) - m->counted_to);
    m->counted_to = now;
}

static inline void dre_count(struct load_meter *m, const struct dre_params *p, span_ps span, time_ps now) {
    if (__builtin_expect(now >= m->next_tick, 0)) dre_tick(m, p, 0, now);
    m->x_ps += span;
    m->counted_to = now;
}

/* Returns the register at now. */
static inline int64_t dre_read(struct load_meter *m, const struct dre_params *p, time_ps busy_until, time_ps now) {
    dre_advance(m, p, busy_until, now);
    return m->x_ps;
}

/* Returns the egress register of either kind of port: a port with service events counts its frames itself. */
static inline int64_t dre_egress(struct port_view *v, const struct dre_params *p, time_ps now) {
    return dre_read(&v->egress, p, v->drain_bytes ? 0 : v->busy_until, now);
}

static inline int64_t dre_ingress(struct port_view *v, const struct dre_params *p, time_ps now) {
    return dre_read(&v->ingress, p, 0, now);
}

/* Returns the level in 3 bits: min(7, floor(8 * X / full)) (EXP-10). Three compares. */
static inline uint8_t dre_quantize(int64_t x_ps, int64_t full_ps) {
    int64_t rest = 8 * x_ps;
    unsigned level = 0;
    for (unsigned bit = 4; bit; bit >>= 1) {
        bool over = rest >= full_ps * (int64_t)bit;
        rest -= over ? full_ps * (int64_t)bit : 0;
        level |= over ? bit : 0;
    }
    return (uint8_t)level;
}

#endif
