/* SPDX-License-Identifier: Apache-2.0 */
/* Failures as a timeline: the events of each node, and the routes of each settled state.
 *
 * A link fails at `at` (LINK_DOWN) and works again at `repair_at` (LINK_UP). Both are detected `detect` later: then the
 * ports change (PORT_DOWN, PORT_UP), the routes change (ROUTES), and the switches below an agg that lost or regained
 * uplinks get a notice (NOTICE, EXP-38). Changes detected at time 0 belong to the first state.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "fabric/fabric_build.h"
#include "fabric/nics.h"

enum outage_kind { OUTAGE_DEAD, OUTAGE_RATE, OUTAGE_LOSS };

struct outage {
    enum outage_kind kind;
    uint32_t link;
    time_ps at, repair_at;
    span_ps detect;
    int64_t value; /* bps or ppb */
    const struct diag *where;
};

struct timeline {
    struct fabric *f;
    struct outage *outage;
    size_t n_outages, outages_held;
    struct fabric_event *event;
    size_t n_events, events_held;
};

/* ---- outages ---- */

static void outage_add(struct timeline *t, struct outage o) {
    if (t->n_outages == t->outages_held) {
        t->outages_held = t->outages_held ? 2 * t->outages_held : 16;
        t->outage = memory_grow(t->outage, t->outages_held, sizeof *t->outage);
    }
    t->outage[t->n_outages++] = o;
}

static bool outage_times_sane(time_ps at, time_ps repair_at, span_ps detect, const struct diag *w, struct diag *d) {
    if (at < 0 || detect < 0) return diag_fail(d, w->file, w->line, w->col, "at and detect must not be negative");
    if (repair_at <= at)
        return diag_fail(d, w->file, w->line, w->col,
                         "repair_at must be later than at; leave it out if there is no repair");
    if (detect >= TIME_NONE - at || (repair_at != TIME_NONE && detect >= TIME_NONE - repair_at))
        return diag_fail(d, w->file, w->line, w->col, "at + detect is more than 106 days; make it less");
    return true;
}

static bool outage_from_entry(struct timeline *t, const struct link_failure *e, struct diag *d) {
    const struct diag *w = &e->where;
    char why[sizeof d->text], name[FABRIC_LINK_NAME_MAX], rate[UNITS_TEXT_MAX];
    uint32_t link = e->link ? 0 : fabric_store(t->f)->port_link[t->f->paths.first_port[e->node] + e->port];
    if (e->link && !fabric_link_find(t->f, e->link, &link, why, sizeof why))
        return diag_fail(d, w->file, w->line, w->col, "%s", why);
    if (!outage_times_sane(e->at, e->repair_at, e->detect, w, d)) return false;
    int64_t nominal = fabric_store(t->f)->link[link].rate_bps;
    if (e->rate_bps < 0 || e->rate_bps > nominal)
        return diag_fail(d, w->file, w->line, w->col, "rate: %s cannot have more than its full rate; write at most %s",
                         fabric_link_name(t->f, link, name, sizeof name),
                         units_print(PARAM_RATE, nominal, rate, sizeof rate));
    if (e->loss_ppb < 0 || e->loss_ppb > PPB)
        return diag_fail(d, w->file, w->line, w->col, "loss must be between 0%% and 100%%");
    struct outage o = {OUTAGE_DEAD, link, e->at, e->repair_at, e->detect, 0, w};
    if (e->rate_bps == 0 && e->loss_ppb == 0) outage_add(t, o);
    o.kind = OUTAGE_RATE;
    o.value = e->rate_bps;
    if (e->rate_bps > 0) outage_add(t, o);
    o.kind = OUTAGE_LOSS;
    o.value = e->loss_ppb;
    if (e->loss_ppb > 0) outage_add(t, o);
    return true;
}

static time_ps later(time_ps at, span_ps by) { return at == TIME_NONE ? TIME_NONE : at + by; }

/* Returns one flag per link: whether at some time of [at, until] it has failed or its repair is not detected yet. The
 * caller frees it. */
static bool *links_taken(const struct timeline *t, time_ps at, time_ps until) {
    bool *taken = memory_get(fabric_store(t->f)->n_links, sizeof *taken);
    for (size_t i = 0; i < t->n_outages; i++) {
        const struct outage *o = &t->outage[i];
        if (o->kind == OUTAGE_DEAD && o->at <= until && at <= later(o->repair_at, o->detect)) taken[o->link] = true;
    }
    return taken;
}

static bool outages_from_draw(struct timeline *t, const struct fabric_spec *spec, size_t entry, struct diag *d) {
    const struct random_failures *e = &spec->fail_random[entry];
    if (!outage_times_sane(e->at, e->repair_at, e->detect, &e->where, d)) return false;
    uint32_t n_links = fabric_store(t->f)->n_links;
    uint32_t *chosen = memory_get(n_links, sizeof *chosen);
    bool *taken = links_taken(t, e->at, later(e->repair_at, e->detect));
    bool drawn = failures_draw(t->f, spec, entry, taken, chosen, d);
    for (uint32_t i = 0; drawn && i < e->links; i++)
        outage_add(t, (struct outage){OUTAGE_DEAD, chosen[i], e->at, e->repair_at, e->detect, 0, &e->where});
    free(taken);
    free(chosen);
    return drawn;
}

static int outage_order(const void *pa, const void *pb) {
    const struct outage *a = pa, *b = pb;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->link != b->link) return a->link < b->link ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Refuses two outages of one kind and link that overlap or touch: at one instant their order would be undefined. */
static bool outages_apart(struct timeline *t, struct diag *d) {
    if (t->n_outages > 0) qsort(t->outage, t->n_outages, sizeof *t->outage, outage_order);
    for (size_t i = 1; i < t->n_outages; i++) {
        const struct outage *a = &t->outage[i - 1], *b = &t->outage[i];
        if (a->kind != b->kind || a->link != b->link || b->at > later(a->repair_at, a->detect)) continue;
        char name[FABRIC_LINK_NAME_MAX];
        return diag_fail(d, b->where->file, b->where->line, b->where->col,
                         "%s fails again before its repair is known (repair_at + detect); separate the two entries",
                         fabric_link_name(t->f, b->link, name, sizeof name));
    }
    return true;
}

/* ---- events ---- */

static void event_add(struct timeline *t, struct fabric_event e) {
    if (t->n_events == t->events_held) {
        t->events_held = t->events_held ? 2 * t->events_held : 64;
        t->event = memory_grow(t->event, t->events_held, sizeof *t->event);
    }
    t->event[t->n_events++] = e;
}

/* Adds the event for both ends of the link; none at TIME_NONE. */
static void event_add_link(struct timeline *t, uint32_t link, time_ps at, enum fabric_event_kind kind, int64_t value) {
    const struct fabric_link *l = &fabric_store(t->f)->link[link];
    const uint32_t global[2] = {l->lower_port, l->upper_port};
    if (at == TIME_NONE) return;
    for (int i = 0; i < 2; i++) {
        const struct place_port *port = &t->f->paths.port[global[i]];
        event_add(t, (struct fabric_event){at, value, port->node, port->port, (uint16_t)kind});
    }
}

static void outage_events(struct timeline *t, const struct outage *o) {
    const struct fabric_link *link = &fabric_store(t->f)->link[o->link];
    switch (o->kind) {
    case OUTAGE_DEAD:
        event_add_link(t, o->link, o->at, EVENT_LINK_DOWN, 0);
        event_add_link(t, o->link, o->repair_at, EVENT_LINK_UP, 0);
        event_add_link(t, o->link, later(o->at, o->detect), EVENT_PORT_DOWN, 0);
        event_add_link(t, o->link, later(o->repair_at, o->detect), EVENT_PORT_UP, 0);
        break;
    case OUTAGE_RATE:
        event_add_link(t, o->link, o->at, EVENT_RATE, o->value);
        event_add_link(t, o->link, o->repair_at, EVENT_RATE, link->rate_bps);
        break;
    case OUTAGE_LOSS:
        event_add_link(t, o->link, o->at, EVENT_LOSS, o->value);
        event_add_link(t, o->link, o->repair_at, EVENT_LOSS, link->loss_ppb);
        break;
    }
}

static int event_order(const void *pa, const void *pb) {
    const struct fabric_event *a = pa, *b = pb;
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return a->port < b->port ? -1 : a->port > b->port;
}

static void events_publish(struct timeline *t) {
    struct fabric *f = t->f;
    if (t->n_events > 0) qsort(t->event, t->n_events, sizeof *t->event, event_order);
    f->event = fabric_own(f, t->n_events, sizeof *f->event);
    if (t->n_events > 0) memcpy(f->event, t->event, t->n_events * sizeof *f->event);
    f->n_events = t->n_events;
    f->first_event = fabric_own(f, (size_t)f->n_nodes + 1, sizeof *f->first_event);
    for (size_t i = 0; i < t->n_events; i++) f->first_event[t->event[i].node + 1]++;
    for (uint32_t n = 0; n < f->n_nodes; n++) f->first_event[n + 1] += f->first_event[n];
}

/* ---- detected changes: routes and notices ---- */

struct change {
    time_ps at;
    uint32_t link;
    bool withdrawn;
};

static int change_order(const void *pa, const void *pb) {
    const struct change *a = pa, *b = pb;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return a->link < b->link ? -1 : a->link > b->link;
}

static struct change *changes_collect(const struct timeline *t, size_t *n) {
    struct change *change = memory_get(2 * t->n_outages + 1, sizeof *change);
    *n = 0;
    for (size_t i = 0; i < t->n_outages; i++) {
        const struct outage *o = &t->outage[i];
        if (o->kind != OUTAGE_DEAD) continue;
        change[(*n)++] = (struct change){later(o->at, o->detect), o->link, true};
        if (o->repair_at != TIME_NONE) change[(*n)++] = (struct change){later(o->repair_at, o->detect), o->link, false};
    }
    if (*n > 0) qsort(change, *n, sizeof *change, change_order);
    return change;
}

/* Adds the notices that tell the switches below `node` how many of its uplinks are left. */
static void notice_add(struct timeline *t, uint32_t node, uint32_t alive, time_ps at) {
    const struct place *place = &t->f->place[node - t->f->n_hosts];
    int64_t value = (int64_t)alive << 32 | (place->n_ports - place->first_uplink);
    for (uint16_t p = 0; p < place->first_uplink; p++) {
        const struct place_port *to_below = &place->port[p];
        if (to_below->neighbour_tier == TIER_HOST) continue;
        uint16_t their_port = t->f->paths.port[to_below->peer].port;
        event_add(t, (struct fabric_event){at, value, to_below->neighbour, their_port, EVENT_NOTICE});
    }
}

/* Adds the notices of the n changes of one instant, for each switch whose uplinks changed. lost[] counts the withdrawn
 * uplinks of each node. */
static void notices_add(struct timeline *t, const struct change *change, size_t n, int32_t *lost) {
    const struct fabric_store *store = t->f->store;
    int32_t *step = memory_get(t->f->n_nodes, sizeof *step);
    for (size_t i = 0; i < n; i++) {
        const struct fabric_link *link = &store->link[change[i].link];
        if (link->tier == TIER_HOST) continue;
        bool peers = t->f->node[link->lower].tier == t->f->node[link->upper].tier;
        step[link->lower] += change[i].withdrawn ? 1 : -1;
        if (peers) step[link->upper] += change[i].withdrawn ? 1 : -1;
    }
    for (uint32_t node = t->f->n_hosts + t->f->n_leaves; node < t->f->n_nodes; node++) {
        if (step[node] == 0) continue;
        const struct place *place = &t->f->place[node - t->f->n_hosts];
        lost[node] += step[node];
        notice_add(t, node, (uint32_t)(place->n_ports - place->first_uplink - lost[node]), change[0].at);
    }
    free(step);
}

static void routes_events(struct timeline *t, const struct routes *r, uint32_t state, time_ps at) {
    for (uint32_t s = 0; s < t->f->n_switches; s++) {
        if (routes_changed(r, s)) event_add(t, (struct fabric_event){at, state, t->f->n_hosts + s, 0, EVENT_ROUTES});
    }
}

/* Lets all hosts look at the NICs of their flows, if there is a choice. What holds at 0 is known when the first flow starts. */
static void nics_events(struct timeline *t, time_ps at) {
    if (at == 0 || !fabric_is_multihomed(t->f)) return;
    for (uint32_t h = 0; h < t->f->n_hosts; h++) event_add(t, (struct fabric_event){at, 0, h, 0, EVENT_NICS});
}

/* Computes the routes of each state, after all changes that are detected at one instant. Changes detected at 0 come
 * before the first state. */
static bool timeline_settle(struct timeline *t, struct routes *r, const struct change *change, size_t n,
                            const struct fabric_spec *spec, struct diag *d) {
    int32_t *lost = memory_get(t->f->n_nodes, sizeof *lost);
    uint32_t n_states = 0;
    bool fine = true, added;
    if (n == 0 || change[0].at > 0) fine = routes_settle(r, 0, &added, spec, d), n_states = 1;
    for (size_t i = 0, end; fine && i < n; i = end) {
        bool routed = false;
        for (end = i; end < n && change[end].at == change[i].at; end++) {
            routes_set_link(r, change[end].link, change[end].withdrawn);
            if (fabric_store(t->f)->link[change[end].link].tier != TIER_HOST) routed = true;
        }
        notices_add(t, &change[i], end - i, lost);
        nics_events(t, change[i].at);
        if (!routed && n_states > 0) continue;
        fine = routes_settle(r, change[i].at, &added, spec, d);
        if (fine && added && n_states++ > 0) routes_events(t, r, n_states - 1, change[i].at);
    }
    free(lost);
    return fine;
}

static bool timeline_routes(struct timeline *t, const struct fabric_spec *spec, struct diag *d) {
    struct routes *r = routes_begin(t->f, spec->routing);
    size_t n;
    struct change *change = changes_collect(t, &n);
    bool fine = (!t->f->kind->arbitrary || routes_check(r, spec, d)) && timeline_settle(t, r, change, n, spec, d);
    routes_end(r);
    free(change);
    return fine;
}

bool timeline_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    struct timeline t = {.f = f};
    bool fine = true;
    for (size_t i = 0; fine && i < spec->n_failed; i++) fine = outage_from_entry(&t, &spec->failed[i], d);
    for (size_t i = 0; fine && i < spec->n_fail_random; i++) fine = outages_from_draw(&t, spec, i, d);
    fine = fine && outages_apart(&t, d);
    for (size_t i = 0; fine && i < t.n_outages; i++) outage_events(&t, &t.outage[i]);
    if (fine) fine = timeline_routes(&t, spec, d);
    if (fine) events_publish(&t);
    free(t.outage);
    free(t.event);
    return fine;
}
