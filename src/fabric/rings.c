/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/rings.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Which egress ports of switches follow each other on a path. Ports have global numbers. */
struct dependencies {
    const struct fabric *f;
    uint64_t **next; /* [ports] set of the ports of the switch behind it that follow; NULL: none */
    uint8_t *mark;   /* [ports] enum visit */
    bool *reached;   /* [switches] by frames for the rack at hand */
};

enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

static uint32_t first_port(const struct fabric *f, uint32_t s) { return f->paths.first_port[f->n_hosts + s]; }
static uint32_t n_ports(const struct fabric *f, uint32_t s) {
    return f->paths.first_port[f->n_hosts + s + 1] - first_port(f, s);
}
static uint32_t switch_behind(const struct fabric *f, uint32_t port) {
    return f->paths.port[port].neighbour - f->n_hosts;
}

/* Returns the next hops of a switch to a rack, of which it has n. */
static const uint16_t *hops_of(const struct fabric *f, uint32_t s, uint32_t leaf, uint16_t *n) {
    const struct route_row *row = &f->paths.state[0].row[s];
    const uint16_t *entry = &row->to_leaf[leaf];
    *n = *entry != ROUTE_NONE;
    if (*n == 0 || !(*entry & ROUTE_SET)) return entry;
    const struct next_hops *set = &row->set[*entry & ~ROUTE_SET];
    *n = set->n;
    return set->port;
}

/* Notes that frames for a rack which take `port` go on by any next hop of the switch behind it. */
static void depend(struct dependencies *d, uint32_t port, uint32_t leaf) {
    uint32_t behind = switch_behind(d->f, port), words = n_ports(d->f, behind) / 64 + 1;
    uint16_t n;
    const uint16_t *hop = hops_of(d->f, behind, leaf, &n);
    if (n && !d->next[port]) d->next[port] = memory_get(words, sizeof *d->next[port]);
    for (uint16_t i = 0; i < n; i++) d->next[port][hop[i] / 64] |= 1ull << hop[i] % 64;
}

/* Follows the frames of all racks to one of them, which come to each switch once. */
static void depend_to(struct dependencies *d, uint32_t leaf, uint32_t *queue) {
    const struct fabric *f = d->f;
    uint32_t n_queue = 0;
    memset(d->reached, 0, f->n_switches * sizeof *d->reached);
    for (uint32_t s = 0; s < f->n_leaves; s++) {
        d->reached[s] = true;
        queue[n_queue++] = s;
    }
    for (uint32_t head = 0; head < n_queue; head++) {
        uint32_t s = queue[head];
        uint16_t n;
        const uint16_t *hop = hops_of(f, s, leaf, &n);
        for (uint16_t i = 0; i < n; i++) {
            uint32_t port = first_port(f, s) + hop[i], behind = switch_behind(f, port);
            depend(d, port, leaf);
            if (d->reached[behind]) continue;
            d->reached[behind] = true;
            queue[n_queue++] = behind;
        }
    }
}

/* Returns the first port from `from` on that follows `port`; UINT32_MAX: none does. */
static uint32_t next_from(const struct dependencies *d, uint32_t port, uint32_t from) {
    uint32_t behind = switch_behind(d->f, port), first = first_port(d->f, behind);
    for (uint32_t i = from - first; d->next[port] && i < n_ports(d->f, behind); i++)
        if (d->next[port][i / 64] >> i % 64 & 1) return first + i;
    return UINT32_MAX;
}

static void ring_set(const struct fabric *f, const uint32_t *path, uint32_t n, struct fabric_ring *ring) {
    ring->n = n;
    for (uint32_t i = 0; i < n && i < RING_SHOWN_MAX; i++) ring->node[i] = f->n_hosts + switch_behind(f, path[i]);
}

/* Walks from a port, depth first. `path` has the ports on the way, `at` for each of them which port is to follow next. Returns
 * whether the walk comes back to its own way. */
static bool walk(struct dependencies *d, uint32_t from, uint32_t *path, uint32_t *at, struct fabric_ring *ring) {
    uint32_t depth = 0;
    path[0] = from;
    at[0] = first_port(d->f, switch_behind(d->f, from));
    d->mark[from] = VISIT_OPEN;
    for (;;) {
        uint32_t port = next_from(d, path[depth], at[depth]);
        if (port == UINT32_MAX) {
            d->mark[path[depth]] = VISIT_DONE;
            if (depth-- == 0) return false;
            continue;
        }
        at[depth] = port + 1;
        if (d->mark[port] == VISIT_OPEN) {
            uint32_t begin = depth;
            while (path[begin] != port) begin--;
            ring_set(d->f, path + begin, depth - begin + 1, ring);
            return true;
        }
        if (d->mark[port] == VISIT_DONE) continue;
        d->mark[port] = VISIT_OPEN;
        path[++depth] = port;
        at[depth] = first_port(d->f, switch_behind(d->f, port));
    }
}

bool fabric_has_ring(const struct fabric *f, struct fabric_ring *ring) {
    uint32_t all = f->paths.first_port[f->n_nodes];
    bool found = false;
    if (!f->kind->arbitrary) return false;
    struct dependencies d = {.f = f,
                             .next = memory_get(all, sizeof *d.next),
                             .mark = memory_get(all, sizeof *d.mark),
                             .reached = memory_get(f->n_switches, sizeof *d.reached)};
    uint32_t *path = memory_get(all, sizeof *path), *at = memory_get(all, sizeof *at);
    for (uint32_t leaf = 0; leaf < f->n_leaves; leaf++) depend_to(&d, leaf, path);
    for (uint32_t port = 0; port < all && !found; port++)
        if (d.next[port] && d.mark[port] == VISIT_NEW) found = walk(&d, port, path, at, ring);
    for (uint32_t port = 0; port < all; port++) free(d.next[port]);
    free(d.next);
    free(d.mark);
    free(d.reached);
    free(path);
    free(at);
    return found;
}
