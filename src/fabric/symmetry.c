/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/symmetry.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fabric/choices.h"

/* The place that the switches of a tier chose among n next hops; n 0: none had a choice. */
struct chosen {
    uint16_t n, place;
};

struct symmetry_walk {
    const struct fabric *f;
    uint32_t state, from, to; /* racks */
    uint32_t *link;           /* global ports that the way there leaves by */
};

/* False if another switch of the tier chose differently. */
static bool chosen_note(struct chosen *c, uint16_t n, uint16_t place) {
    if (n == 1) return true;
    if (c->n > 0) return c->n == n && c->place == place;
    *c = (struct chosen){n, place};
    return true;
}

/* Which choice of switch s for a rack is this port? n if none. */
static uint16_t place_of_port(const uint16_t *choice, uint16_t n, uint16_t port) {
    uint16_t i = 0;
    while (i < n && choice[i] != port) i++;
    return i;
}

/* Does the way back go over the same links for the same choices? */
static bool mirrors(const struct symmetry_walk *w, uint32_t n_links, const struct chosen *there) {
    const struct fabric *f = w->f;
    struct chosen back[TIER_COUNT] = {{0}};
    for (uint32_t k = n_links; k-- > 0;) {
        const struct place_port *link = &f->paths.port[f->paths.port[w->link[k]].peer];
        const uint16_t *choice = NULL;
        uint32_t s = link->node - f->n_hosts;
        uint16_t n = fabric_hops(f, w->state, s, w->from, &choice), place = place_of_port(choice, n, link->port);
        if (place == n || !chosen_note(&back[f->place[s].tier], n, place)) return false;
    }
    for (int tier = 0; tier < TIER_COUNT; tier++)
        if (back[tier].n != there[tier].n || back[tier].place != there[tier].place) return false;
    return true;
}

/* All ways on from switch s, to which n_links links led. */
static bool walk_on(const struct symmetry_walk *w, uint32_t s, uint32_t n_links, const struct chosen *so_far) {
    const struct fabric *f = w->f;
    const uint16_t *choice = NULL;
    if (s == w->to) return mirrors(w, n_links, so_far);
    uint16_t n = fabric_hops(f, w->state, s, w->to, &choice);
    for (uint16_t i = 0; i < n; i++) {
        struct chosen there[TIER_COUNT];
        for (int tier = 0; tier < TIER_COUNT; tier++) there[tier] = so_far[tier];
        if (!chosen_note(&there[f->place[s].tier], n, i)) return false;
        w->link[n_links] = f->paths.first_port[f->n_hosts + s] + choice[i];
        if (!walk_on(w, f->place[s].port[choice[i]].neighbour - f->n_hosts, n_links + 1, there)) return false;
    }
    return true;
}

/* Both must have a way, or neither. The ways there are all different, and so are their mirror images: if each is the
 * way back for its choices, there is no other way back. */
static bool pair_is_symmetric(const struct symmetry_walk *w) {
    const struct chosen none[TIER_COUNT] = {{0}};
    const uint16_t *choice;
    bool there = fabric_hops(w->f, w->state, w->from, w->to, &choice) > 0;
    bool back = fabric_hops(w->f, w->state, w->to, w->from, &choice) > 0;
    return there == back && walk_on(w, w->from, 0, none);
}

bool fabric_symmetry_walk(const struct fabric *f, struct fabric_asymmetry *first) {
    struct symmetry_walk w = {.f = f, .link = memory_get(f->n_switches, sizeof *w.link)};
    bool symmetric = true;
    for (w.state = 0; symmetric && w.state < f->paths.n_states; w.state++)
        for (w.from = 0; symmetric && w.from < f->n_leaves; w.from++)
            for (w.to = w.from + 1; symmetric && w.to < f->n_leaves; w.to++) {
                symmetric = pair_is_symmetric(&w);
                if (!symmetric) *first = (struct fabric_asymmetry){w.from, w.to, w.state};
            }
    free(w.link);
    return symmetric;
}

bool fabric_is_symmetric(const struct fabric *f, struct fabric_asymmetry *first) {
    return !f->kind->arbitrary || fabric_symmetry_walk(f, first);
}
