/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/epoch.h"

#include "base/memory.h"
#include "ranks/group.h"

#include <stdlib.h>

#define MAX_UPLINKS 4096

static span_ps board_period(const struct world *w) { return w->board_load ? w->config->board_epoch : 0; }

span_ps imbalance_period(const struct world *w) {
    return w->config->measure.imbalance ? w->config->measure.imbalance : 10 * PS_PER_MS;
}

time_ps epoch_next(const struct world *w, time_ps now, const struct notice *all) {
    const struct measure_config *m = &w->config->measure;
    time_ps from = now, observed = epoch_after(now, imbalance_period(w));
    observed = min_i64(observed, min_i64(epoch_after(now, m->queues), epoch_after(now, m->links)));
    observed = min_i64(observed, min_i64(rates_next(w, now), watchdog_next(w, now)));
    observed = min_i64(observed, epoch_after(now, watchdog_samples(w)));
    observed = min_i64(observed, min_i64(marks_next(w, now), last_flow_next(all, now)));
    /* Until the next event nothing changes for the board or for the end of the run, once that was decided: at an epoch of
     * its grid. */
    time_ps idle_to = min_i64(all->next, w->config->until);
    bool decided = now % END_EPOCH == 0;
    if (decided && idle_to != TIME_NONE && idle_to > now + 2 * END_EPOCH) {
        time_ps quiet = idle_to / END_EPOCH * END_EPOCH - END_EPOCH;
        from = max_i64(now, min_i64(quiet, observed - 1));
    }
    time_ps next = min_i64(epoch_after(from, END_EPOCH), epoch_after(from, board_period(w)));
    return min_i64(min_i64(next, observed), w->config->until);
}

time_ps window_end(const struct world *w, const struct wheel *wheel, time_ps start, time_ps epoch) {
    time_ps farthest = start + w->lookahead;
    if (w->n_partitions == 1 || farthest >= epoch) return epoch;
    time_ps edge = wheel_slot_end(wheel, wheel_slot_of(wheel, farthest) - 1);
    return edge > start ? edge : farthest;
}

struct epoch_windows epoch_windows_of(const struct world_config *c, span_ps window) {
    span_ps period = c->switches.balance->needs_board ? min_i64(END_EPOCH, c->board_epoch) : END_EPOCH;
    return (struct epoch_windows){period, window < period ? (period + window - 1) / window : 1};
}

/* ---- the board of link loads ---- */

bool board_is_due(const struct world *w, time_ps now) { return w->board_load && now % board_period(w) == 0; }

void board_share(struct world *w) {
    uint64_t *all = memory_get(w->n_ports, sizeof *all);
    int64_t least = 0;
    for (uint32_t g = 0; g < w->n_ports; g++)
        if (world_has_port(w, g)) all[g] = (uint64_t)w->board_load[g];
    ranks_group_reduce(w->config->group, &least, all, w->n_ports);
    for (uint32_t g = 0; g < w->n_ports; g++) w->board_load[g] = (int64_t)all[g];
    free(all);
}

/* ---- what each partition does ---- */

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
        int128 busy = (int128)sent_since(w, g, now, &w->sent_sampled[g]) * 8 * PS_PER_S * PPB;
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
        int128 paused = (int128)(total - w->paused_sampled[g]) * PPB;
        if (keep) samples_add(samples, now, g, SAMPLE_PAUSE, (int64_t)(paused / w->config->measure.pauses));
        w->paused_sampled[g] = total;
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
        bytes[n] = sent_since(w, g, now, &w->sent_before[g]);
    if (counts) imbalance_add(log, now, sw->node, bytes, n, light_below(w, first + sw->first_uplink, n));
}

/* Returns whether imbalance counts in the interval that ends now. */
static bool imbalance_counts(const struct world *w, time_ps now, bool over) {
    return !over && now - imbalance_period(w) >= w->config->measure.from;
}

void epoch_work(struct world *w, struct partition *part, time_ps now, const struct notice *all) {
    const struct measure_config *m = &w->config->measure;
    bool over = last_flow_is_over(all, now);
    struct samples *q = &w->queue_samples[part->number], *l = &w->link_samples[part->number];
    if (part->number == w->first) {
        marks_step(w, now, all);
        rates_step(w, now, over);
        watchdog_step(w, now);
    }
    bool board = board_is_due(w, now);
    bool queues = m->queues && now % m->queues == 0 && samples_begin(q, now);
    bool links = m->links && now % m->links == 0, keep_links = links && samples_begin(l, now);
    bool pauses = watchdog_samples(w) && now % watchdog_samples(w) == 0,
         keep_pauses = pauses && samples_begin(&w->pause_samples[part->number], now);
    bool imbalance = now % imbalance_period(w) == 0;
    if (!board && !queues && !links && !pauses && !imbalance) return;
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        struct sim_node *n = &part->nodes[i];
        if (queues) sample_queues(w, q, n, now);
        if (links) sample_links(w, l, n, now, keep_links);
        if (pauses) sample_pauses(w, &w->pause_samples[part->number], n, now, keep_pauses);
        if (n->is_host) continue;
        if (board) switch_read_loads(n->sw, now, w->board_load);
        if (imbalance) imbalance_of(w, &w->imbalance[part->number], n->sw, now, imbalance_counts(w, now, over));
    }
}

/* ---- the end ---- */

/* Returns whether the run is stuck: no flow byte for longer than sim/patience.h allows, while flows are open, or no event left. */
static bool run_is_stuck(struct world *w, time_ps now, const struct notice *all, uint64_t flows_done) {
    if (all->bytes != w->last_bytes || all->flows_started == flows_done) {
        w->last_bytes = all->bytes;
        w->last_progress = now;
    }
    if (all->next == TIME_NONE) return w->config->until == TIME_NONE;
    return patience_is_over(w, now, w->last_progress);
}

/* Returns the number of flows that were stopped before their end. Only an epoch can tell: all partitions stand still,
 * so both ends can be read. */
static uint64_t flows_stopped(const struct world *w, time_ps now) {
    uint64_t n = 0;
    int64_t least = 0;
    for (uint32_t i = 0; i < w->n_cut; i++) {
        const struct flow *f = &w->config->flows->flow[w->cut[i]];
        n += world_has_node(w, f->dst) && f->stop < now && w->tally[w->cut[i]].finished_at == TIME_NONE;
    }
    if (w->config->group && w->n_cut) ranks_group_reduce(w->config->group, &least, &n, 1);
    return n;
}

/* Decides whether the run ends. Without `until` it ends only on the grid of END_EPOCH, as does a stuck run: other
 * epochs depend on what is measured. */
void epoch_decide(struct world *w, time_ps now, const struct notice *all) {
    bool on_grid = now % END_EPOCH == 0, endless = w->config->until == TIME_NONE;
    uint64_t done = on_grid ? all->flows_done + flows_stopped(w, now) : 0;
    w->now = now;
    if (endless ? on_grid && done == w->n_awaited : now >= w->config->until) w->stop = true;
    if (!w->stop && on_grid && run_is_stuck(w, now, all, done)) w->stuck = w->stop = true;
    if (all->given_up) w->abandoned = w->stop = true;
}
