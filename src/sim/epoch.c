#include "sim/epoch.h"

#include <stdlib.h>

static time_ps grid_after(time_ps now, span_ps period) { return period ? (now / period + 1) * period : TIME_NONE; }

static span_ps board_period(const struct world *w) { return w->board_load ? w->config->board_epoch : 0; }

static span_ps imbalance_period(const struct world *w) {
    return w->config->measure.imbalance ? w->config->measure.imbalance : 10 * PS_PER_MS;
}

time_ps epoch_next(const struct world *w, time_ps now, const struct notice *all) {
    const struct measure_config *m = &w->config->measure;
    time_ps from = now;
    /* Until the next event nothing changes that a board or the end of the run could see. */
    if (!m->queues && !m->links && all->next != TIME_NONE && all->next > now + 2 * END_EPOCH) {
        time_ps quiet = all->next / END_EPOCH * END_EPOCH - END_EPOCH;
        from = max_i64(now, min_i64(quiet, grid_after(now, imbalance_period(w)) - 1));
    }
    time_ps next = grid_after(from, END_EPOCH);
    next = min_i64(next, grid_after(from, board_period(w)));
    next = min_i64(next, grid_after(now, m->queues));
    next = min_i64(next, grid_after(now, m->links));
    next = min_i64(next, grid_after(now, imbalance_period(w)));
    return min_i64(next, w->config->until);
}

/* ---- what each partition does ---- */

static void list_room(void **list, size_t n, size_t *size, size_t each) {
    if (n < *size) return;
    *size = *size ? 2 * *size : 256;
    *list = realloc(*list, *size * each);
    if (!*list) abort();
}

static void sample_add(struct sample_list *l, time_ps at, uint32_t port, enum sample_kind kind, int64_t value) {
    list_room((void **)&l->sample, l->n, &l->size, sizeof *l->sample);
    l->sample[l->n++] = (struct sample){.at = at, .port = port, .kind = kind, .value = value};
}

/* Bounded: every second epoch's samples go when the bound is reached. The decision sees the number of ports of the whole fabric
 * and the number of epochs alone, so every partition takes the same one. */
static bool sample_keep(const struct world *w, struct sample_list *l, time_ps now, span_ps period) {
    uint64_t bound = w->config->measure.max_samples ? w->config->measure.max_samples : 1000000;
    uint64_t epoch = (uint64_t)(now / period);
    if (!l->keep_every) l->keep_every = 1;
    while (epoch / l->keep_every * w->n_ports > bound) {
        l->keep_every *= 2;
        size_t kept = 0;
        for (size_t i = 0; i < l->n; i++)
            if (l->sample[i].at / period % l->keep_every == 0) l->sample[kept++] = l->sample[i];
        l->n = kept;
    }
    return epoch % l->keep_every == 0;
}

static void sample_ports(struct world *w, struct partition *part, const struct sim_node *n, time_ps now, bool queues,
                         bool links) {
    const uint32_t *first = w->config->fabric->paths.first_port;
    struct sample_list *l = &w->samples[part->number];
    for (uint32_t g = first[n->node]; g < first[n->node + 1]; g++) {
        if (queues) sample_add(l, now, g, SAMPLE_QUEUE, port_backlog_bytes(&w->view[g], &w->extra[g], now));
        if (links) {
            uint64_t sent = port_bytes_sent_by(&w->port[g], &w->view[g], now);
            __int128 busy = (__int128)(sent - w->sent_sampled[g]) * 8 * PS_PER_S * PPB;
            int64_t load = (int64_t)(busy / ((__int128)w->view[g].rate_bps * w->config->measure.links));
            sample_add(l, now, g, SAMPLE_LINK, load);
            w->sent_sampled[g] = sent;
        }
    }
}

/* Throughput imbalance (EXP-F16): (max - min) / mean over a switch's uplinks in one interval. */
static void imbalance_of(struct world *w, struct partition *part, const struct fabric_switch *sw, time_ps now) {
    uint32_t first = w->config->fabric->paths.first_port[sw->node], n = 0;
    uint64_t sum = 0, least = UINT64_MAX, most = 0;
    for (uint32_t p = sw->first_uplink; p < sw->n_ports; p++, n++) {
        uint64_t sent = port_bytes_sent_by(&w->port[first + p], &w->view[first + p], now);
        uint64_t bytes = sent - w->sent_before[first + p];
        w->sent_before[first + p] = sent;
        sum += bytes;
        if (bytes < least) least = bytes;
        if (bytes > most) most = bytes;
    }
    if (!sum) return;
    struct imbalance_list *l = &w->imbalance[part->number];
    list_room((void **)&l->sample, l->n, &l->size, sizeof *l->sample);
    l->sample[l->n++] = (struct imbalance_sample){
        .at = now, .node = sw->node, .value_ppm = (int64_t)((__int128)(most - least) * n * 1000000 / sum)};
}

void epoch_work(struct world *w, struct partition *part, time_ps now) {
    const struct measure_config *m = &w->config->measure;
    bool board = w->board_load && now % board_period(w) == 0;
    bool queues = m->queues && now % m->queues == 0 && sample_keep(w, &w->samples[part->number], now, m->queues);
    bool links = m->links && now % m->links == 0;
    bool imbalance = now % imbalance_period(w) == 0;
    if (!board && !queues && !links && !imbalance) return;
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        struct sim_node *n = &part->nodes[i];
        if (queues || links) sample_ports(w, part, n, now, queues, links);
        if (n->is_host) continue;
        if (board) switch_read_loads(n->sw, now, w->board_load);
        if (imbalance && n->sw->n_ports - n->sw->first_uplink > 1) imbalance_of(w, part, n->sw, now);
    }
}

/* ---- the end ---- */

/* No flow byte for 10 x the longest RTO while flows are open, or nothing left that could ever happen. */
static bool run_is_stuck(struct world *w, time_ps now, const struct notice *all) {
    if (all->bytes != w->last_bytes || all->flows_started == all->flows_done) {
        w->last_bytes = all->bytes;
        w->last_progress = now;
    }
    if (all->next == TIME_NONE) return w->config->until == TIME_NONE;
    return now - w->last_progress > w->config->hosts.longest_rto * 10;
}

void epoch_decide(struct world *w, time_ps now, const struct notice *all) {
    w->now = now;
    if (w->config->until != TIME_NONE ? now >= w->config->until : all->flows_done == w->config->flows->n) w->stop = true;
    if (!w->stop && run_is_stuck(w, now, all)) w->stuck = w->stop = true;
    if (w->abandoned) w->stop = true;
}
