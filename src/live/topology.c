/* SPDX-License-Identifier: Apache-2.0 */
#include "live/topology.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A change of a link that its ends will detect. */
struct discovery {
    time_ps at;
    uint32_t port; /* global number of one end */
    bool up;
};

struct topology {
    struct fabric *fabric;
    struct fabric_spec spec; /* without failures */
    span_ps detect;
    const struct route_state *whole; /* routes of the fabric without failures */
    struct fabric *broken;           /* the fabric with the routes in force; NULL: the whole fabric */
    bool *dead, *known;              /* [ports of the fabric] the link is dead; its ends know it */
    struct place_beyond **beyond;    /* [n_switches][ports] the last notice to each switch */
    struct discovery *next;          /* [n] ordered by time */
    size_t n, held;
};

/* ---- building ---- */

struct topology *topology_create(const struct fabric_spec *spec, span_ps detect, struct diag *d) {
    struct topology *t = memory_one(sizeof *t);
    t->spec = *spec;
    t->spec.n_failed = t->spec.n_fail_random = 0;
    t->detect = detect;
    t->fabric = fabric_create(&t->spec, d);
    if (!t->fabric) {
        free(t);
        return NULL;
    }
    const struct fabric *f = t->fabric;
    uint32_t n_ports = f->paths.first_port[f->n_nodes];
    t->whole = f->paths.state;
    t->dead = memory_get(n_ports, sizeof *t->dead);
    t->known = memory_get(n_ports, sizeof *t->known);
    t->beyond = memory_get(f->n_switches, sizeof *t->beyond);
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct place *p = &f->place[s];
        t->beyond[s] = memory_get(p->n_ports, sizeof *t->beyond[s]);
        memcpy(t->beyond[s], p->beyond, p->n_ports * sizeof *p->beyond);
    }
    return t;
}

void topology_destroy(struct topology *t) {
    if (!t) return;
    for (uint32_t s = 0; s < t->fabric->n_switches; s++) free(t->beyond[s]);
    free(t->beyond);
    free(t->dead);
    free(t->known);
    free(t->next);
    t->fabric->paths.state = t->whole;
    if (t->broken) fabric_destroy(t->broken);
    fabric_destroy(t->fabric);
    free(t);
}

const struct fabric *topology_fabric(const struct topology *t) { return t->fabric; }

static const struct place_port *port_of(const struct topology *t, uint32_t global) {
    return &t->fabric->paths.port[global];
}

/* ---- failures of links ---- */

static void discovery_add(struct topology *t, struct discovery x) {
    if (t->n == t->held) {
        t->held = t->held ? 2 * t->held : 8;
        t->next = memory_grow(t->next, t->held, sizeof *t->next);
    }
    t->next[t->n++] = x;
}

/* Sends the same event to both ends. */
static void link_event(const struct topology *t, struct station *s, uint32_t global, enum fabric_event_kind kind,
                       time_ps at) {
    const uint32_t end[2] = {global, port_of(t, global)->peer};
    for (int i = 0; i < 2; i++) {
        const struct place_port *p = port_of(t, end[i]);
        station_event(s, &(struct fabric_event){.at = at, .node = p->node, .port = p->port, .kind = (uint16_t)kind});
    }
}

void topology_link(struct topology *t, struct station *s, time_ps now, uint32_t node, uint16_t port, bool up) {
    uint32_t global = t->fabric->paths.first_port[node] + port, peer = port_of(t, global)->peer;
    if (t->dead[global] == !up) return;
    t->dead[global] = t->dead[peer] = !up;
    link_event(t, s, global, up ? EVENT_LINK_UP : EVENT_LINK_DOWN, now);
    discovery_add(t, (struct discovery){now + t->detect, global, up});
}

bool topology_is_up(const struct topology *t, uint32_t node, uint16_t port) {
    return !t->dead[t->fabric->paths.first_port[node] + port];
}

/* ---- detection ---- */

/* Returns the links known to be down, as failures from the start. */
static struct link_failure *failures_of(const struct topology *t, uint32_t *n) {
    const struct fabric *f = t->fabric;
    uint32_t n_ports = f->paths.first_port[f->n_nodes];
    struct link_failure *failed = memory_get(n_ports, sizeof *failed);
    *n = 0;
    for (uint32_t g = 0; g < n_ports; g++) {
        const struct place_port *p = port_of(t, g);
        if (!t->known[g] || p->peer < g) continue;
        failed[(*n)++] = (struct link_failure){.node = p->node, .port = p->port, .repair_at = TIME_NONE};
    }
    return failed;
}

/* Builds the fabric as it is known to be. Returns NULL if no link is known to be down. */
static struct fabric *broken_fabric(const struct topology *t) {
    struct fabric_spec spec = t->spec;
    struct diag d = {0};
    struct link_failure *failed = failures_of(t, &spec.n_failed);
    spec.failed = failed;
    struct fabric *f = spec.n_failed ? fabric_create(&spec, &d) : NULL;
    free(failed);
    return f;
}

static void notice(struct topology *t, struct station *s, time_ps now, uint32_t node, uint16_t port,
                   struct place_beyond told) {
    struct place_beyond *last = &t->beyond[node - t->fabric->n_hosts][port];
    if (last->alive == told.alive && last->total == told.total) return;
    *last = told;
    station_event(s, &(struct fabric_event){.at = now,
                                            .value = (int64_t)told.alive << 32 | told.total,
                                            .node = node,
                                            .port = port,
                                            .kind = EVENT_NOTICE});
}

/* Tells every switch how many uplinks the switches above it have left: as the broken fabric announces it at its start,
 * and as built where it announces nothing. */
static void notices(struct topology *t, struct station *s, time_ps now) {
    const struct fabric *f = t->fabric;
    for (uint32_t i = 0; i < f->n_switches; i++) {
        const struct place *place = &f->place[i];
        struct place_beyond *told = memory_get(place->n_ports, sizeof *told);
        memcpy(told, place->beyond, place->n_ports * sizeof *told);
        for (uint32_t e = t->broken ? t->broken->first_event[place->node] : 0;
             t->broken && e < t->broken->first_event[place->node + 1]; e++) {
            const struct fabric_event *x = &t->broken->event[e];
            if (x->kind != EVENT_NOTICE) continue;
            told[x->port] = (struct place_beyond){.alive = (uint32_t)(x->value >> 32), .total = (uint32_t)x->value};
        }
        for (uint16_t p = 0; p < place->n_ports; p++) notice(t, s, now, place->node, p, told[p]);
        free(told);
    }
}

static void reroute(struct topology *t, struct station *s, time_ps now) {
    struct fabric *before = t->broken;
    t->broken = broken_fabric(t);
    t->fabric->paths.state = t->broken ? t->broken->paths.state : t->whole;
    t->fabric->paths.n_states = 1;
    station_reroute(s, now);
    notices(t, s, now);
    if (before) fabric_destroy(before);
}

static void discovery_carry_out(struct topology *t, struct station *s, struct discovery x) {
    t->known[x.port] = t->known[port_of(t, x.port)->peer] = !x.up;
    link_event(t, s, x.port, x.up ? EVENT_PORT_UP : EVENT_PORT_DOWN, x.at);
}

void topology_until(struct topology *t, struct station *s, time_ps now) {
    size_t n = 0;
    for (; n < t->n && t->next[n].at <= now; n++) discovery_carry_out(t, s, t->next[n]);
    if (n == 0) return;
    reroute(t, s, now);
    memmove(t->next, t->next + n, (t->n - n) * sizeof *t->next);
    t->n -= n;
}

time_ps topology_next(const struct topology *t) { return t->n ? t->next[0].at : TIME_NONE; }
