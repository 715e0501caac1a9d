/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/link_use.h"

int64_t link_share_ppb(uint64_t bytes, int64_t rate_bps, span_ps time) {
    if (time <= 0 || rate_bps <= 0) return 0;
    return (int64_t)((int128)bytes * 8 * PS_PER_S * PPB / ((int128)rate_bps * time));
}

void link_use_add(struct link_sums *s, const struct port_total *t) {
    s->n++;
    s->all += t->utilisation_ppb;
    s->data += t->data_ppb;
    s->all_max = max_i64(s->all_max, t->utilisation_ppb);
    s->data_max = max_i64(s->data_max, t->data_ppb);
}

void link_use_least(struct link_sums *s, const struct port_total *t, const struct port_total *back) {
    int64_t all = max_i64(t->utilisation_ppb, back->utilisation_ppb), data = max_i64(t->data_ppb, back->data_ppb);
    s->all_min = s->any_least ? min_i64(s->all_min, all) : all;
    s->data_min = s->any_least ? min_i64(s->data_min, data) : data;
    s->any_least = true;
}

struct link_use link_use_of(const struct link_sums *s) {
    if (s->n == 0) return (struct link_use){0};
    return (struct link_use){.n = s->n,
                             .mean_ppb = s->all / s->n,
                             .max_ppb = s->all_max,
                             .min_ppb = s->all_min,
                             .data_mean_ppb = s->data / s->n,
                             .data_max_ppb = s->data_max,
                             .data_min_ppb = s->data_min};
}
