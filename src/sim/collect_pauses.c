/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/collect_pauses.h"

#include "base/memory.h"
#include "node/cioq.h"
#include "sim/collect_credits.h"

#include <inttypes.h>
#include <stdio.h>

static void lanes_add(struct pause_totals *t, struct port_total *port, const struct pause_state *s, time_ps now) {
    for (uint32_t k = 0; k < PAUSE_CLASSES; k++) {
        span_ps paused = pause_total(s, k, now);
        t->paused_by[k] += paused;
        port->paused += paused;
    }
    t->paused += port->paused;
    t->stops += s->n_pauses;
}

static void port_add(struct pause_totals *t, struct port_total *port, const struct port *p,
                     const struct port_classes *c, time_ps now) {
    if (!c || !c->pause) return;
    lanes_add(t, port, c->pause, now);
    port->blocked = c->blocked + port_blocked_now(p, c, now);
    t->blocked += port->blocked;
}

/* Adds a row for each class that was stopped. With 802.3x all classes of the switches have equal rows. */
static void stops_add(struct run_result *r, uint32_t port, uint32_t n_classes, const struct pause_state *s,
                      time_ps now) {
    for (uint32_t k = 0; k < n_classes; k++) {
        struct pause_lane l = pause_lane_at(s, k, now);
        if (l.stops == 0) continue;
        r->pause = memory_grow(r->pause, r->n_pauses + 1, sizeof *r->pause);
        r->pause[r->n_pauses++] = (struct pause_total){.port = port,
                                                       .class = k,
                                                       .stops = l.stops,
                                                       .storms = l.storms,
                                                       .paused = pause_total(s, k, now),
                                                       .longest = l.longest,
                                                       .longest_from = l.longest_from};
    }
}

static void stops_collect(const struct world *w, struct run_result *r) {
    for (uint32_t g = 0; g < w->n_ports; g++) {
        const struct pause_state *s = watchdog_pauses(w, g);
        if (s) stops_add(r, g, w->config->switches.port.classes, s, w->now);
    }
}

static void stops_sum(struct run_result *r) {
    for (size_t i = 0; i < r->n_pauses; i++) {
        r->pauses.storms += r->pause[i].storms;
        r->pauses.longest = max_i64(r->pauses.longest, r->pause[i].longest);
    }
}

static void ingress_add_up(struct pause_totals *t, const struct cioq *c, time_ps now) {
    for (uint16_t p = 0; p < c->n; p++) {
        t->ingress_mean_sum += cioq_mean_ingress_bytes(c, p, now);
        t->ingress_max_bytes = max_i64(t->ingress_max_bytes, c->input[p].max_bytes);
        t->n_ingress++;
    }
}

void collect_pauses(struct world *w, struct run_result *r) {
    const struct fabric *f = w->config->fabric;
    struct pause_totals *t = &r->pauses;
    struct pause_frames *frames = &w->pause_frames;
    for (uint32_t h = 0; h < f->n_hosts; h++)
        if (world_has_node(w, h) && w->host[h].pause)
            lanes_add(t, &r->port[f->paths.first_port[h]], w->host[h].pause, w->now);
    for (uint32_t g = 0; g < w->n_ports; g++) {
        if (!world_has_port(w, g)) continue;
        if (!world_is_host(w, f->paths.port[g].node))
            port_add(t, &r->port[g], &w->port[g], w->extra[g].classes, w->now);
        frames->under_way += port_control_length(&w->extra[g], &w->partition[w->part_of[f->paths.port[g].node]].pool);
    }
    for (uint32_t s = 0; s < f->n_switches; s++) {
        if (!world_has_node(w, f->n_hosts + s)) continue;
        t->sent += w->sw[s].pauses_made;
        if (w->sw[s].cioq) ingress_add_up(t, w->sw[s].cioq, w->now);
    }
    stops_collect(w, r);
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        frames->ended += w->partition[i].pauses_ended;
        frames->under_way += pauses_on_links(&w->partition[i]);
    }
}

bool pauses_conclude(const struct world *w, struct run_result *r, char *text, size_t size) {
    uint64_t sent = r->pauses.sent, ended = w->pause_frames.ended, under_way = w->pause_frames.under_way;
    stops_sum(r);
    if (sent == ended + under_way) return true;
    snprintf(text, size,
             "conservation of pause frames is broken: sent %" PRIu64 ", obeyed or dropped %" PRIu64
             ", under way %" PRIu64,
             sent, ended, under_way);
    return false;
}
