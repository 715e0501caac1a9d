/* SPDX-License-Identifier: Apache-2.0 */
/* Regular fabrics as a workload sees them: pods x racks x hosts, with rates that the test chooses. */
#ifndef HEDDLE_TESTS_MADE_POPULATION_H
#define HEDDLE_TESTS_MADE_POPULATION_H

#include "base/views.h"

#include <stdlib.h>

#define GBPS 1000000000LL

struct shape {
    uint32_t pods, racks, hosts;               /* racks per pod, hosts per rack */
    int64_t host_bps, leaf_up_bps, pod_up_bps; /* of one host, rack, pod; pod_up_bps 0: two tiers */
};

static inline struct population population_make(struct shape s) {
    uint32_t n_leaves = s.pods * s.racks, n_hosts = n_leaves * s.hosts;
    uint32_t *host_leaf = calloc(n_hosts, sizeof *host_leaf), *leaf_pod = calloc(n_leaves, sizeof *leaf_pod);
    int64_t *host_bps = calloc(n_hosts, sizeof *host_bps), *leaf_up = calloc(n_leaves, sizeof *leaf_up);
    int64_t *pod_up = calloc(s.pods, sizeof *pod_up);
    for (uint32_t h = 0; h < n_hosts; h++) {
        host_leaf[h] = h / s.hosts;
        host_bps[h] = s.host_bps;
    }
    for (uint32_t l = 0; l < n_leaves; l++) {
        leaf_pod[l] = l / s.racks;
        leaf_up[l] = s.leaf_up_bps;
    }
    for (uint32_t i = 0; i < s.pods; i++) pod_up[i] = s.pod_up_bps;
    return (struct population){
        .n_hosts = n_hosts,
        .n_leaves = n_leaves,
        .n_pods = s.pods,
        .host_leaf = host_leaf,
        .leaf_pod = leaf_pod,
        .host_bps = host_bps,
        .leaf_up_bps = leaf_up,
        .pod_up_bps = pod_up,
        .has_tier = {[TIER_HOST] = true, [TIER_LEAF] = s.leaf_up_bps > 0, [TIER_AGG] = s.pod_up_bps > 0},
    };
}

static inline void population_free(struct population *p) {
    free((void *)p->host_leaf);
    free((void *)p->leaf_pod);
    free((void *)p->host_bps);
    free((void *)p->leaf_up_bps);
    free((void *)p->pod_up_bps);
}

/* The 4-pod fat-tree: 16 hosts. */
static const struct shape fat_tree_4 = {4, 2, 2, 10 * GBPS, 20 * GBPS, 40 * GBPS};
/* The 12-pod tree with half of its cores: 432 hosts. */
static const struct shape twelve_pods = {12, 6, 6, 10 * GBPS, 60 * GBPS, 180 * GBPS};
/* Leaf-spine, 3:1: 4 racks of 6. */
static const struct shape leaf_spine = {1, 4, 6, 10 * GBPS, 20 * GBPS, 0};

#endif
