/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/rates.h"

#include "base/memory.h"
#include "measure/fairness.h"
#include "measure/flows.h"
#include "sim/engine/notice.h"
#include "sim/observe/marks.h"

#include <stdlib.h>

/* ---- before the run ---- */

/* Finds the hosts that receive any flow; returns their number. */
static uint32_t receivers_find(const struct world *w, int64_t *host_bytes) {
    const struct flow_list *flows = w->config->flows;
    uint32_t n = 0;
    for (uint32_t h = 0; h < w->config->fabric->n_hosts; h++) host_bytes[h] = -1;
    for (uint32_t i = 0; i < flows->n; i++) {
        int64_t *bytes = &host_bytes[flows->flow[i].dst];
        n += *bytes < 0;
        *bytes = 0;
    }
    return n;
}

static void meter_init(struct world *w, struct flow_meter *m) {
    flow_meter_init(m, w->config->flows->flow, w->tallies, w->config->flows->n);
}

void rates_init(struct world *w) {
    const struct measure_config *m = &w->config->measure;
    struct rates *r = w->rates = memory_get(1, sizeof *r);
    uint32_t hosts = w->config->fabric->n_hosts;
    r->host_bytes = memory_get(hosts, sizeof *r->host_bytes);
    samples_init(&r->samples, m->goodput, m->max_samples, receivers_find(w, r->host_bytes));
    meter_init(w, &r->goodput);
    meter_init(w, &r->convergence);
    if (m->goodput) r->varies = memory_get(w->config->flows->n, sizeof *r->varies);
    r->episodes = (struct convergence){.band_ppb = m->converge_band_ppb, .from = m->arrivals.from};
    r->phase = memory_get(m->n_phases, sizeof *r->phase);
    for (uint32_t i = 0; i < m->n_jain; i++) {
        meter_init(w, &r->fairness[i]);
        r->total[i].interval = m->jain[i];
        for (uint32_t p = 0; p < m->n_phases; p++) r->phase[p][i].interval = m->jain[i];
    }
}

void rates_fini(struct world *w) {
    struct rates *r = w->rates;
    flow_meter_fini(&r->goodput);
    flow_meter_fini(&r->convergence);
    for (int i = 0; i < FAIRNESS_MAX; i++) flow_meter_fini(&r->fairness[i]);
    samples_fini(&r->samples);
    free(r->episodes.episode);
    free(r->varies);
    free(r->phase);
    free(r->ranks.open);
    free(r->host_bytes);
    free(r);
}

/* ---- at epochs ---- */

time_ps rates_next(const struct world *w, time_ps now) {
    const struct measure_config *m = &w->config->measure;
    time_ps next = min_i64(epoch_after(now, m->goodput), epoch_after(now, m->converge));
    for (uint32_t i = 0; i < m->n_jain; i++) next = min_i64(next, epoch_after(now, m->jain[i]));
    return next;
}

/* Takes a sample of goodput. A period that is left out is metered too, so that each sample covers its own period. */
static void goodput_sample(struct world *w, time_ps now, bool over) {
    struct rates *r = w->rates;
    const struct fabric *f = w->config->fabric;
    span_ps period = w->config->measure.goodput;
    flow_meter_step(&r->goodput, now);
    if (!over) variation_step(r->varies, &r->goodput, w->config->measure.arrivals.from);
    if (!samples_begin(&r->samples, now)) return;
    for (uint32_t i = 0; i < r->goodput.n_open; i++)
        r->host_bytes[r->goodput.flow[r->goodput.open[i].flow].dst] += r->goodput.open[i].bytes;
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        if (r->host_bytes[h] < 0) continue;
        int64_t bps = (int64_t)((int128)r->host_bytes[h] * 8 * PS_PER_S / period);
        samples_add(&r->samples, now, f->paths.first_port[h], SAMPLE_GOODPUT, bps);
        r->host_bytes[h] = 0;
    }
}

static bool meters_are_due(const struct world *w, time_ps now) {
    const struct measure_config *m = &w->config->measure;
    bool due = epoch_is_due(now, m->goodput) || epoch_is_due(now, m->converge);
    for (uint32_t i = 0; i < m->n_jain; i++) due = due || epoch_is_due(now, m->jain[i]);
    return due;
}

/* Adds the index of the i-th length of intervals to the run, and to the phases in which the last interval lies. */
static void fairness_step(struct rates *r, const struct measure_config *m, uint32_t i, time_ps now) {
    const struct flow_meter *meter = &r->fairness[i];
    int64_t ppm;
    flow_meter_step(&r->fairness[i], now);
    if (!fairness_interval_ppm(meter, &ppm)) return;
    if (meter->from >= m->arrivals.from) fairness_add(&r->total[i], ppm);
    for (uint32_t p = 0; p < m->n_phases; p++)
        if (meter->from >= m->phase[p].from && meter->to <= m->phase[p].to) fairness_add(&r->phase[p][i], ppm);
}

void rates_step(struct world *w, time_ps now, bool over) {
    const struct measure_config *m = &w->config->measure;
    struct rates *r = w->rates;
    if (!meters_are_due(w, now)) return;
    if (w->config->group) rates_ranks_share(&w->rates->ranks, w, now);
    if (!world_leads(w)) return;
    if (epoch_is_due(now, m->goodput)) goodput_sample(w, now, over);
    for (uint32_t i = 0; i < m->n_jain && !over; i++)
        if (epoch_is_due(now, m->jain[i])) fairness_step(r, m, i, now);
    if (epoch_is_due(now, m->converge) && !over) {
        flow_meter_step(&r->convergence, now);
        convergence_step(&r->episodes, &r->convergence);
    }
}

/* ---- the end ---- */

/* Returns whether a flow was open at some time of *time. */
static bool is_measured(const struct world *w, struct tallies tally, uint32_t i, const struct averaged *time) {
    const struct flow *f = &w->config->flows->flow[i];
    return tally_started_at(tally, i) < time->to && f->stop > time->from && tally_finished_at(tally, i) > time->from;
}

struct summary hosts_goodput(const struct world *w, struct tallies tally, const struct averaged *time,
                             const int64_t *received, int64_t *jain_ppm) {
    uint32_t hosts = w->config->fabric->n_hosts, n = 0;
    span_ps measured = max_i64(time->to - time->from, 0);
    int64_t *bps = memory_get(hosts, sizeof *bps), none;
    bool *counts = memory_get(hosts, sizeof *counts);
    for (uint32_t i = 0; i < w->config->flows->n; i++)
        counts[w->config->flows->flow[i].dst] |= is_measured(w, tally, i, time);
    for (uint32_t h = 0; h < hosts && measured > 0; h++)
        if (counts[h]) bps[n++] = (int64_t)((int128)received[h] * 8 * PS_PER_S / measured);
    int64_t *jain = jain_ppm ? jain_ppm : &none;
    if (n < 2 || !fairness_jain_ppm(bps, n, jain)) *jain = JAIN_NONE;
    struct summary s = summary_of(bps, n);
    free(bps);
    free(counts);
    return s;
}

static void host_goodput_collect(struct world *w, struct run_result *r) {
    const struct mark *begin = &w->marks->begin, *end = &w->marks->end;
    uint32_t hosts = w->config->fabric->n_hosts;
    const struct averaged time = {begin->at, end->at};
    int64_t *received = memory_get(hosts, sizeof *received);
    for (uint32_t h = 0; h < hosts; h++) received[h] = end->received[h] - (begin->received ? begin->received[h] : 0);
    r->host_goodput_bps = hosts_goodput(w, w->tallies, &time, received, &r->host_goodput_jain_ppm);
    free(received);
}

void rates_collect(struct world *w, struct run_result *r) {
    for (int i = 0; i < FAIRNESS_MAX; i++) r->fairness[i] = w->rates->total[i];
    convergence_finish(&w->rates->episodes, r);
    host_goodput_collect(w, r);
    if (w->rates->varies) r->flow_variation_ppm = variation_summary(w->rates->varies, w->config->flows->n);
}

void rates_collect_phases(const struct world *w, struct run_result *r) {
    for (size_t p = 0; p < r->n_phases; p++)
        for (int i = 0; i < FAIRNESS_MAX; i++) r->phase[p].fairness[i] = w->rates->phase[p][i];
}
