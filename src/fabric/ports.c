/* SPDX-License-Identifier: Apache-2.0 */
/* Makes ports, places and population from nodes and links (base/views.h has the numbering). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/fabric_build.h"
#include "fabric/nics.h"

/* ---- link overrides ---- */

static bool override_apply(struct fabric *f, const struct link_override *o, struct diag *d) {
    struct fabric_store *store = f->store;
    const struct diag *w = &o->where;
    if (o->rate_bps < 0) return diag_fail(d, w->file, w->line, w->col, "rate must be above 0; write for example 1Gbps");
    if (o->loss_ppb > PPB)
        return diag_fail(d, w->file, w->line, w->col, "loss is above 100%%; write for example 0.01%%");
    uint32_t hits = 0;
    for (uint32_t i = 0; i < store->n_links; i++) {
        struct fabric_link *link = &store->link[i];
        if (!fabric_link_matches(f, i, o->match)) continue;
        hits++;
        if (o->rate_bps > 0) link->rate_bps = o->rate_bps;
        if (o->delay >= 0) link->delay = o->delay;
        if (o->loss_ppb >= 0) link->loss_ppb = (uint32_t)o->loss_ppb;
    }
    if (hits > 0) return true;
    char hint[400];
    return diag_fail(d, w->file, w->line, w->col,
                     "\"%.80s\" matches no link; a link is NODE-NODE with * and ?, nodes are %s", o->match,
                     fabric_names_hint(f, "", hint, sizeof hint));
}

/* Fails if the text of an override is the name of two links. Needs ports and racks. */
static bool overrides_clear(const struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    char why[sizeof d->text];
    for (size_t i = 0; i < spec->n_links; i++) {
        const struct diag *w = &spec->links[i].where;
        if (!fabric_link_is_clear(f, spec->links[i].match, why, sizeof why))
            return diag_fail(d, w->file, w->line, w->col, "%s", why);
    }
    return true;
}

/* ---- ports ---- */

/* One end of a link, for sorting into the order of ports. */
struct half_link {
    uint32_t node, neighbour, link;
    bool upwards;
};

static int half_link_order(const void *pa, const void *pb) {
    const struct half_link *a = pa, *b = pb;
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    if (a->upwards != b->upwards) return a->upwards ? 1 : -1;
    if (a->neighbour != b->neighbour) return a->neighbour < b->neighbour ? -1 : 1;
    return a->link < b->link ? -1 : a->link > b->link;
}

static struct half_link *half_links(const struct fabric *f) {
    const struct fabric_store *store = f->store;
    struct half_link *half = memory_get(2 * (size_t)store->n_links, sizeof *half);
    for (uint32_t i = 0; i < store->n_links; i++) {
        uint32_t lower = store->link[i].lower, upper = store->link[i].upper;
        bool peers = f->node[lower].tier == f->node[upper].tier;
        half[2 * i] = (struct half_link){lower, upper, i, true};
        half[2 * i + 1] = (struct half_link){upper, lower, i, peers};
    }
    qsort(half, 2 * (size_t)store->n_links, sizeof *half, half_link_order);
    return half;
}

/* Numbers the links between the same two nodes; both ends have them in the same order. */
static void links_number_parallels(struct fabric_store *store, const struct half_link *half) {
    for (size_t i = 1; i < 2 * (size_t)store->n_links; i++) {
        const struct half_link *a = &half[i - 1], *b = &half[i];
        if (a->node != b->node || a->neighbour != b->neighbour) continue;
        store->link[b->link].parallel = (uint16_t)(store->link[a->link].parallel + 1);
    }
}

/* Sets first_port, and the port numbers of both ends of every link. */
static void ports_number(struct fabric *f, const struct half_link *half) {
    struct fabric_store *store = f->store;
    uint32_t *first = fabric_own(f, (size_t)f->n_nodes + 1, sizeof *first);
    uint32_t n_ports = 2 * store->n_links, at = 0;
    store->port_link = fabric_own(f, n_ports, sizeof *store->port_link);
    for (uint32_t node = 0; node < f->n_nodes; node++) {
        first[node] = at;
        for (; at < n_ports && half[at].node == node; at++) {
            struct fabric_link *link = &store->link[half[at].link];
            store->port_link[at] = half[at].link;
            if (link->lower == node) link->lower_port = at;
            if (link->upper == node) link->upper_port = at;
        }
    }
    first[f->n_nodes] = at;
    f->paths.first_port = first;
}

static void ports_fill(struct fabric *f, const struct half_link *half) {
    struct fabric_store *store = f->store;
    store->port = fabric_own(f, 2 * (size_t)store->n_links, sizeof *store->port);
    f->paths.port = store->port;
    for (uint32_t i = 0; i < 2 * store->n_links; i++) {
        const struct fabric_link *link = &store->link[half[i].link];
        store->port[i] = (struct place_port){
            .node = half[i].node,
            .neighbour = half[i].neighbour,
            .peer = i == link->lower_port ? link->upper_port : link->lower_port,
            .port = (uint16_t)(i - f->paths.first_port[half[i].node]),
            .link_tier = link->tier,
            .neighbour_tier = f->node[half[i].neighbour].tier,
            .rate_bps = link->rate_bps,
            .delay = link->delay,
            .loss_ppb = link->loss_ppb,
        };
    }
}

static bool ports_few(const struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    for (uint32_t node = 0; node < f->n_nodes; node++) {
        uint32_t n = f->paths.first_port[node + 1] - f->paths.first_port[node];
        char name[96];
        if (n > FABRIC_MAX_PORTS)
            return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                             "%s has %u ports; a switch may have at most %u",
                             fabric_node_name(f, node, name, sizeof name), n, FABRIC_MAX_PORTS);
    }
    return true;
}

/* ---- places ---- */

static void place_fill(struct fabric *f, uint32_t s) {
    struct fabric_store *store = f->store;
    uint32_t node = f->n_hosts + s, first = f->paths.first_port[node];
    const struct fabric_node *self = &f->node[node];
    struct place *place = &f->place[s];
    *place = (struct place){
        .node = node,
        .tier = self->tier,
        .tiers = f->tiers,
        .pod = self->pod,
        .index = self->index,
        .leaf = self->leaf,
        .n_ports = (uint16_t)(f->paths.first_port[node + 1] - first),
        .port = &store->port[first],
        .beyond = &store->beyond[first - f->paths.first_port[f->n_hosts]],
    };
    while (place->first_uplink < place->n_ports && place->port[place->first_uplink].neighbour_tier < self->tier)
        place->first_uplink++;
}

/* Sets the uplinks of the switches behind a switch's uplinks. A peer is not above the switch, so it keeps 0. */
static void place_look_beyond(struct fabric *f, uint32_t s) {
    struct place *place = &f->place[s];
    for (uint16_t p = place->first_uplink; p < place->n_ports; p++) {
        if (place->port[p].neighbour_tier == place->tier) continue;
        const struct place *above = &f->place[place->port[p].neighbour - f->n_hosts];
        uint32_t uplinks = above->n_ports - above->first_uplink;
        place->beyond[p] = (struct place_beyond){uplinks, uplinks};
    }
}

static void places_build(struct fabric *f) {
    uint32_t switch_ports = f->paths.first_port[f->n_nodes] - f->paths.first_port[f->n_hosts];
    fabric_store(f)->beyond = fabric_own(f, switch_ports, sizeof(struct place_beyond));
    f->place = fabric_own(f, f->n_switches, sizeof *f->place);
    for (uint32_t s = 0; s < f->n_switches; s++) place_fill(f, s);
    for (uint32_t s = 0; s < f->n_switches; s++) place_look_beyond(f, s);
}

/* ---- population ---- */

static int64_t place_up_bps(const struct place *place) {
    int64_t sum = 0;
    for (uint16_t p = place->first_uplink; p < place->n_ports; p++) sum += place->port[p].rate_bps;
    return sum;
}

static bool has_uplinks(const struct fabric *f, uint32_t leaf) {
    return f->place[leaf].first_uplink < f->place[leaf].n_ports;
}

static uint32_t rack_root(const uint32_t *rack, uint32_t leaf) {
    while (rack[leaf] != leaf) leaf = rack[leaf];
    return leaf;
}

/* Joins the leaves with uplinks to which a host is linked; the least number stands for all. */
static void racks_join(const struct fabric *f, uint32_t host, uint32_t *rack) {
    uint32_t joined = NODE_NONE;
    for (uint32_t g = f->paths.first_port[host]; g < f->paths.first_port[host + 1]; g++) {
        if (!has_uplinks(f, fabric_nic_leaf(f, g))) continue;
        uint32_t root = rack_root(rack, fabric_nic_leaf(f, g));
        if (joined == NODE_NONE) joined = root;
        rack[joined > root ? joined : root] = joined > root ? root : joined;
        joined = joined > root ? root : joined;
    }
}

/* Sets the rack of each leaf for struct population. */
static void racks_find(struct fabric *f) {
    uint32_t *rack = fabric_own(f, f->n_leaves, sizeof *rack);
    for (uint32_t l = 0; l < f->n_leaves; l++) rack[l] = l;
    for (uint32_t h = 0; h < f->n_hosts; h++)
        if (fabric_host_nics(f, h) > 1) racks_join(f, h, rack);
    for (uint32_t l = 0; l < f->n_leaves; l++) rack[l] = rack_root(rack, l);
    fabric_store(f)->leaf_rack = rack;
}

/* Returns the rate of a host's links to leaves with uplinks; of all its links if there is no such leaf. */
static int64_t network_bps(const struct fabric *f, uint32_t host) {
    int64_t sum = 0;
    for (uint32_t g = f->paths.first_port[host]; g < f->paths.first_port[host + 1]; g++)
        if (has_uplinks(f, fabric_nic_leaf(f, g))) sum += f->paths.port[g].rate_bps;
    return sum ? sum : fabric_host_sum_bps(f, host);
}

static void population_racks(struct fabric *f) {
    struct fabric_store *store = f->store;
    uint32_t *host_leaf = fabric_own(f, f->n_hosts, sizeof *host_leaf);
    int64_t *host_bps = fabric_own(f, f->n_hosts, sizeof *host_bps), *nics_bps = host_bps;
    if (fabric_is_multihomed(f)) nics_bps = fabric_own(f, f->n_hosts, sizeof *nics_bps);
    store->rack_first = fabric_own(f, (size_t)f->n_leaves + 1, sizeof *store->rack_first);
    for (uint32_t h = 0; h < f->n_hosts; h++) {
        host_leaf[h] = store->leaf_rack[f->node[h].leaf];
        host_bps[h] = network_bps(f, h);
        nics_bps[h] = fabric_host_sum_bps(f, h);
        store->rack_first[f->node[h].leaf + 1]++;
    }
    for (uint32_t l = 0; l < f->n_leaves; l++) store->rack_first[l + 1] += store->rack_first[l];
    f->population.host_leaf = host_leaf;
    f->population.host_bps = host_bps;
    f->population.nics_bps = nics_bps;
}

static void population_pods(struct fabric *f) {
    struct fabric_store *store = f->store;
    uint32_t *leaf_pod = fabric_own(f, f->n_leaves, sizeof *leaf_pod);
    uint32_t *leaf_node = fabric_own(f, f->n_leaves, sizeof *leaf_node);
    store->pod_leaf = fabric_own(f, f->n_pods, sizeof *store->pod_leaf);
    for (uint32_t l = f->n_leaves; l-- > 0;) {
        leaf_node[l] = f->n_hosts + l;
        leaf_pod[l] = f->node[leaf_node[l]].pod;
        store->pod_leaf[leaf_pod[l]] = l;
    }
    f->population.leaf_pod = leaf_pod;
    f->paths.leaf_pod = leaf_pod;
    f->paths.leaf_node = leaf_node;
}

/* Returns whether some hosts have links to leaves with uplinks and to others without. What crosses the uplinks then depends on
 * more than the racks of two hosts. */
static bool has_scale_up(const struct fabric *f) {
    for (uint32_t h = 0; h < f->n_hosts; h++)
        if (f->population.host_bps[h] != f->population.nics_bps[h]) return true;
    return false;
}

static void population_capacity(struct fabric *f) {
    int64_t *leaf_up = fabric_own(f, f->n_leaves, sizeof *leaf_up);
    int64_t *pod_up = fabric_own(f, f->n_pods, sizeof *pod_up);
    f->population.has_tier[TIER_HOST] = true;
    for (uint32_t s = 0; s < f->n_switches; s++) {
        const struct place *place = &f->place[s];
        int64_t up = place_up_bps(place);
        if (place->tier == TIER_LEAF) leaf_up[fabric_store(f)->leaf_rack[s]] += up;
        if (place->tier == TIER_AGG) pod_up[place->pod] += up;
        if (place->tier <= TIER_AGG && up > 0) f->population.has_tier[place->tier] = true;
    }
    if (has_scale_up(f)) f->population.has_tier[TIER_LEAF] = false;
    f->population.leaf_up_bps = leaf_up;
    f->population.pod_up_bps = pod_up;
}

static void population_build(struct fabric *f) {
    f->population.n_hosts = f->paths.n_hosts = f->n_hosts;
    f->population.n_leaves = f->paths.n_leaves = f->n_leaves;
    f->population.n_pods = f->n_pods;
    racks_find(f);
    population_racks(f);
    population_pods(f);
    population_capacity(f);
}

/* ---- addresses ---- */

static bool addresses_plan(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    uint32_t most = 0;
    for (uint32_t l = 0; l < f->n_leaves; l++) {
        uint32_t hosts = 0;
        while (hosts < f->place[l].n_ports && f->place[l].port[hosts].neighbour_tier == TIER_HOST) hosts++;
        if (hosts > most) most = hosts;
    }
    f->host_bits = 8;
    while (most > (1u << f->host_bits) - 2) f->host_bits++;
    if ((uint64_t)f->n_leaves << f->host_bits <= 1u << 24) return true;
    return diag_fail(d, spec->where.file, spec->where.line, spec->where.col,
                     "%u racks of up to %u hosts do not fit into 10.0.0.0/8; have fewer or smaller racks", f->n_leaves,
                     most);
}

/* Returns whether the links between switches are alike in each tier, so that all shortest paths are equal. */
static bool links_even(const struct fabric_store *store) {
    const struct fabric_link *like[TIER_COUNT] = {0};
    for (uint32_t i = 0; i < store->n_links; i++) {
        const struct fabric_link *link = &store->link[i], *first = like[link->tier];
        if (link->tier == TIER_HOST) continue;
        if (!first) like[link->tier] = link;
        if (first && (first->rate_bps != link->rate_bps || first->delay != link->delay)) return false;
    }
    return true;
}

bool ports_build(struct fabric *f, const struct fabric_spec *spec, struct diag *d) {
    struct fabric_store *store = f->store;
    struct half_link *half = half_links(f);
    links_number_parallels(store, half);
    for (size_t i = 0; i < spec->n_links; i++) {
        if (override_apply(f, &spec->links[i], d)) continue;
        free(half);
        return false;
    }
    ports_number(f, half);
    bool few = ports_few(f, spec, d);
    if (few) ports_fill(f, half);
    free(half);
    if (!few) return false;
    places_build(f);
    population_build(f);
    store->even = links_even(store);
    return overrides_clear(f, spec, d) && addresses_plan(f, spec, d);
}
