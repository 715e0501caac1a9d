/* SPDX-License-Identifier: Apache-2.0 */
#include "fabric/nics.h"

#include "base/random.h"
#include "fabric/choices.h"

uint32_t fabric_nic_ip(const struct fabric *f, uint32_t nic) {
    uint32_t place = f->paths.port[f->paths.port[nic].peer].port;
    return (10u << 24) | fabric_nic_leaf(f, nic) << f->host_bits | (place + 1);
}

uint32_t fabric_multihomed_host(const struct fabric *f) {
    for (uint32_t h = 0; h < f->n_hosts; h++)
        if (fabric_host_nics(f, h) > 1) return h;
    return NODE_NONE;
}

int64_t fabric_host_fastest_bps(const struct fabric *f, uint32_t host) {
    int64_t most = 0;
    for (uint32_t g = f->paths.first_port[host]; g < f->paths.first_port[host + 1]; g++)
        most = max_i64(most, f->paths.port[g].rate_bps);
    return most;
}

int64_t fabric_host_sum_bps(const struct fabric *f, uint32_t host) {
    int64_t sum = 0;
    for (uint32_t g = f->paths.first_port[host]; g < f->paths.first_port[host + 1]; g++)
        sum += f->paths.port[g].rate_bps;
    return sum;
}

bool fabric_nic_is_up(const struct fabric *f, uint32_t nic, time_ps now) {
    const struct place_port *p = &f->paths.port[nic];
    bool up = true;
    for (uint32_t i = f->first_event[p->node]; i < f->first_event[p->node + 1] && f->event[i].at <= now; i++) {
        const struct fabric_event *e = &f->event[i];
        if (e->port != p->port) continue;
        if (e->kind == EVENT_PORT_DOWN) up = false;
        if (e->kind == EVENT_PORT_UP) up = true;
    }
    return up;
}

/* ---- pairs of NICs ---- */

#define NO_WAY UINT32_MAX

/* The links of a pair's path, and the lower rate of its two NICs. */
struct grade {
    uint32_t links; /* NO_WAY: the pair is not usable */
    int64_t bps;
};

static bool is_better(struct grade a, struct grade b) {
    return a.links != b.links ? a.links < b.links : a.links != NO_WAY && a.bps > b.bps;
}

/* Returns the links between two racks in a settled state; all shortest paths have as many. NO_WAY: there is none. */
static uint32_t links_between(const struct fabric *f, uint32_t state, uint32_t from, uint32_t to) {
    uint32_t links = 0;
    for (uint32_t s = from; s != to; links++) {
        const uint16_t *port;
        if (fabric_hops(f, state, s, to, &port) == 0) return NO_WAY;
        s = f->place[s].port[port[0]].neighbour - f->n_hosts;
    }
    return links;
}

static uint32_t state_at(const struct fabric *f, time_ps now) {
    uint32_t i = f->paths.n_states - 1;
    while (i > 0 && f->paths.state[i].from > now) i--;
    return i;
}

/* The pairs of two hosts at one time. */
struct pairs {
    const struct fabric *f;
    const struct nic_question *q;
    uint32_t state;
    bool any;    /* links count as up */
    bool pinned; /* only those with the NICs to which the flow is pinned */
};

/* Returns whether a NIC is the one of its host to which a flow is pinned, or it is pinned to none there. */
static bool is_of_pin(const struct fabric *f, uint32_t nic, uint8_t pin) {
    return pin == 0 || f->paths.port[nic].port == pin - 1;
}

static struct grade grade_of(const struct pairs *p, uint32_t src, uint32_t dst) {
    const struct fabric *f = p->f;
    if (p->pinned && (!is_of_pin(f, src, p->q->src_nic) || !is_of_pin(f, dst, p->q->dst_nic)))
        return (struct grade){NO_WAY, 0};
    if (!p->any && (!fabric_nic_is_up(f, src, p->q->now) || !fabric_nic_is_up(f, dst, p->q->now)))
        return (struct grade){NO_WAY, 0};
    return (struct grade){links_between(f, p->state, fabric_nic_leaf(f, src), fabric_nic_leaf(f, dst)),
                          min_i64(f->paths.port[src].rate_bps, f->paths.port[dst].rate_bps)};
}

/* Returns the hash by which pairs of one grade compete for a flow; the first pair wins if there is no hash. */
static uint64_t weight_of(const struct nic_question *q, const struct fabric *f, uint32_t src, uint32_t dst) {
    if (q->bonding == BONDING_ACTIVE_BACKUP) return 0;
    uint32_t ports = (uint32_t)f->paths.port[src].port << 16 | f->paths.port[dst].port;
    return random_key(q->seed, RANDOM_NIC, (uint64_t)q->flow << 32 | ports);
}

/* Finds the pair for the flow among those of the best grade. False: none is usable. */
static bool pair_find(const struct pairs *p, struct nic_ends *ends) {
    const uint32_t *first = p->f->paths.first_port;
    struct grade best = {NO_WAY, 0};
    uint64_t most = 0;
    for (uint32_t src = first[p->q->src]; src < first[p->q->src + 1]; src++)
        for (uint32_t dst = first[p->q->dst]; dst < first[p->q->dst + 1]; dst++) {
            struct grade grade = grade_of(p, src, dst);
            if (grade.links == NO_WAY || is_better(best, grade)) continue;
            uint64_t weight = weight_of(p->q, p->f, src, dst);
            if (!is_better(grade, best) && weight <= most) continue;
            best = grade;
            most = weight;
            *ends = (struct nic_ends){src, dst};
        }
    return best.links != NO_WAY;
}

struct nic_ends fabric_nic_ends(const struct fabric *f, const struct nic_question *q) {
    struct nic_ends ends = {f->paths.first_port[q->src], f->paths.first_port[q->dst]};
    if (fabric_host_nics(f, q->src) == 1 && fabric_host_nics(f, q->dst) == 1) return ends;
    struct pairs p = {.f = f, .q = q, .state = state_at(f, q->now), .pinned = q->src_nic || q->dst_nic};
    if (pair_find(&p, &ends)) return ends;
    if (p.pinned) {
        p.pinned = false;
        if (pair_find(&p, &ends)) return ends;
        p.pinned = true;
    }
    p.any = true;
    p.state = 0;
    pair_find(&p, &ends);
    return ends;
}

bool fabric_pins_have_way(const struct fabric *f, const struct nic_question *q) {
    struct nic_ends ends;
    return pair_find(&(struct pairs){.f = f, .q = q, .any = true, .pinned = true}, &ends);
}

uint32_t fabric_hosts_links(const struct fabric *f, uint32_t src, uint32_t dst) {
    const uint32_t *first = f->paths.first_port;
    uint32_t least = NO_WAY;
    for (uint32_t a = first[src]; a < first[src + 1]; a++)
        for (uint32_t b = first[dst]; b < first[dst + 1]; b++) {
            uint32_t links = links_between(f, 0, fabric_nic_leaf(f, a), fabric_nic_leaf(f, b));
            if (links < least) least = links;
        }
    return least == NO_WAY ? 0 : least + 2;
}

bool fabric_hosts_have_way(const struct fabric *f, uint32_t state, uint32_t src, uint32_t dst) {
    const uint32_t *first = f->paths.first_port;
    for (uint32_t a = first[src]; a < first[src + 1]; a++)
        for (uint32_t b = first[dst]; b < first[dst + 1]; b++) {
            const uint16_t *port;
            uint32_t from = fabric_nic_leaf(f, a), to = fabric_nic_leaf(f, b);
            if (from == to || fabric_hops(f, state, from, to, &port) > 0) return true;
        }
    return false;
}
