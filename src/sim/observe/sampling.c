/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/sampling.h"

#include "base/memory.h"
#include "sim/engine/notice.h"
#include "sim/observe/watchdog.h"

#include <stdlib.h>

#define MAX_UPLINKS 4096

/* Returns the length of the intervals over which imbalance is measured. */
static span_ps imbalance_period(const struct world *w) {
    return w->config->measure.imbalance ? w->config->measure.imbalance : 10 * PS_PER_MS;
}

void sampling_init(struct world *w) {
    const struct measure_config *m = &w->config->measure;
    struct sampling *s = w->sampling = memory_get(1, sizeof *s);
    s->sent_before = memory_get(w->n_ports, sizeof *s->sent_before);
    s->sent_sampled = memory_get(w->n_ports, sizeof *s->sent_sampled);
    if (watchdog_samples(w)) s->paused_sampled = memory_get(w->n_ports, sizeof *s->paused_sampled);
    s->queues = memory_get(w->n_partitions, sizeof *s->queues);
    s->links = memory_get(w->n_partitions, sizeof *s->links);
    s->pauses = memory_get(w->n_partitions, sizeof *s->pauses);
    s->imbalance = memory_get(w->n_partitions, sizeof *s->imbalance);
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        samples_init(&s->queues[i], m->queues, m->max_samples, w->n_ports);
        samples_init(&s->links[i], m->links, m->max_samples, w->n_ports);
        samples_init(&s->pauses[i], m->pauses, m->max_samples, w->n_ports);
    }
}

void sampling_fini(struct world *w) {
    struct sampling *s = w->sampling;
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        samples_fini(&s->queues[i]);
        samples_fini(&s->links[i]);
        samples_fini(&s->pauses[i]);
        imbalance_log_fini(&s->imbalance[i]);
    }
    void *lists[] = {s->sent_before, s->sent_sampled, s->paused_sampled, s->queues, s->links, s->pauses, s->imbalance};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]);
    free(s);
}

/* ---- at epochs ---- */

time_ps sampling_next(const struct world *w, time_ps now) {
    const struct measure_config *m = &w->config->measure;
    time_ps next = min_i64(epoch_after(now, imbalance_period(w)), epoch_after(now, watchdog_samples(w)));
    return min_i64(next, min_i64(epoch_after(now, m->queues), epoch_after(now, m->links)));
}

static void sample_queues(struct world *w, struct samples *samples, const struct sim_node *n, time_ps now) {
    const uint32_t *first = w->config->fabric->paths.first_port;
    for (uint32_t g = first[n->node]; g < first[n->node + 1]; g++)
        samples_add(samples, now, g, SAMPLE_QUEUE, port_backlog_bytes(&w->port[g], &w->view[g], now));
}

/* Returns the wire bytes that a port has sent since it had sent *before, and brings *before up to date. A port whose rate
 * rises counts what is in its queue at the new rate, and so less as sent than before: nothing then, until it has caught
 * up. */
static uint64_t sent_since(const struct world *w, uint32_t g, time_ps now, uint64_t *before) {
    uint64_t sent = port_bytes_sent_by(&w->port[g], &w->view[g], now);
    if (sent <= *before) return 0;
    uint64_t bytes = sent - *before;
    *before = sent;
    return bytes;
}

/* Samples the utilisation of links since the last sample. */
static void sample_links(struct world *w, struct samples *samples, const struct sim_node *n, time_ps now, bool keep) {
    const uint32_t *first = w->config->fabric->paths.first_port;
    for (uint32_t g = first[n->node]; g < first[n->node + 1]; g++) {
        int128 busy = (int128)sent_since(w, g, now, &w->sampling->sent_sampled[g]) * 8 * PS_PER_S * PPB;
        int128 whole = (int128)w->view[g].rate_bps * w->config->measure.links;
        if (keep) samples_add(samples, now, g, SAMPLE_LINK, (int64_t)(busy / whole));
    }
}

/* Samples how many classes were stopped since the last sample, on average. */
static void sample_pauses(struct world *w, struct samples *samples, const struct sim_node *n, time_ps now, bool keep) {
    const uint32_t *first = w->config->fabric->paths.first_port;
    for (uint32_t g = first[n->node]; g < first[n->node + 1]; g++) {
        const struct pause_state *s = watchdog_pauses(w, g);
        span_ps total = 0;
        for (uint32_t k = 0; s && k < watchdog_lanes(w); k++) total += pause_total(s, k, now);
        int128 paused = (int128)(total - w->sampling->paused_sampled[g]) * PPB;
        if (keep) samples_add(samples, now, g, SAMPLE_PAUSE, (int64_t)(paused / w->config->measure.pauses));
        w->sampling->paused_sampled[g] = total;
    }
}

/* Returns the bytes that n uplinks from port g on carry in a period at measure.imbalance_min_load. */
static uint64_t light_below(const struct world *w, uint32_t g, uint32_t n) {
    int128 bps = 0;
    for (uint32_t i = 0; i < n; i++) bps += w->view[g + i].rate_bps;
    int128 per_s = bps / 8 * w->config->measure.imbalance_min_ppb / PPB;
    return (uint64_t)(per_s * imbalance_period(w) / PS_PER_S);
}

/* counts: the interval that ends now is taken in. */
static void imbalance_of(struct world *w, struct imbalance_log *log, const struct fabric_switch *sw, time_ps now,
                         bool counts) {
    uint64_t bytes[MAX_UPLINKS];
    uint32_t first = w->config->fabric->paths.first_port[sw->node], n = 0;
    for (uint32_t g = first + sw->first_uplink; g < first + sw->n_ports && n < MAX_UPLINKS; g++, n++)
        bytes[n] = sent_since(w, g, now, &w->sampling->sent_before[g]);
    if (counts) imbalance_add(log, now, sw->node, bytes, n, light_below(w, first + sw->first_uplink, n));
}

/* Returns whether imbalance counts in the interval that ends now. */
static bool imbalance_counts(const struct world *w, time_ps now, bool over) {
    return !over && now - imbalance_period(w) >= w->config->measure.arrivals.from;
}

void sampling_step(struct world *w, struct partition *part, time_ps now, bool over) {
    const struct measure_config *m = &w->config->measure;
    struct samples *q = &w->sampling->queues[part->number], *l = &w->sampling->links[part->number],
                   *p = &w->sampling->pauses[part->number];
    struct imbalance_log *log = &w->sampling->imbalance[part->number];
    bool queues = epoch_is_due(now, m->queues) && samples_begin(q, now);
    bool links = epoch_is_due(now, m->links), keep_links = links && samples_begin(l, now);
    bool pauses = epoch_is_due(now, watchdog_samples(w)), keep_pauses = pauses && samples_begin(p, now);
    bool imbalance = epoch_is_due(now, imbalance_period(w));
    if (!queues && !links && !pauses && !imbalance) return;
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        struct sim_node *n = &part->nodes[i];
        if (queues) sample_queues(w, q, n, now);
        if (links) sample_links(w, l, n, now, keep_links);
        if (pauses) sample_pauses(w, p, n, now, keep_pauses);
        if (imbalance && !n->is_host) imbalance_of(w, log, n->sw, now, imbalance_counts(w, now, over));
    }
}

/* ---- the end ---- */

static enum tier tier_of(const void *context, uint32_t node) {
    const struct world *w = context;
    return w->config->fabric->node[node].tier;
}

void sampling_collect(struct world *w, struct samples *more, struct run_result *r) {
    struct sampling *s = w->sampling;
    uint32_t parts = w->n_partitions;
    size_t n = 3 * (size_t)parts + 1;
    struct samples *all = memory_get(n, sizeof *all);
    for (uint32_t i = 0; i < parts; i++) {
        all[3 * i] = s->queues[i];
        all[3 * i + 1] = s->links[i];
        all[3 * i + 2] = s->pauses[i];
    }
    all[n - 1] = *more;
    samples_merge(all, n, r);
    *more = all[n - 1];
    for (uint32_t i = 0; i < parts; i++) {
        s->queues[i] = all[3 * i];
        s->links[i] = all[3 * i + 1];
        s->pauses[i] = all[3 * i + 2];
    }
    free(all);
    time_ps until = imbalance_until(w->config->flows->flow, w->tallies, w->config->flows->n, imbalance_period(w));
    imbalance_merge(s->imbalance, parts, until, tier_of, w, r);
}

void sampling_collect_phases(const struct world *w, struct run_result *r) {
    for (size_t i = 0; i < r->n_phases; i++) {
        struct phase_total *p = &r->phase[i];
        for (int tier = 0; tier < TIER_COUNT; tier++)
            p->imbalance_ppm[tier] =
                imbalance_within(r, p->from + imbalance_period(w), p->to, (enum tier)tier, tier_of, w);
    }
}
