/* SPDX-License-Identifier: Apache-2.0 */
#include "mech/balance/dre.h"

struct dre_params dre_params_make(span_ps period, int64_t alpha_ppb) {
    uint128 keep = (((uint128)(PPB - alpha_ppb) << 32) + PPB / 2) / PPB;
    if (keep > UINT32_MAX) keep = UINT32_MAX; /* an alpha below 2^-32 still decays */
    return (struct dre_params){
        .period = period,
        .full_ps = (span_ps)((uint128)period * PPB / (uint128)alpha_ppb),
        .keep_q32 = (uint32_t)keep,
    };
}

static int64_t dre_decay(int64_t x_ps, uint32_t keep_q32) {
    return (int64_t)(((uint128)(uint64_t)x_ps * keep_q32) >> 32);
}

void dre_tick(struct load_meter *m, const struct dre_params *p, time_ps busy_until, time_ps now) {
    while (m->next_tick <= now) {
        m->x_ps += max_i64(0, min_i64(m->next_tick, busy_until) - m->counted_to);
        m->x_ps = dre_decay(m->x_ps, p->keep_q32);
        m->counted_to = m->next_tick;
        if (m->x_ps == 0 && busy_until <= m->counted_to) { /* X is 0: skip the idle ticks */
            m->next_tick = (now / p->period + 1) * p->period;
            return;
        }
        m->next_tick += p->period;
    }
}
