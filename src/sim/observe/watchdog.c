/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/watchdog.h"

#include "base/memory.h"
#include "mech/flowctl/pause_ring.h"
#include "node/cioq.h"
#include "ranks/group.h"
#include "sim/engine/notice.h"

#include <stdlib.h>

#define WATCHDOG_RINGS 64 /* most rings kept */

struct watchdog {
    struct pause_ring_lane *lane; /* lanes of the rings found so far, one ring after the other */
    size_t n_lanes;
    uint32_t n_rings;
};

void watchdog_init(struct world *w) { w->watchdog = memory_get(1, sizeof *w->watchdog); }

void watchdog_fini(struct world *w) {
    free(w->watchdog->lane);
    free(w->watchdog);
}

static span_ps storm_of(const struct world *w) {
    const struct flowctl_config *f = &w->config->switches.flow;
    return flowctl_is_on(f) ? f->storm : 0;
}

static span_ps period_of(const struct world *w) { return storm_of(w) ? max_i64(storm_of(w) / 4, 1) : 0; }

time_ps watchdog_next(const struct world *w, time_ps now) { return epoch_after(now, period_of(w)); }

span_ps watchdog_samples(const struct world *w) {
    return flowctl_is_on(&w->config->switches.flow) ? w->config->measure.pauses : 0;
}

uint32_t watchdog_lanes(const struct world *w) {
    return w->config->switches.flow.ops->by_class ? w->config->switches.port.classes : 1;
}

const struct pause_state *watchdog_pauses(const struct world *w, uint32_t port) {
    uint32_t node = w->config->fabric->paths.port[port].node;
    if (!world_has_node(w, node)) return NULL;
    if (world_is_host(w, node)) return w->host[port].pause;
    return w->extra[port].classes ? w->extra[port].classes->pause : NULL;
}

/* ---- which lane waits for which ---- */

/* Lanes that have been paused for long, and the lanes that each waits for. */
struct look {
    const struct world *w;
    time_ps now;
    uint32_t n_lanes;  /* per port */
    uint64_t *since;   /* [n_ports * n_lanes] start of the pause of a lane that is paused that long, plus 1; else 0 */
    uint32_t *number;  /* [n_ports * n_lanes] index of the lane; UINT32_MAX: not paused that long */
    uint32_t *stopped; /* port * n_lanes + lane, by that index */
    uint32_t n_stopped;
    struct pause_wait *wait;
    size_t n_waits, room;
};

/* Fills l->since over the nodes of this rank; returns how many lanes are stopped. */
static uint64_t look_since(struct look *l) {
    uint64_t n = 0;
    for (uint32_t g = 0; g < l->w->n_ports; g++) {
        const struct pause_state *s = watchdog_pauses(l->w, g);
        for (uint32_t k = 0; s && k < l->n_lanes; k++) {
            time_ps since = pause_since(s, k, l->now);
            if (since == TIME_NONE || l->now - since < storm_of(l->w)) continue;
            l->since[g * l->n_lanes + k] = (uint64_t)since + 1;
            n++;
        }
    }
    return n;
}

/* Finds the stopped lanes of all ranks. They are rarely any, and then one number is all that the ranks exchange. */
static void look_stopped(struct look *l) {
    const struct ranks_group *group = l->w->config->group;
    uint32_t n = l->w->n_ports * l->n_lanes;
    uint64_t stopped = look_since(l);
    int64_t least = 0;
    if (group) ranks_group_reduce(group, &least, &stopped, 1);
    if (group && stopped) ranks_group_reduce(group, &least, l->since, n);
    for (uint32_t at = 0; at < n; at++) {
        l->number[at] = l->since[at] ? l->n_stopped : UINT32_MAX;
        if (l->since[at]) l->stopped[l->n_stopped++] = at;
    }
}

static void look_add(struct look *l, uint32_t of, uint32_t on) {
    if (l->n_waits == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->wait = memory_grow(l->wait, l->room, sizeof *l->wait);
    }
    l->wait[l->n_waits++] = (struct pause_wait){of, on};
}

/* Returns whether the switch holds frames from `in` for `out` whose class belongs to `lane`. */
static bool is_held(const struct look *l, const struct cioq *c, uint16_t in, uint16_t out, uint32_t lane) {
    if (l->n_lanes > 1) return cioq_is_held(c, in, out, lane);
    for (uint32_t k = 0; k < MAX_CLASSES; k++)
        if (cioq_is_held(c, in, out, k)) return true;
    return false;
}

/* Adds the waits of a lane. A class is paused for frames of its own and of higher classes (drain bytes). */
static void look_waits(struct look *l, uint32_t of) {
    const struct fabric *f = l->w->config->fabric;
    uint32_t port = l->stopped[of] / l->n_lanes, lane = l->stopped[of] % l->n_lanes;
    const struct place_port *link = &f->paths.port[port];
    if (world_is_host(l->w, link->neighbour) || !world_has_node(l->w, link->neighbour)) return;
    const struct cioq *c = l->w->sw[link->neighbour - f->n_hosts].cioq;
    uint32_t first = f->paths.first_port[link->neighbour];
    uint16_t in = (uint16_t)(link->peer - first);
    for (uint16_t out = 0; out < c->n; out++)
        for (uint32_t k = lane; k < l->n_lanes; k++) {
            uint32_t on = l->number[(first + out) * l->n_lanes + k];
            if (on != UINT32_MAX && is_held(l, c, in, out, k)) look_add(l, of, on);
        }
}

static int wait_compare(const void *a, const void *b) {
    const struct pause_wait *x = a, *y = b;
    if (x->of != y->of) return x->of < y->of ? -1 : 1;
    return (x->on > y->on) - (x->on < y->on);
}

/* Brings the waits that ranks saw in their own switches to the leader, in the order in which one rank would see them. */
static void look_share(struct look *l) {
    const struct ranks_group *group = l->w->config->group;
    uint64_t n = l->n_waits;
    if (!group || l->n_stopped == 0) return;
    if (group->rank) {
        ranks_group_send(group, 0, &n, sizeof n);
        ranks_group_send(group, 0, l->wait, n * sizeof *l->wait);
        l->n_waits = 0;
        return;
    }
    for (uint32_t from = 1; from < group->size; from++) {
        ranks_group_receive(group, from, &n, sizeof n);
        l->room = l->n_waits + n;
        l->wait = memory_grow(l->wait, l->room + 1, sizeof *l->wait);
        ranks_group_receive(group, from, l->wait + l->n_waits, n * sizeof *l->wait);
        l->n_waits += n;
    }
    qsort(l->wait, l->n_waits, sizeof *l->wait, wait_compare);
}

/* ---- rings found ---- */

static bool ring_is(const struct watchdog *d, size_t at, size_t n, const struct pause_ring_lane *lane) {
    if (at + n > d->n_lanes || (at + n < d->n_lanes && d->lane[at + n].ring == d->lane[at].ring)) return false;
    for (size_t i = 0; i < n; i++)
        if (d->lane[at + i].ring != d->lane[at].ring || d->lane[at + i].port != lane[i].port ||
            d->lane[at + i].class != lane[i].class || d->lane[at + i].since != lane[i].since)
            return false;
    return true;
}

/* Keeps a ring. One that equals a ring found before is the same ring, still in force. */
static void ring_keep(struct watchdog *d, struct pause_ring_lane *lane, size_t n, time_ps now) {
    for (size_t at = 0; at < d->n_lanes; at++) {
        if (!ring_is(d, at, n, lane) || (at && d->lane[at - 1].ring == d->lane[at].ring)) continue;
        for (size_t i = 0; i < n; i++) d->lane[at + i].last = now;
        return;
    }
    if (d->n_rings == WATCHDOG_RINGS) return;
    d->lane = memory_grow(d->lane, d->n_lanes + n, sizeof *d->lane);
    for (size_t i = 0; i < n; i++) {
        lane[i].ring = d->n_rings;
        lane[i].first = lane[i].last = now;
        d->lane[d->n_lanes++] = lane[i];
    }
    d->n_rings++;
}

static void look_keep(const struct look *l, const struct pause_rings *r, struct watchdog *d) {
    for (uint32_t k = 0; k < r->n; k++) {
        size_t n = r->start[k + 1] - r->start[k];
        struct pause_ring_lane *lane = memory_get(n, sizeof *lane);
        for (size_t i = 0; i < n; i++) {
            uint32_t at = l->stopped[r->lane[r->start[k] + i]];
            uint32_t port = at / l->n_lanes, class = at % l->n_lanes;
            lane[i] = (struct pause_ring_lane){.port = port, .class = class, .since = (time_ps)(l->since[at] - 1)};
        }
        ring_keep(d, lane, n, l->now);
        free(lane);
    }
}

static void watchdog_look(struct world *w, time_ps now) {
    struct look l = {.w = w, .now = now, .n_lanes = watchdog_lanes(w)};
    size_t n = (size_t)w->n_ports * l.n_lanes;
    l.since = memory_get(n, sizeof *l.since);
    l.number = memory_get(n, sizeof *l.number);
    l.stopped = memory_get(n, sizeof *l.stopped);
    look_stopped(&l);
    for (uint32_t k = 0; k < l.n_stopped; k++) look_waits(&l, k);
    look_share(&l);
    if (l.n_waits) {
        struct pause_rings rings;
        pause_rings_find(&rings, l.wait, l.n_waits, l.n_stopped);
        look_keep(&l, &rings, w->watchdog);
        pause_rings_fini(&rings);
    }
    free(l.since);
    free(l.number);
    free(l.stopped);
    free(l.wait);
}

void watchdog_step(struct world *w, time_ps now) {
    span_ps period = period_of(w);
    if (period && now % period == 0) watchdog_look(w, now);
}

void watchdog_collect(struct world *w, struct run_result *r) {
    if (storm_of(w)) watchdog_look(w, w->now);
    r->ring = w->watchdog->lane;
    r->n_ring_lanes = w->watchdog->n_lanes;
    r->pauses.rings = w->watchdog->n_rings;
    w->watchdog->lane = NULL;
}
