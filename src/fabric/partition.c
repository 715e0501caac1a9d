/* SPDX-License-Identifier: Apache-2.0 */
/* Assignment of nodes to threads. Units are pods, or racks if there are fewer pods than threads; ToRs of the same hosts are one
 * rack. A unit stays whole,
 * and adjacent units share a thread. Then each switch above goes, plane by plane, to the thread with the fewest ports.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "fabric/fabric_build.h"

static uint32_t node_ports(const struct fabric *f, uint32_t node) {
    return f->paths.first_port[node + 1] - f->paths.first_port[node];
}

/* Returns the unit of a node, or NODE_NONE if the node is above all units. */
static uint32_t node_unit(const struct fabric *f, uint32_t node, bool by_pod) {
    const struct fabric_node *n = &f->node[node];
    if (n->tier == TIER_CORE) return NODE_NONE;
    if (by_pod) return n->pod;
    return n->leaf == NODE_NONE ? NODE_NONE : fabric_store(f)->leaf_rack[n->leaf]; /* NODE_NONE for aggs */
}

/* Cuts the row of units into n pieces of similar weight; a unit belongs to the piece in which its middle lies. */
static uint32_t units_cut(const uint64_t *weight, uint32_t n_units, uint32_t n, uint16_t *part) {
    uint64_t sum = 0, before = 0;
    for (uint32_t u = 0; u < n_units; u++) sum += weight[u];
    uint32_t used = 0;
    uint64_t last = UINT64_MAX;
    for (uint32_t u = 0; u < n_units; u++) {
        if (weight[u] == 0) continue; /* the number of a ToR whose rack has that of another one */
        uint64_t piece = (2 * before + weight[u]) * n / (2 * sum);
        if (piece != last) used++; /* numbers only pieces that have a unit */
        last = piece;
        part[u] = (uint16_t)(used - 1);
        before += weight[u];
    }
    return used;
}

/* Assigns each node above the units to the part with the fewest ports; among equals, to the next in turn. */
static void spread(const struct fabric *f, bool by_pod, uint32_t n, uint64_t *load, uint16_t *part) {
    uint32_t turn = 0;
    for (uint32_t node = f->n_hosts; node < f->n_nodes; node++) {
        if (node_unit(f, node, by_pod) != NODE_NONE) continue;
        uint32_t best = turn % n;
        for (uint32_t i = 1; i < n; i++) {
            uint32_t other = (turn + i) % n;
            if (load[other] < load[best]) best = other;
        }
        part[node] = (uint16_t)best;
        load[best] += node_ports(f, node);
        turn = best + 1;
    }
}

uint32_t fabric_partition(const struct fabric *f, uint32_t n, uint16_t *part) {
    bool by_pod = f->n_pods >= n;
    uint32_t n_units = by_pod ? f->n_pods : f->n_leaves;
    if (n > n_units) n = n_units;
    if (n > UINT16_MAX) n = UINT16_MAX;
    if (n == 0) n = 1;
    uint64_t *weight = memory_get(n_units, sizeof *weight), *load = memory_get(n, sizeof *load);
    uint16_t *unit_part = memory_get(n_units, sizeof *unit_part);
    for (uint32_t node = 0; node < f->n_nodes; node++) {
        uint32_t unit = node_unit(f, node, by_pod);
        if (unit != NODE_NONE) weight[unit] += node_ports(f, node);
    }
    uint32_t used = units_cut(weight, n_units, n, unit_part);
    for (uint32_t node = 0; node < f->n_nodes; node++) {
        uint32_t unit = node_unit(f, node, by_pod);
        if (unit == NODE_NONE) continue;
        part[node] = unit_part[unit];
        load[part[node]] += node_ports(f, node);
    }
    spread(f, by_pod, used, load, part);
    free(weight);
    free(load);
    free(unit_part);
    return used;
}
