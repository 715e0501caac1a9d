/* SPDX-License-Identifier: Apache-2.0 */
/* Routes of one settled state: for every rack, each switch's equal-cost next hops on shortest up-down paths.
 *
 * A path goes up first and then down; it never goes up again. On both parts it may pass between peers. For each rack
 * two distances are computed outwards from its switch: `down` over paths that only descend, `full` over all up-down
 * paths. A switch's next hops are the neighbours that are one step nearer; downwards only those from which the path can
 * descend all the way. `full` falls with every hop, so frames never loop, not even in irregular fabrics from files. In
 * a Clos this withdraws routes per destination: a ToR does not choose an agg that has no path to the rack (EXP-2,
 * EXP-3).
 *
 * With `routing: shortest` all switches are peers: paths go anywhere, and both distances are those of the graph.
 *
 * Racks below the same switches are twins. Exchanging two twins leaves the rest of the fabric unchanged, so all
 * switches but those two and the switches directly above have the same entries for both. The first rack of a run of
 * twins is computed; the others are copied and corrected at these switches. In a Clos that is one rack per pod.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/fabric_build.h"
#include "fabric/nics.h"

#define FAR UINT32_MAX
#define NOWHERE UINT32_MAX

/* Ports of a switch in order: hosts, [down) lower switches, [peer) peers, [up) upper switches, end). */
struct port_ranges {
    uint32_t down, peer, up, end; /* global port numbers */
};

/* Distinct sets of next hops, with a hash table to find them. */
struct set_table {
    struct next_hops *set;
    uint32_t n, held;
    uint32_t *slot; /* index + 1, 0 = free; a power of two, at most half full */
    uint32_t n_slots;
};

struct routes {
    struct fabric *f;
    struct port_ranges *range; /* [n_switches] */
    uint32_t *to;              /* per global port: switch at the other end; NOWHERE: a host, or withdrawn */
    uint32_t *down, *full;     /* [n_switches]: distances to the current rack; FAR: no path */
    uint32_t *paths;           /* [n_switches]: number of shortest paths to the current rack, at most UINT32_MAX */
    uint32_t *below, *order;   /* switches with a path, in the order of `down`, of `full` */
    uint32_t n_below, n_order;
    uint32_t *last_set;              /* [n_switches]: last set of next hops of each switch, which is tried first */
    uint16_t *matrix;                /* [n_switches][n_leaves]: all rows of the current state */
    uint32_t most_intra, most_inter; /* most shortest paths between two racks of a pod, of two pods */
    struct set_table sets;
    struct row_store *rows;
    struct route_state *state;
    uint32_t n_states, states_held;
    bool too_many_sets;
};

/* ---- sets of next hops ---- */

static uint32_t set_hash(const uint16_t *port, uint16_t n) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint16_t i = 0; i < n; i++) hash = (hash ^ port[i]) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 32);
}

static bool set_is(const struct next_hops *set, const uint16_t *port, uint16_t n) {
    return set->n == n && memcmp(set->port, port, n * sizeof *port) == 0;
}

static uint32_t set_slot(const struct set_table *t, const uint16_t *port, uint16_t n) {
    uint32_t i = set_hash(port, n) & (t->n_slots - 1);
    while (t->slot[i] && !set_is(&t->set[t->slot[i] - 1], port, n)) i = (i + 1) & (t->n_slots - 1);
    return i;
}

static void set_table_grow(struct set_table *t) {
    t->held *= 2;
    t->n_slots *= 2;
    t->set = memory_grow(t->set, t->held, sizeof *t->set);
    free(t->slot);
    t->slot = memory_get(t->n_slots, sizeof *t->slot);
    for (uint32_t i = 0; i < t->n; i++) t->slot[set_slot(t, t->set[i].port, t->set[i].n)] = i + 1;
}

static uint32_t set_keep(struct routes *r, const uint16_t *port, uint16_t n) {
    struct set_table *t = &r->sets;
    uint32_t i = set_slot(t, port, n);
    if (t->slot[i]) return t->slot[i] - 1;
    if (t->n == t->held) {
        set_table_grow(t);
        i = set_slot(t, port, n);
    }
    uint16_t *copy = fabric_own(r->f, n, sizeof *copy);
    memcpy(copy, port, n * sizeof *copy);
    t->set[t->n] = (struct next_hops){n, copy};
    t->slot[i] = ++t->n;
    return t->n - 1;
}

/* ---- port ranges and links ---- */

static void ranges_fill(struct routes *r, uint32_t s, enum fabric_routing routing) {
    const struct place *place = &r->f->place[s];
    struct port_ranges *range = &r->range[s];
    uint32_t first = r->f->paths.first_port[place->node];
    uint16_t p = 0;
    while (p < place->first_uplink && place->port[p].neighbour_tier == TIER_HOST) p++;
    range->down = first + p;
    range->peer = first + place->first_uplink;
    p = place->first_uplink;
    while (p < place->n_ports && place->port[p].neighbour_tier == place->tier) p++;
    range->up = first + p;
    range->end = first + place->n_ports;
    if (routing == ROUTING_SHORTEST) {
        range->peer = range->down;
        range->up = range->end;
    }
}

struct routes *routes_begin(struct fabric *f, enum fabric_routing routing) {
    struct routes *r = memory_get(1, sizeof *r);
    uint32_t n = f->n_switches, n_ports = f->paths.first_port[f->n_nodes];
    r->f = f;
    r->range = memory_get(n, sizeof *r->range);
    r->to = memory_get(n_ports, sizeof *r->to);
    r->down = memory_get(n, sizeof *r->down);
    r->full = memory_get(n, sizeof *r->full);
    r->paths = memory_get(n, sizeof *r->paths);
    r->below = memory_get(n, sizeof *r->below);
    r->order = memory_get(n, sizeof *r->order);
    r->last_set = memory_get(n, sizeof *r->last_set);
    r->matrix = memory_get((size_t)n * f->n_leaves, sizeof *r->matrix);
    r->sets = (struct set_table){.held = 64, .n_slots = 128};
    r->sets.set = memory_get(r->sets.held, sizeof *r->sets.set);
    r->sets.slot = memory_get(r->sets.n_slots, sizeof *r->sets.slot);
    r->rows = row_store_create(f);
    for (uint32_t s = 0; s < n; s++) ranges_fill(r, s, routing);
    for (uint32_t i = 0; i < n_ports; i++) {
        uint32_t neighbour = f->paths.port[i].neighbour;
        r->to[i] = neighbour < f->n_hosts ? NOWHERE : neighbour - f->n_hosts;
    }
    return r;
}

void routes_set_link(struct routes *r, uint32_t i, bool withdrawn) {
    const struct fabric_link *link = &fabric_store(r->f)->link[i];
    if (link->tier == TIER_HOST) return; /* a rack is routed as a whole */
    r->to[link->lower_port] = withdrawn ? NOWHERE : link->upper - r->f->n_hosts;
    r->to[link->upper_port] = withdrawn ? NOWHERE : link->lower - r->f->n_hosts;
}

/* ---- distances ---- */

/* Sets `down` of all switches that reach the rack by descending: breadth first, up and to peers from its switch. */
static void distances_down(struct routes *r, uint32_t leaf) {
    memset(r->down, 0xff, r->f->n_switches * sizeof *r->down);
    r->down[leaf] = 0;
    r->below[0] = leaf;
    r->n_below = 1;
    for (uint32_t head = 0; head < r->n_below; head++) {
        uint32_t t = r->below[head];
        for (uint32_t i = r->range[t].peer; i < r->range[t].end; i++) {
            uint32_t s = r->to[i];
            if (s == NOWHERE || r->down[s] != FAR) continue;
            r->down[s] = r->down[t] + 1;
            r->below[r->n_below++] = s;
        }
    }
}

static void distance_take(struct routes *r, uint32_t s, uint32_t distance) {
    if (r->full[s] != FAR) return;
    r->full[s] = distance;
    r->order[r->n_order++] = s;
}

/* Sets `full` of all switches, in the order of distance: a switch has its `down`, or one more than a switch above it or
 * a peer of it, whichever is less. */
static void distances_full(struct routes *r) {
    memset(r->full, 0xff, r->f->n_switches * sizeof *r->full);
    r->n_order = 0;
    uint32_t head = 0, from = 0;
    for (uint32_t level = 0; head < r->n_below || from < r->n_order; level++) {
        while (head < r->n_below && r->down[r->below[head]] == level) distance_take(r, r->below[head++], level);
        uint32_t to = r->n_order;
        for (; from < to; from++) {
            const struct port_ranges *range = &r->range[r->order[from]];
            for (uint32_t i = range->down; i < range->up; i++) {
                if (r->to[i] != NOWHERE) distance_take(r, r->to[i], level + 1);
            }
        }
    }
}

/* ---- next hops ---- */

static uint32_t paths_sum(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

/* Appends the ports of [from, to) whose far end is one step nearer to the rack; returns the new number of ports. */
static uint16_t hops_gather(struct routes *r, uint32_t s, const uint32_t *distances, uint32_t from, uint32_t to,
                            uint16_t *port, uint16_t n) {
    uint32_t first = r->f->paths.first_port[r->f->n_hosts + s], wanted = r->full[s] - 1;
    for (uint32_t i = from; i < to; i++) {
        uint32_t t = r->to[i];
        if (t == NOWHERE || distances[t] != wanted) continue;
        port[n++] = (uint16_t)(i - first);
        r->paths[s] = paths_sum(r->paths[s], r->paths[t]);
    }
    return n;
}

/* Returns the row entry of switch s for the current rack. */
static uint16_t hops_entry(struct routes *r, uint32_t s, uint16_t *port) {
    const struct port_ranges *range = &r->range[s];
    uint16_t n = 0;
    r->paths[s] = 0;
    if (r->down[s] == r->full[s]) n = hops_gather(r, s, r->down, range->down, range->peer, port, n);
    n = hops_gather(r, s, r->full, range->peer, range->end, port, n);
    if (n == 1) return port[0];
    uint32_t set = r->last_set[s];
    if (set >= r->sets.n || !set_is(&r->sets.set[set], port, n)) set = set_keep(r, port, n);
    r->last_set[s] = set;
    if (set >= ROW_MAX_SETS) r->too_many_sets = true;
    return (uint16_t)(ROUTE_SET | set);
}

static void paths_note(struct routes *r, uint32_t leaf) {
    const uint32_t *pod = r->f->paths.leaf_pod;
    for (uint32_t s = 0; s < r->f->n_leaves; s++) {
        if (s == leaf || r->full[s] == FAR) continue;
        uint32_t *most = pod[s] == pod[leaf] ? &r->most_intra : &r->most_inter;
        if (r->paths[s] > *most) *most = r->paths[s];
    }
}

/* Computes column `leaf` of all rows. */
static void routes_column(struct routes *r, uint32_t leaf, uint16_t *port) {
    uint32_t n_leaves = r->f->n_leaves;
    distances_down(r, leaf);
    distances_full(r);
    for (uint32_t s = 0; s < r->f->n_switches; s++) r->matrix[(size_t)s * n_leaves + leaf] = ROUTE_NONE;
    r->paths[leaf] = 1;
    for (uint32_t i = 1; i < r->n_order; i++) {
        uint32_t s = r->order[i];
        r->matrix[(size_t)s * n_leaves + leaf] = hops_entry(r, s, port);
    }
    paths_note(r, leaf);
}

/* ---- twins ---- */

/* Returns whether two racks of a pod have the same uplinks, to the same switches, and no peer links. */
static bool is_twin(const struct routes *r, uint32_t a, uint32_t b) {
    const struct port_ranges *x = &r->range[a], *y = &r->range[b];
    uint32_t n = x->end - x->up;
    return r->f->paths.leaf_pod[a] == r->f->paths.leaf_pod[b] && x->peer == x->up && y->peer == y->up &&
           y->end - y->up == n && memcmp(r->to + x->up, r->to + y->up, n * sizeof *r->to) == 0;
}

static void exchange(uint32_t *of, uint32_t a, uint32_t b) {
    uint32_t held = of[a];
    of[a] = of[b];
    of[b] = held;
}

static void twins_exchange(struct routes *r, uint32_t a, uint32_t b) {
    exchange(r->down, a, b);
    exchange(r->full, a, b);
    exchange(r->paths, a, b);
}

/* Corrects column `twin`, a copy of column `leaf`. The distances must be those for `leaf`. */
static void twin_column(struct routes *r, uint32_t leaf, uint32_t twin, uint16_t *port) {
    size_t n_leaves = r->f->n_leaves;
    twins_exchange(r, leaf, twin);
    r->matrix[twin * n_leaves + twin] = ROUTE_NONE;
    if (r->full[leaf] != FAR) r->matrix[leaf * n_leaves + twin] = hops_entry(r, leaf, port);
    for (uint32_t i = r->range[twin].up; i < r->range[twin].end; i++) {
        uint32_t s = r->to[i];
        if (s != NOWHERE) r->matrix[s * n_leaves + twin] = hops_entry(r, s, port);
    }
    twins_exchange(r, leaf, twin);
}

/* Computes columns [leaf, end), which are all twins. */
static void twins_columns(struct routes *r, uint32_t leaf, uint32_t end, uint16_t *port) {
    routes_column(r, leaf, port);
    if (end == leaf + 1) return;
    for (uint32_t s = 0; s < r->f->n_switches; s++) {
        uint16_t *entry = r->matrix + (size_t)s * r->f->n_leaves;
        for (uint32_t twin = leaf + 1; twin < end; twin++) entry[twin] = entry[leaf];
    }
    for (uint32_t twin = leaf + 1; twin < end; twin++) twin_column(r, leaf, twin, port);
}

/* ---- states ---- */

/* Pairs of racks without a path to each other. */
struct apart {
    const struct fabric *f;
    uint8_t *of;       /* [n_leaves * n_leaves], if hosts have several links; NULL: the first pair found decides */
    uint32_t from, to; /* the last pair found; NODE_NONE: every two racks have a path */
};

/* Returns whether no NIC of one host has a path to a NIC of the other. */
static bool hosts_are_apart(const struct apart *a, uint32_t src, uint32_t dst) {
    const uint32_t *first = a->f->paths.first_port;
    for (uint32_t i = first[src]; i < first[src + 1]; i++)
        for (uint32_t j = first[dst]; j < first[dst + 1]; j++)
            if (!a->of[(size_t)fabric_nic_leaf(a->f, i) * a->f->n_leaves + fabric_nic_leaf(a->f, j)]) return false;
    return true;
}

/* Returns whether a host is linked to the same leaves as the host before it. */
static bool is_like_before(const struct fabric *f, uint32_t host) {
    uint32_t n = fabric_host_nics(f, host), first = f->paths.first_port[host];
    if (host == 0 || fabric_host_nics(f, host - 1) != n) return false;
    for (uint32_t i = 0; i < n; i++)
        if (f->paths.port[first + i].neighbour != f->paths.port[first - n + i].neighbour) return false;
    return true;
}

/* Sets a->from and a->to to racks of two hosts without a path; NODE_NONE: every two hosts have one. */
static void apart_find(struct apart *a) {
    a->from = a->to = NODE_NONE;
    for (uint32_t x = 0; x < a->f->n_hosts; x++) {
        if (is_like_before(a->f, x)) continue;
        for (uint32_t y = x + 1; y < a->f->n_hosts; y++) {
            if (is_like_before(a->f, y) || !hosts_are_apart(a, x, y)) continue;
            a->from = a->f->node[x].leaf;
            a->to = a->f->node[y].leaf;
            return;
        }
    }
}

/* Notes which switches have a path to some rack, and which racks have none to each other. */
static void apart_note(struct apart *a, struct routes *r, bool *serves) {
    const struct fabric *f = r->f;
    for (uint32_t leaf = 0; leaf < f->n_leaves && (a->of || a->from == NODE_NONE); leaf++) {
        distances_down(r, leaf);
        distances_full(r);
        for (uint32_t s = 0; s < f->n_switches; s++) {
            if (r->full[s] != FAR) {
                serves[s] = true;
            } else if (s < f->n_leaves) {
                a->from = s;
                a->to = leaf;
                if (a->of) a->of[(size_t)s * f->n_leaves + leaf] = 1;
            }
        }
    }
    if (a->of && a->from != NODE_NONE) apart_find(a);
}

bool routes_check(struct routes *r, const struct fabric_spec *spec, struct diag *d) {
    struct fabric *f = r->f;
    const struct diag *w = &spec->where;
    bool *serves = memory_get(f->n_switches, sizeof *serves);
    struct apart apart = {.f = f, .from = NODE_NONE, .to = NODE_NONE};
    uint32_t idle = NODE_NONE;
    if (fabric_is_multihomed(f)) apart.of = memory_get((size_t)f->n_leaves * f->n_leaves, 1);
    apart_note(&apart, r, serves);
    free(apart.of);
    uint32_t from = apart.from, to = apart.to;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        if (!serves[s]) idle = s;
    }
    free(serves);
    char name[FABRIC_NODE_NAME_MAX], why[sizeof d->text];
    if (from != NODE_NONE) {
        no_way_explain(f, r->to, from, to, why, sizeof why);
        return diag_fail_in(d, spec->path ? spec->path : w->file, "%s", why);
    }
    if (idle != NODE_NONE)
        return diag_fail_in(d, spec->path ? spec->path : w->file,
                            "switch %s has no path to any host; link it or remove it",
                            fabric_node_name(f, f->n_hosts + idle, name, sizeof name));
    return true;
}

/* Returns the anchor of a switch's row: its own rack, or the first rack of its pod; 0 for a core. */
static uint32_t row_anchor(const struct fabric *f, uint32_t s) {
    const struct place *place = &f->place[s];
    if (place->tier == TIER_LEAF) return s;
    return place->tier == TIER_AGG && place->pod < f->n_pods ? fabric_store(f)->pod_leaf[place->pod] : 0;
}

/* Stores the rows that differ from those of the last state and fills row[]; returns false if none differs. */
static bool rows_settle(struct routes *r, const struct route_row *before, struct route_row *row) {
    const struct fabric *f = r->f;
    bool changed = false;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const uint16_t *now = r->matrix + (size_t)s * f->n_leaves;
        if (before && memcmp(before[s].to_leaf, now, f->n_leaves * sizeof *now) == 0) {
            row[s] = before[s];
            continue;
        }
        row[s].to_leaf = row_keep(r->rows, now, f->place[s].tier, row_anchor(f, s));
        changed = true;
    }
    return changed;
}

static void state_append(struct routes *r, time_ps from, const struct route_row *row) {
    if (r->n_states == r->states_held) {
        r->states_held = r->states_held ? 2 * r->states_held : 8;
        r->state = memory_grow(r->state, r->states_held, sizeof *r->state);
    }
    r->state[r->n_states++] = (struct route_state){from, row};
}

bool routes_settle(struct routes *r, time_ps from, bool *added, const struct fabric_spec *spec, struct diag *d) {
    struct fabric *f = r->f;
    uint16_t *port = memory_get(FABRIC_MAX_PORTS, sizeof *port);
    r->most_intra = r->most_inter = 0;
    for (uint32_t leaf = 0, end; leaf < f->n_leaves; leaf = end) {
        for (end = leaf + 1; end < f->n_leaves && is_twin(r, leaf, end);) end++;
        twins_columns(r, leaf, end, port);
    }
    free(port);
    if (r->too_many_sets)
        return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                         "the fabric and its failures make more than %u sets of next hops; have fewer", ROW_MAX_SETS);
    if (r->n_states == 0) {
        f->paths_intra_pod = r->most_intra;
        f->paths_inter_pod = r->most_inter;
    }
    struct route_row *row = memory_get(f->n_switches, sizeof *row);
    const struct route_row *before = r->n_states ? r->state[r->n_states - 1].row : NULL;
    *added = rows_settle(r, before, row);
    if (*added) {
        struct route_row *kept = fabric_own(f, f->n_switches, sizeof *kept);
        memcpy(kept, row, f->n_switches * sizeof *kept);
        state_append(r, from, kept);
    }
    free(row);
    return true;
}

bool routes_changed(const struct routes *r, uint32_t s) {
    if (r->n_states < 2) return true;
    return r->state[r->n_states - 1].row[s].to_leaf != r->state[r->n_states - 2].row[s].to_leaf;
}

/* Hands states and sets to the fabric. Rows get their set pointer here, because the array of sets is complete now. */
static void states_publish(struct routes *r) {
    struct fabric *f = r->f;
    struct next_hops *set = fabric_own(f, r->sets.n, sizeof *set);
    memcpy(set, r->sets.set, r->sets.n * sizeof *set);
    struct route_state *state = fabric_own(f, r->n_states, sizeof *state);
    if (r->n_states > 0) memcpy(state, r->state, r->n_states * sizeof *state);
    for (uint32_t i = 0; i < r->n_states; i++) {
        struct route_row *row = (struct route_row *)state[i].row; /* ours, from routes_settle */
        for (uint32_t s = 0; s < f->n_switches; s++) {
            row[s].set = set;
            row[s].n_sets = (uint16_t)r->sets.n;
        }
    }
    f->paths.state = state;
    f->paths.n_states = r->n_states;
}

void routes_end(struct routes *r) {
    states_publish(r);
    row_store_destroy(r->rows);
    free(r->range);
    free(r->to);
    free(r->down);
    free(r->full);
    free(r->paths);
    free(r->below);
    free(r->order);
    free(r->last_set);
    free(r->matrix);
    free(r->sets.set);
    free(r->sets.slot);
    free(r->state);
    free(r);
}
