/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of ports, and their sums over tiers and over the links that measure.watch names. */
#include "sim/observe/collect_ports.h"

#include "base/memory.h"
#include "measure/link_use.h"
#include "node/cioq.h"
#include "sim/observe/marks.h"
#include "sim/observe/summarise.h"

void port_total_average(struct port_total *t, const struct port_span *span, int64_t rate_bps, span_ps time) {
    t->mean_queue_bytes = span->mean_queue_bytes;
    t->paused = span->paused;
    t->blocked = span->blocked;
    t->utilisation_ppb = link_share_ppb(span->sent, rate_bps, time);
    t->data_ppb = link_share_ppb(span->sent > span->credits ? span->sent - span->credits : 0, rate_bps, time);
}

static void port_collect(const struct world *w, struct port_total *t, uint32_t g) {
    const struct place_port *link = &w->config->fabric->paths.port[g];
    struct port_span span = marks_port(w, g);
    *t = (struct port_total){
        .port = g,
        .sent_bytes = port_bytes_sent_by(&w->port[g], &w->view[g], w->now),
        .credit_bytes = port_credit_bytes(&w->extra[g]),
        .max_queue_bytes = marks_most(w, MOST_QUEUED, g),
        .dropped = port_dropped_all(&w->port[g], &w->extra[g]),
    };
    port_total_average(t, &span, link->rate_bps, marks_span(w));
}

/* ---- links ---- */

void links_average(const struct world_config *config, const struct port_total *port, size_t n_ports,
                   struct link_use use[TIER_COUNT]) {
    struct link_sums tier[TIER_COUNT] = {0};
    for (uint32_t g = 0; g < n_ports; g++) {
        const struct place_port *link = &config->fabric->paths.port[g];
        link_use_add(&tier[link->link_tier], &port[g]);
        if (g < link->peer) link_use_least(&tier[link->link_tier], &port[g], &port[link->peer]);
    }
    for (int t = 0; t < TIER_COUNT; t++) use[t] = link_use_of(&tier[t]);
}

/* Sums the watched links. A link named without a direction counts in its busier one. */
struct link_use watched_average(const struct world_config *config, const struct port_total *port) {
    const struct measure_config *m = &config->measure;
    struct link_sums sums = {0};
    for (uint32_t i = 0; i < m->n_watch; i++) {
        struct port_total t = port[m->watch[i].port];
        if (m->watch[i].both) {
            const struct port_total *back = &port[config->fabric->paths.port[m->watch[i].port].peer];
            t.utilisation_ppb = max_i64(t.utilisation_ppb, back->utilisation_ppb);
            t.data_ppb = max_i64(t.data_ppb, back->data_ppb);
        }
        link_use_add(&sums, &t);
        link_use_least(&sums, &t, &t);
    }
    return link_use_of(&sums);
}

/* ---- queues ---- */

static enum queue_place queue_place_of(const struct fabric *f, const struct place_port *p) {
    if (p->node < f->n_hosts) return QUEUE_NIC;
    bool up = p->port >= f->place[p->node - f->n_hosts].first_uplink;
    switch (f->node[p->node].tier) {
    case TIER_LEAF: return up ? QUEUE_TOR_UP : QUEUE_TOR_DOWN;
    case TIER_AGG: return up ? QUEUE_AGG_UP : QUEUE_AGG_DOWN;
    default: return QUEUE_CORE;
    }
}

struct queue_use queues_by_place(const struct fabric *f, const struct port_total *port, size_t n_ports,
                                 struct queue_use place[QUEUE_PLACES]) {
    int64_t sum[QUEUE_PLACES] = {0}, all_sum = 0;
    struct queue_use all = {0};
    for (uint32_t g = 0; g < n_ports; g++) {
        enum queue_place at = queue_place_of(f, &f->paths.port[g]);
        place[at].n_ports++;
        sum[at] += port[g].mean_queue_bytes;
        place[at].max_bytes = max_i64(place[at].max_bytes, port[g].max_queue_bytes);
    }
    for (int at = 0; at < QUEUE_PLACES; at++) {
        struct queue_use *q = &place[at];
        q->mean_bytes = q->n_ports ? sum[at] / q->n_ports : 0;
        if (at == QUEUE_NIC) continue;
        all.n_ports += q->n_ports;
        all_sum += sum[at];
        all.max_bytes = max_i64(all.max_bytes, q->max_bytes);
    }
    all.mean_bytes = all.n_ports ? all_sum / all.n_ports : 0;
    return all;
}

static void queues_collect(const struct fabric *f, struct run_result *r) {
    struct queue_use all = queues_by_place(f, r->port, r->n_ports, r->queue);
    r->queue_mean_bytes = all.mean_bytes;
    r->queue_max_bytes = all.max_bytes;
}

void collect_ports(const struct world *w, struct run_result *r) {
    r->n_ports = w->n_ports;
    r->port = memory_get(w->n_ports, sizeof *r->port);
    for (uint32_t g = 0; g < w->n_ports; g++)
        if (world_has_port(w, g)) port_collect(w, &r->port[g], g);
}

/* ---- buffers ---- */

/* A largest sum is at least the largest queue: a frame that leaves its queue for the wire counts a few bytes more (the rule
 * of node/port.h), and the sum is taken at arrivals. */
static struct buffer_total buffer_of(const struct world *w, uint32_t s, const struct port_total *port) {
    const struct fabric_switch *sw = &w->sw[s];
    struct buffer_total t = {.max_bytes = marks_most(w, MOST_HELD, s)};
    for (uint16_t p = 0; p < sw->n_ports; p++) {
        t.mean_bytes += port[p].mean_queue_bytes;
        t.max_bytes = max_i64(t.max_bytes, port[p].max_queue_bytes);
        if (!sw->cioq) continue;
        t.mean_bytes += marks_ingress_mean(w, port[p].port);
        t.max_bytes = max_i64(t.max_bytes, sw->cioq->input[p].max_bytes);
    }
    return t;
}

void collect_buffers(const struct world *w, struct run_result *r) {
    const struct fabric *f = w->config->fabric;
    r->n_buffers = f->n_switches;
    r->buffer = memory_get(r->n_buffers, sizeof *r->buffer);
    for (uint32_t s = 0; s < f->n_switches; s++)
        if (world_has_node(w, f->n_hosts + s))
            r->buffer[s] = buffer_of(w, s, &r->port[f->paths.first_port[f->n_hosts + s]]);
}

void world_summarise_ports(const struct world_config *config, struct run_result *r) {
    links_average(config, r->port, r->n_ports, r->link);
    r->watched = watched_average(config, r->port);
    queues_collect(config->fabric, r);
}
