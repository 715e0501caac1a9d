/* SPDX-License-Identifier: Apache-2.0 */
/* The least time that a transfer between two hosts can take, for the slowdown, which must never be below 1.
 *
 * All shortest paths between two racks have the same number of links, so the walk advances all of them hop by hop. Each
 * switch reached keeps the least delay and the largest bottleneck so far; for a bound they may be of different paths.
 * Where the links of each tier are alike, one path stands for all. With failures and repairs there are several states;
 * the best of them counts. A bound is that of the best pair of NICs, a round trip that of the worst.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/choices.h"
#include "fabric/fabric_build.h"
#include "fabric/nics.h"

/* Returns the serialization delay, rounded up. Overflows at 2^21 bytes, far above any frame. */
static span_ps serialization(uint32_t wire_bytes, int64_t rate_bps) {
    uint64_t bits = (uint64_t)wire_bytes * 8, rate = (uint64_t)rate_bps;
    return (span_ps)((bits * PS_PER_S + rate - 1) / rate);
}

/* Sets *port to the next hops of a row for a rack and returns their number; uses *single for an only one. */
static uint16_t row_hops(const struct route_row *row, uint32_t leaf, const uint16_t **port, uint16_t *single) {
    uint16_t entry = row->to_leaf[leaf];
    if (entry == ROUTE_NONE) return 0;
    if (entry & ROUTE_SET) {
        *port = row->set[entry & ~ROUTE_SET].port;
        return row->set[entry & ~ROUTE_SET].n;
    }
    *single = entry;
    *port = single;
    return 1;
}

/* The best that paths from the source's rack to a switch offer. */
struct reach {
    uint32_t s;
    span_ps delay, propagation; /* delay: propagation + serialization of the first frame at every hop */
    int64_t bps;                /* largest bottleneck of a single path */
    int64_t slowest_bps;        /* slowest link of any path */
};

struct walk {
    const struct fabric *f;
    const struct route_state *state;
    uint32_t dst_leaf, wire_bytes;
    bool one_path; /* all paths are alike, so only the first next hop is walked */
};

/* Adds a path to the list, or merges it into the entry of the same switch. Returns the length of the list. */
static uint32_t reach_join(struct reach *list, uint32_t n, struct reach way) {
    for (uint32_t i = 0; i < n; i++) {
        if (list[i].s != way.s) continue;
        if (way.delay < list[i].delay) list[i].delay = way.delay, list[i].propagation = way.propagation;
        list[i].bps = max_i64(list[i].bps, way.bps);
        list[i].slowest_bps = min_i64(list[i].slowest_bps, way.slowest_bps);
        return n;
    }
    list[n] = way;
    return n + 1;
}

static struct reach reach_over(const struct walk *w, struct reach from, const struct place_port *port) {
    return (struct reach){
        .s = port->neighbour - w->f->n_hosts,
        .delay = from.delay + port->delay + serialization(w->wire_bytes, port->rate_bps),
        .propagation = from.propagation + port->delay,
        .bps = min_i64(from.bps, port->rate_bps),
        .slowest_bps = min_i64(from.slowest_bps, port->rate_bps),
    };
}

/* Extends each of the n entries of `here` by one hop into `next`; returns the number of entries there. */
static uint32_t walk_hop(const struct walk *w, const struct reach *here, uint32_t n, struct reach *next) {
    uint32_t n_next = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint16_t *port = NULL;
        uint16_t single, hops = row_hops(&w->state->row[here[i].s], w->dst_leaf, &port, &single);
        if (w->one_path && hops > 1) hops = 1;
        for (uint16_t p = 0; p < hops; p++)
            n_next = reach_join(next, n_next, reach_over(w, here[i], &w->f->place[here[i].s].port[port[p]]));
    }
    return n_next;
}

/* Finds the best path from the source's rack to the destination's; false if this state has none. */
static bool walk_racks(const struct walk *w, uint32_t src_leaf, struct reach *best, uint32_t *links) {
    uint32_t held = w->one_path ? 1 : w->f->n_switches, n = 1;
    struct reach small[2], *scratch = held == 1 ? small : memory_get(2 * (size_t)held, sizeof *scratch);
    struct reach *here = scratch, *next = scratch + held;
    here[0] = (struct reach){.s = src_leaf, .bps = INT64_MAX, .slowest_bps = INT64_MAX};
    bool found = false;
    for (uint32_t distance = 0; n > 0; distance++) {
        for (uint32_t i = 0; i < n && !found; i++) {
            if (here[i].s != w->dst_leaf) continue;
            *best = here[i];
            *links = distance;
            found = true;
        }
        n = walk_hop(w, here, n, next);
        struct reach *spare = here;
        here = next;
        next = spare;
    }
    if (held != 1) free(scratch);
    return found;
}

/* ---- all paths at once ---- */

static bool has_planes(const struct fabric *f) { return f->kind->planes; }

/* Returns whether switch s had this next hop for the rack in a state before the given one. */
static bool hop_is_known(const struct walk *w, uint32_t s, uint32_t state, uint16_t port) {
    for (uint32_t i = 0; i < state; i++) {
        const uint16_t *known = NULL;
        uint16_t n = fabric_hops(w->f, i, s, w->dst_leaf, &known);
        for (uint16_t k = 0; k < n; k++)
            if (known[k] == port) return true;
    }
    return false;
}

static bool row_is_known(const struct fabric *f, uint32_t s, uint32_t state) {
    if (state == 0) return false;
    const struct route_row *row = &f->paths.state[state].row[s], *last = &f->paths.state[state - 1].row[s];
    return row->to_leaf == last->to_leaf && row->set == last->set;
}

/* Returns the capacity from switch s to the rack, or `enough` if it is more: the sum over next hops of the smaller of
 * its link and the capacity behind it. This is exact in a Clos, where the paths behind different next hops share no
 * link. In other fabrics only the first hop counts: an upper bound, which is the safe side. The next hops of all states
 * add up, because a flow's frames may still drain from the queue of an old next hop while it already uses a new one. */
static int64_t spray_from(const struct walk *w, uint32_t s, int64_t enough) {
    if (s == w->dst_leaf) return enough;
    int64_t sum = 0;
    bool planes = has_planes(w->f);
    for (uint32_t state = 0; state < w->f->paths.n_states; state++) {
        const uint16_t *port = NULL;
        if (row_is_known(w->f, s, state)) continue;
        uint16_t n = fabric_hops(w->f, state, s, w->dst_leaf, &port);
        for (uint16_t i = 0; i < n; i++) {
            if (state > 0 && hop_is_known(w, s, state, port[i])) continue;
            const struct place_port *to = &w->f->place[s].port[port[i]];
            int64_t least = min_i64(to->rate_bps, enough - sum);
            sum += planes ? spray_from(w, to->neighbour - w->f->n_hosts, least) : least;
            if (sum == enough) return enough;
        }
    }
    return sum;
}

/* ---- the bound ---- */

static void bound_racks(const struct walk *w, uint32_t src_leaf, struct reach *best, uint32_t *links) {
    struct walk at = *w;
    *best = (struct reach){.delay = INT64_MAX, .slowest_bps = INT64_MAX};
    for (uint32_t i = 0; i < w->f->paths.n_states; i++) {
        struct reach way = {0};
        uint32_t length = 0;
        at.state = &w->f->paths.state[i];
        if (!walk_racks(&at, src_leaf, &way, &length)) continue;
        if (way.delay < best->delay) best->delay = way.delay, best->propagation = way.propagation, *links = length;
        best->bps = max_i64(best->bps, way.bps);
        best->slowest_bps = min_i64(best->slowest_bps, way.slowest_bps);
    }
    if (best->delay != INT64_MAX) return;
    /* no path in any state: nothing arrives, and only the hosts' own links remain as bounds */
    *best = (struct reach){.bps = INT64_MAX, .slowest_bps = INT64_MAX};
}

/* Finds the best path between two NICs; *links does not count their own links. */
static void bound_path(const struct fabric *f, struct nic_ends ends, uint32_t wire_bytes, struct walk *w,
                       struct reach *best, uint32_t *links) {
    *w = (struct walk){.f = f, .dst_leaf = fabric_nic_leaf(f, ends.dst), .wire_bytes = wire_bytes};
    w->one_path = has_planes(f) && fabric_store(f)->even;
    bound_racks(w, fabric_nic_leaf(f, ends.src), best, links);
}

static struct fabric_bound bound_nics(const struct fabric *f, struct nic_ends ends, uint32_t wire_bytes) {
    const struct place_port *out = &f->paths.port[ends.src], *in = &f->paths.port[ends.dst];
    struct walk w;
    struct reach best;
    uint32_t links = 0;
    bound_path(f, ends, wire_bytes, &w, &best, &links);
    int64_t hosts_bps = min_i64(out->rate_bps, in->rate_bps);
    int64_t spray = best.bps == INT64_MAX ? hosts_bps : spray_from(&w, fabric_nic_leaf(f, ends.src), hosts_bps);
    return (struct fabric_bound){
        .propagation = out->delay + best.propagation + in->delay,
        .first_frame_ps = best.delay - best.propagation + serialization(wire_bytes, in->rate_bps),
        .bottleneck_bps = min_i64(hosts_bps, best.bps),
        .spray_bps = spray,
        .slowest_bps = min_i64(hosts_bps, best.slowest_bps),
        .hops = links + 2,
    };
}

/* Returns whether some settled state has a path between the racks of two NICs. */
static bool nics_have_way(const struct fabric *f, struct nic_ends ends) {
    uint32_t from = fabric_nic_leaf(f, ends.src), to = fabric_nic_leaf(f, ends.dst);
    const uint16_t *port;
    for (uint32_t state = 0; from != to && state < f->paths.n_states; state++)
        if (fabric_hops(f, state, from, to, &port) > 0) return true;
    return from == to;
}

/* Takes in what another pair of NICs offers. With failures a flow may change its pair, and its frames be on both. */
static void bound_join(const struct fabric *f, struct fabric_bound *b, const struct fabric_bound *other) {
    bool adds = f->n_events > 0;
    if (other->propagation + other->first_frame_ps < b->propagation + b->first_frame_ps) {
        b->propagation = other->propagation;
        b->first_frame_ps = other->first_frame_ps;
        b->hops = other->hops;
    }
    b->bottleneck_bps =
        adds ? b->bottleneck_bps + other->bottleneck_bps : max_i64(b->bottleneck_bps, other->bottleneck_bps);
    b->spray_bps = adds ? b->spray_bps + other->spray_bps : max_i64(b->spray_bps, other->spray_bps);
    b->slowest_bps = min_i64(b->slowest_bps, other->slowest_bps);
}

void fabric_bound(const struct fabric *f, uint32_t src, uint32_t dst, uint32_t wire_bytes, struct fabric_bound *b) {
    const uint32_t *first = f->paths.first_port;
    bool found = false;
    *b = bound_nics(f, (struct nic_ends){first[src], first[dst]}, wire_bytes);
    if (fabric_host_nics(f, src) == 1 && fabric_host_nics(f, dst) == 1) return;
    for (uint32_t out = first[src]; out < first[src + 1]; out++)
        for (uint32_t in = first[dst]; in < first[dst + 1]; in++) {
            struct nic_ends ends = {out, in};
            if (!nics_have_way(f, ends)) continue;
            struct fabric_bound one = bound_nics(f, ends, wire_bytes);
            if (found)
                bound_join(f, b, &one);
            else
                *b = one;
            found = true;
        }
}

/* ---- round trips ---- */

static span_ps one_way(const struct fabric *f, struct nic_ends ends, uint32_t wire_bytes) {
    const struct place_port *out = &f->paths.port[ends.src], *in = &f->paths.port[ends.dst];
    struct walk w;
    struct reach best;
    uint32_t links = 0;
    bound_path(f, ends, wire_bytes, &w, &best, &links);
    return out->delay + serialization(wire_bytes, out->rate_bps) + best.delay + in->delay +
           serialization(wire_bytes, in->rate_bps);
}

span_ps fabric_round_trip(const struct fabric *f, uint32_t src, uint32_t dst, uint32_t out, uint32_t back) {
    const uint32_t *first = f->paths.first_port;
    span_ps most = 0;
    for (uint32_t a = first[src]; a < first[src + 1]; a++)
        for (uint32_t b = first[dst]; b < first[dst + 1]; b++) {
            struct nic_ends ends = {a, b};
            if (fabric_is_multihomed(f) && !nics_have_way(f, ends)) continue;
            most = max_i64(most, one_way(f, ends, out) + one_way(f, (struct nic_ends){b, a}, back));
        }
    return most;
}

/* Returns the links that a path has at most: a path over planes goes up and down once, any other visits a switch
 * once. */
static uint32_t links_most(const struct fabric *f) { return has_planes(f) ? 2u * f->tiers : f->n_switches + 1; }

span_ps fabric_round_trip_most(const struct fabric *f, uint32_t out, uint32_t back) {
    span_ps delay = 0, frames = 0;
    for (uint32_t g = 0; g < f->paths.first_port[f->n_nodes]; g++) {
        const struct place_port *p = &f->paths.port[g];
        delay = max_i64(delay, p->delay);
        frames = max_i64(frames, serialization(out, p->rate_bps) + serialization(back, p->rate_bps));
    }
    return (int64_t)links_most(f) * (2 * delay + frames);
}
