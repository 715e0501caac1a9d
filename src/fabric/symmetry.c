/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/symmetry.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fabric/choices.h"

/* The index that the switches of a tier chose among n next hops; n 0: no switch had a choice. */
struct chosen {
    uint16_t n, place;
};

struct symmetry_walk {
    const struct fabric *f;
    uint32_t state, from, to; /* racks */
    uint32_t *link;           /* egress ports (global numbers) of the forward path */
};

/* Notes a switch's choice; false if another switch of its tier chose differently. A single next hop is no choice. */
static bool chosen_note(struct chosen *c, uint16_t n, uint16_t place) {
    if (n == 1) return true;
    if (c->n > 0) return c->n == n && c->place == place;
    *c = (struct chosen){n, place};
    return true;
}

/* Returns the index of this port among the n choices, or n if it is none of them. */
static uint16_t place_of_port(const uint16_t *choice, uint16_t n, uint16_t port) {
    uint16_t i = 0;
    while (i < n && choice[i] != port) i++;
    return i;
}

/* Returns whether the same choices lead back over the links of the forward path. */
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

/* Returns whether all forward paths over switch s are mirrored; `so_far` and n_links describe the path up to it. */
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

/* Returns whether a pair of racks is symmetric. Both directions must have a path, or neither. Forward paths differ from
 * each other, and so do their mirror images: if each is the path back for its choices, no other path back exists. */
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
