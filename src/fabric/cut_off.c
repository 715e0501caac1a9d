/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/cut_off.h"

#include "base/memory.h"
#include "base/time_text.h"
#include "base/units.h"
#include "fabric/fabric_build.h"
#include "fabric/nics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets of racks, a bit each, for every switch. */
struct reached {
    const struct fabric *f;
    bool *dead;      /* [n_links] */
    uint64_t *below; /* [n_switches][words] racks reached by descending, from peers too */
    uint64_t *all;   /* [n_switches][words] racks reached by any up-down path */
    uint32_t words;
};

/* The present state of each host, since when, and what was found. */
struct finding {
    struct reached r;
    enum cut_off_from *kind, *next; /* [n_hosts] */
    time_ps *since;                 /* [n_hosts] */
    struct cut_offs *found;
    size_t room;
};

/* ---- racks that a switch reaches ---- */

static uint64_t *set_of(const struct reached *r, uint64_t *sets, uint32_t node) {
    return sets + (size_t)(node - r->f->n_hosts) * r->words;
}

/* Adds a set to another; returns whether that has grown. */
static bool set_add(uint64_t *to, const uint64_t *from, uint32_t words) {
    uint64_t news = 0;
    for (uint32_t i = 0; i < words; i++) {
        news |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return news != 0;
}

/* Passes sets over all links between switches until nothing changes: to the upper ends, or to the lower ones, and among
 * peers both ways. */
static void sets_spread(const struct reached *r, uint64_t *sets, bool upwards) {
    const struct fabric_store *store = fabric_store(r->f);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < store->n_links; i++) {
            const struct fabric_link *link = &store->link[i];
            if (link->tier == TIER_HOST || r->dead[i]) continue;
            bool peers = r->f->node[link->lower].tier == r->f->node[link->upper].tier;
            uint64_t *lower = set_of(r, sets, link->lower), *upper = set_of(r, sets, link->upper);
            if (upwards || peers) changed |= set_add(upper, lower, r->words);
            if (!upwards || peers) changed |= set_add(lower, upper, r->words);
        }
    }
}

static void reached_find(struct reached *r) {
    const struct fabric *f = r->f;
    size_t bytes = (size_t)f->n_switches * r->words * sizeof(uint64_t);
    memset(r->below, 0, bytes);
    for (uint32_t leaf = 0; leaf < f->n_leaves; leaf++)
        set_of(r, r->below, f->n_hosts + leaf)[leaf / 64] |= 1ull << (leaf % 64);
    sets_spread(r, r->below, true);
    memcpy(r->all, r->below, bytes);
    sets_spread(r, r->all, false);
}

static uint32_t racks_reached(const struct reached *r, uint32_t leaf) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->words; i++)
        n += (uint32_t)__builtin_popcountll(set_of(r, r->all, r->f->n_hosts + leaf)[i]);
    return n;
}

/* Returns whether a rack has lost all its links to other switches. */
static bool has_no_uplink(const struct reached *r, uint32_t leaf) {
    const struct fabric *f = r->f;
    uint32_t node = f->n_hosts + leaf;
    for (uint32_t g = f->paths.first_port[node]; g < f->paths.first_port[node + 1]; g++)
        if (f->paths.port[g].link_tier != TIER_HOST && !r->dead[fabric_store(f)->port_link[g]]) return false;
    return true;
}

/* ---- what that means for hosts ---- */

/* Sets cut[n_leaves]: whether a rack is cut off from some others, or from all. */
static void racks_judge(const struct reached *r, enum cut_off_from *cut) {
    uint32_t most = 0, least = UINT32_MAX, n_bare = 0, n = r->f->n_leaves;
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        uint32_t reached = racks_reached(r, leaf);
        most = reached > most ? reached : most;
        least = reached < least ? reached : least;
        n_bare += has_no_uplink(r, leaf);
    }
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        uint32_t reached = racks_reached(r, leaf);
        bool alike = least == most && (n_bare == 0 || has_no_uplink(r, leaf));
        bool is_cut = reached < n && (reached < most || alike);
        cut[leaf] = !is_cut ? CUT_OFF_FROM_NONE : reached == 1 ? CUT_OFF_FROM_OTHER_RACKS : CUT_OFF_FROM_SOME_RACKS;
    }
}

/* ---- hosts with several links ---- */

static bool nic_is_dead(const struct reached *r, uint32_t nic) { return r->dead[fabric_store(r->f)->port_link[nic]]; }

/* Sets the racks that a host reaches over its NICs. */
static void host_reached(const struct reached *r, uint32_t host, uint64_t *racks) {
    const uint32_t *first = r->f->paths.first_port;
    memset(racks, 0, r->words * sizeof *racks);
    for (uint32_t g = first[host]; g < first[host + 1]; g++)
        if (!nic_is_dead(r, g)) set_add(racks, set_of(r, r->all, r->f->paths.port[g].neighbour), r->words);
}

static bool is_linked_to(const struct reached *r, uint32_t host, const uint64_t *racks) {
    const uint32_t *first = r->f->paths.first_port;
    for (uint32_t g = first[host]; g < first[host + 1]; g++) {
        uint32_t leaf = fabric_nic_leaf(r->f, g);
        if (!nic_is_dead(r, g) && racks[leaf / 64] >> leaf % 64 & 1) return true;
    }
    return false;
}

/* Returns how many hosts a host reaches, itself included if it has a link; *own counts those numbered after its own leaf. */
static uint32_t hosts_reached(const struct reached *r, uint32_t host, uint64_t *racks, uint32_t *own) {
    uint32_t n = 0;
    *own = 0;
    host_reached(r, host, racks);
    for (uint32_t h = 0; h < r->f->n_hosts; h++) {
        if (!is_linked_to(r, h, racks)) continue;
        n++;
        *own += r->f->node[h].leaf == r->f->node[host].leaf;
    }
    return n;
}

/* Judges each host by the hosts that it reaches, since racks alone do not tell. A host without any link left is missed by
 * nobody. Cost: hosts x hosts for each change; such fabrics are asked for this only when they fail. */
static void multihomed_judge(struct finding *x) {
    const struct fabric *f = x->r.f;
    uint64_t *racks = memory_get(x->r.words, sizeof *racks);
    uint32_t *n = memory_get(2 * (size_t)f->n_hosts, sizeof *n), *own = n + f->n_hosts, linked = 0, most = 0;
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        n[h] = hosts_reached(&x->r, h, racks, &own[h]);
        linked += n[h] > 0;
        most = n[h] > most ? n[h] : most;
    }
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        bool is_cut = n[h] < most || most < linked;
        x->next[h] = n[h] <= 1        ? CUT_OFF_FROM_ALL
                     : !is_cut        ? CUT_OFF_FROM_NONE
                     : n[h] == own[h] ? CUT_OFF_FROM_OTHER_RACKS
                                      : CUT_OFF_FROM_SOME_RACKS;
    }
    free(n);
    free(racks);
}

static void hosts_judge(struct finding *x) {
    const struct fabric *f = x->r.f;
    reached_find(&x->r);
    if (fabric_is_multihomed(f)) {
        multihomed_judge(x);
        return;
    }
    enum cut_off_from *cut = memory_get(f->n_leaves, sizeof *cut);
    racks_judge(&x->r, cut);
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        bool dead = x->r.dead[fabric_store(f)->port_link[f->paths.first_port[h]]];
        x->next[h] = dead ? CUT_OFF_FROM_ALL : cut[f->node[h].leaf];
    }
    free(cut);
}

/* Notes the end of what cut a host off; joins it with that of the host before it if it is the same. */
static void cut_off_add(struct finding *x, uint32_t host, time_ps to) {
    struct cut_offs *c = x->found;
    struct cut_off *last = c->n ? &c->of[c->n - 1] : NULL;
    if (last && last->last + 1 == host && last->kind == x->kind[host] && last->from == x->since[host] &&
        last->to == to) {
        last->last = host;
        return;
    }
    if (!c->of || c->n == x->room) {
        x->room = x->room ? 2 * x->room : 16;
        c->of = memory_grow(c->of, x->room, sizeof *c->of);
    }
    c->of[c->n++] = (struct cut_off){host, host, x->kind[host], x->since[host], to};
}

/* Takes in the state of all hosts from `now` on. */
static void hosts_change(struct finding *x, time_ps now) {
    for (uint32_t h = 0; h < x->r.f->n_hosts; h++) {
        if (x->next[h] == x->kind[h]) continue;
        if (x->kind[h] != CUT_OFF_FROM_NONE && now > x->since[h]) cut_off_add(x, h, now);
        x->kind[h] = x->next[h];
        x->since[h] = now;
    }
}

/* ---- the timeline ---- */

struct change {
    time_ps at;
    uint32_t link;
    bool dead;
};

static int change_compare(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Returns the failures and repairs of links by time, and sets *n; free() returns them. */
static struct change *changes_list(const struct fabric *f, size_t *n) {
    struct change *list = memory_get(f->n_events + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < f->n_events; i++) {
        const struct fabric_event *e = &f->event[i];
        if (e->kind != EVENT_LINK_DOWN && e->kind != EVENT_LINK_UP) continue;
        uint32_t link = fabric_store(f)->port_link[f->paths.first_port[e->node] + e->port];
        list[(*n)++] = (struct change){e->at, link, e->kind == EVENT_LINK_DOWN};
    }
    qsort(list, *n, sizeof *list, change_compare);
    return list;
}

static int cut_off_compare(const void *a, const void *b) {
    const struct cut_off *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static void finding_init(struct finding *x, const struct fabric *f, struct cut_offs *c) {
    uint32_t words = (f->n_leaves + 63) / 64;
    *x = (struct finding){
        .r = {.f = f,
              .dead = memory_get(fabric_store(f)->n_links, sizeof(bool)),
              .below = memory_get((size_t)f->n_switches * words, sizeof(uint64_t)),
              .all = memory_get((size_t)f->n_switches * words, sizeof(uint64_t)),
              .words = words},
        .kind = memory_get(f->n_hosts, sizeof *x->kind),
        .next = memory_get(f->n_hosts, sizeof *x->next),
        .since = memory_get(f->n_hosts, sizeof *x->since),
        .found = c,
    };
}

static void finding_fini(struct finding *x) {
    free(x->r.dead);
    free(x->r.below);
    free(x->r.all);
    free(x->kind);
    free(x->next);
    free(x->since);
}

void cut_offs_find(const struct fabric *f, struct cut_offs *c) {
    struct finding x;
    size_t n;
    *c = (struct cut_offs){0};
    struct change *change = changes_list(f, &n);
    if (n) {
        finding_init(&x, f, c);
        for (size_t i = 0; i < n; i++) {
            x.r.dead[change[i].link] = change[i].dead;
            if (i + 1 < n && change[i + 1].at == change[i].at) continue;
            hosts_judge(&x);
            hosts_change(&x, change[i].at);
        }
        memset(x.next, 0, f->n_hosts * sizeof *x.next);
        hosts_change(&x, TIME_NONE);
        finding_fini(&x);
        if (c->n > 1) qsort(c->of, c->n, sizeof *c->of, cut_off_compare);
    }
    free(change);
}

void cut_offs_free(struct cut_offs *c) {
    free(c->of);
    *c = (struct cut_offs){0};
}

/* ---- words ---- */

const char *cut_off_text(const struct fabric *f, const struct cut_off *c, char buf[CUT_OFF_TEXT]) {
    static const char *const whom[] = {"", "some racks", "other racks", "any host"};
    char first[64], last[64], from[UNITS_TEXT_MAX], to[UNITS_TEXT_MAX], time[2 * UNITS_TEXT_MAX + 16];
    bool one = c->first == c->last;
    fabric_node_name(f, c->first, first, sizeof first);
    fabric_node_name(f, c->last, last, sizeof last);
    time_text(c->from, from);
    if (c->to == TIME_NONE)
        snprintf(time, sizeof time, "from %s on", from);
    else
        snprintf(time, sizeof time, "from %s to %s", from, time_text(c->to, to));
    snprintf(buf, CUT_OFF_TEXT, "%s%s%s %s no path to %s %s", first, one ? "" : " to ", one ? "" : last,
             one ? "has" : "have", whom[c->kind], time);
    return buf;
}
