/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/collect_pauses.h"

#include "base/memory.h"
#include "node/cioq.h"
#include "sim/observe/collect_credits.h"
#include "sim/observe/marks.h"
#include "sim/observe/watchdog.h"

#include <inttypes.h>
#include <stdio.h>

/* Adds up the pauses of a port or NIC, without what lies outside the time of averages. */
static void lanes_add(const struct world *w, struct pause_totals *t, uint32_t g, const struct pause_state *s) {
    for (uint32_t k = 0; k < PAUSE_CLASSES; k++) t->paused_by[k] += marks_paused(w, g, k);
    t->stops += s->n_pauses;
}

/* Adds a row for each class that was stopped. With 802.3x all classes of the switches have equal rows. */
static void stops_add(const struct world *w, struct run_result *r, uint32_t port, const struct pause_state *s) {
    for (uint32_t k = 0; k < w->config->switches.port.classes; k++) {
        struct pause_lane l = pause_lane_at(s, k, w->now);
        if (l.stops == 0) continue;
        r->pause = memory_grow(r->pause, r->n_pauses + 1, sizeof *r->pause);
        r->pause[r->n_pauses++] = (struct pause_total){.port = port,
                                                       .class = k,
                                                       .stops = l.stops,
                                                       .storms = l.storms,
                                                       .paused = marks_paused(w, port, k),
                                                       .longest = l.longest,
                                                       .longest_from = l.longest_from};
    }
}

static void stops_collect(const struct world *w, struct run_result *r) {
    for (uint32_t g = 0; g < w->n_ports; g++) {
        const struct pause_state *s = watchdog_pauses(w, g);
        if (s) stops_add(w, r, g, s);
    }
}

static void stops_sum(struct run_result *r) {
    for (size_t i = 0; i < r->n_pauses; i++) {
        r->pauses.storms += r->pause[i].storms;
        r->pauses.longest = max_i64(r->pauses.longest, r->pause[i].longest);
    }
}

static void ingress_add_up(const struct world *w, struct pause_totals *t, const struct cioq *c) {
    for (uint16_t p = 0; p < c->n; p++) {
        t->ingress_mean_sum += marks_ingress_mean(w, c->first_port + p);
        t->ingress_max_bytes = max_i64(t->ingress_max_bytes, c->input[p].max_bytes);
        t->n_ingress++;
        const struct pause_watchdog *watchdog = cioq_watchdog(c, p);
        for (uint32_t k = 0; watchdog && k < PAUSE_LANES; k++) {
            t->watchdog_found += watchdog->found[k];
            t->watchdog_ended += watchdog->ended[k];
        }
    }
}

void collect_pauses(const struct world *w, struct pause_frames *frames, struct run_result *r) {
    const struct fabric *f = w->config->fabric;
    struct pause_totals *t = &r->pauses;
    for (uint32_t g = 0; g < w->n_ports; g++) {
        if (!world_has_port(w, g)) continue;
        const struct pause_state *pauses = watchdog_pauses(w, g);
        if (pauses) lanes_add(w, t, g, pauses);
        t->paused += r->port[g].paused;
        t->blocked += r->port[g].blocked;
        frames->under_way += port_control_length(&w->extra[g], &w->partition[w->part_of[f->paths.port[g].node]].pool);
    }
    for (uint32_t s = 0; s < f->n_switches; s++) {
        if (!world_has_node(w, f->n_hosts + s)) continue;
        t->sent += w->sw[s].pauses_made;
        if (w->sw[s].cioq) ingress_add_up(w, t, w->sw[s].cioq);
    }
    stops_collect(w, r);
    for (uint32_t i = 0; i < w->n_partitions; i++) {
        frames->ended += w->partition[i].pauses_ended;
        frames->under_way += pauses_on_links(&w->partition[i]);
    }
}

bool pauses_conclude(const struct pause_frames *frames, struct run_result *r, char *text, size_t size) {
    uint64_t sent = r->pauses.sent, ended = frames->ended, under_way = frames->under_way;
    stops_sum(r);
    if (sent == ended + under_way) return true;
    snprintf(text, size,
             "conservation of pause frames is broken: sent %" PRIu64 ", obeyed or dropped %" PRIu64
             ", under way %" PRIu64,
             sent, ended, under_way);
    return false;
}
